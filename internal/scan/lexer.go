package scan

import "bytes"

// A syntax says what comments and literals look like in one language family.
type syntax struct {
	line   []string  // openers of line comments
	block  [2]string // opener and closer of block comments
	nested bool      // block comments nest
	quotes []quote   // literals, longer openers first
	// hook sees the bytes of hookAt before the rules above do. It returns the offset after what it consumed, or i.
	hook   func(m *masker, i int) int
	hookAt string
}

// A quote is one form of string literal.
type quote struct {
	open, close string
	escape      bool   // a backslash escapes the next byte
	double      bool   // a doubled closer stands for one
	multiline   bool   // otherwise an unclosed literal ends with its line
	subst       string // opener of code inside, ended by '}': "${", "#{", "{"
	raw         bool   // escapes are not resolved in the value
}

// A masker blanks comments and literals out of a copy of the source.
type masker struct {
	src, out []byte
	rules    *syntax
	table    [256]uint8 // what may begin at a byte
	comments []span
	literals []literal
	depth    int // of code inside literals
	broken   int // elements of JSX that did not end
}

// What may begin at a byte.
const (
	mayHook uint8 = 1 << iota
	mayComment
	mayQuote
	isBrace
)

// maxSubst bounds the nesting of code inside literals; deeper code is masked as text.
const maxSubst = 50

func (t *text) mask(rules *syntax) {
	m := &masker{src: t.src, out: bytes.Clone(t.src), rules: rules}
	for _, c := range []byte(rules.hookAt) {
		m.table[c] |= mayHook
	}
	for _, s := range rules.line {
		m.table[s[0]] |= mayComment
	}
	if rules.block[0] != "" {
		m.table[rules.block[0][0]] |= mayComment
	}
	for _, q := range rules.quotes {
		m.table[q.open[0]] |= mayQuote
	}
	m.table['{'] |= isBrace
	m.table['}'] |= isBrace
	m.run(0, false)
	t.code, t.comments, t.literals = m.out, m.comments, m.literals
	if t.code == nil {
		t.code = []byte{}
	}
}

// run masks from i to the end of the file, or, within a literal, to the brace that ends the code there; it returns that offset.
func (m *masker) run(i int, inside bool) int {
	braces := 0
	for i < len(m.src) {
		what := m.table[m.src[i]]
		if what == 0 {
			i++
			continue
		}
		if what&mayHook != 0 {
			if next := m.rules.hook(m, i); next > i {
				i = next
				continue
			}
		}
		if next := m.token(i, what); next > i {
			i = next
			continue
		}
		if inside && what&isBrace != 0 {
			if m.src[i] == '{' {
				braces++
			} else if braces--; braces < 0 {
				return i
			}
		}
		i++
	}
	return len(m.src)
}

func (m *masker) token(i int, what uint8) int {
	if what&mayComment != 0 {
		for _, s := range m.rules.line {
			if m.has(i, s) {
				return m.comment(i, m.eol(i))
			}
		}
		if open := m.rules.block[0]; open != "" && m.has(i, open) {
			return m.comment(i, m.blockEnd(i))
		}
	}
	if what&mayQuote != 0 {
		for k := range m.rules.quotes {
			if q := &m.rules.quotes[k]; m.has(i, q.open) {
				return m.quoted(i, len(q.open), q)
			}
		}
	}
	return i
}

// has tells whether the source at i begins with s.
func (m *masker) has(i int, s string) bool {
	return i+len(s) <= len(m.src) && string(m.src[i:i+len(s)]) == s
}

// eol returns the offset of the line break at or after i, or the end of the file.
func (m *masker) eol(i int) int {
	if n := bytes.IndexByte(m.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(m.src)
}

// blockEnd returns the offset after the block comment that begins at i.
func (m *masker) blockEnd(i int) int {
	open, shut := []byte(m.rules.block[0]), []byte(m.rules.block[1])
	i += len(open)
	for depth := 1; ; {
		end := bytes.Index(m.src[i:], shut)
		if end < 0 {
			return len(m.src)
		}
		if m.rules.nested {
			depth += bytes.Count(m.src[i:i+end], open)
		}
		i += end + len(shut)
		if depth--; depth == 0 {
			return i
		}
	}
}

// comment records and blanks a comment, and returns its end.
func (m *masker) comment(start, end int) int {
	m.comments = append(m.comments, span{start, end})
	m.blank(start, end)
	return end
}

// literal records a literal without code inside and blanks what stands between its delimiters; it returns its end.
func (m *masker) literal(start, end, open, shut int, raw bool) int {
	m.literals = append(m.literals, literal{span: span{start, end}, open: open, close: shut, raw: raw})
	m.blank(start+open, end-shut)
	return end
}

// blank overwrites a range by spaces and keeps its line breaks.
func (m *masker) blank(from, to int) {
	for i := from; i < to; i++ {
		if m.out[i] != '\n' {
			m.out[i] = ' '
		}
	}
}

// quoted masks the literal that begins at start under the rule q. open is the length of its opener, prefix included; the last
// bytes of the opener stay visible so that a scanner can see that a literal is there. It returns the end of the literal.
func (m *masker) quoted(start, open int, q *quote) int {
	at := len(m.literals)
	m.literals = append(m.literals, literal{span: span{start, len(m.src)}, open: open, raw: q.raw})
	last := q.close[0]
	from := start + open // text to be blanked begins here
	i := from
	for i < len(m.src) {
		switch c := m.src[i]; {
		case c == '\\' && q.escape:
			if i++; q.subst != "{" || !m.has(i, "{") { // a backslash does not escape an opening brace of Python
				i++
			}
			continue
		case c == '\n' && !q.multiline:
			return m.finish(at, from, i, 0)
		case c == last && m.has(i, q.close):
			if q.double && m.has(i+len(q.close), q.close) {
				i += 2 * len(q.close)
				continue
			}
			return m.finish(at, from, i, len(q.close))
		case q.subst == "{" && m.has(i, "{{"): // an escaped brace where a single one opens code
			i += 2
			continue
		case q.subst != "" && c == q.subst[0] && m.depth < maxSubst && m.has(i, q.subst):
			m.literals[at].dynamic = true
			inner := i + len(q.subst)
			m.blank(from, inner-1) // the brace stays, so that braces pair
			m.depth++
			i = m.run(inner, true)
			m.depth--
			from = min(i+1, len(m.src))
		}
		i++
	}
	return m.finish(at, from, len(m.src), 0)
}

func (m *masker) finish(at, from, to, shut int) int {
	to = min(to, len(m.src))
	m.blank(from, to)
	m.literals[at].end = to + shut
	m.literals[at].close = shut
	return to + shut
}
