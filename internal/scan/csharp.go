package scan

import (
	"slices"
	"strings"
)

// scanCSharp reads a file of C#.
func scanCSharp(f *File, src *text) {
	p, _ := newReader(f, src, dialectCSharp)
	s := &csharpScanner{reader: p}
	p.skip, p.onCall = csharpKeyword, s.call
	s.scope(0, s.last, csharpType{})
	if s.program > 0 {
		f.Entries = append(f.Entries, Entry{Kind: "main", Name: "Program", Line: s.program, End: s.programEnd})
	}
	markTests(f)
}

type csharpScanner struct {
	*reader
	program, programEnd int         // lines of the statements outside of types
	groups              [][2]string // variables that hold groups of routes, and their paths
}

// A csharpType is the type whose body is being read.
type csharpType struct {
	name   string // with its outer types
	kind   string
	base   string // path of its routes
	hidden bool
}

// A csharpHead is what stands before a declaration.
type csharpHead struct {
	start int // first token
	decl  int // first token after the attributes
	attrs []attribute
	mods  []string
}

func (h *csharpHead) has(mod string) bool { return slices.Contains(h.mods, mod) }

func csharpKeyword(w string) bool {
	switch w {
	case "if", "for", "foreach", "while", "switch", "catch", "return", "throw", "new", "try", "else", "case", "do", "using", "lock",
		"fixed", "typeof", "sizeof", "nameof", "default", "checked", "unchecked", "base", "this", "await", "when", "in", "is", "as",
		"and", "or", "not", "var", "stackalloc", "where", "yield", "out", "ref":
		return true
	}
	return false
}

func csharpModifier(w string) bool {
	switch w {
	case "public", "private", "protected", "internal", "static", "sealed", "abstract", "partial", "virtual", "override", "readonly",
		"async", "extern", "unsafe", "new", "const", "volatile", "required", "file", "ref", "fixed", "event":
		return true
	}
	return false
}

func (s *csharpScanner) scope(i, end int, self csharpType) {
	if !s.enter() {
		return
	}
	defer s.leave()
	for i < end {
		from := i
		h, at := s.head(i, end, self)
		w := s.word(at)
		switch {
		case w == "using" && self.kind == "" && s.isWord(at+1) && !s.is(at+1, "var"):
			i = s.using(at, end)
		case w == "global" && s.is(at+1, "using"):
			i = s.using(at+1, end)
		case w == "namespace" && s.isWord(at+1):
			i = s.namespace(at, end)
		case s.isType(at):
			i = s.typeDecl(h, at, end, self)
		case w == "delegate" && s.isWord(at+1):
			i = s.delegate(h, at, end, self)
		case self.kind == "":
			i = s.topLevel(h, at, end)
		case w != "" || s.at(at) == '(' || s.at(at) == '~':
			i = s.member(h, at, end, self)
		default:
			i = max(at, i) + 1
			if s.at(i-1) == '{' {
				i = s.pair(i-1) + 1
			}
		}
		i = max(i, from+1) // broken source must not stop the scan
	}
}

// head reads attributes and modifiers, and returns the index after them.
func (s *csharpScanner) head(i, end int, self csharpType) (csharpHead, int) {
	h := csharpHead{start: i, decl: i}
	for i < end {
		if s.at(i) == '[' && len(h.mods) == 0 {
			shut := s.pair(i)
			for k := i + 1; k < shut; {
				if (s.is(k, "assembly") || s.is(k, "return") || s.is(k, "field") || s.is(k, "module")) && s.at(k+1) == ':' {
					k += 2
				}
				a, next := s.attributeAt(k)
				a.name = strings.TrimSuffix(a.name, "Attribute")
				h.attrs = append(h.attrs, a)
				k = max(next, k) + 1 // the comma
			}
			if s.is(i+1, "assembly") || s.is(i+1, "module") {
				h = csharpHead{start: shut + 1}
			}
			i = shut + 1
			h.decl = i
			continue
		}
		w := s.word(i)
		if !csharpModifier(w) || !s.isWord(i+1) && s.at(i+1) != '(' && s.at(i+1) != '~' {
			return h, i
		}
		if self.kind == "" && w != "public" && w != "internal" && w != "static" && w != "abstract" && w != "sealed" && w != "partial" &&
			w != "readonly" && w != "unsafe" && w != "file" && w != "ref" && w != "async" && w != "private" && w != "protected" {
			return h, i
		}
		if s.at(i+1) == '(' && w == "new" {
			return h, i
		}
		h.mods = append(h.mods, w)
		i++
	}
	return h, i
}

