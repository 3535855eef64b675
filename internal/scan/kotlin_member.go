package scan

import "slices"

// function reads a function; at is the word fun.
func (k *kotlinScanner) function(h javaHead, at, end int, self javaType) int {
	i := k.angles(at + 1)
	for i < end && !(k.at(i) == '(' && k.isWord(i-1) && i > at+1) {
		switch k.at(i) {
		case '(':
			i = k.pair(i) + 1
		case '<':
			i = max(k.angles(i), i+1)
		case '{', '}', '=', ';':
			return i
		default:
			i++
		}
	}
	if i >= end {
		return end
	}
	kind := KindMethod
	if self.name == "" {
		kind = KindFunction
	}
	d := k.declare(h, k.name(i-1), kind, self)
	d.Exported = d.Exported || h.has("override") && !self.hidden && !h.has("protected")
	k.body(within(self.name, ".", d.Name), i, k.pair(i))
	i = k.pair(i) + 1
	if k.at(i) == ':' {
		i = k.typeRef(i+1, end)
	}
	if k.is(i, "where") {
		for i < end && k.at(i) != '{' && k.at(i) != '=' {
			i++
		}
	}
	d.Signature = k.signature(h.decl, i)
	next := k.bodyOrExpression(i, end, within(self.name, ".", d.Name))
	d.End = k.endLine(next - 1)
	k.methodFacts(d, h, self)
	k.add(d)
	return next
}

// bodyOrExpression reads the body of a function or accessor, if one begins at i, and returns the index after it.
func (k *kotlinScanner) bodyOrExpression(i, end int, caller string) int {
	next := i
	switch {
	case k.at(i) == '{':
		next = k.pair(i) + 1
	case k.at(i) == '=' || k.is(i, "by"):
		next = k.expression(i+1, end)
	default:
		return i
	}
	k.body(caller, i, next)
	return min(next, k.last)
}

func (k *kotlinScanner) constructor(h javaHead, at, end int, self javaType) int {
	if k.at(at+1) != '(' {
		return at + 1
	}
	d := k.declare(h, "constructor", KindMethod, self)
	i := k.pair(at+1) + 1
	d.Signature = k.signature(h.decl, i)
	if k.at(i) == ':' && k.at(i+2) == '(' {
		i = k.pair(i+2) + 1
	}
	if k.at(i) == '{' {
		k.body(within(self.name, ".", "constructor"), i, k.pair(i))
		i = k.pair(i) + 1
	}
	d.End = k.endLine(i - 1)
	k.add(d)
	return i
}

func (k *kotlinScanner) typeAlias(h javaHead, at, end int, self javaType) int {
	d := k.declare(h, k.name(at+1), KindType, self)
	i := at + 1
	for i < end && k.at(i) != '=' {
		i++
	}
	i = k.typeRef(i+1, end)
	d.Signature, d.End = k.signature(h.decl, i), k.endLine(i-1)
	k.add(d)
	return i
}

// property reads a val or var with its accessors.
func (k *kotlinScanner) property(h javaHead, at, end int, self javaType) int {
	i := k.angles(at + 1)
	if k.at(i) == '(' { // a destructuring declaration of a script
		return k.pair(i) + 1
	}
	name := i
	for i < end && k.at(i) != ':' && k.at(i) != '=' && !k.is(i, "by") && (k.line(i) == k.line(at) || i == name) {
		if k.isWord(i) {
			if k.is(i, "get") && k.at(i+1) == '(' || kotlinModifier(k.word(i)) && i > name && k.at(i-1) != '.' {
				break
			}
			name = i
		}
		if k.at(i) == '<' {
			i = max(k.angles(i), i+1)
			continue
		}
		if c := k.at(i); c == ';' || c == '}' || c == '{' || c == ')' {
			break
		}
		i++
	}
	d := k.declare(h, k.name(name), KindField, self)
	if self.name == "" {
		d.Kind = KindVariable
	}
	if h.has("const") {
		d.Kind = KindConstant
	}
	if k.at(i) == ':' {
		i = k.typeRef(i+1, end)
	}
	d.Signature = k.signature(h.decl, i)
	if k.at(i) == '=' || k.is(i, "by") {
		next := k.expression(i+1, end)
		d.Value = k.literalText(i+1, next)
		k.body(within(self.name, ".", d.Name), i, next)
		if d.Value != "" {
			d.Signature = k.signature(h.decl, next)
		}
		i = next
	}
	i = k.accessors(i, end, within(self.name, ".", d.Name))
	d.End = k.endLine(i - 1)
	k.fieldFacts(d, h)
	k.add(d)
	return max(i, at+1)
}

// accessors reads the get and set parts of a property.
func (k *kotlinScanner) accessors(i, end int, caller string) int {
	for i < end {
		_, at := k.head(i, end)
		if !k.is(at, "get") && !k.is(at, "set") || k.at(at+1) != '(' && (at == i || k.line(at) != k.line(i)) {
			return i
		}
		i = at + 1
		if k.at(i) == '(' {
			i = k.pair(i) + 1
		}
		if k.at(i) == ':' {
			i = k.typeRef(i+1, end)
		}
		i = k.bodyOrExpression(i, end, caller)
	}
	return i
}

// expression returns the index after the expression at i: it ends with its line unless an operator joins the next one.
func (k *kotlinScanner) expression(i, end int) int {
	for j := i; j < end; j++ {
		if j > i && k.line(j) > k.endLine(j-1) && !k.joined(j) {
			return j
		}
		switch k.at(j) {
		case '(', '[', '{':
			j = k.pair(j)
		case ')', ']', '}', ';':
			return j
		case ',':
			return j
		}
	}
	return end
}

// joined tells whether the line break before the token at j is inside an expression.
func (k *kotlinScanner) joined(j int) bool {
	switch k.at(j) {
	case '.', '&', '|':
		return true
	case '?':
		return k.at(j+1) == '.' || k.at(j+1) == ':'
	case ':':
		return k.at(j+1) == ':'
	case '{':
		return k.at(j-1) == ')' && k.control(j-1) || k.is(j-1, "else") || k.is(j-1, "try") || k.is(j-1, "do")
	}
	switch k.word(j) {
	case "else", "as", "catch", "finally":
		return true
	}
	switch prev := k.at(j - 1); prev {
	case ')':
		return k.control(j - 1)
	case 0, ']', '}':
		return slices.Contains([]string{"else", "as", "in", "is", "return", "throw", "try", "do", "to", "and", "or"}, k.word(j-1))
	case '>':
		return k.at(j-2) == '-'
	case '!':
		return k.at(j-2) != '!'
	case '+', '-':
		return k.at(j-2) != prev
	case ';', '?':
		return false
	}
	return true
}

// control tells whether the parenthesis that closes at i holds a condition.
func (k *kotlinScanner) control(i int) bool {
	switch k.word(int(k.tok(i).pair) - 1) {
	case "if", "while", "for", "when", "catch":
		return true
	}
	return false
}
