package scan

import (
	"bytes"
	"slices"
	"strings"
)

// A jsCalls finds the calls of a range in one pass. Nothing but brackets and a few operators tells where conditions and closures are.
type jsCalls struct {
	*jsScan
	caller string
	to     int
	depth  int
	some   []span // what is not done on every run, by start
	inner  []span // closures, methods of literals and local functions, by start
}

// jsEvents are the bytes that a jsCalls looks at.
var jsEvents = [256]bool{'(': true, '{': true, '=': true, '?': true, '&': true, '|': true}

// callsIn records the calls of a range, and the components that its JSX elements construct.
func (s *jsScan) callsIn(caller string, from, to int) {
	if from >= to {
		return
	}
	c := jsCalls{jsScan: s, caller: caller, to: to}
	c.walk(from, to)
	for _, l := range s.src.literalsIn(from, to) {
		if s.src.src[l.start] != '<' || l.open < 2 {
			continue
		}
		if name := string(s.src.src[l.start+1 : l.start+l.open]); 'A' <= name[0] && name[0] <= 'Z' {
			dot := strings.LastIndexByte(name, '.')
			c.record(name[:max(dot, 0)], name[dot+1:], l.start)
		}
	}
}

// record adds a call at an offset.
func (c *jsCalls) record(qualifier, name string, off int) {
	c.Calls = append(c.Calls, Call{
		Caller: c.caller, Qualifier: qualifier, Name: name, Line: c.src.line(off), Branch: inSpans(c.some, off), Nested: inSpans(c.inner, off),
	})
}

// inSpans tells whether one of the spans, which are sorted and apart, holds an offset.
func inSpans(spans []span, off int) bool {
	n, found := slices.BinarySearchFunc(spans, off, func(s span, off int) int { return s.start - off })
	return found || n > 0 && off < spans[n-1].end
}

// widen adds a span that begins at or after the starts of all others.
func widen(spans []span, from, to int) []span {
	if n := len(spans); n > 0 && from <= spans[n-1].end {
		spans[n-1].end = max(spans[n-1].end, to)
		return spans
	}
	return append(spans, span{from, to})
}

func (c *jsCalls) branch(from, to int) { c.some = widen(c.some, from, min(to, c.to)) }
func (c *jsCalls) nest(from, to int)   { c.inner = widen(c.inner, from, min(to, c.to)) }

func (c *jsCalls) walk(from, to int) {
	c.depth++
	defer func() { c.depth-- }()
	code := c.src.code
	for i := from; i < to; i++ {
		if !jsEvents[code[i]] {
			continue
		}
		switch code[i] {
		case '(':
			i = c.parenthesis(i, from)
		case '{':
			before := c.src.skipBack(i)
			if word := c.src.wordBack(before); c.src.hasWord(word, "finally") || c.src.hasWord(word, "catch") {
				c.branch(i, c.src.closingOr(i, to))
			}
		case '=':
			if c.src.at(i+1) == '>' && !inSpans(c.inner, i) {
				c.nest(i, c.bodyEnd(c.src.skip(i+2), to))
			}
		case '?':
			i = c.question(i, to)
		default: // && and ||
			if c.src.at(i+1) == code[i] {
				c.operand(i+2, to)
				i++
			}
		}
	}
}

// bodyEnd returns the end of a block, or of the one expression that stands for it.
func (c *jsCalls) bodyEnd(body, to int) int {
	if c.src.at(body) == '{' {
		return c.src.closingOr(body, to)
	}
	return c.expression(body, to)
}

// question looks at a question mark: a condition, or part of ?. and of an optional parameter.
func (c *jsCalls) question(i, to int) int {
	switch next := c.src.at(i + 1); {
	case next == '.' && !isDigit(c.src.at(i+2)), next == ':', next == ',', next == ')':
		return i + 1
	case next == '?':
		i++
	}
	c.operand(i+1, to)
	return i
}

// operand notes that what begins at i is done on some runs only, to the end of the expression.
func (c *jsCalls) operand(i, to int) {
	if !inSpans(c.some, i) {
		c.branch(i, c.expression(i, to))
	}
}

// parenthesis looks at the parenthesis at i: a call, the head of a statement, or the parameters of a function. It returns where the
// walk goes on.
func (c *jsCalls) parenthesis(i, from int) int {
	src := c.src
	end := src.skipBack(i)
	start := src.wordBack(end)
	shut := src.closing(i)
	if start < from || start < end && isDigit(src.code[start]) {
		return i
	}
	name := src.code[start:end]
	if shut > 0 && shut < c.to {
		next := src.skip(shut + 1)
		switch c.head(start, name) {
		case "if", "for", "while", "switch", "catch", "with":
			return c.control(i, shut, next)
		case "function":
			if fn, ok := c.callable(i, c.to, false); ok && fn.body.start > 0 {
				c.nest(i, fn.end)
				return i
			}
		}
		if c.definition(i, start, end, next) {
			return i
		}
	}
	if start < end && !javascriptKeyword(string(name)) {
		c.record(src.qualifier(start, from), string(name), start)
	}
	return i
}

