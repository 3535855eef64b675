package claims

import "testing"

func TestMissingNames(t *testing.T) {
	for _, test := range []struct{ statement, text, want string }{
		{"The store is asked by the server.", "", ""},
		{"`Open` replays the journal.", "func (s *Store) Open() error {", ""},
		{"`Store.Open()` replays the journal.", "func (s *Store) Open() error {", ""},
		{"`Close` and `Open` flush.", "func Open() {}", ""},
		{"`Close` flushes before `Sync`.", "func Open() {}", "`Close`, `Sync`"},
	} {
		if got := MissingNames(test.statement, test.text); got != test.want {
			t.Errorf("%q in %q: %q, want %q", test.statement, test.text, got, test.want)
		}
	}
}
