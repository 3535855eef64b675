package scan

import "slices"

// A tokenBody reads the calls of a body, and tells on the way which of them are made on some runs only, and which are made by a
// closure or another declaration inside. It knows brackets and keywords; where these do not tell, a call counts as conditional.
type tokenBody struct {
	*reader
	caller string
	floor  int // where the body begins
	some   int // the tokens before this one are not reached on every run
	rest   int // a return ends before this token: what follows is reached by a label only; 0 for none
	inner  int // the tokens before this one belong to something nested
	arms   int // the arrows before this token are those of a switch expression
	label  int // the arrow of the last case of Java
}

// body records the calls between two tokens.
func (p *reader) body(caller string, from, to int) {
	p.assigned = nil
	b := tokenBody{reader: p, caller: caller, floor: from}
	b.walk(from, min(to, p.last))
}

// bodyPuncts are the bytes of punctuation that say something, by dialect.
var bodyPuncts = [...][128]bool{
	dialectJava:   {'&': true, '|': true, '?': true, '-': true},
	dialectKotlin: {'&': true, '|': true, '?': true, '{': true},
	dialectCSharp: {'&': true, '|': true, '?': true, '=': true},
	dialectRust:   {'&': true, '|': true},
	dialectC:      {'&': true, '|': true, '?': true, '[': true},
	dialectPHP:    {'&': true, '|': true, '?': true},
	dialectRuby:   {},
}

// keywordSizes are the lengths, as bits, of the keywords that begin with a byte. Most words are ruled out by them.
var keywordSizes = [256]uint16{
	'i': 1<<2 | 1<<4 | 1<<9, 'w': 1<<4 | 1<<5, 's': 1<<4 | 1<<6, 'm': 1<<4 | 1<<5, 'f': 1<<2 | 1<<3 | 1<<7 | 1<<8, 'c': 1<<4 | 1<<5, 'l': 1 << 4,
	'e': 1<<4 | 1<<6, 'd': 1<<7 | 1<<8, 'r': 1 << 6, 't': 1<<4 | 1<<5, 'g': 1 << 4, 'o': 1 << 6, 'a': 1 << 5, '$': 1 << 5,
}

func (b *tokenBody) walk(from, to int) {
	for i := from; i < to; i++ {
		switch t := &b.toks[i]; t.kind {
		case tokenWord:
			i = max(b.word(i, to), i)
		case tokenPunct:
			if bodyPuncts[b.dialect][t.c&127] {
				b.punct(i, to, t.c)
			}
		}
	}
}

// word looks at the word at i: a call, or a keyword. It returns the last token that needs no other look.
func (b *tokenBody) word(i, to int) int {
	open := i + 1
	switch b.at(open) {
	case '(':
	case '<':
		if open = b.callAngles(open); open == 0 {
			return b.keyword(i, to)
		}
	case '[':
		if b.onIndex != nil {
			b.onIndex(i)
		}
		return b.keyword(i, to)
	default:
		return b.keyword(i, to)
	}
	name := b.reader.word(i)
	if b.skip(name) {
		return b.keyword(i, to)
	}
	inner := 0
	switch before := b.reader.word(i - 1); before {
	case "fun", "fn", "function":
		return i // the name of a local function
	default:
		if shut := b.pair(open); b.at(shut+1) == '{' && shut+1 < to && b.typed(i) {
			if inner = b.pair(shut + 1); before != "new" {
				b.nest(inner)
				return i // a local function, or a method of an anonymous class
			}
		}
	}
	b.f.Calls = append(b.f.Calls, Call{
		Caller: b.caller, Qualifier: b.qualifier(i, b.floor), Name: name, Line: int(b.toks[i].line),
		Branch: i < b.some || b.rest > 0 && i >= b.rest, Nested: i < b.inner,
	})
	b.onCall(i)
	b.nest(inner)
	return i
}

// typed tells whether the name at i follows a type, as the name of a function that is declared does, or new.
func (b *tokenBody) typed(i int) bool {
	if b.dialect != dialectJava && b.dialect != dialectCSharp {
		return false
	}
	if c := b.at(i - 1); c == '>' && b.at(i-2) != '=' && b.at(i-2) != '-' || c == ']' {
		return true
	}
	w := b.reader.word(i - 1)
	switch w {
	case "", "return", "await", "throw", "else", "do", "yield", "in", "is", "as", "case", "and", "or", "not":
		return false
	case "new":
		return b.dialect == dialectJava // C# initializes an object so
	}
	return true
}

func (b *tokenBody) branch(end int) { b.some = max(b.some, end) }
func (b *tokenBody) nest(end int)   { b.inner = max(b.inner, end) }

// keyword looks at a word that is no call.
func (b *tokenBody) keyword(i, to int) int {
	if t := &b.toks[i]; keywordSizes[b.s[t.pos]]>>min(t.end-t.pos, 15)&1 == 0 {
		return i
	}
	switch b.reader.word(i) {
	case "if", "while", "switch", "match", "when", "for", "foreach", "catch", "loop", "elseif":
		return b.control(i, to)
	case "else", "finally":
		if b.is(i+1, "if") {
			b.branch(b.headEnd(i+2, to))
		} else {
			b.branch(b.statementEnd(i+1, to))
		}
	case "case", "default":
		b.labelArrow(i, to)
	case "return", "throw", "goto":
		if i >= b.some && i >= b.inner && b.rest == 0 {
			b.rest = b.statementEnd(i+1, to) + 1
		}
	case "fun", "fn", "function", "delegate", "class", "object", "interface", "impl", "trait":
		if c := b.at(i - 1); c != '.' && c != ':' && i > b.floor {
			b.declaration(i, to)
		}
	case "async", "move":
		if b.dialect == dialectRust && b.at(i+1) == '{' {
			b.nest(b.pair(i + 1))
		}
	case "this", "self", "$this":
		b.field(i)
	}
	return i
}

