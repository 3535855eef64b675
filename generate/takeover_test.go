package generate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

// openWiki is W0 as OpenWiki leaves a wiki: its actor, no manifest, indexes in
// its own words, a page without front matter.
func openWiki(t *testing.T) *generatetest.Checkout {
	t.Helper()
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go")),
		OnPage:   map[string]rule{core: generatetest.WriteCore},
	}
	opt := c.Options(generate.ModeInit, author)
	opt.Actor = generate.Actor{Producer: "openwiki/0.7.1", Model: "some-model"}
	if _, err := generate.Do(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	c.Remove("openwiki/.page-manifest.json")
	c.Write("openwiki/index.md", "---\nokf_version: \"0.2\"\n---\n\n# Pages\n\n* [Core](core.md)\n")
	c.Write("openwiki/notes.md", "# Notes\n\nSee [a](/src/a.go).\n")
	c.Commit("wiki by OpenWiki")
	c.Tick()
	return c
}

func TestWikiOfOpenWikiIsReadAsItIs(t *testing.T) {
	t.Run("nothing to do", func(t *testing.T) {
		c := openWiki(t)
		mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
		if got := c.Git("status", "--porcelain"); got != "" {
			t.Errorf("status: got %s, want a clean tree", got)
		}
	})
	t.Run("nothing planned", func(t *testing.T) {
		c := openWiki(t)
		c.Append("src/b.go", "const Other = 1\n")
		head := c.Commit("change")
		before := c.Tree("openwiki")
		mustDo(t, c, generate.ModeUpdate, &generatetest.Author{}, generate.OutcomeComplete)
		after := c.Tree("openwiki")
		for _, name := range []string{"openwiki/.last-update.json", "openwiki/.page-manifest.json"} {
			if after[name] == before[name] {
				t.Errorf("%s did not change", name)
			}
			delete(before, name)
			delete(after, name)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("files changed (-before +after):\n%s", diff)
		}
		if got := lastUpdate(t, c); got.GitHead != head {
			t.Errorf("metadata: got %+v, want %s", got, head)
		}
		mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
	})
	t.Run("one page rewritten", func(t *testing.T) {
		c := openWiki(t)
		c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
		c.Commit("swap")
		before := c.Tree("openwiki")
		author := &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
			if p.GeneratedBy != "openwiki/0.7.1" || p.HandEdited {
				t.Errorf("got page by %q, hand-edited %t", p.GeneratedBy, p.HandEdited)
			}
			return generatetest.WriteCore(ctx, p)
		}}}
		mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
		after := c.Tree("openwiki")
		for _, name := range []string{"openwiki/quickstart.md", "openwiki/notes.md", "openwiki/.claims/quickstart.json"} {
			if diff := cmp.Diff(before[name], after[name]); diff != "" {
				t.Errorf("%s changed:\n%s", name, diff)
			}
		}
		// The author wrote the body it found, so the page keeps its stamp.
		if got := after["openwiki/core.md"]; !strings.Contains(got, "openwiki/0.7.1") {
			t.Errorf("page: got %s, want the stamp of its author", got)
		}
	})
}

// A page written anew gets the stamp of who wrote it now.
func TestStampsMoveWithTheBody(t *testing.T) {
	c := openWiki(t)
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Commit("swap")
	author := &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
		text := strings.Replace(string(p.Text), "Add sums", "Add two sums", 1)
		if err := p.Workspace.WritePage(p.Job.Path, []byte(text)); err != nil {
			return err
		}
		_, decisions, err := generatetest.Compose(p)
		if err != nil {
			return err
		}
		decisions.Claims = nil
		return p.Submit(ctx, decisions)
	}}}
	mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	got := c.Read("openwiki/core.md")
	if strings.Contains(got, "openwiki/0.7.1") || !strings.Contains(got, "wikiwright/test") || strings.Count(got, "2026-03-05T05:06:07.000Z") != 2 {
		t.Errorf("page: got %s, want both stamps of this run", got)
	}
}

