package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is there only on demand is told as such, and in the words of the comment above it.
func TestOptionalCrates(t *testing.T) {
	repo := surveyTree(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\n\n[workspace]\nmembers = [\"crates/index\", \"crates/grep\"]\n\n[dependencies]\nindex = { path = \"crates/index\", optional = true }\ngrep = { path = \"crates/grep\" }\n\n" +
			"[features]\n# This is in development.\n# Use at your own risk.\nunstable = [\"dep:index\"]\nplain = []\n\n# These are no-ops.\nold = []\nolder = []\n\n# This is one.\nalone = []\nother = []\n",
		"src/main.rs":             "use grep::Matcher;\nfn main() {\n    index::Index::open();\n}\n",
		"crates/index/Cargo.toml": "[package]\nname = \"index\"\n",
		"crates/index/src/lib.rs": "pub struct Index;\n",
		"crates/grep/Cargo.toml":  "[package]\nname = \"grep\"\n",
		"crates/grep/src/lib.rs":  "pub struct Matcher;\n",
	}, 2)
	got := map[string]Edge{}
	for _, p := range repo.Packages {
		if p.Dir == "src" {
			for _, e := range p.Imports {
				got[e.To] = e
			}
		}
	}
	want := map[string]Edge{
		"crates/grep/src":  {To: "crates/grep/src", Count: 1, Ref: Ref{"src/main.rs", 1, 1}},
		"crates/index/src": {To: "crates/index/src", Count: 1, Ref: Ref{"src/main.rs", 3, 3}, Inline: true, Optional: Ref{"Cargo.toml", 8, 8}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
	usage := map[string]string{}
	for _, it := range repo.Config {
		usage[it.Name] = it.Usage
	}
	if diff := cmp.Diff(map[string]string{"unstable": "Cargo feature. This is in development. Use at your own risk.", "plain": "Cargo feature",
		"old": "Cargo feature. These are no-ops.", "older": "Cargo feature. These are no-ops.", "alone": "Cargo feature. This is one.", "other": "Cargo feature"}, usage); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
}

func TestEdgesOfLeftoversAndTypes(t *testing.T) {
	c := &Component{ID: "lib", Dir: "lib", Rest: true}
	if !leftover(&Component{Dir: "lib/src/node"}, c, "lib/misc") || leftover(&Component{Dir: "app"}, c, "lib/misc") ||
		leftover(&Component{Dir: "lib/src/node"}, &Component{Dir: "lib"}, "lib/misc") || leftover(&Component{Dir: "lib/src/node"}, c, "lib") {
		t.Error("only the rest of a directory is no dependency of what lies in it")
	}
	repo := surveyTree(t, map[string]string{
		"package.json":    "{\"name\": \"a\", \"imports\": {\"#types/*\": \"./types/*.d.ts\"}}",
		"types/hot.d.ts":  "export interface Hot {}\n",
		"src/a.ts":        "import type { Hot } from '#types/hot'\nimport type { B } from '../other/b'\nexport const a = 1\n",
		"other/b.ts":      "export interface B {}\nexport const b = 1\n",
		"other/index.mjs": "export const c = 1\n",
	}, 2)
	for _, p := range repo.Packages {
		if p.Dir != "src" {
			continue
		}
		if diff := cmp.Diff([]Edge{{To: "types", Count: 1, Ref: Ref{"src/a.ts", 1, 1}}}, p.Imports); diff != "" {
			t.Errorf("imports of types (-want +got):\n%s", diff)
		}
	}
}

// A dependency is proved by the manifest of the part that uses it.
func TestNearestManifest(t *testing.T) {
	repo := surveyTree(t, map[string]string{
		"package.json":        "{\n  \"private\": true,\n  \"workspaces\": [\"x\", \"y\"]\n}",
		"x/package.json":      "{\n  \"name\": \"x\",\n  \"dependencies\": {\n    \"magic\": \"1\"\n  }\n}",
		"x/src/index.ts":      "import m from 'magic'\nexport const x = m\n",
		"y/package.json":      "{\n  \"name\": \"y\",\n  \"devDependencies\": {\n    \"magic\": \"2\"\n  }\n}",
		"y/src/index.ts":      "import m from 'magic'\nexport const y = m\n",
		"y/src/other/deep.ts": "export const z = 1\n",
	}, 2)
	got := map[Ref]string{}
	for _, e := range repo.Externals {
		got[e.Ref] = e.Name + " " + e.Kind + " " + e.UsedBy[0]
	}
	want := map[Ref]string{{"x/package.json", 4, 4}: "magic  x", {"y/package.json", 4, 4}: "magic dev y"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
}

func TestPreparedCommands(t *testing.T) {
	repo := surveyTree(t, map[string]string{
		"README.md":                 "# App\n\n## Running tests\n\n```sh\n./utils/certs.sh\n./runtest --tls\n```\n\n```sh\n./runtest\n```\n",
		"runtest":                   "#!/bin/sh\n",
		"utils/certs.sh":            "#!/bin/sh\n",
		".github/workflows/ci.yml":  "name: ci\non:\n  push:\n    branches: [a, b, c, d, e]\njobs:\n  t:\n    runs-on: x\n    steps:\n      - run: ./bench -n 1 > /dev/null\n",
		"src/main.c":                "int main(void) { return 0; }\n",
		"Makefile":                  "all:\n\tcc src/main.c\n",
		"modules/Makefile":          "install-rust:\n\tcurl x\n",
		"modules/thing/thing.c":     "int thing;\n",
		"modules/thing/Makefile":    "all:\n\tcc thing.c\n",
		"modules/thing/README.md":   "# Thing\n\nKeeps things.\n",
		"modules/thing/other.c":     "int other;\n",
		"modules/thing/another.c":   "int another;\n",
		"modules/thing/something.h": "int some;\n",
	}, 2)
	got := map[string]string{}
	for _, c := range repo.Commands {
		if c.Source == "README" {
			got[c.Line] = c.Purpose + " " + c.After + " " + line(c.Ref)
		}
		if c.Source == "CI step" {
			t.Errorf("a step that throws its output away is shown: %s", c.Line)
		}
	}
	if diff := cmp.Diff(map[string]string{"./runtest --tls": "test ./utils/certs.sh 6-7", "./runtest": "test  11"}, got); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	if want := "push (branches: a, b, c, d and others)"; len(repo.Workflows) != 1 || repo.Workflows[0].On[0] != want {
		t.Errorf("runs on %v, want %s", repo.Workflows, want)
	}
}

// A dependency of some platforms is told with its condition, unless another table needs it as well.
func TestDependencyOfPlatform(t *testing.T) {
	repo := surveyTree(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\n\n[dependencies]\nlog = \"1\"\n\n[target.'cfg(windows)'.dependencies.winapi]\nversion = \"1\"\n\n" +
			"[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\nlog = \"1\"\nboth = \"1\"\n\n[target.wasm32.dependencies]\nboth = \"1\"\n",
		"src/main.rs": "use winapi::A;\nuse libc::B;\nuse log::C;\nuse both::D;\nfn main() {}\n",
	}, 2)
	got := map[string]string{}
	for _, e := range repo.Externals {
		got[e.Name] = e.Under
	}
	if diff := cmp.Diff(map[string]string{"winapi": "cfg(windows)", "libc": "cfg(unix)", "log": "", "both": ""}, got); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
}
