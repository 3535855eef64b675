package scan

import (
	"path"
	"sort"
	"strings"
)

// scanC reads a file of C or C++; one grammar serves both, since a header does not say which it is.
func scanC(f *File, src *text) {
	p, l := newReader(f, src, dialectC)
	c := &cScanner{reader: p, header: strings.HasPrefix(strings.ToLower(path.Ext(f.Path)), ".h")}
	p.skip, p.onCall = cKeyword, c.call
	c.directives(l.defines)
	c.scope(0, c.last, cScope{})
	c.fileDoc()
	c.options()
	sort.SliceStable(f.Decls, func(i, j int) bool { return f.Decls[i].Start < f.Decls[j].Start })
	markTests(f)
}

type cScanner struct {
	*reader
	header bool
}

// A cScope is the class or namespace that is being read. Namespaces are no parents.
type cScope struct {
	name   string // of the class, with its outer classes
	class  bool
	hidden bool // private, or in a namespace without a name
	outer  bool // the class itself is hidden
}

func cKeyword(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "catch", "return", "sizeof", "throw", "new", "delete", "defined", "alignof", "_Alignof",
		"decltype", "typeof", "__typeof__", "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "else", "case", "do",
		"noexcept", "static_assert", "_Static_assert", "operator", "int", "void", "char", "__attribute__", "alignas", "typeid", "co_await",
		"co_return", "explicit", "constexpr", "requires", "asm", "__asm__", "not", "and", "or":
		return true
	}
	return false
}

// cAttribute tells whether a word before a parenthesis makes an attribute of it.
func cAttribute(w string) bool {
	switch w {
	case "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "decltype", "typeof", "__typeof__", "__typeof", "noexcept",
		"throw", "asm", "__asm__", "__asm", "explicit", "requires", "_Atomic":
		return true
	}
	return false
}

func (c *cScanner) scope(i, end int, self cScope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	for i < end {
		from := i
		i = max(c.scoped(from, c.template(i), end, &self), from+1) // broken source must not stop the scan
	}
}

// scoped reads one declaration of a scope and returns the index after it.
func (c *cScanner) scoped(from, i, end int, self *cScope) int {
	switch w := c.word(i); w {
	case "public", "protected", "private", "signals", "Q_SIGNALS":
		if n := c.accessEnd(i); self.class && n > 0 {
			self.hidden = self.outer || w == "private" || w == "protected"
			return n
		}
	case "namespace", "inline":
		return c.namespace(from, i, end, *self)
	case "extern":
		return c.extern(from, i, end, *self)
	case "using":
		return c.using(from, i, end, *self)
	case "typedef":
		return c.typedef(from, i, end, *self)
	case "class", "struct", "union", "enum":
		return c.typeOrDeclaration(from, i, end, *self)
	case "friend":
		next := c.skipStatement(i, end)
		if c.at(next-1) == '}' && !c.is(i+1, "class") && !c.is(i+1, "struct") { // a function defined on the spot
			next = c.declaration(from, i+1, end, cScope{hidden: self.hidden})
		}
		return next
	case "static_assert", "_Static_assert":
		return c.skipStatement(i, end)
	case "":
		switch {
		case c.op(i, "[["), c.at(i) == '~', c.op(i, "::"):
		case c.at(i) == '{':
			return c.pair(i) + 1
		default:
			return i + 1
		}
	default:
		if c.loneMacro(i) {
			return i + 1
		}
	}
	return c.declaration(from, i, end, *self)
}

// loneMacro tells whether the word at i is a macro that has its line to itself.
func (c *cScanner) loneMacro(i int) bool {
	w := c.word(i)
	if c.line(i+1) == c.line(i) || strings.ToUpper(w) != w || !c.isWord(i+1) {
		return false
	}
	switch next := c.word(i + 1); next {
	case "namespace", "class", "struct", "union", "enum", "template", "typedef", "using", "extern", "static", "inline", "public", "private",
		"protected":
		return true
	default:
		return strings.ToUpper(next) == next
	}
}

// template returns the index after a template head at i, with its constraints.
func (c *cScanner) template(i int) int {
	for c.is(i, "template") && c.at(i+1) == '<' {
		next := c.angles(i + 1)
		if next == i+1 {
			return i + 2
		}
		i = next
		if c.is(i, "requires") {
			for i++; c.isWord(i) || c.op(i, "::") || c.at(i) == '('; {
				switch {
				case c.at(i) == '(':
					i = c.pair(i) + 1
				case c.at(i) == ':':
					i += 2
				default:
					after := c.angles(i + 1)
					if after == i+1 && !c.op(i+1, "::") && c.at(i+1) != '(' {
						return i
					}
					i = after
				}
				for c.op(i, "&&") || c.op(i, "||") {
					i += 2
				}
			}
		}
	}
	return i
}

// accessEnd returns the index after an access label at i, 0 where none stands.
func (c *cScanner) accessEnd(i int) int {
	i++
	if c.isWord(i) {
		i++ // slots
	}
	if c.at(i) == ':' && c.at(i+1) != ':' {
		return i + 1
	}
	return 0
}

func (c *cScanner) namespace(from, i, end int, self cScope) int {
	at := i
	if c.is(at, "inline") {
		at++
	}
	if !c.is(at, "namespace") {
		return c.declaration(from, i, end, self)
	}
	k := at + 1
	for k < end && c.at(k) != '{' && c.at(k) != ';' {
		if c.at(k) == '[' || c.at(k) == '(' {
			k = c.pair(k)
		}
		k++
	}
	if c.at(k) != '{' {
		return k + 1
	}
	name := strings.ReplaceAll(c.text(at+1, k), " ", "")
	if name != "" && c.f.Package == "" {
		c.f.Package, c.f.PackageLine = name, c.line(at)
	}
	inner := self
	inner.hidden = self.hidden || name == ""
	c.scope(k+1, c.pair(k), inner)
	return c.pair(k) + 1
}

