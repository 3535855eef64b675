package publish

import (
	"context"
	"errors"
)

// A Change is one path of a commit.
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
	Verified bool // GitHub signed it
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

func short(sha string) string {
	if sha == "" {
		return "none"
	}
	return sha[:min(len(sha), 10)]
}
