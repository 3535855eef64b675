package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/impact"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A CheckJob asks which statements of the wiki a change makes stale.
type CheckJob struct {
	Dir     string // any directory in the checkout
	WikiDir string // as in Job
	Base    string // revision the change starts from; "" = where HEAD left the default branch
	Head    string // revision of the change; "" = HEAD with what is not committed

	// Fetch gets a commit that a shallow clone has not; nil = from the remote origin, as git is set up.
	Fetch func(ctx context.Context, commit string) error
}

// Check answers a CheckJob. It writes nothing but, in a shallow clone, the objects of the base commit.
func (r *Runner) Check(ctx context.Context, job CheckJob) (*impact.Report, error) {
	c, err := openCheckout(ctx, job.Dir, job.WikiDir)
	if err != nil {
		return nil, err
	}
	report, err := check(ctx, c, job)
	return report, errors.Join(err, c.close())
}

func check(ctx context.Context, c *checkout, job CheckJob) (*impact.Report, error) {
	src, err := source.Open(ctx, c.repo, c.files, string(c.wikiDir))
	if err != nil {
		return nil, err
	}
	w, err := wiki.Open(c.files, c.wikiDir)
	if err != nil {
		return nil, err
	}
	opt := impact.Options{Repo: c.repo, Source: src, Wiki: w}
	if job.Head != "" {
		if opt.Head, err = resolve(ctx, c.repo, job, "--head", job.Head); err != nil {
			return nil, err
		}
	}
	if opt.Base, err = base(ctx, c.repo, job, opt.Head); err != nil {
		return nil, err
	}
	return impact.Check(ctx, opt)
}

// base finds the commit that the change starts from.
func base(ctx context.Context, repo *gitrepo.Repo, job CheckJob, head string) (string, error) {
	if job.Base != "" {
		return resolve(ctx, repo, job, "--base", job.Base)
	}
	branch, err := repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		return "", &ConfigError{Name: "--base", Err: err, Next: "name the commit or branch that the change starts from with --base"}
	}
	if err != nil {
		return "", err
	}
	if head == "" {
		at, err := repo.Head(ctx)
		if err != nil {
			return "", err
		}
		if at.Unborn() {
			return "", &ConfigError{Name: "checkout", Err: errors.New("there is no commit"), Next: "commit something first"}
		}
		head = at.Commit
	}
	commit, err := repo.MergeBase(ctx, branch, head)
	if errors.Is(err, gitrepo.ErrUnknownCommit) {
		return "", &ConfigError{Name: "--base", Err: err, Next: "fetch more history (git fetch --unshallow), or name the commit that the change starts from with --base"}
	}
	return commit, err
}

// resolve finds a commit that a person named, and fetches one that a shallow clone has not.
func resolve(ctx context.Context, repo *gitrepo.Repo, job CheckJob, flag, revision string) (string, error) {
	commit, err := repo.Resolve(ctx, revision)
	if !errors.Is(err, gitrepo.ErrUnknownCommit) {
		return commit, err
	}
	if len(revision) == 40 {
		fetch := job.Fetch
		if fetch == nil {
			fetch = repo.FetchCommit
		}
		if fetchErr := fetch(ctx, revision); fetchErr != nil {
			return "", fmt.Errorf("%s: %w", flag, errors.Join(err, fetchErr))
		}
		return repo.Resolve(ctx, revision)
	}
	return "", &ConfigError{Name: flag, Err: err, Next: "name a branch, a tag or a commit that is in this clone, or the full name of a commit to fetch"}
}
