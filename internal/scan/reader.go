package scan

import "strings"

// A reader steps over the tokens of a file. The scanners of the brace languages embed one.
type reader struct {
	f    *File
	t    *text
	s    string
	toks []lexeme
	last int // index of the tokenEnd
	// arrow tells that -> selects a member.
	arrow bool
	// budget is how many more tokens may be looked at to tell type arguments from comparisons.
	budget int
	depth  int // of the declarations that are being read
	// assigned are the fields that the body read last assigns.
	assigned []string
	dialect  dialect
	// skip tells which words before a parenthesis are no calls; onCall sees the others, with the index of the name.
	skip   func(word string) bool
	onCall func(i int)
	// onIndex, where there is one, sees the names before a square bracket.
	onIndex func(i int)
}

// newReader tokenizes a file and gives its comments to the text, for doc comments and marks.
func newReader(f *File, t *text, d dialect) (*reader, *tokenizer) {
	l := tokenize(t.whole, d, *t.room)
	*t.room = l.toks
	t.comments = l.comments
	t.marks(f)
	p := &reader{f: f, t: t, s: l.s, toks: l.toks, last: len(l.toks) - 1, arrow: d == dialectC || d == dialectPHP, dialect: d}
	p.budget = 8*len(p.toks) + 1<<16
	return p, l
}

func (p *reader) tok(i int) lexeme {
	if i < 0 || i > p.last {
		return p.toks[p.last]
	}
	return p.toks[i]
}

// at returns the byte of punctuation at i, 0 for any other token.
func (p *reader) at(i int) byte {
	if i < 0 || i > p.last || p.toks[i].kind != tokenPunct {
		return 0
	}
	return p.toks[i].c
}

// op tells whether the bytes of punctuation at i form the operator.
func (p *reader) op(i int, operator string) bool {
	if p.at(i) != operator[0] {
		return false
	}
	return strings.HasPrefix(p.s[p.toks[i].pos:], operator)
}

// isWord tells whether the token at i is a word.
func (p *reader) isWord(i int) bool { return i >= 0 && i <= p.last && p.toks[i].kind == tokenWord }

// word returns the word at i, "" where another token stands.
func (p *reader) word(i int) string {
	if !p.isWord(i) {
		return ""
	}
	return p.s[p.toks[i].pos:p.toks[i].end]
}

// is tells whether the word w stands at i.
func (p *reader) is(i int, w string) bool { return p.word(i) == w }

func (p *reader) isString(i int) bool { return i >= 0 && i <= p.last && p.toks[i].kind == tokenString }

// line returns the line on which the token at i begins.
func (p *reader) line(i int) int { return int(p.tok(i).line) }

// endLine returns the line on which the token at i ends.
func (p *reader) endLine(i int) int {
	t := p.tok(i)
	if t.kind == tokenString {
		end := int(t.line) + strings.Count(p.s[t.pos:t.end], "\n")
		return min(max(end, int(t.pair)), int(p.toks[p.last].line)) // one that never closes takes the last line break along
	}
	return int(t.line)
}

// pair returns the index of the partner of the bracket at i, or the end of the file.
func (p *reader) pair(i int) int {
	if n := p.tok(i).pair; int(n) > i {
		return int(n)
	}
	return p.last
}

// text returns the source of the tokens from i to before j.
func (p *reader) text(i, j int) string {
	if j <= i || i > p.last {
		return ""
	}
	return p.s[p.toks[i].pos:p.toks[min(j, p.last+1)-1].end]
}

// signature returns the tokens from i to before j as a declaration head.
func (p *reader) signature(i, j int) string {
	if j <= i {
		return ""
	}
	from, to := int(p.tok(i).pos), int(p.tok(j-1).end)
	s := p.s[from:to]
	if len(s) <= maxSignature && plainLine(s) {
		return s
	}
	return p.t.signature(from, to)
}

// plainLine tells whether s is one line without comments and doubled spaces.
func plainLine(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n' || c == '\t' || c == '\r':
			return false
		case (c == ' ' || c == '/') && i+1 < len(s) && (s[i+1] == c || s[i+1] == '*'):
			return false
		}
	}
	return true
}

// shebang records a script that the system can start.
func (p *reader) shebang() {
	if strings.HasPrefix(p.s, "#!") {
		p.f.Entries = append(p.f.Entries, Entry{Kind: "script", Name: baseName(p.f.Path), Line: 1, End: p.t.lines()})
	}
}

