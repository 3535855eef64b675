package evidence

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want Resource
		text string
	}{
		{"repo://src/a.go", Resource{Path: "src/a.go"}, "repo://src/a.go"},
		{"repo://src/a.go#L4-L6", Resource{"src/a.go", 4, 6}, "repo://src/a.go#L4-L6"},
		{"repo://src/a.go#L8", Resource{"src/a.go", 8, 8}, "repo://src/a.go#L8-L8"},
		{"repo://src/a.go#%4c8", Resource{"src/a.go", 8, 8}, "repo://src/a.go#L8-L8"},
		{"repo://./src//x/../a.go", Resource{Path: "src/a.go"}, "repo://src/a.go"},
		{`repo://src\a.go`, Resource{Path: "src/a.go"}, "repo://src/a.go"},
		{"repo://a b.txt", Resource{Path: "a b.txt"}, "repo://a%20b.txt"},
		{"repo://a%20b.txt", Resource{Path: "a b.txt"}, "repo://a%20b.txt"},
		{"repo://c%23.cs#L1-L2", Resource{"c#.cs", 1, 2}, "repo://c%23.cs#L1-L2"},
		{"repo://50%25.md", Resource{Path: "50%.md"}, "repo://50%25.md"},
		{"repo://src/[id]/page.tsx", Resource{Path: "src/[id]/page.tsx"}, "repo://src/%5Bid%5D/page.tsx"},
		{"repo://a-b_c.d!e~f*g'h(i)", Resource{Path: "a-b_c.d!e~f*g'h(i)"}, "repo://a-b_c.d!e~f*g'h(i)"},
		{"repo://a&b=c+d,e;f@g$h:i?j", Resource{Path: "a&b=c+d,e;f@g$h:i?j"}, "repo://a%26b%3Dc%2Bd%2Ce%3Bf%40g%24h%3Ai%3Fj"},
		{"repo://docs/é.md", Resource{Path: "docs/é.md"}, "repo://docs/%C3%A9.md"},
		{"repo://.github/workflows/ci.yml", Resource{Path: ".github/workflows/ci.yml"}, "repo://.github/workflows/ci.yml"},
		{"repo://.gitignore", Resource{Path: ".gitignore"}, "repo://.gitignore"},
		{"repo://openwiki.go", Resource{Path: "openwiki.go"}, "repo://openwiki.go"},
		{"repo://src/openwiki/x.go", Resource{Path: "src/openwiki/x.go"}, "repo://src/openwiki/x.go"},
		{"repo://..a", Resource{Path: "..a"}, "repo://..a"},
		{"repo://a.go#L9007199254740991", Resource{"a.go", maxLine, maxLine}, "repo://a.go#L9007199254740991-L9007199254740991"},
	}
	for _, test := range tests {
		got, err := Parse(test.in, "openwiki")
		if err != nil {
			t.Errorf("Parse(%q): %v", test.in, err)
			continue
		}
		if got != test.want {
			t.Errorf("Parse(%q) = %+v, want %+v", test.in, got, test.want)
		}
		if got.String() != test.text {
			t.Errorf("Parse(%q).String() = %q, want %q", test.in, got.String(), test.text)
		}
	}
}