func (c *cScanner) extern(from, i, end int, self cScope) int {
	if !c.isString(i + 1) {
		return c.declaration(from, i, end, self)
	}
	if c.at(i+2) == '{' {
		c.scope(i+3, c.pair(i+2), self)
		return c.pair(i+2) + 1
	}
	return c.declaration(from, i+2, end, self)
}

// skipStatement returns the index after the next semicolon or block.
func (c *cScanner) skipStatement(i, end int) int {
	for ; i < end; i++ {
		switch c.at(i) {
		case ';':
			return i + 1
		case '(', '[':
			i = c.pair(i)
		case '{':
			return c.pair(i) + 1
		}
	}
	return end
}

// declare begins a declaration that starts at from.
func (c *cScanner) declare(from int, name string, kind Kind, self cScope) Decl {
	d := Decl{Name: name, Kind: kind, Parent: self.name, Exported: !self.hidden, Start: c.line(from)}
	c.cdoc(&d, int(c.tok(from).pos))
	return d
}

// cdoc gives a declaration any comment that stands directly before it: few C projects mark their doc comments.
func (c *cScanner) cdoc(d *Decl, off int) {
	doc := c.t.docBefore(off)
	if doc.start == 0 || strings.TrimSpace(doc.text) == "" {
		return
	}
	if low := strings.ToLower(doc.text); doc.start == 1 && (strings.Contains(low, "copyright") || strings.Contains(low, "license")) {
		return
	}
	if attributeNote(doc.text) {
		return
	}
	d.Doc, d.Deprecated = doxygenText(doc.text)
	d.DocStart, d.DocEnd = doc.start, doc.end
}

// attributeNote tells whether a comment is about an attribute of the compiler, not about what is declared.
func attributeNote(s string) bool {
	if !strings.Contains(s, "attribute") {
		return false
	}
	s = firstSentence(s)
	return strings.Contains(s, "__attribute__") || strings.Contains(s, "' attribute") || strings.Contains(s, "attribute is intended to")
}

// doxygenText drops the commands of Doxygen from a comment and everything from the first parameter on.
func doxygenText(s string) (text string, deprecated bool) {
	if !strings.ContainsAny(s, `@\`) {
		return s, false
	}
	var out []string
	for _, line := range strings.Split(s, "\n") {
		trimmed := strings.TrimLeft(line, " \t")
		if trimmed == "" || trimmed[0] != '@' && trimmed[0] != '\\' {
			out = append(out, line)
			continue
		}
		word, rest, _ := strings.Cut(trimmed[1:], " ")
		switch word {
		case "brief", "short", "details", "note", "remark", "remarks", "par":
			out = append(out, strings.TrimSpace(rest))
		case "deprecated":
			deprecated = true
		case "file", "fn", "ingroup", "addtogroup", "defgroup", "name", "{", "}", "author", "date", "struct", "class", "internal":
		default:
			if len(word) > 1 {
				return strings.TrimSpace(strings.Join(out, "\n")), deprecated
			}
			out = append(out, line)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n")), deprecated
}

// fileDoc takes the comment at the top of the file that is not about rights.
func (c *cScanner) fileDoc() {
	for i := 0; i < len(c.t.comments) && i < 8; i++ {
		first := i
		for i+1 < len(c.t.comments) && lineMarker(c.t.opener(i)) == "//" && c.t.adjoins(i, i+1) {
			i++
		}
		doc := c.t.docOf(first, i)
		if c.last > 0 && c.t.comments[i].start > int(c.toks[0].pos) || doc.start > 60 {
			return
		}
		low := strings.ToLower(doc.text)
		if strings.Contains(low, "copyright") || strings.Contains(low, "licen") || strings.HasPrefix(low, "-*-") || len(doc.text) < 12 || attributeNote(doc.text) {
			continue
		}
		if len(c.f.Decls) > 0 && c.f.Decls[0].DocStart == doc.start {
			return
		}
		c.f.Doc, _ = doxygenText(doc.text)
		c.f.DocStart, c.f.DocEnd = doc.start, doc.end
		return
	}
}

// directives records the macros and includes.
func (c *cScanner) directives(ds []directive) {
	for _, d := range ds {
		if d.include {
			c.f.Imports = append(c.f.Imports, Import{Path: d.name, Line: d.line})
			continue
		}
		if d.value == "" && !d.params {
			continue // an include guard, or a switch
		}
		m := Decl{Name: d.name, Kind: KindMacro, Exported: c.header, Start: d.line, End: d.end}
		c.cdoc(&m, d.pos)
		end := c.t.lineEnd(d.pos)
		m.Signature = strings.TrimSuffix(c.t.signature(d.pos, end), " \\")
		if !d.params && len(d.value) <= 80 && d.line == d.end {
			m.Value = cLiteral(d.value)
		}
		c.add(m)
	}
}

// cLiteral returns a macro's text where it is one literal, without a comment behind it.
func cLiteral(s string) string {
	if n := strings.Index(s, "/*"); n >= 0 && !strings.HasPrefix(s, `"`) {
		s = s[:n]
	} else if n := strings.Index(s, " //"); n >= 0 {
		s = s[:n]
	}
	s = strings.TrimSpace(s)
	switch {
	case s == "":
	case len(s) >= 2 && s[0] == '"' && strings.IndexByte(s[1:], '"') == len(s)-2:
		return s[1 : len(s)-1]
	case isDigit(s[0]) || s[0] == '-' && len(s) > 1 && isDigit(s[1]):
		if !strings.ContainsAny(s, " ()") {
			return s
		}
	}
	return ""
}
