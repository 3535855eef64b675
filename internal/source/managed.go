package source

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
)

// The files that the set-up of a wiki writes. Agents read the first two, which hold a block of ours among the words of their owner.
var (
	managedStart = []byte("<!-- OPENWIKI:START -->")
	managedEnd   = []byte("<!-- OPENWIKI:END -->")
)

const managedWorkflow = ".github/workflows/openwiki-update.yml"

func hasManagedBlock(path string) bool { return path == "AGENTS.md" || path == "CLAUDE.md" }

// dropManaged removes from a list of changed paths those where nothing changed since base but what the set-up of the wiki writes. A
// refreshed block would otherwise look like a change of the source, in the very commit that brings the wiki up to date.
func (s *Source) dropManaged(ctx context.Context, base string, paths []string) ([]string, error) {
	var failed error
	paths = slices.DeleteFunc(paths, func(path string) bool {
		if path == managedWorkflow {
			return true
		}
		if !hasManagedBlock(path) || failed != nil {
			return false
		}
		only, err := s.onlyBlockChanged(ctx, base, path)
		failed = err
		return only
	})
	return paths, failed
}

// onlyBlockChanged compares the file with its version in the commit base, leaving out the managed block of both.
func (s *Source) onlyBlockChanged(ctx context.Context, base, path string) (bool, error) {
	old, err := s.repo.Blob(ctx, base, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	now, err := s.dir.Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, nil // not a file of ours
	}
	return bytes.Equal(withoutBlock(old), withoutBlock(now)), nil
}

// withoutBlock returns the owner's words: the text without the managed block, and without a difference of line ends and of the blank
// lines around the block.
func withoutBlock(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	before, rest, ok := bytes.Cut(text, managedStart)
	_, after, closed := bytes.Cut(rest, managedEnd)
	if !ok || !closed {
		return bytes.TrimSpace(text)
	}
	return bytes.TrimSpace(slices.Concat(bytes.TrimSpace(before), []byte("\n\n"), bytes.TrimSpace(after)))
}
