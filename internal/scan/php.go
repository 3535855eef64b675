package scan

import (
	"slices"
	"strings"
)

// scanPHP reads a file of PHP, with or without text around the code.
func scanPHP(f *File, src *text) {
	p, _ := newReader(f, src, dialectPHP)
	s := &phpScanner{reader: p}
	p.skip, p.onCall, p.onIndex = phpKeyword, s.call, s.superglobal
	s.shebang()
	s.scope(0, s.last, phpType{})
	markTests(f)
}

type phpScanner struct {
	*reader
}

// A phpType is the class-like declaration whose body is being read.
type phpType struct {
	name, kind string
	base       string   // path of its routes
	methods    []string // of its routes
	localized  bool     // it has one path for each language
	test       bool
}

// A phpHead is what stands before a declaration.
type phpHead struct {
	start int // first token
	decl  int // first token after the attributes
	attrs []attribute
	mods  []string
}

func (h *phpHead) has(mod string) bool { return slices.Contains(h.mods, mod) }

func phpKeyword(w string) bool {
	switch w {
	case "if", "for", "foreach", "while", "switch", "catch", "return", "throw", "new", "try", "else", "elseif", "case", "do", "match",
		"function", "fn", "array", "list", "isset", "empty", "unset", "echo", "print", "and", "or", "xor", "use", "declare", "include",
		"require", "include_once", "require_once", "instanceof", "clone", "yield", "static", "self", "parent", "class":
		return true
	}
	return false
}

// scope reads the statements and declarations between two tokens.
func (s *phpScanner) scope(i, end int, self phpType) {
	if !s.enter() {
		return
	}
	defer s.leave()
	for i < end {
		from := i
		h, at := s.head(i, end)
		switch w := strings.ToLower(s.word(at)); {
		case w == "namespace" && self.name == "" && (s.isWord(at+1) || s.at(at+1) == '{'):
			i = s.namespace(h, at, end)
		case w == "use":
			i = s.use(at, end, self)
		case (w == "class" || w == "interface" || w == "trait" || w == "enum") && s.isWord(at+1) && s.at(at+2) != '(':
			i = s.typeDecl(h, w, at, self)
		case w == "function":
			i = s.function(h, at, end, self)
		case w == "const":
			i = s.constants(h, at, end, self)
		case w == "case" && self.kind == "enum":
			i = s.enumCase(h, at, end, self)
		case self.name != "" && (w != "" || s.at(at) == '?' || s.at(at) == '('):
			i = s.property(h, at, end, self)
		case s.at(at) == '{' && self.name == "":
			s.scope(at+1, s.pair(at), self)
			i = s.pair(at) + 1
		case at < end:
			i = s.statement(at, end)
		default:
			i = end
		}
		i = max(i, from+1) // broken source must not stop the scan
	}
}

// head reads attributes and modifiers, and returns the index after them.
func (s *phpScanner) head(i, end int) (phpHead, int) {
	h := phpHead{start: i, decl: i}
	for i < end {
		if s.at(i) == '#' && s.at(i+1) == '[' {
			shut := s.pair(i + 1)
			for k := i + 2; k < shut; {
				if s.at(k) == '\\' {
					k++
				}
				a, next := s.attributeAt(k)
				h.attrs = append(h.attrs, a)
				k = max(next, k) + 1 // the comma
			}
			i = shut + 1
			if len(h.mods) == 0 {
				h.decl = i
			}
			continue
		}
		switch w := strings.ToLower(s.word(i)); w {
		case "abstract", "final", "readonly", "public", "protected", "private", "static", "var":
			if s.at(i+1) == ':' || s.at(i+1) == '(' && w != "public" && w != "protected" && w != "private" { // static::x(), readonly(
				return h, i
			}
			h.mods = append(h.mods, w)
			i++
			if s.at(i) == '(' { // public private(set)
				i = s.pair(i) + 1
			}
		default:
			return h, i
		}
	}
	return h, i
}

func (s *phpScanner) namespace(h phpHead, i, end int) int {
	name, line := i+1, s.line(i)
	for i = name; i < end && s.at(i) != ';' && s.at(i) != '{'; {
		i++
	}
	if s.f.PackageLine == 0 {
		s.f.Package, s.f.PackageLine = s.text(name, i), line
		s.fileDoc(h.start)
	}
	if s.at(i) == '{' {
		s.scope(i+1, s.pair(i), phpType{})
		return s.pair(i) + 1
	}
	return i + 1
}

