package scan

import "strings"

// declaration reads a function, a prototype or a variable. from is the first token of the whole declaration, i the first after
// template heads and linkage. It returns the index after the declaration.
func (c *cScanner) declaration(from, i, end int, self cScope) int {
	for k := i; k < end; {
		switch c.at(k) {
		case '<':
			if c.isWord(k-1) && !c.is(k-1, "operator") {
				k = max(c.angles(k), k+1)
			} else {
				k++
			}
		case '(':
			next, more := c.parenthesis(from, i, k, end, self)
			if !more {
				return max(next, i+1)
			}
			if next > k && c.at(next-1) == ')' && c.isWord(next) && c.line(next) > c.line(next-1) && c.macroCall(i, k) {
				return next // a macro that stands alone
			}
			k = next
		case '=':
			if c.is(k-1, "operator") || c.is(k-2, "operator") || c.is(k-3, "operator") {
				k++
				continue
			}
			return c.variable(from, i, k, end, self)
		case ';':
			return c.variable(from, i, k, end, self)
		case '{':
			if k == i || !c.bodyOfType(i, k, end, self) {
				return c.pair(k) + 1
			}
			k = c.pair(k) + 1
		case '[':
			if c.is(k-1, "operator") {
				k += 2
				continue
			}
			k = c.pair(k) + 1
		case '}':
			return max(k, i+1)
		default:
			k++
		}
	}
	return end
}

// macroCall tells whether the parenthesis at k follows the first word of a declaration: no type stands before.
func (c *cScanner) macroCall(i, k int) bool { return k == i+1 }

// bodyOfType reads the type whose body opens at k within a variable declaration, static struct { … } x, and tells whether there is one.
func (c *cScanner) bodyOfType(i, k, end int, self cScope) bool {
	for j := k - 1; j >= i && j >= k-4 && (c.isWord(j) || c.at(j) == ')'); j-- {
		switch c.word(j) {
		case "struct", "union", "enum", "class":
			if t, ok := c.typeHead(j, end); ok && t.body == k {
				c.typeBody(j, j, t, "", self)
			}
			return true
		}
	}
	return false
}

// parenthesis looks at a parenthesis at k in a declaration that began at i. more is true where the declaration goes on at next.
func (c *cScanner) parenthesis(from, i, k, end int, self cScope) (next int, more bool) {
	shut := c.pair(k)
	if name, open := c.operatorName(i, k); name != "" {
		return c.function(from, i, open, end, name, c.operatorAt(i, open), self), false
	}
	w := c.word(k - 1)
	switch {
	case w == "" || k == i:
		if n := c.pointed(k, shut); n > 0 && c.at(n+1) == '(' && c.at(shut+1) == '(' && c.isWord(n) { // returns a pointer to a function
			return c.function(from, i, n+1, end, c.word(n), n, self), false
		}
		return shut + 1, true
	case cAttribute(w):
		return shut + 1, true
	case c.isWord(k+1) && shut == k+2 && c.at(shut+1) == '(' && k-1 > i: // int (name)(void)
		return c.function(from, i, shut+1, end, c.word(k+1), k+1, self), false
	case c.at(k+1) == '*' && c.isWord(k-1) && c.pointed(k, shut) > 0 && c.at(shut+1) == '(':
		n := c.pointed(k, shut)
		if c.at(n+1) == '(' && c.pair(n+1) < shut {
			return c.function(from, i, n+1, end, c.word(n), n, self), false
		}
		return shut + 1, true // a variable that points to a function
	}
	if k-1 == i || k-2 == i && c.at(i) == '~' {
		return c.untyped(from, i, k, end, self)
	}
	if c.isString(k+1) || c.tok(k+1).kind == tokenNumber {
		return shut + 1, true // a variable with an initial value, or an attribute with a text
	}
	if next := c.word(shut + 1); next != "" && c.at(shut+2) == '(' && c.line(shut+1) == c.line(shut) && !cSuffix(next) && !cAttribute(next) &&
		(strings.ToUpper(next) != next || strings.ToUpper(w) == w) {
		if c.functionEnd(c.pair(shut+2)+1, end) {
			return shut + 1, true // an attribute-like macro before the name
		}
	}
	return c.function(from, i, k, end, w, k-1, self), false
}