func (s *csharpScanner) using(i, end int) int {
	line := s.line(i)
	i++
	if s.is(i, "static") || s.is(i, "unsafe") {
		i++
	}
	imp := Import{Line: line}
	if s.at(i+1) == '=' {
		imp.Name = s.word(i)
		i += 2
	}
	k := i
	for k < end && s.at(k) != ';' && s.at(k) != '{' && s.at(k) != '(' {
		k++
	}
	if s.at(k) != ';' {
		return k
	}
	imp.Path = strings.Join(strings.Fields(s.text(i, k)), "")
	s.f.Imports = append(s.f.Imports, imp)
	return k + 1
}

func (s *csharpScanner) namespace(i, end int) int {
	k := i + 1
	for k < end && s.at(k) != ';' && s.at(k) != '{' {
		k++
	}
	if s.f.Package == "" {
		s.f.Package, s.f.PackageLine = strings.Join(strings.Fields(s.text(i+1, k)), ""), s.line(i)
	}
	if s.at(k) == '{' {
		s.scope(k+1, s.pair(k), csharpType{})
		return s.pair(k) + 1
	}
	return k + 1
}

// isType tells whether a type declaration begins at i, after its modifiers.
func (s *csharpScanner) isType(i int) bool {
	switch s.word(i) {
	case "class", "struct", "interface", "enum":
		return s.isWord(i + 1)
	case "record":
		if s.is(i+1, "class") || s.is(i+1, "struct") {
			return true
		}
		if !s.isWord(i + 1) {
			return false
		}
		switch k := s.angles(i + 2); s.at(k) {
		case '(', '{', ':', ';':
			return true
		}
	}
	return false
}

func csharpKind(word string) Kind {
	switch word {
	case "struct":
		return KindStruct
	case "interface":
		return KindInterface
	case "enum":
		return KindEnum
	}
	return KindClass
}

// declare begins a declaration with what its head says.
func (s *csharpScanner) declare(h csharpHead, name string, kind Kind, self csharpType) Decl {
	d := Decl{Name: strings.TrimPrefix(name, "@"), Kind: kind, Parent: self.name, Start: s.line(h.decl)}
	d.Exported = !self.hidden && (h.has("public") || h.has("protected") && !h.has("private") || self.kind == "interface" && !h.has("private"))
	_, d.Deprecated = find(h.attrs, "Obsolete")
	if c := s.t.docBefore(int(s.tok(h.start).pos), "///", javaDoc); c.start > 0 {
		d.Doc, d.DocStart, d.DocEnd = xmlDoc(c.text), c.start, c.end
	}
	return d
}

func (s *csharpScanner) typeDecl(h csharpHead, i, end int, outer csharpType) int {
	word := s.word(i)
	if word == "record" && (s.is(i+1, "class") || s.is(i+1, "struct")) {
		i++
		word = s.word(i)
	}
	d := s.declare(h, s.word(i+1), csharpKind(word), outer)
	k := s.angles(i + 2)
	if s.at(k) == '(' {
		k = s.pair(k) + 1
	}
	if s.at(k) == ':' {
		d.Bases, k = s.bases(k+1, end, word)
	}
	for k < end && s.at(k) != '{' && s.at(k) != ';' {
		if s.at(k) == '(' {
			k = s.pair(k)
		}
		k++
	}
	d.Signature = s.signature(h.decl, k)
	shut := s.pair(k)
	if s.at(k) == ';' {
		shut = k
	}
	d.End = s.endLine(shut)
	s.typeFacts(d, h)
	s.add(d)
	self := csharpType{name: within(outer.name, ".", d.Name), kind: word, hidden: !d.Exported}
	if a, ok := find(h.attrs, "Route", "RoutePrefix"); ok {
		self.base = strings.ReplaceAll(s.argumentString(a, ""), "[controller]", strings.TrimSuffix(d.Name, "Controller"))
	}
	switch {
	case s.at(k) != '{':
	case word == "enum":
		s.enumMembers(k, shut, self)
	default:
		s.scope(k+1, shut, self)
	}
	return shut + 1
}

