package extractive

import (
	"slices"
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
		sites = append(sites, survey.Ref{Path: "d/" + n + "/x.go", Start: 3, End: 3})
		plugins.Imports = append(plugins.Imports, survey.Edge{To: "d/" + n})
		repo.Packages = append(repo.Packages, &survey.Package{Dir: "d/" + n, Files: []string{"d/" + n + "/x.go"}})
	}
	repo.Packages = append(repo.Packages, plugins, &survey.Package{Dir: "install"}, &survey.Package{Dir: "cmd/app", Imports: []survey.Edge{{To: "plugins"}}})
	for name, text := range files {
		repo.Files[name] = scan.Source(name, []byte(text))
	}
	repo.Programs = []survey.Program{{Name: "app", Entry: survey.Ref{Path: "cmd/app/main.go", Start: 5, End: 5}}}
	a := newAtlas(repo, "openwiki", fixedFiles(files))
	if f, line, ok := a.importers(sites); ok {
		t.Errorf("%s:%d is told, which no program imports", f.Path, line)
	}
	if at, ok := a.importedOneByOne(sites); !ok || at != (survey.Ref{Path: "plugins/plugin_a.go", Start: 3, End: 3}) {
		t.Errorf("imported one by one at %v, %v", at, ok)
	}
	repo.Programs = nil
	if f, line, ok := newAtlas(repo, "openwiki", fixedFiles(files)).importers(sites); !ok || f.Path != "install/install.go" || line != 4 {
		t.Errorf("in a library the list is at %v:%d, %v", f, line, ok)
	}
}