// control looks at a statement with a head, whose body is not reached on every run. It returns the end of the head.
func (b *tokenBody) control(i, to int) int {
	at := i + 1
	if b.is(at, "constexpr") {
		at++
	}
	switch {
	case b.at(at) == '{':
		b.branch(b.pair(at))
		b.arms = max(b.arms, b.pair(at))
		return at
	case b.dialect == dialectRust:
		open := b.headEnd(at, to)
		return b.head(at, open, open, to)
	case b.at(at) != '(':
		return i
	}
	shut := b.pair(at)
	return b.head(at+1, min(shut, to), shut+1, to)
}

// headEnd returns the index after the head of a statement that begins at i.
func (b *tokenBody) headEnd(i, to int) int {
	if b.at(i) == '(' && b.dialect != dialectRust {
		return min(b.pair(i), to)
	}
	for i < to && b.at(i) != '{' && b.at(i) != ';' && b.at(i) != '}' {
		if c := b.at(i); c == '(' || c == '[' {
			i = b.pair(i)
		}
		i++
	}
	return min(i, to)
}

// labelArrow finds the arrow of a case of Java, which begins no lambda.
func (b *tokenBody) labelArrow(i, to int) {
	for k := i + 1; k < min(i+100, to); k++ {
		switch b.at(k) {
		case '(':
			k = b.pair(k)
		case '-':
			if b.at(k+1) == '>' {
				b.label = k
				return
			}
		case ':', ';', '{', '}':
			return
		}
	}
}

// head reads the head of a statement between two tokens, and notes how far the body goes that begins at body.
func (b *tokenBody) head(from, until, body, to int) int {
	if b.enter() {
		b.walk(from, until)
		b.leave()
	}
	b.branch(b.statementEnd(body, to))
	return until
}

// statementEnd returns the index of the token that ends the block or statement that begins at i.
func (b *tokenBody) statementEnd(i, to int) int {
	if b.at(i) == '{' {
		return min(b.pair(i), to)
	}
	if b.dialect == dialectPHP && b.at(i) == ':' { // if: … endif
		return b.endWord(i, to)
	}
	nests := false
	switch b.reader.word(i) {
	case "if", "for", "while", "switch", "foreach", "do", "when", "try":
		nests = true
	}
	for k := i; k < to && b.budget > 0; k++ {
		b.budget--
		switch b.at(k) {
		case ';', '}', ')', ']':
			return k
		case '(', '[':
			k = b.pair(k)
		case '{':
			if k = b.pair(k); nests && !b.is(k+1, "else") {
				return k
			}
		default:
			if k > i && b.dialect == dialectKotlin && b.newLine(k) {
				return k
			}
		}
	}
	return to
}

// endWord returns the index of the next word that ends a statement of PHP without braces.
func (b *tokenBody) endWord(i, to int) int {
	for ; i < to && b.budget > 0; i++ {
		b.budget--
		switch b.reader.word(i) {
		case "endif", "endwhile", "endfor", "endforeach", "endswitch":
			return i
		}
	}
	return to
}

// newLine tells whether a statement begins with the token at k, which begins a line.
func (b *tokenBody) newLine(k int) bool {
	if b.line(k) == b.endLine(k-1) {
		return false
	}
	switch b.at(k - 1) {
	case 0, ')', ']', '}':
	default:
		return false
	}
	c := b.at(k)
	return c != '.' && c != '?' && c != '&' && c != '|' && c != ':' && c != '+' && !b.is(k, "else")
}

// operand notes that what begins at i is not reached on every run, to the end of the expression.
func (b *tokenBody) operand(i, to int) {
	if i >= b.some {
		b.branch(b.expressionEnd(i, to))
	}
}

// expressionEnd returns the index of the token that ends the expression at i.
func (b *tokenBody) expressionEnd(i, to int) int {
	for k := i; k < to && b.budget > 0; k++ {
		b.budget--
		switch b.at(k) {
		case ';', ',', '}', ')', ']':
			return k
		case '(', '[', '{':
			k = b.pair(k)
		default:
			if k > i && b.dialect == dialectKotlin && b.newLine(k) {
				return k
			}
		}
	}
	return to
}

// field notes an assignment to a field of the object at i.
func (b *tokenBody) field(i int) {
	at := i + 1
	switch {
	case b.at(at) == '.':
		at++
	case b.op(at, "->"):
		at += 2
	default:
		return
	}
	name := b.reader.word(at)
	for at++; b.at(at) == '[' || b.at(at) == '.' && b.isWord(at+1) || b.op(at, "->") && b.isWord(at+2); {
		switch b.at(at) {
		case '[':
			at = b.pair(at) + 1
		case '.':
			at += 2
		default:
			at += 3
		}
	}
	if name != "" && b.assigns(at) && !slices.Contains(b.assigned, name) {
		b.assigned = append(b.assigned, name)
	}
}

// assigns tells whether an operator that assigns stands at i.
func (b *tokenBody) assigns(i int) bool {
	c, next := b.at(i), b.at(i+1)
	switch c {
	case '=':
		return next != '=' && next != '>'
	case '+', '-':
		return next == '=' || next == c
	case '*', '/', '%', '&', '|', '^', '.':
		return next == '=' || next == c && b.at(i+2) == '='
	case '?':
		return next == '?' && b.at(i+2) == '='
	}
	return false
}
