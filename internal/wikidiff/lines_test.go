package wikidiff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func text(lines ...string) []byte {
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

func TestLines(t *testing.T) {
	for _, test := range []struct {
		name     string
		from, to []byte
		want     []Hunk
	}{
		{"equal", text("a", "b"), text("a", "b"), nil},
		{"empty", nil, nil, nil},
		{"all new", nil, text("a", "b"), []Hunk{{0, 0, 0, 2}}},
		{"all gone", text("a", "b"), nil, []Hunk{{0, 2, 0, 0}}},
		{"one changed", text("a", "b", "c"), text("a", "x", "c"), []Hunk{{1, 2, 1, 2}}},
		{"inserted", text("a", "c"), text("a", "b", "c"), []Hunk{{1, 1, 1, 2}}},
		{"moved", text("a", "b", "c", "d"), text("b", "c", "d", "a"), []Hunk{{0, 1, 0, 0}, {4, 4, 3, 4}}},
		{"repeated lines", text("x", "x", "a", "x"), text("x", "a", "x", "x"), []Hunk{{1, 1, 1, 2}, {2, 3, 3, 3}}},
		{"no newline at the end", []byte("a\nb"), text("a", "b"), []Hunk{{1, 2, 1, 2}}},
	} {
		got := Lines(test.from, test.to)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestLines_large(t *testing.T) {
	var a, b []string
	for i := range 20_000 {
		a = append(a, fmt.Sprint("same ", i%50))
		b = append(b, fmt.Sprint("other ", i%50))
	}
	a[10_000], b[10_000] = "anchor", "anchor"
	want := []Hunk{{0, 10_000, 0, 10_000}, {10_001, 20_000, 10_001, 20_000}}
	if diff := cmp.Diff(want, Lines(text(a...), text(b...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzLines proves that the hunks lead from one text to the other and back.
func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("", "a")
	f.Add("x\nx\na\nx\n", "x\na\nx\nx")
	f.Fuzz(func(t *testing.T, a, b string) {
		from, to := []byte(a), []byte(b)
		hunks := Lines(from, to)
		if got := patch(from, to, hunks); !bytes.Equal(got, to) {
			t.Fatalf("%q to %q by %v: got %q", a, b, hunks, got)
		}
		back := Lines(to, from)
		if len(back) != len(hunks) {
			t.Fatalf("%v and back %v", hunks, back)
		}
		for i, h := range hunks {
			if back[i] != (Hunk{h.ToStart, h.ToEnd, h.FromStart, h.FromEnd}) {
				t.Fatalf("%v and back %v", hunks, back)
			}
		}
	})
}

// patch builds the new text from the old one, taking from the new one only what the hunks allow.
func patch(from, to []byte, hunks []Hunk) []byte {
	var a, b [][]byte
	for line := range bytes.Lines(from) {
		a = append(a, line)
	}
	for line := range bytes.Lines(to) {
		b = append(b, line)
	}
	var out []byte
	at := 0
	for _, h := range hunks {
		for ; at < h.FromStart; at++ {
			out = append(out, a[at]...)
		}
		for _, line := range b[h.ToStart:h.ToEnd] {
			out = append(out, line...)
		}
		at = h.FromEnd
	}
	for ; at < len(a); at++ {
		out = append(out, a[at]...)
	}
	return out
}
