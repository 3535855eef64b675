package scan

import (
	"strings"
)

func javascriptKeyword(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "catch", "return", "function", "typeof", "await", "async", "with", "in", "of", "new", "void",
		"delete", "throw", "case", "super", "yield", "constructor", "import", "require", "instanceof", "else", "do", "and", "or":
		return true
	}
	return false
}

// imports reads an import statement and returns its end; i where it is none (a call of import).
func (s *jsScan) imports(i, to int) int {
	at := s.src.skip(i + len("import"))
	line := s.src.line(i)
	if path, end, ok := s.src.stringAt(at); ok {
		s.Imports = append(s.Imports, Import{Path: path, Line: line})
		return end
	}
	if s.src.at(at) == '(' || s.src.at(at) == '.' || at >= to {
		return i
	}
	names, end := s.importNames(at, to)
	next := s.src.skip(end)
	if s.src.at(next) == '=' { // import x = require("y")
		if path, stop, ok := s.required(s.src.skip(next + 1)); ok && len(names) > 0 {
			s.Imports = append(s.Imports, Import{Path: path, Name: names[0].Name, Line: line, TypeOnly: names[0].TypeOnly})
			return stop
		}
		return s.expression(next+1, to)
	}
	if !s.src.hasWord(next, "from") {
		return i
	}
	path, stop, ok := s.src.stringAt(s.src.skip(next + len("from")))
	if !ok {
		return i
	}
	if len(names) == 0 {
		names = []Import{{}}
	}
	for _, n := range names {
		n.Path, n.Line = path, line
		s.Imports = append(s.Imports, n)
	}
	return stop
}

// importNames reads the names between import and from: the default, * as x, and those in braces under their local name.
func (s *jsScan) importNames(at, to int) (names []Import, end int) {
	types := false
	for at < to {
		at = s.src.skip(at)
		switch c := s.src.at(at); {
		case c == ',':
			at++
		case c == '*':
			as := s.src.skip(at + 1)
			if !s.src.hasWord(as, "as") {
				return names, at
			}
			name := s.src.skip(as + len("as"))
			at = s.src.word(name)
			names = append(names, Import{Name: "* as " + string(s.src.code[name:at]), TypeOnly: types})
		case c == '{':
			for _, a := range s.src.args(at, 0) {
				f := strings.Fields(string(s.src.code[a.start:a.end]))
				if len(f) > 0 {
					names = append(names, Import{Name: f[len(f)-1], TypeOnly: types || isTypeSpecifier(f)})
				}
			}
			at = s.src.closingOr(at, to) + 1
		case s.src.hasWord(at, "from") && len(names) > 0:
			return names, at
		case s.src.word(at) > at:
			word := string(s.src.code[at:s.src.word(at)])
			next := s.src.skip(s.src.word(at))
			if c := s.src.at(next); word == "type" && (c == '{' || c == '*' || isWord(c) && !s.src.hasWord(next, "from")) {
				at, types = next, true
				continue
			}
			names = append(names, Import{Name: word, TypeOnly: types})
			at = s.src.word(at)
		default:
			return names, at
		}
	}
	return names, to
}

// isTypeSpecifier tells type A and type A as B from a name.
func isTypeSpecifier(fields []string) bool {
	return fields[0] == "type" && len(fields) > 1 && !(fields[1] == "as" && len(fields) == 3)
}

// features records what is found by looking for single words.
func (s *jsScan) features() {
	s.src.find("env", "import", "require", "option", "requiredOption", "command", "get", "post", "put", "delete", "patch", "options",
		"head", "all", "route", "listen", "exit", "describe", "it", "test", "context", "suite")
	s.environment()
	s.dynamicImports()
	s.options()
	s.routes()
	s.listeners()
	s.failures()
	if s.IsTest {
		s.cases()
	}
}

// environment records process.env.X, import.meta.env.X, process.env["X"], Deno.env.get("X"), and const { X = "d" } = process.env.
func (s *jsScan) environment() {
	s.src.each("env", func(off int) {
		switch {
		case s.src.hasAt(off-len("process."), "process."), s.src.hasAt(off-len("meta."), "meta."), s.src.hasAt(off-len("Bun."), "Bun."):
		case s.src.hasAt(off-len("Deno."), "Deno."):
			if open := off + len("env.get"); s.src.hasAt(off, "env.get(") {
				if name, end, ok := s.src.stringAt(s.src.skip(open + 1)); ok {
					s.envRead(name, off, s.src.skip(end)+1)
				}
			}
			return
		default:
			return
		}
		at := off + len("env")
		if s.src.at(at) == '?' {
			at++
		}
		switch s.src.at(at) {
		case '.':
			end := s.src.word(at + 1)
			s.envRead(string(s.src.code[at+1:end]), off, end)
		case '[':
			if name, end, ok := s.src.stringAt(s.src.skip(at + 1)); ok {
				s.envRead(name, off, s.src.skip(end)+1)
			}
		default:
			s.envPattern(off)
		}
	})
}

