package extractive

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// siteDirs are the directories of call sites.
func siteDirs(sites []survey.Ref) map[string]bool {
	dirs := make(map[string]bool)
	for _, r := range sites {
		dirs[path.Dir(r.Path)] = true
	}
	return dirs
}

// inProgram reports whether a package of Go is linked into a program of the repository: a list of imports that no program imports adds
// nothing. Where there is no program, every package may be.
func (a *atlas) inProgram(dir string) bool {
	a.filled.linkedOnce.Do(func() {
		a.filled.linkedDirs = make(map[string]bool)
		var queue []string
		for _, g := range a.mainPrograms() {
			queue = append(queue, path.Dir(g.Entry.Path))
		}
		for ; len(queue) > 0; queue = queue[1:] {
			p := a.byDir[queue[0]]
			if p == nil || a.filled.linkedDirs[p.Dir] {
				continue
			}
			a.filled.linkedDirs[p.Dir] = true
			for _, e := range p.Imports {
				queue = append(queue, e.To)
			}
		}
	})
	return len(a.filled.linkedDirs) == 0 || a.filled.linkedDirs[dir]
}

// A linkage is a directory of a program whose files each import one of several packages.
type linkage struct {
	at    survey.Ref // an import line of one of the files
	under survey.Ref // the build constraint of that file; Path "" where it has none
	by    survey.Ref // the line by which a program imports the directory; Path "" where it does so at second hand
}

// importedOneByOne is the directory of a program whose files each import one of the packages of most call sites. The example is a file that is
// compiled under a condition, where most of them are: a new one has to bring its own.
func (a *atlas) importedOneByOne(sites []survey.Ref) (linkage, bool) {
	dirs := siteDirs(sites)
	count, lines := make(map[string]map[string]bool), make(map[string][]survey.Ref)
	for _, name := range a.paths {
		f, in := a.repo.Files[name], path.Dir(name)
		if f.IsTest || f.Language != "Go" || dirs[in] || !a.inProgram(in) {
			continue
		}
		first := 0
		for _, imp := range f.Imports {
			if dir, ok := a.calls.resolver.goDir(imp.Path); ok && dirs[dir] {
				if count[in] == nil {
					count[in] = make(map[string]bool)
				}
				count[in][dir] = true
				if first == 0 {
					first = imp.Line
				}
			}
		}
		if first > 0 {
			lines[in] = append(lines[in], survey.Ref{Path: name, Start: first, End: first})
		}
	}
	best := ""
	for _, in := range slices.Sorted(maps.Keys(count)) {
		if len(count[in]) >= max(least, (len(dirs)+2)/3) && (best == "" || len(count[in]) > len(count[best])) {
			best = in
		}
	}
	if best == "" {
		return linkage{}, false
	}
	out, conditional := linkage{at: lines[best][0]}, 0
	for _, at := range lines[best] {
		if under, ok := a.buildConstraint(at.Path); ok {
			if conditional++; conditional == 1 {
				out.at, out.under = at, under
			}
		}
	}
	if 2*conditional <= len(lines[best]) {
		out.at, out.under = lines[best][0], survey.Ref{}
	}
	out.by = a.importedByProgram(best)
	return out, true
}

// importedByProgram is the line by which a program imports a directory.
func (a *atlas) importedByProgram(dir string) survey.Ref {
	for _, g := range a.mainPrograms() {
		if p := a.byDir[path.Dir(g.Entry.Path)]; p != nil {
			for _, e := range p.Imports {
				if e.To == dir {
					return e.Ref
				}
			}
		}
	}
	return survey.Ref{}
}

// buildConstraint is the line of a Go file that says under which build tags it is compiled.
func (a *atlas) buildConstraint(file string) (survey.Ref, bool) {
	for i, line := range a.src.lines(file) {
		if strings.HasPrefix(line, "//go:build ") {
			return survey.Ref{Path: file, Start: i + 1, End: i + 1}, true
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return survey.Ref{}, false
}

// linkedIn tells where packages are imported one by one.
func (a *atlas) linkedIn(p *page, l linkage) (text, []survey.Ref) {
	t, refs := compose("The packages of those calls are imported one by one in the files of {}, as in {}", p.folder(path.Dir(l.at.Path)), p.at(l.at)), []survey.Ref{l.at}
	if l.under.Path != "" {
		line := a.src.lines(l.under.Path)[l.under.Start-1]
		t, refs = compose("{} under {}", t, p.linked(code(line), l.under)), append(refs, l.under)
	}
	if l.by.Path != "" {
		t, refs = compose("{}; a program imports that directory in {}", t, p.at(l.by)), append(refs, l.by)
	}
	return compose("{}.", t), refs
}

// importers is the file that imports the packages of most call sites of a registering function: there a new one is linked in.
func (a *atlas) importers(sites []survey.Ref) (*scan.File, int, bool) {
	dirs := siteDirs(sites)
	var best *scan.File
	most, line := max(least, (len(dirs)+2)/3)-1, 0
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if f.IsTest || f.Language != "Go" || len(f.Imports) <= most || dirs[path.Dir(name)] || !a.inProgram(path.Dir(name)) {
			continue
		}
		n, first := 0, 0
		for _, imp := range f.Imports {
			if dir, ok := a.calls.resolver.goDir(imp.Path); ok && dirs[dir] {
				if n++; first == 0 {
					first = imp.Line
				}
			}
		}
		if n > most {
			best, most, line = f, n, first
		}
	}
	return best, line, best != nil
}
