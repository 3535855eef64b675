package extractive

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestHasIdentifier(t *testing.T) {
	names := []string{"", "a", "Run", "run_it", "é", "aé", "a b", "x.y", "1"}
	lines := []string{"", "a", "Run", "Runner Run", "Runner", "reRun(Run)", "_Run", "run_it.x", "éRuné", "aé a b x.y", "rerun_it 1", "11"}
	for _, name := range names {
		for _, line := range lines {
			if got, want := hasIdentifier(line, name), slices.Contains(slices.Collect(identifiers(line)), name); got != want {
				t.Errorf("hasIdentifier(%q, %q) = %v, want %v", line, name, got, want)
			}
		}
	}
	if !hasIdentifier("Runner Run", "Run") || hasIdentifier("Runner reRun", "Run") {
		t.Error("a part of a word counts as a word, or a word does not")
	}
}

// A list of imports that no program reaches adds nothing; what programs import one by one is shown as such.
func TestImporters_reached(t *testing.T) {
	files := map[string]string{
		"go.mod":             "module m\n",
		"cmd/app/main.go":    "package main\n\nimport _ \"m/plugins\"\n\nfunc main() {}\n",
		"install/install.go": "package install\n\nimport (\n\t_ \"m/d/a\"\n\t_ \"m/d/b\"\n\t_ \"m/d/c\"\n)\n",
	}
	repo := &survey.Repository{Files: map[string]*scan.File{}, Modules: []survey.Module{{Dir: ".", Ecosystem: "go", Name: "m"}}}
	var sites []survey.Ref
	plugins := &survey.Package{Dir: "plugins"}
	for _, n := range []string{"a", "b", "c"} {
		files["d/"+n+"/x.go"] = "package " + n + "\n\nfunc init() { Register() }\n"
		files["plugins/plugin_"+n+".go"] = "package plugins\n\nimport _ \"m/d/" + n + "\"\n"
		if n != "a" {
			files["plugins/plugin_"+n+".go"] = "//go:build !less || with_" + n + "\n\n" + files["plugins/plugin_"+n+".go"]
		}
		sites = append(sites, survey.Ref{Path: "d/" + n + "/x.go", Start: 3, End: 3})
		plugins.Imports = append(plugins.Imports, survey.Edge{To: "d/" + n})
		repo.Packages = append(repo.Packages, &survey.Package{Dir: "d/" + n, Files: []string{"d/" + n + "/x.go"}})
	}
	repo.Packages = append(repo.Packages, plugins, &survey.Package{Dir: "install"}, &survey.Package{Dir: "cmd/app", Imports: []survey.Edge{{To: "plugins", Ref: survey.Ref{Path: "cmd/app/main.go", Start: 3, End: 3}}}})
	for name, text := range files {
		repo.Files[name] = scan.Source(name, []byte(text))
	}
	repo.Programs = []survey.Program{{Name: "app", Entry: survey.Ref{Path: "cmd/app/main.go", Start: 5, End: 5}}}
	a := newAtlas(repo, "openwiki", fixedFiles(files))
	if f, line, ok := a.importers(sites); ok {
		t.Errorf("%s:%d is told, which no program imports", f.Path, line)
	}
	want := linkage{survey.Ref{Path: "plugins/plugin_b.go", Start: 5, End: 5}, survey.Ref{Path: "plugins/plugin_b.go", Start: 1, End: 1}, survey.Ref{Path: "cmd/app/main.go", Start: 3, End: 3}}
	got, ok := a.importedOneByOne(sites)
	if !ok || got != want {
		t.Errorf("imported one by one at %v, %v; want %v", got, ok, want)
	}
	p := newPage(a.src, "openwiki/a.md")
	said, refs := a.linkedIn(p, got)
	if !p.prove(said, refs) || said.plain != "The packages of those calls are imported one by one in the files of plugins/, as in plugin_b.go:5 under //go:build !less || with_b; a program imports that directory in main.go:3." {
		t.Errorf("said %q", said.plain)
	}
	repo.Programs = nil
	if f, line, ok := newAtlas(repo, "openwiki", fixedFiles(files)).importers(sites); !ok || f.Path != "install/install.go" || line != 4 {
		t.Errorf("in a library the list is at %v:%d, %v", f, line, ok)
	}
}

