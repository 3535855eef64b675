package wiki

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRepair(t *testing.T) {
	for _, test := range []struct{ name, in, lang, want string }{
		{
			// https://github.com/langchain-ai/openwiki/issues/386
			name: "no front matter",
			in:   "# Old\ntext\n",
			want: "---\ntype: \"Reference\"\ntitle: \"Old\"\nopenwiki_generated: true\n---\n\n# Old\ntext\n",
		},
		{
			name: "no heading, other language", lang: "de",
			in:   "text\n",
			want: "---\ntype: \"Referenz\"\ntitle: \"Old page\"\nopenwiki_generated: true\n---\n\ntext\n",
		},
		{
			name: "empty page",
			in:   "",
			want: "---\ntype: \"Reference\"\ntitle: \"Old page\"\nopenwiki_generated: true\n---\n",
		},
		{
			// https://github.com/VectifyAI/OpenKB/issues/67
			name: "colon and hash",
			in:   "---\ntitle: Auth: tokens #2\ntype: Concept\n---\n",
			want: "---\ntitle: \"Auth: tokens #2\"\ntype: Concept\n---\n",
		},
		{
			name: "truncated at hash",
			in:   "---\ntitle: Update #2 (new)\ntype: Concept # kind\n---\nb\n",
			want: "---\ntitle: \"Update #2 (new)\"\ntype: Concept # kind\n---\nb\n",
		},
		{
			name: "special first characters",
			in:   "---\ntype: Concept\ntitle: `go` tool\ndescription: @scope/pkg and *all*\nx: %d\ny: *star\nz: &amp\n---\n",
			want: "---\ntype: Concept\ntitle: \"`go` tool\"\ndescription: \"@scope/pkg and *all*\"\nx: \"%d\"\ny: \"*star\"\nz: &amp\n---\n",
		},
		{
			name: "phrase read as anchor or tag",
			in:   "---\ntype: !important rule\ntitle: &all things\n---\n",
			want: "---\ntype: \"!important rule\"\ntitle: \"&all things\"\n---\n",
		},
		{
			name: "phrase read as list, number, quotes that end early",
			in:   "---\ntype: 404\ntitle: [Draft] one\ndescription: \"Foo\" and bar\n---\n",
			want: "---\ntype: \"404\"\ntitle: \"[Draft] one\"\ndescription: \"\\\"Foo\\\" and bar\"\n---\n",
		},
		{
			name: "phrase over two lines",
			in:   "---\ntype: X\ndescription: first: part\n  and second\ntags: [a]\n---\n",
			want: "---\ntype: X\ndescription: \"first: part and second\"\ntags: [a]\n---\n",
		},
		{
			// https://github.com/jamditis/claude-skills-journalism/pull/139
			name: "byte order mark",
			in:   "\xEF\xBB\xBF---\ntype: X\n---\n",
			want: "---\ntype: X\n---\n",
		},
		{
			name: "byte order mark without block",
			in:   "\ufeff# T\n",
			want: "---\ntype: \"Reference\"\ntitle: \"T\"\nopenwiki_generated: true\n---\n\n# T\n",
		},
		{
			name: "leading blank line",
			in:   "\n\n---\ntype: X\n---\nb\n",
			want: "---\ntype: X\n---\nb\n",
		},
		{
			// https://github.com/nashsu/llm_wiki/pull/581
			name: "whole page fenced",
			in:   "```markdown\n---\ntype: X\ntitle: T\n---\n\n# T\n\n```go\nx\n```\n\nend\n```\n",
			want: "---\ntype: X\ntitle: T\n---\n\n# T\n\n```go\nx\n```\n\nend\n",
		},
		{
			name: "whole page fenced, crlf",
			in:   "```markdown\r\n---\r\ntype: X\r\n---\r\n\r\n# T\r\n```\r\n",
			want: "---\r\ntype: X\r\n---\r\n\r\n# T\r\n",
		},
		{
			name: "whole page fenced, no front matter",
			in:   "```md\n# T\n\n```go\nx\n```\nend\n```",
			want: "---\ntype: \"Reference\"\ntitle: \"T\"\nopenwiki_generated: true\n---\n\n# T\n\n```go\nx\n```\nend\n",
		},
		{
			name: "block fenced with delimiters",
			in:   "```yaml\n---\ntype: X\ntitle: T\n---\n```\n\n# T\n",
			want: "---\ntype: X\ntitle: T\n---\n\n# T\n",
		},
		{
			name: "block fenced without delimiters, crlf",
			in:   "```yaml\r\ntype: X\r\ntitle: T\r\n```\r\n\r\n# T\r\n",
			want: "---\r\ntype: X\r\ntitle: T\r\n---\r\n\r\n# T\r\n",
		},
		{
			name: "fence inside the delimiters",
			in:   "---\n```yaml\ntype: X\ntitle: T\n```\n---\n# T\n",
			want: "---\ntype: X\ntitle: T\n---\n# T\n",
		},
		{
			name: "stray first line",
			in:   "markdown\n---\ntype: X\n---\n# T\n",
			want: "---\ntype: X\n---\n# T\n",
		},
		{
			name: "page that starts with a code block",
			in:   "```go\npackage a\n```\n\n# T\n",
			want: "---\ntype: \"Reference\"\ntitle: \"T\"\nopenwiki_generated: true\n---\n\n```go\npackage a\n```\n\n# T\n",
		},
		{
			name: "page that starts and ends with code blocks",
			in:   "```markdown\n# x\n```\ntext\n```go\ncode\n```\n",
			want: "---\ntype: \"Reference\"\ntitle: \"Old page\"\nopenwiki_generated: true\n---\n\n```markdown\n# x\n```\ntext\n```go\ncode\n```\n",
		},
		{
			name: "yaml example that is no block",
			in:   "```yaml\nname: ci\n```\n\n# T\n",
			want: "---\ntype: \"Reference\"\ntitle: \"T\"\nopenwiki_generated: true\n---\n\n```yaml\nname: ci\n```\n\n# T\n",
		},
		{
			// https://github.com/langchain-ai/openwiki/pull/728
			name: "bad optional fields",
			in: "---\ntype: X\ngenerated: yesterday\nverified: {by: x}\ntags: \"a,b\"\ntimestamp: 2026-13-40\nx_custom: 1\n" +
				"status: final\nstale_after: soon\ndescription: \"\"\nresource: 3\n---\nb\n",
			want: "---\ntype: X\nverified: {by: x}\ntags:\n  - a\n  - b\ntimestamp: 2026-13-40\nx_custom: 1\n---\nb\n",
		},
		{
			name: "lists keep their valid entries",
			in: "---\ntype: X\ntags: [a, 1, '', \"b: c\"]\nverified:\n  - by: x\n    note: n\n  - by: ''\nsources:\n- resource: r\n  extra: {k: v}\n- nope\n" +
				"x: 1\n---\nb\n",
			want: "---\ntype: X\ntags:\n  - a\n  - \"b: c\"\nverified:\n  - by: x\n    note: n\nsources:\n  - resource: r\n    extra:\n      k: v\nx: 1\n---\nb\n",
		},
		{
			name: "missing type and title",
			in:   "---\n# comment\nx: 1   # kept\n---\n# Heading ##\n",
			want: "---\n# comment\nx: 1   # kept\ntype: \"Reference\"\ntitle: \"Heading\"\nopenwiki_generated: true\n---\n# Heading ##\n",
		},
		{
			name: "bad title",
			in:   "---\ntype: X\ntitle:\n---\n```\n# no\n```\n# Yes\n",
			want: "---\ntype: X\ntitle: \"Yes\"\n---\n```\n# no\n```\n# Yes\n",
		},
		{
			name: "unclosed block",
			in:   "---\ntype: X\ntitle: T\n\n# T\ntext\n",
			want: "---\ntype: X\ntitle: T\n---\n\n# T\ntext\n",
		},
		{
			name: "prose between breaks is kept",
			in:   "---\njust words\n---\n# T\n",
			want: "---\ntype: \"Reference\"\ntitle: \"T\"\nopenwiki_generated: true\n---\n\n---\njust words\n---\n# T\n",
		},
		{
			name: "duplicate keys",
			in:   "---\ntype: X\ntype: Y\nx: 1\n---\nb\n",
			want: "---\ntype: X\nx: 1\n---\nb\n",
		},
		{
			name: "flow mapping without type",
			in:   "---\n{title: T, x: [1, 2]}\n---\nb\n",
			want: "---\ntitle: T\nx:\n  - 1\n  - 2\ntype: \"Reference\"\nopenwiki_generated: true\n---\nb\n",
		},
		{
			name: "nothing usable",
			in:   "---\ntitle: \x00\xff\n- x\n---\nb\n",
			want: "---\ntitle: \"\ufffd - x\"\ntype: \"Reference\"\nopenwiki_generated: true\n---\nb\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, notes := Repair([]byte(test.in), "/openwiki/old-page.md", test.lang)
			if string(out) != test.want {
				t.Errorf("Repair:\n got %q\nwant %q", out, test.want)
			}
			if len(notes) == 0 {
				t.Error("repair is not reported")
			}
			if issues := Parse(out).Issues(); len(issues) != 0 {
				t.Errorf("repaired page has issues: %v", issues)
			}
		})
	}
}

