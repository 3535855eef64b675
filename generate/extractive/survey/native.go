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
	var out []buildCall
	var cur *buildCall
	var word strings.Builder
	line, depth, quote, has := 1, 0, byte(0), false
	push := func() {
		if cur != nil && (word.Len() > 0 || has) && len(cur.args) < 200 {
			cur.args = append(cur.args, word.String())
		}
		word.Reset()
		has = false
	}
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case quote != 0 && c == '\\' && i+1 < len(data):
			i++
			word.WriteByte(data[i])
		case quote != 0 && c == quote:
			quote, has = 0, true
		case quote != 0:
			word.WriteByte(c)
		case c == mark:
			for i+1 < len(data) && data[i+1] != '\n' {
				i++
			}
		case cur != nil && (c == '"' || c == '\''):
			quote = c
		case c == '(' && cur == nil:
			cur = &buildCall{name: strings.ToLower(lastWord(word.String())), line: line}
			word.Reset()
			depth = 1
		case c == '(' || c == '[':
			depth++
			push()
		case c == ')' || c == ']':
			depth--
			push()
			if depth <= 0 && cur != nil {
				cur.end = line
				out = append(out, *cur)
				cur = nil
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';':
			if cur != nil {
				push()
			} else if c == '\n' || c == ';' {
				word.Reset()
			} else {
				word.WriteByte(' ')
			}
		default:
			word.WriteByte(c)
		}
		if c == '\n' {
			line++
		}
	}
	return out
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