// str returns the value of the string literal at i; ok is false where none stands or where it holds code.
func (p *reader) str(i int) (string, bool) {
	t := p.tok(i)
	if t.kind != tokenString || t.c != stringPlain && t.c != stringRaw {
		return "", false
	}
	s := p.s[t.pos:t.end]
	n := strings.IndexAny(s, "\"'")
	if n < 0 {
		return "", false
	}
	hashes := strings.Count(s[:n], "#")
	q := s[n]
	s = s[n:]
	width := 1
	if strings.HasPrefix(s, `"""`) && len(s) >= 6 {
		width = 3
	}
	if len(s) < 2*width+hashes || s[len(s)-1-hashes] != q {
		return "", false
	}
	s = s[width : len(s)-width-hashes]
	if t.c == stringRaw || strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	return unescape(s), true
}

// angles returns the index after the type arguments that open at i, or i where none do: an expression such as a < b.
func (p *reader) angles(i int) int {
	if p.at(i) != '<' {
		return i
	}
	depth := 0
	for j := i; j < p.last && p.budget > 0; j++ {
		p.budget--
		t := p.toks[j]
		if t.kind != tokenPunct {
			continue
		}
		switch t.c {
		case '<':
			depth++
		case '>':
			if j > 0 && (p.at(j-1) == '-' || p.at(j-1) == '=') && p.toks[j-1].end == t.pos {
				continue // an arrow
			}
			if depth--; depth == 0 {
				return j + 1
			}
		case '(', '[', '{':
			j = p.pair(j)
		case ';', ')', ']', '}':
			return i
		}
	}
	return i
}

// docs gives a declaration the doc comment before the token at i.
func (p *reader) docs(d *Decl, i int, openers ...string) {
	if c := p.t.docBefore(int(p.tok(i).pos), openers...); c.start > 0 {
		text, deprecated := splitTags(c.text)
		d.Doc, d.DocStart, d.DocEnd = text, c.start, c.end
		d.Deprecated = d.Deprecated || deprecated
	}
}

// add records a declaration, unless broken source left it without a name.
func (p *reader) add(d Decl) {
	if d.Name == "" {
		return
	}
	d.End = max(d.Start, min(d.End, p.line(p.last)))
	if d.Kind == KindMethod {
		d.Assigns = p.assigned
	}
	p.assigned = nil
	if d.Deprecated {
		p.f.Marks = append(p.f.Marks, Mark{Kind: "DEPRECATED", Text: d.Name, Line: d.Start})
	}
	p.f.Decls = append(p.f.Decls, d)
}

// enter begins to read what a declaration holds, which leave ends. It is false, and nothing is to be left, where declarations are nested
// deeper than people write them: every level costs stack, and its name is a part of all names below.
func (p *reader) enter() bool {
	if p.depth >= maxDepth {
		return false
	}
	p.depth++
	return true
}

func (p *reader) leave() { p.depth-- }

// maxPath is the longest path of names, in bytes, that another name is put behind.
const maxPath = 1000

// within puts a name into its parent. A parent of a length that nobody writes stands for all that is in it.
func within(parent, sep, name string) string {
	switch {
	case parent == "":
		return name
	case len(parent) > maxPath:
		return parent
	}
	return parent + sep + name
}

// callAngles returns the index of the parenthesis after the type arguments that open at i, 0 where there are no such.
func (p *reader) callAngles(i int) int {
	depth := 0
	for j := i; j < min(i+40, p.last); j++ {
		switch p.at(j) {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				if p.at(j+1) == '(' {
					return j + 1
				}
				return 0
			}
		case 0:
			if !p.isWord(j) {
				return 0
			}
		case ',', '.', ':', '?', '[', ']', '*', '&':
		default:
			return 0
		}
	}
	return 0
}

// separator returns the index before the member separator that ends just before i; i itself where there is none.
func (p *reader) separator(i int) int {
	switch p.at(i - 1) {
	case '.':
		if p.at(i-2) == '?' || p.at(i-2) == '!' && p.at(i-3) == '!' {
			return i - 2 - b2i(p.at(i-2) == '!')
		}
		if p.at(i-2) != '.' {
			return i - 1
		}
	case '>':
		if p.arrow && p.at(i-2) == '-' {
			if p.at(i-3) == '?' {
				return i - 3
			}
			return i - 2
		}
	case ':':
		if p.at(i-2) == ':' {
			return i - 2
		}
	}
	return i
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// qualifier returns the expression before the name at i as far as it is made of plain names; a larger expression gives "()" or "[]".
func (p *reader) qualifier(i, floor int) string {
	end := p.separator(i)
	if end == i || end <= floor {
		return ""
	}
	start := end
	for start-1 >= floor && p.isWord(start-1) {
		start--
		next := p.separator(start)
		if next == start {
			break
		}
		start = next
	}
	for start < end && !p.isWord(start) { // a chain that begins with a larger expression
		start++
	}
	if start == end {
		switch p.at(end - 1) {
		case ')':
			return "()"
		case ']':
			return "[]"
		}
		return ""
	}
	return fold(p.text(start, end), maxSignature)
}
