package extractive

import (
	"maps"
	"slices"
	"testing"
)

// A function of Rust is called by the name of the module that passes it on.
func TestPassedOn(t *testing.T) {
	files := map[string]string{
		"src/main.rs":          "mod flags;\nfn main() {\n    run(flags::parse());\n    flags::hidden();\n}\nfn run(x: u8) {}\n",
		"src/flags/mod.rs":     "mod parse;\npub(crate) use crate::flags::{parse::{Result, parse}};\n",
		"src/flags/parse.rs":   "pub(crate) fn parse() -> u8 { 1 }\npub(crate) fn hidden() {}\n",
		"src/other/parse.rs":   "pub fn other() {}\n",
		"src/another/flags.rs": "pub fn unrelated() {}\n",
	}
	a, c := manyFiles(files)
	c.Packages[0].Files = slices.Sorted(maps.Keys(files))
	a = newAtlas(a.repo, "openwiki", fixedFiles(files))
	main := a.calls.named["main"][0]
	var got []string
	for _, c := range main.file.Calls {
		if to, ok := a.calls.target(main, c); ok {
			got = append(got, c.Name+" "+to.file.Path)
		}
	}
	want := []string{"run src/main.rs", "parse src/flags/parse.rs"}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("calls %v, want %v", got, want)
	}
}
