package scan

import "strings"

// maxDepth bounds the nesting of blocks and declarations that is followed; people do not write more.
const maxDepth = 60

// block reads the statements of a range.
func (s *jsScan) block(i, to int, in jsScope) {
	if s.depth >= maxDepth {
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	for i < to {
		if i = s.src.skip(i); i >= to {
			return
		}
		next := s.statement(i, to, in)
		if next <= i {
			next = i + 1
		}
		i = next
	}
}

// statement reads the statement that begins at i and returns the offset after it.
func (s *jsScan) statement(i, to int, in jsScope) int {
	switch c := s.src.code[i]; {
	case c == ';':
		return i + 1
	case c == '{':
		end := s.src.closingOr(i, to)
		s.block(i+1, min(end, to), in)
		return end + 1
	case c == '@':
		end := s.decorator(i, to)
		s.decorators = append(s.decorators, span{i, end})
		return end
	case !isWord(c) || isDigit(c):
		return s.other(i, to, in)
	}
	word := string(s.src.code[i:s.src.word(i)])
	next := i
	switch word {
	case "import":
		next = s.imports(i, to)
	case "export":
		next = s.export(i, to, in)
	case "if", "for", "while", "with", "switch":
		next = s.control(i, to, in)
	case "else", "try", "finally", "do":
		return i + len(word)
	case "catch":
		if at := s.src.skip(i + len(word)); s.src.at(at) == '(' {
			return s.src.closingOr(at, at) + 1
		}
		return i + len(word)
	default:
		if end, ok := s.declaration(i, i, to, in, false); ok {
			next = end
		}
	}
	if next == i {
		next = s.other(i, to, in)
	}
	s.decorators = s.decorators[:0]
	return next
}

// decorator returns the end of the decorator at i.
func (s *jsScan) decorator(i, to int) int {
	i++
	for i < to && (isWord(s.src.code[i]) || s.src.code[i] == '.') {
		i++
	}
	if s.src.at(i) == '(' {
		i = s.src.closingOr(i, i) + 1
	}
	return min(i, to)
}

// control reads the head of a statement with parentheses; its body is read as the next statement.
func (s *jsScan) control(i, to int, in jsScope) int {
	at := s.src.word(i)
	if open := s.src.skip(at); s.src.hasWord(open, "await") {
		at = open + len("await")
	}
	open := s.src.skip(at)
	if s.src.at(open) != '(' {
		return i
	}
	end := s.src.closing(open)
	if end < 0 || end >= to {
		return i
	}
	if s.src.hasWord(i, "if") {
		s.mainModule(i, open, end, to)
	}
	s.callsIn("", open, end)
	return end + 1
}

// mainModule records the block of if (require.main === module).
func (s *jsScan) mainModule(i, open, end, to int) {
	head := string(s.src.code[open:end])
	if !strings.Contains(head, "require.main") && !strings.Contains(head, "import.meta.main") && !(strings.Contains(head, "import.meta.url") && strings.Contains(head, "argv")) {
		return
	}
	body := s.src.skip(end + 1)
	stop := body
	if s.src.at(body) == '{' {
		stop = s.src.closingOr(body, body)
	}
	s.Entries = append(s.Entries, Entry{Kind: "script", Name: baseName(s.Path), Line: s.src.line(i), End: s.src.line(min(stop, max(to-1, 0)))})
}

// export reads an export statement.
func (s *jsScan) export(i, to int, in jsScope) int {
	at := s.src.skip(i + len("export"))
	in.exported = true
	switch {
	case s.src.at(at) == '{' || s.src.at(at) == '*' || s.typedExport(at):
		return s.exportList(i, at, to)
	case s.src.at(at) == '=': // export = x
		name := s.src.skip(at + 1)
		s.exports[string(s.src.code[name:s.src.word(name)])] = true
		return s.expression(at+1, to)
	case s.src.at(at) == '@':
		end := s.decorator(at, to)
		s.decorators = append(s.decorators, span{at, end})
		at = s.src.skip(end)
	case s.src.hasWord(at, "default"):
		at = s.src.skip(at + len("default"))
		for s.src.at(at) == '@' {
			end := s.decorator(at, to)
			s.decorators = append(s.decorators, span{at, end})
			at = s.src.skip(end)
		}
		return s.exportDefault(i, at, to, in)
	}
	end, _ := s.declaration(i, at, to, in, false)
	return end
}

// typedExport tells whether type { … } or type * stands at an offset.
func (s *jsScan) typedExport(at int) bool {
	if !s.src.hasWord(at, "type") {
		return false
	}
	c := s.src.at(s.src.skip(at + len("type")))
	return c == '{' || c == '*'
}

func (s *jsScan) exportDefault(i, at, to int, in jsScope) int {
	if end, ok := s.declaration(i, at, to, in, true); ok {
		return end
	}
	end := s.expression(at, to)
	if name := s.src.word(at); name > at && s.src.skip(name) >= min(s.src.skip(end), to) {
		s.exports[string(s.src.code[at:name])] = true
		return end
	}
	s.assigned(i, at, to, "default", "", KindConstant, true)
	return end
}

// exportList reads export { a, b as c } and export * from "x".
func (s *jsScan) exportList(i, at, to int) int {
	types := s.src.hasWord(at, "type")
	if types {
		at = s.src.skip(at + len("type"))
	}
	end, names := at+1, "*"
	if s.src.at(at) == '{' {
		shut := s.src.closingOr(at, to-1)
		names = string(s.src.code[at+1 : max(min(shut, to), at+1)])
		end = shut + 1
	} else if next := s.src.skip(end); s.src.hasWord(next, "as") {
		end = s.src.word(s.src.skip(next + len("as")))
	}
	if from := s.src.skip(end); s.src.hasWord(from, "from") && from < to {
		if path, stop, ok := s.src.stringAt(s.src.skip(from + len("from"))); ok {
			s.Imports = append(s.Imports, Import{Path: path, Line: s.src.line(i), TypeOnly: types})
			return stop
		}
	}
	for _, one := range strings.Split(names, ",") {
		if f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(one), "type ")); len(f) > 0 {
			s.exports[f[0]] = true
		}
	}
	return min(end, to)
}

