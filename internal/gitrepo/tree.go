package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A TreeEntry is one file of a commit.
type TreeEntry struct {
	Path string
	Mode string // one of the Mode constants
	OID  string
}

// FileNames returns the paths of all files of a commit. It reads no blob, so that a clone without blobs fetches none.
func (r *Repo) FileNames(ctx context.Context, commit string) (map[string]bool, error) {
	if !isCommitName(commit) {
		return nil, fmt.Errorf("list names of commit: %w", &UnknownCommitError{Commit: commit})
	}
	out, err := r.run(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	if err != nil {
		if ok, hasErr := r.hasCommit(ctx, commit); hasErr == nil && !ok {
			err = &UnknownCommitError{Commit: commit}
		}
		return nil, fmt.Errorf("list names of commit: %w", err)
	}
	names, err := records(out)
	if err != nil {
		return nil, fmt.Errorf("list names of commit: %w", err)
	}
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set, nil
}

// TreeOf returns the files of a commit at or below paths, in the order of git; without a path all of them. A path that the commit has not
// adds nothing; if it is a file there, the one entry has its path. The files of submodules are not part of it. It reads no blob, so that a clone
// without blobs fetches none.
func (r *Repo) TreeOf(ctx context.Context, commit string, paths ...string) ([]TreeEntry, error) {
	if !isCommitName(commit) {
		return nil, fmt.Errorf("list files of commit: %w", &UnknownCommitError{Commit: commit})
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if len(paths) > 0 {
		args = append(append(args, "--"), paths...)
	}
	out, err := r.run(ctx, args...)
	if err != nil {
		if ok, hasErr := r.hasCommit(ctx, commit); hasErr == nil && !ok {
			err = &UnknownCommitError{Commit: commit}
		}
		return nil, fmt.Errorf("list files of commit: %w", err)
	}
	lines, err := records(out)
	if err != nil {
		return nil, fmt.Errorf("list files of commit: %w", err)
	}
	entries := make([]TreeEntry, 0, len(lines))
	for _, line := range lines {
		entry, err := parseTreeEntry(line)
		if err != nil {
			return nil, fmt.Errorf("list files of commit: %w", err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// parseTreeEntry reads "<mode> <type> <object>\t<path>".
func parseTreeEntry(line string) (TreeEntry, error) {
	info, path, ok := strings.Cut(line, "\t")
	fields := strings.Fields(info)
	if !ok || path == "" || len(fields) != 3 || len(fields[0]) != 6 || !isObjectName(fields[2]) {
		return TreeEntry{}, fmt.Errorf("malformed tree entry %.200q", line)
	}
	return TreeEntry{Path: path, Mode: fields[0], OID: fields[2]}, nil
}

// CommitInfo is what a commit is made of.
type CommitInfo struct {
	Tree    string
	Parents []string
}

// CommitInfo reads a commit of the repository as it was made: parents that a shallow clone leaves out are told too.
func (r *Repo) CommitInfo(ctx context.Context, commit string) (CommitInfo, error) {
	reader, err := r.openBatch(ctx)
	if err != nil {
		return CommitInfo{}, fmt.Errorf("read commit: %w", err)
	}
	defer reader.close()
	if !isObjectName(commit) {
		return CommitInfo{}, fmt.Errorf("read commit: %w", &UnknownCommitError{Commit: commit})
	}
	object, err := reader.object(commit)
	switch {
	case errors.Is(err, ErrMissingObject):
		return CommitInfo{}, fmt.Errorf("read commit: %w", &UnknownCommitError{Commit: commit})
	case err != nil:
		return CommitInfo{}, fmt.Errorf("read commit: %w", err)
	case object.kind != "commit":
		return CommitInfo{}, fmt.Errorf("read commit: %s is a %s", commit, object.kind)
	}
	info, err := parseCommit(string(object.data))
	if err != nil {
		return CommitInfo{}, fmt.Errorf("read commit %s: %w", commit, err)
	}
	return info, nil
}

// parseCommit reads the headers of a commit object.
func parseCommit(text string) (CommitInfo, error) {
	var info CommitInfo
	headers, _, _ := strings.Cut(text, "\n\n")
	for i, line := range strings.Split(headers, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case i == 0 && key == "tree" && isObjectName(value):
			info.Tree = value
		case i > 0 && key == "parent" && isObjectName(value):
			info.Parents = append(info.Parents, value)
		case i > 0 && key == "author" && info.Tree != "":
			return info, nil
		default:
			return CommitInfo{}, errors.New("malformed commit")
		}
	}
	return CommitInfo{}, errors.New("malformed commit")
}
