package scan

import (
	"bytes"
	"strings"
)

// function records the function or method whose head begins at at; its name follows after.
func (p *pyScan) function(at, after, end, indent int) {
	from := p.src.skip(after)
	if p.src.at(from) == '\\' {
		from = p.src.skip(from + 1)
	}
	to := p.src.word(from)
	if from == to || to > end {
		return
	}
	outer := p.scope()
	name := string(p.src.code[from:to])
	d := Decl{Name: name, Kind: KindFunction, Parent: outer.path, Start: p.src.line(at)}
	d.Exported = p.visible(name, outer)
	d.TypeOnly = p.typesOnly() || outer.decl >= 0 && p.Decls[outer.decl].TypeOnly
	if outer.kind == KindClass {
		d.Kind = KindMethod
	}
	head, body := p.head(to, end)
	d.Signature = p.src.signature(at, head)
	d.End = p.src.line(max(p.src.skipBack(end)-1, at))
	p.enter(d, outer, indent, at, body, end)
	p.testCase(d, outer)
}

// enter records a declaration, unless it is local to a function, and opens its scope.
func (p *pyScan) enter(d Decl, outer pyScope, indent, at, body, end int) {
	s := pyScope{indent: indent, kind: d.Kind, path: within(outer.path, ".", d.Name), decl: -1, inFunc: outer.inFunc || d.Kind != KindClass}
	if len(p.scopes) >= maxDepth {
		return
	}
	if !outer.inFunc {
		d.Deprecated = p.decorated("deprecated")
		if d.Deprecated {
			p.Marks = append(p.Marks, Mark{Kind: "DEPRECATED", Text: p.deprecation(), Line: p.src.line(at)})
		}
		p.Decls = append(p.Decls, d)
		s.decl = len(p.Decls) - 1
		p.decorate(&p.Decls[s.decl], at)
	}
	if d.Kind == KindClass {
		for _, b := range d.Bases {
			if b = b[strings.LastIndexByte(b, '.')+1:]; strings.HasSuffix(b, "Enum") || strings.HasSuffix(b, "Flag") {
				s.isEnum = true
			}
		}
	}
	p.scopes = append(p.scopes, s)
	p.awaitDoc = true
	if next := p.src.skip(body); next < end { // a body on the line of the head
		p.awaitDoc = false
		p.docstring(next, end)
		if d.Kind != KindClass {
			p.calls(next, end)
		}
	}
}

// head returns the offset of the colon that ends the head of a definition, and of the body after it.
func (p *pyScan) head(from, end int) (colon, body int) {
	for i := from; i < end; i++ {
		switch p.src.code[i] {
		case '(', '[', '{':
			if shut := p.src.closing(i); shut > i && shut < end {
				i = shut
			}
		case '"', '\'':
			if lit, ok := p.src.literalAt(i); ok {
				i = max(lit.end-1, i)
			}
		case ':':
			return i, i + 1
		}
	}
	return end, end
}

