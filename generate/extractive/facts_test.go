package extractive

import (
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func linesOf(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(s) {
			if !yield(strings.TrimSuffix(line, "\n")) {
				return
			}
		}
	}
}

func TestShape(t *testing.T) {
	for _, tc := range []struct{ x, y string }{
		{"func (s *Store) Put(ctx context.Context, key, value string) error", "Put(c context.Context, k string, v string) error"},
		{"func (g Gob) Decode(b []byte) (string, error)", "Decode([]byte) (s string, err error)"},
		{"func (x X) At() (labels.Labels, int)", "At() (Labels, int)"},
	} {
		if x, y := shape(&scan.Decl{Signature: tc.x}), shape(&scan.Decl{Signature: tc.y}); x != y || x == "" {
			t.Errorf("shape(%q) = %q, shape(%q) = %q", tc.x, x, tc.y, y)
		}
	}
	if x, y := shape(&scan.Decl{Signature: "At() int"}), shape(&scan.Decl{Signature: "At() string"}); x == y {
		t.Errorf("different results have the same shape %q", x)
	}
	if got := shape(&scan.Decl{Signature: "Cut(off in the mid"}); got != "" {
		t.Errorf("a signature that was cut off has the shape %q", got)
	}
}

func TestNameWords(t *testing.T) {
	for in, want := range map[string][]string{
		"GenBashCompletion": {"Gen", "Bash", "Completion"}, "HTTPServer": {"HTTP", "Server"}, "add_url_rule": {"add", "url", "rule"}, "x": {"x"},
	} {
		if diff := cmp.Diff(want, nameWords(in)); diff != "" {
			t.Errorf("nameWords(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestEntry(t *testing.T) {
	for _, tc := range []struct {
		line, name, value string
		ok                bool
	}{
		{`"DEBUG": None,`, "DEBUG", "None", true},
		{`port: 5173, // the default`, "port", "5173", true},
		{`'timeout' => 30,`, "timeout", "30", true},
		{`Interval: model.Duration(15 * time.Second),`, "Interval", "model.Duration(15 * time.Second)", true},
		{`server: {`, "", "", false},
		{`call(a, b),`, "", "", false},
		{`// comment: x,`, "", "", false},
	} {
		name, value, ok := entry(tc.line)
		if name != tc.name || value != tc.value || ok != tc.ok {
			t.Errorf("entry(%q) = %q, %q, %v", tc.line, name, value, ok)
		}
	}
}

func TestPathAndWords(t *testing.T) {
	for _, tc := range []struct {
		in, target, words string
		ok                bool
	}{
		{"`src`: contains the code.", "src", "contains the code.", true},
		{"[`docs/`](docs/) - the manual.", "docs/", "the manual.", true},
		{"sds.c: the string library.", "sds.c", "the string library.", true},
		{"some words: others", "some words", "", false},
		{"`src`", "src", "", false},
	} {
		target, words, ok := pathAndWords(tc.in)
		if ok != tc.ok || ok && (target != tc.target || words != tc.words) {
			t.Errorf("pathAndWords(%q) = %q, %q, %v", tc.in, target, words, ok)
		}
	}
}

func TestNarrow(t *testing.T) {
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{}}, "openwiki", fixedFiles(map[string]string{
		"a.rs": "/*!\nFirst words.\n\nKeeps the\nkeys. More.\n*/\n",
	}))
	for _, tc := range []struct {
		sentence   string
		start, end int
	}{
		{"First words.", 2, 2}, {"Keeps the keys.", 4, 5}, {"Not there.", 1, 6},
	} {
		got := a.narrow(survey.Ref{Path: "a.rs", Start: 1, End: 6}, tc.sentence)
		if want := (survey.Ref{Path: "a.rs", Start: tc.start, End: tc.end}); got != want {
			t.Errorf("narrow to %q = %v, want %v", tc.sentence, got, want)
		}
	}
}

func TestSensibleCommands(t *testing.T) {
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{}}, "openwiki", fixedFiles(nil))
	for _, tc := range []struct {
		c    survey.Command
		want bool
	}{
		{survey.Command{Purpose: "install", Line: "make upgrade-npm-deps"}, false},
		{survey.Command{Purpose: "install", Line: "make install-goyacc"}, false},
		{survey.Command{Purpose: "install", Line: "make install"}, true},
		{survey.Command{Purpose: "install", Line: "go install example.com/tool@latest", Source: "CI step"}, false},
		{survey.Command{Purpose: "install", Line: "pnpm install", Source: "CI step"}, true},
		{survey.Command{Purpose: "test", Line: "./phpunit install"}, false},
		{survey.Command{Purpose: "test", Line: "make test"}, true},
	} {
		if got := a.sensible(tc.c); got != tc.want {
			t.Errorf("sensible(%q for %s) = %v, want %v", tc.c.Line, tc.c.Purpose, got, tc.want)
		}
	}
}

