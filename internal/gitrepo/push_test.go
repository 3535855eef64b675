package gitrepo

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

const token = "ghs_canaryCanaryCanaryCanaryCanary0123"

var ada = Identity{"Ada", "ada@example.com"}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func commitOf(t *testing.T, repo *Repo, parent, message string, edits ...Edit) *NewCommit {
	t.Helper()
	tree, err := repo.NewTree(t.Context(), parent, edits)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := tree.Commit(message, ada, noon)
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

// The same push from a full and from a shallow clone: by git and by go-git.
func TestPush(t *testing.T) {
	t.Parallel()
	for name, clone := range map[string]func(*gittest.Repo) *gittest.Repo{
		"full":    (*gittest.Repo).Clone,
		"shallow": func(r *gittest.Repo) *gittest.Repo { return r.ShallowClone(1) },
	} {
		t.Run(name, func(t *testing.T) {
			source := gittest.FromTxtar(t, "-- a.txt --\na\n-- run (executable) --\nx\n-- link (symlink) --\na.txt\n")
			base := source.Commit("second")
			s := serve(t, source.Bare(), token)
			work := clone(source)
			repo := open(t, work.Dir)
			first := commitOf(t, repo, base, "one", Edit{Path: "openwiki/é.md", Data: []byte("é\n")}, Edit{Path: "a.txt", Delete: true})
			if err := repo.Push(t.Context(), s.remote(), first, "openwiki/update", ""); err != nil {
				t.Fatal(err)
			}
			if got := s.tip("openwiki/update"); got != first.SHA {
				t.Errorf("branch is at %s, want %s", got, first.SHA)
			}
			got := s.bare.Git("-c", "core.quotePath=false", "ls-tree", "-r", "--format=%(objectmode) %(path)", first.SHA)
			if diff := cmp.Diff("120000 link\n100644 openwiki/é.md\n100755 run", got); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			// A rebuild that does not descend from the branch.
			second := commitOf(t, repo, base, "two", Edit{Path: "openwiki/b.md", Data: []byte("b\n")})
			if err := repo.Push(t.Context(), s.remote(), second, "openwiki/update", first.SHA); err != nil {
				t.Fatal(err)
			}
			// The same push again, its answer being lost.
			if err := repo.Push(t.Context(), s.remote(), second, "openwiki/update", first.SHA); err != nil {
				t.Errorf("push again: %v", err)
			}
			third := commitOf(t, repo, base, "three", Edit{Path: "openwiki/c.md", Data: []byte("c\n")})
			for _, expect := range []string{"", first.SHA} {
				err := repo.Push(t.Context(), s.remote(), third, "openwiki/update", expect)
				var stale *StaleError
				if !errors.As(err, &stale) || stale.Found != second.SHA || stale.Expect != expect {
					t.Errorf("push expecting %q: %v", expect, err)
				}
			}
			if got := s.tip("openwiki/update"); got != second.SHA {
				t.Errorf("branch moved to %s", got)
			}
			if got := work.Git("status", "--porcelain"); got != "" {
				t.Errorf("work tree or index changed:\n%s", got)
			}
		})
	}
}
