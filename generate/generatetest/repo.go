package generatetest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// R0 is a small repository of two source files, as a txtar archive.
const R0 = `-- README.md --
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

// Checkout is a repository with what it takes to run in it.
type Checkout struct {
	*gittest.Repo

	t   testing.TB
	now time.Time
}

// NewRepo returns a checkout with one commit of the archive.
func NewRepo(t testing.TB, archive string) *Checkout {
	t.Helper()
	return Wrap(t, gittest.FromTxtar(t, archive))
}

// NewEmptyRepo returns a checkout without a commit.
func NewEmptyRepo(t testing.TB) *Checkout {
	t.Helper()
	return Wrap(t, gittest.New(t))
}

// Wrap makes a Checkout of a repository.
func Wrap(t testing.TB, repo *gittest.Repo) *Checkout {
	return &Checkout{Repo: repo, t: t, now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
}

// W0 returns R0 with a finished and committed wiki of a quickstart and a page
// core.md, whose one Claim cites lines 4 to 6 of src/a.go. An update of it is
// a no-op.
func W0(t testing.TB) *Checkout {
	t.Helper()
	c := NewRepo(t, R0)
	author := &Author{
		Proposal: generate.Proposal{Pages: []generate.ProposedPage{PlanPage("quickstart", "README.md"), PlanPage("core", "src/a.go")}},
		OnPage:   map[string]func(context.Context, *generate.Page) error{"/openwiki/core.md": WriteCore},
	}
	if out, err := c.Do(generate.ModeInit, author); err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("make W0: got %+v, %v", out, err)
	}
	c.Commit("wiki")
	c.Tick()
	return c
}

// Tick moves the clock a day ahead.
func (c *Checkout) Tick() { c.now = c.now.Add(24 * time.Hour) }

// Options returns options for a run in the checkout: the clock stands still,
// the actor is "wikiwright/test".
func (c *Checkout) Options(mode generate.Mode, author *Author) generate.Options {
	c.t.Helper()
	repo, err := gitrepo.Open(c.t.Context(), c.Dir)
	if err != nil {
		c.t.Fatal(err)
	}
	files, err := atomicfile.Open(c.Dir)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { files.Close() })
	now := c.now
	opt := generate.Options{
		Repo: repo, Files: files, WikiDir: wiki.DefaultDir, Mode: mode,
		Actor: generate.Actor{Producer: "wikiwright/test", Model: "script"},
		Now:   func() time.Time { return now },
	}
	if author != nil {
		opt.NewAuthor = author.New
	}
	return opt
}

// Do runs in the checkout.
func (c *Checkout) Do(mode generate.Mode, author *Author) (*generate.Outcome, error) {
	c.t.Helper()
	return generate.Do(c.t.Context(), c.Options(mode, author))
}

// Tree returns all files of the work tree below a directory, which may be
// missing, by their paths in the repository.
func (c *Checkout) Tree(dir string) map[string]string {
	c.t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(c.Path(dir), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(c.Dir, path)
		tree[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return tree
}

// Copy returns a copy of the checkout, its git directory included, with the
// clock where it stands.
func (c *Checkout) Copy(t testing.TB) *Checkout {
	t.Helper()
	repo := gittest.New(t)
	err := os.RemoveAll(repo.Path(".git"))
	if err == nil {
		err = os.CopyFS(repo.Dir, os.DirFS(c.Dir))
	}
	if err != nil {
		t.Fatal(err)
	}
	return &Checkout{Repo: repo, t: t, now: c.now}
}

// WriteCore is the page rule of core.md in W0: one Claim about lines 4 to 6 of
// src/a.go, confirmed when it is there already.
func WriteCore(ctx context.Context, p *generate.Page) error {
	text := "---\ntype: Reference\ntitle: Core\ndescription: Sums.\n---\n\n# Core\n\nAdd sums, see [Add](/src/a.go#L4-L6) in `src/a.go`.\n"
	if err := p.Workspace.WritePage(p.Job.Path, []byte(text)); err != nil {
		return err
	}
	var decisions claims.Reconciliation
	for _, c := range p.Claims {
		decisions.Confirmed = append(decisions.Confirmed, c.ID)
	}
	if len(p.Claims) == 0 {
		decisions.Claims = []claims.Proposal{{
			Statement: "Add returns the sum of two numbers", Evidence: []claims.ProposedEvidence{{Resource: "repo://src/a.go#L4-L6"}},
		}}
	}
	return p.Submit(ctx, decisions)
}
