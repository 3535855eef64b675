package gitrepo_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestResolve(t *testing.T) {
	r := gittest.FromTxtar(t, small)
	first := r.Head()
	r.Git("tag", "-a", "-m", "one", "v1")
	r.Write("a.txt", "second\n")
	second := r.Commit("second")
	r.Git("branch", "topic", first)
	repo := open(t, r.Dir)
	for revision, want := range map[string]string{
		"HEAD": second, "HEAD~1": first, "topic": first, "v1": first, second: second, second[:12]: second, "refs/heads/main": second, "topic^{commit}": first,
	} {
		if got, err := repo.Resolve(t.Context(), revision); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", revision, got, err, want)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	for _, revision := range []string{"", "nowhere", nowhere, "HEAD:a.txt", "HEAD^{tree}", "HEAD~9", "--all", "--output=" + out, "-h", "a b", "main\x00"} {
		if got, err := repo.Resolve(t.Context(), revision); err == nil || got != "" {
			t.Errorf("%q: got %q, want an error", revision, got)
		} else if !strings.Contains(revision, "\x00") && !errors.Is(err, gitrepo.ErrUnknownCommit) {
			t.Errorf("%q: got %v, want %v", revision, err, gitrepo.ErrUnknownCommit)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a revision was taken for an option")
	}
}

func TestDefaultBranch(t *testing.T) {
	r := gittest.FromTxtar(t, small)
	first := r.Head()
	repo := open(t, r.Dir)
	want := func(commit string) {
		t.Helper()
		if got, err := repo.DefaultBranch(t.Context()); err != nil || got != commit {
			t.Errorf("got %q, %v; want %q", got, err, commit)
		}
	}
	want(first) // the local main
	r.Write("a.txt", "second\n")
	second := r.Commit("second")
	r.Git("branch", "-m", "main", "master")
	want(second)
	r.Git("update-ref", "refs/remotes/origin/main", first)
	want(first) // what origin has comes before a local branch
	r.Write("a.txt", "third\n")
	third := r.Commit("third")
	r.Git("update-ref", "refs/remotes/origin/develop", third)
	r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
	want(third)

	r.Git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
	r.Git("update-ref", "-d", "refs/remotes/origin/main")
	r.Git("branch", "-m", "master", "trunk")
	if got, err := repo.DefaultBranch(t.Context()); !errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		t.Errorf("got %q, %v; want %v", got, err, gitrepo.ErrNoDefaultBranch)
	}
}

func TestMergeBase(t *testing.T) {
	r := gittest.FromTxtar(t, small)
	first := r.Head()
	r.Git("checkout", "-q", "-b", "topic")
	r.Write("b.txt", "topic\n")
	topic := r.Commit("topic")
	r.Git("checkout", "-q", "main")
	r.Write("a.txt", "second\n")
	second := r.Commit("second")
	r.Git("checkout", "-q", "--orphan", "other")
	other := r.Commit("without a common commit")
	repo := open(t, r.Dir)
	for _, test := range []struct{ a, b, want string }{{topic, second, first}, {second, topic, first}, {first, second, first}, {second, second, second}} {
		if got, err := repo.MergeBase(t.Context(), test.a, test.b); err != nil || got != test.want {
			t.Errorf("%s, %s: got %q, %v; want %q", test.a, test.b, got, err, test.want)
		}
	}
	for _, pair := range [][2]string{{other, second}, {nowhere, second}, {second, nowhere}, {"main~9", second}, {"--all", second}, {"", second}} {
		if got, err := repo.MergeBase(t.Context(), pair[0], pair[1]); !errors.Is(err, gitrepo.ErrUnknownCommit) {
			t.Errorf("%q, %q: got %q, %v; want %v", pair[0], pair[1], got, err, gitrepo.ErrUnknownCommit)
		}
	}

	// A clone that ends before the common commit does not have one.
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.Git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+r.Dir, shallow)
	if got, err := open(t, shallow).MergeBase(t.Context(), topic, second); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("shallow: got %q, %v; want %v", got, err, gitrepo.ErrUnknownCommit)
	}
}

func TestHunks(t *testing.T) {
	r := gittest.FromTxtar(t, "-- a.txt --\n1\n2\n3\n4\n5\n6\n7\n8\n-- same.txt --\nsame\n-- bin --\n\x00\x01\n")
	first := r.Head()
	r.Write("a.txt", "0\n1\n2\nthree\n4\n7\n8\n@@ -1 +1 @@\n")
	r.Write("bin", "\x00\x02\n")
	r.Write("new @@ -1 +1 @@.txt", "new\nfile\n")
	r.Write(":(top)*", "magic\n")
	second := r.Commit("second")
	r.Write("a.txt", "0\n")
	repo := open(t, r.Dir)
	for _, test := range []struct {
		from, to, path string
		want           []gitrepo.Hunk
	}{
		{first, second, "a.txt", []gitrepo.Hunk{{0, 0, 1, 1}, {3, 1, 4, 1}, {5, 2, 5, 0}, {8, 0, 8, 1}}},
		{second, first, "a.txt", []gitrepo.Hunk{{1, 1, 0, 0}, {4, 1, 3, 1}, {5, 0, 5, 2}, {8, 1, 8, 0}}},
		{second, "", "a.txt", []gitrepo.Hunk{{2, 7, 1, 0}}},
		{first, second, "same.txt", nil},
		{first, second, "bin", nil},
		{first, second, "nothing.txt", nil},
		{first, second, ":(top)*", []gitrepo.Hunk{{0, 0, 1, 1}}},
		{first, second, "new @@ -1 +1 @@.txt", []gitrepo.Hunk{{0, 0, 1, 2}}},
	} {
		got, err := repo.Hunks(t.Context(), test.from, test.to, test.path)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%s of %.7s..%.7s: %v (-want +got):\n%s", test.path, test.from, test.to, err, diff)
		}
	}
	for _, pair := range [][2]string{{"", second}, {"--output=x", ""}, {first, "main"}} {
		if got, err := repo.Hunks(t.Context(), pair[0], pair[1], "a.txt"); !errors.Is(err, gitrepo.ErrUnknownCommit) {
			t.Errorf("%q..%q: got %v, %v; want %v", pair[0], pair[1], got, err, gitrepo.ErrUnknownCommit)
		}
	}
	if got, err := repo.Hunks(t.Context(), nowhere, second, "a.txt"); err == nil {
		t.Errorf("a commit that is not here: got %v", got)
	}
}
