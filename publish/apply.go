package publish

import (
	"context"
	"errors"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// apply carries a decision out. The order keeps every state in between one that the next run understands: what must not be merged is
// disarmed first, a branch is moved before its pull request is told, and it is removed last.
func (j *job) apply(ctx context.Context, d Decision) error {
	if err := j.disarm(ctx); err != nil {
		return err
	}
	var err error
	if j.stale, err = j.staleAtPublish(ctx); err != nil {
		return err
	}
	for _, page := range j.stale {
		j.out.Stale = append(j.out.Stale, page.RepoPath())
	}
	if d.Pull == PullReopen {
		if err := j.reopen(ctx, d.Number); err != nil {
			return err
		}
	}
	if err := j.applyBranch(ctx, d); err != nil {
		return err
	}
	switch d.Pull {
	case PullOpen:
		if err := j.open(ctx, d); err != nil {
			return j.branchOnly(err)
		}
	case PullUpdate, PullReopen:
		if err := j.update(ctx); err != nil {
			return err
		}
	}
	if d.Comment != "" {
		if err := j.comment(ctx, d.Comment, d.Number); err != nil {
			return err
		}
	}
	if d.Pull == PullClose {
		if err := j.closePull(ctx, d); err != nil {
			return err
		}
	}
	if d.Branch == BranchDelete {
		return j.deleteBranch(ctx)
	}
	return nil
}

// applyBranch makes the commit, if there is one to make.
func (j *job) applyBranch(ctx context.Context, d Decision) error {
	req := CommitRequest{Parent: j.base, Changes: j.changes, Branch: j.branch, Expect: j.tip}
	switch d.Branch {
	case BranchCreate, BranchRebuild:
	case BranchAppend:
		req.Parent, req.Changes = j.tip, j.append
	default:
		return nil
	}
	for _, c := range req.Changes {
		if reason := j.gate.fatal(c.Path); reason != "" || !c.Delete && isRunState(j.bundle.WikiDir, c.Path) {
			return fmt.Errorf("publish branch %s: %w: %q %s", j.branch, ErrRefused, c.Path, reason) // held a second time, whatever came before
		}
	}
	req.Message = j.secrets.Redact(commitMessage(j.Policy.CommitMessage, j.bundle, trailersOf(j.bundle)))
	committer, err := j.committer(ctx)
	if err != nil {
		return err
	}
	commit, err := committer.Commit(ctx, req)
	if d.Branch == BranchRebuild && err != nil && isRule(err) && !j.pushedOver && len(j.foreign()) == 0 {
		// The rules forbid to rebuild the branch. One more commit on top of ours gives the same files.
		req.Parent, req.Changes = j.tip, j.wanted.onTop(j.branchT, j.tipTree, j.changes, func(string) bool { return false })
		ruled := err
		if commit, err = committer.Commit(ctx, req); err == nil {
			j.note("the rules of the repository do not let the branch be rebuilt, so a commit was added: " + ruled.Error())
		}
	}
	if errors.Is(err, ErrNothing) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("publish branch %s: %w", j.branch, err)
	}
	if j.tip == "" {
		j.noteIgnored(ctx)
	}
	j.pushed, j.pushedOver = true, d.Branch != BranchAppend
	j.tip, j.out.HeadSHA, j.out.Verified = commit.SHA, commit.SHA, commit.Verified
	j.out.CompareURL = j.compareURL()
	return nil
}

// noteIgnored says that git ignores what was published: it is published all the same, but whoever adds a page by hand has to know.
func (j *job) noteIgnored(ctx context.Context) {
	for _, c := range j.changes {
		if ignored, err := j.Repo.Ignored(ctx, c.Path); err == nil && ignored {
			j.note(c.Path + " is ignored by .gitignore; it is published all the same")
			return
		}
		if !c.Delete {
			return
		}
	}
}

// maxAPIChange is the size up to which a commit is made by the API, unless the policy says otherwise.
const maxAPIChange = 24 << 20

// committer chooses how the commit is made: by the API, so that GitHub signs it, or by a push.
func (j *job) committer(ctx context.Context) (committer, error) {
	size := 0
	for _, c := range j.changes {
		size += len(c.Data)
	}
	push := j.Policy.SignCommits == SignFalse || j.Policy.SignCommits == SignAuto && (j.Fork != nil || size > maxAPIChange)
	if !push {
		head := j.headOwner()
		return &apiCommitter{client: j.GitHub, owner: head.Owner, name: head.Name, repo: j.Repo, remote: j.headRemote(), nodeID: j.headNodeID()}, nil
	}
	id, err := j.Publisher.identity(ctx)
	if err != nil {
		return nil, err
	}
	return &pushCommitter{
		repo: j.Repo, remote: j.headRemote(), now: j.Now, pause: j.GitHub.Pause,
		who: gitrepo.Identity{Name: id.Login, Email: id.Email()},
	}, nil
}

// headNodeID names the repository of the branch to GraphQL; "" when it is not known.
func (j *job) headNodeID() string {
	if j.Fork != nil {
		return ""
	}
	return j.nodeID
}

func (j *job) deleteBranch(ctx context.Context) error {
	committer, err := j.committer(ctx)
	if err != nil {
		return err
	}
	if err := committer.DeleteBranch(ctx, j.branch, j.tip); err != nil {
		return fmt.Errorf("remove branch %s: %w", j.branch, err)
	}
	j.out.HeadSHA = ""
	return nil
}

// branchOnly is the outcome when the branch is there and GitHub does not open the pull request. That is an error of the run, with
// everything that a person needs to open it by hand.
func (j *job) branchOnly(err error) error {
	problem := github.Classify(err)
	switch problem.Code {
	case github.CodeNotPermittedPulls, github.CodePermission, github.CodeValidation, github.CodeNotFound:
	default:
		return err
	}
	j.out.Operation = OpBranchOnly
	j.out.Code, j.out.Hint = string(problem.Code), problem.Hint
	j.out.Reason = "the branch is published, the pull request was not opened: " + err.Error()
	j.out.CompareURL = j.compareURL()
	return nil
}

func (j *job) compareURL() string {
	head := j.branch
	if j.Fork != nil {
		head = j.Fork.Repository.Owner + ":" + j.branch
	}
	return j.webURL("compare", j.baseRef+"..."+head)
}
