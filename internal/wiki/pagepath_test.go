package wiki

import (
	"errors"
	"strings"
	"testing"
)

func TestParseDir(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"openwiki", "openwiki"}, {" openwiki/ ", "openwiki"}, {"./docs//wiki/", "docs/wiki"}, {`docs\wiki`, "docs/wiki"}, {".wiki", ".wiki"}, {"a b", "a b"},
	} {
		if got, err := ParseDir(test.in); err != nil || string(got) != test.want {
			t.Errorf("ParseDir(%q) = %q, %v, want %q", test.in, got, err, test.want)
		}
	}
	for _, in := range []string{"0 /", "./ a",
		"", " ", ".", "./", "..", "../x", "a/../b", "a/..", "/x", `\x`, `c:\x`, "C:x", ".git", "x/.GIT/y", "a\x00b", "a\nb", "x/.claims", "\xff",
	} {
		got, err := ParseDir(in)
		var pathError *PathError
		if !errors.As(err, &pathError) || pathError.Value != in {
			t.Errorf("ParseDir(%q) = %q, %v, want *PathError", in, got, err)
		}
	}
}

func TestDir_ParsePage(t *testing.T) {
	for _, test := range []struct {
		dir      Dir
		in, want string
	}{
		{"openwiki", "/openwiki/a/b.md", "/openwiki/a/b.md"},
		{"openwiki", "openwiki/a.md", "/openwiki/a.md"},
		{"openwiki", "a.md", "/openwiki/a.md"},
		{"openwiki", "/a.md", "/openwiki/a.md"},
		{"openwiki", "  //openwiki//a//b.md ", "/openwiki/a/b.md"},
		{"openwiki", `\openwiki\a.md`, "/openwiki/a.md"},
		{"openwiki", "openwikis/a.md", "/openwiki/openwikis/a.md"},
		{"openwiki", "_plan.md", "/openwiki/_plan.md"},
		{"openwiki", "OpenWiki/a.md", "/openwiki/OpenWiki/a.md"},
		{"docs/wiki", "docs/wiki/a.md", "/docs/wiki/a.md"},
		{"docs/wiki", "docs/a.md", "/docs/wiki/docs/a.md"},
		{"docs/wiki", "a.md", "/docs/wiki/a.md"},
	} {
		got, err := test.dir.ParsePage(test.in)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: ParsePage(%q) = %q, %v, want %q", test.dir, test.in, got, err, test.want)
		}
		if "/"+got.RepoPath() != string(got) {
			t.Errorf("RepoPath() = %q", got.RepoPath())
		}
	}
}

func TestDir_ParsePage_Error(t *testing.T) {
	for _, in := range []string{
		"", " ", "/", "openwiki", "/openwiki/", "openwiki/a", "a.MD", "a.txt", "../a.md", "openwiki/../a.md", "openwiki/./a.md", `a\..\b.md`,
		".claims/a.md", "openwiki/x/.CLAIMS/a.md", "index.md", "a/INDEX.md", "log.md", "a/Instructions.md", "a\x00.md",
	} {
		got, err := Dir("openwiki").ParsePage(in)
		var pathError *PathError
		if !errors.As(err, &pathError) || pathError.Value != in || !strings.Contains(err.Error(), "page path") {
			t.Errorf("ParsePage(%q) = %q, %v, want *PathError naming the value", in, got, err)
		}
	}
}

func TestDir_ParsePlannedPage(t *testing.T) {
	long := strings.Repeat("a", 197) + ".md"
	for _, in := range []string{"a.md", "arch/über uns.md", "a_b.md", "con-text.md", "com.md", long} {
		if _, err := Dir("openwiki").ParsePlannedPage(in); err != nil {
			t.Errorf("ParsePlannedPage(%q): %v", in, err)
		}
	}
	for _, in := range []string{
		"_plan.md", "a/_x.md", "a\nb.md", "a\x7f.md", "a\u0085b.md", "a" + long, strings.Repeat("é", 101) + "/a.md", ".hidden.md", "a/.x/b.md", "a /b.md", "a./b.md",
		"a:b.md", "a?.md", "con.md", "sub/NUL.md", "com1.md", "\xff.md", ".md", "index.md",
	} {
		got, err := Dir("openwiki").ParsePlannedPage(in)
		var pathError *PathError
		if !errors.As(err, &pathError) {
			t.Errorf("ParsePlannedPage(%q) = %q, %v, want *PathError", in, got, err)
		}
	}
}

func TestPagePath_FoldKey(t *testing.T) {
	for _, pair := range [][2]PagePath{{"/o/a.md", "/o/A.md"}, {"/o/\u00e9.md", "/o/e\u0301.md"}, {"/o/\u00c9.md", "/o/e\u0301.md"}} {
		if pair[0].FoldKey() != pair[1].FoldKey() {
			t.Errorf("keys of %q and %q differ", pair[0], pair[1])
		}
	}
	if PagePath("/o/a.md").FoldKey() == PagePath("/o/b.md").FoldKey() {
		t.Error("keys of different pages are equal")
	}
}

func FuzzPagePath(f *testing.F) {
	for _, seed := range []string{"a.md", "/openwiki/a/b.md", `..\a.md`, "openwiki//x.md", " .claims/a.md", "é.md", "\xff.md", "a\u2028.md", "0 /", "./ a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, d := range []Dir{"openwiki", "docs/wiki"} {
			p, err := d.ParsePage(in)
			if err != nil {
				continue
			}
			again, err := d.ParsePage(string(p))
			if err != nil || again != p {
				t.Fatalf("ParsePage(%q) = %q, and parsed again %q, %v", in, p, again, err)
			}
			if !strings.HasPrefix(string(p), "/"+string(d)+"/") || strings.Contains(string(p), "/../") || strings.Contains(string(p), "//") {
				t.Fatalf("ParsePage(%q) = %q leaves the wiki", in, p)
			}
			if planned, err := d.ParsePlannedPage(in); err == nil && planned != p {
				t.Fatalf("planned %q, page %q", planned, p)
			}
		}
		if d, err := ParseDir(in); err == nil {
			if again, err := ParseDir(string(d)); err != nil || again != d {
				t.Fatalf("ParseDir(%q) = %q, and parsed again %q, %v", in, d, again, err)
			}
		}
	})
}
