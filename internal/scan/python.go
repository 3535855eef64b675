package scan

import (
	"bytes"
	"sort"
	"strings"
)

var pythonSyntax = syntax{
	line:   []string{"#"},
	hook:   pythonLiteral,
	hookAt: `"'#`,
}

// pythonLiteral masks string literals with their prefixes. Code in formatted strings stays visible.
func pythonLiteral(m *masker, i int) int {
	c := m.src[i]
	if c == '#' {
		if m.depth > 0 {
			return i + 1 // a format specification, not a comment
		}
		return i
	}
	q := quote{close: string(c), escape: true}
	if m.has(i, `"""`) || m.has(i, `'''`) {
		q.close, q.multiline = string(m.src[i:i+3]), true
	}
	start := i
	for start > 0 && i-start < 2 && strings.IndexByte("rRbBfFuUtT", m.src[start-1]) >= 0 {
		start--
	}
	if start > 0 && isWord(m.src[start-1]) {
		start = i
	}
	for _, p := range m.src[start:i] {
		switch p | 0x20 {
		case 'r':
			q.raw = true
		case 'f', 't':
			q.subst = "{"
		}
	}
	return m.quoted(start, i-start+len(q.close), &q)
}

// A pyScope is a class or function whose body the scanner is in.
type pyScope struct {
	indent int
	kind   Kind
	path   string // dotted name
	decl   int    // index into Decls, -1 for what is not recorded
	isEnum bool
	inFunc bool // below a function
}

// A pyScan reads a Python file by logical lines.
type pyScan struct {
	*File
	src        *text
	scopes     []pyScope
	decorators []span
	lastLine   int // line of the last code seen
	awaitDoc   bool
	guard      int // index of the entry of the __main__ guard while in its block, else -1
	names      map[string]bool
	prefixes   map[string]string // of router variables
	literal    int               // next literal at or after the position
	blocks     []pyBlock         // conditions, loops and handlers that the position is in
}

// A pyBlock is what is done on some runs only.
type pyBlock struct {
	indent int
	types  bool // only type checkers see it
}

func scanPython(f *File, src *text) {
	p := &pyScan{File: f, src: src, guard: -1, names: map[string]bool{}, prefixes: map[string]string{}, awaitDoc: true}
	if bytes.HasPrefix(src.src, []byte("#!")) {
		f.Entries = append(f.Entries, Entry{Kind: "script", Name: baseName(f.Path), Line: 1, End: f.Lines})
	}
	for at := 0; at < len(src.code); {
		at = p.logicalLine(at)
	}
	p.dedent(-1)
	src.find("__all__", "environ", "getenv", "add_argument", "add_parser", "path", "re_path", "url", "exit")
	p.all()
	src.marks(f)
	p.features()
}

func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// logicalLine reads the logical line that begins at the line start from, and returns the offset after it.
func (p *pyScan) logicalLine(from int) int {
	code := p.src.code
	at, indent := from, 0
	for ; at < len(code); at++ {
		switch code[at] {
		case ' ', '\f':
			indent++
			continue
		case '\t':
			indent += 8 - indent%8
			continue
		case '\r':
			continue
		}
		break
	}
	if at == len(code) || code[at] == '\n' {
		return at + 1
	}
	end := p.logicalEnd(at)
	if c := code[at]; c == ')' || c == ']' || c == '}' {
		return end + 1 // the rest of something broken
	}
	p.dedent(indent)
	p.statement(at, end, indent)
	p.lastLine = p.src.line(max(p.src.skipBack(end)-1, at))
	return end + 1
}

// logicalEnd returns the offset of the line break that ends the logical line that begins at at: one outside of brackets and of
// literals, and not after a backslash.
func (p *pyScan) logicalEnd(at int) int {
	code := p.src.code
	depth := 0
	for i := at; i < len(code); i++ {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '"', '\'':
			i = p.literalEnd(i) - 1
		case '\n':
			if depth > 0 && p.restarts(i+1) {
				return i
			}
			if depth == 0 && !(i > at && (code[i-1] == '\\' || code[i-1] == '\r' && code[i-2] == '\\')) {
				return i
			}
		}
	}
	return len(code)
}

// restarts tells whether a definition begins at a line start, which proves that a bracket before was never closed.
func (p *pyScan) restarts(at int) bool {
	return p.src.hasAt(at, "def ") || p.src.hasAt(at, "class ") && bytes.IndexByte(p.src.code[at:p.src.lineEnd(at)], ':') > 0
}

// literalEnd returns the end of the literal whose quote stands at i.
func (p *pyScan) literalEnd(i int) int {
	all := p.src.literals
	for p.literal < len(all) && all[p.literal].end <= i {
		p.literal++
	}
	if p.literal < len(all) && all[p.literal].start <= i && i < all[p.literal].end {
		return all[p.literal].end
	}
	return i + 1
}

// dedent leaves the scopes that a line of this indentation ends.
func (p *pyScan) dedent(indent int) {
	for n := len(p.scopes); n > 0 && p.scopes[n-1].indent >= indent; n-- {
		if d := p.scopes[n-1].decl; d >= 0 {
			p.Decls[d].End = max(p.lastLine, p.Decls[d].Start)
		}
		p.scopes = p.scopes[:n-1]
	}
	for n := len(p.blocks); n > 0 && p.blocks[n-1].indent >= indent; n-- {
		p.blocks = p.blocks[:n-1]
	}
	if indent <= 0 && p.guard >= 0 {
		p.Entries[p.guard].End = max(p.lastLine, p.Entries[p.guard].Line)
		p.guard = -1
	}
}