// bases reads the types after the colon. Those of an enum are no bases.
func (s *csharpScanner) bases(i, end int, word string) ([]string, int) {
	var out []string
	for i < end && s.isWord(i) && !s.is(i, "where") {
		from := i
		for s.at(i+1) == '.' && s.isWord(i+2) || s.op(i+1, "::") && s.isWord(i+3) {
			i += 2 + b2i(s.at(i+1) == ':')
		}
		out = append(out, s.text(from, i+1))
		i = s.angles(i + 1)
		if s.at(i) == '(' {
			i = s.pair(i) + 1
		}
		if s.at(i) == '.' { // a type inside of a generic one
			for s.at(i) == '.' {
				i = s.angles(i + 2)
			}
		}
		if s.at(i) != ',' {
			break
		}
		i++
	}
	if word == "enum" {
		out = nil
	}
	return out, i
}

func (s *csharpScanner) enumMembers(open, shut int, self csharpType) {
	for i := open + 1; i < shut; {
		h, at := s.head(i, shut, self)
		next := s.nextArgument(at, shut)
		if s.isWord(at) {
			end := next
			if s.at(end-1) == ',' {
				end--
			}
			d := s.declare(h, s.word(at), KindConstant, self)
			d.Exported = !self.hidden
			if s.at(at+1) == '=' {
				d.Value = s.literalText(at+2, end)
			}
			d.Signature, d.End = s.signature(at, end), s.endLine(end-1)
			s.add(d)
		}
		i = max(next, i+1)
	}
}

func (s *csharpScanner) delegate(h csharpHead, i, end int, self csharpType) int {
	k := i + 1
	for k < end && s.at(k) != ';' && s.at(k) != '(' {
		k = max(s.angles(k), k+1)
	}
	name := k - 1
	for name > i && !s.isWord(name) || s.insideAngles(i, name) {
		name--
	}
	semicolon := s.semicolon(k, end)
	d := s.declare(h, s.word(name), KindType, self)
	d.Signature, d.End = s.signature(h.decl, semicolon), s.endLine(semicolon)
	s.add(d)
	return semicolon + 1
}

// insideAngles tells whether the token at i lies within type arguments that open after from.
func (s *csharpScanner) insideAngles(from, i int) bool {
	depth := 0
	for k := from; k < i; k++ {
		switch s.at(k) {
		case '<':
			depth++
		case '>':
			depth--
		}
	}
	return depth > 0
}

// semicolon returns the index of the semicolon that ends what begins at i.
func (s *csharpScanner) semicolon(i, end int) int {
	for ; i < end; i++ {
		switch s.at(i) {
		case ';', '}':
			return i
		case '(', '[', '{':
			i = s.pair(i)
		}
	}
	return end
}

// topLevel reads a statement, or a function, outside of types.
func (s *csharpScanner) topLevel(h csharpHead, i, end int) int {
	k := i
	for k < end && s.at(k) != ';' && s.at(k) != '{' {
		if c := s.at(k); c == '(' || c == '[' {
			k = s.pair(k)
		}
		k++
	}
	if s.at(k) == '{' {
		k = s.pair(k)
	}
	if k > i {
		if s.program == 0 {
			s.program = s.line(h.start)
		}
		s.programEnd = s.endLine(k)
		s.body("Program", i, k)
	}
	return k + 1
}
