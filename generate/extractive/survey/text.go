package survey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Caps on text that is taken over from a repository. What is longer is cut at a word, or dropped where a cut would change its meaning.
const (
	maxText    = 600 // one value: a description, a help text
	maxCommand = 200 // one command line
	maxName    = 120
)

// clean makes text from a repository safe to keep: valid UTF-8, no control or invisible formatting characters, white space folded to
// single spaces, length capped. It does not escape anything: the text stays data.
func clean(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if hidden(r) {
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		if b.Len() > 4*maxText {
			break
		}
	}
	return cut(b.String(), maxText)
}

// hidden reports control characters, invalid bytes, and the invisible characters that can reorder or hide text.
func hidden(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// cut shortens s to at most limit bytes, at a space where there is one in the second half, and marks the cut.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	at := limit - len("…")
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	s = s[:at]
	if sp := strings.LastIndexByte(s, ' '); sp >= limit/2 {
		s = s[:sp]
	}
	return strings.TrimRight(s, " ,;:") + "…"
}

// A textLine is one line of a text file with its number.
type textLine struct {
	no   int
	text string
}

// splitLines returns the lines of data without line ends.
func splitLines(data []byte) []textLine {
	text := strings.TrimPrefix(string(data), "\ufeff")
	var out []textLine
	for no := 1; text != ""; no++ {
		line, rest, _ := strings.Cut(text, "\n")
		out = append(out, textLine{no: no, text: strings.TrimSuffix(line, "\r")})
		text = rest
	}
	return out
}

// unquote removes one pair of matching quotes.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'' || s[0] == '`') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
