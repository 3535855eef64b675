package scan

// A cType is the head of a class, struct, union or enum.
type cType struct {
	word  string
	name  int // index of the last part of its name, 0 where it has none
	bases []string
	body  int // index of its brace, 0 where it has none
}

// typeHead reads a type from its keyword at i. ok is false where something else begins there: struct x *f(void).
func (c *cScanner) typeHead(i, end int) (t cType, ok bool) {
	t.word = c.word(i)
	k, words := i+1, 0
	if t.word == "enum" && (c.is(k, "class") || c.is(k, "struct")) {
		k++
	}
	for k < end {
		switch ch := c.at(k); {
		case c.isWord(k):
			if w := c.word(k); w != "final" && !cAttribute(w) {
				t.name = k
				words++
			}
			k++
		case ch == '<':
			next := c.angles(k)
			if next == k {
				return t, false
			}
			k = next
		case ch == '[' && c.at(k+1) == '[':
			k = c.pair(k) + 1
		case ch == ':' && c.at(k+1) == ':':
			k += 2
			words--
		case ch == '(':
			if words > 1 {
				return t, false
			}
			t.name, words = 0, 0 // a macro, or an attribute
			k = c.pair(k) + 1
		case ch == '{':
			t.body = k
			return t, true
		case ch == ':':
			n := k + 1
			for n < end && c.at(n) != '{' && c.at(n) != ';' && c.at(n) != ')' {
				n++
			}
			if c.at(n) != '{' && t.word != "enum" {
				return t, false // a bit field
			}
			if t.word != "enum" {
				t.bases = c.bases(k+1, n)
			}
			k = n
		case ch == ';':
			return t, words == 1
		default:
			return t, false
		}
	}
	return t, false
}

// bases reads the base classes between two tokens.
func (c *cScanner) bases(k, end int) []string {
	var out []string
	for k < end {
		switch w := c.word(k); {
		case w == "public", w == "protected", w == "private", w == "virtual":
			k++
		case w != "":
			from := k
			for c.op(k+1, "::") && c.isWord(k+3) {
				k += 3
			}
			out = append(out, c.text(from, k+1))
			for k = c.angles(k + 1); k < end && c.at(k) != ','; k++ {
				if c.at(k) == '(' {
					k = c.pair(k)
				}
			}
		default:
			k++
		}
	}
	return out
}

func cKind(word string) Kind {
	switch word {
	case "class":
		return KindClass
	case "struct":
		return KindStruct
	case "enum":
		return KindEnum
	}
	return KindType
}

// typeOrDeclaration reads a type, or a declaration whose type begins with the keyword at i.
func (c *cScanner) typeOrDeclaration(from, i, end int, self cScope) int {
	t, ok := c.typeHead(i, end)
	if !ok {
		return c.declaration(from, i, end, self)
	}
	if t.body == 0 { // only announced
		return c.skipStatement(i, end)
	}
	c.typeBody(from, i, t, "", self)
	return c.declarators(from, i, c.pair(t.body)+1, end, self)
}

// declarators reads what follows the body of a type: nothing, variables, or a function that returns it.
func (c *cScanner) declarators(from, i, k, end int, self cScope) int {
	for ; k < end; k++ {
		switch c.at(k) {
		case ';':
			return k + 1
		case '(':
			if c.isWord(k-1) && !cAttribute(c.word(k-1)) && c.at(c.pair(k)+1) == '{' {
				return c.function(from, i, k, end, c.word(k-1), k-1, self)
			}
			k = c.pair(k)
		case '{', '[':
			k = c.pair(k)
		case '}':
			return k
		}
	}
	return end
}

