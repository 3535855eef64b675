package gitrepo

import (
	"context"
	"fmt"
	"strings"
)

// A StatusEntry is one path that differs between HEAD, the index and the work tree, or is untracked.
type StatusEntry struct {
	Code      string // two characters as `git status --short` prints them: " M", "A ", "??", "UU"
	Path      string
	Submodule bool
}

// Status is the state of a work tree.
type Status struct {
	Head    Head
	Entries []StatusEntry // in the order of git
}

// Status returns HEAD and the paths that are not clean, with untracked files if asked for, without ignored ones. Renames appear as one
// deleted and one added path. A file left out by a sparse checkout is clean. A file whose stored form is what HEAD has is clean too,
// whatever line endings or filters make of it in the work tree.
func (r *Repo) Status(ctx context.Context, untracked bool) (Status, error) {
	files := "--untracked-files=no"
	if untracked {
		files = "--untracked-files=all"
	}
	out, err := r.run(ctx, "status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--no-ahead-behind", files)
	if err != nil {
		return Status{}, fmt.Errorf("read status: %w", err)
	}
	status, err := parseStatus(out)
	if err != nil {
		return Status{}, fmt.Errorf("read status: %w", err)
	}
	return status, nil
}

// parseStatus reads porcelain format version 2.
func parseStatus(out []byte) (Status, error) {
	lines, err := records(out)
	if err != nil {
		return Status{}, err
	}
	var status Status
	var sawCommit, sawBranch bool
	for _, line := range lines {
		if commit, ok := strings.CutPrefix(line, "# branch.oid "); ok {
			sawCommit = true
			if commit != "(initial)" {
				status.Head.Commit = commit
			}
			continue
		}
		if branch, ok := strings.CutPrefix(line, "# branch.head "); ok {
			sawBranch = true
			if branch != "(detached)" {
				status.Head.Ref = "refs/heads/" + branch
			}
			continue
		}
		if strings.HasPrefix(line, "# ") {
			continue
		}
		entry, err := parseEntry(line)
		if err != nil {
			return Status{}, err
		}
		status.Entries = append(status.Entries, entry)
	}
	if !sawCommit || !sawBranch {
		return Status{}, ErrOldGit
	}
	return status, nil
}

// parseEntry reads one changed, unmerged or untracked entry. Fields are separated by single blanks and the path is the rest.
func parseEntry(line string) (StatusEntry, error) {
	fieldsBeforePath := 0
	switch {
	case strings.HasPrefix(line, "? "):
		return StatusEntry{Code: "??", Path: line[2:]}, nil
	case strings.HasPrefix(line, "1 "):
		fieldsBeforePath = 8
	case strings.HasPrefix(line, "u "):
		fieldsBeforePath = 10
	default:
		return StatusEntry{}, fmt.Errorf("unknown status entry %q", line)
	}
	fields := strings.SplitN(line, " ", fieldsBeforePath+1)
	if len(fields) != fieldsBeforePath+1 || len(fields[1]) != 2 || fields[2] == "" {
		return StatusEntry{}, fmt.Errorf("malformed status entry %q", line)
	}
	return StatusEntry{
		Code:      strings.ReplaceAll(fields[1], ".", " "),
		Path:      fields[fieldsBeforePath],
		Submodule: fields[2][0] == 'S',
	}, nil
}
