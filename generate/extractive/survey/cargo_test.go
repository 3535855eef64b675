package survey

import "testing"

func TestCargoFeatures(t *testing.T) {
	m := &manifest{}
	m.Manifest = "Cargo.toml"
	readCargo(m, []byte("[package]\nname = \"a\"\n\n[features]\ndefault = [\"log\"]\nfast = []\n# Opt-in support for\n# indexing. It may have bugs.\nindex = [\"dep:x\"]\n"))
	want := map[string]string{"fast": "Cargo feature", "index": "Cargo feature: Opt-in support for indexing. It may have bugs."}
	for _, it := range m.config {
		if it.Usage != want[it.Name] {
			t.Errorf("%s: %q, want %q", it.Name, it.Usage, want[it.Name])
		}
		if it.Name == "index" && it.Refs[0] != (Ref{Path: "Cargo.toml", Start: 7, End: 9}) {
			t.Errorf("index at %v", it.Refs)
		}
	}
	if len(m.config) != 2 {
		t.Errorf("%d features, want 2", len(m.config))
	}
}
