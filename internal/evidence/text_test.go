package evidence

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// The rule is that of the WHATWG decoder: one replacement for each maximal part
// that cannot become a character.
func TestDecode(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain\n", "plain\n"},
		{"\xef\xbb\xbfbom", "\xef\xbb\xbfbom"},
		{"\xff\xfe", "\ufffd\ufffd"},
		{"a\xe2\x82", "a\ufffd"},
		{"a\xe2\x82b", "a\ufffdb"},
		{"\xe2\x28\xa1", "\ufffd(\ufffd"},
		{"\xc0\xaf", "\ufffd\ufffd"},
		{"\xc1\x80", "\ufffd\ufffd"},
		{"\xe0\x80\xaf", "\ufffd\ufffd\ufffd"},
		{"\xe0\xa0", "\ufffd"},
		{"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		{"\xf0\x80\x80\xaf", "\ufffd\ufffd\ufffd\ufffd"},
		{"\xf0\x9f\x92", "\ufffd"},
		{"\xf0\x9f\x92\x41", "\ufffdA"},
		{"\xf4\x91\x92\x93", "\ufffd\ufffd\ufffd\ufffd"},
		{"\xf1\x80\x80\xe1\x80\xc2\x62", "\ufffd\ufffd\ufffdb"},
		{"\x80", "\ufffd"},
		{"é\x80é", "é\ufffdé"},
		{"\ufffd", "\ufffd"},
	}
	for _, test := range tests {
		if got := string(decode([]byte(test.in))); got != test.want {
			t.Errorf("decode(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestSplitLines(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\n", []string{"a\n"}},
		{"a\n\n", []string{"a\n", "\n"}},
		{"a\r\nb", []string{"a\r\n", "b"}},
		{"a\rb\n", []string{"a\rb\n"}},
	}
	for _, test := range tests {
		l := splitLines([]byte(test.in))
		if l.count() != len(test.want) {
			t.Errorf("splitLines(%q) has %d lines, want %d", test.in, l.count(), len(test.want))
			continue
		}
		for i, want := range test.want {
			if got := string(l.span(i, i+1)); got != want {
				t.Errorf("splitLines(%q) line %d = %q, want %q", test.in, i, got, want)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"a", "\xff\xfe", "\xe2\x82", "\xf0\x9f\x92\xa9", "é\x80"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out := decode(data)
		if !utf8.Valid(out) {
			t.Fatalf("decode(%q) = %q is not valid", data, out)
		}
		if utf8.Valid(data) && !bytes.Equal(out, data) {
			t.Fatalf("decode(%q) changed valid text to %q", data, out)
		}
		if hashText(data) != hash(out) {
			t.Fatalf("hashText(%q) is not the hash of %q", data, out)
		}
		// Splitting and joining must not lose a byte.
		l := splitLines(out)
		if !bytes.Equal(l.span(0, l.count()), out) {
			t.Fatalf("splitLines(%q) loses text", out)
		}
	})
}
