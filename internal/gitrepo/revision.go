package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNoDefaultBranch means that nothing tells which branch changes go to.
var ErrNoDefaultBranch = errors.New("no default branch is known: neither origin/HEAD nor a branch main or master exists")

// Resolve returns the commit that a person's revision names: a branch, a tag, an object name, HEAD~3. An unknown one is an
// [ErrUnknownCommit].
func (r *Repo) Resolve(ctx context.Context, revision string) (string, error) {
	out, err := r.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	var failed *Error
	if errors.As(err, &failed) {
		return "", fmt.Errorf("resolve revision: %w", &UnknownCommitError{Commit: revision})
	}
	if err != nil {
		return "", fmt.Errorf("resolve revision: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// DefaultBranch returns the commit of the branch that changes go to: origin/HEAD, else main or master, of origin before the local one.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	for _, ref := range []string{"origin/HEAD", "origin/main", "origin/master", "heads/main", "heads/master"} {
		if !strings.HasPrefix(ref, "heads/") {
			ref = "remotes/" + ref
		}
		commit, err := r.Resolve(ctx, "refs/"+ref)
		if !errors.Is(err, ErrUnknownCommit) {
			return commit, err
		}
	}
	return "", ErrNoDefaultBranch
}

// MergeBase returns the best common ancestor of two commits. Without one, as in a shallow clone that ends too early, it is an
// [ErrUnknownCommit].
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	for _, commit := range []string{a, b} {
		if !isCommitName(commit) {
			return "", fmt.Errorf("find merge base: %w", &UnknownCommitError{Commit: commit})
		}
	}
	out, err := r.run(ctx, "merge-base", a, b)
	var failed *Error
	if errors.As(err, &failed) {
		return "", fmt.Errorf("find merge base of %s and %s: %w", a, b, ErrUnknownCommit)
	}
	if err != nil {
		return "", fmt.Errorf("find merge base: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// A Hunk is one run of lines that differ between two states of a file. Lines count from 1; a count of 0 means that the lines come
// after that line.
type Hunk struct{ OldStart, OldCount, NewStart, NewCount int }

// Hunks returns where a file differs between a commit and another, or the work tree when to is empty.
func (r *Repo) Hunks(ctx context.Context, from, to, path string) ([]Hunk, error) {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--no-renames", "--unified=0"}
	for _, commit := range []string{from, to} {
		if commit == "" && from != "" {
			continue
		}
		if !isCommitName(commit) {
			return nil, fmt.Errorf("compare file: %w", &UnknownCommitError{Commit: commit})
		}
		args = append(args, commit)
	}
	out, err := r.run(ctx, append(args, "--", path)...)
	if err != nil {
		return nil, fmt.Errorf("compare file: %w", err)
	}
	var hunks []Hunk
	for line := range strings.Lines(string(out)) {
		if h, ok := parseHunk(line); ok {
			hunks = append(hunks, h)
		}
	}
	return hunks, nil
}

// parseHunk reads "@@ -12,3 +14 @@ …". No other line of a diff begins with @@: those of the file begin with a sign.
func parseHunk(line string) (Hunk, bool) {
	rest, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return Hunk{}, false
	}
	old, rest, ok1 := strings.Cut(rest, " +")
	now, _, ok2 := strings.Cut(rest, " @@")
	var h Hunk
	var ok3, ok4 bool
	h.OldStart, h.OldCount, ok3 = parseRange(old)
	h.NewStart, h.NewCount, ok4 = parseRange(now)
	return h, ok1 && ok2 && ok3 && ok4
}

func parseRange(s string) (start, count int, ok bool) {
	first, second, both := strings.Cut(s, ",")
	if !both {
		second = "1"
	}
	a, errA := strconv.ParseUint(first, 10, 31) // no sign
	b, errB := strconv.ParseUint(second, 10, 31)
	return int(a), int(b), errA == nil && errB == nil
}
