package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownCommit means that a commit is not in the repository: the clone is shallow, the branch was rewritten, or the name never was
// that of a commit. What changed since then is unknown, which is not the same as nothing.
var ErrUnknownCommit = errors.New("commit is not in this repository")

// An UnknownCommitError names the commit that is not in the repository. It is an [ErrUnknownCommit].
type UnknownCommitError struct{ Commit string }

// Error implements error.
func (e *UnknownCommitError) Error() string {
	return fmt.Sprintf("commit %.60q is not in this repository", e.Commit)
}

// Is makes every UnknownCommitError an ErrUnknownCommit.
func (e *UnknownCommitError) Is(target error) bool { return target == ErrUnknownCommit }

// A Change is one path that differs between two trees.
type Change struct {
	Path    string
	Status  string // one letter of git: A added, D deleted, M modified, T type changed, U unmerged
	Gitlink bool   // the path is a submodule on one of the sides
	WasLink bool   // it was a symbolic link
	IsLink  bool   // it is one now
}

// Changed returns the paths that differ between the commits from and to, in the order of git. An empty to means the work tree, with
// what is staged and without untracked files. Commits are full object names, or HEAD.
func (r *Repo) Changed(ctx context.Context, from, to string) ([]string, error) {
	changes, err := r.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(changes))
	for i, change := range changes {
		paths[i] = change.Path
	}
	return paths, nil
}

// Changes is [Repo.Changed] with what is known of each path.
func (r *Repo) Changes(ctx context.Context, from, to string) ([]Change, error) {
	out, err := r.diff(ctx, from, to, "--raw", "--no-abbrev", "--no-renames")
	if err != nil {
		return nil, err
	}
	fields, err := records(out)
	if err != nil {
		return nil, fmt.Errorf("compare commits: %w", err)
	}
	var changes []Change
	for i := 0; i < len(fields); i += 2 {
		info := strings.Split(fields[i], " ")
		if len(info) != 5 || info[4] == "" || i+1 == len(fields) {
			return nil, fmt.Errorf("compare commits: malformed entry %q", fields[i])
		}
		changes = append(changes, Change{
			Path:    fields[i+1],
			Status:  info[4][:1],
			Gitlink: info[0] == ":"+ModeGitlink || info[1] == ModeGitlink,
			WasLink: info[0] == ":"+ModeSymlink,
			IsLink:  info[1] == ModeSymlink,
		})
	}
	return changes, nil
}

// Renames returns the files that were moved or renamed, old path to new path, between the commit from and the commit to, or the
// work tree when to is empty. Git finds them by similar content; a map entry is a hint and no proof.
func (r *Repo) Renames(ctx context.Context, from, to string) (map[string]string, error) {
	out, err := r.diff(ctx, from, to, "--name-status", "--find-renames", "--diff-filter=R", "-l5000")
	if err != nil {
		return nil, err
	}
	fields, err := records(out)
	if err == nil && len(fields)%3 != 0 {
		err = errors.New("malformed answer of git diff")
	}
	if err != nil {
		return nil, fmt.Errorf("find renames: %w", err)
	}
	renames := make(map[string]string, len(fields)/3)
	for i := 0; i < len(fields); i += 3 {
		renames[fields[i+1]] = fields[i+2]
	}
	return renames, nil
}

// diff compares two commits, or a commit and the work tree, and tells an unknown commit from other failures.
func (r *Repo) diff(ctx context.Context, from, to string, options ...string) ([]byte, error) {
	args := append([]string{"diff", "-z", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"}, options...)
	for _, commit := range []string{from, to} {
		if commit == "" && from != "" {
			continue
		}
		if !isCommitName(commit) {
			return nil, fmt.Errorf("compare commits: %w", &UnknownCommitError{Commit: commit})
		}
		args = append(args, commit)
	}
	out, err := r.run(ctx, append(args, "--")...)
	if err == nil {
		return out, nil
	}
	// Only after a failure is it worth a process to find out why.
	for _, commit := range []string{from, to} {
		if commit == "" {
			continue
		}
		if ok, hasErr := r.hasCommit(ctx, commit); hasErr == nil && !ok {
			return nil, fmt.Errorf("compare commits: %w", &UnknownCommitError{Commit: commit})
		}
	}
	return nil, fmt.Errorf("compare commits: %w", err)
}

// hasCommit tells whether the commit is in the repository.
func (r *Repo) hasCommit(ctx context.Context, commit string) (bool, error) {
	if !isCommitName(commit) {
		return false, nil
	}
	if _, known := r.have.Load(commit); known {
		return true, nil
	}
	_, err := r.run(ctx, "cat-file", "-e", commit+"^{commit}")
	var failed *Error
	switch {
	case err == nil:
		if commit != "HEAD" {
			r.have.Store(commit, true)
		}
		return true, nil
	case errors.As(err, &failed):
		return false, nil
	}
	return false, fmt.Errorf("look for commit: %w", err)
}

// isCommitName accepts HEAD and full object names. Commits are read from files anyone can edit, so nothing that git could take for an
// option or an expression gets through.
func isCommitName(s string) bool {
	if s == "HEAD" {
		return true
	}
	if len(s) != 40 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// FetchCommit gets exactly one commit, with its files and without its history, from the remote origin. No branch, tag or FETCH_HEAD
// changes. It is how the baseline of an earlier run is found in a shallow clone.
func (r *Repo) FetchCommit(ctx context.Context, commit string) error {
	if !isCommitName(commit) || commit == "HEAD" {
		return fmt.Errorf("fetch commit: %w", &UnknownCommitError{Commit: commit})
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"}
	if r.Shallow {
		args = append(args, "--depth=1")
	}
	if _, err := r.run(ctx, append(args, "origin", commit)...); err != nil {
		return fmt.Errorf("fetch commit %s from origin: %w", commit, err)
	}
	return nil
}
