package scan

import "strings"

// scanKotlin reads a file of Kotlin.
func scanKotlin(f *File, src *text) {
	p, _ := newReader(f, src, dialectKotlin)
	k := &kotlinScanner{javaScanner{reader: p}}
	p.skip, p.onCall = kotlinKeyword, k.call
	k.scope(0, k.last, javaType{})
	markTests(f)
}

// A kotlinScanner shares the frameworks of Java: annotations mean the same.
type kotlinScanner struct {
	javaScanner
}

func kotlinKeyword(w string) bool {
	switch w {
	case "if", "for", "while", "when", "catch", "return", "throw", "try", "else", "do", "super", "this", "in", "is", "as", "fun", "constructor":
		return true
	}
	return false
}

func kotlinModifier(w string) bool {
	switch w {
	case "public", "private", "internal", "protected", "open", "abstract", "final", "sealed", "data", "inner", "enum", "annotation",
		"companion", "value", "inline", "tailrec", "operator", "infix", "external", "suspend", "override", "lateinit", "const",
		"expect", "actual":
		return true
	}
	return false
}

// scope reads the declarations between two tokens.
func (k *kotlinScanner) scope(i, end int, self javaType) {
	if !k.enter() {
		return
	}
	defer k.leave()
	for i < end {
		from := i
		h, at := k.head(i, end)
		switch w := k.word(at); {
		case w == "package" && self.name == "":
			i = k.packageDecl(h.start, at)
		case w == "import" && self.name == "":
			i = k.importDecl(at)
		case w == "class", w == "interface", w == "object":
			i = k.typeDecl(h, at, end, self)
		case w == "fun" && k.is(at+1, "interface"):
			i = k.typeDecl(h, at+1, end, self)
		case w == "fun":
			i = k.function(h, at, end, self)
		case w == "val", w == "var":
			i = k.property(h, at, end, self)
		case w == "typealias":
			i = k.typeAlias(h, at, end, self)
		case w == "constructor":
			i = k.constructor(h, at, end, self)
		case w == "init" && k.at(at+1) == '{':
			k.body(self.name, at+1, k.pair(at+1))
			i = k.pair(at+1) + 1
		case w != "" && self.name == "" && at == i: // a statement of a script
			next := max(k.expression(at, end), at+1)
			k.body("", at, next)
			i = next
		default:
			i = max(at, i) + 1
			if c := k.at(i - 1); c == '{' || c == '(' || c == '[' {
				i = k.pair(i-1) + 1
			}
		}
		i = max(i, from+1) // broken source must not stop the scan
	}
}

// name returns the declared name at i without backquotes.
func (k *kotlinScanner) name(i int) string { return strings.Trim(k.word(i), "`") }

// head reads annotations and modifiers, and returns the index after them.
func (k *kotlinScanner) head(i, end int) (javaHead, int) {
	h := javaHead{start: i, decl: i}
	for i < end {
		switch {
		case k.at(i) == '@' && k.at(i+1) == '[':
			i = k.pair(i+1) + 1
		case k.at(i) == '@' && k.isWord(i+1):
			file := k.is(i+1, "file")
			var a attribute
			a, i = k.attributeAt(i + 1)
			h.attrs = append(h.attrs, a)
			if file {
				h = javaHead{start: i, decl: i}
			}
		case kotlinModifier(k.word(i)) && (k.isWord(i+1) || k.at(i+1) == '@'):
			h.mods = append(h.mods, k.word(i))
			i++
			continue
		default:
			return h, i
		}
		if len(h.mods) == 0 {
			h.decl = i
		}
	}
	return h, i
}

func (k *kotlinScanner) importDecl(i int) int {
	line, from := k.line(i), i+1
	end := from
	for end < k.last && k.line(end) == line && k.at(end) != ';' && !k.is(end, "as") {
		end++
	}
	imp := Import{Path: k.text(from, end), Line: line}
	if k.is(end, "as") {
		imp.Name = k.name(end + 1)
		end += 2
	}
	k.f.Imports = append(k.f.Imports, imp)
	return end
}

func (k *kotlinScanner) packageDecl(start, i int) int {
	end := i + 1
	for end < k.last && k.line(end) == k.line(i) && k.at(end) != ';' {
		end++
	}
	k.f.Package, k.f.PackageLine = k.text(i+1, end), k.line(i)
	if c := k.t.docBefore(int(k.tok(start).pos), javaDoc); c.start > 0 {
		text, _ := splitTags(c.text)
		k.f.Doc, k.f.DocStart, k.f.DocEnd = text, c.start, c.end
	}
	return end
}

func (k *kotlinScanner) exported(h javaHead, self javaType) bool {
	return !self.hidden && !h.has("private") && !h.has("internal") && !h.has("protected")
}

// declare begins a declaration with what its head says.
func (k *kotlinScanner) declare(h javaHead, name string, kind Kind, self javaType) Decl {
	d := Decl{Name: name, Kind: kind, Parent: self.name, Exported: k.exported(h, self), Start: k.line(h.decl)}
	_, d.Deprecated = find(h.attrs, "Deprecated")
	k.docs(&d, h.start, javaDoc)
	return d
}