func TestCallsResolveOnlyWhenCertain(t *testing.T) {
	read := func(name, text string) *scan.File { return scan.Source(name, []byte(text)) }
	files := []*scan.File{
		read("app/main.go", "package main\n\nimport \"example.com/x/lib\"\n\nfunc main() { lib.Run(); helper(); twice(); other.Run() }\n\nfunc helper() {}\n"),
		read("app/a_linux.go", "package main\n\nfunc twice() {}\n"),
		read("app/a_windows.go", "package main\n\nfunc twice() {}\n"),
		read("lib/lib.go", "package lib\n\n// Run runs.\nfunc Run() { t := T{}; t.step() }\n\ntype T struct{}\n\nfunc (t T) step() { t.next() }\n\nfunc (t T) next() {}\n"),
	}
	repo := &survey.Repository{
		Modules: []survey.Module{{Dir: ".", Ecosystem: "go", Name: "example.com/x"}}, Files: map[string]*scan.File{},
		Packages: []*survey.Package{
			{Dir: "app", Name: "main", Files: []string{"app/main.go", "app/a_linux.go", "app/a_windows.go"}},
			{Dir: "lib", Name: "lib", Files: []string{"lib/lib.go"}},
		},
	}
	for _, f := range files {
		repo.Files[f.Path] = f
	}
	for _, p := range repo.Packages {
		repo.Components = append(repo.Components, &survey.Component{ID: p.Dir, Dir: p.Dir, Packages: []*survey.Package{p}, Role: "library"})
	}
	a := newAtlas(repo, "openwiki", fixedFiles(nil))
	follow := func(name string) []string {
		var out []string
		for _, s := range a.calls.calls(a.calls.named[name][0]) {
			out = append(out, s.said)
		}
		return out
	}
	if diff := cmp.Diff([]string{"lib.Run", "helper"}, follow("main")); diff != "" {
		t.Errorf("calls of main (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"step"}, follow("Run")); diff != "" {
		t.Errorf("calls of Run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"next"}, follow("step")); diff != "" {
		t.Errorf("calls of step (-want +got):\n%s", diff)
	}
}

// A user writes the name in the tag, not the name of the field.
func TestEntries_userNames(t *testing.T) {
	src := "package c\n\nvar DefaultConfig = Config{\n\tInterval: 15,\n\tPlain: true,\n}\n\ntype Config struct {\n\tInterval int `yaml:\"interval,omitempty\"`\n\tPlain bool\n}\n"
	a, s := oneFile(t, "src/c.go", src, "DefaultConfig")
	var got []string
	for _, e := range a.entries(s) {
		got = append(got, e.name+" "+e.user+" "+e.value)
	}
	if diff := cmp.Diff([]string{"Interval interval 15", "Plain  true"}, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestEntries_nested(t *testing.T) {
	src := "export const DEFAULT_PORT = 5173\n\nexport const configDefaults = {\n  base: '/',\n  server: {\n    port: DEFAULT_PORT,\n    fs: {\n      strict: true,\n    },\n    open: false,\n  },\n  mode: OTHER_MODE,\n}\n"
	a, s := oneFile(t, "src/c.ts", src, "configDefaults")
	var got []string
	for _, e := range a.entries(s) {
		got = append(got, strings.TrimPrefix(e.within+"."+e.name, ".")+" "+e.value+" "+e.literal)
	}
	if diff := cmp.Diff([]string{"base '/' ", "server.port DEFAULT_PORT 5173", "server.fs.strict true ", "server.open false ", "mode OTHER_MODE "}, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}
