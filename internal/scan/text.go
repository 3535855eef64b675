package scan

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"
)

// A span is a half-open range of byte offsets.
type span struct{ start, end int }

// A literal is a string (or character, regular expression, heredoc …) literal with its delimiters.
type literal struct {
	span
	open, close int  // lengths of the delimiters, prefixes included
	raw         bool // no escapes inside
	dynamic     bool // holds code: a template or an interpolated string
}

// A text is a source file prepared for a line scanner. code has the same length and the same line breaks as src, but blanks where
// src has comments and the insides of literals, so that a scanner that looks at code sees code only, and every offset means the
// same in both.
type text struct {
	path     string
	src      []byte
	whole    string    // src, where a reader of tokens needs it as a string
	room     *[]lexeme // for the tokens of such a reader
	code     []byte
	comments []span    // in order
	literals []literal // by start; those inside an interpolated literal follow it
	starts   []int     // offset of each line
	opens    []int     // offsets of opening brackets, see pair
	closes   []int
	paired   bool
	words    map[string][]int // see find
	lastLine int              // line found last: questions mostly go forward
	lastDoc  struct {         // doc comment found last, and the index of its last comment plus one
		comment int
		doc
	}
}

// newText prepares data, which must be valid UTF-8, under the lexical rules of one language family. Without rules nothing is masked.
func newText(path string, data []byte, rules *syntax) *text {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		data = append([]byte("   "), data[3:]...)
	}
	t := &text{path: path, src: data}
	t.index()
	if t.code = t.src; rules != nil {
		t.mask(rules)
	}
	return t
}

func (t *text) index() {
	t.starts = make([]int, 1, bytes.Count(t.src, []byte{'\n'})+1)
	for i := 0; ; {
		n := bytes.IndexByte(t.src[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		if i < len(t.src) {
			t.starts = append(t.starts, i)
		}
	}
}

// lines returns the number of lines; a final line break does not begin another.
func (t *text) lines() int {
	if len(t.src) == 0 {
		return 0
	}
	return len(t.starts)
}

// line returns the 1-based line of an offset.
func (t *text) line(off int) int {
	if n := t.lastLine; n > 0 && t.starts[n-1] <= off {
		for try := 0; try < 4; try++ {
			if n == len(t.starts) || off < t.starts[n] {
				t.lastLine = n
				return n
			}
			n++
		}
	}
	n := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > off })
	t.lastLine = max(n, 1)
	return t.lastLine
}

// lineStart returns the offset of the first byte of the line that holds off.
func (t *text) lineStart(off int) int { return t.starts[t.line(off)-1] }

// lineEnd returns the offset of the line break that ends the line that holds off, or the length of the file.
func (t *text) lineEnd(off int) int {
	if n := t.line(off); n < len(t.starts) {
		return t.starts[n] - 1
	}
	return len(t.src)
}

// startsLine tells whether only white space stands before off on its line.
func (t *text) startsLine(off int) bool {
	return len(bytes.TrimSpace(t.src[t.lineStart(off):off])) == 0
}

// skip returns the offset of the first byte of code at or after off that is not white space (comments are white space here).
func (t *text) skip(off int) int {
	for off < len(t.code) && isSpace(t.code[off]) {
		off++
	}
	return off
}

// skipBack returns the offset just after the last byte of code before off that is not white space.
func (t *text) skipBack(off int) int {
	for off > 0 && isSpace(t.code[off-1]) {
		off--
	}
	return off
}

// word returns the end of the identifier that begins at off; off itself where none does.
func (t *text) word(off int) int {
	if off >= len(t.code) || isDigit(t.code[off]) {
		return off
	}
	for off < len(t.code) && isWord(t.code[off]) {
		off++
	}
	return off
}

// wordBack returns the start of the identifier that ends just before off; off itself where none does.
func (t *text) wordBack(off int) int {
	for off > 0 && isWord(t.code[off-1]) {
		off--
	}
	return off
}

// hasWord tells whether the word w stands at off as a whole word.
func (t *text) hasWord(off int, w string) bool {
	end := off + len(w)
	return end <= len(t.code) && string(t.code[off:end]) == w && (end == len(t.code) || !isWord(t.code[end])) &&
		(off == 0 || !isWord(t.code[off-1]))
}

// hasAt tells whether the code at off begins with s.
func (t *text) hasAt(off int, s string) bool {
	return off >= 0 && off+len(s) <= len(t.code) && string(t.code[off:off+len(s)]) == s
}

