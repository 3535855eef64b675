package wiki

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// newWiki makes a checkout with the files of a map and opens its wiki.
func newWiki(t testing.TB, files map[string]string) *Wiki {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := atomicfile.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	w, err := Open(dir, DefaultDir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// existsIn answers for a fixed set of files.
func existsIn(files ...string) func(string) (file, dir bool) {
	return func(name string) (file, dir bool) {
		for _, f := range files {
			file = file || f == name
			dir = dir || strings.HasPrefix(f, name+"/")
		}
		return file, dir
	}
}

func TestSlug(t *testing.T) {
	// https://github.com/azrtydxb/procoder/pull/56, https://github.com/jmrplens/gitlab-mcp-server/pull/788
	for _, test := range []struct{ in, want string }{
		{"Files & skills", "files--skills"},
		{"DeepSeek: reasoning_content", "deepseek-reasoning_content"},
		{"循环（Loop）", "循环loop"},
		{"🛠️ Dev", "-dev"},
		{"🛠 Dev", "-dev"},
		{"MLE (max)", "mle-max"},
		{"Héllo Wörld", "héllo-wörld"},
		{"e\u0301te", "e\u0301te"},
		{"a  b", "a--b"},
		{"a -- b", "a----b"},
		{"C++ / C#", "c--c"},
		{"v1.2.3", "v123"},
		{"ÀÉ", "àé"},
		{"  x ", "x"},
		{"٣ हिन्दी", "٣-हिन्दी"},
		{"", ""},
	} {
		if got := Slug(test.in); got != test.want {
			t.Errorf("Slug(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestScanPage_anchors(t *testing.T) {
	page := "---\ntype: X\n---\n# Setup\n## Setup\nTwo `words`\n---\n### DeepSeek: `reasoning_content`\n#### A &amp; B *c* [d](x)\n```\n# Not this\n```\n" +
		"<a id=\"here\"></a>\n\n<h2 name='there'>x</h2>\n\n# :rocket: Go\n\ntext <a name=\"inline\">\n"
	marks := scanPage([]byte(page)).marks
	for _, anchor := range []string{
		"setup", "setup-1", "two-words", "deepseek-reasoning_content", "a--b-c-d", "here", "there", "inline", "rocket-go", "-go", "top", "TOP", "", "Setup",
		"user-content-setup", "deepseek%2Dreasoning_content",
	} {
		if !marks.has(anchor) {
			t.Errorf("anchor %q is missing", anchor)
		}
	}
	for _, anchor := range []string{"setup-2", "not-this", "x", "a-b"} {
		if marks.has(anchor) {
			t.Errorf("anchor %q is accepted", anchor)
		}
	}
}

func TestCheckLinks(t *testing.T) {
	w := newWiki(t, map[string]string{
		"docs/decision.md": "# Why\n",
		"openwiki/arch/core.md": "---\ntype: X\n---\n" + // body starts on line 4
			"[a](../../src/a.go#L4) [b](core.md#a--b) [c](../../docs/decision.md)\n" +
			"## A & B\n## e\u0301te\n[d](#\u00e9te) [e](../../docs/decision.md#why) [f](../) [g](/src/a.go)\n" +
			"[gone](nope.md) `[code](nope2.md)`\n" +
			"```\n[code](nope3.md)\n```\n" +
			"[h](#none) [i](../quickstart.md#limits \"t\") ![p](pic.png)\n" +
			"[ref][r] [j](<a b.md>) [k](https://x.org/y) [l](//x.org) [m](mailto:a@b.c) [n](../../../../issues/1) [o](../../../x)\n" +
			"\n[r]: missing.md\n\n" +
			"[p](repo://src/a.go#L4-L6) [q](../../src/) [r](core.md/) [s](../../docs/decision.md#L3) [t](../../docs/decision.md#nope) [u](core.md?plain=1#L2)\n" +
			"<!-- openwiki: broken internal link x -->\n",
		"openwiki/quickstart.md": "---\ntype: X\n---\n# Quotas\n[ok](arch/core.md#A--B) [sp](a%20b.md) [dir](arch)\n",
		"openwiki/a b.md":        "x",
	})
	pages, err := w.Pages()
	if err != nil {
		t.Fatal(err)
	}
	findings, err := CheckLinks(w, pages, existsIn("src/a.go", "docs/decision.md"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s:%d %s %s", f.Page, f.Line, f.Kind, f.Message))
	}
	const core = "/openwiki/arch/core.md"
	want := []string{
		core + ":8 broken_link link nope.md: there is no openwiki/arch/nope.md",
		core + ":12 broken_link link #none: this page has no heading #none",
		core + ":12 broken_link link ../quickstart.md#limits: quickstart.md has no heading #limits",
		core + ":12 broken_link image pic.png: there is no openwiki/arch/pic.png",
		core + ":13 broken_link link a b.md: there is no openwiki/arch/a b.md",
		core + ":13 broken_link link ../../../x: it leads out of the repository",
		core + ":15 broken_link link missing.md: there is no openwiki/arch/missing.md",
		core + ":17 broken_link link repo://src/a.go#L4-L6: repo:// is not a link GitHub opens",
		core + ":17 broken_link link core.md/: openwiki/arch/core.md is not a directory",
		core + ":17 broken_link link ../../docs/decision.md#nope: decision.md has no heading #nope",
		core + ":18 stale_stamp a broken-link comment of an earlier tool is left in the text",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// https://github.com/langchain-ai/openwiki/issues/358: a renamed heading is reported once, and again the same.
func TestCheckLinks_renamedHeading(t *testing.T) {
	w := newWiki(t, map[string]string{
		"openwiki/core.md":       "---\ntype: X\n---\n## Quotas\n",
		"openwiki/quickstart.md": "---\ntype: X\n---\n[limits](core.md#limits)\n",
	})
	want := []Finding{{Kind: KindBrokenLink, Page: "/openwiki/quickstart.md", Line: 4, Message: "link core.md#limits: core.md has no heading #limits"}}
	for range 2 {
		findings, err := CheckLinks(w, []PagePath{"/openwiki/core.md", "/openwiki/quickstart.md", "/openwiki/gone.md"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, findings); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
	}
}

// https://github.com/langchain-ai/openwiki/pull/636: code spans that look like repository paths are checked.
func TestCheckLinks_deadPaths(t *testing.T) {
	w := newWiki(t, map[string]string{
		"gen/out.go": "x",
		"openwiki/core.md": "---\ntype: X\nsources: [{resource: 'repo://mod/pkg/x.go'}]\n---\nSee `src/a.go` and `src/core/a.go`, `src/a.go:12-14`.\n" +
			"`lib/old.py` `gen/out.go` `core/a.go` `net/http` `application/json` `github.com/x/y.go` `src/*.go` `./a.go` `/abs/a.go` `https://x/a.go`\n" +
			"`dist/app.js` `a.go` `foo/bar.txt` `src/gone.txt` `cat src/b.go` `v1/users.json` `src/a.go#L4`\n" +
			"`pkg/sub/y.go` `openwiki/_plan.md` `openwiki/.run.json` `src/build/z.go` `lib2/x/{a,b}` `x/q.go`\n",
	})
	findings, err := CheckLinks(w, []PagePath{"/openwiki/core.md"}, existsIn("src/core/a.go", "mod/pkg/x.go", "mod/pkg/sub/y.go", "lib2/x/q.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{KindDeadPath, "/openwiki/core.md", 5, "src/a.go is not in the repository"},
		{KindDeadPath, "/openwiki/core.md", 5, "src/a.go is not in the repository"},
		{KindDeadPath, "/openwiki/core.md", 6, "lib/old.py is not in the repository"},
		{KindDeadPath, "/openwiki/core.md", 7, "src/gone.txt is not in the repository"},
		{KindDeadPath, "/openwiki/core.md", 7, "src/a.go is not in the repository"},
	}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestNormalizeLinks(t *testing.T) {
	exists := existsIn("src/a.go", "src/my file.go", "docs/x.md", "openwiki/quickstart.md", "openwiki/arch/core.md")
	for _, test := range []struct{ name, in, want string }{
		// https://github.com/langchain-ai/openwiki/issues/602
		{"absolute to source", "[s](/src/a.go)", "[s](../../src/a.go)"},
		{"absolute to wiki", "[q](/openwiki/quickstart.md#top)", "[q](../quickstart.md#top)"},
		{"absolute to a wiki page that is not there yet", "[q](/openwiki/arch/new.md)", "[q](new.md)"},
		{"absolute to a directory", "[d](/src/) [e](/docs)", "[d](../../src/) [e](../../docs)"},
		{"absolute elsewhere", "[x](/api/v1)", "[x](/api/v1)"},
		{"absolute with title", "[s](/src/a.go \"T\")", "[s](../../src/a.go \"T\")"},
		{"absolute in angle brackets", "[s](</src/my file.go>)", "[s](<../../src/my%20file.go>)"},
		{"absolute image", "![s](/src/a.go)", "![s](../../src/a.go)"},
		{"absolute definition", "[s]\n\n[s]: /src/a.go 'T'\n", "[s]\n\n[s]: ../../src/a.go 'T'\n"},
		{"two links on a line, one in code", "[a](/src/a.go) `[a](/src/a.go)` [b](/src/a.go)", "[a](../../src/a.go) `[a](/src/a.go)` [b](../../src/a.go)"},
		{"in a fence", "```\n[a](/src/a.go)\n```\n", "```\n[a](/src/a.go)\n```\n"},
		{"image in a link", "[![i](/src/a.go)](/docs/x.md)", "[![i](../../src/a.go)](../../docs/x.md)"},
		{"label with brackets and code", "[`a[0]` **b\\]**](/src/a.go)", "[`a[0]` **b\\]**](../../src/a.go)"},
		{"evidence with lines", "[s](repo://src/a.go#L4-L6)", "[s](../../src/a.go#L4-L6)"},
		{"evidence with one line", "[s](repo://src/a.go#L8-L8) [t](repo://src/a.go#L8)", "[s](../../src/a.go#L8) [t](../../src/a.go#L8)"},
		{"evidence with escapes", "[s](repo://src/my%20file.go)", "[s](../../src/my%20file.go)"},
		{"evidence that is gone", "[s](repo://src/gone.go#L1-L2)", "[s](../../src/gone.go#L1-L2)"},
		{"evidence outside", "[s](repo://../x)", "[s](repo://../x)"},
		{"evidence autolink", "see <repo://src/a.go#L4-L6>.", "see [src/a.go#L4-L6](../../src/a.go#L4-L6)."},
		{"from the root", "[s](src/a.go#L2) [q](openwiki/quickstart.md)", "[s](../../src/a.go#L2) [q](../quickstart.md)"},
		{"relative and there", "[s](../../src/a.go) [c](core.md)", "[s](../../src/a.go) [c](core.md)"},
		{"broken stays", "[s](nope.md) [t](../../src/gone.go)", "[s](nope.md) [t](../../src/gone.go)"},
		{"colon line", "[s](../../src/a.go:12) [t](src/a.go:3-9)", "[s](../../src/a.go#L12) [t](../../src/a.go#L3-L9)"},
		{"short range", "[s](../../src/a.go#L4-6) [t](/src/a.go#L4-6)", "[s](../../src/a.go#L4-L6) [t](../../src/a.go#L4-L6)"},
		{"own anchor", "[s](#x)", "[s](#x)"},
		{"external", "[s](https://a.b/c) [t](//a.b) <https://a.b>", "[s](https://a.b/c) [t](//a.b) <https://a.b>"},
		{"stamps go", "a\n<!-- openwiki: broken internal link \"x.md\" … -->\n[x](x.md)\n```\n<!-- openwiki: broken internal link -->\n```\n",
			"a\n[x](x.md)\n```\n<!-- openwiki: broken internal link -->\n```\n"},
		{"front matter stays", "---\ntype: \"[a](/src/a.go)\"\n---\n[a](/src/a.go)\n", "---\ntype: \"[a](/src/a.go)\"\n---\n[a](../../src/a.go)\n"},
		{"crlf", "a\r\n[a](/src/a.go)\r\n", "a\r\n[a](../../src/a.go)\r\n"},
		{"in a table", "| a | b |\n|---|---|\n| [x](/src/a.go) | y |\n", "| a | b |\n|---|---|\n| [x](../../src/a.go) | y |\n"},
		{"in a quote and a list", "> - [x](/src/a.go)\n>   more [y](/docs/x.md)\n", "> - [x](../../src/a.go)\n>   more [y](../../docs/x.md)\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := NormalizeLinks([]byte(test.in), "/openwiki/arch/core.md", exists)
			if string(got) != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			if again := NormalizeLinks(got, "/openwiki/arch/core.md", exists); string(again) != string(got) {
				t.Errorf("second time: %q", again)
			}
		})
	}
}

func TestRelocate(t *testing.T) {
	// https://github.com/langchain-ai/openwiki/pull/899
	moves := map[string]string{
		"src/a.go#L4-L6":             "src/a.go#L14-L16",
		"src/a.go#L8-L8":             "src/a.go#L18-L18",
		"repo://src/my%20b.go#L1-L2": "repo://src/core/my%20b.go#L3-L4",
		"src/old.go":                 "src/core/new.go",
		"src/same.go#L1-L2":          "src/same.go#L1-L2",
	}
	for _, test := range []struct{ in, want string }{
		{"[Add](../src/a.go#L4-L6) `../src/a.go#L4-L6`", "[Add](../src/a.go#L14-L16) `../src/a.go#L4-L6`"},
		{"[a.go:4-6](../src/a.go#L4-L6) [`src/a.go:8`](../src/a.go#L8)", "[a.go:14-16](../src/a.go#L14-L16) [`src/a.go:18`](../src/a.go#L18)"},
		{"[L4-L6](../src/a.go#L4-L6)", "[L14-L16](../src/a.go#L14-L16)"},
		{"[x](../src/a.go#L8-L8)", "[x](../src/a.go#L18)"},
		{"[x](/src/a.go#L4-L6) [y](repo://src/a.go#L4-L6)", "[x](../src/a.go#L14-L16) [y](../src/a.go#L14-L16)"},
		{"[x](../src/a.go#L4) [y](../src/a.go) [z](../src/b.go#L4-L6)", "[x](../src/a.go#L4) [y](../src/a.go) [z](../src/b.go#L4-L6)"},
		{"[x](../src/my%20b.go#L1-L2)", "[x](../src/core/my%20b.go#L3-L4)"},
		{"[`src/old.go`](../src/old.go) [old.go:3](../src/old.go#L3)", "[`src/core/new.go`](../src/core/new.go) [new.go:3](../src/core/new.go#L3)"},
		{"[s](../src/same.go#L1-2)", "[s](../src/same.go#L1-2)"},
		{"[s][r]\n\n[r]: ../src/a.go#L4-L6\n", "[s][r]\n\n[r]: ../src/a.go#L14-L16\n"},
		{"[14-6](x) [v1.4-6](../src/a.go#L4-L6)", "[14-6](x) [v1.4-6](../src/a.go#L14-L16)"},
	} {
		if got := string(Relocate([]byte(test.in), "/openwiki/core.md", moves)); got != test.want {
			t.Errorf("Relocate(%q):\n got %q\nwant %q", test.in, got, test.want)
		}
	}
}

func TestPagePath_LinkTo(t *testing.T) {
	for _, test := range []struct {
		page, target string
		start, end   int
		want         string
	}{
		{"/openwiki/a.md", "src/a.go", 0, 0, "../src/a.go"},
		{"/openwiki/x/a.md", "src/a.go", 4, 6, "../../src/a.go#L4-L6"},
		{"/openwiki/x/a.md", "openwiki/x/b.md", 0, 0, "b.md"},
		{"/openwiki/x/a.md", "openwiki/y/b.md", 0, 0, "../y/b.md"},
		{"/openwiki/a.md", "a (b)/c#d?.go", 8, 8, "../a%20%28b%29/c%23d%3F.go#L8"},
		{"/openwiki/a.md", "openwiki/x:y.md", 0, 0, "./x:y.md"},
		{"/docs/wiki/a.md", "", 0, 0, "../.."},
	} {
		if got := PagePath(test.page).LinkTo(test.target, test.start, test.end); got != test.want {
			t.Errorf("LinkTo(%q from %q) = %q, want %q", test.target, test.page, got, test.want)
		}
	}
}

func FuzzLinks(f *testing.F) {
	for _, seed := range []string{
		"[a](/src/a.go) ![b](/x)\n[c]: </src/a.go>\n", "<repo://src/a.go#L4-L6>", "[`a`](repo://src/a.go#L1) [x](src/a.go:3)", "[![a](/src/a.go)](/src/a.go)",
		"> [a\n> ](/src/a.go)\n", "---\ntype: X\n---\n[a]( /src/a.go )\r\n", "[a](/src/a.go#x%20y&amp;)", "[a][b]\n\n[b]:\n  /src/a.go\n", "[a](/src/\\(a.go)",
		"<!-- openwiki: broken internal link -->\n", "# :x: Y\n[a](#y)", "[a](/src/a.go#L4-6)", "[a](&#47;src/a.go)",
	} {
		f.Add([]byte(seed))
	}
	exists := existsIn("src/a.go", "x/y.md", "openwiki/b.md", "openwiki/d/c.md")
	w := newWiki(f, nil)
	c, err := newChecker(w, exists)
	if err != nil {
		f.Fatal(err)
	}
	const page = "/openwiki/d/c.md"
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, known := range []func(string) (bool, bool){exists, nil} {
			out := NormalizeLinks(in, page, known)
			if again := NormalizeLinks(out, page, known); string(again) != string(out) {
				t.Fatalf("second normalization differs:\n in %q\nout %q\nagain %q", in, out, again)
			}
		}
		Relocate(in, page, map[string]string{"src/a.go#L4-L6": "src/b.go#L1-L2", "src/a.go": "x y"})
		c.page(page, scanPage(in))
	})
}

// manyPages makes a wiki of n pages with 80 links and 40 mentioned paths each.
func manyPages(t testing.TB, n int) (*Wiki, []PagePath) {
	t.Helper()
	files := map[string]string{}
	var pages []PagePath
	for i := range n {
		var b strings.Builder
		b.WriteString("---\ntype: X\n---\n# Page\n")
		for j := range 40 {
			fmt.Fprintf(&b, "## Section %d\n\nAbout `pkg/file%d.go` and [page](p%d.md#section-%d), [source](../src/a.go#L%d).\n\n", j, j, (i+j)%n, j, j+1)
		}
		p := PagePath(fmt.Sprintf("/openwiki/p%d.md", i))
		files[p.RepoPath()] = b.String()
		pages = append(pages, p)
	}
	return newWiki(t, files), pages
}

func TestCheckLinks_manyPages(t *testing.T) {
	w, pages := manyPages(t, 50)
	findings, err := CheckLinks(w, pages, existsIn("src/a.go"))
	if err != nil {
		t.Fatal(err)
	}
	// Every page names 40 files that are not there; every link works.
	if len(findings) != 50*40 || findings[0].Kind != KindDeadPath {
		t.Errorf("%d findings, first %v", len(findings), findings[0])
	}
}

func BenchmarkPages(b *testing.B) {
	w, _ := manyPages(b, 1000)
	for b.Loop() {
		if _, err := w.Pages(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckLinks(b *testing.B) {
	w, pages := manyPages(b, 1000)
	for b.Loop() {
		if _, err := CheckLinks(w, pages, existsIn("src/a.go")); err != nil {
			b.Fatal(err)
		}
	}
}