// An author of no model declines pages; that is no failure, and pages and
// stamps of another producer stay as they are, also when a formatter has been
// at them.
func TestPagesOfAnotherProducerAreLeftAlone(t *testing.T) {
	c := openWiki(t)
	c.Write("openwiki/core.md", strings.Replace(c.Read("openwiki/core.md"), "# Core\n", "# Core\n\n", 1))
	c.Write("src/a.go", "// A line.\n"+strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Write("README.md", "# other\n")
	c.Commit("format, change")
	opt := c.Options(generate.ModeUpdate, &generatetest.Author{OnPage: map[string]rule{
		core: func(context.Context, *generate.Page) error { return &generate.SkipError{Reason: "needs a model"} },
		quickstart: func(context.Context, *generate.Page) error {
			return &generate.SkipError{Reason: "needs a model"}
		},
	}})
	opt.Actor.Producer = "wikiwright-extractive/1.0"
	before := c.Tree("openwiki")
	for range 2 {
		out, err := generate.Do(t.Context(), opt)
		if err != nil || out.Kind != generate.OutcomePartial || len(out.Pages) != 2 || out.Pages[0].State != generate.PageSkipped {
			t.Fatalf("got %+v, %v, want two pages skipped", out, err)
		}
		after := c.Tree("openwiki")
		for _, name := range []string{"openwiki/core.md", "openwiki/.claims/core.json", "openwiki/quickstart.md", "openwiki/index.md"} {
			if after[name] != before[name] {
				t.Errorf("%s changed:\n%s", name, cmp.Diff(before[name], after[name]))
			}
		}
	}
}

// What an edit leaves proven is recorded; the stamps of another producer stay.
func TestFormattedPageOfAnotherProducerIsRecorded(t *testing.T) {
	c := openWiki(t)
	c.Write("openwiki/core.md", strings.Replace(c.Read("openwiki/core.md"), "# Core\n", "# Core\n\n", 1))
	c.Commit("format")
	text := c.Read("openwiki/core.md")
	opt := c.Options(generate.ModeUpdate, &generatetest.Author{})
	opt.Actor.Producer = "wikiwright-extractive/1.0"
	if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v", out, err)
	}
	if diff := cmp.Diff(text, c.Read("openwiki/core.md")); diff != "" {
		t.Errorf("page changed:\n%s", diff)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

// An edit that leaves front matter which cannot be read does not keep the wiki
// from being updated, and costs the page nothing that was in it.
func TestEditThatBreaksTheFrontMatterOfAnotherProducer(t *testing.T) {
	const stamps = "generated: { by: \"openwiki/0.7.1\", at: \"2026-03-04T05:06:07.000Z\" }\n"
	for name, change := range map[string]func(c *generatetest.Checkout){
		"page edited":    func(*generatetest.Checkout) {},
		"evidence moved": func(c *generatetest.Checkout) { c.Write("src/a.go", "// A line.\n"+c.Read("src/a.go")) },
	} {
		t.Run(name, func(t *testing.T) {
			c := openWiki(t)
			before := c.Read("openwiki/core.md")
			if !strings.Contains(before, "title: Core\n") || !strings.Contains(before, stamps) {
				t.Fatalf("the fixture is another:\n%s", before)
			}
			c.Write("openwiki/core.md", strings.Replace(before, "title: Core\n", "title: Core: sums\n", 1))
			change(c)
			c.Commit("edit")
			opt := c.Options(generate.ModeUpdate, &generatetest.Author{})
			opt.Actor.Producer = "wikiwright-extractive/1.0"
			out, err := generate.Do(t.Context(), opt)
			if err != nil || out.Kind != generate.OutcomeComplete {
				t.Fatalf("got %+v, %v, want it complete", out, err)
			}
			after := c.Read("openwiki/core.md")
			for _, want := range []string{"title: \"Core: sums\"\n", stamps, "  - by: openwiki/0.7.1\n    at: 2026-03-04T05:06:07.000Z\n"} {
				if strings.Count(after, want) != 1 {
					t.Errorf("the page has not once %q:\n%s", want, after)
				}
			}
			told := false
			for _, f := range out.Findings {
				told = told || f.Kind == "front_matter" && f.Page == "/openwiki/core.md" && f.Line == 3
			}
			if !told {
				t.Errorf("got findings %+v, want one of the front matter", out.Findings)
			}
			c.Commit("update")
			mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
		})
	}
}

// Before there were manifests, the last complete update covered every page
// that its sidecar proves.
func TestStatusOfWikiWithoutManifest(t *testing.T) {
	c := openWiki(t)
	head := lastUpdate(t, c).GitHead
	c.Append("src/b.go", "const Other = 1\n")
	c.Commit("change")
	status := func() map[string]generate.PageStatus {
		t.Helper()
		report, err := generate.Status(t.Context(), c.Options(generate.ModeUpdate, nil))
		if err != nil {
			t.Fatal(err)
		}
		pages := map[string]generate.PageStatus{}
		for _, p := range report.Pages {
			pages[string(p.Path)] = p
		}
		return pages
	}
	want := map[string]generate.PageStatus{
		core:                 {Path: core, GitHead: head, Covered: true, Claims: 1},
		quickstart:           {Path: quickstart, GitHead: head, Covered: true, Claims: 1},
		"/openwiki/notes.md": {Path: "/openwiki/notes.md"},
	}
	if diff := cmp.Diff(want, status()); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	last := c.Read("openwiki/.last-update.json")
	c.Write("openwiki/.last-update.json", strings.Replace(last, `"status": "complete"`, `"status": "interrupted"`, 1))
	if got := status()[core]; got.Covered || got.GitHead != "" {
		t.Errorf("after an incomplete update: got %+v, want it not covered", got)
	}
}

// A manifest is rewritten for what it says, not for the order in which
// OpenWiki wrote it, nor to move coverage along alone.
func TestManifestThatSaysTheSameStays(t *testing.T) {
	c := openWiki(t)
	update := func() {
		t.Helper()
		opt := c.Options(generate.ModeUpdate, &generatetest.Author{
			Proposal: proposal(generatetest.PlanPage("notes")),
			OnPage: map[string]rule{"/openwiki/notes.md": func(context.Context, *generate.Page) error {
				return &generate.SkipError{Reason: "needs a model"}
			}},
		})
		opt.Force = true
		if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomePartial {
			t.Fatalf("got %+v, %v, want it partial", out, err)
		}
	}
	update()
	const name = "openwiki/.page-manifest.json"
	manifest := c.Read(name)
	first, rest, _ := strings.Cut(strings.TrimPrefix(manifest, "{\n  \"schemaVersion\": 1,\n  \"pages\": {\n"), ",\n    \"/openwiki/quickstart.md\"")
	other := "{\n  \"pages\": {\n    \"/openwiki/quickstart.md\"" + strings.TrimSuffix(rest, "\n  }\n}\n") + ",\n" + first + "\n  },\n  \"schemaVersion\": 1\n}\n"
	if len(other) != len(manifest) || !strings.Contains(manifest, `"gitHead": "`+strings.TrimSpace(c.Git("rev-parse", "HEAD"))+`"`) {
		t.Fatalf("the fixture is another:\n%s\n%s", manifest, other)
	}
	c.Write(name, other)
	update()
	if diff := cmp.Diff(other, c.Read(name)); diff != "" {
		t.Errorf("the manifest was put in order:\n%s", diff)
	}
	c.Write("openwiki/notes.md", "# Notes\n\nAnother.\n")
	c.Commit("change of the wiki alone")
	update()
	if diff := cmp.Diff(other, c.Read(name)); diff != "" {
		t.Errorf("coverage moved along alone:\n%s", diff)
	}
	c.Write("src/a.go", "// A line.\n"+c.Read("src/a.go"))
	c.Commit("move evidence")
	update()
	if got := c.Read(name); got == other {
		t.Error("the manifest stayed although a page was followed")
	}
}

// An init takes what another author wrote only when git has it, and says so.
func TestInitOverPagesOfAnotherProducer(t *testing.T) {
	c := openWiki(t)
	author := &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"))}
	opt := c.Options(generate.ModeInit, author)
	opt.Actor.Producer = "wikiwright-extractive/1.0"

	committed := c.Read("openwiki/core.md")
	c.Write("openwiki/core.md", committed+"\nWords of a person.\n")
	before := c.Tree("openwiki")
	_, err := generate.Do(t.Context(), opt)
	if got := generate.CodeOf(err); got != generate.CodeInvalidInput || !strings.Contains(err.Error(), "openwiki/core.md holds text that no run wrote and that is not in git") {
		t.Errorf("edit of a tracked page: got %v", err)
	}
	if diff := cmp.Diff(before, c.Tree("openwiki")); diff != "" {
		t.Errorf("the wiki changed:\n%s", diff)
	}

	c.Write("openwiki/core.md", committed)
	c.Git("rm", "-q", "--cached", "openwiki/core.md")
	c.Write(".git/info/exclude", "openwiki/core.md\n")
	_, err = generate.Do(t.Context(), opt)
	if got := generate.CodeOf(err); got != generate.CodeInvalidInput || !strings.Contains(err.Error(), "openwiki/core.md is the work of another author and is not in git") {
		t.Errorf("page that git ignores: got %v", err)
	}

	c.Git("add", "--force", "openwiki/core.md")
	out, err := generate.Do(t.Context(), opt)
	if err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v, want it complete", out, err)
	}
	if diff := cmp.Diff([]string{"init replaced what another author wrote (2 of the pages): git has it"}, out.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}

	// What this author wrote it may write again.
	if out, err := generate.Do(t.Context(), opt); err != nil || len(out.Notes) > 0 {
		t.Errorf("init again: got %+v, %v", out, err)
	}
}

// A language in which no page could be written does not become that of the
// wiki: it would never be rewritten in it.
func TestLanguageNobodyCouldWrite(t *testing.T) {
	c := openWiki(t)
	skip := func(context.Context, *generate.Page) error { return &generate.SkipError{Reason: "needs a model"} }
	opt := c.Options(generate.ModeUpdate, &generatetest.Author{OnPage: map[string]rule{core: skip, quickstart: skip, "/openwiki/notes.md": skip}})
	opt.Language = "de"
	for range 2 {
		out, err := generate.Do(t.Context(), opt)
		if err != nil || out.Kind != generate.OutcomePartial || len(out.Pages) != 3 {
			t.Fatalf("got %+v, %v, want three pages skipped", out, err)
		}
		if got := lastUpdate(t, c); got.Language != "en" || got.Status != generate.StatusInterrupted {
			t.Errorf("metadata: got %+v, want the language as it was", got)
		}
	}
	// One page in the language is a beginning, which the next run goes on with.
	opt.NewAuthor = (&generatetest.Author{OnPage: map[string]rule{quickstart: skip, "/openwiki/notes.md": skip}}).New
	if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomePartial {
		t.Fatalf("got %+v, %v, want one page written", out, err)
	}
	if got := lastUpdate(t, c); got.Language != "de" {
		t.Errorf("metadata: got %+v, want the new language", got)
	}
}
