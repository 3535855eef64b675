package scan

import "strings"

// scanRust reads a file of Rust.
func scanRust(f *File, src *text) {
	p, _ := newReader(f, src, dialectRust)
	r := &rustScanner{reader: p, bases: map[string][]string{}}
	p.skip, p.onCall = rustKeyword, r.call
	r.innerDoc()
	r.items(0, r.last, rustScope{})
	r.giveBases()
	r.inlinePaths()
	if r.tests {
		f.IsTest = f.IsTest || !r.code
	}
}

type rustScanner struct {
	*reader
	bases       map[string][]string // traits by the type that implements them
	tests, code bool                // the file has tests, and functions outside of them
	inTest      bool                // a test, or code that only tests use, is being read
	option      Flag                // what the methods of the impl block that is read say about an option
	testMacros  map[string]bool     // macros of the file whose bodies hold #[test]
}

// A rustScope is the module, type or trait that is being read.
type rustScope struct {
	name   string // of the type, or of the modules
	kind   string // "mod", "impl", "trait", "test"
	public bool   // everything in it is as visible as the trait
	base   string // the trait that is implemented
}

// A rustHead is what stands before an item.
type rustHead struct {
	start  int // first token
	decl   int // first token after the attributes
	attrs  []attribute
	public bool
}

// under returns the condition of an item other than that of tests.
func (h rustHead) under(r *rustScanner) string {
	a, ok := find(h.attrs, "cfg")
	if !ok || a.open == a.close || h.tested(r) {
		return ""
	}
	return r.text(a.open+1, a.close)
}

// tested reports whether an item is compiled for tests alone.
func (h rustHead) tested(r *rustScanner) bool {
	a, ok := find(h.attrs, "cfg")
	return ok && r.is(a.open+1, "test") && a.close == a.open+2
}

func rustKeyword(w string) bool {
	switch w {
	case "if", "for", "while", "match", "loop", "return", "in", "else", "fn", "let", "mut", "move", "as", "impl", "dyn", "where", "Some",
		"Ok", "Err", "pub", "crate", "ref", "unsafe", "async", "await":
		return true
	}
	return false
}

// innerDoc takes the comments that document the file itself.
func (r *rustScanner) innerDoc() {
	cs := r.t.comments
	for i := range cs {
		o := r.t.opener(i)
		if o[:min(3, len(o))] != "//!" && o[:min(3, len(o))] != "/*!" {
			continue
		}
		last := i
		for last+1 < len(cs) && lineMarker(r.t.opener(last+1)) == "//!" && r.t.adjoins(last, last+1) {
			last++
		}
		for k := 0; k < r.last && int(r.toks[k].pos) < cs[i].start; k++ {
			if r.at(k) == '{' {
				return // the doc of a module inside
			}
		}
		d := r.t.docOf(i, last)
		r.f.Doc, r.f.DocStart, r.f.DocEnd = d.text, d.start, d.end
		return
	}
}

func (r *rustScanner) items(i, end int, self rustScope) {
	if !r.enter() {
		return
	}
	defer r.leave()
	for i < end {
		h, at := r.head(i, end)
		i = max(r.item(h, at, end, self), i+1)
	}
}

// head reads attributes and visibility, and returns the index after them.
func (r *rustScanner) head(i, end int) (rustHead, int) {
	h := rustHead{start: i, decl: i}
	for r.at(i) == '#' && i < end {
		k := i + 1
		if r.at(k) == '!' {
			k++
		}
		if r.at(k) != '[' {
			break
		}
		a, _ := r.attributeAt(k + 1)
		if k == i+1 {
			h.attrs = append(h.attrs, a)
			i = r.pair(k) + 1
		} else {
			i = r.pair(k) + 1
			h.start = i
		}
		h.decl = i
	}
	if r.is(i, "pub") {
		h.public = true
		i++
		if r.at(i) == '(' {
			i = r.pair(i) + 1
		}
	}
	return h, i
}

