package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// The modes of tracked files.
const (
	ModeRegular    = "100644"
	ModeExecutable = "100755"
	ModeSymlink    = "120000"
	ModeGitlink    = "160000" // a submodule
)

// A TrackedFile is one entry of the index.
type TrackedFile struct {
	Path  string
	Mode  string // one of the Mode constants
	OID   string // object name of the content in the index
	Stage int    // 0, or 1 to 3 for the versions of a file in conflict
	// SkipWorktree is set for a file that a sparse checkout leaves out of the work tree.
	SkipWorktree bool
}

// Tracked returns the entries of the index in the order of git: by the bytes of the path, then by stage.
func (r *Repo) Tracked(ctx context.Context) ([]TrackedFile, error) {
	out, err := r.run(ctx, "ls-files", "-t", "-s", "-z")
	if err != nil {
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	lines, err := records(out)
	if err != nil {
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	files := make([]TrackedFile, 0, len(lines))
	for _, line := range lines {
		file, err := parseTracked(line)
		if err != nil {
			return nil, fmt.Errorf("list tracked files: %w", err)
		}
		files = append(files, file)
	}
	return files, nil
}

// parseTracked reads "<tag> <mode> <object> <stage>\t<path>".
func parseTracked(line string) (TrackedFile, error) {
	info, path, ok := strings.Cut(line, "\t")
	fields := strings.Split(info, " ")
	if !ok || path == "" || len(fields) != 4 || len(fields[3]) != 1 || fields[3][0] < '0' || fields[3][0] > '3' {
		return TrackedFile{}, fmt.Errorf("malformed index entry %q", line)
	}
	return TrackedFile{
		Path:         path,
		Mode:         fields[1],
		OID:          fields[2],
		Stage:        int(fields[3][0] - '0'),
		SkipWorktree: fields[0] == "S",
	}, nil
}

// Untracked returns the files that are neither tracked nor ignored by git, in the order of git, only those at or below the given
// literal paths if there are any. A nested repository appears as a directory with a slash at its end.
func (r *Repo) Untracked(ctx context.Context, pathspec ...string) ([]string, error) {
	args := append([]string{"ls-files", "--others", "--exclude-standard", "-z", "--"}, pathspec...)
	out, err := r.run(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	paths, err := records(out)
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	return paths, nil
}

// Unsaved returns the files whose content git has nowhere, in its order: those it does not track, the ignored ones too, and those
// that differ from what is staged, a removed one included. Only files at or below the given literal paths are looked at.
func (r *Repo) Unsaved(ctx context.Context, pathspec ...string) ([]string, error) {
	args := append([]string{"ls-files", "--others", "--modified", "-z", "--"}, pathspec...)
	out, err := r.run(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("list unsaved files: %w", err)
	}
	paths, err := records(out)
	if err != nil {
		return nil, fmt.Errorf("list unsaved files: %w", err)
	}
	return paths, nil
}

// Blob returns the content of a file in a commit, as git stores it. A file that the commit has not is an [fs.ErrNotExist].
func (r *Repo) Blob(ctx context.Context, commit, path string) ([]byte, error) {
	if !isCommitName(commit) {
		return nil, fmt.Errorf("read file of commit: %w", &UnknownCommitError{Commit: commit})
	}
	out, err := r.run(ctx, "cat-file", "blob", commit+":"+path)
	if err == nil {
		return out, nil
	}
	// Git says of a missing commit, too, that the path is not in it.
	var failed *Error
	ok, hasErr := r.hasCommit(ctx, commit)
	switch {
	case hasErr != nil || !errors.As(err, &failed):
	case !ok:
		err = &UnknownCommitError{Commit: commit}
	case strings.Contains(failed.Stderr, "does not exist in"), strings.Contains(failed.Stderr, "exists on disk, but not in"):
		return nil, &fs.PathError{Op: "read file of commit", Path: path, Err: fs.ErrNotExist}
	}
	return nil, fmt.Errorf("read file of commit: %w", err)
}
