package scan

// Strings, templates and comments of JavaScript and TypeScript; the hook adds regular expressions and, where the dialect has them,
// JSX elements.
var (
	javascriptSyntax = syntax{
		line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: javascriptQuotes, hook: javascriptHook, hookAt: "/<#",
	}
	typescriptSyntax = syntax{
		line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: javascriptQuotes, hook: typescriptHook, hookAt: "/#",
	}
	javascriptQuotes = []quote{
		{open: `"`, close: `"`, escape: true},
		{open: "'", close: "'", escape: true},
		{open: "`", close: "`", escape: true, multiline: true, subst: "${"},
	}
)

func javascriptHook(m *masker, i int) int {
	if m.src[i] == '<' {
		return m.element(i)
	}
	return typescriptHook(m, i)
}

func typescriptHook(m *masker, i int) int {
	switch {
	case m.src[i] == '#':
		if i == 0 && m.has(i, "#!") {
			return m.comment(i, m.eol(i))
		}
	case m.src[i] == '/' && !m.has(i, "//") && !m.has(i, "/*") && m.operand(i):
		return m.regexp(i)
	}
	return i
}

// operand tells whether an operand is expected at i, so that a slash begins a regular expression and not a division.
func (m *masker) operand(i int) bool {
	for i > 0 && isSpace(m.out[i-1]) {
		i--
	}
	if i == 0 {
		return true
	}
	switch c := m.out[i-1]; {
	case c == ')' || c == ']' || c == '"' || c == '\'' || c == '`':
		return false
	case c == '}':
		return true
	case (c == '+' || c == '-') && i > 1 && m.out[i-2] == c: // x++ / 2
		return false
	case isWord(c):
		start := i
		for start > 0 && isWord(m.out[start-1]) {
			start--
		}
		return wantsOperand(string(m.out[start:i])) && (start == 0 || m.out[start-1] != '.')
	}
	return true
}

// wantsOperand tells whether a keyword is followed by an expression.
func wantsOperand(word string) bool {
	switch word {
	case "return", "typeof", "case", "in", "of", "delete", "void", "instanceof", "new", "throw", "do", "else", "yield", "await", "extends",
		"default":
		return true
	}
	return false
}

// regexp masks the regular expression that begins at i; it returns i where its line does not end one.
func (m *masker) regexp(i int) int {
	class := false
	for at := i + 1; at < min(len(m.src), i+maxLine); at++ {
		switch m.src[at] {
		case '\n':
			return i
		case '\\':
			at++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return m.literal(i, at+1, 1, 1, true)
			}
		}
	}
	return i
}

// maxBroken is how many elements without an end prove that a file has no JSX.
const maxBroken = 3

// element masks the JSX element that begins at i, if one does. Its first and last byte become back quotes, so that it looks like the
// literal that it is; the code in its braces stays visible.
func (m *masker) element(i int) int {
	if m.depth >= maxSubst || m.broken >= maxBroken || !m.operand(i) || !m.opensElement(i) {
		return i
	}
	at, comments := len(m.literals), len(m.comments)
	name := m.name(i + 1)
	m.literals = append(m.literals, literal{span: span{i, i}, open: name - i, dynamic: true})
	m.depth++
	end, ok := m.markup(i)
	m.depth--
	if !ok { // type parameters after all
		m.broken++
		m.literals, m.comments = m.literals[:at], m.comments[:comments]
		copy(m.out[i:], m.src[i:])
		return i
	}
	m.literals[at].end = end
	m.out[i] = '`'
	if m.out[end-1] != '\n' {
		m.out[end-1] = '`'
	}
	return end
}

// opensElement tells a tag from a comparison and from type parameters.
func (m *masker) opensElement(i int) bool {
	end := m.name(i + 1)
	if end >= len(m.src) {
		return false
	}
	if end == i+1 {
		return m.src[end] == '>'
	}
	if isDigit(m.src[i+1]) {
		return false
	}
	switch c := m.src[end]; {
	case c == '>' || c == '/' && m.has(end, "/>"):
		return true
	case isSpace(c):
		for end < len(m.src) && isSpace(m.src[end]) {
			end++
		}
		return !m.has(end, "extends ") && end < len(m.src) && (isWord(m.src[end]) || m.src[end] == '{' || m.src[end] == '/' || m.src[end] == '>')
	}
	return false
}

// name returns the end of the element or attribute name at i.
func (m *masker) name(i int) int {
	for i < len(m.src) && (isWord(m.src[i]) || m.src[i] == '.' || m.src[i] == '-' || m.src[i] == ':') {
		i++
	}
	return i
}

// markup masks from an opening tag to the end of its element, with all that it holds. It does not recurse: elements are counted. ok
// is false where the file ends before the element does.
func (m *masker) markup(i int) (end int, ok bool) {
	open, first := 0, i
	for i < len(m.src) {
		switch c := m.src[i]; {
		case c == '<':
			closing := m.has(i, "</")
			if name := m.name(i + 1); i > first && name > i+1 { // an element within is constructed too
				m.literals = append(m.literals, literal{span: span{i, name}, open: name - i, dynamic: true})
			}
			end, alone := m.tag(i)
			i = end
			switch {
			case closing:
				open--
			case !alone:
				open++
			}
			if open <= 0 {
				return i, true
			}
		case c == '{':
			i = m.braces(i)
		default:
			m.blank(i, i+1)
			i++
		}
	}
	return len(m.src), false
}

// tag masks one tag and returns its end, and whether it closes itself.
func (m *masker) tag(i int) (end int, alone bool) {
	m.blank(i, i+1)
	i++
	for i < len(m.src) {
		switch c := m.src[i]; {
		case c == '>':
			m.blank(i, i+1)
			return i + 1, m.src[i-1] == '/'
		case c == '{':
			i = m.braces(i)
		case c == '"' || c == '\'':
			start := i
			for i++; i < len(m.src) && m.src[i] != c; i++ {
			}
			i = min(i+1, len(m.src))
			m.blank(start, i)
		case m.has(i, "//") && m.src[i-1] != ':':
			i = m.comment(i, m.eol(i))
		case m.has(i, "/*"):
			i = m.comment(i, m.blockEnd(i))
		default:
			m.blank(i, i+1)
			i++
		}
	}
	return len(m.src), true
}

// braces masks an expression container and leaves its braces and code.
func (m *masker) braces(i int) int {
	if m.depth >= maxSubst {
		m.blank(i, i+1)
		return i + 1
	}
	m.depth++
	end := m.run(i+1, true)
	m.depth--
	return min(end+1, len(m.src))
}