// item reads one item whose visibility has been read; it returns the index after it.
func (r *rustScanner) item(h rustHead, i, end int, self rustScope) int {
	for {
		switch w := r.word(i); w {
		case "default", "async", "unsafe", "safe":
			if !r.isWord(i + 1) {
				return i + 1
			}
			i++
			continue
		case "const":
			if k := r.word(i + 1); k == "fn" || k == "unsafe" || k == "async" || k == "extern" {
				i++
				continue
			}
			return r.constant(h, i, end, self)
		case "static":
			return r.constant(h, i, end, self)
		case "extern":
			return r.external(h, i, end, self)
		case "mod":
			return r.module(h, i, self)
		case "use":
			return r.use(i, end)
		case "fn":
			return r.function(h, i, end, self)
		case "struct", "enum", "trait":
			return r.typeDecl(h, w, i, end, self)
		case "union", "auto":
			if r.isWord(i + 1) {
				if w == "auto" {
					i++
				}
				return r.typeDecl(h, r.word(i), i, end, self)
			}
		case "impl":
			return r.impl(h, i, end, self)
		case "type":
			return r.alias(h, i, end, self)
		case "macro_rules":
			return r.macro(h, i)
		case "macro":
			if r.isWord(i+1) && (r.at(i+2) == '(' || r.at(i+2) == '{') {
				return r.macro(h, i-1)
			}
		}
		return r.statement(i, end)
	}
}

// statement skips what is no item: a call of a macro, or the code of a broken file.
func (r *rustScanner) statement(i, end int) int {
	r.testMacro(i)
	for ; i < end; i++ {
		switch r.at(i) {
		case ';':
			return i + 1
		case '(', '[':
			i = r.pair(i)
		case '{':
			return r.pair(i) + 1
		case '}':
			return i + 1
		case '#':
			return i
		}
	}
	return end
}

// declare begins a declaration with what its head says.
func (r *rustScanner) declare(h rustHead, name string, kind Kind, self rustScope) Decl {
	d := Decl{Name: strings.TrimPrefix(name, "r#"), Kind: kind, Parent: self.name, Exported: h.public || self.public, Start: r.line(h.decl)}
	d.Test = self.kind == "test" || kind != KindModule && h.tested(r)
	d.Exported = d.Exported && !d.Test
	r.code = r.code || !d.Test && kind != KindModule && kind != KindFunction && kind != KindMethod
	_, d.Deprecated = find(h.attrs, "deprecated")
	r.docs(&d, h.start, "///", "/**")
	if d.DocStart == 0 && h.decl != h.start {
		r.docs(&d, h.decl, "///", "/**")
	}
	if d.DocStart == 0 {
		if c := r.t.docApart(int(r.tok(h.start).pos), "///"); c.start > 0 {
			d.Doc, d.DocStart, d.DocEnd = c.text, c.start, c.end
		}
	}
	if strings.HasPrefix(d.Doc, "/") {
		d.Doc = strings.TrimLeft(d.Doc, "/ ") // a line drawn with slashes
	}
	return d
}

func (r *rustScanner) constant(h rustHead, i, end int, self rustScope) int {
	at := i + 1
	if r.is(at, "mut") {
		at++
	}
	kind := KindConstant
	if r.is(i, "static") {
		kind = KindVariable
	}
	eq := at
	for eq < end && r.at(eq) != '=' && r.at(eq) != ';' {
		if c := r.at(eq); c == '(' || c == '[' || c == '{' {
			eq = r.pair(eq)
		}
		eq++
	}
	k := r.semicolon(eq, end)
	if r.isWord(at) && !r.is(at, "_") {
		d := r.declare(h, r.word(at), kind, self)
		if r.at(eq) == '=' {
			d.Value = r.literalText(eq+1, k)
		}
		d.Signature, d.End = r.signature(h.decl, eq), r.endLine(k)
		if d.Value != "" {
			d.Signature = r.signature(h.decl, k)
		}
		r.add(d)
	}
	r.body(self.name, eq, k)
	return k + 1
}

// semicolon returns the index of the semicolon that ends the statement at i.
func (r *rustScanner) semicolon(i, end int) int {
	for ; i < end; i++ {
		switch r.at(i) {
		case ';', '}':
			return i
		case '(', '[', '{':
			i = r.pair(i)
		}
	}
	return end
}

