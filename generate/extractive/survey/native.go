package survey

import (
	"regexp"
	"strings"
	"sync"
)

// A buildCall is one call of a build description language: CMake, Meson or M4.
type buildCall struct {
	name string
	args []string
	line int
	end  int
}

// readCMake reads the literal parts of CMakeLists.txt. Only the file that calls project() is a build unit; the others add to it.
func readCMake(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "cmake", true
	for _, c := range buildCalls(data, '#') {
		ref := Ref{Path: m.Manifest, Start: c.line, End: c.end}
		if len(c.args) == 0 || strings.Contains(c.args[0], "${") {
			continue
		}
		switch c.name {
		case "project":
			m.Name, m.NameRef, m.unnamed = cut(clean(c.args[0]), maxName), ref, false
			m.Version = Fact{Text: after(c.args, "VERSION"), Ref: ref}
			m.Description = sentenceFact(Fact{Text: after(c.args, "DESCRIPTION"), Ref: ref})
		case "cmake_minimum_required":
			if v := after(c.args, "VERSION"); v != "" {
				m.Requires = Fact{Text: "CMake >= " + strings.SplitN(v, "...", 2)[0], Ref: ref}
			}
		case "add_executable":
			if len(c.args) > 1 && c.args[1] != "ALIAS" && c.args[1] != "IMPORTED" {
				m.program(c.args[0], c.args[1], "binary", ref)
			}
		case "option":
			m.option(c, ref)
		case "find_package":
			m.depend(c.args[0], "", false, ref)
		}
	}
	if m.Version.Text == "" || strings.Contains(m.Version.Text, "${") {
		m.Version = Fact{}
	}
	return !m.unnamed || len(m.programs)+len(m.config)+len(m.deps) > 0
}

func (m *manifest) option(c buildCall, ref Ref) {
	item := ConfigItem{Kind: "key", Name: clean(c.args[0]), Refs: []Ref{ref}, Default: "OFF"}
	if len(c.args) > 1 {
		item.Usage = clean(c.args[1])
	}
	if len(c.args) > 2 {
		item.Default = clean(c.args[2])
	}
	if !strings.Contains(item.Default, "${") {
		m.config = append(m.config, item)
	}
}

// after returns the argument that follows key.
func after(args []string, key string) string {
	for i := 0; i+1 < len(args); i++ {
		if args[i] == key {
			return clean(args[i+1])
		}
	}
	return ""
}

// buildCalls reads calls of the form name(arg …) with quoted or bare arguments, line comments introduced by mark.
func buildCalls(data []byte, mark byte) []buildCall {
	r := &callReader{line: 1}
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case r.quote != 0 && c == '\\' && i+1 < len(data):
			i++
			c = data[i]
			r.word.WriteByte(c)
		case r.quote != 0 && c == r.quote:
			r.quote, r.quoted = 0, true
		case r.quote != 0:
			r.word.WriteByte(c)
		case c == mark:
			for i+1 < len(data) && data[i+1] != '\n' {
				i++
			}
		case r.cur != nil && (c == '"' || c == '\''):
			r.quote = c
		default:
			r.punctuation(c)
		}
		if c == '\n' {
			r.line++
		}
	}
	return r.out
}

type callReader struct {
	out    []buildCall
	cur    *buildCall // nil between calls
	word   strings.Builder
	quote  byte
	quoted bool // the word was quoted, so it counts even when empty
	line   int
	depth  int
}

func (r *callReader) punctuation(c byte) {
	switch {
	case c == '(' && r.cur == nil:
		r.cur = &buildCall{name: strings.ToLower(lastWord(r.word.String())), line: r.line}
		r.word.Reset()
		r.depth = 1
	case c == '(' || c == '[':
		r.depth++
		r.push()
	case c == ')' || c == ']':
		r.depth--
		r.push()
		if r.depth <= 0 && r.cur != nil {
			r.cur.end = r.line
			r.out = append(r.out, *r.cur)
			r.cur = nil
		}
	case strings.IndexByte(" \t\r\n,;", c) >= 0:
		if r.cur != nil {
			r.push()
		} else if c == '\n' || c == ';' {
			r.word.Reset()
		} else {
			r.word.WriteByte(' ')
		}
	default:
		r.word.WriteByte(c)
	}
}

// push ends the current word.
func (r *callReader) push() {
	if r.cur != nil && (r.word.Len() > 0 || r.quoted) && len(r.cur.args) < 200 {
		r.cur.args = append(r.cur.args, r.word.String())
	}
	r.word.Reset()
	r.quoted = false
}

func lastWord(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[len(f)-1]
	}
	return ""
}

var acInit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`AC_INIT\(\s*\[?([^\],()\s][^\],()]*)\]?\s*,\s*\[?([^\],()\s]*)\]?`)
})

// readAutoconf reads the package name of configure.ac.
func readAutoconf(m *manifest, data []byte) bool {
	m.Ecosystem = "autotools"
	text := string(data)
	at := acInit().FindStringSubmatchIndex(text)
	if at == nil {
		return false
	}
	lines := newLineIndex(data)
	ref := Ref{Path: m.Manifest, Start: lines.at(at[0]), End: lines.at(at[1])}
	m.Name, m.NameRef = cut(clean(text[at[2]:at[3]]), maxName), ref
	if v := clean(text[at[4]:at[5]]); v != "" && !strings.Contains(v, "m4_") {
		m.Version = Fact{Text: v, Ref: ref}
	}
	return true
}

// readMeson reads the project, executables and dependencies of meson.build.
func readMeson(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "meson", true
	for _, c := range buildCalls(data, '#') {
		if len(c.args) == 0 {
			continue
		}
		ref := Ref{Path: m.Manifest, Start: c.line, End: c.end}
		switch c.name {
		case "project":
			m.Name, m.NameRef, m.unnamed = cut(clean(c.args[0]), maxName), ref, false
			if v := named(c.args, "version"); v != "" {
				m.Version = Fact{Text: v, Ref: ref}
			}
			if v := named(c.args, "license"); v != "" {
				m.license = Fact{Text: v, Ref: ref}
			}
		case "executable":
			m.program(c.args[0], "", "binary", ref)
		case "dependency":
			m.depend(c.args[0], named(c.args, "version"), false, ref)
		}
	}
	return !m.unnamed || len(m.programs)+len(m.deps) > 0
}

// named returns the literal value of a keyword argument, written as "key:" or "key :".
func named(args []string, key string) string {
	for i, a := range args {
		if a == key+":" && i+1 < len(args) {
			return clean(args[i+1])
		}
		if a == key && i+2 < len(args) && args[i+1] == ":" {
			return clean(args[i+2])
		}
		if rest, ok := strings.CutPrefix(a, key+":"); ok && rest != "" {
			return clean(rest)
		}
	}
	return ""
}

// readMesonOptions reads the options a user can set.
func readMesonOptions(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "meson", true
	for _, c := range buildCalls(data, '#') {
		if c.name != "option" || len(c.args) == 0 {
			continue
		}
		m.config = append(m.config, ConfigItem{
			Kind: "key", Name: clean(c.args[0]), Default: named(c.args, "value"), Usage: named(c.args, "description"),
			Refs: []Ref{{Path: m.Manifest, Start: c.line, End: c.end}},
		})
	}
	return len(m.config) > 0
}
