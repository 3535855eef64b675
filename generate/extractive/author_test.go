package extractive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// onePage is a fresh page with one claim on line 1 of a.go.
func onePage(name string) *page {
	p := newPage(fixedFiles(map[string]string{"a.go": "package a // keeps users\n"}), name)
	p.kind, p.title, p.description, p.tags = "Guide", "A", "About a.", []string{"a"}
	p.body = append(p.body, "# A\n\n"...)
	p.say(words("Keeps users."), survey.Ref{Path: "a.go", Start: 1, End: 1})
	p.section(2, "Where change happens", func() { p.guide(words("`a.go`")) })
	p.section(2, "Neighbours", func() { p.guide(words("None.")) })
	return p
}

// onDisk is a page as the lifecycle left it after an earlier run.
func onDisk(p *page, edit func(*generate.ExistingPage)) generate.ExistingPage {
	text := wiki.SetGenerated(p.text(""), &wiki.Event{By: ActorPrefix + "1.0", At: "2030-01-02T03:04:05.678Z"})
	e := generate.ExistingPage{Path: wiki.PagePath("/" + p.path), GeneratedBy: ActorPrefix + "1.0", Text: text}
	for i, c := range p.claims {
		e.Claims = append(e.Claims, claims.Inspected{ID: string(rune('a' + i)), Statement: c.Statement, Evidence: c.Evidence})
	}
	if edit != nil {
		edit(&e)
	}
	return e
}

func TestPropose(t *testing.T) {
	const name = "openwiki/a.md"
	const quickstart = "openwiki/quickstart.md"
	replace := func(old, new string) func(*generate.ExistingPage) {
		return func(e *generate.ExistingPage) { e.Text = []byte(strings.ReplaceAll(string(e.Text), old, new)) }
	}
	by := func(actor string) func(*generate.ExistingPage) {
		return func(e *generate.ExistingPage) {
			e.GeneratedBy = actor
			e.Text = wiki.SetGenerated(e.Text, &wiki.Event{By: actor})
		}
	}
	for _, tc := range []struct {
		name    string
		have    []generate.ExistingPage
		issues  []claims.Issue
		pages   []string
		deleted []string
	}{
		{name: "new wiki", pages: []string{"/" + name}},
		{name: "nothing changed", have: []generate.ExistingPage{onDisk(onePage(name), nil)}},
		{name: "body changed", have: []generate.ExistingPage{onDisk(onePage(name), replace("Keeps users.", "Keeps groups."))}, pages: []string{"/" + name}},
		{name: "title changed", have: []generate.ExistingPage{onDisk(onePage(name), replace("title: A", "title: B"))}, pages: []string{"/" + name}},
		{name: "only history changed", have: []generate.ExistingPage{onDisk(onePage(name), replace("`a.go`", "`b.go`"))}},
		{name: "claims changed", have: []generate.ExistingPage{onDisk(onePage(name), func(e *generate.ExistingPage) { e.Claims[0].Statement = "Old." })}, pages: []string{"/" + name}},
		{name: "issue", have: []generate.ExistingPage{onDisk(onePage(name), nil)}, issues: []claims.Issue{{Page: "/" + name}}, pages: []string{"/" + name}},
		{name: "edited by hand", have: []generate.ExistingPage{onDisk(onePage(name), func(e *generate.ExistingPage) { e.HandEdited = true })}, pages: []string{"/" + name}},
		{name: "own page without a place", have: []generate.ExistingPage{onDisk(onePage(name), nil), onDisk(onePage("openwiki/old.md"), nil)}, deleted: []string{"/openwiki/old.md"}},
		{name: "quickstart is never deleted", have: []generate.ExistingPage{onDisk(onePage(name), nil), onDisk(onePage(quickstart), nil)}},
		{name: "edited page without a place stays", have: []generate.ExistingPage{onDisk(onePage(name), nil), onDisk(onePage("openwiki/old.md"), func(e *generate.ExistingPage) { e.HandEdited = true })}},
		{name: "wiki of another author gets no pages", have: []generate.ExistingPage{onDisk(onePage("openwiki/other.md"), by("openwiki/0.9"))}},
		{name: "page of another author stays", have: []generate.ExistingPage{onDisk(onePage(name), by("openwiki/0.9"))}, issues: []claims.Issue{{Page: "/" + name}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := propose(&generate.Planning{Existing: tc.have, Issues: tc.issues}, map[string]*page{name: onePage(name)}, quickstart)
			var pages []string
			for _, p := range got.Pages {
				pages = append(pages, p.Path)
			}
			if diff := cmp.Diff(tc.pages, pages); diff != "" {
				t.Errorf("pages (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.deleted, got.DeletePages); diff != "" {
				t.Errorf("deleted (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMergeKeepsForeignFields(t *testing.T) {
	p := onePage("openwiki/a.md")
	old := "---\ntype: Old\ntitle: Old\nowner: team-a\ngenerated: { by: \"wikiwright-extractive/1.0\" }\n---\n\n# Old\n"
	want := "---\ntype: Guide\ntitle: A\ndescription: \"About a.\"\ntags: [a]\nowner: team-a\ngenerated: { by: \"wikiwright-extractive/1.0\" }\n---\n\n# A\n"
	if got := string(p.merge([]byte(old))); !strings.HasPrefix(got, want) {
		t.Errorf("merge = %s\nwant the beginning %s", got, want)
	}
	again := p.merge(p.merge([]byte(old)))
	if diff := cmp.Diff(string(p.merge([]byte(old))), string(again)); diff != "" {
		t.Errorf("merging twice changes the page:\n%s", diff)
	}
}
