package claims_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const demo = `-- README.md --
# demo
-- src/a.go --
package a

// Add sums.
func Add(x, y int) int {
	return x + y
}
-- src/b.go --
package a

const Limit = 10
`

const (
	core       = wiki.PagePath("/openwiki/core.md")
	quickstart = wiki.PagePath("/openwiki/quickstart.md")

	addFunc = "repo://src/a.go#L4-L6"
	limit   = "repo://src/b.go#L3-L3"
	actor   = "wikiwright/1.0"

	day1 = "2026-01-02T00:00:00.000Z"
	day2 = "2026-01-03T00:00:00.000Z"
)

// world is a repository with a wiki.
type world struct {
	*gittest.Repo
	t    testing.TB
	hook func(atomicfile.Step) error
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return &world{Repo: gittest.FromTxtar(t, demo), t: t}
}

func pageText(title string) string {
	return "---\ntype: concept\ntitle: " + title + "\n---\n\n# " + title + "\n\nText.\n"
}

// config opens the repository anew, as a new process would.
func (w *world) config() claims.Config {
	w.t.Helper()
	git, err := gitrepo.Open(w.t.Context(), w.Dir)
	w.check(err)
	dir, err := atomicfile.Open(w.Dir)
	w.check(err)
	w.t.Cleanup(func() { dir.Close() })
	if w.hook != nil {
		dir = dir.WithHook(w.hook)
	}
	src, err := source.Open(w.t.Context(), git, dir, "openwiki")
	w.check(err)
	pages, err := wiki.Open(dir, "openwiki")
	w.check(err)
	return claims.Config{
		Wiki: pages, Store: claims.NewStore(pages), Resolver: evidence.NewResolver(src), Actor: actor, Concurrency: 4,
	}
}

func (w *world) open() *claims.Session {
	w.t.Helper()
	s, err := claims.Open(w.t.Context(), w.config(), false)
	w.check(err)
	return s
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// reconcile takes decisions that must be accepted.
func (w *world) reconcile(s *claims.Session, page wiki.PagePath, in claims.Reconciliation) claims.Counts {
	w.t.Helper()
	counts, err := s.Reconcile(w.t.Context(), page, in)
	w.check(err)
	return counts
}

func (w *world) finalize(s *claims.Session, at string, only ...wiki.PagePath) {
	w.t.Helper()
	w.check(s.Finalize(w.t.Context(), claims.FinalizeOptions{At: at, Only: only}))
}

// finished is a world with two pages whose claims are durable and committed.
func finished(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.Write("openwiki/core.md", pageText("Core"))
	w.Write("openwiki/quickstart.md", pageText("Start"))
	s := w.open()
	w.reconcile(s, core, propose(
		"Add returns the sum.", addFunc,
		"The limit is ten.", limit,
	))
	w.reconcile(s, quickstart, propose("The project is a demo.", "repo://README.md"))
	w.finalize(s, day1)
	w.Commit("wiki")
	return w
}

// propose adds claims with one evidence each: statement, resource, and so on.
func propose(pairs ...string) claims.Reconciliation {
	var in claims.Reconciliation
	for i := 0; i < len(pairs); i += 2 {
		in.Claims = append(in.Claims, proposal("", pairs[i], pairs[i+1]))
	}
	return in
}

func proposal(id, statement string, resources ...string) claims.Proposal {
	p := claims.Proposal{ID: id, Statement: statement}
	for _, resource := range resources {
		p.Evidence = append(p.Evidence, claims.ProposedEvidence{Resource: resource})
	}
	return p
}

func ids(s *claims.Session, page wiki.PagePath) []string {
	var out []string
	for _, c := range s.Inspect(page) {
		out = append(out, c.ID)
	}
	return out
}

// tree returns every file below the wiki, name and content, in order.
func (w *world) tree() string {
	w.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(w.Path("openwiki"), func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		fmt.Fprintf(&b, "== %s\n%s", strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(w.Dir)+"/"), data)
		return err
	})
	w.check(err)
	return b.String()
}
