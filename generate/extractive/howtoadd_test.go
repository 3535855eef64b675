package extractive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// manyFiles is an atlas of one part "src" with all files of a directory of that name.
func manyFiles(files map[string]string) (*atlas, *survey.Component) {
	p := &survey.Package{Dir: "src"}
	repo := &survey.Repository{Files: map[string]*scan.File{}, Packages: []*survey.Package{p}}
	c := &survey.Component{ID: "src", Dir: "src", Packages: []*survey.Package{p}}
	repo.Components = append(repo.Components, c)
	for name, text := range files {
		f := scan.Source(name, []byte(text))
		repo.Files[name] = f
		if strings.HasPrefix(name, "src/") && strings.Count(name, "/") == 1 && !f.IsTest {
			p.Files = append(p.Files, name)
		}
	}
	return newAtlas(repo, "openwiki", fixedFiles(files)), c
}

func symbolsNamed(a *atlas, names ...string) []symbol {
	var out []symbol
	for _, n := range names {
		out = append(out, a.calls.named[n]...)
	}
	return out
}

func TestListedByWord(t *testing.T) {
	files := map[string]string{}
	for _, shell := range []string{"Bash", "Zsh", "PowerShell"} {
		files["src/"+strings.ToLower(shell)+".go"] = "package a\n\nfunc Gen" + shell + "Completion() {}\n"
	}
	files["src/all.go"] = "package a\n\n// all adds bash, zsh, powershell (all of them)\nfunc all() {\n\tlog(\"bash, zsh, powershell\")\n\troot.add(bash, zsh, powershell)\n}\n"
	a, c := manyFiles(files)
	ref, found, ok := a.listedByWord(symbolsNamed(a, "GenBashCompletion", "GenZshCompletion", "GenPowerShellCompletion"), c)
	if want := (survey.Ref{Path: "src/all.go", Start: 6, End: 6}); !ok || ref != want {
		t.Errorf("listed in %v, %v; want %v", ref, ok, want)
	}
	if diff := cmp.Diff([]string{"bash", "zsh", "powershell"}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestOwnTest(t *testing.T) {
	a, _ := manyFiles(map[string]string{"src/defs.rs": "pub struct AfterContext;\n\n#[cfg(test)]\n#[test]\nfn test_after_context() {\n    check();\n}\n"})
	for i := range a.repo.Files["src/defs.rs"].Decls {
		if d := &a.repo.Files["src/defs.rs"].Decls[i]; d.Name == "AfterContext" {
			ref, ok := a.ownTest([]symbol{{d, a.repo.Files["src/defs.rs"]}})
			if !ok || location(ref) != "defs.rs:5-6" {
				t.Errorf("own test %v, %v; want defs.rs:5-6", location(ref), ok)
			}
			return
		}
	}
	t.Fatal("no AfterContext")
}

// A directory of data files that name functions tells how one more is added.
func TestCatalogue(t *testing.T) {
	files := map[string]string{"tests/unit/c3.tcl": "test {it} {}\n", "src/Makefile": "all: x\n\ntable.def: commands/*.json gen.py\n\tgen\n"}
	var code strings.Builder
	for i := range 9 {
		files[fmt.Sprintf("src/commands/c%d.json", i)] = fmt.Sprintf("{\n  \"group\": \"some\",\n  \"function\": \"c%dCommand\",\n}\n", i)
		files[fmt.Sprintf("src/other/o%d.json", i)] = "{\n  \"function\": \"missing\"\n}\n"
		fmt.Fprintf(&code, "void c%dCommand(client *c) {\n    reply(c);\n}\n\n", i)
	}
	files["src/code.c"] = code.String()
	files["src/code.h"] = "void other(void);\nvoid c3Command(client *c);\n"
	a, _ := manyFiles(files)
	all := a.catalogues()
	if len(all) != 1 {
		t.Fatalf("%d catalogues, want 1", len(all))
	}
	c := all[0]
	got := []string{c.dir, c.key, location(c.example), c.function.decl.Name, c.target, location(c.made), c.test}
	if diff := cmp.Diff([]string{"src/commands", "function", "c3.json:3", "c3Command", "table.def", "Makefile:3", "tests/unit/c3.tcl"}, got); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
	if at, ok := a.prototype(c.function); !ok || location(at) != "code.h:2" {
		t.Errorf("prototype at %v, %v; want code.h:2", location(at), ok)
	}
}