// typeBody records a type and reads its body. A type without a name takes the one that a typedef gives it.
func (c *cScanner) typeBody(from, i int, t cType, name string, self cScope) {
	if t.name > 0 {
		name = c.word(t.name)
	}
	shut := c.pair(t.body)
	inner := self
	if name != "" {
		outer := self
		if q := c.qualifiedBy(t.name, i+1); t.name > 0 && q != "" {
			outer.name = within(self.name, "::", q)
		}
		d := c.declare(from, name, cKind(t.word), outer)
		d.Start, d.Bases, d.Signature, d.End = c.declStart(from, i), t.bases, c.signature(from, t.body), c.endLine(shut)
		d.Deprecated = d.Deprecated || c.deprecated(from, t.body)
		if c.is(from, "typedef") {
			d.Signature += " " + name
		}
		if t.word != "enum" && throwable(d) {
			c.f.Failures = append(c.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
		}
		c.add(d)
		inner.name = within(outer.name, "::", name)
	}
	if t.word == "enum" {
		c.enumerators(t.body, shut, inner)
		return
	}
	inner.class, inner.outer = true, self.hidden
	inner.hidden = self.hidden || t.word == "class"
	c.scope(t.body+1, shut, inner)
}

func (c *cScanner) enumerators(open, shut int, self cScope) {
	for k := open + 1; k < shut; k = c.nextArgument(k, shut) {
		if !c.isWord(k) {
			continue
		}
		d := c.declare(k, c.word(k), KindConstant, self)
		end := c.nextArgument(k, shut)
		if c.at(end-1) == ',' {
			end--
		}
		if c.at(k+1) == '=' {
			d.Value = c.literalText(k+2, end)
		}
		d.Signature, d.End = c.signature(k, end), c.endLine(end-1)
		c.add(d)
	}
}

// typedef reads a type alias of C.
func (c *cScanner) typedef(from, i, end int, self cScope) int {
	k := i + 1
	for c.is(k, "const") || c.is(k, "volatile") || c.is(k, "__extension__") {
		k++
	}
	bodyName := ""
	switch c.word(k) {
	case "struct", "union", "enum", "class":
		if t, ok := c.typeHead(k, end); ok && t.body > 0 {
			after := c.pair(t.body) + 1
			n := after
			for c.is(n, "__attribute__") && c.at(n+1) == '(' {
				n = c.pair(n+1) + 1
			}
			alias := ""
			if c.at(n) != '*' {
				alias = c.word(n)
			}
			c.typeBody(from, k, t, alias, self)
			if bodyName = alias; t.name > 0 {
				bodyName = c.word(t.name)
			}
			k = after
		}
	}
	semicolon := k
	for semicolon < end && c.at(semicolon) != ';' {
		if ch := c.at(semicolon); ch == '{' || ch == '(' || ch == '[' {
			semicolon = c.pair(semicolon)
		}
		semicolon++
	}
	for j := k; j < semicolon; {
		stop := c.nextDeclarator(j, semicolon)
		if n := c.typedefName(j, stop); n > 0 && c.word(n) != bodyName {
			d := c.declare(from, c.word(n), KindType, self)
			d.Start = c.line(from)
			if bodyName != "" {
				d.Start = c.line(n)
			}
			d.Signature, d.End = c.signature(from, semicolon), c.endLine(semicolon)
			c.add(d)
		}
		j = stop
	}
	return semicolon + 1
}

// nextDeclarator is nextArgument where type arguments may hold commas.
func (c *cScanner) nextDeclarator(j, end int) int {
	for j < end {
		switch c.at(j) {
		case ',':
			return j + 1
		case '(', '[', '{':
			j = c.pair(j) + 1
		case '<':
			j = max(c.angles(j), j+1)
		default:
			j++
		}
	}
	return end
}

// typedefName returns the index of the name that a declarator declares.
func (c *cScanner) typedefName(j, stop int) int {
	name := 0
	for ; j < stop; j++ {
		switch ch := c.at(j); {
		case c.isWord(j):
			if !cAttribute(c.word(j)) {
				name = j
			}
		case ch == '<':
			j = max(c.angles(j)-1, j)
		case ch == '[':
			return name
		case ch == '(':
			shut := c.pair(j)
			if n := c.pointed(j, shut); n > 0 && (c.at(shut+1) == '(' || c.at(shut+1) == '[' || c.at(j+1) == '*') {
				return n
			}
			if c.isWord(j+1) && shut == j+2 && c.at(shut+1) == '(' {
				return j + 1
			}
			if c.isWord(j-1) && cAttribute(c.word(j-1)) {
				j = c.pair(j)
				continue
			}
			if c.isWord(j - 1) {
				return j - 1
			}
			j = c.pair(j)
		}
	}
	return name
}

// using reads an alias of C++; other forms of using declare nothing.
func (c *cScanner) using(from, i, end int, self cScope) int {
	next := i
	for next < end && c.at(next) != ';' {
		if c.at(next) == '{' || c.at(next) == '(' {
			next = c.pair(next)
		}
		next++
	}
	if c.isWord(i+1) && !c.is(i+1, "namespace") {
		for k := i + 2; k < next && c.at(k) != ':'; k++ {
			if c.at(k) == '=' {
				d := c.declare(from, c.word(i+1), KindType, self)
				d.Signature, d.End = c.signature(from, next), c.endLine(next)
				c.add(d)
				break
			}
		}
	}
	return next + 1
}