func (r *rustScanner) external(h rustHead, i, end int, self rustScope) int {
	k := i + 1
	if r.is(k, "crate") {
		imp := Import{Path: r.word(k + 1), Line: r.line(i)}
		if r.is(k+2, "as") {
			imp.Name = r.word(k + 3)
		}
		r.f.Imports = append(r.f.Imports, imp)
		return r.semicolon(k, end) + 1
	}
	if r.isString(k) {
		k++
	}
	if r.at(k) == '{' {
		r.items(k+1, r.pair(k), rustScope{name: self.name, kind: "mod"})
		return r.pair(k) + 1
	}
	if !r.enter() {
		return k
	}
	defer r.leave()
	return r.item(h, k, end, self)
}

func (r *rustScanner) module(h rustHead, i int, self rustScope) int {
	d := r.declare(h, r.word(i+1), KindModule, self)
	d.Signature = r.signature(h.decl, i+2)
	if r.at(i+2) != '{' {
		d.End = r.line(i + 2)
		r.f.Imports = append(r.f.Imports, Import{Path: "./" + d.Name, Line: d.Start, Under: h.under(r)})
		if d.Doc != "" {
			r.add(d)
		}
		return i + 3
	}
	shut := r.pair(i + 2)
	d.End = r.endLine(shut)
	r.add(d)
	inner := rustScope{name: within(self.name, "::", d.Name), kind: "mod"}
	if a, ok := find(h.attrs, "cfg"); ok && r.is(a.open+1, "test") || self.kind == "test" {
		inner.kind = "test"
	}
	r.items(i+3, shut, inner)
	return shut + 1
}

func (r *rustScanner) function(h rustHead, i, end int, self rustScope) int {
	kind := KindFunction
	if self.kind == "impl" || self.kind == "trait" {
		kind = KindMethod
	}
	d := r.declare(h, r.word(i+1), kind, self)
	k := r.angles(i + 2)
	if r.at(k) == '(' {
		k = r.pair(k) + 1
	}
	for k < end && r.at(k) != '{' && r.at(k) != ';' && r.at(k) != '}' {
		if c := r.at(k); c == '(' || c == '[' {
			k = r.pair(k)
		}
		k++
	}
	d.Signature = r.signature(h.decl, k)
	next := k
	if r.at(k) == '{' {
		next = r.pair(k)
		_, test := find(h.attrs, "test", "rstest")
		r.inTest = test || self.kind == "test"
		r.body(within(self.name, "::", d.Name), k, next)
	}
	d.End = r.endLine(next)
	if self.kind == "impl" && self.base != "" {
		r.optionMethod(d.Name, k, next)
	}
	r.functionFacts(d, h, self)
	r.add(d)
	return next + 1
}

func rustKind(word string) Kind {
	switch word {
	case "struct":
		return KindStruct
	case "enum":
		return KindEnum
	case "trait":
		return KindTrait
	}
	return KindType
}

func (r *rustScanner) typeDecl(h rustHead, word string, i, end int, self rustScope) int {
	d := r.declare(h, r.word(i+1), rustKind(word), self)
	k := r.angles(i + 2)
	if word == "trait" && r.at(k) == ':' {
		d.Bases = r.bounds(k+1, end)
	}
	for k < end && r.at(k) != '{' && r.at(k) != ';' {
		if c := r.at(k); c == '(' || c == '[' {
			k = r.pair(k)
		}
		k++
	}
	d.Signature = r.signature(h.decl, k)
	shut := r.pair(k)
	if r.at(k) == ';' {
		shut = k
	}
	d.End = r.endLine(shut)
	if a, ok := find(h.attrs, "derive"); ok {
		r.derived(&d, h, a, k, shut)
	}
	r.add(d)
	switch name := within(self.name, "::", d.Name); {
	case r.at(k) != '{':
	case word == "trait":
		r.items(k+1, shut, rustScope{name: name, kind: "trait", public: d.Exported})
	case word == "enum":
		r.variants(k, shut, rustScope{name: name, public: d.Exported})
	}
	return shut + 1
}
