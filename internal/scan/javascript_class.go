package scan

import "strings"

// class records a class; at is the offset after the keyword, otherwise the name of a class expression that has a variable.
func (s *jsScan) class(start, at, to int, in jsScope, otherwise string) (end int, ok bool) {
	at = s.src.skip(at)
	nameEnd := s.src.word(at)
	name := string(s.src.code[at:nameEnd])
	if name == "" || name == "extends" || name == "implements" {
		name, nameEnd = "default", at
	}
	if otherwise != "" {
		name = otherwise
	}
	open := s.classBody(nameEnd, to)
	if open < 0 {
		return at, false
	}
	end = min(s.src.closingOr(open, to-1)+1, to)
	d := s.newDecl(name, KindClass, start, open, end, in)
	d.Parent = in.parent
	d.Bases = s.heritage(nameEnd, open)
	s.Decls = append(s.Decls, d)
	s.controller(name)
	s.decorators = s.decorators[:0]
	s.members(open+1, end-1, jsScope{parent: qualify(in.parent, name), exported: in.exported}, true)
	return end, true
}

// classBody returns the offset of the brace that opens a class or interface body.
func (s *jsScan) classBody(i, to int) int {
	for i < to {
		switch s.src.code[i] {
		case '{':
			return i
		case '<':
			i = s.angles(i, to)
			continue
		case '(', '[':
			i = s.src.closingOr(i, to)
		case ';', '=', '}', ')':
			return -1
		}
		i++
	}
	return -1
}

// heritage returns the names after extends and implements.
func (s *jsScan) heritage(from, to int) []string {
	var out []string
	i := from
	if s.src.at(s.src.skip(i)) == '<' {
		i = s.angles(s.src.skip(i), to)
	}
	for i < to {
		i = s.src.skip(i)
		end := i
		for end < to && (isWord(s.src.code[end]) || s.src.code[end] == '.') {
			end++
		}
		word := string(s.src.code[i:end])
		switch {
		case i >= to:
		case word == "extends" || word == "implements":
		case word != "":
			out = append(out, word)
		case s.src.code[i] == '<':
			end = s.angles(i, to)
		case s.src.code[i] == '(':
			end = s.src.closingOr(i, to) + 1
		default:
			end = i + 1
		}
		i = end
	}
	return out
}

// members records the members of a class body, or the methods of an object literal.
func (s *jsScan) members(i, to int, in jsScope, isClass bool) {
	saved := s.decorators
	s.decorators = nil
	for i < to {
		if i = s.src.skip(i); i >= to {
			break
		}
		switch s.src.code[i] {
		case ';', ',':
			i++
			continue
		case '@':
			end := s.decorator(i, to)
			s.decorators = append(s.decorators, span{i, end})
			i = end
			continue
		}
		next := s.memberAt(i, to, in, isClass)
		s.decorators = s.decorators[:0]
		i = max(next, i+1)
	}
	s.decorators = saved
}

// memberAt records the member that begins at i and returns the offset after it.
func (s *jsScan) memberAt(i, to int, in jsScope, isClass bool) int {
	at := s.modifiers(i, to)
	name, nameEnd := s.memberName(at)
	if name == "" || nameEnd > to {
		if s.src.at(i) == '{' { // static { … }
			return s.src.closingOr(i, to) + 1
		}
		if s.src.at(at) == '{' {
			return s.src.closingOr(at, to) + 1
		}
		return s.expression(i, to) + 1
	}
	next := s.src.skip(nameEnd)
	for s.src.at(next) == '?' || s.src.at(next) == '!' {
		next = s.src.skip(next + 1)
	}
	c := s.src.at(next)
	if next < to && (c == '(' || c == '<') {
		if fn, ok := s.callable(next, to, false); ok {
			if name == "new" && fn.body.start == 0 { // the signature of a constructor
				return fn.end
			}
			if fn.body.start == 0 && !isClass { // a call, not a method
				return max(s.expression(fn.end, to), fn.end)
			}
			s.method(name, i, fn, in)
			return fn.end
		}
	}
	return s.property(name, i, nameEnd, next, to, in, isClass)
}

