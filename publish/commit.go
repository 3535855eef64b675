package publish

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// A Change is one path of a commit: a file of mode 100644, or none. Deleting what is not there changes nothing.
type Change struct {
	Path   string
	Data   []byte
	Delete bool
}

// A CommitRequest describes one commit and the branch that shall point to it.
type CommitRequest struct {
	Parent  string // full object name of the only parent; its tree with Changes applied is the new tree
	Changes []Change
	Message string

	Branch string // without refs/heads/
	Expect string // object name the branch has now; "" when it must not exist. Anything else is a *LeaseError and nothing moved.
}

// A Commit is what was pushed.
type Commit struct {
	SHA      string
	Tree     string
	Verified bool // GitHub signed it; false also where nobody was asked
}

// A committer makes commits and moves the branch. There are two: the Git Data API and a push. Both refuse to move a branch to its own
// parent, leave index and work tree alone, and give the same tree for the same request.
type committer interface {
	// Commit creates the commit and moves or creates the branch. It may be retried with the same request: a call whose answer was lost
	// is recognised by the tree and parent the branch then has.
	Commit(ctx context.Context, req CommitRequest) (Commit, error)
	// DeleteBranch removes the branch if it is still at expect; absent is fine.
	DeleteBranch(ctx context.Context, branch, expect string) error
}

// ErrNothing is a commit request whose tree is that of its parent: the branch would equal its base.
var ErrNothing = errors.New("the commit would not change its parent")

// A LeaseError says that the branch is not where it was expected. Nothing was changed; observe again and decide anew.
type LeaseError struct {
	Branch, Expected string
	Found            string // "" when unknown or absent
}

// Error implements error.
func (e *LeaseError) Error() string {
	return "branch " + e.Branch + " moved: expected " + short(e.Expected) + ", found " + short(e.Found)
}

// Unwrap makes it a [gitrepo.StaleError] too, which is what the problem is to those who do not know this package.
func (e *LeaseError) Unwrap() error {
	return &gitrepo.StaleError{Ref: "refs/heads/" + e.Branch, Expect: e.Expected, Found: e.Found}
}

func short(sha string) string {
	if sha == "" {
		return "none"
	}
	return sha[:min(len(sha), 10)]
}

// newTree makes the tree of a request in memory. The parent is fetched by its name if the checkout has not got it.
func newTree(ctx context.Context, repo *gitrepo.Repo, remote gitrepo.Remote, req CommitRequest) (*gitrepo.NewTree, error) {
	if err := repo.FetchObjects(ctx, remote, req.Parent); err != nil {
		return nil, err
	}
	edits := make([]gitrepo.Edit, len(req.Changes))
	for i, change := range req.Changes {
		edits[i] = gitrepo.Edit{Path: change.Path, Data: change.Data, Delete: change.Delete}
	}
	tree, err := repo.NewTree(ctx, req.Parent, edits)
	if err != nil {
		return nil, err
	}
	if tree.OID == tree.ParentTree {
		return nil, ErrNothing
	}
	return tree, nil
}

// tip returns where a branch of the remote is, "" for nowhere.
func tip(ctx context.Context, repo *gitrepo.Repo, remote gitrepo.Remote, branch string) (string, error) {
	refs, err := repo.LsRemote(ctx, remote, "refs/heads/"+branch)
	if err != nil || len(refs) == 0 {
		return "", err
	}
	return refs[0].OID, nil
}

// deleteBranch serves both committers: the push protocol is the one way to delete a branch only if it is at a given commit.
func deleteBranch(ctx context.Context, repo *gitrepo.Repo, remote gitrepo.Remote, branch, expect string) error {
	err := repo.DeleteBranch(ctx, remote, branch, expect)
	var stale *gitrepo.StaleError
	if errors.As(err, &stale) {
		return &LeaseError{Branch: branch, Expected: stale.Expect, Found: stale.Found}
	}
	if err != nil {
		return fmt.Errorf("delete branch: %w", err)
	}
	return nil
}

// moveAttempts is how often a branch is tried to be moved, or an object to be used, that GitHub does not know for the moment.
const moveAttempts = 8

// shortPause is one to two seconds: what GitHub's copies of a repository take to agree.
func shortPause() time.Duration { return time.Second + rand.N(time.Second) }
