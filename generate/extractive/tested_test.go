package extractive

import (
	"testing"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A test pins the part that it imports, wherever it lies, and none that only has a file of its name.
func TestTestedPart(t *testing.T) {
	files := map[string]string{
		"node/plugins/css.ts":                "export function css() {\n  return 1\n}\n",
		"node/config.ts":                     "export function config() {\n  return 1\n}\n",
		"node/__tests__/plugins/css.spec.ts": "import { css } from '../../plugins/css'\nimport { config } from '../../config'\nimport { expect } from 'vitest'\ntest('css', () => {})\n",
		"node/__tests__/other.spec.ts":       "import { expect } from 'vitest'\ntest('x', () => {})\n",
		"printer/src/json.rs":                "pub fn json() {}\n",
		"tests/json.rs":                      "use crate::util::Dir;\n#[test]\nfn basic() {}\n",
		"tests/printer.rs":                   "use my_printer::json;\n#[test]\nfn basic() {}\n",
	}
	repo := &survey.Repository{Files: map[string]*scan.File{}, Modules: []survey.Module{{Dir: "printer", Name: "my-printer", Ecosystem: "cargo"}}}
	part := func(id, role string, sources, tests []string) *survey.Component {
		p := &survey.Package{Dir: id, Files: sources, Tests: tests}
		c := &survey.Component{ID: id, Dir: id, Role: role, Rest: id == "node", Packages: []*survey.Package{p}}
		repo.Packages, repo.Components = append(repo.Packages, p), append(repo.Components, c)
		return c
	}
	plugins := part("node/plugins", "library", []string{"node/plugins/css.ts"}, nil)
	node := part("node", "library", []string{"node/config.ts"}, []string{"node/__tests__/plugins/css.spec.ts", "node/__tests__/other.spec.ts"})
	printer := part("printer/src", "library", []string{"printer/src/json.rs"}, nil)
	part("tests", "tests", nil, []string{"tests/json.rs", "tests/printer.rs"})
	for name, text := range files {
		repo.Files[name] = scan.Source(name, []byte(text))
	}
	a := newAtlas(repo, "openwiki", fixedFiles(files))
	if got := a.pinning(plugins); len(got) != 1 || got[0].Path != "node/__tests__/plugins/css.spec.ts" {
		t.Errorf("plugins are pinned by %v", got)
	}
	if got := a.pinning(node); len(got) != 1 || got[0].Path != "node/__tests__/other.spec.ts" {
		t.Errorf("node is pinned by %v", got)
	}
	if got := a.pinning(printer); len(got) != 0 {
		t.Errorf("printer is pinned by %v, whose test is of the program", got)
	}
}
