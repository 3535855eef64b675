package generate_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestOtherWikiDirectory(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go"))}
	for _, mode := range []generate.Mode{generate.ModeInit, generate.ModeUpdate} {
		opt := c.Options(mode, author)
		opt.WikiDir = "docs/wiki"
		out, err := generate.Do(t.Context(), opt)
		if err != nil || mode == generate.ModeUpdate && out.Kind != generate.OutcomeNoop {
			t.Fatalf("%s: got %+v, %v", mode, out, err)
		}
	}
	if _, err := os.Lstat(c.Path("docs/wiki/.claims/core.json")); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(c.Path("openwiki")); !os.IsNotExist(err) {
		t.Errorf("openwiki: got %v, want nothing there", err)
	}
}

// Linked work trees have wikis and runs of their own.
func TestLinkedWorktree(t *testing.T) {
	main := generatetest.NewRepo(t, generatetest.R0)
	dir := filepath.Join(filepath.Dir(main.Dir), "linked-"+filepath.Base(main.Dir))
	main.Git("worktree", "add", "--quiet", dir)
	t.Cleanup(func() { os.RemoveAll(dir) })
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := atomicfile.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
		// While this run holds its lock, the other tree can have a run too.
		if _, err := main.Do(generate.ModeInit, &generatetest.Author{}); err != nil {
			t.Errorf("run in the main work tree: %v", err)
		}
		return p.Submit(ctx, proposal(generatetest.PlanPage("quickstart", "README.md")))
	}}
	opt := main.Options(generate.ModeInit, author)
	opt.Repo, opt.Files = repo, files
	if _, err := generate.Do(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	linked := generatetest.Wrap(t, &gittest.Repo{Dir: dir})
	if diff := cmp.Diff(main.Tree("openwiki"), linked.Tree("openwiki")); diff != "" {
		t.Errorf("(-main +linked):\n%s", diff)
	}
}

func TestQuickstartGetsThePageMap(t *testing.T) {
	c := generatetest.W0(t)
	var got []generate.PageRef
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("limit", "src/b.go")),
		OnPage: map[string]rule{quickstart: func(ctx context.Context, p *generate.Page) error {
			got = p.PageMap
			return generatetest.Write(ctx, p)
		}, "/openwiki/limit.md": func(ctx context.Context, p *generate.Page) error {
			if p.PageMap != nil || p.Existing {
				t.Errorf("page limit: got page map %v, existing %t, want neither", p.PageMap, p.Existing)
			}
			return generatetest.Write(ctx, p)
		}},
	}
	opt := c.Options(generate.ModeUpdate, author)
	opt.Force = true
	if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v", out, err)
	}
	want := []generate.PageRef{{Path: core, Title: "Core", Purpose: "Sums."}, {Path: "/openwiki/limit.md", Title: "About limit", Purpose: "Tell about limit"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("page map (-want +got):\n%s", diff)
	}
}

// A forced update that plans nothing new leaves every page as it is.
func TestForcedUpdateKeepsPages(t *testing.T) {
	c := generatetest.W0(t)
	before := c.Tree("openwiki")
	opt := c.Options(generate.ModeUpdate, (&generatetest.Author{}))
	opt.Force = true
	if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v", out, err)
	}
	after := c.Tree("openwiki")
	for _, name := range []string{"openwiki/.last-update.json", "openwiki/.page-manifest.json"} {
		delete(before, name)
		delete(after, name)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
}