// What makes siblings lists them as well as their names do; their methods, one after the other, do not.
func TestRegistry_constructors(t *testing.T) {
	files := map[string]string{"src/parser.go": "package src\n\n// Parser reads.\ntype Parser interface {\n\tNext() (Entry, error)\n\tHelp() string\n}\n\ntype Entry int\n"}
	list := ""
	for _, n := range []string{"Prom", "Proto", "Open", "Held"} {
		inside := ""
		if n == "Held" {
			inside = "\tinner Parser\n"
		}
		files["src/"+strings.ToLower(n)+".go"] = "package src\n\ntype " + n + "Parser struct {\n" + inside + "}\n\nfunc New" + n + "Parser() *" + n + "Parser { return nil }\n"
		list += "func (p *" + n + "Parser) Next() (Entry, error) { return 0, nil }\nfunc (p *" + n + "Parser) Help() string { return \"\" }\n"
	}
	files["src/methods.go"] = "package src\n\n" + list
	files["src/new.go"] = "package src\n\nfunc New(kind string) Parser {\n\tswitch kind {\n\tcase \"a\":\n\t\treturn NewPromParser()\n\tcase \"b\":\n\t\treturn NewProtoParser()\n\t}\n\treturn NewOpenParser()\n}\n"
	a, c := manyFiles(files)
	members := a.implementations(a.basesNamed("Parser")[0])
	if len(members) != 4 {
		t.Fatalf("%d implementations", len(members))
	}
	ref, ok := a.registry(members, c)
	if want := (survey.Ref{Path: "src/new.go", Start: 6, End: 10}); !ok || ref != want {
		t.Errorf("registry %v, %v; want %v", ref, ok, want)
	}
	p := newPage(a.src, "openwiki/a.md")
	said, refs := a.howToAdd(p, a.basesNamed("Parser")[0], members, c)
	want := "To add one: 1. write it like OpenParser in open.go; 2. add it in new.go:6-10, where the others are named. The methods of Parser take or return Entry (parser.go)."
	if said.plain != want || !p.prove(said, refs) {
		t.Errorf("said %q", said.plain)
	}
}

// A list that is not the only one is told with the others.
func TestAlsoListed(t *testing.T) {
	files := map[string]string{
		"src/a.go": "package src\n\nfunc each(n Node) {\n\tswitch n.(type) {\n\tcase *One, *Two:\n\tcase *Three:\n\tcase *Four:\n\t}\n}\n",
		"src/b.go": "package src\n\nfunc fold(n Node) {\n\tswitch n.(type) {\n\tcase *One, *Two, *Three:\n\t}\n}\n",
		"src/c.go": "package src\n\nfunc few(n Node) {\n\tuse(One{}, Two{})\n}\n",
	}
	var names []string
	for _, n := range []string{"One", "Two", "Three", "Four"} {
		files["src/"+strings.ToLower(n)+".go"] = "package src\n\ntype " + n + " struct{}\n"
		names = append(names, n)
	}
	a, c := manyFiles(files)
	var members []symbol
	for _, n := range names {
		members = append(members, a.basesNamed(n)...)
	}
	ref, ok := a.registry(members, c)
	if want := (survey.Ref{Path: "src/a.go", Start: 5, End: 7}); !ok || ref != want {
		t.Fatalf("registry %v, %v; want %v", ref, ok, want)
	}
	if got := a.alsoListed(members, c, ref); !slices.Equal(got, []survey.Ref{{Path: "src/b.go", Start: 5, End: 5}}) {
		t.Errorf("also listed in %v", got)
	}
}
