package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// pushCommitter makes the commit in memory and pushes it with git's own compare-and-swap.
type pushCommitter struct {
	repo   *gitrepo.Repo
	remote gitrepo.Remote
	who    gitrepo.Identity
	now    func() time.Time
	pause  func(context.Context, time.Duration) error
}

// Commit implements committer.
func (c *pushCommitter) Commit(ctx context.Context, req CommitRequest) (Commit, error) {
	tree, err := newTree(ctx, c.repo, c.remote, req)
	if err != nil {
		return Commit{}, fmt.Errorf("commit: %w", err)
	}
	commit, err := tree.Commit(req.Message, c.who, c.now())
	if err != nil {
		return Commit{}, fmt.Errorf("commit: %w", err)
	}
	for attempt := 1; ; attempt++ {
		err = c.repo.Push(ctx, c.remote, commit, req.Branch, req.Expect)
		var rejected *gitrepo.RejectedError
		if attempt == moveAttempts || !errors.As(err, &rejected) || rejected.Kind != gitrepo.RejectedOther {
			break
		}
		// The same commit again: what arrived before, if anything, is recognised.
		if err := c.pause(ctx, shortPause()); err != nil {
			return Commit{}, fmt.Errorf("commit: %w", errors.Join(err, rejected))
		}
	}
	var stale *gitrepo.StaleError
	switch {
	case err == nil:
		return Commit{SHA: commit.SHA, Tree: commit.OID}, nil
	case errors.As(err, &stale):
		return c.recognise(ctx, req, tree, stale)
	}
	return Commit{}, fmt.Errorf("commit: %w", err)
}

// recognise tells a branch that an earlier attempt of the same request moved from one that someone else moved.
func (c *pushCommitter) recognise(ctx context.Context, req CommitRequest, tree *gitrepo.NewTree, stale *gitrepo.StaleError) (Commit, error) {
	lease := &LeaseError{Branch: req.Branch, Expected: req.Expect, Found: stale.Found}
	if stale.Found == "" {
		return Commit{}, lease
	}
	if err := c.repo.FetchObjects(ctx, c.remote, stale.Found); err != nil {
		return Commit{}, fmt.Errorf("look at the moved branch: %w", errors.Join(lease, err))
	}
	found, err := c.repo.CommitInfo(ctx, stale.Found)
	if err != nil {
		return Commit{}, fmt.Errorf("look at the moved branch: %w", errors.Join(lease, err))
	}
	if found.Tree == tree.OID && len(found.Parents) == 1 && found.Parents[0] == req.Parent {
		return Commit{SHA: stale.Found, Tree: found.Tree}, nil
	}
	return Commit{}, lease
}

// DeleteBranch implements committer.
func (c *pushCommitter) DeleteBranch(ctx context.Context, branch, expect string) error {
	return deleteBranch(ctx, c.repo, c.remote, branch, expect)
}
