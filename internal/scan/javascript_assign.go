package scan

import (
	"bytes"
	"strings"
)

// assigned records a name that gets the value at value: a function, a class, an object with methods, or a plain value. It returns
// the end of the value.
func (s *jsScan) assigned(start, value, to int, name, parent string, kind Kind, exported bool) int {
	in := jsScope{parent: parent, exported: exported}
	if name == "" {
		return s.expression(value, to)
	}
	if s.src.hasWord(value, "class") {
		if end, ok := s.class(start, value+len("class"), to, in, name); ok {
			return end
		}
	}
	if fn, ok := s.function(value, to); ok && s.endsValue(fn.end, to) {
		kind := KindFunction
		if parent != "" {
			kind = KindMethod
		}
		s.Decls = append(s.Decls, s.newDecl(name, kind, start, fn.head, fn.end, in))
		s.callsIn(qualify(parent, name), fn.body.start, fn.body.end)
		return fn.end
	}
	end := s.expression(value, to)
	stop := max(s.src.skipBack(end), value)
	d := s.newDecl(name, kind, start, s.objectHead(value, stop), stop, in)
	d.Value = s.src.literalValue(value, stop)
	s.Decls = append(s.Decls, d)
	if body, ok := s.object(value, stop); ok {
		s.members(body.start, body.end, jsScope{parent: name, exported: exported}, false)
		return end
	}
	if s.wrapped(value, stop) {
		s.Decls[len(s.Decls)-1].Kind = KindFunction
		if open := value + bytes.IndexByte(s.src.code[value:stop], '('); open > value {
			if fn, ok := s.function(open+1, stop); ok {
				s.callsIn(qualify(parent, name), fn.body.start, fn.body.end)
				return end
			}
		}
	}
	s.callsIn(qualify(parent, name), value, end)
	return end
}

// endsValue tells whether nothing follows a function expression, as a call of it would.
func (s *jsScan) endsValue(end, to int) bool {
	next := s.src.skip(end)
	if next >= to {
		return true
	}
	switch s.src.code[next] {
	case ',', ';', ')', '}', ']':
		return true
	}
	return s.src.line(next) > s.src.line(max(end-1, 0))
}

// object returns the inside of an object literal that fills a range.
func (s *jsScan) object(from, to int) (span, bool) {
	if s.src.at(from) != '{' {
		return span{}, false
	}
	shut := s.src.closing(from)
	if shut < 0 || shut >= to {
		return span{}, false
	}
	return span{from + 1, shut}, true
}

// objectHead returns where the signature of a value ends: before the inside of a long literal.
func (s *jsScan) objectHead(value, stop int) int {
	if c := s.src.at(value); (c == '{' || c == '[') && s.src.line(value) != s.src.line(max(stop-1, value)) {
		return s.src.skipBack(s.src.skipBack(value) - 1)
	}
	return stop
}

// wrapped tells whether the value is a component made by a well-known wrapper of a function.
func (s *jsScan) wrapped(value, stop int) bool {
	head := string(s.src.code[value:min(stop, value+40)])
	head = strings.TrimPrefix(head, "React.")
	for _, w := range []string{"memo(", "forwardRef(", "memo<", "forwardRef<", "useCallback(", "async_handler(", "asyncHandler("} {
		if strings.HasPrefix(head, w) {
			return true
		}
	}
	return false
}

// other reads a statement that is no declaration: an assignment to a property, a wrapper function that is called at once, or
// anything else.
func (s *jsScan) other(i, to int, in jsScope) int {
	if end, ok := s.wrapper(i, to, in); ok {
		return end
	}
	if end, ok := s.assignment(i, to, in); ok {
		return end
	}
	end := s.expression(i, to)
	s.callsIn("", i, end)
	if end < to && end == i {
		end++
	}
	return end
}

// wrapper reads (function () { … })() and define([…], function () { … }), whose statements are those of the file.
func (s *jsScan) wrapper(i, to int, in jsScope) (int, bool) {
	at := i
	fn, ok := jsFunction{}, false
	for c := s.src.at(at); at < to && !ok && (c == '!' || c == '(' || c == '+'); c = s.src.at(at) {
		at++
		fn, ok = s.function(at, to)
	}
	if at == i {
		if !s.src.hasWord(i, "define") && !s.src.hasWord(i, "void") {
			return i, false
		}
		at = s.src.skip(s.src.word(i))
		if s.src.at(at) == '(' {
			at = s.lastFunction(at)
		}
		fn, ok = s.function(at, to)
	}
	if !ok || fn.body.start == 0 || s.src.at(fn.body.start-1) != '{' {
		return i, false
	}
	in.exported = false
	s.block(fn.body.start, fn.body.end, in)
	// What follows are the arguments of the call; a second function there is the body of a module.
	end := s.expression(i, to)
	if open := s.src.skip(fn.end); open < end && s.src.at(open) == ')' {
		open = s.src.skip(open + 1)
		if s.src.at(open) == '(' {
			s.factory(open, in)
		}
	} else if s.src.at(open) == '(' {
		s.factory(open, in)
	}
	return max(end, fn.end), true
}