// declaration reads a declaration at at; start is where its statement begins. ok is false where none begins there.
func (s *jsScan) declaration(start, at, to int, in jsScope, isDefault bool) (end int, ok bool) {
	wordEnd := s.src.word(at)
	word := string(s.src.code[at:wordEnd])
	after := s.src.skip(wordEnd)
	switch word {
	case "declare", "abstract":
		if s.src.word(after) == after || s.src.hasWord(after, "declare") || s.src.hasWord(after, word) {
			return at, false
		}
		return s.declaration(start, after, to, in, isDefault)
	case "async":
		if s.src.hasWord(after, "function") {
			return s.functionDeclaration(start, after+len("function"), to, in, isDefault)
		}
	case "function":
		return s.functionDeclaration(start, wordEnd, to, in, isDefault)
	case "class":
		return s.class(start, wordEnd, to, in, "")
	case "const", "let", "var":
		if word == "const" && s.src.hasWord(after, "enum") {
			return s.enum(start, after+len("enum"), to, in)
		}
		return s.variables(start, wordEnd, to, in, word == "const"), true
	case "interface":
		return s.iface(start, wordEnd, to, in)
	case "type":
		return s.alias(start, wordEnd, to, in)
	case "enum":
		return s.enum(start, wordEnd, to, in)
	case "namespace", "module", "global":
		return s.namespace(start, at, wordEnd, to, in)
	}
	return at, false
}

// newDecl returns a declaration with the facts that all of them share. head is where its head ends.
func (s *jsScan) newDecl(name string, kind Kind, start, head, end int, in jsScope) Decl {
	d := Decl{
		Name: name, Kind: kind, Parent: in.parent, Exported: in.exported, Start: s.src.line(start),
		Signature: s.src.signature(start, head),
	}
	d.End = max(s.src.line(max(end-1, start)), d.Start)
	from := start
	if len(s.decorators) > 0 && s.decorators[0].start < start {
		from = s.decorators[0].start
	}
	s.document(&d, from)
	return d
}

// document gives a declaration the comment before off.
func (s *jsScan) document(d *Decl, off int) {
	c := s.src.docBefore(off)
	if c.text == "" || isDirective(c.text) || c.start == s.DocStart && s.DocStart > 0 {
		return
	}
	d.Doc, d.Deprecated = splitTags(c.text)
	if d.Doc == "" && strings.HasPrefix(c.text, "@desc") {
		d.Doc = strings.TrimSpace(c.text[strings.IndexByte(c.text+" ", ' '):])
	}
	if d.Doc != "" {
		d.DocStart, d.DocEnd = c.start, c.end
	}
	if d.Deprecated {
		_, note, _ := strings.Cut(c.text, "@deprecated")
		note, _, _ = strings.Cut(note, "\n@")
		s.Marks = append(s.Marks, Mark{Kind: "DEPRECATED", Text: cut(firstSentence(strings.TrimSpace(note)), maxMark), Line: d.Start})
	}
}

