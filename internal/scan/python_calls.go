package scan

import (
	"bytes"
	"slices"
)

// block reads a statement that has a block, and opens the block where it is not always done.
func (p *pyScan) block(word string, at, end, indent int) {
	b := pyBlock{indent: indent}
	switch word {
	case "return", "raise":
		p.calls(at, end)
		return
	case "try", "with":
		p.calls(at, end)
		return
	case "elif", "except", "case": // another head comes first
		p.blocks = append(p.blocks, b)
		p.calls(at, end)
		return
	}
	b.types = word == "if" && p.typeChecking(at, end)
	colon, _ := p.head(at, end)
	p.calls(at, colon)
	p.blocks = append(p.blocks, b)
	p.calls(colon, end)
}

// typeChecking tells whether the condition of an if statement is TYPE_CHECKING.
func (p *pyScan) typeChecking(at, end int) bool {
	from := p.src.skip(at + len("if"))
	name := p.dotted(from, end)
	switch name {
	case "TYPE_CHECKING", "t.TYPE_CHECKING", "typing.TYPE_CHECKING", "te.TYPE_CHECKING":
		return p.src.at(p.src.skip(from+len(name))) == ':'
	}
	return false
}

// typesOnly tells whether the position is in code that only type checkers see.
func (p *pyScan) typesOnly() bool {
	return slices.ContainsFunc(p.blocks, func(b pyBlock) bool { return b.types })
}

// caller returns the name of the innermost function that is recorded, its indentation, and whether a local function stands in it.
func (p *pyScan) caller() (name string, indent int, nested bool) {
	for n := len(p.scopes) - 1; n >= 0; n-- {
		switch s := p.scopes[n]; {
		case s.kind == KindClass:
		case s.decl >= 0:
			return s.path, s.indent, nested
		default:
			nested = true
		}
	}
	return "", -1, nested
}

// calls records the calls of a part of a logical line.
func (p *pyScan) calls(from, end int) {
	first := len(p.Calls)
	name, indent, nested := p.caller()
	p.src.calls(p.File, name, from, end, pythonKeyword)
	if first == len(p.Calls) {
		p.fields(from, end)
		return
	}
	branch := false
	if n := len(p.blocks); n > 0 {
		branch = p.blocks[n-1].indent > indent || p.blocks[n-1].indent == indent && indent < 0
	}
	chooses, lambda := p.operators(from, end)
	branch = branch || chooses
	for i := first; i < len(p.Calls); i++ {
		p.Calls[i].Branch, p.Calls[i].Nested = branch, nested || lambda
	}
	p.fields(from, end)
}

// operators tells whether an operator or a comprehension in a range may leave out a call, or repeat it, and whether it has a lambda.
func (p *pyScan) operators(from, end int) (chooses, lambda bool) {
	code := p.src.code[from:end]
	if bytes.HasPrefix(code, []byte("async ")) {
		code = code[min(len("async for"), len(code)):]
	}
	for i := 1; i+3 < len(code); i++ {
		if isWord(code[i-1]) || !isWord(code[i]) {
			continue
		}
		switch code[i] {
		case 'a', 'o', 'e', 'f':
			off := end - len(code) + i
			chooses = chooses || p.src.hasWord(off, "and") || p.src.hasWord(off, "or") || p.src.hasWord(off, "else") || p.src.hasWord(off, "for")
		case 'l':
			lambda = lambda || p.src.hasWord(end-len(code)+i, "lambda")
		}
	}
	return chooses, lambda
}

// fields notes an assignment to a field of self that begins a statement.
func (p *pyScan) fields(from, end int) {
	if !p.src.hasAt(from, "self.") {
		return
	}
	start := from + len("self.")
	stop := p.src.word(start)
	at := stop
	for at < end && (p.src.at(at) == '.' && p.src.word(at+1) > at+1 || p.src.at(at) == '[' && p.src.closing(at) > 0) {
		if p.src.at(at) == '[' {
			at = p.src.closing(at) + 1
		} else {
			at = p.src.word(at + 1)
		}
	}
	at = p.src.skip(at)
	c, next := p.src.at(at), p.src.at(at+1)
	set := c == '=' && next != '=' || c == ':' || bytes.IndexByte([]byte("+-*/%&|^@"), c) >= 0 && next == '=' || (c == '*' || c == '/') && next == c && p.src.at(at+2) == '='
	if !set || stop == start || at >= end {
		return
	}
	for n := len(p.scopes) - 1; n >= 0; n-- {
		if s := p.scopes[n]; s.decl >= 0 && s.kind == KindMethod {
			d := &p.Decls[s.decl]
			if name := string(p.src.code[start:stop]); !slices.Contains(d.Assigns, name) {
				d.Assigns = append(d.Assigns, name)
			}
			return
		}
	}
}