// factory reads the module function that is the last argument of a call.
func (s *jsScan) factory(open int, in jsScope) {
	at := s.lastFunction(open)
	stop := s.src.closingOr(open, open)
	if fn, ok := s.function(at, stop); ok && fn.body.start > 0 && s.src.at(fn.body.start-1) == '{' {
		s.block(fn.body.start, fn.body.end, in)
	}
}

// lastFunction returns the start of the last argument of the call that opens at open.
func (s *jsScan) lastFunction(open int) int {
	args := s.src.args(open, 0)
	if len(args) == 0 {
		return open
	}
	return args[len(args)-1].start
}

// assignment records a.b.c = value where the target is an export, a prototype, or a property of a declared name.
func (s *jsScan) assignment(i, to int, in jsScope) (int, bool) {
	end := i
	for end < to && (isWord(s.src.code[end]) || s.src.code[end] == '.') {
		end++
	}
	at := s.src.skip(end)
	if end == i || at >= to || s.src.code[at] != '=' || s.src.at(at+1) == '=' || s.src.at(at+1) == '>' {
		return i, false
	}
	path := strings.Split(string(s.src.code[i:end]), ".")
	value := s.src.skip(at + 1)
	if value >= to {
		return i, false
	}
	if path[0] == "module" && len(path) > 1 && path[1] == "exports" {
		path = path[1:]
	}
	switch {
	case path[0] == "exports" && len(path) == 1:
		return s.moduleExports(i, value, to), true
	case path[0] == "exports" && len(path) == 2:
		return s.exportAs(i, value, to, path[1]), true
	case len(path) == 3 && path[1] == "prototype":
		return s.member(i, value, to, path[0], path[2])
	case len(path) == 2 && path[1] == "prototype":
		if body, ok := s.object(value, s.expression(value, to)); ok {
			s.members(body.start, body.end, jsScope{parent: path[0]}, false)
			return body.end + 1, true
		}
	case len(path) == 2 && path[0] != "this" && path[0] != "window" && path[0] != "self":
		return s.member(i, value, to, path[0], path[1])
	}
	return i, false
}

// member records a function that is assigned to a property.
func (s *jsScan) member(i, value, to int, parent, name string) (int, bool) {
	fn, ok := s.function(value, to)
	if !ok || name == "" || !s.endsValue(fn.end, to) {
		return i, false
	}
	d := s.newDecl(name, KindMethod, i, fn.head, fn.end, jsScope{parent: parent})
	d.Assigns = s.fieldsAssigned(fn.body.start, fn.body.end)
	s.Decls = append(s.Decls, d)
	s.callsIn(qualify(parent, name), fn.body.start, fn.body.end)
	return fn.end, true
}

// exportAs records exports.name = value.
func (s *jsScan) exportAs(i, value, to int, name string) int {
	end := s.expression(value, to)
	if word := s.src.word(value); word > value && s.src.skip(word) >= min(s.src.skip(end), to) { // exports.a = a
		s.exports[string(s.src.code[value:word])] = true
		return end
	}
	if path, _, ok := s.required(value); ok {
		s.Imports = append(s.Imports, Import{Path: path, Name: name, Line: s.src.line(value)})
		return end
	}
	if s.src.at(s.src.skip(value)) != 0 && s.isChain(value, end) { // exports = a.b = …
		return end
	}
	return s.assigned(i, value, to, name, "", KindConstant, true)
}

// isChain tells whether the value is another assignment, or void 0.
func (s *jsScan) isChain(value, end int) bool {
	i := value
	for i < end && (isWord(s.src.code[i]) || s.src.code[i] == '.') {
		i++
	}
	at := s.src.skip(i)
	return s.src.hasWord(value, "void") || at < end && s.src.code[at] == '=' && s.src.at(at+1) != '=' && s.src.at(at+1) != '>'
}

// moduleExports records module.exports = value.
func (s *jsScan) moduleExports(i, value, to int) int {
	end := s.expression(value, to)
	stop := max(s.src.skipBack(end), value)
	if word := s.src.word(value); word > value && s.src.skip(word) >= min(s.src.skip(end), to) {
		s.exports[string(s.src.code[value:word])] = true
		return end
	}
	if body, ok := s.object(value, stop); ok {
		for _, a := range s.src.args(body.start-1, ':') {
			name := a.name
			if word := s.src.word(a.start); name == "" || a.end == word {
				name = string(s.src.code[a.start:word])
			}
			s.exports[name] = true
		}
		s.members(body.start, body.end, jsScope{exported: true}, false)
		return end
	}
	in := jsScope{exported: true}
	if s.src.hasWord(value, "class") {
		if at, ok := s.class(i, value+len("class"), to, in, ""); ok {
			return at
		}
	}
	if s.src.hasWord(value, "function") || s.src.hasWord(value, "async") {
		if at, ok := s.declaration(i, value, to, in, true); ok {
			return at
		}
	}
	if path, _, ok := s.required(value); ok {
		s.Imports = append(s.Imports, Import{Path: path, Line: s.src.line(value)})
		return end
	}
	s.callsIn("", value, end)
	return end
}
