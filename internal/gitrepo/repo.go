// Package gitrepo asks a Git repository the questions Wikiwright has: where it is, what HEAD is, which files are tracked, what differs
// from a commit and from the index, and what the recent history touched. It is the only package that runs git.
//
// A [Repo] is a work tree found by [Open]. Its methods start a git process in its top directory, read NUL-terminated output and
// fail when git fails: a question that could not be answered never looks like an empty answer. A commit that is not in the
// repository, as in a shallow clone or after a force push, is [ErrUnknownCommit].
//
// The processes see a fixed environment. Nothing the caller has in GIT_DIR, GIT_INDEX_FILE and the like reaches them, they ask no
// questions on the terminal, take no optional locks, and accept a work tree that belongs to another user. Paths come back as git
// stores them, slash-separated and relative to the top, as raw bytes: a name need not be valid UTF-8.
//
// Linked worktrees, submodules, sparse checkouts, detached and unborn heads work. Bare repositories and repositories with SHA-256 object
// names are refused, see [Refusal].
//
// A [Remote] is asked by [Repo.LsRemote] and [Repo.FetchObjects]. [Repo.NewTree] makes the tree of a new commit in memory, [Repo.Push]
// sends it with an exact lease. Fetching and pushing add objects to the repository; no branch, tag, index or file of it ever changes.
// Credentials reach git by its environment only: they are in no argument, URL, file or error.
package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Repo is the work tree of a Git repository. Its fields are absolute paths and do not change. It may be used by several goroutines.
type Repo struct {
	Root      string // top directory of the work tree
	GitDir    string // the git directory of this work tree
	CommonDir string // the git directory shared by all work trees; equal to GitDir without linked work trees
	Shallow   bool   // the history ends early, as in a clone of limited depth

	git  string   // path of the git program
	have sync.Map // full names of commits that were found; git removes none that was used in the last two weeks
}

// Open finds the work tree that dir lies in.
func Open(ctx context.Context, dir string) (*Repo, error) {
	git, err := lookGit()
	if err != nil {
		return nil, err
	}
	// git answers with paths relative to where links lead, so the links are followed first.
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open repository %s: %w", dir, ErrNotDirectory)
	}
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("open repository %s: %w", dir, ErrNotDirectory)
	}
	// The questions that cannot fail come first: their answers are printed even if a later one ends the program.
	out, runErr := run(ctx, git, abs, "rev-parse", "--is-bare-repository", "--show-object-format", "--is-shallow-repository",
		"--absolute-git-dir", "--git-common-dir", "--show-toplevel")
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err := refuse(answers, runErr); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	return &Repo{
		Root:      filepath.FromSlash(answers[5]),
		GitDir:    filepath.FromSlash(answers[3]),
		CommonDir: absFrom(abs, filepath.FromSlash(answers[4])),
		Shallow:   answers[2] == "true",
		git:       git,
	}, nil
}

// refuse turns the answers of rev-parse into the reason why the repository cannot be used, or nil.
func refuse(answers []string, runErr error) error {
	var failed *Error
	if runErr != nil && !errors.As(runErr, &failed) {
		return runErr
	}
	switch {
	case len(answers) >= 1 && answers[0] == "true":
		return ErrBare
	case len(answers) >= 2 && answers[1] != "sha1":
		return ErrObjectFormat
	case runErr == nil && len(answers) == 6:
		return nil
	case runErr == nil:
		return ErrLineBreak
	case strings.Contains(failed.Stderr, "not a git repository"), strings.Contains(failed.Stderr, "must be run in a work tree"):
		return ErrNotRepository
	case strings.Contains(failed.Stderr, "objectformat"), strings.Contains(failed.Stderr, "object-format"):
		return ErrObjectFormat
	}
	return runErr
}

func absFrom(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// A Head is what HEAD points to.
type Head struct {
	Commit string // full object name; empty before the first commit
	Ref    string // full name such as refs/heads/main; empty when HEAD is detached
}

// Unborn tells whether the branch has no commit yet.
func (h Head) Unborn() bool { return h.Commit == "" }

// Head returns what HEAD points to.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	// Status without a path is the one command that answers both questions, also before the first commit. The pathspec
	// matches nothing, so no file is looked at.
	out, err := r.run(ctx, "status", "--porcelain=v2", "--branch", "-z", "--no-ahead-behind", "--untracked-files=no",
		"--ignore-submodules=all", "--", ".git")
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	status, err := parseStatus(out)
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	return status.Head, nil
}