// Nothing that others signed goes without a word.
func TestRepair_tellsWhatItDrops(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []Issue
	}{
		{
			name: "entries", in: "---\ntype: X\nverified:\n  - by: ann\n    at: soon\n  - by: ben\n  - carl\nsources:\n  - id: a\n---\nb\n",
			want: []Issue{
				{"invalid_verified", 3, "verified has an entry (1) that is not a mapping of by and an optional ISO date at"},
				{"invalid_sources", 8, "sources has an entry (1) that is not a mapping with a resource"},
				{"dropped_verified", 4, "verified loses an entry that the format does not allow: by: ann, at: soon"},
				{"dropped_verified", 7, "verified loses an entry that the format does not allow: carl"},
				{"dropped_sources", 9, "sources loses an entry that the format does not allow: id: a"},
			},
		},
		{
			name: "no list", in: "---\ntype: X\nsources: our own notes\n---\nb\n",
			want: []Issue{
				{"invalid_sources", 3, "sources is not a list"},
				{"dropped_sources", 3, "sources loses an entry that the format does not allow: our own notes"},
			},
		},
		{
			name: "mapping instead of a list", in: "---\ntype: X\nsources: {resource: r}\n---\nb\n",
			want: []Issue{{"invalid_sources", 3, "sources is not a list"}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, got := Repair([]byte(test.in), "/openwiki/a.md", "")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepair_validPageIsUntouched(t *testing.T) {
	in := []byte("---\ntype:   X # kind\n\ntitle: 'a'\ntags:\n- z\nx: {a: 1}\n---\n\n\nbody  \n")
	out, notes := Repair(in, "/openwiki/a.md", "")
	if &out[0] != &in[0] || len(notes) != 0 {
		t.Errorf("Repair changed a valid page: %q, notes %v", out, notes)
	}
}

func TestRepair_titleFromName(t *testing.T) {
	for _, test := range []struct{ page, want string }{
		{"/openwiki/order-intake_flow.md", "Order intake flow"},
		{"/openwiki/élan.md", "Élan"},
		{"/openwiki/---.md", "Reference"},
	} {
		out, _ := Repair([]byte("x"), PagePath(test.page), "")
		if got := Parse(out).String("title"); got != test.want {
			t.Errorf("title of %s = %q, want %q", test.page, got, test.want)
		}
	}
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{
		"# Old\ntext\n", "---\ntitle: Auth: tokens #2\ntype: Concept\n---\n", "\ufeff---\ntype: X\n---\n", "```markdown\n---\ntype: X\n---\nb\n```",
		"---\n{a: 1, type: X}\n---\n", "---\ntype: X\n\n# T\n", "---\r\ntype: X\r\ntags: a\r\n---\r\nb\r\n", "---\n? a\n: b\n---\n",
		"---\n- a\n---\nb", "---\ntype: |+\n  a\n\n\ntitle: \"a\n  b\"\n---\n", "---\na: &x 1\nb: *x\ngenerated: no\n---\n", "---\n!!map {type: a}\n---\n",
		"---\ntype: X\u0085title: y\n---\n", "---\n\"type\": a\n'title': [b\n---\n", "---\ntype:\n ", "---\n!0 {type: A}\n---\n", "---\nsources: [{resource: a, b: &c d}]\nx: *c\n---\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		const page = "/openwiki/some-page.md"
		out, _ := Repair(in, page, "en")
		d := Parse(out)
		if issues := d.Issues(); len(issues) != 0 {
			t.Fatalf("repaired page has issues %v\n in %q\nout %q", issues, in, out)
		}
		if again, notes := Repair(out, page, "en"); string(again) != string(out) || len(notes) != 0 {
			t.Fatalf("second repair is not a no-op: %q", again)
		}
		if _, unwrapped := unwrapFence(in); !unwrapped {
			if got, want := string(d.Body()), string(Parse(in).Body()); got != want && strings.TrimLeft(got, "\r\n") != strings.TrimLeft(want, "\r\n") {
				t.Fatalf("body changed:\n in %q\nout %q", want, got)
			}
		}
		checkEdits(t, out)
	})
}

// checkEdits sets and removes fields of a valid page and looks for damage.
func checkEdits(t *testing.T, page []byte) {
	t.Helper()
	event := Event{By: "wikiwright/1: #x", At: "2030-01-02T03:04:05.678Z"}
	edited := SetSources(SetVerified(SetGenerated(page, &event), []Event{{By: "someone"}, event}), []SourceEntry{OwnSource("repo://a b: #c")})
	d := Parse(edited)
	if got, ok := d.Generated(); !ok || got != event {
		t.Fatalf("generated = %v, %v in %q", got, ok, edited)
	}
	if got := d.Verified(); len(got) != 2 || got[1] != event || got[0].By != "someone" {
		t.Fatalf("verified = %v in %q", got, edited)
	}
	if got := d.Sources(); len(got) != 1 || !got[0].Equal(OwnSource("repo://a b: #c")) {
		t.Fatalf("sources = %v in %q", got, edited)
	}
	if len(d.Issues()) != 0 {
		t.Fatalf("edited page has issues %v: %q", d.Issues(), edited)
	}
	if string(d.Body()) != string(Parse(page).Body()) {
		t.Fatalf("edit changed the body of %q to %q", page, edited)
	}
	bare := RemoveField(RemoveField(RemoveField(edited, "generated"), "verified"), "sources")
	want := RemoveField(RemoveField(RemoveField(page, "generated"), "verified"), "sources")
	if !sameFields(bare, want) {
		t.Fatalf("other fields changed:\n got %q\nwant %q", bare, want)
	}
}

func sameFields(a, b []byte) bool {
	da, db := Parse(a), Parse(b)
	return slices.EqualFunc(da.others(""), db.others(""), equalNodes) && string(da.Body()) == string(db.Body())
}
