package survey

import (
	"testing"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// A test of Rust is run by its whole path, and only where that is certain.
func TestRustTest(t *testing.T) {
	const test = "#[test]\nfn basic() {}\n"
	repo := surveyTree(t, map[string]string{
		"Cargo.toml":               "[package]\nname = \"tool\"\nautotests = false\n\n[[bin]]\nname = \"tl\"\npath = \"crates/core/main.rs\"\n\n[workspace]\nmembers = [\"crates/lib\"]\n",
		"crates/core/main.rs":      "mod flags;\n\nfn main() {}\n",
		"crates/core/flags/mod.rs": "mod config;\n#[cfg(feature = \"extra\")]\nmod extra;\n#[path = \"else.rs\"]\nmod moved;\n",
		"crates/core/flags/config.rs": "pub fn read() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn basic() {}\n\n    mod more {\n        #[test]\n        fn basic() {}\n    }\n}\n" +
			"macro_rules! each {\n    ($name:ident) => {\n        #[test]\n        fn $name() {}\n    };\n}\neach!(made);\n",
		"crates/core/flags/extra.rs": test, "crates/core/flags/else.rs": test, "crates/core/flags/stray.rs": test,
		"tests/json.rs":         test,
		"crates/lib/Cargo.toml": "[package]\nname = \"tool-lib\"\n", "crates/lib/src/lib.rs": "pub fn a() {}\n" + test, "crates/lib/tests/all.rs": test,
		"fuzz/Cargo.toml": "[package]\nname = \"tool-fuzz\"\n", "fuzz/src/lib.rs": "pub fn a() {}\n" + test,
	}, 1)
	for _, tc := range []struct{ file, test, want, dir string }{
		{"crates/core/flags/config.rs", "tests::basic", "cargo test -p tool flags::config::tests::basic -- --exact", "."},
		{"crates/core/flags/config.rs", "tests::more::basic", "cargo test -p tool flags::config::tests::more::basic -- --exact", "."},
		{"crates/core/flags/config.rs", "made", "", ""},
		{"crates/core/flags/extra.rs", "basic", "", ""},
		{"crates/core/flags/else.rs", "basic", "", ""},
		{"crates/core/flags/stray.rs", "basic", "", ""},
		{"tests/json.rs", "basic", "", ""},
		{"crates/lib/src/lib.rs", "basic", "cargo test -p tool-lib basic -- --exact", "."},
		{"crates/lib/tests/all.rs", "basic", "cargo test -p tool-lib --test all basic -- --exact", "."},
		{"fuzz/src/lib.rs", "basic", "cargo test basic -- --exact", "fuzz"},
	} {
		var at scan.Test
		for _, x := range repo.Files[tc.file].Tests {
			if x.Name == tc.test {
				at = x
			}
		}
		if at.Line == 0 {
			t.Errorf("%s has no test %s", tc.file, tc.test)
		}
		if got, dir, ok := repo.RustTest(tc.file, at); got != tc.want || dir != tc.dir || ok != (tc.want != "") {
			t.Errorf("%s %s: %q in %q, %v; want %q in %q", tc.file, tc.test, got, dir, ok, tc.want, tc.dir)
		}
	}
}
