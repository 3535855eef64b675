package scan

import "strings"

// punct looks at punctuation that may begin a closure, or an operand that is not always looked at.
func (b *tokenBody) punct(i, to int, c byte) {
	twice := b.at(i+1) == c && b.toks[i+1].pos == b.toks[i].end
	switch c {
	case '&', '|':
		if c == '|' && b.dialect == dialectRust && !b.operandBefore(i) {
			b.bars(i, to, twice)
		} else if twice && b.operandBefore(i) {
			b.operand(i+2, to)
		}
	case '?':
		if twice || b.ternary(i) {
			b.operand(i+1+b2i(twice), to)
		}
	case '-', '=':
		b.arrowBody(i, to, c)
	case '[':
		if b.dialect == dialectC && !b.operandBefore(i) && b.at(i+1) != '[' {
			if next := b.at(b.pair(i) + 1); next == '(' || next == '{' {
				b.declaration(b.pair(i), to)
			}
		}
	case '{':
		if b.dialect == dialectKotlin {
			b.kotlinLambda(i)
		}
	}
}

// operandBefore tells whether a value ends before i, so that an operator there has two sides.
func (b *tokenBody) operandBefore(i int) bool {
	switch b.at(i - 1) {
	case ')', ']', '}', '?':
		return true
	case 0:
		switch b.reader.word(i - 1) {
		case "move", "return", "else", "in", "auto", "match", "case":
			return false
		}
		return i > 0
	}
	return false
}

// ternary tells whether the question mark at i asks for a condition.
func (b *tokenBody) ternary(i int) bool {
	next := b.at(i + 1)
	switch b.dialect {
	case dialectKotlin:
		return next == ':'
	case dialectCSharp: // a type that may be null has its mark close to it
		return i > 0 && b.toks[i-1].end < b.toks[i].pos && next != '.'
	case dialectRust:
		return false
	}
	return next != '>' && next != ',' && next != '.' && !(next == '-' && b.at(i+2) == '>') && b.operandBefore(i)
}

// arrowBody looks at the arrow of a lambda of Java or C# at i.
func (b *tokenBody) arrowBody(i, to int, c byte) {
	if b.at(i+1) != '>' || b.toks[i+1].pos != b.toks[i].end {
		return
	}
	switch {
	case b.dialect == dialectJava && c == '-':
		if i == b.label { // case x ->
			return
		}
	case b.dialect == dialectCSharp && c == '=' && i >= b.arms && i > b.floor:
	default:
		return
	}
	b.lambda(i+2, to)
}

// lambda notes that the block or expression at i is nested.
func (b *tokenBody) lambda(i, to int) {
	if b.at(i) == '{' {
		b.nest(b.pair(i))
	} else if i >= b.inner {
		b.nest(b.expressionEnd(i, to))
	}
}

// bars reads the parameters of a closure of Rust; both bars stand at i where there are none.
func (b *tokenBody) bars(i, to int, none bool) {
	k := i + 1
	for ; !none && k < min(i+60, to) && b.at(k) != '|'; k++ {
		switch b.at(k) {
		case '(', '[':
			k = b.pair(k)
		case '{', ';', '}', ')':
			return
		}
	}
	if k++; b.op(k, "->") {
		for k < to && b.at(k) != '{' {
			k++
		}
	}
	b.lambda(k, to)
}

// declaration notes that what is declared at i, a function or a type in a body, is nested.
func (b *tokenBody) declaration(i, to int) {
	for k := i + 1; k < to; k++ {
		switch b.at(k) {
		case '{':
			b.nest(b.pair(k))
			return
		case '(', '[':
			k = b.pair(k)
		case ';', '}', ')', ',':
			return
		case '=':
			if b.op(k, "=>") || b.is(i, "fun") {
				b.lambda(k+1+b2i(b.op(k, "=>")), to)
			}
			return
		}
	}
}

// kotlinLambda looks at the brace at i: the lambda that a function gets, unless a statement has its block there. A few functions of the
// standard library call what they get, once or for each of many things.
func (b *tokenBody) kotlinLambda(i int) {
	at := i - 1
	if b.at(at) == ')' {
		at = int(b.toks[at].pair) - 1
	}
	if i < b.inner || i == b.floor || at < b.floor {
		return
	}
	switch w := b.reader.word(at); w {
	case "if", "while", "for", "when", "catch", "else", "try", "finally", "do":
	case "run", "with", "apply", "also", "use", "synchronized", "runBlocking", "coroutineScope", "supervisorScope", "withContext", "buildString",
		"buildList", "buildMap", "withLock":
	case "let", "forEach", "repeat", "map", "filter", "any", "all", "none", "find", "first", "firstOrNull", "takeIf", "ifEmpty", "getOrPut",
		"getOrElse", "mapNotNull", "flatMap", "fold", "forEachIndexed", "associate", "associateBy", "groupBy", "sortedBy", "sumOf":
		b.branch(b.pair(i))
	case "":
		if c := b.at(i - 1); c == '=' || c == '(' || c == ',' {
			b.nest(b.pair(i))
		}
	default:
		if !strings.HasPrefix(w, "`") {
			b.nest(b.pair(i))
		}
	}
}