// fileDoc takes the doc comment before the namespace, unless it is about rights.
func (s *phpScanner) fileDoc(i int) {
	c := s.t.docBefore(int(s.tok(i).pos), javaDoc)
	if c.start == 0 {
		return
	}
	text, _ := splitTags(c.text)
	if low := strings.ToLower(text); text != "" && !strings.Contains(low, "copyright") && !strings.Contains(low, "license") {
		s.f.Doc, s.f.DocStart, s.f.DocEnd = text, c.start, c.end
	}
}

// use reads an import, or skips the traits of a class.
func (s *phpScanner) use(i, end int, self phpType) int {
	line, from := s.line(i), i+1
	for i = from; i < end && s.at(i) != ';'; i++ {
		if s.at(i) == '{' && self.name != "" {
			return s.pair(i) + 1
		}
	}
	if self.name != "" || s.at(from) == '(' {
		return i + 1
	}
	if s.is(from, "function") || s.is(from, "const") {
		from++
	}
	prefix := ""
	for k := from; k < i; k++ {
		start := k
		for k < i && (s.isWord(k) && !s.is(k, "as") || s.at(k) == '\\') {
			k++
		}
		name := strings.TrimPrefix(s.text(start, k), `\`)
		if s.at(k) == '{' {
			prefix = name
			line = s.line(k)
			continue
		}
		imp := Import{Path: prefix + name, Line: max(line, s.line(start))}
		if s.is(k, "as") {
			imp.Name = s.word(k + 1)
			k += 2
		}
		if name != "" {
			s.f.Imports = append(s.f.Imports, imp)
		}
	}
	return i + 1
}

func phpKind(word string) Kind {
	switch word {
	case "interface":
		return KindInterface
	case "trait":
		return KindTrait
	case "enum":
		return KindEnum
	}
	return KindClass
}

// declare begins a declaration with what its head says.
func (s *phpScanner) declare(h phpHead, name string, kind Kind, self phpType) Decl {
	d := Decl{Name: name, Kind: kind, Parent: self.name, Start: s.line(h.decl)}
	d.Exported = !h.has("private") && !h.has("protected")
	_, d.Deprecated = find(h.attrs, "Deprecated")
	s.docs(&d, h.start, javaDoc)
	if strings.Contains(d.Doc, "{@") {
		d.Doc = javadocText(d.Doc)
	}
	if d.Doc == "" && d.DocStart > 0 {
		d.Doc = s.varText(h.start)
	}
	return d
}

// varText returns what "@var type text" says in the doc comment before the token at i.
func (s *phpScanner) varText(i int) string {
	c := s.t.docBefore(int(s.tok(i).pos), javaDoc)
	rest, ok := strings.CutPrefix(c.text, "@var ")
	if !ok || strings.Contains(rest, "\n") {
		return ""
	}
	_, text, _ := strings.Cut(rest, " ")
	if strings.ContainsAny(text, "<>{}") { // the rest of a type
		return ""
	}
	return strings.TrimSpace(text)
}

func (s *phpScanner) typeDecl(h phpHead, word string, i int, outer phpType) int {
	d := s.declare(h, s.word(i+1), phpKind(word), phpType{})
	k := i + 2
	for k < s.last && s.at(k) != '{' && s.at(k) != ';' {
		if s.isWord(k) && !s.is(k, "extends") && !s.is(k, "implements") && s.at(k-1) != ':' || s.at(k) == '\\' {
			from := k
			for s.isWord(k+1) && s.at(k) == '\\' || s.at(k+1) == '\\' {
				k++
			}
			d.Bases = append(d.Bases, strings.TrimPrefix(s.text(from, k+1), `\`))
		}
		k++
	}
	d.Signature = s.signature(h.decl, k)
	d.End = s.endLine(s.pair(k))
	s.typeFacts(d, h)
	s.add(d)
	if s.at(k) != '{' {
		return k
	}
	self := phpType{name: d.Name, kind: word}
	for _, b := range d.Bases {
		self.test = self.test || strings.HasSuffix(b, "TestCase") || strings.HasSuffix(b, "Test")
	}
	self.test = self.test || strings.HasSuffix(d.Name, "Test")
	if a, ok := find(h.attrs, "Route"); ok {
		self.base = s.argumentString(a, "", "path")
		self.methods = s.argumentStrings(a, "methods")
		self.localized = s.at(s.argument(a, "", "path")) == '['
	}
	s.scope(k+1, s.pair(k), self)
	return s.pair(k) + 1
}
