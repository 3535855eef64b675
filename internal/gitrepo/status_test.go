package gitrepo_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// entries returns a status as lines of code and path.
func entries(t *testing.T, repo *gitrepo.Repo, untracked bool) []string {
	t.Helper()
	status, err := repo.Status(t.Context(), untracked)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, entry := range status.Entries {
		line := entry.Code + " " + entry.Path
		if entry.Submodule {
			line += " (submodule)"
		}
		lines = append(lines, line)
	}
	return lines
}

func wantEntries(t *testing.T, repo *gitrepo.Repo, untracked bool, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, entries(t, repo, untracked)); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, `
-- .gitignore --
*.o
-- changed --
1
-- deleted --
2
-- link --
3
-- mode --
4
-- old name --
a long text that stays the same
-- staged --
5
-- twice --
6
`)
	repo := open(t, r.Dir)
	wantEntries(t, repo, true)

	r.Write("changed", "x\n")
	r.Remove("deleted")
	r.Remove("link")
	r.Symlink("changed", "link")
	r.Chmod("mode", 0o755)
	r.Git("mv", "old name", "new name")
	r.Write("staged", "x\n")
	r.Git("add", "staged")
	r.Write("twice", "x\n")
	r.Git("add", "twice")
	r.Write("twice", "y\n")
	r.Write("added", "x\n")
	r.Git("add", "added")
	r.Write("intended", "x\n")
	r.Git("add", "--intent-to-add", "intended")
	r.Write("dir/untracked", "x\n")
	r.Write("x.o", "x\n")
	tracked := []string{
		"A  added", " M changed", " D deleted", " A intended", " T link", " M mode", "A  new name", "D  old name", "M  staged", "MM twice",
	}
	wantEntries(t, repo, false, tracked...)
	wantEntries(t, repo, true, append(tracked, "?? dir/untracked")...)
}

func TestStatus_conflict(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	r.Git("checkout", "--quiet", "-b", "other")
	r.Write("a.txt", "theirs\n")
	r.Commit("theirs")
	r.Git("checkout", "--quiet", "main")
	r.Write("a.txt", "ours\n")
	r.Commit("ours")
	if _, err := r.TryGit("", "merge", "other"); err == nil {
		t.Fatal("the merge does not conflict")
	}
	repo := open(t, r.Dir)
	wantEntries(t, repo, false, "UU a.txt")
	files, err := repo.Tracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var stages []int
	for _, file := range files {
		if file.Path == "a.txt" {
			stages = append(stages, file.Stage)
		}
	}
	if diff := cmp.Diff([]int{1, 2, 3}, stages); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
}

// oddNames are legal names that break readers of lines, quotes and options.
var oddNames = []string{
	"-n", "--help", ":(top)x", "a\tb", "a b", " lead", "trail ", "q\"uote", `back\slash`, "new\nline", "*", "[a]", "ünï", "日本/語", "😀", "\xff\xfelatin", "R old -> new",
}

