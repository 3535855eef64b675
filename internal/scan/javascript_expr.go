package scan

import "bytes"

// expression returns the end of the expression that begins at i: a comma, semicolon or closing bracket outside of brackets, or a
// line break after which a new statement begins.
func (s *jsScan) expression(i, to int) int {
	code := s.src.code
	for i < to {
		switch c := code[i]; c {
		case ',', ';', ')', ']', '}':
			return i
		case '(', '[', '{':
			i = min(s.src.closingOr(i, to), to)
		case '<': // type arguments stand close to a name, comparisons seldom do
			if i > 0 && isWord(code[i-1]) {
				i = max(s.angles(i, to)-1, i)
			}
		case '"', '\'', '`', '/':
			if lit, ok := s.src.literalAt(i); ok {
				i = lit.end
				continue
			}
		case '\n':
			if s.breaks(i, to) {
				return s.src.skipBack(i)
			}
			i = max(s.src.skip(i), i+1)
			continue
		}
		i++
	}
	return to
}

// breaks tells whether the line break at i ends a statement.
func (s *jsScan) breaks(i, to int) bool {
	code := s.src.code
	before := s.src.skipBack(i)
	if before == 0 {
		return true
	}
	after := s.src.skip(i)
	if after >= to {
		return true
	}
	switch c := code[before-1]; {
	case isWord(c):
		if start := s.src.wordBack(before); s.src.at(start-1) != '.' && (wantsOperand(string(code[start:before])) || s.typeOperator(start, before)) {
			return false
		}
	case c == '>':
		if before > 1 && code[before-2] == '=' {
			return false
		}
	case (c == '+' || c == '-') && before > 1 && code[before-2] == c:
	case bytes.IndexByte([]byte("=+-*/%&|^!~?:<.,({["), c) >= 0:
		if _, ok := s.src.literalEnding(before); !ok {
			return false
		}
	}
	return !s.continues(after)
}

func (s *jsScan) typeOperator(start, end int) bool {
	switch string(s.src.code[start:end]) {
	case "keyof", "as", "satisfies", "is", "infer", "readonly", "implements":
		return true
	}
	return false
}

// continues tells whether the code at i goes on with the expression of the line before.
func (s *jsScan) continues(i int) bool {
	switch c := s.src.at(i); c {
	case '.', '?', ':', '=', '*', '%', '&', '|', '^', '<', '>', ',', '(', '[', ')', ']':
		return true
	case '/':
		_, ok := s.src.literalAt(i)
		return !ok
	case '`':
		return s.src.src[i] == '`'
	case '+', '-':
		return s.src.at(i+1) != c
	case '!':
		return s.src.at(i+1) == '='
	}
	for _, w := range []string{"instanceof", "in", "as", "satisfies", "extends"} {
		if s.src.hasWord(i, w) {
			return true
		}
	}
	return false
}

// literalEnding returns the literal whose last byte stands just before end.
func (t *text) literalEnding(end int) (literal, bool) {
	for _, l := range t.literalsIn(max(t.lineStart(max(end-1, 0)), 0), end) {
		if l.end == end {
			return l, true
		}
	}
	return literal{}, false
}

// typeEnd returns the offset of the first code after the type that begins at i. The return type of an arrow function ends at its
// arrow; elsewhere an arrow is part of a function type.
func (s *jsScan) typeEnd(i, to int, arrow bool) int {
	code := s.src.code
	expected := true // an operand is
	for i < to {
		switch c := code[i]; {
		case isSpace(c):
			if c == '\n' && !expected && !s.typeContinues(i, to) {
				return i
			}
			i++
		case c == '"' || c == '\'' || c == '`':
			if lit, ok := s.src.literalAt(i); ok {
				i = lit.end
			} else {
				i++
			}
			expected = false
		case c == '(' || c == '[':
			i = min(s.src.closingOr(i, to), to) + 1
			expected = false
		case c == '{':
			if !expected {
				return i
			}
			i = min(s.src.closingOr(i, to), to) + 1
			expected = false
		case c == '<':
			i = s.angles(i, to)
		case c == '=' && s.src.at(i+1) == '>':
			if arrow {
				return i
			}
			i += 2
			expected = true
		case c == '|' || c == '&' || c == '?' || c == ':':
			if c == ':' && expected {
				return i
			}
			i++
			expected = true
		case c == '.' || c == '-' && expected:
			i++
		case isWord(c):
			end := s.src.word(i)
			if end == i {
				for end < to && isWord(code[end]) {
					end++
				}
			}
			expected = s.typeWord(i, end)
			i = end
		default:
			return i
		}
	}
	return to
}