// visible tells whether a name is public by convention: special methods are, names that begin with an underscore are not.
func (p *pyScan) visible(name string, outer pyScope) bool {
	if outer.decl >= 0 && !p.Decls[outer.decl].Exported {
		return false
	}
	return !strings.HasPrefix(name, "_") || len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

func (p *pyScan) class(at, after, end, indent int) {
	from := p.src.skip(after)
	to := p.src.word(from)
	if from == to || to > end {
		return
	}
	outer := p.scope()
	name := string(p.src.code[from:to])
	d := Decl{Name: name, Kind: KindClass, Parent: outer.path, Start: p.src.line(at), Exported: p.visible(name, outer)}
	head, body := p.head(to, end)
	d.Signature = p.src.signature(at, head)
	d.End = p.src.line(max(p.src.skipBack(end)-1, at))
	d.TypeOnly = p.typesOnly()
	open := p.src.skip(to)
	if p.src.at(open) == '[' { // type parameters
		open = p.src.skip(p.src.closingOr(open, open) + 1)
	}
	if p.src.at(open) == '(' && open < head {
		for _, a := range p.src.args(open, '=') {
			if b := p.dotted(a.start, a.end); b != "" && a.name == "" {
				d.Bases = append(d.Bases, b)
				d.TypeOnly = d.TypeOnly || isProtocol(b)
			}
		}
	}
	p.enter(d, outer, indent, at, body, end)
}

// isProtocol tells whether a base makes a class a protocol: something to check types by.
func isProtocol(base string) bool {
	return base == "Protocol" || base == "t.Protocol" || base == "te.Protocol" || base == "typing.Protocol" || base == "typing_extensions.Protocol"
}

// dotted returns the dotted name that begins a range.
func (p *pyScan) dotted(from, to int) string {
	i := from
	for i < to && (isWord(p.src.code[i]) || p.src.code[i] == '.') {
		i++
	}
	return string(p.src.code[from:i])
}

// imports records import a.b as c, d.
func (p *pyScan) imports(from, end int) {
	for _, part := range bytes.Split(p.src.code[from:end], []byte{','}) {
		words := strings.Fields(string(part))
		imp := Import{Line: p.src.line(min(p.src.skip(from), end)), TypeOnly: p.typesOnly()}
		from += len(part) + 1
		switch {
		case len(words) == 3 && words[1] == "as":
			imp.Path, imp.Name = words[0], words[2]
		case len(words) > 0 && isWord(words[0][0]):
			imp.Path = strings.TrimRight(words[0], ";\\")
		default:
			continue
		}
		p.Imports = append(p.Imports, imp)
	}
}

// fromImport records from a.b import c as d, one import "a.b.c" for each name.
func (p *pyScan) fromImport(from, end int) {
	at := bytes.Index(p.src.code[from:end], []byte("import"))
	if at < 0 {
		return
	}
	module := strings.Join(strings.Fields(strings.ReplaceAll(string(p.src.code[from:from+at]), "\\", " ")), "")
	if module == "" {
		return
	}
	at += from + len("import")
	for _, part := range bytes.Split(p.src.code[at:end], []byte{','}) {
		name := strings.FieldsFunc(string(part), func(r rune) bool { return r <= ' ' || r == '(' || r == ')' || r == '\\' || r == ';' })
		line := p.src.line(min(p.src.skip(skipByte(p.src, at, '(')), end))
		at += len(part) + 1
		if len(name) == 0 {
			continue
		}
		imp := Import{Path: module + "." + name[0], Name: name[len(name)-1], Line: line, TypeOnly: p.typesOnly()}
		if strings.HasSuffix(module, ".") {
			imp.Path = module + name[0]
		}
		if name[0] == "*" {
			imp.Path, imp.Name = module, "*"
		}
		p.Imports = append(p.Imports, imp)
	}
}

func skipByte(t *text, off int, c byte) int {
	if off = t.skip(off); t.at(off) == c {
		return off + 1
	}
	return off
}

// assignment records NAME = value and NAME: type = value, in a module or class.
func (p *pyScan) assignment(at, end int, word string, indent int) {
	outer := p.scope()
	if word == "" || outer.inFunc || p.guard >= 0 && len(p.scopes) == 0 {
		return
	}
	stop := at + len(word)
	next := p.src.skip(stop)
	value, ok := p.assigned(next, end)
	if !ok || isDigit(word[0]) {
		return
	}
	upper := isUpperName(word)
	if len(p.scopes) == 0 && indent > 0 && (!upper || p.typesOnly()) {
		return // a work variable of a loop or a condition
	}
	key := outer.path + "." + word
	if p.names[key] {
		return
	}
	p.names[key] = true
	d := Decl{Name: word, Kind: KindVariable, Parent: outer.path, Exported: p.visible(word, outer), Start: p.src.line(at)}
	d.End = p.src.line(max(p.src.skipBack(end)-1, at))
	switch {
	case upper || outer.isEnum:
		d.Kind = KindConstant
	case outer.kind == KindClass:
		d.Kind = KindField
	}
	d.Signature = p.src.signature(at, end)
	if p.src.hasWord(p.src.skip(value), "lambda") {
		d.Kind = KindFunction
		if outer.kind == KindClass {
			d.Kind = KindMethod
		}
	} else if value < end {
		d.Value = p.src.literalValue(value, end)
	}
	c := p.src.docBefore(at)
	if i := p.trailing(end); c.text == "" && i >= 0 {
		c = p.src.docOf(i, i)
	}
	d.Doc, d.DocStart, d.DocEnd = pythonDoc(c.text), c.start, c.end
	p.Decls = append(p.Decls, d)
}

// pythonDoc returns a comment without the colons of the form that Sphinx reads, "#: text".
func pythonDoc(s string) string {
	if !strings.HasPrefix(s, ":") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(l, " "), ":"), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// assigned tells whether an assignment or annotation goes on at off, and returns the offset of its value.
func (p *pyScan) assigned(off, end int) (value int, ok bool) {
	switch p.src.at(off) {
	case '=':
		return off + 1, p.src.at(off+1) != '='
	case ':':
		if p.src.at(off+1) == '=' {
			return end, false
		}
		for i := off + 1; i < end; i++ {
			switch p.src.code[i] {
			case '(', '[', '{':
				i = min(p.src.closingOr(i, end), end)
			case '=':
				return i + 1, true
			}
		}
		return end, off < end
	}
	return end, false
}

// trailing returns the index of the comment that follows a statement on its last line, or -1.
func (p *pyScan) trailing(end int) int {
	code := p.src.skipBack(end)
	i := p.commentAfter(code)
	if i == len(p.src.comments) {
		return -1
	}
	if c := p.src.comments[i]; c.start > end || !p.src.onlyBlank(code, c.start, 0) {
		return -1
	}
	return i
}

func isUpperName(s string) bool {
	upper := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			upper = true
		case c == '_' || isDigit(c):
		default:
			return false
		}
	}
	return upper
}
