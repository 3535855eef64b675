package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every place that ends the program is kept, not only the first of a status.
func TestExits(t *testing.T) {
	for _, tc := range []struct {
		path, text string
		want       []Failure
	}{
		{"a.c", "void stop(void) {\n    exit(1);\n}\nint main(void) {\n    if (bad()) exit(1);\n    exit(0);\n}\n", []Failure{{"exit 1", "", 2, 2}, {"exit 1", "", 5, 5}}},
		{"a.rs", "fn main() -> ExitCode {\n    if bad() {\n        return ExitCode::from(2);\n    }\n    ExitCode::from(0)\n}\n\nfn other() { Code::from(3); }\n", []Failure{{"exit 2", "", 3, 3}, {"exit 0", "", 5, 5}}},
	} {
		if diff := cmp.Diff(tc.want, Source(tc.path, []byte(tc.text)).Failures); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.path, diff)
		}
	}
}
