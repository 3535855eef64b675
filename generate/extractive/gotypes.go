package extractive

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// A typed is a named type of Go with the directory of its package.
type typed struct{ dir, name string }

// method resolves a call in Go on a value whose type the source spells: a field of the receiver's struct, a parameter, or a variable that a
// constructor of the repository made.
func (g *callGraph) method(from symbol, c scan.Call) (symbol, bool) {
	if from.file.Language != "Go" || c.Qualifier == "" || strings.ContainsAny(c.Qualifier, "()[]") {
		return symbol{}, false
	}
	t, ok := g.typeOf(from, c.Qualifier)
	if !ok {
		return symbol{}, false
	}
	return g.unique(g.methods[t.dir][t.name+"."+c.Name], nil, true)
}

// typeOf is the type of "x" or "x.field" in a function.
func (g *callGraph) typeOf(from symbol, expr string) (typed, bool) {
	first, field, deep := strings.Cut(expr, ".")
	if strings.Contains(field, ".") {
		return typed{}, false
	}
	t, ok := typed{path.Dir(from.file.Path), from.decl.Parent}, g.ownReceiver(from, first)
	if !ok {
		t, ok = g.variables(from)[first]
	}
	if !ok || !deep {
		return t, ok
	}
	t, ok = g.fields(t)[field]
	return t, ok
}

// fields are the fields of a struct whose types are named ones of the repository.
func (g *callGraph) fields(of typed) map[string]typed {
	return g.structs.get(of, func(of typed) map[string]typed {
		out := make(map[string]typed)
		for _, s := range g.goTypes[of.dir] {
			if s.decl.Name != of.name || s.decl.Kind != scan.KindStruct {
				continue
			}
			lines := g.atlas.src.lines(s.file.Path)
			for n := s.decl.Start + 1; n < min(s.decl.End, len(lines)+1); n++ {
				if m := goField()(lines[n-1]); m != nil {
					if t, ok := g.spelled(s.file, m[2]); ok {
						for name := range strings.SplitSeq(m[1], ",") {
							out[strings.TrimSpace(name)] = t
						}
					}
				}
			}
		}
		return out
	})
}

var (
	goField = sync.OnceValue(func() func(string) []string {
		return regexp.MustCompile("^\\s+(\\w+(?:, \\w+)*)\\s+(\\*?(?:\\w+\\.)?[A-Za-z]\\w*)\\s*(?:`.*)?(?://.*)?$").FindStringSubmatch
	})
	goParameter = sync.OnceValue(func() func(string, int) [][]string {
		return regexp.MustCompile(`(\w+) (\*?(?:\w+\.)?[A-Z]\w*)(?:[,)]|$)`).FindAllStringSubmatch
	})
	goMade = sync.OnceValue(func() func(string) []string {
		return regexp.MustCompile(`^\s+(\w+)(?:, \w+)? := (?:(\w+)\.)?(\w+)\(`).FindStringSubmatch
	})
	goResult = sync.OnceValue(func() func(string) []string {
		return regexp.MustCompile(`\) \(?(\*?(?:\w+\.)?[A-Za-z]\w*)(?:, error\)|\)?)$`).FindStringSubmatch
	})
)

// spelled is the type that a file spells "T", "*T" or "pkg.T", where the repository declares it once.
func (g *callGraph) spelled(f *scan.File, s string) (typed, bool) {
	s = strings.TrimPrefix(s, "*")
	dir := path.Dir(f.Path)
	if pkg, name, ok := strings.Cut(s, "."); ok {
		where, known := g.imports[f][pkg]
		if !known {
			return typed{}, false
		}
		dir, s = where, name
	}
	found := 0
	for _, t := range g.goTypes[dir] {
		if t.decl.Name == s {
			found++
		}
	}
	return typed{dir, s}, found == 1
}

// variables are the parameters and variables of a function whose types are known. A name that is declared twice, as in an inner block, has no
// certain type.
func (g *callGraph) variables(from symbol) map[string]typed {
	return g.vars.get(from.decl, func(*scan.Decl) map[string]typed {
		out, declared := make(map[string]typed), make(map[string]int)
		_, parameters, _ := strings.Cut(strings.TrimPrefix(from.decl.Signature, "func ("), "(")
		for _, m := range goParameter()(parameters, 20) {
			declared[m[1]]++
			if t, ok := g.spelled(from.file, m[2]); ok {
				out[m[1]] = t
			}
		}
		lines := g.atlas.src.lines(from.file.Path)
		for n := from.decl.Start + 1; n <= min(from.decl.End, len(lines)); n++ {
			for _, name := range declaredNames(lines[n-1]) {
				declared[name]++
			}
			if m := goMade()(lines[n-1]); m != nil {
				if t, ok := g.madeBy(from, m[2], m[3]); ok {
					out[m[1]] = t
				}
			}
		}
		for name, n := range declared {
			if n > 1 {
				delete(out, name)
			}
		}
		return out
	})
}

// declaredNames are the names that a line of a function declares, those of parameters of function literals included.
func declaredNames(line string) []string {
	var out []string
	if left, _, ok := strings.Cut(line, ":="); ok {
		left = strings.TrimSpace(left)
		left = left[strings.LastIndexAny(left, "{;\t")+1:]
		for name := range strings.SplitSeq(left, ",") {
			name = strings.TrimSpace(name)
			out = append(out, name[strings.LastIndexByte(name, ' ')+1:])
		}
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "var "); ok {
		name, _, _ := strings.Cut(rest, " ")
		out = append(out, name)
	}
	if _, parameters, ok := strings.Cut(line, "func("); ok {
		parameters, _, _ = strings.Cut(parameters, ")")
		for word := range identifiers(parameters) {
			out = append(out, word)
		}
	}
	return out
}

// madeBy is the type that a function of the repository returns, alone or with an error.
func (g *callGraph) madeBy(from symbol, pkg, name string) (typed, bool) {
	dir := path.Dir(from.file.Path)
	if pkg != "" {
		where, ok := g.imports[from.file][pkg]
		if !ok {
			return typed{}, false
		}
		dir = where
	}
	all := g.funcs[dir][name]
	if len(all) != 1 {
		return typed{}, false
	}
	m := goResult()(all[0].decl.Signature)
	if m == nil {
		return typed{}, false
	}
	return g.spelled(all[0].file, m[1])
}

// started are the calls that functions make which a function passes on or starts: what is named like a loop runs for as long as the program.
func (g *callGraph) started(from symbol) []step {
	var out []step
	for _, c := range g.callers[from.file][from.name()] {
		if !c.Nested || c.Line < from.decl.Start || c.Line > from.decl.End || !loops(c.Name) || len(out) == maxCalls {
			continue
		}
		if to, ok := g.target(from, c); ok {
			said := c.Name
			if c.Qualifier != "" {
				said = c.Qualifier + "." + c.Name
			}
			out = append(out, step{to: to, line: c.Line, said: said})
		}
	}
	return out
}
