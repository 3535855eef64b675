package extractive

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

func TestEscapeIsInert(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"plain words, as written.", "plain words, as written."},
		{"a *bold* _claim_ and snake_case", `a \*bold\* \_claim\_ and snake_case`},
		{"[text](javascript:alert(1))", `\[text\](javascript:alert(1))`},
		{"<img src=x onerror=y>", `\<img src=x onerror=y\>`},
		{"ask @octocat about #12", `ask &#64;octocat about \#12`},
		{"costs $HOME and $x", `costs \$HOME and \$x`},
		{"see https://evil.example/a_b.", "see `https://evil.example/a_b`."},
		{"(www.example.org)", "(`www.example.org`)"},
		{"a | b", `a \| b`},
		{"gopher://x", "gopher&#58;//x"},
		{"A&amp;B", `A\&amp;B`},
		{"![alt](x)", `\!\[alt\](x)`},
	} {
		if got := escape(tc.in); got != tc.want {
			t.Errorf("escape(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestCleanRemovesInvisible(t *testing.T) {
	in := "a\u202eb\u200bc\x00\td\n e\ufe0f\U000e0041"
	if got, want := clean(in), "abc d e"; got != want {
		t.Errorf("clean = %q, want %q", got, want)
	}
	if got := clean("x\xff\xfey"); got != "xy" {
		t.Errorf("clean of invalid UTF-8 = %q, want %q", got, "xy")
	}
}

func TestShorten(t *testing.T) {
	if got, want := shorten("one two three four", 12), "one two …"; got != want {
		t.Errorf("shorten = %q, want %q", got, want)
	}
	if got := shorten("short", 12); got != "short" {
		t.Errorf("shorten changed %q to %q", "short", got)
	}
}

func TestCodeSpan(t *testing.T) {
	for in, want := range map[string]string{
		"x":      "`x`",
		"a`b":    "``a`b``",
		"`quote": "`` `quote ``",
		"a\nb":   "`a b`",
		"":       "",
	} {
		if got := codeSpan(in); got != want {
			t.Errorf("codeSpan(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCell(t *testing.T) {
	if got, want := cell("`a|b` and \\| c"), "`a\\|b` and \\| c"; got != want {
		t.Errorf("cell = %q, want %q", got, want)
	}
}

func TestDiagramLabel(t *testing.T) {
	for in, want := range map[string]string{
		`x"];click a "javascript:x"`: "x click a javascript x",
		"a<b>;end":                   "a b end",
		"":                           "unnamed",
		"internal/store":             "internal/store",
	} {
		if got := diagramLabel(in); got != want {
			t.Errorf("diagramLabel(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRelative(t *testing.T) {
	for _, tc := range []struct{ from, to, want string }{
		{"openwiki/quickstart.md", "cmd/x/main.go", "../cmd/x/main.go"},
		{"openwiki/components/store.md", "internal/store/a b.go", "../../internal/store/a%20b.go"},
		{"openwiki/components/store.md", "openwiki/architecture.md", "../architecture.md"},
		{"openwiki/quickstart.md", "openwiki/components/x.md", "components/x.md"},
		{"openwiki/quickstart.md", "a(1)/#b.go", "../a%281%29/%23b.go"},
	} {
		if got := relative(tc.from, tc.to); got != tc.want {
			t.Errorf("relative(%q, %q) = %q, want %q", tc.from, tc.to, got, tc.want)
		}
	}
}

func TestResource(t *testing.T) {
	for _, tc := range []struct {
		ref  survey.Ref
		want string
	}{
		{survey.Ref{Path: "a.go"}, "repo://a.go"},
		{survey.Ref{Path: "a/b c.go", Start: 4, End: 6}, "repo://a/b%20c.go#L4-L6"},
		{survey.Ref{Path: "a.go", Start: 4}, "repo://a.go#L4-L4"},
	} {
		if got := resource(tc.ref); got != tc.want {
			t.Errorf("resource(%v) = %q, want %q", tc.ref, got, tc.want)
		}
	}
}

func FuzzQuoteIsInert(f *testing.F) {
	f.Add("See `x` and [y](z) <b> @me #1 $a$ https://x.example |")
	f.Add("```\nmermaid")
	f.Fuzz(func(t *testing.T, s string) {
		q := quote(s)
		if !utf8.ValidString(q.md) || strings.ContainsAny(q.md, "\n\r\x00\u202e\u200b") {
			t.Fatalf("quote(%q).md = %q is not one line of visible text", s, q.md)
		}
		outside := withoutSpans(q.md)
		for i := 0; i < len(outside); i++ {
			if strings.IndexByte("<[|@$", outside[i]) >= 0 && (i == 0 || outside[i-1] != '\\') {
				t.Fatalf("quote(%q).md = %q lets %q through", s, q.md, outside[i])
			}
		}
	})
}

// withoutSpans drops code spans as CommonMark reads them: a run of back-ticks up to the next run of the same length.
func withoutSpans(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) {
			b.WriteString(s[i : i+2])
			i += 2
			continue
		}
		if s[i] != '`' {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := 0
		for i+n < len(s) && s[i+n] == '`' {
			n++
		}
		end := -1
		for j := i + n; j < len(s); {
			if s[j] != '`' {
				j++
				continue
			}
			m := 0
			for j+m < len(s) && s[j+m] == '`' {
				m++
			}
			if m == n {
				end = j + m
				break
			}
			j += m
		}
		if end < 0 {
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		i = end
	}
	return b.String()
}
