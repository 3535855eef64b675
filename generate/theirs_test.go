package generate_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

// diesWriting returns a copy of the checkout in which an update died just after the
// half-written text of a page was stored.
func diesWriting(t *testing.T, page string, proposals ...generate.ProposedPage) *generatetest.Checkout {
	t.Helper()
	c := generatetest.W0(t)
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Commit("swap")
	author := &generatetest.Author{Proposal: generate.Proposal{Pages: proposals}}
	opt := c.Options(generate.ModeUpdate, author)
	crash := generatetest.CrashAt(0)
	author.OnPage = map[string]rule{page: func(ctx context.Context, p *generate.Page) error {
		err := generatetest.HalfPage(ctx, p)
		crash.Now()
		return err
	}}
	if err := crash.Arm(&opt); err != nil {
		t.Fatal(err)
	}
	if _, err := generate.Do(t.Context(), opt); !errors.Is(err, generatetest.ErrCrash) {
		t.Fatalf("got %v, want the crash", err)
	}
	if got := c.Read(page[1:]); got != "half a page" {
		t.Fatalf("got page %q, want the half of it", got)
	}
	return c
}

func TestEditDuringInterruptionIsKept(t *testing.T) {
	const mine = "---\ntype: Reference\ntitle: Mine\n---\n\n# Mine\n"
	skip := map[string]rule{core: generatetest.HalfPage, "/openwiki/new.md": generatetest.HalfPage}
	t.Run("not edited", func(t *testing.T) {
		c := diesWriting(t, core)
		mustDo(t, c, generate.ModeUpdate, &generatetest.Author{OnPage: skip}, generate.OutcomeFailed)
		if got := c.Read("openwiki/core.md"); !strings.Contains(got, "# Core") {
			t.Errorf("got %q, want the page of before", got)
		}
	})
	t.Run("page of the wiki", func(t *testing.T) {
		c := diesWriting(t, core)
		sidecar := c.Git("show", "HEAD:openwiki/.claims/core.json")
		c.Write("openwiki/core.md", mine)
		author := &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
			if string(p.Text) != mine || !p.HandEdited {
				t.Errorf("author: got text %q, hand-edited %t, want the edit", p.Text, p.HandEdited)
			}
			return generatetest.HalfPage(ctx, p)
		}}}
		out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeFailed)
		if got := c.Read("openwiki/core.md"); got != mine {
			t.Errorf("got %q, want the edit", got)
		}
		if diff := cmp.Diff(strings.TrimSpace(sidecar), strings.TrimSpace(c.Read("openwiki/.claims/core.json"))); diff != "" {
			t.Errorf("sidecar (-before +now):\n%s", diff)
		}
		if !strings.Contains(strings.Join(out.Notes, "\n"), "/openwiki/core.md was edited during the run") {
			t.Errorf("got notes %q", out.Notes)
		}
	})
	t.Run("and dies again", func(t *testing.T) {
		c := diesWriting(t, core)
		c.Write("openwiki/core.md", mine)
		author, crash := &generatetest.Author{}, generatetest.CrashAt(0)
		author.OnPage = map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
			err := generatetest.HalfPage(ctx, p)
			crash.Now()
			return err
		}}
		opt := c.Options(generate.ModeUpdate, author)
		if err := crash.Arm(&opt); err != nil {
			t.Fatal(err)
		}
		if _, err := generate.Do(t.Context(), opt); !errors.Is(err, generatetest.ErrCrash) {
			t.Fatalf("got %v, want the crash", err)
		}
		mustDo(t, c, generate.ModeUpdate, &generatetest.Author{OnPage: skip}, generate.OutcomeFailed)
		if got := c.Read("openwiki/core.md"); got != mine {
			t.Errorf("got %q, want the edit", got)
		}
	})
	t.Run("new page", func(t *testing.T) {
		c := diesWriting(t, "/openwiki/new.md", generatetest.PlanPage("new", "src/b.go"))
		c.Write("openwiki/new.md", mine)
		mustDo(t, c, generate.ModeUpdate, &generatetest.Author{OnPage: skip}, generate.OutcomePartial)
		if got := c.Read("openwiki/new.md"); got != mine {
			t.Errorf("got %q, want the edit", got)
		}
	})
	t.Run("reset", func(t *testing.T) {
		c := diesWriting(t, core)
		c.Write("openwiki/core.md", mine)
		if removed, err := generate.Reset(t.Context(), c.Options(generate.ModeUpdate, nil)); err != nil || !removed {
			t.Fatalf("reset: got %t, %v", removed, err)
		}
		if got := c.Read("openwiki/core.md"); got != mine {
			t.Errorf("got %q, want the edit", got)
		}
	})
}

