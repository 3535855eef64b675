package extractive

import (
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// weigh says how important a declaration is for a reader of its part: types before functions, by how many files use them and how much
// they can do. What somebody happened to document counts little.
func (a *atlas) weigh(c *survey.Component, s symbol) int {
	d := s.decl
	w := 2 * bits.Len(uint(a.uses[d.Name]))
	if typeKind(d.Kind) && s.file.Language != "Go" && len(a.basesNamed(d.Name)) > 1 {
		w /= 2 // which of several is meant cannot be counted by the name
	}
	if n := a.usedOutside(c, s); n > 0 {
		w += 8 + 2*bits.Len(uint(n)) - w/2 // a door of the part, not only one of its rooms
	}
	if d.Exported {
		w += 20
	}
	if d.Doc != "" {
		w += 2
	}
	script := (s.file.Language == "TypeScript" || s.file.Language == "JavaScript") && d.Kind != scan.KindClass
	if typeKind(d.Kind) && !script { // in a script, interfaces only describe what functions take
		w += 4 + bits.Len(uint(a.methods[path.Dir(s.file.Path)+"\x00"+d.Name])) + bits.Len(uint(d.End-d.Start))/2
		if d.Kind == scan.KindClass || d.Kind == scan.KindStruct {
			w += bits.Len(uint(a.methods[path.Dir(s.file.Path)+"\x00"+d.Name]))
		}
	} else if functionKind(d.Kind) && d.End-d.Start < 5 && path.Ext(s.file.Path) != ".h" {
		w -= 8 // a helper, whoever calls it
	}
	if path.Dir(s.file.Path) == c.Dir {
		w += 2
	}
	if supports(s.file.Path) || standIn(d.Name) || s.file.BuildTag || d.TypeOnly || d.Deprecated || aside(path.Dir(strings.TrimPrefix(s.file.Path, c.Dir))) {
		w -= 14 // mocks, helpers of tests, and what an ordinary build leaves out
	}
	if s.file.Language == "Rust" && c.Role != "program" && crateOnly(d) {
		w -= 14 // others cannot use it
	}
	if failing(d.Name) || passing(d.Name) && !a.names(c, d.Name) {
		w -= 5
	}
	for _, n := range central {
		if strings.HasSuffix(d.Name, n) && typeKind(d.Kind) {
			w += 3
			if s.file.Language == "Go" && a.methods[path.Dir(s.file.Path)+"\x00"+d.Name] >= 5 {
				w += 4 // it acts, where others are passed around
			}
			break
		}
	}
	if a.names(c, d.Name) {
		w += 6
	}
	if plain[strings.ToLower(d.Name)] {
		w -= 6
	}
	return w
}

// names reports whether a declaration is called like its part, or like the repository.
func (a *atlas) names(c *survey.Component, name string) bool {
	base, name := strings.ToLower(path.Base(c.ID)), strings.ToLower(name)
	return name == base || name == strings.TrimSuffix(base, "s") || name == strings.ToLower(a.repo.Name)
}

// central are last words of type names by which people call what drives the others.
var central = []string{"Manager", "Engine", "Server", "Handler", "Kernel", "Application", "Compiler", "Scanner", "Searcher", "Dispatcher", "Router", "Store", "DB"}

// plain are names of helpers and values that many parts have; none of them is the centre of a part.
var plain = map[string]bool{
	"options": true, "config": true, "error": true, "string": true, "equal": true, "point": true, "props": true, "result": true, "state": true,
	"kind": true, "type": true, "node": true, "item": true, "value": true, "min": true, "max": true, "len": true, "reset": true, "close": true,
	"hash": true, "noop": true, "get": true, "set": true, "print": true, "assert": true, "debug": true, "log": true, "sdconfig": true, "stats": true,
}

// keySymbol is the place where reading a part starts: the entry of its program, else its most important declaration.
func (a *atlas) keySymbol(c *survey.Component) (symbol, bool) {
	for _, g := range a.mainPrograms() {
		if g.Component == c.ID && (c.Role == "program" || c.Language == "C" || c.Language == "C++") {
			if s, ok := a.calls.entry(g.Entry); ok {
				return s, true
			}
		}
	}
	all := a.mainDeclarations(c)
	if len(all) == 0 {
		return symbol{}, false
	}
	return all[0], true
}

// crateOnly reports whether a declaration of Rust is seen in its crate alone.
func crateOnly(d *scan.Decl) bool {
	return strings.HasPrefix(d.Signature, "pub(crate)") || strings.HasPrefix(d.Signature, "pub(super)") || strings.HasPrefix(d.Signature, "pub(in ")
}

// mainDeclarations are the types and functions of a part that others can use, most important first; all of them where none is exported.
func (a *atlas) mainDeclarations(c *survey.Component) []symbol {
	all := a.symbols(c, func(d *scan.Decl) bool {
		return (typeKind(d.Kind) || functionKind(d.Kind)) && d.Parent == "" && !d.TypeOnly && !d.Deprecated
	})
	out := slices.DeleteFunc(slices.Clone(all), func(s symbol) bool {
		return !s.decl.Exported || c.Role != "program" && crateOnly(s.decl) || supports(s.file.Path) || standIn(s.decl.Name) || s.file.BuildTag
	})
	if len(out) == 0 {
		return all
	}
	if own := slices.DeleteFunc(slices.Clone(out), func(s symbol) bool { return path.Dir(s.file.Path) != c.Dir }); len(own) > 0 && c.Language != "Rust" {
		return own // what lies deeper is one of several things that the part has
	}
	return out
}
