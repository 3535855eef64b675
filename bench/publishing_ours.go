package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/version"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
	"github.com/wikiwright/wikiwright/publish"
)

// publishCheckout publishes the wiki as it stands in the work tree of a checkout, with all that a run does after the last page: compare the
// wiki with the one of the commit, pass the gates, decide, commit, write the report.
func publishCheckout(ctx context.Context, dir string, signed bool) error {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return err
	}
	bundle, err := bundleOf(ctx, repo, dir)
	if err != nil {
		return err
	}
	client, err := github.New(github.Config{
		APIURL: os.Getenv("GITHUB_API_URL"), ServerURL: os.Getenv("GITHUB_SERVER_URL"), Tokens: github.Static(os.Getenv("GITHUB_TOKEN")),
		UserAgent: "wikiwright-bench",
	})
	if err != nil {
		return err
	}
	owner, name, _ := strings.Cut(os.Getenv("GITHUB_REPOSITORY"), "/")
	p := &publish.Publisher{
		Repo: repo, GitHub: client, Repository: publish.Repository{Owner: owner, Name: name}, DefaultBranch: "main", DefaultToken: true,
		Identity: publish.ActionsIdentity(), Policy: publish.DefaultPolicy(),
		Remote: client.Remote(owner, name),
	}
	p.Policy.SignCommits = publish.SignFalse
	if signed {
		p.Policy.SignCommits = publish.SignTrue
	}
	p.Policy.Labels = nil // the other is not asked for a label either
	out, err := p.Publish(ctx, bundle)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s, %d calls, verified %v\n", out.Operation, out.Reason, out.Calls, out.Verified)
	if out.Operation.Failed() || signed && out.Operation != publish.OpNone && !out.Verified {
		return fmt.Errorf("the operation is %s, verified %v: %s %s %v", out.Operation, out.Verified, out.Reason, out.Hint, out.Blocked)
	}
	return nil
}

// bundleOf makes a bundle of the wiki in the work tree.
func bundleOf(ctx context.Context, repo *gitrepo.Repo, dir string) (*publish.Bundle, error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	before, err := committedFiles(ctx, repo, head.Commit)
	if err != nil {
		return nil, err
	}
	after, err := presentFiles(dir)
	if err != nil {
		return nil, err
	}
	b := &publish.Bundle{
		WikiDir: wiki.DefaultDir, BaseRef: "main", BaseSHA: head.Commit, State: publish.StateComplete,
		Run: publish.RunInfo{ID: "bench", Mode: "update", Author: "extractive", Version: version.Version},
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		b.Files = append(b.Files, publish.File{Path: name, Data: after[name]})
	}
	b.Delta, err = wikidiff.Compare(wikidiff.State{Dir: wiki.DefaultDir, Files: before}, wikidiff.State{Dir: wiki.DefaultDir, Files: after})
	if err != nil {
		return nil, err
	}
	for _, page := range b.Delta.Pages {
		b.Pages = append(b.Pages, publish.Page{Path: page.Path, Title: page.Title, State: "complete", Change: page.Change, Inputs: "1"})
	}
	return b, nil
}

func committedFiles(ctx context.Context, repo *gitrepo.Repo, commit string) (map[string][]byte, error) {
	entries, err := repo.TreeOf(ctx, commit, wiki.DefaultDir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.OID)
	}
	blobs, err := repo.Blobs(ctx, names)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for i, entry := range entries {
		files[entry.Path] = blobs[i]
	}
	return files, nil
}

func presentFiles(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(filepath.Join(dir, wiki.DefaultDir), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(relative)], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the wiki: %w", err)
	}
	return files, nil
}
