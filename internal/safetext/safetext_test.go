package safetext

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// corpus is what others try in titles.
var corpus = []string{
	"Plain title", "@team", "mail me@example.com", "fixes #1", "Closes: owner/repo#12", "resolves https://github.com/o/r/issues/3",
	"a | b", "line\nbreak", "line\r\n::error::x", "::set-output name=x::y", "##[error]x", "zero\u200bwidth", "a\u202eb", "</details>", "-->",
	"<!-- x", "<script>alert(1)</script>", "<img src=https://x.example/?q=1>", "![x](https://x.example/a.png)", "[x](javascript:alert(1))",
	"`code` and ``more``", "**bold** _it_ ~~gone~~", "# heading", "- item", "1. item", "12) item", "> quote", "=====", "www.example.com",
	"GH-12", "o/r@9fceb02", "&#64;team", "&commat;team", "&lt;b&gt;", "\\@team", "\\#1", "\\", "a\\", "\\\\", "tail \\|", "$x$", "EOF\nname=value", "ghadelimiter_x",
	"日本語のタイトル 😀", "👨‍👩‍👧 family ❤️", "[skip ci]", "skip-checks: true", "mailto:a@b.c", "#1", "#&#8203;1", "…", "", " \t ", "@", "a_b*c",
	"\U000E0041\U000E0042", "x\x1b[31mred", "\xff\xfe",
}

func TestInline(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"Plain title", "Plain title"},
		{"  two \n lines ", "two lines"},
		{"@team", "@&#8203;team"},
		{"fixes #1 and o/r#2", "fixes #&#8203;1 and o/r#&#8203;2"},
		{"C# is fine", "C# is fine"},
		{"a|b `c` <d>", "a\\|b \\`c\\` &lt;d&gt;"},
		{"https://x.example", "https:&#8203;//x.example"},
		{"www.example.com", "www.&#8203;example.com"},
		{"GH-7", "GH-&#8203;7"},
		{"# not a heading", `\# not a heading`},
		{"1. not a list", `1\. not a list`},
		{"&#64;x", "&amp;#&#8203;64;x"},
		{"\\@x", `\\@&#8203;x`},
		{"snake_case", `snake\_case`},
		{"a\u200bb\u202ec\U000E0041", "abc"},
		{"👨‍👩‍👧 ❤️", "👨‍👩‍👧 ❤️"},
		{"", ""},
	} {
		if got := Inline(test.in, 0); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestInline_bound(t *testing.T) {
	for _, test := range []struct {
		in   string
		max  int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abcde…"},
		{"ab cdefg", 4, "ab…"},
		{"😀😀😀", 6, "😀😀😀"},
		{"😀😀😀", 5, "😀😀…"},
		{"ab@team", 8, "ab…"},
		{"ab|c", 4, "ab…"},
		{"abc", 1, "…"},
	} {
		if got := Inline(test.in, test.max); got != test.want {
			t.Errorf("%q in %d: got %q, want %q", test.in, test.max, got, test.want)
		}
	}
}

func TestMessage(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"docs: update", "docs: update"},
		{"closes #1", "closes # 1"},
		{"Fixes o/r#2, GH-3", "Fixes o/r# 2, GH- 3"},
		{"by @team", "by @ team"},
		{"x [skip ci] y", "x (skip ci) y"},
		{"skip-checks: true", "skip- checks: true"},
		{"see https://x.example/1", "see https: //x.example/1"},
		{"a\nCo-authored-by: x <x@y.z>", "a Co-authored-by: x <x@ y.z>"},
	} {
		if got := Message(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestLog(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"::error::x", ": :error: :x"},
		{"a\n::set-env::", "a : :set-env: :"},
		{":::::", ": : : : :"},
		{"##[group]x", "## [group]x"},
		{"x\x1b[31mred\x07", "x[31mred"},
	} {
		if got := Log(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}

var (
	textOfHTML = regexp.MustCompile(`<[^>]*>`)
	mention    = regexp.MustCompile(`(?:^|[^A-Za-z0-9_])@[A-Za-z0-9]`)
	number     = regexp.MustCompile(`#[0-9]|(?i)gh-[0-9]`)
)

// check renders a line as GitHub does, in the places where the text of a pull request has such lines, and looks for anything active.
func check(t *testing.T, in string) {
	t.Helper()
	out := Inline(in, 0)
	if strings.ContainsAny(out, "\n\r\t") || strings.ContainsFunc(out, unicode.IsControl) || !utf8.ValidString(out) {
		t.Errorf("%q: not one line: %q", in, out)
	}
	if again := Inline(out, 0); again != out {
		t.Errorf("%q: not stable: %q, then %q", in, out, again)
	}
	for _, max := range []int{1, 2, 7, 20} {
		short := Inline(in, max)
		if Units(short) > max {
			t.Errorf("%q: %q is longer than %d", in, short, max)
		}
		if again := Inline(short, max); again != short {
			t.Errorf("%q in %d: not stable: %q, then %q", in, max, short, again)
		}
		inert(t, in, short)
	}
	inert(t, in, out)
}

func inert(t *testing.T, in, out string) {
	t.Helper()
	page := "| a | b |\n| --- | --- |\n| " + out + " | x |\n\n- " + out + "\n\n" + out + "\n\n<summary>" + out + "</summary>\n"
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(page), &b); err != nil {
		t.Fatal(err)
	}
	rendered := b.String()
	if n := strings.Count(rendered, "<td>"); n != 2 {
		t.Errorf("%q: %q has %d cells", in, out, n)
	}
	for _, tag := range []string{"<a", "<img", "<code", "<em", "<strong", "<del", "<h1", "<h2", "<ol", "<blockquote", "<script", "<!--", "<hr"} {
		if strings.Contains(rendered, tag) && !strings.Contains(rendered, "<!-- raw HTML omitted -->") {
			t.Errorf("%q: %q renders as %s", in, out, rendered)
		}
	}
	shown := html.UnescapeString(textOfHTML.ReplaceAllString(rendered, ""))
	if found := mention.FindString(shown); found != "" {
		t.Errorf("%q: %q mentions %q", in, out, found)
	}
	if found := number.FindString(shown); found != "" {
		t.Errorf("%q: %q refers to %q", in, out, found)
	}
}

func TestCorpus(t *testing.T) {
	for _, in := range corpus {
		check(t, in)
		for _, neutralise := range []func(string) string{Message, Log} {
			out := neutralise(in)
			if strings.ContainsAny(out, "\n\r") || neutralise(out) != out {
				t.Errorf("%q: got %q, then %q", in, out, neutralise(out))
			}
		}
		message := Message(in)
		if mention.MatchString(message) || number.MatchString(message) || strings.Contains(message, "://") {
			t.Errorf("%q: message %q", in, message)
		}
		if log := Log(in); strings.Contains(log, "::") || strings.Contains(log, "##[") {
			t.Errorf("%q: log %q", in, log)
		}
	}
}

func FuzzInline(f *testing.F) {
	for _, in := range corpus {
		f.Add(in)
	}
	f.Fuzz(check)
}

func FuzzMessage(f *testing.F) {
	for _, in := range corpus {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out := Message(in)
		if again := Message(out); again != out {
			t.Errorf("not stable: %q, then %q", out, again)
		}
		if mention.MatchString(out) || number.MatchString(out) || strings.ContainsAny(out, "\n[]") {
			t.Errorf("active: %q", out)
		}
		if log := Log(in); Log(log) != log || strings.Contains(log, "::") {
			t.Errorf("log: %q", log)
		}
	})
}
