package gitrepo_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

const nowhere = "0123456789abcdef0123456789abcdef01234567"

func TestChanged(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, "-- a --\na\n-- b --\nb\n-- c --\nc is long enough to be found again\n")
	first := r.Head()
	r.Write("a", "changed\n")
	r.Remove("b")
	r.Rename("c", "d/c")
	second := r.Commit("second")
	r.Write("e", "staged\n")
	r.Git("add", "e")
	r.Write("a", "not staged\n")
	r.Write("f", "untracked\n")
	repo := open(t, r.Dir)

	for _, test := range []struct {
		name, from, to string
		want           []string
	}{
		{"commits", first, second, []string{"a", "b", "c", "d/c"}},
		{"to HEAD", first, "HEAD", []string{"a", "b", "c", "d/c"}},
		{"backwards", second, first, []string{"a", "b", "c", "d/c"}},
		{"same commit", second, second, []string{}},
		{"to the work tree", first, "", []string{"a", "b", "c", "d/c", "e"}},
		{"HEAD to the work tree", "HEAD", "", []string{"a", "e"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := repo.Changed(t.Context(), test.from, test.to)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	changes, err := repo.Changes(t.Context(), first, second)
	want := []gitrepo.Change{{Path: "a", Status: "M"}, {Path: "b", Status: "D"}, {Path: "c", Status: "D"}, {Path: "d/c", Status: "A"}}
	if diff := cmp.Diff(want, changes); err != nil || diff != "" {
		t.Errorf("changes: %v (-want +got):\n%s", err, diff)
	}
	for to, want := range map[string]map[string]string{"": {"c": "d/c"}, second: {"c": "d/c"}, first: {}} {
		renames, err := repo.Renames(t.Context(), first, to)
		if diff := cmp.Diff(want, renames); err != nil || diff != "" {
			t.Errorf("renames to %q: %v (-want +got):\n%s", to, err, diff)
		}
	}
}

// A commit that is not here is an error of its own kind, and a name that is no commit never reaches git as an option.
func TestChanged_unknownCommit(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	repo := open(t, r.Dir)
	out := filepath.Join(t.TempDir(), "out")
	blob := r.Git("rev-parse", "HEAD:a.txt")
	for _, commit := range []string{nowhere, blob, "", "abc", "main", "--output=" + out, "HEAD~1", "HEAD^{tree}", strings.Repeat("g", 40), strings.ToUpper(nowhere)} {
		got, err := repo.Changed(t.Context(), commit, "HEAD")
		if !errors.Is(err, gitrepo.ErrUnknownCommit) || got != nil {
			t.Errorf("from %q: got %v, %v; want %v", commit, got, err, gitrepo.ErrUnknownCommit)
		}
		if _, err := repo.Renames(t.Context(), commit, ""); !errors.Is(err, gitrepo.ErrUnknownCommit) {
			t.Errorf("renames from %q: got %v, want %v", commit, err, gitrepo.ErrUnknownCommit)
		}
		if commit == "" {
			continue
		}
		if _, err := repo.Changed(t.Context(), r.Head(), commit); !errors.Is(err, gitrepo.ErrUnknownCommit) {
			t.Errorf("to %q: got %v, want %v", commit, err, gitrepo.ErrUnknownCommit)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a commit name was taken for an option")
	}
	if err := repo.FetchCommit(t.Context(), "--upload-pack=x"); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("fetch: got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
}

func TestChanged_unborn(t *testing.T) {
	t.Parallel()
	repo := open(t, gittest.New(t).Dir)
	if _, err := repo.Changed(t.Context(), nowhere, "HEAD"); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
	if _, err := repo.Changed(t.Context(), "HEAD", ""); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
}

// A commit that is here but cannot be read is a failure, neither unknown nor unchanged.
func TestChanged_broken(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	first := r.Head()
	tree := r.Git("rev-parse", "HEAD^{tree}")
	r.Write("a.txt", "changed\n")
	r.Commit("second")
	r.Remove(".git/objects/" + tree[:2] + "/" + tree[2:])
	got, err := open(t, r.Dir).Changed(t.Context(), first, "HEAD")
	if err == nil || errors.Is(err, gitrepo.ErrUnknownCommit) || got != nil {
		t.Errorf("got %v, %v; want a failure that is not %v", got, err, gitrepo.ErrUnknownCommit)
	}
}

func TestBlob(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	first := r.Head()
	r.Write("a.txt", "2\n")
	r.Write("new", "n\n")
	r.Commit("second")
	repo := open(t, r.Dir)
	for _, test := range []struct {
		commit, path, want string
		err                error
	}{
		{first, "a.txt", "a\n", nil},
		{"HEAD", "a.txt", "2\n", nil},
		{first, "d/b.txt", "b\n", nil},
		{first, "new", "", fs.ErrNotExist},
		{first, "nowhere", "", fs.ErrNotExist},
		{nowhere, "a.txt", "", gitrepo.ErrUnknownCommit},
		{"--help", "a.txt", "", gitrepo.ErrUnknownCommit},
	} {
		got, err := repo.Blob(t.Context(), test.commit, test.path)
		if !errors.Is(err, test.err) || string(got) != test.want {
			t.Errorf("%s of %s: got %q, %v; want %q, %v", test.path, test.commit, got, err, test.want, test.err)
		}
	}
	if _, err := repo.Blob(t.Context(), first, "d"); err == nil {
		t.Error("a directory: no error")
	}
}

func TestFetchCommit(t *testing.T) {
	t.Parallel()
	origin := gittest.FromTxtar(t, small)
	base := origin.Head()
	for _, content := range []string{"2\n", "3\n", "4\n"} {
		origin.Write("a.txt", content)
		origin.Commit("next")
	}
	clone := origin.Bare().ShallowClone(1)
	repo := open(t, clone.Dir)
	if _, err := repo.Changed(t.Context(), base, "HEAD"); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Fatalf("before: got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
	refs := clone.Git("for-each-ref")
	if err := repo.FetchCommit(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	got, err := repo.Changed(t.Context(), base, "HEAD")
	if diff := cmp.Diff([]string{"a.txt"}, got); err != nil || diff != "" {
		t.Errorf("after: %v (-want +got):\n%s", err, diff)
	}
	if got := clone.Git("for-each-ref"); got != refs {
		t.Errorf("references are now\n%s\nwant\n%s", got, refs)
	}
	if _, err := os.Stat(clone.Path(".git/FETCH_HEAD")); err == nil {
		t.Error("FETCH_HEAD was written")
	}
	if got, want := clone.Git("rev-list", "--count", "HEAD"), "1"; got != want {
		t.Errorf("the history of HEAD now has %s commits, want %s", got, want)
	}
	if _, err := repo.Changed(t.Context(), origin.Git("rev-parse", "HEAD~1"), "HEAD"); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("a commit that was not asked for: got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
}

func TestFetchCommit_full(t *testing.T) {
	t.Parallel()
	origin := gittest.FromTxtar(t, small)
	clone := origin.Clone()
	origin.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	origin.Write("a.txt", "2\n")
	next := origin.Commit("next")
	repo := open(t, clone.Dir)
	if err := repo.FetchCommit(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	if changed, err := repo.Changed(t.Context(), "HEAD", next); err != nil || len(changed) != 1 {
		t.Errorf("changes up to the commit: %v, %v; want a.txt", changed, err)
	}
	if open(t, clone.Dir).Shallow {
		t.Error("the clone became shallow")
	}
}

func TestFetchCommit_error(t *testing.T) {
	t.Parallel()
	origin := gittest.FromTxtar(t, small)
	clone := origin.ShallowClone(1)
	if err := open(t, clone.Dir).FetchCommit(t.Context(), nowhere); err == nil || !strings.Contains(err.Error(), "origin") {
		t.Errorf("a commit origin has not: got %v, want an error that names origin", err)
	}
	if err := open(t, origin.Dir).FetchCommit(t.Context(), nowhere); err == nil {
		t.Error("without a remote: no error")
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, "-- a --\na\n-- b --\nb\n")
	first := r.Head()
	empty := r.Commit("nothing changed")
	r.Git("checkout", "--quiet", "-b", "side")
	r.Write("side", "s\n")
	r.Commit("on the side")
	r.Git("checkout", "--quiet", "main")
	r.Rename("b", "c")
	renamed := r.Commit("rename b to c")
	r.Git("merge", "--quiet", "--no-edit", "side")
	merge := r.Head()
	r.Write("a", "2\n")
	last := r.Commit("change a")
	repo := open(t, r.Dir)

	got, err := repo.History(t.Context(), 10, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	const start = 1767323045 // 2026-01-02 03:04:05 UTC
	want := []gitrepo.CommitFiles{
		{Commit: last, Time: start + 4*60, Paths: []string{"a"}},
		{Commit: merge, Time: got[min(1, len(got)-1)].Time, Paths: []string{"side"}},
		{Commit: renamed, Time: start + 3*60, Paths: []string{"b", "c"}},
		{Commit: empty, Time: start + 60},
		{Commit: first, Time: start, Paths: []string{"a", "b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err = repo.History(t.Context(), 1, "openwiki")
	if diff := cmp.Diff(want[:1], got); err != nil || diff != "" {
		t.Errorf("limit 1: %v (-want +got):\n%s", err, diff)
	}
}

// A busy repository tells a year, a quiet one its newest hundred commits of five years, whatever the clock says.
func TestHistory_span(t *testing.T) {
	t.Parallel()
	const day, newest = 24 * 60 * 60, 1500000000
	for _, tc := range []struct {
		name  string
		busy  int // commits of the last days
		want  []string
		count int
	}{
		{"quiet", 0, []string{"openwiki/a.md", "f3", "f2", "f1"}, 4},
		{"busy", 120, []string{"openwiki/a.md", "f3"}, 122},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := gittest.New(t)
			var stream strings.Builder
			commit := func(at int, file string) {
				fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter Ada <ada@example.com> %d +0000\ndata 1\nx\nM 100644 inline %s\ndata 11\n%11d\n", at, file, at)
			}
			for i, at := range []int{newest - 2300*day, newest - 1800*day, newest - 400*day, newest - 300*day} {
				commit(at, fmt.Sprintf("f%d", i))
			}
			for i := range tc.busy {
				commit(newest-day+i, "busy")
			}
			commit(newest+2000*day, "openwiki/a.md") // a wiki that is committed years later moves nothing out of the year
			if _, err := r.TryGit(stream.String(), "fast-import", "--quiet"); err != nil {
				t.Fatal(err)
			}
			commits, err := open(t, r.Dir).History(t.Context(), 1000, "openwiki")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range commits {
				if c.Paths[0] != "busy" {
					got = append(got, c.Paths...)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || len(commits) != tc.count {
				t.Errorf("%d commits, want %d (-want +got):\n%s", len(commits), tc.count, diff)
			}
		})
	}
}

func TestHistory_none(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, small)
	r.Commit("second")
	for name, dir := range map[string]string{"shallow": r.ShallowClone(1).Dir, "unborn": gittest.New(t).Dir} {
		got, err := open(t, dir).History(t.Context(), 10, "openwiki")
		if err != nil || len(got) != 0 {
			t.Errorf("%s: got %v, %v; want nothing", name, got, err)
		}
	}
}
