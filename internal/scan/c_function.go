package scan

import "strings"

// function reads a function whose parameters open at open and whose name stands at at. It returns the index after it.
func (c *cScanner) function(from, i, open, end int, name string, at int, self cScope) int {
	k, body := c.suffixes(open, end)
	kind, scope := KindFunction, self
	if self.class {
		kind = KindMethod
	}
	if c.at(at-1) == '~' {
		name = "~" + name
		at--
	}
	if q := c.qualifiedBy(at, i); q != "" {
		kind, scope.name = KindMethod, within(self.name, "::", q)
	}
	next := k + 1
	if body {
		next = c.pair(k) + 1
	}
	if body || self.class || c.header || scope.name != "" {
		d := c.declare(from, name, kind, scope)
		d.Start = c.declStart(from, i)
		d.Exported = d.Exported && !c.static(i, at)
		d.Signature = c.signature(from, k)
		d.Deprecated = d.Deprecated || c.deprecated(from, open)
		d.End = c.endLine(min(next, c.last+1) - 1)
		if body {
			c.body(within(scope.name, "::", name), open, k)
			c.body(within(scope.name, "::", name), k, next)
			c.functionFacts(d)
		}
		if !body && !self.class && c.leadsRun(d, next) {
			d.Doc, d.DocStart, d.DocEnd = "", 0, 0
		}
		c.add(d)
	}
	return next
}

// leadsRun tells whether a prototype is the first of several on adjacent lines: a plain comment above is about all of them, or only a
// heading.
func (c *cScanner) leadsRun(d Decl, next int) bool {
	if d.Doc == "" || next >= c.last || c.line(next) != c.endLine(next-1)+1 || !c.isWord(next) {
		return false
	}
	at := c.t.starts[d.DocStart-1]
	comment := strings.TrimLeft(c.s[at:c.t.starts[d.DocEnd-1]], " \t")
	if comment == "" {
		comment = strings.TrimLeft(c.s[at:], " \t")
	}
	for _, marked := range []string{"/**\n", "/** ", "/*!", "///", "//!"} {
		if strings.HasPrefix(comment, marked) {
			return false
		}
	}
	return true
}

// declStart returns the line of a declaration: that of its template head, if it has one.
func (c *cScanner) declStart(from, i int) int { return c.line(from) }

// static tells whether a free function is visible in its file only.
func (c *cScanner) static(i, at int) bool {
	for j := i; j < at && j < i+6; j++ {
		if c.is(j, "static") {
			return !c.header
		}
	}
	return false
}

// deprecated tells whether an attribute between two tokens says so.
func (c *cScanner) deprecated(from, to int) bool {
	for j := from; j < to; j++ {
		switch c.word(j) {
		case "deprecated", "__deprecated__", "__deprecated":
			return true
		}
	}
	return false
}

// qualifiedBy returns the class before "::" of the name at at.
func (c *cScanner) qualifiedBy(at, floor int) string {
	end := at
	for at-2 >= floor && c.at(at-1) == ':' && c.at(at-2) == ':' {
		at -= 2
		if c.at(at-1) == '>' {
			for depth := 0; at > floor; {
				at--
				if c.at(at) == '>' {
					depth++
				} else if c.at(at) == '<' {
					if depth--; depth == 0 {
						break
					}
				}
			}
		}
		if !c.isWord(at - 1) {
			break
		}
		at--
	}
	if at >= end-2 {
		return ""
	}
	q := strings.Join(strings.Fields(c.text(at, end-2)), "")
	if n := strings.IndexByte(q, '<'); n > 0 && !strings.Contains(q[n:], "::") {
		q = q[:n]
	}
	return q
}

// suffixes reads what stands between the parameters and the body or the end of a declaration; body tells which k is.
func (c *cScanner) suffixes(open, end int) (k int, body bool) {
	shut := c.pair(open)
	if n := c.oldParameters(open, shut); n > 0 {
		return n, true
	}
	for k = shut + 1; k < end; {
		switch ch := c.at(k); {
		case ch == '{':
			return k, true
		case ch == ';':
			return k, false
		case ch == '}':
			return k - 1, false
		case ch == ':' && c.at(k+1) == ':':
			k += 2
		case ch == ':':
			k = c.initializers(k+1, end)
		case ch == '=':
			for k < end && c.at(k) != ';' {
				if b := c.at(k); b == '{' || b == '(' {
					k = c.pair(k)
				}
				k++
			}
			return k, false
		case ch == '(' || ch == '[':
			k = c.pair(k) + 1
		case ch == '<':
			k = max(c.angles(k), k+1)
		default:
			k++
		}
	}
	return end, false
}

// initializers returns the index after the initializers of a constructor.
func (c *cScanner) initializers(k, end int) int {
	for k < end {
		for c.isWord(k) || c.op(k, "::") || c.at(k) == '<' {
			switch {
			case c.at(k) == '<':
				k = max(c.angles(k), k+1)
			case c.at(k) == ':':
				k += 2
			default:
				k++
			}
		}
		if ch := c.at(k); ch != '(' && ch != '{' {
			return k
		}
		k = c.pair(k) + 1
		for c.at(k) == '.' {
			k++ // a pack
		}
		if c.at(k) != ',' {
			return k
		}
		k++
	}
	return k
}

// variable records a constant, or a variable with a doc comment, and returns the index after the declaration.
func (c *cScanner) variable(from, i, at, end int, self cScope) int {
	k := at
	for k < end && c.at(k) != ';' && c.at(k) != '}' {
		if ch := c.at(k); ch == '(' || ch == '{' || ch == '[' {
			c.body(self.name, k, c.pair(k))
			k = c.pair(k)
		}
		k++
	}
	name := at - 1
	for name > i && !c.isWord(name) {
		if c.at(name) == ']' {
			name = max(int(c.tok(name).pair), i)
		}
		name--
	}
	if name <= i || self.class {
		return k + 1
	}
	kind := KindVariable
	for j := i; j < name; j++ {
		if w := c.word(j); w == "constexpr" || w == "const" && c.at(name-1) != '*' {
			kind = KindConstant
		}
	}
	d := c.declare(from, c.word(name), kind, self)
	d.Exported = d.Exported && !c.static(i, name)
	if c.at(at) == '=' {
		d.Value = c.literalText(at+1, k)
	}
	if kind == KindConstant && c.at(at) == '=' || d.Doc != "" {
		d.Signature, d.End = c.signature(from, min(k, at)), c.endLine(k)
		if d.Value != "" {
			d.Signature = c.signature(from, k)
		}
		c.add(d)
	}
	return k + 1
}
