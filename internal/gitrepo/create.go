package gitrepo

import (
	"context"
	"fmt"
	"path/filepath"
)

// Create makes a repository of a directory and commits everything in it, for a trial in a place of its own. Nobody's settings are used: the
// commit is by a fixed person, unsigned, and runs no hook.
func Create(ctx context.Context, dir string) (*Repo, error) {
	git, err := lookGit()
	if err != nil {
		return nil, err
	}
	if _, err := run(ctx, git, dir, "init", "-q", "-b", "main"); err != nil {
		return nil, fmt.Errorf("create repository: %w", err)
	}
	repo, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	return repo, repo.CommitAll(ctx, "source")
}

// CommitAll commits everything in the work tree of a repository that [Create] made.
func (r *Repo) CommitAll(ctx context.Context, message string) error {
	trial := process{git: r.git, dir: r.Root, settings: []setting{
		{"user.name", "Wikiwright"}, {"user.email", "trial@example.invalid"}, {"commit.gpgSign", "false"}, {"core.hooksPath", filepath.Join(r.GitDir, "none")},
		{"core.autocrlf", "false"}, {"core.excludesFile", ""},
	}}
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", message}} {
		if _, err := runWith(ctx, trial, args...); err != nil {
			return fmt.Errorf("commit everything: %w", err)
		}
	}
	return nil
}
