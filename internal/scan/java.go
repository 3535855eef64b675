package scan

import (
	"slices"
	"strings"
)

// scanJava reads a file of Java.
func scanJava(f *File, src *text) {
	p, _ := newReader(f, src, dialectJava)
	j := &javaScanner{reader: p}
	p.skip, p.onCall = javaKeyword, j.call
	j.file()
}

// javaDoc is the opener of doc comments in Java, Kotlin and PHP.
const javaDoc = "/**"

type javaScanner struct {
	*reader
}

// A javaType is the type whose body is being read.
type javaType struct {
	name   string // with its outer types
	kind   string
	base   string // path of its routes
	hidden bool   // not visible outside of its package
}

// A javaHead is what stands before a declaration: annotations and modifiers.
type javaHead struct {
	start int // first token
	decl  int // first token after the annotations
	attrs []attribute
	mods  []string
}

func (h *javaHead) has(mod string) bool { return slices.Contains(h.mods, mod) }

func javaKeyword(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "catch", "synchronized", "return", "throw", "new", "try", "assert", "else", "case", "do", "when", "super", "this", "yield", "instanceof":
		return true
	}
	return false
}

func (j *javaScanner) file() {
	i := 0
	for i < j.last {
		from := i
		h := j.head(i)
		i = j.after(h)
		switch w := j.word(i); {
		case w == "package":
			i = j.packageDecl(h.start, i)
		case w == "import":
			i = j.importDecl(i)
		case j.isType(i):
			i = j.typeDecl(h, i, javaType{})
		case w != "":
			i = j.member(h, i, javaType{hidden: true}) // a compact source file: methods without a class
		case j.at(i) == '{':
			i = j.pair(i) + 1
		default:
			i++
		}
		i = max(i, from+1) // broken source must not stop the scan
	}
	markTests(j.f)
}

// markTests makes a file with test cases a test file.
func markTests(f *File) {
	if len(f.Tests) > 0 {
		f.IsTest = true
	}
}

func (j *javaScanner) packageDecl(start, i int) int {
	end := i + 1
	for end < j.last && j.at(end) != ';' {
		end++
	}
	j.f.Package, j.f.PackageLine = strings.ReplaceAll(j.text(i+1, end), " ", ""), j.line(i)
	if c := j.t.docBefore(int(j.tok(start).pos), javaDoc); c.start > 0 {
		text, _ := splitTags(c.text)
		j.f.Doc, j.f.DocStart, j.f.DocEnd = javadocText(text), c.start, c.end
	}
	return end + 1
}

func (j *javaScanner) importDecl(i int) int {
	line := j.line(i)
	i++
	if j.is(i, "static") {
		i++
	}
	end := i
	for end < j.last && j.at(end) != ';' {
		end++
	}
	j.f.Imports = append(j.f.Imports, Import{Path: strings.ReplaceAll(j.text(i, end), " ", ""), Line: line})
	return end + 1
}

// head reads annotations and modifiers from i.
func (j *javaScanner) head(i int) javaHead {
	h := javaHead{start: i, decl: i}
	for i < j.last {
		if j.at(i) == '@' && j.isWord(i+1) && !j.is(i+1, "interface") {
			var a attribute
			a, i = j.attributeAt(i + 1)
			h.attrs = append(h.attrs, a)
			if len(h.mods) == 0 {
				h.decl = i
			}
			continue
		}
		switch w := j.word(i); w {
		case "public", "protected", "private", "static", "final", "abstract", "default", "native", "synchronized", "transient",
			"volatile", "strictfp", "sealed", "open":
			if (w == "default" || w == "sealed" || w == "open") && !j.isWord(i+1) && j.at(i+1) != '<' && j.at(i+1) != '@' {
				return h
			}
			h.mods = append(h.mods, w)
			i++
		case "non":
			if j.at(i+1) != '-' || !j.is(i+2, "sealed") {
				return h
			}
			h.mods = append(h.mods, "non", "-", "sealed") // one entry a token: the caller adds the count
			i += 3
		default:
			return h
		}
	}
	return h
}

