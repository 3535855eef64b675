package extractive

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

func fixedFiles(files map[string]string) *lineCache {
	return newLineCache(func(name string) ([]byte, error) {
		if s, ok := files[name]; ok {
			return []byte(s), nil
		}
		return nil, fs.ErrNotExist
	})
}

func TestNewClaimNeedsProof(t *testing.T) {
	src := fixedFiles(map[string]string{"a.go": "package a\n\nfunc Run() {}\n"})
	line := survey.Ref{Path: "a.go", Start: 3, End: 3}
	for _, tc := range []struct {
		name string
		text text
		refs []survey.Ref
		ok   bool
	}{
		{"names in the lines", compose("{} starts.", code("Run")), []survey.Ref{line}, true},
		{"name elsewhere", compose("{} starts.", code("Stop")), []survey.Ref{line}, false},
		{"name in the path", compose("{} is the file.", code("a.go")), []survey.Ref{line}, true},
		{"no reference", words("It starts."), nil, false},
		{"reference without a path", words("It starts."), []survey.Ref{{}}, false},
		{"lines that are not there", words("It starts."), []survey.Ref{{Path: "a.go", Start: 3, End: 9}}, false},
		{"file that is not there", words("It starts."), []survey.Ref{{Path: "b.go"}}, false},
		{"label need not be there", compose("{} starts.", label("part")), []survey.Ref{line}, true},
	} {
		if _, ok := newClaim(src, tc.text, tc.refs); ok != tc.ok {
			t.Errorf("%s: ok = %v, want %v", tc.name, ok, tc.ok)
		}
	}
}

func TestNewClaimSortsEvidence(t *testing.T) {
	src := fixedFiles(map[string]string{"a.go": "x\ny\n", "b.go": "x\n"})
	got, ok := newClaim(src, words("Both."), []survey.Ref{{Path: "b.go", Start: 1, End: 1}, {Path: "a.go", Start: 2, End: 2}, {Path: "b.go", Start: 1, End: 1}})
	want := claim{Statement: "Both.", Evidence: []string{"repo://a.go#L2-L2", "repo://b.go#L1-L1"}}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("newClaim (-want +got):\n%s", diff)
	}
}

func TestLineCacheReadsKeptFilesNoMore(t *testing.T) {
	src := fixedFiles(map[string]string{"kept.go": "on disk\n", "large.go": "on disk\n"})
	src.keep("kept.go", "kept\nlines\n")
	src.keep("large.go", string(make([]byte, maxKept)))
	for name, want := range map[string][]string{"kept.go": {"kept", "lines"}, "large.go": {"on disk"}, "gone.go": nil} {
		for range 2 {
			if diff := cmp.Diff(want, src.lines(name)); diff != "" {
				t.Errorf("lines of %s (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestSectionsStopWhereEnoughIsClaimed(t *testing.T) {
	p := newPage(fixedFiles(map[string]string{"a.go": "x\n"}), "openwiki/x.md")
	p.enough = 1
	p.section(2, "First", func() { p.say(words("One."), survey.Ref{Path: "a.go"}); p.say(words("Two."), survey.Ref{Path: "a.go"}) })
	p.section(2, "Second", func() { t.Error("a section was written after there was enough") })
	if len(p.claims) != 2 {
		t.Errorf("%d claims, want those of the whole first section", len(p.claims))
	}
}

func TestSectionWithoutContentLeavesNoHeading(t *testing.T) {
	p := newPage(fixedFiles(nil), "openwiki/x.md")
	p.guide(words("Lead."))
	p.section(2, "Empty", func() { p.say(words("Unproved."), survey.Ref{Path: "gone.go"}) })
	p.section(2, "Full", func() { p.guide(words("Text.")) })
	if got, want := string(p.content()), "Lead.\n\n## Full\n\nText.\n"; got != want {
		t.Errorf("content = %q, want %q", got, want)
	}
}

func TestScalar(t *testing.T) {
	for in, want := range map[string]string{
		"Component reference": "Component reference", "Auth: tokens #2": `"Auth: tokens #2"`, "yes": `"yes"`, "c++": `"c++"`, "a<b": `"a<b"`, "": `""`, "1.0": `"1.0"`,
	} {
		if got := scalar(in); got != want {
			t.Errorf("scalar(%q) = %s, want %s", in, got, want)
		}
	}
}
