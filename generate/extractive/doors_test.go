package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// What other parts use comes before what a part mostly uses itself, also where a part between them passes it on.
func TestUsedOutside(t *testing.T) {
	files := map[string]string{
		"walk/src/lib.rs": "/// A builder of walks.\npub struct Builder {}\nimpl Builder {\n    pub fn new() -> Builder { Builder {} }\n}\n/// One pattern.\npub struct Pattern {}\nimpl Pattern {\n    pub fn a(&self) {}\n    pub fn b(&self) {}\n}\n",
		"walk/src/one.rs": "use crate::Pattern;\n", "walk/src/two.rs": "use crate::Pattern;\n",
		"all/src/lib.rs": "pub extern crate walk;\n",
		"app/main.rs":    "fn main() {\n    let b = all::walk::Builder::new();\n}\n",
	}
	repo := &survey.Repository{Files: map[string]*scan.File{}}
	part := func(dir, role string, paths ...string) *survey.Component {
		p := &survey.Package{Dir: dir, Language: "Rust", Files: paths}
		for _, name := range paths {
			repo.Files[name] = scan.Source(name, []byte(files[name]))
		}
		c := &survey.Component{ID: dir, Dir: dir, Language: "Rust", Role: role, Packages: []*survey.Package{p}}
		repo.Packages, repo.Components = append(repo.Packages, p), append(repo.Components, c)
		return c
	}
	walk := part("walk", "library", "walk/src/lib.rs", "walk/src/one.rs", "walk/src/two.rs")
	all := part("all", "library", "all/src/lib.rs")
	part("app", "program", "app/main.rs")
	walk.UsedBy, all.UsedBy = []survey.Edge{{To: "all"}}, []survey.Edge{{To: "app"}}
	a := newAtlas(repo, "openwiki", fixedFiles(files))
	var names []string
	for i, s := range a.mainDeclarations(walk) {
		if got, want := a.usedOutside(walk, s), 1-i; got != want {
			t.Errorf("%s is used outside in %d files, want %d", s.decl.Name, got, want)
		}
		names = append(names, s.decl.Name)
	}
	if diff := cmp.Diff([]string{"Builder", "Pattern"}, names); diff != "" {
		t.Errorf("main declarations (-want +got):\n%s", diff)
	}
}