// isType tells whether a type declaration begins at i, after its modifiers.
func (j *javaScanner) isType(i int) bool {
	switch j.word(i) {
	case "class", "interface", "enum":
		return j.isWord(i + 1)
	case "record":
		return j.isWord(i+1) && (j.at(i+2) == '(' || j.at(i+2) == '<' && j.at(j.angles(i+2)) == '(')
	}
	return j.at(i) == '@' && j.is(i+1, "interface") && j.isWord(i+2)
}

// after returns the index of the first token after annotations and modifiers. Annotations may stand between modifiers.
func (j *javaScanner) after(h javaHead) int {
	i := h.decl
	for n := len(h.mods); n > 0 && i < j.last; {
		if j.at(i) == '@' {
			_, i = j.attributeAt(i + 1)
			continue
		}
		i++
		n--
	}
	for j.at(i) == '@' && j.isWord(i+1) && !j.is(i+1, "interface") {
		_, i = j.attributeAt(i + 1)
	}
	return i
}

func javaKind(word string) Kind {
	switch word {
	case "class", "record":
		return KindClass
	case "enum":
		return KindEnum
	}
	return KindInterface
}

func (j *javaScanner) typeDecl(h javaHead, i int, outer javaType) int {
	word := j.word(i)
	if word == "" { // @interface
		word, i = "interface", i+1
	}
	name := j.word(i + 1)
	d := Decl{Name: name, Kind: javaKind(word), Parent: outer.name, Start: j.line(h.decl)}
	d.Exported = !outer.hidden && (h.has("public") || h.has("protected") || outer.kind == "interface")
	_, d.Deprecated = find(h.attrs, "Deprecated")
	k := i + 2
	var components [2]int
	for k < j.last && j.at(k) != '{' && j.at(k) != ';' {
		switch {
		case j.at(k) == '<':
			k = max(j.angles(k), k+1)
			continue
		case j.at(k) == '(':
			components = [2]int{k, j.pair(k)}
			k = components[1]
		case j.is(k, "extends"), j.is(k, "implements"):
			d.Bases, k = j.bases(d.Bases, k+1)
			continue
		}
		k++
	}
	d.Signature = j.signature(h.decl, k)
	d.End = j.endLine(j.pair(k))
	if j.at(k) != '{' {
		d.End = j.line(k)
	}
	j.javadoc(&d, h)
	self := javaType{name: within(outer.name, ".", name), kind: word, hidden: !d.Exported}
	self.base = j.basePath(h)
	j.typeFacts(d, h)
	j.add(d)
	if j.at(k) != '{' {
		return k + 1
	}
	j.typeBody(k, self)
	return j.pair(k) + 1
}

// bases reads a list of types from i up to the body or the next clause.
func (j *javaScanner) bases(out []string, i int) ([]string, int) {
	for i < j.last {
		switch {
		case j.at(i) == '@':
			_, i = j.attributeAt(i + 1)
		case j.at(i) == ',':
			i++
		case j.isWord(i) && !j.is(i, "implements") && !j.is(i, "extends") && !j.is(i, "permits"):
			from := i
			for j.at(i+1) == '.' && j.isWord(i+2) {
				i += 2
			}
			out = append(out, j.text(from, i+1))
			i = max(j.angles(i+1), i+1)
		default:
			return out, i
		}
	}
	return out, i
}

func (j *javaScanner) typeBody(open int, self javaType) {
	if !j.enter() {
		return
	}
	defer j.leave()
	end := j.pair(open)
	i := open + 1
	if self.kind == "enum" {
		i = j.enumConstants(i, end, self)
	}
	for i < end {
		from := i
		h := j.head(i)
		k := j.after(h)
		switch {
		case j.isType(k):
			i = j.typeDecl(h, k, self)
		case j.at(k) == '{': // an initializer
			j.body(self.name, k, j.pair(k))
			i = j.pair(k) + 1
		case j.isWord(k) || j.at(k) == '<':
			i = j.member(h, k, self)
		default:
			i = max(k, i) + 1
		}
		i = max(i, from+1)
	}
}