// modifiers returns the offset after the words before a member name.
func (s *jsScan) modifiers(i, to int) int {
	at := i
	for at < to {
		if s.src.code[at] == '*' {
			at = s.src.skip(at + 1)
			continue
		}
		end := s.src.word(at)
		word := string(s.src.code[at:end])
		switch word {
		case "public", "private", "protected", "static", "readonly", "abstract", "override", "async", "get", "set", "declare", "accessor":
		default:
			return at
		}
		next := s.src.skip(end)
		if c := s.src.at(next); next >= to || !(isWord(c) || c == '[' || c == '*' || c == '#' || c == '"' || c == '\'' || c == '{' && word == "static") {
			return at // the word is the name
		}
		if s.src.line(next) != s.src.line(at) && (word == "get" || word == "set" || word == "static" && isClassField(s, end)) {
			return at
		}
		at = next
	}
	return at
}

func isClassField(s *jsScan, end int) bool { return s.src.at(s.src.skip(end)) == ';' }

// memberName returns the name of a member at i and its end; computed names have their source.
func (s *jsScan) memberName(i int) (string, int) {
	at := i
	if s.src.at(at) == '#' {
		at++
	}
	if end := s.src.word(at); end > at {
		return string(s.src.code[i:end]), end
	}
	if v, end, ok := s.src.stringAt(i); ok {
		return v, end
	}
	if s.src.at(i) == '[' {
		if shut := s.src.closing(i); shut > 0 {
			return fold(s.src.text(i, shut+1), 80), shut + 1
		}
	}
	for isDigit(s.src.at(at)) {
		at++
	}
	return string(s.src.code[i:at]), at
}

func (s *jsScan) method(name string, i int, fn jsFunction, in jsScope) {
	d := s.newDecl(name, KindMethod, i, fn.head, fn.end, in)
	if in.parent == "" {
		d.Kind = KindFunction
	}
	d.Exported = in.exported && !hidden(&d)
	d.Assigns = s.fieldsAssigned(fn.body.start, fn.body.end)
	s.Decls = append(s.Decls, d)
	s.endpoint(qualify(in.parent, name))
	s.callsIn(qualify(in.parent, name), fn.params, max(fn.body.end, fn.head))
}

// property records a property that holds a function as a method, and the documented or typed properties of a class as fields.
func (s *jsScan) property(name string, i, nameEnd, next, to int, in jsScope, isClass bool) int {
	if s.src.at(next) == ':' && isClass {
		next = s.src.skip(s.src.skipBack(s.typeEnd(next+1, to, false)))
	}
	head := max(s.src.skipBack(next), nameEnd)
	separator := byte('=')
	if !isClass {
		separator = ':'
	}
	if next >= to || s.src.at(next) != separator {
		if isClass {
			s.field(name, i, head, head, "", in)
		}
		if next < to && s.src.at(next) == '=' {
			return s.expression(next, to)
		}
		return head
	}
	value := s.src.skip(next + 1)
	if fn, ok := s.function(value, to); ok && s.endsValue(fn.end, to) {
		d := s.newDecl(name, KindMethod, i, fn.head, fn.end, in)
		if in.parent == "" {
			d.Kind = KindFunction
		}
		d.Exported = in.exported && !hidden(&d)
		d.Assigns = s.fieldsAssigned(fn.body.start, fn.body.end)
		s.Decls = append(s.Decls, d)
		s.callsIn(qualify(in.parent, name), fn.body.start, fn.body.end)
		return fn.end
	}
	end := s.expression(value, to)
	stop := max(s.src.skipBack(end), value)
	if isClass {
		s.field(name, i, s.objectHead(value, stop), stop, s.src.literalValue(value, stop), in)
	}
	s.callsIn(qualify(in.parent, name), value, end)
	return end
}

