package extractive

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A fieldCall is a call of a function that a field or a pointer holds: what it runs is decided elsewhere.
type fieldCall struct {
	shown string     // as written: "c->cmd->proc", or the name of the field
	line  int        // of the call
	field survey.Ref // of the declaration of the field, if it is known
}

// maxFieldCalls bounds the calls through fields that are told of a function.
const maxFieldCalls = 10

// fieldCalls are the calls that a function makes through fields, each field once, in source order.
func (g *callGraph) fieldCalls(from symbol) []fieldCall {
	switch from.file.Language {
	case "C", "C++":
		return g.pointerCalls(from)
	case "Go":
		return g.goFieldCalls(from)
	}
	return nil
}

// goFieldCalls finds the calls of exported fields of function type. The name has to belong to one field of the package alone.
func (g *callGraph) goFieldCalls(from symbol) []fieldCall {
	var out []fieldCall
	seen := make(map[string]bool)
	for _, c := range g.callers[from.file][from.name()] {
		if c.Line < from.decl.Start || c.Line > from.decl.End || c.Nested || c.Qualifier == "" || seen[c.Name] || len(out) == maxFieldCalls {
			continue
		}
		if _, imported := g.imports[from.file][c.Qualifier]; imported {
			continue
		}
		if f, ok := g.functionField(from, c); ok {
			seen[c.Name] = true
			out = append(out, fieldCall{shown: c.Name, line: c.Line, field: f.ref()})
		}
	}
	return out
}

// functionField is the field of function type that a call means: that of the receiver, or the only one of its name in the package, which has
// no method or function of that name.
func (g *callGraph) functionField(from symbol, c scan.Call) (symbol, bool) {
	p := g.atlas.ofFile[from.file.Path]
	if p == nil || len(g.named[c.Name]) > 0 {
		return symbol{}, false
	}
	var found []symbol
	for _, name := range p.Files {
		f := g.atlas.repo.Files[name]
		if f == nil {
			continue
		}
		for i := range f.Decls {
			if d := &f.Decls[i]; d.Kind == scan.KindField && d.Name == c.Name {
				found = append(found, symbol{d, f})
			}
		}
	}
	if len(found) != 1 || !g.holdsFunction(found[0], p) {
		return symbol{}, false
	}
	return found[0], true
}

// holdsFunction reports whether a field is declared as a function, or with a function type of its package.
func (g *callGraph) holdsFunction(field symbol, p *survey.Package) bool {
	of := strings.TrimSpace(strings.TrimPrefix(field.decl.Signature, field.decl.Name))
	of, _, _ = strings.Cut(of, " `")
	if strings.HasPrefix(of, "func(") {
		return true
	}
	return slices.ContainsFunc(g.goTypes[p.Dir], func(t symbol) bool {
		return t.decl.Name == of && strings.HasPrefix(t.decl.Signature, "type "+of+" func(")
	})
}

// pointerCalls finds the calls of C through a pointer in a structure: x->f(…). Such a name that is also a function is left out.
func (g *callGraph) pointerCalls(from symbol) []fieldCall {
	lines := g.atlas.src.lines(from.file.Path)
	var out []fieldCall
	seen := make(map[string]bool)
	for n := from.decl.Start + 1; n <= min(from.decl.End, len(lines)); n++ {
		line := lines[n-1]
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "*") || strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "#") {
			continue
		}
		line, _, _ = strings.Cut(line, "/*")
		for rest, base := line, 0; ; {
			i := strings.Index(rest, "(")
			if i < 0 || len(out) == maxFieldCalls {
				break
			}
			path := pointerPath(line[:base+i])
			if name := path[strings.LastIndexAny(path, ">.")+1:]; strings.Contains(path, "->") && name != "" && !seen[path] && len(g.named[name]) == 0 {
				seen[path] = true
				out = append(out, fieldCall{shown: path, line: n})
			}
			base += i + 1
			rest = rest[i+1:]
		}
	}
	return out
}

// pointerPath is what a text ends with of the form a->b.c; a text in quotes is none.
func pointerPath(s string) string {
	i := len(s)
	for i > 0 && (wordByte(s[i-1]) && s[i-1] < 0x80 || s[i-1] == '>' && i > 1 && s[i-2] == '-' || s[i-1] == '-' && i < len(s) && s[i] == '>' || s[i-1] == '.') {
		i--
	}
	if strings.Count(s[:i], `"`)%2 == 1 {
		return ""
	}
	return s[i:]
}

// handed are the functions of C that are passed as values, as handlers of events are: nobody calls them by name where they run. They come
// with the number of places.
func (g *callGraph) handed() map[*scan.Decl]int {
	out := make(map[*scan.Decl]int)
	for _, name := range g.atlas.paths {
		f := g.atlas.repo.Files[name]
		if f.Language != "C" || f.IsTest || f.Generated || g.atlas.component(name) == nil {
			continue
		}
		for _, line := range g.atlas.src.lines(name) {
			if strings.IndexByte(line, '(') < 0 {
				continue
			}
			for w := range arguments(line) {
				if all := g.named[w]; len(all) == 1 && all[0].file.Language == "C" {
					out[all[0].decl]++
				}
			}
		}
	}
	return out
}

// arguments yields the plain names that stand as arguments of calls in a line: between "(" or "," and "," or ")".
func arguments(line string) func(func(string) bool) {
	return func(yield func(string) bool) {
		open := false // a call began before
		for i := 0; i < len(line); {
			c := line[i]
			if c == '(' {
				open = i > 0 && wordByte(line[i-1])
			}
			if !open || c != '(' && c != ',' {
				i++
				continue
			}
			start := i + 1
			for start < len(line) && line[start] == ' ' {
				start++
			}
			end := start
			for end < len(line) && wordByte(line[end]) && line[end] < 0x80 {
				end++
			}
			if i++; end > start && end < len(line) && (line[end] == ',' || line[end] == ')') {
				if !yield(line[start:end]) {
					return
				}
				i = end
			}
		}
	}
}

// eventStart is the handler from which most happens in a part that is driven by events, and of which the documents speak: in C the main
// function shows only how the events are set up.
func (a *atlas) eventStart(c *survey.Component) (symbol, bool) {
	if c == nil || c.Language != "C" {
		return symbol{}, false
	}
	handed := a.calls.handed()
	all := slices.DeleteFunc(a.symbols(c, func(d *scan.Decl) bool { return handed[d] > 0 && !failing(d.Name) }), func(s symbol) bool { return !a.explained(s) })
	slices.SortStableFunc(all, func(x, y symbol) int {
		return cmp.Or(cmp.Compare(handed[y.decl], handed[x.decl]), cmp.Compare(a.calls.reach(y)/64, a.calls.reach(x)/64))
	})
	if len(all) == 0 || a.calls.reach(all[0]) < manyBehind {
		return symbol{}, false
	}
	return all[0], true
}