// typeWord tells whether a word in a type is an operator that wants an operand.
func (s *jsScan) typeWord(start, end int) bool {
	switch string(s.src.code[start:end]) {
	case "keyof", "typeof", "infer", "readonly", "unique", "asserts", "is", "extends", "in", "new", "abstract":
		return true
	}
	return false
}

func (s *jsScan) typeContinues(i, to int) bool {
	after := s.src.skip(i)
	if after >= to {
		return false
	}
	switch s.src.at(after) {
	case '|', '&', '?', '.':
		return true
	case ':':
		return true
	case '=':
		return s.src.at(after+1) == '>'
	}
	return s.src.hasWord(after, "extends") || s.src.hasWord(after, "is")
}

// angles returns the offset after the type parameters or arguments that begin at i, i+1 where nothing closes them.
func (s *jsScan) angles(i, to int) int {
	depth := 0
	for at := i; at < to && s.budget > 0; at++ {
		s.budget--
		switch s.src.code[at] {
		case '<':
			depth++
		case '>':
			if s.src.code[at-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case '(', '[', '{':
			at = s.src.closingOr(at, to)
		case ')', ']', '}', ';':
			return i + 1
		}
	}
	return i + 1
}

// A jsFunction is the parsed head of a function: where its parameters begin, its head ends, and its body lies (both 0 where there is
// none).
type jsFunction struct {
	params, head int
	body         span
	end          int
}

// callable parses type parameters, parameters, return type and body from i on, as of a declared function or a method.
func (s *jsScan) callable(i, to int, arrow bool) (fn jsFunction, ok bool) {
	i = s.src.skip(i)
	if s.src.at(i) == '<' {
		i = s.src.skip(s.angles(i, to))
	}
	if s.src.at(i) != '(' {
		return fn, false
	}
	shut := s.src.closing(i)
	if shut < 0 || shut >= to {
		return fn, false
	}
	fn.params = i
	fn.head = shut + 1
	next := s.src.skip(fn.head)
	if s.src.at(next) == ':' {
		fn.head = s.src.skipBack(s.typeEnd(next+1, to, arrow))
		next = s.src.skip(fn.head)
	}
	fn.end = fn.head
	if s.src.at(next) == '{' && next < to && !arrow {
		fn.end = min(s.src.closingOr(next, to-1), to-1) + 1
		fn.body = span{next + 1, max(fn.end-1, next+1)}
	}
	return fn, true
}

// function parses the expression at i as a function expression or an arrow function.
func (s *jsScan) function(i, to int) (fn jsFunction, ok bool) {
	i = s.src.skip(i)
	if s.src.hasWord(i, "async") {
		i = s.src.skip(i + len("async"))
	}
	if s.src.hasWord(i, "function") {
		i = s.src.skip(i + len("function"))
		if s.src.at(i) == '*' {
			i = s.src.skip(i + 1)
		}
		return s.callable(s.src.word(i), to, false)
	}
	if end := s.src.word(i); end > i { // x => …
		return s.arrow(jsFunction{params: i, head: end, end: end}, to)
	}
	if fn, ok = s.callable(i, to, true); !ok {
		return fn, false
	}
	return s.arrow(fn, to)
}

// arrow parses => and the body after the head of fn.
func (s *jsScan) arrow(fn jsFunction, to int) (jsFunction, bool) {
	at := s.src.skip(fn.head)
	if !s.src.hasAt(at, "=>") || at >= to {
		return fn, false
	}
	body := s.src.skip(at + 2)
	if body >= to {
		return fn, false
	}
	if s.src.at(body) == '{' {
		fn.end = min(s.src.closingOr(body, to-1), to-1) + 1
		fn.body = span{body + 1, max(fn.end-1, body+1)}
		return fn, true
	}
	fn.end = s.src.skipBack(s.expression(body, to))
	fn.body = span{body, max(fn.end, body)}
	return fn, true
}