// What somebody writes into a page while an attempt fails is not put back.
func TestEditDuringAttemptIsKept(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Commit("swap")
	const mine = "# Mine\n"
	author := &generatetest.Author{OnPage: map[string]rule{core: func(context.Context, *generate.Page) error {
		c.Write("openwiki/core.md", mine)
		return nil
	}}}
	mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeFailed)
	if got := c.Read("openwiki/core.md"); got != mine {
		t.Errorf("got %q, want the edit", got)
	}
}

// A plan that deletes a page cannot know of an edit that comes after it.
func TestEditedPageIsNotDeleted(t *testing.T) {
	for _, edit := range []bool{false, true} {
		c := generatetest.W0(t)
		c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
		c.Commit("swap")
		author := &generatetest.Author{Proposal: generate.Proposal{DeletePages: []string{core}, Pages: []generate.ProposedPage{generatetest.PlanPage("other", "src/a.go")}}}
		author.OnPage = map[string]rule{"/openwiki/other.md": func(ctx context.Context, p *generate.Page) error {
			if edit {
				c.Write("openwiki/core.md", "# Mine\n")
			}
			return generatetest.Write(ctx, p)
		}}
		mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
		_, err := os.Lstat(c.Path("openwiki/core.md"))
		if edit != (err == nil) {
			t.Errorf("edited %t: the page is there: %t", edit, err == nil)
		}
	}
}

// A wiki made from uncommitted source is true of it, until it changes again
// (a no-op must not depend on a commit).
func TestNoopOfUncommittedSource(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("src/b.go", "package a\n\nconst Limit = 11\n")
	author := &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/b.go"))}
	mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
	before := c.Tree(".")
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
	if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
	for name, change := range map[string]func(c *generatetest.Checkout){
		"changed again": func(c *generatetest.Checkout) { c.Append("src/b.go", "// more\n") },
		"another file":  func(c *generatetest.Checkout) { c.Append("src/a.go", "// more\n") },
		"committed":     func(c *generatetest.Checkout) { c.Commit("all of it") },
	} {
		t.Run(name, func(t *testing.T) {
			c := c.Copy(t)
			change(c)
			next := &generatetest.Author{}
			if out, err := c.Do(generate.ModeUpdate, next); err != nil || next.Plans() != 1 {
				t.Errorf("got %+v, %v after %d plans, want the source looked at", out, err, next.Plans())
			}
		})
	}
}

// The block that the set-up of the wiki keeps in AGENTS.md is no change of the
// source, whether it is committed or not.
func TestManagedBlockIsNoChange(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("AGENTS.md", "<!-- OPENWIKI:START -->\nRead openwiki/.\n<!-- OPENWIKI:END -->\n")
	c.Git("add", "AGENTS.md")
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
	c.Commit("set up")
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

// An error before a run begins leaves every file, also what a killed process
// left half written.
func TestErrorBeforeBeginChangesNothing(t *testing.T) {
	left := "openwiki/.core.md.123.abcdefghijkl.tmp"
	t.Run("malformed manifest", func(t *testing.T) {
		c := generatetest.W0(t)
		c.Write(left, "half")
		c.Write("src/a.go", "package changed\n")
		c.Write("openwiki/.page-manifest.json", "[]")
		mustFail(t, c, c.Options(generate.ModeUpdate, &generatetest.Author{}), generate.CodeInvalidState, ".page-manifest.json:1")
	})
	t.Run("malformed sidecar of an interrupted run", func(t *testing.T) {
		c := diesWriting(t, core)
		c.Write(left, "half")
		c.Write("openwiki/.claims/quickstart.json", "{}")
		mustFail(t, c, c.Options(generate.ModeUpdate, &generatetest.Author{}), generate.CodeInvalidState, "openwiki/.claims/quickstart.json")
	})
	t.Run("only ignore rules", func(t *testing.T) {
		c := generatetest.NewRepo(t, "-- .openwikiignore --\n*\n-- src/a.go --\npackage a\n")
		mustFail(t, c, c.Options(generate.ModeInit, &generatetest.Author{}), generate.CodeInvalidState, "no source to describe")
	})
}