func TestParse_Error(t *testing.T) {
	tests := []struct{ in, reason string }{
		{"", "must start with repo://"},
		{"src/a.go", "must start with repo://"},
		{"REPO://a", "must start with repo://"},
		{"https://example.com/a", "must start with repo://"},
		{"repo://", "names no file"},
		{"repo://.", "names no file"},
		{"repo://a/..", "names no file"},
		{"repo://../a", "leaves the repository"},
		{"repo://a/../../b", "leaves the repository"},
		{"repo://%2e%2e/a", "leaves the repository"},
		{`repo://..\a`, "leaves the repository"},
		{"repo:///etc/passwd", "must be relative to the repository root"},
		{"repo://%2Fetc/passwd", "must be relative to the repository root"},
		{"repo://c:/x", "must be relative to the repository root"},
		{`repo://C:\x`, "must be relative to the repository root"},
		{"repo://./c:/x", "must be relative to the repository root"},
		{"repo://src/", "names a directory; cite a file"},
		{"repo://.git", "lies in .git"},
		{"repo://.GIT/config", "lies in .git"},
		{"repo://src/../.git/config", "lies in .git"},
		{"repo://openwiki", "lies in the wiki itself; cite source files"},
		{"repo://OpenWiki/a.md", "lies in the wiki itself; cite source files"},
		{"repo://a%", "has a bad percent encoding"},
		{"repo://a%2", "has a bad percent encoding"},
		{"repo://a%zz", "has a bad percent encoding"},
		{"repo://a%ff", "has a bad percent encoding"},
		{"repo://a\xff", "has a bad percent encoding"},
		{"repo://a#%L1", "has a bad percent encoding"},
		{"repo://a%00", "contains a control character"},
		{"repo://a\nb", "contains a control character"},
		{"repo://a%7f", "contains a control character"},
		{"repo://a#L1#L2", "has more than one #"},
		{"repo://a#", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L0", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L01", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#l1", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L1-2", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L3-L2", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L1-", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L1-L2-L3", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L9007199254740992", "lines must be written as #L3 or #L3-L7"},
		{"repo://a#L99999999999999999999", "lines must be written as #L3 or #L3-L7"},
		{"repo://a# L1", "lines must be written as #L3 or #L3-L7"},
	}
	for _, test := range tests {
		_, err := Parse(test.in, "openwiki")
		var re *ResourceError
		if !errors.As(err, &re) {
			t.Errorf("Parse(%q) error = %v, want *ResourceError", test.in, err)
			continue
		}
		if re.Reason != test.reason || re.Resource != test.in {
			t.Errorf("Parse(%q) = %q %q, want reason %q", test.in, re.Resource, re.Reason, test.reason)
		}
	}
}

func TestParse_WikiDirectoryOfSeveralSegments(t *testing.T) {
	if _, err := Parse("repo://Docs/Wiki/a.md", "docs/wiki"); err == nil {
		t.Error("evidence in the wiki directory was accepted")
	}
	for _, in := range []string{"repo://docs/a.md", "repo://docs/wiki2/a.md", "repo://openwiki/a.go"} {
		if _, err := Parse(in, "docs/wiki"); err != nil {
			t.Errorf("Parse(%q): %v", in, err)
		}
	}
}

func FuzzResource(f *testing.F) {
	for _, seed := range []string{
		"repo://src/a.go#L4-L6", "repo://a%20b", "repo://c%23.cs#L1", "repo://..", "repo://a//b", `repo://a\b`,
		"repo://é", "repo://a%25#L1-L9007199254740991", "repo://./c:/x", "repo://a/./c:/x", "repo://%",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		res, err := Parse(s, "openwiki")
		if err != nil {
			return
		}
		again, err := Parse(res.String(), "openwiki")
		if err != nil {
			t.Fatalf("Parse(%q) = %+v; its form %q is refused: %v", s, res, res.String(), err)
		}
		if again != res || again.String() != res.String() {
			t.Fatalf("Parse(%q) = %+v; its form %q parses as %+v", s, res, res.String(), again)
		}
	})
}

func TestCanCite(t *testing.T) {
	for name, want := range map[string]bool{
		"a.go": true, "a b/%41#?.go": true, "-x.go": true, "caf\u00e9.go": true, "C:x.go": true, "a:b.go": true, "x/../y.go": false,
		"new\nline.go": false, "tab\t.go": false, `back\slash.go`: false, "openwiki/a.md": false, "OpenWiki/a.md": false, ".git/config": false,
	} {
		if got := CanCite(name, "openwiki"); got != want {
			t.Errorf("CanCite(%q) = %t, want %t", name, got, want)
		}
	}
}
