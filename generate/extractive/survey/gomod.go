package survey

import (
	"path"
	"regexp"

	"golang.org/x/mod/modfile"
)

// readGoMod reads a go.mod file. Indirect requirements are not dependencies the authors chose, so they are left out.
func readGoMod(m *manifest, data []byte) bool {
	f, err := modfile.Parse(m.Manifest, data, nil)
	if err != nil { // a directive of a newer Go; the lax parser leaves replacements out
		f, err = modfile.ParseLax(m.Manifest, data, nil)
	}
	if err != nil || f.Module == nil {
		return false
	}
	m.Ecosystem, m.Name = "go", clean(f.Module.Mod.Path)
	m.NameRef = goLine(m.Manifest, f.Module.Syntax)
	if f.Go != nil {
		m.Requires = Fact{Text: "Go " + clean(f.Go.Version), Ref: goLine(m.Manifest, f.Go.Syntax)}
	}
	for _, r := range f.Require {
		if r.Indirect {
			continue
		}
		m.depend(r.Mod.Path, r.Mod.Version, false, goLine(m.Manifest, r.Syntax), r.Mod.Path)
	}
	for _, r := range f.Replace {
		if r.New.Version != "" {
			continue
		}
		if dir := join(m.Dir, r.New.Path); dir != "" {
			m.local = append(m.local, Fact{Text: dir, Ref: goLine(m.Manifest, r.Syntax)})
		}
	}
	return true
}

// readGoWork reads the members of a Go workspace.
func readGoWork(m *manifest, data []byte) bool {
	f, err := modfile.ParseWork(m.Manifest, data, nil)
	if err != nil {
		return false
	}
	m.Ecosystem, m.unnamed = "go", true
	for _, u := range f.Use {
		if dir := join(m.Dir, u.Path); dir != "" {
			m.members = append(m.members, Fact{Text: clean(u.Path), Ref: goLine(m.Manifest, u.Syntax)})
		}
	}
	return true
}

func goLine(name string, line *modfile.Line) Ref {
	if line == nil {
		return Ref{Path: name}
	}
	return Ref{Path: name, Start: line.Start.Line, End: line.End.Line}
}

// goModuleName returns the last element of a module path that names something: a major version suffix does not.
func goModuleName(modulePath string) string {
	base := path.Base(modulePath)
	if majorVersion(base) {
		base = path.Base(path.Dir(modulePath))
	}
	return base
}

func majorVersion(s string) bool {
	ok, _ := regexp.MatchString(`^v[0-9]+$`, s)
	return ok
}