// scope returns the innermost scope; the file itself has the zero kind.
func (p *pyScan) scope() pyScope {
	if n := len(p.scopes); n > 0 {
		return p.scopes[n-1]
	}
	return pyScope{decl: -1}
}

func (p *pyScan) statement(at, end, indent int) {
	code := p.src.code
	if p.awaitDoc {
		p.awaitDoc = false
		if p.docstring(at, end) {
			return
		}
	}
	if code[at] == '@' {
		p.decorators = append(p.decorators, span{at, end})
		return
	}
	word := string(code[at:min(p.src.word(at), end)])
	switch word {
	case "async":
		if next := p.src.skip(at + len(word)); p.src.hasWord(next, "def") {
			p.function(at, next+len("def"), end, indent)
		}
	case "def":
		p.function(at, at+len(word), end, indent)
	case "class":
		p.class(at, at+len(word), end, indent)
	case "import":
		p.imports(at+len(word), end)
	case "from":
		p.fromImport(at+len(word), end)
	case "if", "elif", "else", "try", "except", "finally", "for", "while", "with", "return", "raise", "match":
		if word == "if" && indent == 0 {
			p.mainGuard(at, end)
		}
		p.block(word, at, end, indent)
		p.afterColon(word, at, end, indent)
	default:
		if word == "case" && p.src.code[p.src.skipBack(end)-1] == ':' {
			p.block(word, at, end, indent)
			break
		}
		p.assignment(at, end, word, indent)
		p.calls(at, end)
	}
	p.decorators = p.decorators[:0]
}

// afterColon reads a definition that follows a block opener on its line.
func (p *pyScan) afterColon(word string, at, end, indent int) {
	if word == "return" || word == "raise" {
		return
	}
	if colon := bytes.LastIndexByte(p.src.code[at:end], ':'); colon >= 0 {
		next := p.src.skip(at + colon + 1)
		if next < end && (p.src.hasWord(next, "def") || p.src.hasWord(next, "class")) {
			p.statement(next, end, indent+1)
		}
	}
}

// mainGuard records the block of if __name__ == "__main__".
func (p *pyScan) mainGuard(at, end int) {
	name := bytes.Index(p.src.code[at:end], []byte("__name__"))
	if name < 0 || !bytes.Contains(p.src.src[at:end], []byte("__main__")) || p.Entries != nil && p.Entries[len(p.Entries)-1].Line > 1 {
		return
	}
	if len(p.Entries) > 0 { // the guard says more than the first line
		p.Entries = p.Entries[:0]
	}
	p.Entries = append(p.Entries, Entry{Kind: "script", Name: baseName(p.Path), Line: p.src.line(at)})
	p.guard = len(p.Entries) - 1
	p.lastLine = p.src.line(at)
}

// docstring takes the statement for the doc of the file or of the innermost scope, if it is a string.
func (p *pyScan) docstring(at, end int) bool {
	lit, ok := p.src.literalAt(at)
	if !ok || lit.dynamic || p.src.skip(lit.end) < end && p.src.code[p.src.skip(lit.end)] != ';' {
		return false
	}
	text := strings.Trim(dedent(strings.Split(p.src.value(lit), "\n")), "\n\r \t")
	start, stop := p.src.line(lit.start), p.src.line(lit.end-1)
	if len(p.scopes) == 0 {
		p.Doc, p.DocStart, p.DocEnd = text, start, stop
		return true
	}
	if d := p.scope().decl; d >= 0 {
		out := &p.Decls[d]
		out.Doc, out.DocStart, out.DocEnd = text, start, stop
		if strings.Contains(text, ".. deprecated::") {
			out.Deprecated = true
		}
	}
	return true
}

func pythonKeyword(w string) bool {
	switch w {
	case "if", "elif", "while", "for", "in", "and", "or", "not", "return", "yield", "await", "lambda", "assert", "del", "raise", "except",
		"is", "import", "from", "with", "as", "else", "print", "len", "isinstance", "str", "int", "super", "range", "repr", "bool", "list",
		"dict", "tuple", "set", "float", "type", "getattr", "setattr", "hasattr", "def", "class", "async", "case", "match", "exec":
		return true
	}
	return false
}

// all applies __all__: where a module has one, it says what is exported.
func (p *pyScan) all() {
	listed := map[string]bool{}
	found := false
	p.src.each("__all__", func(off int) {
		if p.src.lineStart(off) != off {
			return
		}
		found = true
		end := p.src.lineEnd(off)
		if open := bytes.IndexAny(p.src.code[off:end], "[("); open >= 0 {
			end = max(end, p.src.closingOr(off+open, end))
		}
		first := sort.Search(len(p.src.literals), func(i int) bool { return p.src.literals[i].start >= off })
		for _, lit := range p.src.literals[first:] {
			if lit.start >= end {
				break
			}
			listed[p.src.value(lit)] = true
		}
	})
	if !found || len(listed) == 0 {
		return
	}
	for i := range p.Decls {
		if d := &p.Decls[i]; d.Parent == "" {
			d.Exported = listed[d.Name]
		}
	}
}
