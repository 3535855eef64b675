package source

import (
	"testing"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// openRepo opens the source of a test repository.
func openRepo(t testing.TB, r *gittest.Repo) *Source {
	t.Helper()
	repo, err := gitrepo.Open(t.Context(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := atomicfile.Open(repo.Root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	s, err := Open(t.Context(), repo, dir, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The vector is the one of the OpenWiki format, which counts the untracked file b.txt too.
func TestFingerprint_golden(t *testing.T) {
	r := gittest.New(t)
	r.Write("a.txt", "alpha\nbeta\ngamma\nchanged\n")
	r.Write("b.txt", "new\n")
	s := openRepo(t, r)

	got, _, err := s.fingerprint(t.Context(), selection{
		head:    "277add91905c618b8d79d6bf24452bdfda87634e",
		entries: []gitrepo.StatusEntry{{Code: "??", Path: "b.txt"}, {Code: " M", Path: "a.txt"}},
		files:   []selected{{path: "a.txt", tracked: true}, {path: "b.txt"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "sha256:d7dbbbc456b6e385f5df0ea05a5adefa6f0ebfeccb6d2ab04fca56d85dedaae9"; got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
}
