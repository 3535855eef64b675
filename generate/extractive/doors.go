package extractive

import (
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A door is a name as a part of the repository uses it.
type door struct {
	part *survey.Component
	name string
}

// usedOutside is the number of files in which the parts that import a part call, construct or import something of the name of a declaration. It
// is for ordering only, because another part may declare the same name, and for Rust only, where imports name what is used.
func (a *atlas) usedOutside(c *survey.Component, s symbol) int {
	if s.file.Language != "Rust" || !s.decl.Exported || s.decl.Parent != "" {
		return 0
	}
	a.filled.doorsOnce.Do(a.indexDoors)
	n := 0
	for _, u := range a.users(c) {
		n += a.filled.doors[door{u, s.decl.Name}]
	}
	return n
}

// users are the parts that import a part. One that declares nothing only passes on what it imports: those that import it count in its place.
func (a *atlas) users(c *survey.Component) []*survey.Component {
	var out []*survey.Component
	for _, e := range c.UsedBy {
		u := a.byID[e.To]
		if u == nil || u.Role == "tests" || u.Role == "examples" {
			continue
		}
		if out = append(out, u); !a.passesOn(u) {
			continue
		}
		for _, e := range u.UsedBy {
			if v := a.byID[e.To]; v != nil {
				out = append(out, v)
			}
		}
	}
	return out
}

// passesOn reports whether a part declares neither types nor functions.
func (a *atlas) passesOn(c *survey.Component) bool {
	for _, f := range a.files(c) {
		for i := range f.Decls {
			if typeKind(f.Decls[i].Kind) || functionKind(f.Decls[i].Kind) {
				return false
			}
		}
	}
	return true
}

// indexDoors counts for each exported name the files of each part that use it.
func (a *atlas) indexDoors() {
	doors := make(map[door]int)
	a.filled.doors = doors
	exported := make(map[string]bool)
	for _, f := range a.repo.Files {
		if f.Language != "Rust" {
			continue
		}
		for i := range f.Decls {
			if d := &f.Decls[i]; d.Exported && d.Parent == "" {
				exported[d.Name] = true
			}
		}
	}
	for _, c := range a.parts {
		for _, f := range a.files(c) {
			for name := range usedNames(f) {
				if exported[name] {
					doors[door{c, name}]++
				}
			}
		}
	}
}

// usedNames are the names that a file calls, constructs, or imports.
func usedNames(f *scan.File) map[string]bool {
	out := make(map[string]bool)
	for _, c := range f.Calls {
		out[c.Name] = true
		out[c.Qualifier[strings.LastIndexAny(c.Qualifier, ".:")+1:]] = true
	}
	for _, imp := range f.Imports {
		out[imp.Path[strings.LastIndexAny(imp.Path, "./:\\")+1:]] = true
	}
	return out
}