// enumConstants reads the constants of an enum and returns the index after them.
func (j *javaScanner) enumConstants(i, end int, self javaType) int {
	for i < end {
		h := j.head(i)
		i = h.decl
		if j.at(i) == ';' {
			return i + 1
		}
		if !j.isWord(i) {
			i++
			continue
		}
		d := Decl{Name: j.word(i), Kind: KindConstant, Parent: self.name, Exported: !self.hidden, Start: j.line(i)}
		j.javadoc(&d, h)
		k := i + 1
		for k < end && j.at(k) != ',' && j.at(k) != ';' {
			if c := j.at(k); c == '(' || c == '{' || c == '[' {
				j.body(self.name, k, j.pair(k))
				k = j.pair(k)
			}
			k++
		}
		d.Signature, d.End = j.signature(i, k), j.endLine(k-1)
		_, d.Deprecated = find(h.attrs, "Deprecated")
		j.add(d)
		if j.at(k) == ';' {
			return k + 1
		}
		i = k + 1
	}
	return i
}

// member reads a method, constructor or field whose type begins at i; it returns the index after it.
func (j *javaScanner) member(h javaHead, i int, self javaType) int {
	k := i
	for k < j.last {
		switch c := j.at(k); {
		case c == '(':
			if j.isWord(k - 1) {
				return j.method(h, k, self)
			}
			k = j.pair(k) + 1
		case c == '=' || c == ';' || c == ',':
			return j.field(h, i, k, self)
		case c == '<':
			k = max(j.angles(k), k+1)
		case c == '{':
			if j.isWord(k-1) && k-1 == i { // the compact constructor of a record
				return j.method(h, k, self)
			}
			return j.pair(k) + 1
		case c == '}' || c == ')':
			return k
		case c == '@':
			_, k = j.attributeAt(k + 1)
		default:
			k++
		}
	}
	return k
}

// method reads the method whose parameters (or, for a compact constructor, whose body) open at open.
func (j *javaScanner) method(h javaHead, open int, self javaType) int {
	name := j.word(open - 1)
	d := Decl{Name: name, Kind: KindMethod, Parent: self.name, Start: j.line(h.decl)}
	if self.name == "" {
		d.Kind = KindFunction
	}
	d.Exported = !self.hidden && (h.has("public") || h.has("protected") || self.kind == "interface" && !h.has("private"))
	_, d.Deprecated = find(h.attrs, "Deprecated")
	k := open
	for k < j.last && j.at(k) != '{' && j.at(k) != ';' && j.at(k) != '}' {
		if j.at(k) == '(' {
			k = j.pair(k)
		}
		k++
	}
	d.Signature = j.signature(h.decl, k)
	end := k
	if j.at(k) == '{' {
		end = j.pair(k)
		j.body(within(self.name, ".", name), k, end)
	} else if j.at(k) == '}' {
		end = k - 1
	}
	d.End = j.endLine(end)
	j.javadoc(&d, h)
	j.methodFacts(d, h, self)
	j.add(d)
	return end + 1
}

// field reads the variables of a field declaration; at is the first "=", "," or ";" after their type.
func (j *javaScanner) field(h javaHead, i, at int, self javaType) int {
	end := at
	for end < j.last && j.at(end) != ';' && j.at(end) != '}' {
		if c := j.at(end); c == '(' || c == '{' || c == '[' {
			end = j.pair(end)
		}
		end++
	}
	j.body(self.name, at, end)
	name := at - 1
	for name > i && !j.isWord(name) { // int a[]
		name--
	}
	d := Decl{Name: j.word(name), Kind: KindField, Parent: self.name, Start: j.line(h.decl), End: j.endLine(end)}
	d.Exported = !self.hidden && (h.has("public") || h.has("protected") || self.kind == "interface")
	if h.has("static") && h.has("final") || self.kind == "interface" {
		d.Kind = KindConstant
	}
	if j.at(at) == '=' {
		d.Value = j.literalText(at+1, end)
	}
	d.Signature = j.signature(h.decl, end)
	_, d.Deprecated = find(h.attrs, "Deprecated")
	j.javadoc(&d, h)
	j.fieldFacts(d, h)
	if d.Name != "" && i < name && (d.Kind == KindConstant || d.Doc != "" || len(h.attrs) > 0) {
		j.add(d)
	}
	return end + 1
}
