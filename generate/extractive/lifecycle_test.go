package extractive_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/extractive"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

const (
	quickstart = "openwiki/quickstart.md"
	goStore    = "internal/store/store.go"
)

// checkout is the Go fixture with a finished, committed wiki.
func checkout(t *testing.T) *generatetest.Checkout {
	t.Helper()
	archive, err := os.ReadFile("testdata/go.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c := generatetest.NewRepo(t, string(archive))
	if out := do(t, c, generate.ModeInit); out.Kind != generate.OutcomeComplete {
		t.Fatalf("init: %+v", out)
	}
	c.Commit("wiki")
	c.Tick()
	return c
}

func do(t *testing.T, c *generatetest.Checkout, mode generate.Mode) *generate.Outcome {
	t.Helper()
	opt := c.Options(mode, nil)
	opt.NewAuthor = func(context.Context) (generate.Author, error) { return extractive.New(extractive.Options{}), nil }
	opt.Actor.Producer = extractive.ActorPrefix + "1.0"
	out, err := generate.Do(t.Context(), opt)
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	return out
}

// pages are the wiki's pages without the state files.
func pages(c *generatetest.Checkout) map[string]string {
	all := c.Tree("openwiki")
	maps.DeleteFunc(all, func(name, _ string) bool { return !strings.HasSuffix(name, ".md") })
	return all
}

func written(out *generate.Outcome) []string {
	var names []string
	for _, p := range out.Pages {
		if p.State == generate.PageComplete {
			names = append(names, p.Path)
		}
	}
	slices.Sort(names)
	return names
}

// TestMovedLinesEndUpFresh moves lines and expects the wiki that a new one would be, whether the lifecycle moved the links of a page or
// the author wrote it again; pages that do not cite the file are left alone.
func TestMovedLinesEndUpFresh(t *testing.T) {
	c := checkout(t)
	before := pages(c)
	c.Write(goStore, strings.Replace(c.Read(goStore), "import \"errors\"\n", "import \"errors\"\n\nvar opened int\n\nvar closed int\n", 1))
	c.Commit("two variables")
	out := do(t, c, generate.ModeUpdate)
	if out.Kind != generate.OutcomeComplete {
		t.Fatalf("update: %+v", out)
	}
	for _, name := range written(out) {
		if !strings.Contains(before[strings.TrimPrefix(name, "/")], "store.go#L") {
			t.Errorf("%s does not cite the changed file and was written", name)
		}
	}
	after := pages(c)
	if before["openwiki/architecture.md"] == after["openwiki/architecture.md"] {
		t.Error("the links of the architecture page were not moved")
	}
	fresh := generatetest.NewRepo(t, "")
	for name, data := range c.Tree(".") {
		if !strings.HasPrefix(name, "openwiki/") {
			fresh.Write(name, data)
		}
	}
	fresh.Commit("all")
	do(t, fresh, generate.ModeInit)
	for name, data := range pages(fresh) {
		if diff := cmp.Diff(body(data), body(after[name])); diff != "" {
			t.Errorf("%s: moved links differ from a fresh page (-fresh +moved):\n%s", name, diff)
		}
	}
}

// body is a page without its front matter, whose stamps differ.
func body(page string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(page, "---\n"), "\n---\n")
	return rest
}

func TestNewFactRewritesOnlyWhatTellsIt(t *testing.T) {
	c := checkout(t)
	before := pages(c)
	c.Write(goStore, strings.Replace(c.Read(goStore), "Package store keeps values as files.", "Package store keeps values in one file.", 1))
	c.Commit("one file")
	out := do(t, c, generate.ModeUpdate)
	if out.Kind != generate.OutcomeComplete || out.Claims.Stale+out.Claims.Unresolved > 0 {
		t.Fatalf("update: %+v", out)
	}
	after := pages(c)
	if !strings.Contains(after[quickstart], "Keeps values in one file.") {
		t.Errorf("the quickstart does not tell the new purpose:\n%s", after[quickstart])
	}
	for _, name := range []string{"openwiki/operations.md", "openwiki/configuration.md"} {
		if before[name] != after[name] {
			t.Errorf("%s changed:\n%s", name, cmp.Diff(before[name], after[name]))
		}
	}
	if again := do(t, c, generate.ModeUpdate); again.Kind != generate.OutcomeNoop {
		t.Errorf("update again: %+v", again)
	}
}