// isDirective tells a comment to a tool from one to people.
func isDirective(text string) bool {
	for _, p := range []string{"eslint", "prettier-", "@ts-", "ts-", "istanbul", "c8 ", "v8 ", "biome-", "tslint", "jshint", "global ", "#region", "region", "jscs", "flow", "@flow", "webpack", "#__PURE__"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// functionDeclaration records a function; at is the offset after the keyword.
func (s *jsScan) functionDeclaration(start, at, to int, in jsScope, isDefault bool) (end int, ok bool) {
	at = s.src.skip(at)
	if s.src.at(at) == '*' {
		at = s.src.skip(at + 1)
	}
	nameEnd := s.src.word(at)
	name := string(s.src.code[at:nameEnd])
	if name == "" {
		if !isDefault {
			return at, false
		}
		name = "default"
	}
	fn, ok := s.callable(nameEnd, to, false)
	if !ok {
		return at, false
	}
	d := s.newDecl(name, KindFunction, start, fn.head, fn.end, in)
	s.Decls = append(s.Decls, d)
	s.callsIn(qualify(in.parent, name), fn.body.start, fn.body.end)
	return fn.end, true
}

func qualify(parent, name string) string { return within(parent, ".", name) }

// variables records the variables of a const, let or var statement and returns the end of it.
func (s *jsScan) variables(start, at, to int, in jsScope, constant bool) int {
	kind := KindVariable
	if constant {
		kind = KindConstant
	}
	for first := start; ; first = at {
		if at = s.src.skip(at); at >= to {
			return to
		}
		if first != start {
			first = at
		}
		var end int
		if c := s.src.code[at]; c == '{' || c == '[' {
			end = s.pattern(at, to)
		} else if nameEnd := s.src.word(at); nameEnd > at {
			end = s.variable(first, at, nameEnd, to, in, kind)
		} else {
			return at
		}
		if at = s.src.skip(end); at >= to || s.src.code[at] != ',' {
			return end
		}
		at++
	}
}

// variable records one variable with its type and initialiser, and returns its end.
func (s *jsScan) variable(start, at, nameEnd, to int, in jsScope, kind Kind) int {
	name := string(s.src.code[at:nameEnd])
	next := s.src.skip(nameEnd)
	if s.src.at(next) == '!' {
		next = s.src.skip(next + 1)
	}
	head := nameEnd
	if s.src.at(next) == ':' {
		head = s.src.skipBack(s.typeEnd(next+1, to, false))
		next = s.src.skip(head)
	}
	if s.src.at(next) != '=' || next >= to || s.src.hasAt(next, "==") {
		if !s.src.hasWord(next, "of") && !s.src.hasWord(next, "in") {
			s.Decls = append(s.Decls, s.newDecl(name, kind, start, head, head, in))
		}
		return head
	}
	value := s.src.skip(next + 1)
	if path, end, ok := s.required(value); ok {
		s.Imports = append(s.Imports, Import{Path: path, Name: name, Line: s.src.line(at)})
		return max(end, s.expression(value, to))
	}
	return s.assigned(start, value, to, name, in.parent, kind, in.exported)
}

// required reads require("x") at i, possibly followed by a member.
func (s *jsScan) required(i int) (path string, end int, ok bool) {
	if !s.src.hasWord(i, "require") {
		return "", i, false
	}
	open := s.src.skip(i + len("require"))
	if s.src.at(open) != '(' {
		return "", i, false
	}
	path, end, ok = s.src.stringAt(s.src.skip(open + 1))
	if !ok || s.src.closing(open) != s.src.skip(end) {
		return "", i, false
	}
	return path, s.src.skip(end) + 1, true
}

// pattern reads a destructuring declaration: only what it takes from a required module or the environment is of interest.
func (s *jsScan) pattern(at, to int) int {
	shut := s.src.closingOr(at, to)
	next := s.src.skip(shut + 1)
	if s.src.at(next) == ':' {
		next = s.src.skip(s.typeEnd(next+1, to, false))
	}
	if s.src.at(next) != '=' || next >= to {
		return min(shut+1, to)
	}
	value := s.src.skip(next + 1)
	if s.src.hasWord(value, "await") {
		value = s.src.skip(value + len("await"))
	}
	if path, _, ok := s.required(value); ok {
		for _, a := range s.src.args(at, ':') {
			if name := string(s.src.code[a.start:s.src.word(a.start)]); name != "" {
				s.Imports = append(s.Imports, Import{Path: path, Name: name, Line: s.src.line(a.start)})
			}
		}
	}
	end := s.expression(value, to)
	s.callsIn("", value, end)
	return end
}