// at returns the byte of code at off, 0 outside of the file.
func (t *text) at(off int) byte {
	if off < 0 || off >= len(t.code) {
		return 0
	}
	return t.code[off]
}

// closing returns the offset of the bracket that closes the one at open, or -1. Brackets that are wrongly nested are skipped.
func (t *text) closing(open int) int {
	if !t.paired {
		t.pair()
	}
	i := sort.SearchInts(t.opens, open)
	if i < len(t.opens) && t.opens[i] == open {
		return t.closes[i]
	}
	return -1
}

// closingOr is closing with a default for brackets that never close.
func (t *text) closingOr(open, otherwise int) int {
	if end := t.closing(open); end >= 0 {
		return end
	}
	return otherwise
}

// brackets marks the bytes that pair looks at.
var brackets = [256]bool{'(': true, ')': true, '[': true, ']': true, '{': true, '}': true}

// pair matches all brackets of the file once, so that closing is cheap even in deeply nested code.
func (t *text) pair() {
	t.paired = true
	t.opens = make([]int, 0, len(t.code)/32)
	t.closes = make([]int, 0, len(t.code)/32)
	var stack []int // indexes into opens
	var depth [128]int
	for i, c := range t.code {
		if !brackets[c] {
			continue
		}
		switch c {
		case '(', '[', '{':
			stack = append(stack, len(t.opens))
			t.opens = append(t.opens, i)
			t.closes = append(t.closes, -1)
			depth[c]++
			continue
		}
		want := opener(c)
		for depth[want] > 0 {
			top := stack[len(stack)-1]
			got := t.code[t.opens[top]]
			if got == '{' && want != '{' {
				break // a stray parenthesis does not end a block
			}
			stack = stack[:len(stack)-1]
			depth[got]--
			if got == want {
				t.closes[top] = i
				break
			}
		}
	}
}

func opener(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// literalAt returns the literal that begins at off.
func (t *text) literalAt(off int) (literal, bool) {
	i := sort.Search(len(t.literals), func(i int) bool { return t.literals[i].start >= off })
	if i < len(t.literals) && t.literals[i].start == off {
		return t.literals[i], true
	}
	return literal{}, false
}

// stringAt returns the value of the string literal that begins at off, and the offset after it; ok is false where none begins or
// where its value depends on code.
func (t *text) stringAt(off int) (value string, end int, ok bool) {
	lit, ok := t.literalAt(off)
	if !ok || lit.dynamic {
		return "", off, false
	}
	return t.value(lit), lit.end, true
}

// value returns the text of a literal without delimiters and with the common escapes resolved.
func (t *text) value(lit literal) string {
	from, to := lit.start+lit.open, lit.end-lit.close
	if from >= to {
		return ""
	}
	s := string(t.src[from:to])
	if lit.raw || strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return unescape(s)
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r', '\r', '\n': // an escaped line break continues the line
		case '\\', '"', '\'', '`', '/', '$':
			b.WriteByte(s[i])
		default: // numeric escapes stay as written
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// text returns the source of a range as a string.
func (t *text) text(from, to int) string {
	if from < 0 || to > len(t.src) || from >= to {
		return ""
	}
	return string(t.src[from:to])
}

// maxSignature is the longest signature or value kept, in bytes.
const maxSignature = 200

// signature returns the declaration head in a range on one line: comments dropped, white space folded, cut at maxSignature bytes.
func (t *text) signature(from, to int) string {
	from, to = max(from, 0), min(to, len(t.src))
	var b []byte
	space := false
	comment := sort.Search(len(t.comments), func(i int) bool { return t.comments[i].end > from })
	for i := from; i < to; {
		if comment < len(t.comments) && i >= t.comments[comment].start {
			i = max(i, t.comments[comment].end)
			comment++
			space = true
			continue
		}
		c := t.src[i]
		i++
		if isSpace(c) {
			space = true
			continue
		}
		if space && len(b) > 0 {
			b = append(b, ' ')
		}
		space = false
		b = append(b, c)
		if len(b) > maxSignature {
			break
		}
	}
	return cut(strings.TrimRight(string(b), " "), maxSignature)
}

// fold returns s on one line with white space folded, cut at limit bytes.
func fold(s string, limit int) string { return cut(strings.Join(strings.Fields(s), " "), limit) }

// cut shortens s to at most limit bytes, on a rune boundary, with an ellipsis.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimRight(s[:end], " ") + "…"
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v'
}
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord tells whether c can be part of an identifier: every byte of a non-ASCII rune can, and so can '$'.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c >= utf8.RuneSelf
}
