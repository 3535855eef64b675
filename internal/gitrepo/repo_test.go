package gitrepo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func open(t *testing.T, dir string) *gitrepo.Repo {
	t.Helper()
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

const small = `
-- a.txt --
a
-- d/b.txt --
b
`

func TestOpen(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.Path("d"), link); err != nil && runtime.GOOS == "windows" {
		link = r.Dir // only some users may make links there
	} else if err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"top": r.Dir, "below": r.Path("d"), "through a link": link} {
		t.Run(name, func(t *testing.T) {
			got := open(t, dir)
			if got.Root != r.Dir || got.GitDir != r.Path(".git") || got.CommonDir != r.Path(".git") || got.Shallow {
				t.Errorf("got %+v, want root %s", got, r.Dir)
			}
		})
	}
}

func TestOpen_worktree(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	tree := filepath.Join(filepath.Dir(r.Dir), t.Name()+"-tree")
	r.Git("worktree", "add", "--quiet", "-b", "other", tree)
	t.Cleanup(func() { os.RemoveAll(tree) })

	repo := open(t, filepath.Join(tree, "d"))
	if repo.Root != tree || repo.CommonDir != r.Path(".git") || filepath.Dir(filepath.Dir(repo.GitDir)) != r.Path(".git") {
		t.Errorf("got %+v, want root %s and the common directory %s", repo, tree, r.Path(".git"))
	}
	if err := os.WriteFile(filepath.Join(tree, "a.txt"), []byte("changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, err := repo.Status(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if status.Head.Ref != "refs/heads/other" || len(status.Entries) != 1 || status.Entries[0].Path != "a.txt" {
		t.Errorf("status %+v, want a.txt changed on refs/heads/other", status)
	}
}

func TestOpen_submodule(t *testing.T) {
	t.Parallel()
	inner := gittest.FromTxtar(t, small)
	outer := gittest.FromTxtar(t, small)
	outer.Git("submodule", "--quiet", "add", inner.Dir, "sub")
	repo := open(t, outer.Path("sub"))
	if repo.Root != outer.Path("sub") || repo.GitDir != outer.Path(".git/modules/sub") {
		t.Errorf("got %+v, want the submodule's own repository", repo)
	}
}

func TestOpen_shallow(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	r.Write("c", "c")
	r.Commit("second")
	if !open(t, r.ShallowClone(1).Dir).Shallow {
		t.Error("a shallow clone is not recognised")
	}
}

func TestOpen_error(t *testing.T) {
	t.Parallel()
	bare := gittest.New(t)
	bare.Git("init", "--quiet", "--bare", "bare")
	sha256 := gittest.New(t)
	sha256.Git("init", "--quiet", "--object-format=sha256", "x")
	r := gittest.FromTxtar(t, small)
	for _, test := range []struct {
		name, dir string
		want      error
	}{
		{"no repository", t.TempDir(), gitrepo.ErrNotRepository},
		{"inside the git directory", r.Path(".git"), gitrepo.ErrNotRepository},
		{"bare", bare.Path("bare"), gitrepo.ErrBare},
		{"SHA-256", sha256.Path("x"), gitrepo.ErrObjectFormat},
		{"no directory", r.Path("nowhere"), gitrepo.ErrNotDirectory},
		{"file", r.Path("a.txt"), gitrepo.ErrNotDirectory},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := gitrepo.Open(t.Context(), test.dir)
			var refusal *gitrepo.Refusal
			if !errors.Is(err, test.want) || !errors.As(err, &refusal) || refusal.Hint() == "" {
				t.Errorf("got %v, want %v with a hint", err, test.want)
			}
			if want := "open repository " + test.dir + ": " + test.want.Error(); err != nil && err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
		})
	}
}

func TestOpen_lineBreak(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no line breaks in names")
	}
	dir := filepath.Join(t.TempDir(), "a\nb")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	gittest.New(t).Git("init", "--quiet", dir)
	if _, err := gitrepo.Open(t.Context(), dir); !errors.Is(err, gitrepo.ErrLineBreak) {
		t.Errorf("got %v, want %v", err, gitrepo.ErrLineBreak)
	}
}

func TestOpen_noGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	if _, err := gitrepo.Open(t.Context(), dir); !errors.Is(err, gitrepo.ErrNoGit) {
		t.Errorf("got %v, want %v", err, gitrepo.ErrNoGit)
	}
}