// head returns the keyword that a parenthesis after the name at start belongs to: of a statement, or function with or without a name.
func (c *jsCalls) head(start int, name []byte) string {
	switch string(name) {
	case "if", "for", "while", "switch", "catch", "with", "function":
		if c.src.at(start-1) == '.' {
			return "" // a member of that name
		}
		return string(name)
	}
	before := c.src.skipBack(start)
	if c.src.at(before-1) == '*' {
		before = c.src.skipBack(before - 1)
	}
	switch word := c.src.wordBack(before); {
	case before-word == len("function") && c.src.hasWord(word, "function"):
		return "function"
	case string(name) == "await" && c.src.hasWord(word, "for"):
		return "for"
	}
	return ""
}

// definition tells whether the parenthesis at open holds the parameters of a method in a class or an object literal; the name stands
// from start to end, and what follows the parameters at next.
func (c *jsCalls) definition(open, start, end, next int) bool {
	src := c.src
	before := src.skipBack(start)
	word := src.wordBack(before)
	switch src.at(next) {
	case '{':
		if start == end && src.at(end-1) != ']' && src.at(end-1) != '\'' && src.at(end-1) != '"' && src.at(end-1) != '>' || src.hasWord(word, "extends") {
			return false
		}
		c.nest(open, src.closingOr(next, c.to))
		return true
	case ':':
		if !c.memberStart(before, word) {
			return false
		}
		fn, ok := c.callable(open, c.to, false)
		if ok && fn.body.start > 0 {
			c.nest(open, fn.end)
		}
		return ok && fn.body.start > 0
	}
	return false
}

// memberStart tells whether a member of a class or an object literal can begin after before, where a word begins at word.
func (c *jsCalls) memberStart(before, word int) bool {
	switch c.src.at(before - 1) {
	case '{', ',', ';', '}', '*', '#':
		return true
	}
	switch string(c.src.code[word:before]) {
	case "async", "get", "set", "static", "public", "private", "protected", "override", "abstract":
		return true
	}
	return false
}

// control looks at the head of a statement between two parentheses, whose body begins at next. It returns the offset of the end of
// the head.
func (c *jsCalls) control(open, shut, next int) int {
	if c.depth < maxDepth {
		c.walk(open+1, shut)
	}
	end := c.bodyEnd(next, c.to)
	c.branch(shut, end)
	for at := c.afterStatement(end); c.src.hasWord(at, "else") && at < c.to; at = c.afterStatement(end) {
		at = c.src.skip(at + len("else"))
		if c.src.hasWord(at, "if") { // it is met later, but for its condition
			c.branch(end, c.src.closingOr(c.src.skip(at+len("if")), at))
			break
		}
		end = c.bodyEnd(at, c.to)
		c.branch(shut, end)
	}
	return shut
}

// afterStatement returns the offset of the code after the block or statement that ends at end.
func (c *jsCalls) afterStatement(end int) int {
	if ch := c.src.at(end); ch == '}' || ch == ';' {
		end++
	}
	return c.src.skip(end)
}

// fieldsAssigned returns the fields of this that the code of a range assigns.
func (s *jsScan) fieldsAssigned(from, to int) []string {
	var out []string
	for i := from; i < to; {
		n := bytes.Index(s.src.code[i:to], []byte("this."))
		if n < 0 {
			break
		}
		start := i + n + len("this.")
		end := s.src.word(start)
		i = max(end, start)
		if end == start || n > 0 && isWord(s.src.code[start-len("this.")-1]) {
			continue
		}
		at := end
		for s.src.at(at) == '.' && s.src.word(at+1) > at+1 || s.src.at(at) == '[' && s.src.closing(at) > 0 {
			if s.src.at(at) == '[' {
				at = s.src.closing(at) + 1
			} else {
				at = s.src.word(at + 1)
			}
		}
		if name := string(s.src.code[start:end]); s.assigns(s.src.skip(at)) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// assigns tells whether an operator that assigns stands at an offset.
func (s *jsScan) assigns(at int) bool {
	switch s.src.at(at) {
	case '=':
		return s.src.at(at+1) != '=' && s.src.at(at+1) != '>'
	case '+', '-', '*', '/', '%', '&', '|', '^', '?':
		op, next := s.src.at(at), s.src.at(at+1)
		return next == '=' || (op == '+' || op == '-') && next == op || next == op && s.src.at(at+2) == '='
	}
	return false
}