func (s *jsScan) envRead(name string, off, after int) {
	if name == "" || s.src.hasAt(off-len("meta."), "meta.") && (name == "DEV" || name == "PROD" || name == "SSR" || name == "MODE") {
		return
	}
	after = s.src.skip(after)
	if s.src.at(after) == '=' && s.src.at(after+1) != '=' {
		return // an assignment
	}
	e := EnvRead{Name: name, Line: s.src.line(off)}
	if s.src.hasAt(after, "||") || s.src.hasAt(after, "??") {
		e.Default = s.fallback(s.src.skip(after + 2))
	}
	s.Env = append(s.Env, e)
}

// fallback returns the literal at i, if it is a whole operand.
func (s *jsScan) fallback(i int) string {
	if v, _, ok := s.src.stringAt(i); ok {
		return cut(v, maxSignature)
	}
	end := i
	for end < len(s.src.code) && (isWord(s.src.code[end]) || s.src.code[end] == '.') {
		end++
	}
	return s.src.given(argument{span: span{i, end}})
}

func (s *jsScan) envPattern(off int) {
	equals := s.src.skipBack(off-len("process.")) - 1
	shut := s.src.skipBack(equals) - 1
	if s.src.at(equals) != '=' || s.src.at(shut) != '}' || !s.src.hasAt(off-len("process."), "process.") {
		return
	}
	for open := shut; open >= 0 && shut-open < 4000; open-- {
		if s.src.code[open] == '{' && s.src.closing(open) == shut {
			for _, a := range s.src.args(open, '=') {
				name, value := a.name, ""
				if name == "" {
					name = string(s.src.code[a.start:s.src.word(a.start)])
				} else {
					value = s.src.given(a)
				}
				if isEnvName(name) {
					s.Env = append(s.Env, EnvRead{Name: name, Default: value, Line: s.src.line(a.start)})
				}
			}
			return
		}
	}
}

// dynamicImports records import("x") and the calls of require that no declaration has shown.
func (s *jsScan) dynamicImports() {
	known := map[Import]bool{}
	for _, imp := range s.Imports {
		known[Import{Path: imp.Path, Line: imp.Line}] = true
	}
	for _, word := range []string{"import", "require"} {
		s.src.each(word, func(off int) {
			open := s.src.skip(off + len(word))
			if s.src.at(open) != '(' || s.src.at(off-1) == '.' {
				return
			}
			path, _, ok := s.src.stringAt(s.src.skip(open + 1))
			key := Import{Path: path, Line: s.src.line(off)}
			if ok && path != "" && !known[key] {
				known[key] = true
				s.Imports = append(s.Imports, key)
			}
		})
	}
}

// importsAny tells whether the file imports one of the packages, or a part of one.
func (s *jsScan) importsAny(packages ...string) bool {
	for _, imp := range s.Imports {
		for _, p := range packages {
			if imp.Path == p || strings.HasPrefix(imp.Path, p+"/") {
				return true
			}
		}
	}
	return false
}

// failures records error classes and literal exit statuses.
func (s *jsScan) failures() {
	for _, d := range s.Decls {
		if d.Kind != KindClass {
			continue
		}
		for _, b := range d.Bases {
			if strings.HasSuffix(b, "Error") || strings.HasSuffix(b, "Exception") {
				s.Failures = append(s.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
				break
			}
		}
	}
	s.src.each("exit", func(off int) {
		open := s.src.skip(off + len("exit"))
		if !s.src.hasAt(off-len("process."), "process.") || s.src.at(open) != '(' {
			return
		}
		if args := s.src.args(open, 0); len(args) == 1 {
			code := s.src.literalValue(args[0].start, args[0].end)
			if line := s.src.line(off); isNumber(code) && code != "0" {
				s.Failures = append(s.Failures, Failure{Name: "exit " + code, Line: line, End: line})
			}
		}
	})
}
