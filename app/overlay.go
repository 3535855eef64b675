package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/publish"
)

// Overlay puts a wiki into the work tree in place of the committed one, so that a run goes on from the pages an earlier one published and
// that are not merged yet. A work tree in which a run was interrupted, or with changes in its wiki, is left alone: it knows better.
// Overlay reports whether it wrote.
func Overlay(ctx context.Context, dir, wikiDir string, files []publish.File) (bool, error) {
	c, err := openCheckout(ctx, dir, wikiDir)
	if err != nil {
		return false, err
	}
	wrote, err := overlay(ctx, c, files)
	return wrote, errors.Join(err, c.close())
}

func overlay(ctx context.Context, c *checkout, files []publish.File) (bool, error) {
	if clean, err := wikiIsClean(ctx, c); err != nil || !clean {
		return false, err
	}
	wanted := map[string]bool{}
	for _, f := range files {
		if !below(c.wikiDir, f.Path) || isRunState(c.wikiDir, f.Path) {
			return false, fmt.Errorf("take up the published pages: %s is no file of the wiki", f.Path)
		}
		wanted[f.Path] = true
	}
	wrote := false
	for _, f := range files {
		changed, err := c.files.WriteIfChanged(f.Path, f.Data)
		if err != nil {
			return wrote, fmt.Errorf("take up the published pages: %w", err)
		}
		wrote = wrote || changed
	}
	tracked, err := c.repo.Tracked(ctx)
	if err != nil {
		return wrote, err
	}
	for _, f := range tracked {
		if !below(c.wikiDir, f.Path) || wanted[f.Path] {
			continue
		}
		if err := c.files.Remove(f.Path); err != nil {
			return wrote, fmt.Errorf("take up the published pages: %w", err)
		}
		wrote = true
	}
	return wrote, nil
}

// wikiIsClean reports whether the wiki of the work tree is the committed one.
func wikiIsClean(ctx context.Context, c *checkout) (bool, error) {
	status, err := c.repo.Status(ctx, true)
	if err != nil {
		return false, err
	}
	for _, entry := range status.Entries {
		if below(c.wikiDir, entry.Path) || entry.Path == string(c.wikiDir)+"/" {
			return false, nil
		}
	}
	return true, nil
}

// A Place is where a checkout and its wiki are.
type Place struct {
	Repo    *gitrepo.Repo
	WikiDir wiki.Dir
	Head    gitrepo.Head
}

// Locate finds the checkout around a directory and the place of its wiki.
func Locate(ctx context.Context, dir, wikiDir string) (*Place, error) {
	c, err := openCheckout(ctx, dir, wikiDir)
	if err != nil {
		return nil, err
	}
	head, err := c.repo.Head(ctx)
	if err = errors.Join(err, c.close()); err != nil {
		return nil, err
	}
	return &Place{Repo: c.repo, WikiDir: c.wikiDir, Head: head}, nil
}