// What the caller has in its environment for another repository must not change the answers.
func TestRepo_environment(t *testing.T) {
	r := gittest.FromTxtar(t, small)
	other := gittest.FromTxtar(t, "-- other --\n")
	for name, value := range map[string]string{
		"GIT_DIR": other.Path(".git"), "GIT_WORK_TREE": other.Dir, "GIT_INDEX_FILE": other.Path(".git/index"), "GIT_PREFIX": "d/",
		"GIT_OBJECT_DIRECTORY": other.Path(".git/objects"), "GIT_CEILING_DIRECTORIES": r.Dir, "GIT_NAMESPACE": "x", "GIT_TRACE": "1",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.worktree", "GIT_CONFIG_VALUE_0": other.Dir,
		"GIT_EXTERNAL_DIFF": "false", "GIT_GLOB_PATHSPECS": "1", "LANG": "de_DE.UTF-8",
	} {
		t.Setenv(name, value)
	}
	repo := open(t, r.Path("d"))
	if repo.Root != r.Dir {
		t.Errorf("root %s, want %s", repo.Root, r.Dir)
	}
	files, err := repo.Tracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files[0].Path != "a.txt" || files[1].Path != "d/b.txt" {
		t.Errorf("tracked files %v, want a.txt and d/b.txt", files)
	}
}

// Nothing below a home directory is needed, nor is there always one.
func TestRepo_noHome(t *testing.T) {
	r := gittest.FromTxtar(t, small)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "USERPROFILE"} {
		t.Setenv(name, "") // restores it
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	wantEntries(t, open(t, r.Dir), true)
}

// Reading a repository runs nothing that its configuration names.
func TestRepo_runsNoHooks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell script")
	}
	r := gittest.FromTxtar(t, small)
	base := r.Head()
	mark := filepath.Join(t.TempDir(), "mark")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch '"+mark+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("config", "core.fsmonitor", script)
	r.Git("config", "diff.external", script)
	r.Git("config", "diff.x.textconv", script)
	r.Git("config", "core.pager", script)
	r.Git("config", "core.hooksPath", filepath.Dir(script))
	r.Write(".git/info/attributes", "* diff=x\n")
	r.Write("a.txt", "changed\n")
	if err := os.RemoveAll(mark); err != nil {
		t.Fatal(err)
	}
	repo := open(t, r.Dir)
	_, statusErr := repo.Status(t.Context(), true)
	_, changedErr := repo.Changed(t.Context(), base, "")
	_, renamesErr := repo.Renames(t.Context(), base, "")
	_, historyErr := repo.History(t.Context(), 5, "openwiki")
	if err := errors.Join(statusErr, changedErr, renamesErr, historyErr); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program named in the configuration ran")
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	repo := open(t, r.Dir)
	head := func() gitrepo.Head {
		t.Helper()
		head, err := repo.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return head
	}
	if got, want := head(), (gitrepo.Head{Ref: "refs/heads/main"}); got != want || !got.Unborn() {
		t.Errorf("before the first commit: %+v, want %+v", got, want)
	}
	r.Write("a", "a")
	commit := r.Commit("first")
	if got, want := head(), (gitrepo.Head{Commit: commit, Ref: "refs/heads/main"}); got != want || got.Unborn() {
		t.Errorf("on a branch: %+v, want %+v", got, want)
	}
	r.Git("checkout", "--quiet", "-b", "feature/ünï")
	if got, want := head(), (gitrepo.Head{Commit: commit, Ref: "refs/heads/feature/ünï"}); got != want {
		t.Errorf("on a branch: %+v, want %+v", got, want)
	}
	r.Git("checkout", "--quiet", "--detach")
	if got, want := head(), (gitrepo.Head{Commit: commit}); got != want {
		t.Errorf("detached: %+v, want %+v", got, want)
	}
}

func TestRepo_cancelled(t *testing.T) {
	t.Parallel()
	repo := open(t, gittest.FromTxtar(t, small).Dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.Status(ctx, false); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// A repository that breaks gives errors, never empty answers, and says what git said.
func TestRepo_broken(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	repo := open(t, r.Dir)
	r.Write(".git/index", "no index")
	_, statusErr := repo.Status(t.Context(), false)
	_, trackedErr := repo.Tracked(t.Context())
	_, untrackedErr := repo.Untracked(t.Context())
	for name, err := range map[string]error{"Status": statusErr, "Tracked": trackedErr, "Untracked": untrackedErr} {
		var failed *gitrepo.Error
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), "index") {
			t.Errorf("%s: got %v, want an error of git about the index", name, err)
		}
	}
}
