package source

// compileClass reads a bracket expression whose text begins at i, after the bracket, and returns the bytes it matches and where the
// rest of the pattern begins. It reports false for one that does not end or that names an unknown class.
func compileClass(p string, i int) (_ *byteSet, next int, ok bool) {
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	c := class{text: p, at: i}
	// A closing bracket in the first place stands for itself.
	for first := true; first || !c.atEnd(); first = false {
		if !c.item() {
			return nil, 0, false
		}
	}
	foldSet(&c.set)
	if negated {
		for w := range c.set {
			c.set[w] = ^c.set[w]
		}
	}
	return &c.set, c.at + 1, true
}

// A class is a bracket expression that is being read.
type class struct {
	text string
	at   int
	set  byteSet
	from int // the byte a range may begin with, or 0
}

func (c *class) atEnd() bool { return c.at < len(c.text) && c.text[c.at] == ']' }

// item reads a range, a named class or a single byte, and reports whether there was one.
func (c *class) item() bool {
	rest := c.text[min(c.at, len(c.text)):]
	switch {
	case rest == "":
		return false
	case len(rest) > 1 && rest[0] == '-' && rest[1] != ']' && c.from > 0:
		to, next, ok := classByte(c.text, c.at+1)
		addRange(&c.set, byte(c.from), to)
		c.from, c.at = 0, next
		return ok
	case len(rest) > 1 && rest[0] == '[' && rest[1] == ':':
		name, next, ok := className(c.text, c.at+2)
		if !ok {
			return false
		}
		if name != "" {
			c.from, c.at = 0, next
			return addNamed(&c.set, name)
		}
	}
	b, next, ok := classByte(c.text, c.at)
	if ok {
		c.set.add(b)
	}
	c.from, c.at = int(b), next
	return ok
}

// classByte reads one byte of a bracket expression, which a backslash may precede.
func classByte(p string, i int) (c byte, next int, ok bool) {
	if i < len(p) && p[i] == '\\' {
		i++
	}
	if i >= len(p) {
		return 0, 0, false
	}
	return p[i], i + 1, true
}

// className reads the name of a class such as [:digit:] from i on. The name is empty when the text up to the next bracket is none, so
// that the opening bracket stands for itself.
func className(p string, i int) (name string, next int, ok bool) {
	end := i
	for end < len(p) && p[end] != ']' {
		end++
	}
	if end == len(p) {
		return "", 0, false
	}
	if end == i || p[end-1] != ':' {
		return "", 0, true
	}
	return p[i : end-1], end + 1, true
}

func addRange(set *byteSet, from, to byte) {
	for c := int(from); c <= int(to); c++ {
		set.add(byte(c))
	}
}

// addNamed adds the ASCII bytes of a POSIX class.
func addNamed(set *byteSet, name string) bool {
	in := map[string]func(c byte) bool{
		"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
		"alpha":  isLetter,
		"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
		"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
		"digit":  isDigit,
		"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
		"lower":  func(c byte) bool { return isLetter(c) && c == lower(c) },
		"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
		"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) },
		"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
		"upper":  isLetter, // without case
		"xdigit": func(c byte) bool { return isDigit(c) || lower(c) >= 'a' && lower(c) <= 'f' },
	}[name]
	if in == nil {
		return false
	}
	for c := range byte(0x80) {
		if in(c) {
			set.add(c)
		}
	}
	return true
}

// foldSet makes a set that holds a letter in one case hold it in both.
func foldSet(set *byteSet) {
	for c := byte('a'); c <= 'z'; c++ {
		if upper := c - 'a' + 'A'; set.has(c) || set.has(upper) {
			set.add(c)
			set.add(upper)
		}
	}
}

func isLetter(c byte) bool { return lower(c) >= 'a' && lower(c) <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
