package scan

import (
	"slices"
	"strings"
)

// A directive is a #define or #include of the C preprocessor.
type directive struct {
	include   bool
	name      string // of the macro, or the path with its delimiters
	params    bool   // a macro with parameters
	value     string
	line, end int
	pos       int
}

// A conditional is an open #if. Each branch begins with the brackets that were open at the #if, so that alternatives of one
// declaration do not unbalance the file.
type conditional struct {
	base  []int32
	first []int32 // what was open at the end of the first branch
	many  bool
	blind bool // too much is open to be remembered
}

// Bounds of what is remembered at every #if.
const (
	maxConditionals = 100  // within each other
	maxOpen         = 1000 // brackets
)

// directive reads one line of the preprocessor, with the lines joined to it.
func (l *tokenizer) directive() {
	if !l.startsLine(l.i) {
		l.punct('#')
		return
	}
	start := l.i
	end := l.directiveEnd()
	rest := strings.TrimLeft(l.s[start+1:end], " \t")
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	word, arg := rest[:n], strings.TrimSpace(rest[n:])
	line := l.line
	l.line += strings.Count(l.s[start:end], "\n")
	l.i = end
	switch word {
	case "if", "ifdef", "ifndef":
		if word == "if" && dead(arg) {
			l.skipDead()
		}
		c := conditional{blind: len(l.conds) >= maxConditionals || len(l.stack) > maxOpen}
		if !c.blind {
			c.base = slices.Clone(l.stack)
		}
		l.conds = append(l.conds, c)
	case "else", "elif", "elifdef", "elifndef":
		l.branch()
	case "endif":
		l.endConditional()
	case "define", "include", "import", "include_next":
		if l.dialect == dialectC {
			l.define(word == "define", arg, line, start)
		}
	}
}

func dead(condition string) bool {
	word, _, _ := strings.Cut(condition, " ")
	return word == "0" || strings.HasPrefix(condition, "0/*")
}

// directiveEnd returns where the directive that begins at the current offset ends. A comment in it may reach over lines.
func (l *tokenizer) directiveEnd() int {
	s := l.s
	for i := l.i; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i
		case '\\':
			if i+1 < len(s) && s[i+1] == '\r' {
				i++
			}
			i++
		case '/':
			if i+1 < len(s) && s[i+1] == '/' {
				return l.continued(l.eolAt(i))
			}
			if i+1 < len(s) && s[i+1] == '*' {
				n := strings.Index(s[i+2:], "*/")
				if n < 0 {
					return len(s)
				}
				i += n + 3
			}
		}
	}
	return len(s)
}

// skipDead moves to the directive that ends the branch of an #if 0.
func (l *tokenizer) skipDead() {
	for depth := 0; ; {
		end := l.eol()
		if end == len(l.s) {
			l.i = end
			return
		}
		l.i = end + 1
		l.line++
		line := strings.TrimLeft(l.s[l.i:l.eol()], " \t")
		if !strings.HasPrefix(line, "#") {
			continue
		}
		switch word := strings.TrimLeft(line[1:], " \t"); {
		case strings.HasPrefix(word, "if"):
			depth++
		case depth == 0 && (strings.HasPrefix(word, "el") || strings.HasPrefix(word, "endif")):
			return
		case strings.HasPrefix(word, "endif"):
			depth--
		}
	}
}

func (l *tokenizer) branch() {
	if len(l.conds) == 0 {
		return
	}
	c := &l.conds[len(l.conds)-1]
	if c.blind || len(l.stack) > maxOpen {
		return
	}
	if !c.many {
		c.first, c.many = slices.Clone(l.stack), true
	}
	l.stack = append(l.stack[:0], c.base...)
}

func (l *tokenizer) endConditional() {
	if len(l.conds) == 0 {
		return
	}
	c := l.conds[len(l.conds)-1]
	l.conds = l.conds[:len(l.conds)-1]
	if !c.many {
		return
	}
	if len(c.first) != len(l.stack) {
		l.stack = append(l.stack[:0], c.first...)
		return
	}
	for k, open := range c.first {
		if open != l.stack[k] {
			l.aliases = append(l.aliases, [2]int32{open, l.stack[k]})
		}
	}
}

func (l *tokenizer) define(macro bool, arg string, line, pos int) {
	d := directive{include: !macro, line: line, end: l.line, pos: pos}
	if !macro {
		d.name = includePath(arg)
		if d.name != "" {
			l.defines = append(l.defines, d)
		}
		return
	}
	n := 0
	for n < len(arg) && isWord(arg[n]) {
		n++
	}
	d.name, d.params = arg[:n], n < len(arg) && arg[n] == '('
	if d.name == "" {
		return
	}
	if !d.params {
		d.value = strings.TrimSpace(arg[n:])
	}
	l.defines = append(l.defines, d)
}

// includePath returns the path of an #include with angle brackets kept and quotation marks dropped.
func includePath(arg string) string {
	if arg == "" {
		return ""
	}
	switch arg[0] {
	case '<':
		if n := strings.IndexByte(arg, '>'); n > 0 {
			return arg[:n+1]
		}
	case '"':
		if n := strings.IndexByte(arg[1:], '"'); n > 0 {
			return arg[1 : n+1]
		}
	}
	return ""
}