func TestStatus_oddNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("names that other systems refuse")
	}
	r := gittest.New(t)
	for _, name := range oddNames {
		r.Write(name, "1\n")
	}
	repo := open(t, r.Dir)
	untracked, err := repo.Untracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantNames(t, "untracked", untracked)
	base := r.Commit("odd names")
	files, err := repo.Tracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var tracked []string
	for _, file := range files {
		tracked = append(tracked, file.Path)
	}
	wantNames(t, "tracked", tracked)

	for _, name := range oddNames {
		r.Write(name, "2\n")
	}
	var changed []string
	for _, line := range entries(t, repo, true) {
		changed = append(changed, strings.TrimPrefix(line, " M "))
	}
	wantNames(t, "status", changed)
	changed, err = repo.Changed(t.Context(), base, "")
	if err != nil {
		t.Fatal(err)
	}
	wantNames(t, "changed in the work tree", changed)
	r.Commit("changed")
	changed, err = repo.Changed(t.Context(), base, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	wantNames(t, "changed by the commit", changed)
	history, err := repo.History(t.Context(), 1, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	wantNames(t, "history", history[0].Paths)

	only, err := repo.Untracked(t.Context(), "*")
	if err != nil || len(only) != 0 {
		t.Errorf("untracked at the literal path *: %q, %v; want none", only, err)
	}
}

// wantNames compares names without regard to their order.
func wantNames(t *testing.T, what string, got []string) {
	t.Helper()
	sorted := func(names []string) map[string]int {
		m := map[string]int{}
		for _, name := range names {
			m[name]++
		}
		return m
	}
	if diff := cmp.Diff(sorted(oddNames), sorted(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// A work tree whose bytes differ from what is stored only by line endings or filters is clean, also with stale file times.
func TestStatus_conversion(t *testing.T) {
	t.Parallel()
	// checkOut lets git write the file and makes what the index knows of it out of date.
	checkOut := func(r *gittest.Repo, name, want string) {
		t.Helper()
		r.Remove(name)
		r.Git("checkout", "--", name)
		if got := r.Read(name); got != want {
			t.Fatalf("%s is %q, want %q", name, got, want)
		}
		if err := os.Chtimes(r.Path(name), time.Time{}, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("autocrlf", func(t *testing.T) {
		r := gittest.FromTxtar(t, "-- a --\none\ntwo\n")
		r.Git("config", "core.autocrlf", "true")
		checkOut(r, "a", "one\r\ntwo\r\n")
		wantEntries(t, open(t, r.Dir), true)
		r.Write("a", "one\r\nTWO\r\n")
		wantEntries(t, open(t, r.Dir), true, " M a")
	})
	t.Run("eol attribute", func(t *testing.T) {
		r := gittest.FromTxtar(t, "-- .gitattributes --\n*.bat text eol=crlf\n-- a.bat --\none\n")
		checkOut(r, "a.bat", "one\r\n")
		wantEntries(t, open(t, r.Dir), true)
	})
	t.Run("clean filter", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("needs tr")
		}
		r := gittest.FromTxtar(t, "-- a.big --\npointer\n")
		r.Git("config", "filter.lfs.clean", "tr A-Z a-z")
		r.Git("config", "filter.lfs.smudge", "tr a-z A-Z")
		r.Write(".git/info/attributes", "*.big filter=lfs\n")
		checkOut(r, "a.big", "POINTER\n")
		wantEntries(t, open(t, r.Dir), true)
	})
	t.Run("pointer of a file in large file storage", func(t *testing.T) {
		r := gittest.FromTxtar(t, "-- a.big --\nversion https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n-- .gitattributes --\n*.big filter=lfs -text\n")
		wantEntries(t, open(t, r.Dir), true)
	})
	t.Run("mode without core.fileMode", func(t *testing.T) {
		r := gittest.FromTxtar(t, small)
		r.Git("config", "core.fileMode", "false")
		r.Chmod("a.txt", 0o755)
		wantEntries(t, open(t, r.Dir), true)
	})
}

// Settings of the user do not change the form of the answers.
func TestStatus_settings(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	for _, setting := range []string{
		"status.short=true", "status.branch=false", "status.showUntrackedFiles=no", "status.relativePaths=true", "status.renames=copies",
		"status.showStash=true", "color.ui=always", "color.status=always", "column.ui=always", "diff.noprefix=true", "diff.relative=true",
		"diff.renames=copies", "core.quotePath=true", "log.showSignature=true", "log.date=relative", "log.follow=true", "core.pager=false",
		"format.pretty=oneline", "log.decorate=full",
	} {
		name, value, _ := strings.Cut(setting, "=")
		r.Git("config", name, value)
	}
	base := r.Head()
	r.Git("mv", "d/b.txt", "d/é.txt")
	r.Write("new", "x")
	repo := open(t, r.Path("d"))
	wantEntries(t, repo, true, "D  d/b.txt", "A  d/é.txt", "?? new")
	changed, err := repo.Changed(t.Context(), base, "")
	if diff := cmp.Diff([]string{"d/b.txt", "d/é.txt"}, changed); err != nil || diff != "" {
		t.Errorf("changed: %v (-want +got):\n%s", err, diff)
	}
	history, err := repo.History(t.Context(), 5, "openwiki")
	if err != nil || len(history) != 1 || len(history[0].Paths) != 2 {
		t.Errorf("history %v, %v; want one commit with two paths", history, err)
	}
}

func TestStatus_sparse(t *testing.T) {
	t.Parallel()
	for _, index := range []string{"--no-sparse-index", "--sparse-index"} {
		t.Run(index, func(t *testing.T) {
			r := gittest.FromTxtar(t, "-- top --\n-- in/a --\n-- out/deep/b --\n-- out/c --\n")
			r.Git("sparse-checkout", "set", "--cone", index, "in")
			if _, err := os.Stat(r.Path("out/c")); err == nil {
				t.Fatal("the checkout is not sparse")
			}
			repo := open(t, r.Dir)
			wantEntries(t, repo, true)
			files, err := repo.Tracked(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, file := range files {
				got[file.Path] = file.SkipWorktree
			}
			if diff := cmp.Diff(map[string]bool{"top": false, "in/a": false, "out/deep/b": true, "out/c": true}, got); diff != "" {
				t.Errorf("files left out (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStatus_submodule(t *testing.T) {
	t.Parallel()
	inner := gittest.FromTxtar(t, small)
	outer := gittest.FromTxtar(t, small)
	outer.Git("submodule", "--quiet", "add", inner.Dir, "sub")
	base := outer.Commit("add a submodule")
	repo := open(t, outer.Dir)
	wantEntries(t, repo, true)

	outer.Write("sub/untracked", "x")
	wantEntries(t, repo, false)
	wantEntries(t, repo, true, " M sub (submodule)")
	outer.Remove("sub/untracked")

	outer.Write("sub/a.txt", "changed\n")
	wantEntries(t, repo, false, " M sub (submodule)")
	outer.Write("sub/a.txt", "a\n")
	wantEntries(t, repo, false)

	inner.Write("a.txt", "next\n")
	next := inner.Commit("next")
	outer.Git("-C", "sub", "fetch", "--quiet", "origin")
	outer.Git("-C", "sub", "checkout", "--quiet", next)
	wantEntries(t, repo, false, " M sub (submodule)")
	outer.Commit("move the submodule")
	changes, err := repo.Changes(t.Context(), base, "HEAD")
	if diff := cmp.Diff([]gitrepo.Change{{Path: "sub", Status: "M", Gitlink: true}}, changes); err != nil || diff != "" {
		t.Errorf("changes: %v (-want +got):\n%s", err, diff)
	}
	files, err := repo.Tracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last := files[len(files)-1]
	if want := (gitrepo.TrackedFile{Path: "sub", Mode: gitrepo.ModeGitlink, OID: next}); last != want {
		t.Errorf("submodule %+v, want %+v", last, want)
	}
}

func TestTracked(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, "-- a --\na\n-- b/c (executable) --\nc\n-- link (symlink) --\nnowhere\n")
	got, err := open(t, r.Dir).Tracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []gitrepo.TrackedFile{
		{Path: "a", Mode: gitrepo.ModeRegular, OID: "78981922613b2afb6025042ff6bd878ac1994e85"},
		{Path: "b/c", Mode: gitrepo.ModeExecutable, OID: "f2ad6c76f0115a6ba5b00456a849810e7ec0af20"},
		{Path: "link", Mode: gitrepo.ModeSymlink, OID: r.Git("rev-parse", "HEAD:link")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTracked_empty(t *testing.T) {
	t.Parallel()
	got, err := open(t, gittest.New(t).Dir).Tracked(t.Context())
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, %v; want nothing", got, err)
	}
}

func TestUnsaved(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for _, name := range []string{"same.md", "touched.md", "staged.md", "edited.md", "removed.md"} {
		r.Write("wiki/"+name, "1\n")
	}
	r.Write(".gitignore", "wiki/ignored.md\n")
	r.Commit("files")
	r.Write("wiki/touched.md", "1\n")
	r.Write("wiki/staged.md", "2\n")
	r.Git("add", "wiki/staged.md")
	r.Write("wiki/edited.md", "2\n")
	r.Remove("wiki/removed.md")
	r.Write("wiki/ignored.md", "1\n")
	r.Write("wiki/new.md", "1\n")
	r.Write("new.md", "1\n")
	got, err := open(t, r.Dir).Unsaved(t.Context(), "wiki")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"wiki/edited.md", "wiki/ignored.md", "wiki/new.md", "wiki/removed.md"}, slices.Compact(got)); diff != "" {
		t.Errorf("unsaved (-want +got):\n%s", diff)
	}
}