func (s *jsScan) field(name string, i, head, end int, value string, in jsScope) {
	d := s.newDecl(name, KindField, i, head, end, in)
	d.Exported = in.exported && !hidden(&d)
	d.Value = value
	s.Decls = append(s.Decls, d)
}

// iface records an interface with its methods and properties.
func (s *jsScan) iface(start, at, to int, in jsScope) (end int, ok bool) {
	at = s.src.skip(at)
	nameEnd := s.src.word(at)
	open := s.classBody(nameEnd, to)
	if nameEnd == at || open < 0 {
		return at, false
	}
	name := string(s.src.code[at:nameEnd])
	end = min(s.src.closingOr(open, to-1)+1, to)
	d := s.newDecl(name, KindInterface, start, open, end, in)
	d.Bases = s.heritage(nameEnd, open)
	s.Decls = append(s.Decls, d)
	s.members(open+1, end-1, jsScope{parent: qualify(in.parent, name), exported: in.exported}, true)
	return end, true
}

// alias records type X = ….
func (s *jsScan) alias(start, at, to int, in jsScope) (end int, ok bool) {
	at = s.src.skip(at)
	nameEnd := s.src.word(at)
	if nameEnd == at {
		return at, false
	}
	next := s.src.skip(nameEnd)
	if s.src.at(next) == '<' {
		next = s.src.skip(s.angles(next, to))
	}
	if s.src.at(next) != '=' || next >= to {
		return at, false
	}
	value := s.src.skip(next + 1)
	end = s.src.skipBack(s.typeEnd(value, to, false))
	d := s.newDecl(string(s.src.code[at:nameEnd]), KindType, start, s.objectHead(value, end), end, in)
	s.Decls = append(s.Decls, d)
	return max(end, value), true
}

// enum records an enumeration with its members.
func (s *jsScan) enum(start, at, to int, in jsScope) (end int, ok bool) {
	at = s.src.skip(at)
	nameEnd := s.src.word(at)
	open := s.src.skip(nameEnd)
	if nameEnd == at || s.src.at(open) != '{' {
		return at, false
	}
	name := string(s.src.code[at:nameEnd])
	shut := min(s.src.closingOr(open, to-1), to-1)
	s.Decls = append(s.Decls, s.newDecl(name, KindEnum, start, open, shut+1, in))
	for _, a := range s.src.args(open, '=') {
		begin := a.start
		member := a.name
		if member == "" {
			member, _ = s.memberName(a.start)
		} else {
			begin = s.src.wordBack(s.src.skipBack(s.src.skipBack(a.start) - 1))
		}
		member = strings.TrimSpace(member)
		if member == "" {
			continue
		}
		d := s.newDecl(member, KindConstant, begin, a.end, a.end, jsScope{parent: qualify(in.parent, name), exported: in.exported})
		if a.name != "" {
			d.Value = s.src.literalValue(a.start, a.end)
		}
		s.Decls = append(s.Decls, d)
	}
	return shut + 1, true
}

// namespace records namespace X { … } and module "x" { … } with what they declare.
func (s *jsScan) namespace(start, at, after, to int, in jsScope) (end int, ok bool) {
	name := string(s.src.code[at:after])
	open := s.src.skip(after)
	if name != "global" {
		from := open
		for open < to && (isWord(s.src.code[open]) || s.src.code[open] == '.') {
			open++
		}
		if name = string(s.src.code[from:open]); name == "" {
			if name, open, ok = s.src.stringAt(from); !ok || name == "" {
				return at, false
			}
		}
		open = s.src.skip(open)
	}
	if s.src.at(open) != '{' || open >= to {
		return at, false
	}
	shut := min(s.src.closingOr(open, to-1), to-1)
	s.Decls = append(s.Decls, s.newDecl(name, KindModule, start, open, shut+1, in))
	s.block(open+1, shut, jsScope{parent: qualify(in.parent, name)})
	return shut + 1, true
}
