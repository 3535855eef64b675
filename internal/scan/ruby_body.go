package scan

import (
	"slices"
	"strings"
)

// A rubyBody tells which parts of a method are not reached on every run, and which are blocks that something else calls.
type rubyBody struct {
	*rubyScanner
	to       int
	someFrom int // the tokens from here
	some     int // to before here are not reached on every run
	inner    int // the tokens before this one belong to a block
	begin    int // the end of the innermost block with a rescue clause that is known
}

// branch tells whether the call at i is conditional.
func (b *rubyBody) branch(i int) bool { return i >= b.someFrom && i < b.some || b.modified(i) }

// modified tells whether a condition follows on the line of i: save if changed.
func (b *rubyBody) modified(i int) bool {
	line := b.line(i)
	for k := i + 1; k < b.to && int(b.toks[k].line) == line; k++ {
		if b.toks[k].kind != tokenWord || b.toks[k].c == wordLabel {
			continue
		}
		switch b.rubyScanner.word(k) {
		case "if", "unless", "while", "until", "rescue":
			return int(b.toks[k].pair) <= k && !b.member(k)
		case "end", "do", "then":
			return false
		}
	}
	return false
}

// word looks at a word that may begin a condition, a handler or a block.
func (b *rubyBody) word(i int) {
	w := b.rubyScanner.word(i)
	if w[0] == '@' {
		b.field(i, w)
		return
	}
	end := int(b.toks[i].pair)
	switch w {
	case "if", "unless", "while", "until", "case", "for":
		if end > i && !b.member(i) {
			b.maybe(b.nextLine(i), end)
		}
	case "begin":
		b.begin = max(b.begin, end)
	case "rescue", "ensure":
		if i < b.begin {
			b.maybe(i, b.begin)
		} else {
			b.maybe(i, b.to)
		}
	case "and", "or":
		b.maybe(i, b.nextLine(i))
	case "do":
		if end > i {
			b.block(i, end)
		}
	case "def":
		if end > i {
			b.inner = max(b.inner, end)
		}
	}
}

// maybe notes that the tokens from from to before end are not reached on every run.
func (b *rubyBody) maybe(from, end int) {
	if from < b.some && b.someFrom <= from {
		b.some = max(b.some, end)
		return
	}
	b.someFrom, b.some = from, end
}

// nextLine returns the index of the first token of the next line, or after "then".
func (b *rubyBody) nextLine(i int) int {
	line := b.line(i)
	for i++; i < b.to && int(b.toks[i].line) == line; i++ {
		if b.is(i, "then") || b.at(i) == ';' {
			break
		}
	}
	return i
}

func (b *rubyBody) punct(i int, c byte) {
	switch c {
	case '{':
		if k := b.at(i - 1); (k == ')' || b.isWord(i-1)) && b.pair(i) > i {
			b.block(i, b.pair(i))
		} else if k == '>' && b.at(i-2) == '-' {
			b.inner = max(b.inner, b.pair(i))
		}
	case '?':
		b.maybe(i, b.nextLine(i))
	default:
		if b.at(i+1) == c {
			b.maybe(i, b.nextLine(i))
		}
	}
}

// block looks at the block that opens at i: a few methods call it at once, or for each of many things.
func (b *rubyBody) block(i, end int) {
	at := i - 1
	if b.at(at) == ')' {
		at = int(b.toks[at].pair) - 1
	}
	if b.is(i, "do") { // after arguments without parentheses
		for line := b.line(i); at > 0 && b.line(at-1) == line && !b.member(at); {
			at--
		}
	}
	switch w := b.rubyScanner.word(max(at, 0)); {
	case w == "synchronize" || w == "tap" || w == "transaction" || w == "open" || w == "instrument":
	case w == "loop" || w == "times" || w == "select" || w == "reject" || w == "map" || w == "find" || w == "any?" || w == "all?" || w == "fetch" ||
		w == "upto" || w == "sort_by" || w == "inject" || w == "reduce" || w == "detect" || w == "flat_map" || w == "delete_if" ||
		strings.HasPrefix(w, "each"):
		b.maybe(i, end)
	default:
		b.inner = max(b.inner, end)
	}
}

// field notes an assignment to the instance variable at i.
func (b *rubyBody) field(i int, w string) {
	at := i + 1
	for b.at(at) == '[' {
		at = b.pair(at) + 1
	}
	c, next := b.at(at), b.at(at+1)
	set := c == '=' && next != '=' && next != '~' && next != '>' || (c == '+' || c == '-' || c == '*' || c == '/') && next == '=' ||
		(c == '|' || c == '&') && next == c && b.at(at+2) == '=' || c == '<' && next == '<'
	if name := strings.TrimLeft(w, "@"); set && !slices.Contains(b.assigned, name) {
		b.assigned = append(b.assigned, name)
	}
}