// functionEnd tells whether a body or a semicolon stands at i.
func (c *cScanner) functionEnd(i, end int) bool {
	return i < end && (c.at(i) == '{' || c.at(i) == ';')
}

// pointed returns the index of the name in "(*name" or "(type *name" between two parentheses, 0 where there is none.
func (c *cScanner) pointed(k, shut int) int {
	for j := k + 1; j < shut && j < k+8; j++ {
		if c.at(j) == '*' || c.at(j) == '^' {
			for j < shut && (c.at(j) == '*' || c.at(j) == '^' || c.is(j, "const")) {
				j++
			}
			if c.isWord(j) {
				return j
			}
			return 0
		}
		if !c.isWord(j) && c.at(j) != ':' {
			return 0
		}
	}
	return 0
}

// operatorName returns the name of the operator function whose parameters open at or after k, and where they open.
func (c *cScanner) operatorName(i, k int) (string, int) {
	at := c.operatorAt(i, k)
	if at < 0 {
		return "", k
	}
	if at == k-1 && c.at(k+1) == ')' && c.at(k+2) == '(' {
		return "operator()", k + 2
	}
	return "operator" + spaceBeforeWord(strings.Join(strings.Fields(c.text(at+1, k)), " ")), k
}

func spaceBeforeWord(s string) string {
	if s != "" && isWord(s[0]) {
		return " " + s
	}
	return s
}

// operatorAt returns the index of the word operator shortly before k, -1 where there is none.
func (c *cScanner) operatorAt(i, k int) int {
	for j := k - 1; j >= i && j >= k-8; j-- {
		if c.is(j, "operator") {
			return j
		}
		if c.at(j) == ';' || c.at(j) == '{' {
			break
		}
	}
	return -1
}

func cSuffix(w string) bool {
	switch w {
	case "const", "volatile", "override", "final", "noexcept", "mutable", "try", "throw", "requires", "restrict", "__restrict":
		return true
	}
	return false
}

// untyped reads what looks like a call at file or class level: a constructor, a test, a macro, or a function of old C.
func (c *cScanner) untyped(from, i, k, end int, self cScope) (next int, more bool) {
	name, shut := c.word(k-1), c.pair(k)
	last := self.name[strings.LastIndexByte(self.name, ':')+1:]
	if self.class && name == last {
		return c.function(from, i, k, end, name, k-1, self), false
	}
	if n, ok := c.testMacro(i, k, shut); ok {
		return n, false
	}
	if c.flagMacro(name, k, shut) {
		return shut + 1, false
	}
	if c.at(shut+1) == ';' {
		c.body(self.name, i, shut)
		return shut + 2, false
	}
	if strings.ToUpper(name) != name && !self.class && (c.at(shut+1) == '{' || c.oldParameters(k, shut) > 0) {
		return c.function(from, i, k, end, name, k-1, self), false
	}
	if c.at(shut+1) == '{' { // a macro that heads a block
		c.body(self.name, shut+1, c.pair(shut+1))
		return c.pair(shut+1) + 1, false
	}
	return shut + 1, true
}

// oldParameters returns the index of the body of a K&R definition whose list of names stands between two parentheses, or 0.
func (c *cScanner) oldParameters(k, shut int) int {
	if shut == k+1 || !c.isWord(shut+1) {
		return 0
	}
	for j := k + 1; j < shut; j++ {
		if !c.isWord(j) && c.at(j) != ',' || c.isWord(j) && c.isWord(j+1) {
			return 0
		}
	}
	semicolons := 0
	for j := shut + 1; j < c.last && j < shut+200; j++ {
		switch c.at(j) {
		case ';':
			semicolons++
		case '{':
			if semicolons > 0 && c.at(j-1) == ';' {
				return j
			}
			return 0
		case '(':
			if c.at(j+1) != '*' && c.isWord(j-1) {
				return 0
			}
			j = c.pair(j)
		case '}', '=':
			return 0
		}
	}
	return 0
}