// typeDecl reads a class, interface or object; at is the word that says which.
func (k *kotlinScanner) typeDecl(h javaHead, at, end int, outer javaType) int {
	word, kind, i := k.word(at), KindClass, at+1
	switch {
	case word == "interface":
		kind = KindInterface
	case h.has("enum"):
		kind, word = KindEnum, "enum"
	}
	name := "Companion"
	if k.isWord(i) && (word != "object" || !h.has("companion") || k.line(i) == k.line(at)) {
		name = k.name(i)
		i++
	}
	d := k.declare(h, name, kind, outer)
	i = k.angles(i)
	for i < end && (k.at(i) == '@' || kotlinModifier(k.word(i)) || k.is(i, "constructor")) && k.constructorAhead(i, end) {
		if k.at(i) == '@' {
			_, i = k.attributeAt(i + 1)
			continue
		}
		i++
	}
	if k.at(i) == '(' {
		k.body(name, i, k.pair(i))
		i = k.pair(i) + 1
	}
	if k.at(i) == ':' {
		d.Bases, i = k.superTypes(i+1, end)
	}
	if k.is(i, "where") {
		for i < end && k.at(i) != '{' && (k.line(i) == k.endLine(i-1) || k.at(i-1) == ',') {
			i++
		}
	}
	d.Signature = k.signature(h.decl, i)
	d.End = k.endLine(i - 1)
	if k.at(i) == '{' {
		d.End = k.endLine(k.pair(i))
	}
	k.typeFacts(d, h)
	k.add(d)
	if k.at(i) != '{' {
		return i
	}
	self := javaType{name: within(outer.name, ".", name), kind: word, hidden: !d.Exported}
	self.base = k.basePath(h)
	from := i + 1
	if word == "enum" {
		from = k.enumConstants(from, k.pair(i), self)
	}
	k.scope(from, k.pair(i), self)
	return k.pair(i) + 1
}

// constructorAhead tells whether the modifiers at i belong to a primary constructor and not to the next declaration.
func (k *kotlinScanner) constructorAhead(i, end int) bool {
	for i < end {
		switch {
		case k.is(i, "constructor"):
			return k.at(i+1) == '('
		case k.at(i) == '@':
			_, i = k.attributeAt(i + 1)
		case kotlinModifier(k.word(i)):
			i++
		default:
			return false
		}
	}
	return false
}

// superTypes reads the list after the colon of a class head.
func (k *kotlinScanner) superTypes(i, end int) ([]string, int) {
	var out []string
	for i < end {
		for k.at(i) == '@' {
			_, i = k.attributeAt(i + 1)
		}
		from := i
		i = k.typeRef(i, end)
		if i == from {
			return out, i
		}
		out = append(out, k.baseName(from, i))
		if k.at(i) == '(' {
			k.body("", i, k.pair(i))
			i = k.pair(i) + 1
		}
		if k.is(i, "by") {
			for i++; i < end && k.at(i) != ',' && k.at(i) != '{' && (k.line(i) == k.endLine(i-1) || k.at(i) == '.'); i++ {
				if c := k.at(i); c == '(' || c == '[' {
					i = k.pair(i)
				}
			}
		}
		if k.at(i) != ',' {
			return out, i
		}
		i++
	}
	return out, i
}

// baseName returns the name of the type between two tokens without its arguments.
func (k *kotlinScanner) baseName(from, to int) string {
	end := from
	for end < to && (k.isWord(end) || k.at(end) == '.') {
		end++
	}
	if end == from {
		end = to
	}
	return k.text(from, end)
}

// typeRef returns the index after the type at i.
func (k *kotlinScanner) typeRef(i, end int) int {
	for i < end {
		for k.at(i) == '@' && k.isWord(i+1) {
			_, i = k.attributeAt(i + 1)
		}
		if k.is(i, "suspend") || k.is(i, "in") || k.is(i, "out") {
			i++
		}
		switch {
		case k.at(i) == '(':
			i = k.pair(i) + 1
		case k.at(i) == '*':
			i++
		case k.isWord(i) && !kotlinKeyword(k.word(i)):
			i = k.angles(i + 1)
			for k.at(i) == '.' && k.isWord(i+1) {
				i = k.angles(i + 2)
			}
		default:
			return i
		}
		for k.at(i) == '?' && k.at(i+1) != ':' {
			i++
		}
		switch {
		case k.op(i, "->"):
			i += 2
		case k.at(i) == '.' && k.at(i-1) == ')' || k.at(i) == '&':
			i++
		default:
			return i
		}
	}
	return i
}

// enumConstants reads the constants of an enum class and returns the index after them.
func (k *kotlinScanner) enumConstants(i, end int, self javaType) int {
	for i < end {
		h, at := k.head(i, end)
		if k.at(at) == ';' {
			return at + 1
		}
		if w := k.word(at); w == "" || w == "companion" || w == "fun" || w == "val" {
			if w != "" {
				return i
			}
			i = at + 1
			continue
		}
		d := k.declare(h, k.name(at), KindConstant, self)
		j := at + 1
		for j < end && k.at(j) != ',' && k.at(j) != ';' {
			if c := k.at(j); c == '(' || c == '{' || c == '[' {
				k.body(self.name, j, k.pair(j))
				j = k.pair(j)
			}
			j++
		}
		d.Signature, d.End = k.signature(at, j), k.endLine(j-1)
		k.add(d)
		if k.at(j) == ';' {
			return j + 1
		}
		i = j + 1
	}
	return i
}
