package scan

import "testing"

// A doc comment of Rust belongs to the next item, also over blank lines; another comment between them ends that.
func TestRustDocApart(t *testing.T) {
	f := Source("a.rs", []byte("/// The printer.\n/// It prints.\n\n#[derive(Debug)]\npub struct Json;\n\n// plain\n\npub struct Other;\n\n/// Lost.\n\n// plain\npub struct Third;\n"))
	want := map[string]string{"Json": "The printer.\nIt prints.", "Other": "", "Third": ""}
	for _, d := range f.Decls {
		if d.Doc != want[d.Name] {
			t.Errorf("doc of %s: %q, want %q", d.Name, d.Doc, want[d.Name])
		}
	}
	if d := f.Decls[0]; d.DocStart != 1 || d.DocEnd != 2 {
		t.Errorf("doc at %d-%d", d.DocStart, d.DocEnd)
	}
}
