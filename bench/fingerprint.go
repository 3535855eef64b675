package main

import (
	"context"
	"errors"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// fingerprint computes the source fingerprint of a checkout and does nothing else. The benchmark starts itself to measure it as a whole
// process.
func fingerprint(ctx context.Context, dir string) (err error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return err
	}
	files, err := atomicfile.Open(repo.Root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	src, err := source.Open(ctx, repo, files, wiki.DefaultDir)
	if err != nil {
		return err
	}
	_, err = src.Snapshot(ctx)
	return err
}
