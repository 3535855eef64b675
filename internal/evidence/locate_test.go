package evidence

import (
	"fmt"
	"strings"
	"testing"
)

const sample = "package a\n\n// Add sums.\nfunc Add(x, y int) int {\n\treturn x + y\n}\n"

// record returns the anchor of the lines start to end of before.
func record(t *testing.T, before string, start, end int) anchor {
	t.Helper()
	version, ok := LineVersion([]byte(before), start, end)
	if !ok {
		t.Fatalf("no lines %d-%d in %q", start, end, before)
	}
	a, ok := parseAnchor(version)
	if !ok {
		t.Fatalf("version %s is not read back", version)
	}
	return a
}

func TestLocate(t *testing.T) {
	const block = "func f() {\n\treturn\n}\n"
	tests := []struct {
		name       string
		before     string
		start, end int
		after      string
		want       place
		from, to   int // first and last line, counted from 1
	}{
		{"same", sample, 4, 6, sample, unchanged, 4, 6},
		{"lines added above", sample, 4, 6, strings.Repeat("// x\n", 10) + sample, unchanged, 14, 16},
		{"lines removed above", sample, 4, 6, sample[len("package a\n\n"):], unchanged, 2, 4},
		{"edit outside", sample, 4, 6, strings.Replace(sample, "sums", "adds", 1), unchanged, 4, 6},
		{"edit inside", sample, 5, 5, strings.Replace(sample, "x + y", "y + x", 1), altered, 5, 5},
		{"grown inside", sample, 4, 6, strings.Replace(sample, "\treturn", "\tx++\n\treturn", 1), altered, 4, 7},
		{
			"moved and grown", sample, 4, 6,
			strings.Repeat("// x\n", 10) + strings.Replace(sample, "\treturn", "\tx++\n\treturn", 1), altered, 14, 17,
		},
		{
			"moved and grown, context complete", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", 5, 6,
			"x\n0\n1\n2\n3\n4\nnew\n5\n6\n7\n8\n9\n", altered, 6, 8,
		},
		{"deleted", sample, 5, 5, strings.Replace(sample, "\treturn x + y\n", "", 1), lost, 0, 0},
		{"file emptied", sample, 4, 6, "", lost, 0, 0},
		{"range longer than file", sample, 4, 6, "x\n", lost, 0, 0},
		{"duplicate, same context", "a\n" + block + "z\n", 2, 4, "b\na\n" + block + "z\na\n" + block + "z\n", lost, 0, 0},
		{
			"duplicate, own context", "1\n2\n3\n" + block + "4\n5\n6\n", 4, 6,
			block + "1\n2\n3\n" + block + "4\n5\n6\n" + block, unchanged, 7, 9,
		},
		{"CRLF now", sample, 4, 6, strings.ReplaceAll(sample, "\n", "\r\n"), unchanged, 4, 6},
		{"LF now", strings.ReplaceAll(sample, "\n", "\r\n"), 4, 6, sample, unchanged, 4, 6},
		{"CRLF now and moved", sample, 4, 6, "x\r\n" + strings.ReplaceAll(sample, "\n", "\r\n"), unchanged, 5, 7},
		{
			"CRLF now and changed", sample, 5, 5,
			strings.ReplaceAll(strings.Replace(sample, "x + y", "y + x", 1), "\n", "\r\n"), altered, 5, 5,
		},
		{"mixed line ends outside", sample, 4, 6, strings.Replace(sample, "sums.\n", "sums.\r\n", 1), unchanged, 4, 6},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := record(t, test.before, test.start, test.end)
			from, to, got := newText([]byte(test.after)).locate(a, test.start-1, test.end)
			if got == lost {
				from = -1
			}
			if got != test.want || from+1 != test.from || to != test.to {
				t.Errorf("got %v, lines %d-%d; want %v, lines %d-%d", got, from+1, to, test.want, test.from, test.to)
			}
		})
	}
}

// The record of another tool may name lines that do not match its own count:
// the content decides.
func TestLocate_ReferenceOfOtherLength(t *testing.T) {
	a := record(t, sample, 4, 6)
	from, to, got := newText([]byte(sample)).locate(a, 0, 2)
	if got != unchanged || from != 3 || to != 6 {
		t.Errorf("got %v, %d, %d; want %v, 3, 6", got, from, to, unchanged)
	}
}

// Very many equal lines must not cost their square.
func TestLocate_BoundedWork(t *testing.T) {
	before := strings.Repeat("a\n", 60_000) + "end\n" + strings.Repeat("b\n", 60_000)
	a := record(t, before, 1, 60_000)
	after := newText([]byte(strings.Repeat("a\n", 300_000)))
	if _, _, got := after.locate(a, 5, 7); got != lost {
		t.Errorf("got %v, want %v", got, lost)
	}
	if found, ok := after.raw().candidates(a); ok {
		t.Errorf("every place was compared, %d of them hold it", len(found))
	}
}

func FuzzLocate(f *testing.F) {
	f.Add([]byte(sample), []byte(sample), 4, 6)
	f.Add([]byte("a\nb\n"), []byte("b\na\nb\n"), 2, 2)
	f.Add([]byte("a\r\nb\xff"), []byte("x\na\nb\xff"), 1, 1)
	f.Fuzz(func(t *testing.T, before, after []byte, start, end int) {
		version, ok := LineVersion(before, start, end)
		if !ok {
			return
		}
		a, _ := parseAnchor(version)
		text := newText(after)
		from, to, got := text.locate(a, start-1, end)
		if got == lost {
			return
		}
		if from < 0 || to <= from || to > text.raw().count() {
			t.Fatalf("found lines %d-%d of %d", from, to, text.raw().count())
		}
		if got == unchanged && !text.at(a, from, to) {
			t.Fatalf("lines %d-%d of %q are not the recorded content", from, to, after)
		}
	})
}

// Text that moved by n lines, unchanged, is found n lines further.
func FuzzLocate_Shift(f *testing.F) {
	f.Add([]byte(sample), 4, 6, uint8(10))
	f.Add([]byte("}\n}\n}\n"), 2, 2, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, start, end int, n uint8) {
		before := decode(data)
		version, ok := LineVersion(before, start, end)
		if !ok {
			return
		}
		var above strings.Builder
		for i := range int(n) {
			fmt.Fprintf(&above, "unlike any other line %d %x\n", i, before[:min(len(before), 4)])
		}
		if strings.Contains(string(before), "unlike any other line") {
			return
		}
		a, _ := parseAnchor(version)
		text := newText([]byte(above.String() + string(before)))
		from, to, got := text.locate(a, start-1, end)
		shifted := n > 0 && !text.at(a, start-1, end)
		candidates, _ := text.raw().candidates(a)
		switch {
		case shifted && len(candidates) == 1 && (got != unchanged || from != start-1+int(n) || to != end+int(n)):
			t.Fatalf("moved by %d: found %v, lines %d-%d, want %d-%d", n, got, from, to, start-1+int(n), end+int(n))
		case n == 0 && (got != unchanged || from != start-1 || to != end):
			t.Fatalf("not moved: found %v, lines %d-%d, want %d-%d", got, from, to, start-1, end)
		}
	})
}
