package gitrepo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseStatus_error(t *testing.T) {
	t.Parallel()
	const head = "# branch.oid (initial)\x00# branch.head main\x00"
	for name, out := range map[string]string{
		"no HEAD":          "1 .M N... 100644 100644 100644 a a path\x00",
		"nothing":          "",
		"cut":              head + "? path",
		"unknown kind":     head + "9 path\x00",
		"empty record":     head + "\x00",
		"rename":           head + "2 R. N... 100644 100644 100644 a a R100 new\x00old\x00",
		"too few fields":   head + "1 .M N... 100644\x00",
		"long code":        head + "1 .MM N... 100644 100644 100644 a a path\x00",
		"no submodule":     head + "1 .M  100644 100644 100644 a a path\x00",
		"half a merge":     head + "u UU N... 100644 100644 100644 a a path\x00",
		"only the commit":  "# branch.oid (initial)\x00",
		"only the branch":  "# branch.head main\x00",
		"version 1 answer": " M path\x00",
	} {
		if got, err := parseStatus([]byte(out)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, got)
		}
	}
}

func TestParseTracked_error(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", "H 100644 oid 0", "H 100644 oid 0\t", "100644 oid 0\ta", "H 100644 oid 4\ta", "H 100644 oid 00\ta", "\ta"} {
		if got, err := parseTracked(line); err == nil {
			t.Errorf("%q: got %+v, want an error", line, got)
		}
	}
}

// Paths that look like the start of a commit or begin with a line break are paths.
func TestParseHistory(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("a", 40)
	out := "\x00" + hash + " 1\x00\n\nfirst\x00\nsecond\x00" + hash + " 9\x00\x00" + hash + " 2\x00"
	want := []CommitFiles{{Commit: hash, Time: 1, Paths: []string{"\nfirst", "\nsecond", hash + " 9"}}, {Commit: hash, Time: 2}}
	got, err := parseHistory(out)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("# branch.oid (initial)\x00# branch.head main\x001 .M N... 100644 100644 100644 a a path\x00? b\x00"))
	f.Add([]byte("H 100644 oid 0\ta\x00"))
	f.Add([]byte("\x00" + strings.Repeat("a", 40) + " 1\x00\na\x00b\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		status, err := parseStatus(out)
		for _, entry := range status.Entries {
			if err == nil && (len(entry.Code) != 2 || strings.Contains(entry.Path, "\x00")) {
				t.Errorf("entry %+v", entry)
			}
		}
		// Never a panic.
		_, _ = parseTracked(string(out))
		_, _ = parseHistory(string(out))
	})
}

func TestTidy(t *testing.T) {
	t.Parallel()
	got := tidy("hint: do this\nfatal: bad object x\n\nerror: more\n")
	if want := "bad object x; more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := tidy(strings.Repeat("é", 3000)); len(got) > maxStderr+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("long text is cut to %d bytes ending in %q", len(got), got[len(got)-10:])
	}
}