func TestHandEditedPageKeepsItsText(t *testing.T) {
	c := checkout(t)
	edited := strings.Replace(c.Read(quickstart), "# Shelf\n", "# Shelf\n\nOur own words.\n", 1)
	c.Write(quickstart, edited)
	c.Write(goStore, strings.Replace(c.Read(goStore), "keeps values as files", "keeps values in one file", 1))
	c.Commit("words and source")
	out := do(t, c, generate.ModeUpdate)
	if out.Kind != generate.OutcomeComplete || out.Claims.Stale+out.Claims.Unresolved > 0 {
		t.Fatalf("update: %+v", out)
	}
	if got := body(c.Read(quickstart)); got != body(edited) {
		t.Errorf("the text changed:\n%s", cmp.Diff(body(edited), got))
	}
	if again := do(t, c, generate.ModeUpdate); again.Kind != generate.OutcomeNoop {
		t.Errorf("update again: %+v", again)
	}
}

func TestPageOfAnotherAuthorIsSkipped(t *testing.T) {
	c := checkout(t)
	const page = "openwiki/architecture.md"
	for name, data := range c.Tree("openwiki") { // as another producer would have left them
		c.Write(name, strings.ReplaceAll(data, extractive.ActorPrefix+"1.0", "openwiki/0.9"))
	}
	if c.Read(page) == "" || !strings.Contains(c.Read(page), "openwiki/0.9") {
		t.Fatalf("the fixture has no stamp:\n%s", c.Read(page))
	}
	c.Commit("another author")
	c.Write(goStore, strings.Replace(c.Read(goStore), "Package store keeps values as files.", "Package store keeps values in one file.", 1))
	c.Write("internal/extra/extra.go", "// Package extra counts values.\npackage extra\n\n// Count counts.\nfunc Count() int { return 0 }\n")
	c.Commit("change")
	before := pages(c)
	for range 2 {
		out := do(t, c, generate.ModeUpdate)
		if out.Kind != generate.OutcomePartial {
			t.Errorf("got outcome %+v, want it partial", out)
		}
		for _, p := range out.Pages {
			if p.State == generate.PageSkipped && p.Reason != "needs a model" {
				t.Errorf("%s: reason %q", p.Path, p.Reason)
			}
			if p.Change == generate.ChangeNew {
				t.Errorf("%s was added to the wiki of another author", p.Path)
			}
		}
		if diff := cmp.Diff(before, pages(c)); diff != "" {
			t.Errorf("pages changed:\n%s", diff)
		}
	}
}

// A page of another author without its stamp, from before there were stamps or because an edit took it, stays with its Claims: retracting
// those that no longer hold would leave the wrong words on the page and nothing to tell that they are.
func TestPageOfAnotherAuthorWithoutStampIsSkipped(t *testing.T) {
	for name, edit := range map[string]func(page string) string{
		"old":    func(page string) string { return page },
		"edited": func(page string) string { return page + "\nA word of a person.\n" },
		"broken": func(page string) string { return strings.Replace(page, "title: ", "title: a: ", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			c := checkout(t)
			const page, sidecar = "openwiki/architecture.md", "openwiki/.claims/architecture.json"
			for name, data := range c.Tree("openwiki") {
				c.Write(name, strings.ReplaceAll(data, extractive.ActorPrefix+"1.0", "openwiki/0.3.3"))
			}
			before, rest, ok := strings.Cut(c.Read(page), "generated:")
			_, after, _ := strings.Cut(rest, "\n")
			if !ok {
				t.Fatalf("the fixture has no stamp:\n%s", c.Read(page))
			}
			c.Write(page, edit(before+after))
			c.Commit("another author")
			c.Write(goStore, strings.Replace(c.Read(goStore), "Package store keeps values as files.", "Package store keeps values in one file.", 1))
			c.Commit("change")
			text, claims := c.Read(page), c.Read(sidecar)
			out := do(t, c, generate.ModeUpdate)
			if out.Kind != generate.OutcomePartial || out.Claims.Stale+out.Claims.Unresolved == 0 {
				t.Errorf("got %+v, want the stale Claims told", out)
			}
			if diff := cmp.Diff(text, c.Read(page)); diff != "" {
				t.Errorf("the page changed:\n%s", diff)
			}
			if diff := cmp.Diff(claims, c.Read(sidecar)); diff != "" {
				t.Errorf("its Claims changed:\n%s", diff)
			}
		})
	}
}

