package scan

import "strings"

// An attribute is an annotation, attribute or decorator before a declaration: @Name(…), [Name(…)], #[name(…)].
type attribute struct {
	name        string // last part of the name
	at          int    // index of its first token
	open, close int    // indexes of the parentheses around its arguments, equal where there are none
}

// attributeAt reads the dotted name at i and the arguments after it. It returns the index after them.
func (p *reader) attributeAt(i int) (attribute, int) {
	a := attribute{at: i}
	for p.isWord(i) {
		a.name = p.word(i)
		i++
		switch {
		case p.at(i) == '.' || p.at(i) == '\\':
			i++
		case p.op(i, "::"):
			i += 2
		case p.at(i) == ':' && p.isWord(i+1): // a target: @field:Name, [return: Name]
			i++
		default:
			i = p.angles(i)
			if p.at(i) == '(' {
				a.open, a.close = i, p.pair(i)
				return a, a.close + 1
			}
			return a, i
		}
	}
	return a, i
}

// find returns the attribute of one of the names.
func find(as []attribute, names ...string) (attribute, bool) {
	for _, a := range as {
		for _, n := range names {
			if a.name == n {
				return a, true
			}
		}
	}
	return attribute{}, false
}

// argument returns the index of the first token of the value given under one of the names ("name = value", "name: value"), or, for
// the name "", of the first argument without a name; 0 where there is none.
func (p *reader) argument(a attribute, names ...string) int {
	for i := a.open + 1; i < a.close; i = p.nextArgument(i, a.close) {
		name, value := "", i
		if p.isWord(i) && (p.at(i+1) == '=' && p.at(i+2) != '=' || p.at(i+1) == ':' && p.at(i+2) != ':') {
			name, value = p.word(i), i+2
		}
		for _, n := range names {
			if n == name {
				return value
			}
		}
	}
	return 0
}

// nextArgument returns the index after the comma that ends the argument at i.
func (p *reader) nextArgument(i, end int) int {
	for ; i < end; i++ {
		switch p.at(i) {
		case ',':
			return i + 1
		case '(', '[', '{':
			i = p.pair(i)
		}
	}
	return end
}

// argumentStrings returns the string literals of the argument under one of the names: one, or those of an array.
func (p *reader) argumentStrings(a attribute, names ...string) []string {
	i := p.argument(a, names...)
	if i == 0 {
		return nil
	}
	var out []string
	for end := p.nextArgument(i, a.close); i < end; i++ {
		if s, ok := p.str(i); ok && !p.op(i+1, "=>") { // not the key of an array
			out = append(out, s)
		}
	}
	return out
}

// argumentString returns the first string literal of the argument under one of the names.
func (p *reader) argumentString(a attribute, names ...string) string {
	if ss := p.argumentStrings(a, names...); len(ss) > 0 {
		return ss[0]
	}
	return ""
}

// joinRoute puts the path of a method below the path of its class.
func joinRoute(base, path string) string {
	if base == "" {
		return path
	}
	if path == "" || len(base) > maxPath {
		return base
	}
	return strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(path, "/")
}

// exitStatus records a call that ends the program under a literal status. open is the parenthesis.
func (p *reader) exitStatus(i, open int) {
	if t := p.tok(open + 1); t.kind == tokenNumber && p.at(open+2) == ')' && p.text(open+1, open+2) != "0" {
		p.exits(i, p.text(open+1, open+2))
	}
}

// maxExits bounds the places of one file that end the program.
const maxExits = 64

// exits records a place where the program ends under a status, once for a line.
func (p *reader) exits(i int, status string) {
	name, line, n := "exit "+status, p.line(i), 0
	for _, f := range p.f.Failures {
		if strings.HasPrefix(f.Name, "exit ") {
			n++
		}
	}
	if last := len(p.f.Failures) - 1; n == maxExits || last >= 0 && p.f.Failures[last].Line == line && p.f.Failures[last].Name == name {
		return
	}
	p.f.Failures = append(p.f.Failures, Failure{Name: name, Line: line, End: line})
}

// envRead records a read of the environment whose name is the string at i.
func (p *reader) envRead(i int, fallback string) {
	if name, ok := p.str(i); ok && name != "" {
		fallback = literalDefault(fallback)
		p.f.Env = append(p.f.Env, EnvRead{Name: name, Default: fallback, Line: p.line(i)})
	}
}

// literalDefault returns the text of a default value, "" for the words that stand for none.
func literalDefault(s string) string {
	switch s {
	case "null", "nil", "None", "NULL", "nullptr":
		return ""
	}
	return s
}

// literalText returns the value of a short literal that makes up all of the tokens from i to before end; "" for anything else.
func (p *reader) literalText(i, end int) string {
	if end-i == 2 && p.at(i) == '-' && p.tok(i+1).kind == tokenNumber {
		return p.text(i, end)
	}
	if end-i != 1 {
		return ""
	}
	if s, ok := p.str(i); ok {
		if len(s) > maxSignature || strings.IndexByte(s, '\n') >= 0 {
			return "" // no short literal
		}
		return s
	}
	if t := p.tok(i); t.kind == tokenNumber || t.c == stringChar {
		return p.text(i, end)
	}
	switch w := p.word(i); w {
	case "true", "false", "null", "nil", "None", "nullptr", "NULL":
		return w
	}
	return ""
}