// A wiki from before there were Claims and stamps is not ours either. Where the source changed, nothing but a model can tell whether its
// pages still hold, so the baseline stays where it is.
func TestWikiWithoutClaimsIsNotTakenOver(t *testing.T) {
	c := checkout(t)
	for name := range c.Tree("openwiki/.claims") {
		c.Remove(name)
	}
	for name, data := range pages(c) {
		var kept []string
		for line := range strings.Lines(data) {
			if !strings.HasPrefix(line, "generated:") {
				kept = append(kept, line)
			}
		}
		c.Write(name, strings.Join(kept, ""))
	}
	c.Remove("openwiki/.page-manifest.json")
	c.Commit("an old wiki")
	if out := do(t, c, generate.ModeUpdate); out.Kind != generate.OutcomeNoop {
		t.Errorf("nothing changed: got %+v", out)
	}
	c.Write(goStore, strings.Replace(c.Read(goStore), "Package store keeps values as files.", "Package store keeps values in one file.", 1))
	c.Commit("change")
	before, update := pages(c), c.Read("openwiki/.last-update.json")
	for range 2 {
		out := do(t, c, generate.ModeUpdate)
		if out.Kind != generate.OutcomePartial || len(out.Pages) == 0 || out.Pages[0].Reason != "needs a model" {
			t.Errorf("the source changed: got %+v", out)
		}
	}
	if diff := cmp.Diff(before, pages(c)); diff != "" {
		t.Errorf("pages changed:\n%s", diff)
	}
	if head := between(update, `"gitHead": "`, `"`); !strings.Contains(c.Read("openwiki/.last-update.json"), head) {
		t.Errorf("the baseline moved from %s:\n%s", head, c.Read("openwiki/.last-update.json"))
	}
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

// A checkout that converts line endings is no reason to write a page.
func TestConvertedLineEndings(t *testing.T) {
	c := checkout(t)
	c.Write(".gitattributes", "* text eol=crlf\n")
	c.Commit("convert")
	for name, data := range c.Tree(".") {
		if !strings.Contains(data, "\r\n") {
			c.Write(name, strings.ReplaceAll(data, "\n", "\r\n"))
		}
	}
	c.Write("internal/other/doc.txt", "text\r\n")
	c.Commit("change")
	before := pages(c)
	out := do(t, c, generate.ModeUpdate)
	if out.Kind != generate.OutcomeComplete || len(written(out)) > 0 {
		t.Errorf("got %+v, want no page written", out)
	}
	if diff := cmp.Diff(before, pages(c)); diff != "" {
		t.Errorf("pages changed:\n%s", diff)
	}
}

// A repository of which nothing can be told has a wiki all the same.
func TestBareRepository(t *testing.T) {
	for name, archive := range map[string]string{
		"a word":    "-- a.go --\nx\n",
		"a note":    "-- notes.txt --\nremember\n-- .openwikiignore --\nsecret\n",
		"a picture": "-- logo.png --\n\x89PNG\x00\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := generatetest.NewRepo(t, archive)
			if out := do(t, c, generate.ModeInit); out.Kind != generate.OutcomeComplete || out.Claims.Total == 0 {
				t.Fatalf("init: %+v", out)
			}
			c.Commit("wiki")
			if out := do(t, c, generate.ModeUpdate); out.Kind != generate.OutcomeNoop {
				t.Errorf("update: %+v", out)
			}
		})
	}
}
