package extractive

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// howToAdd tells how one more sibling is added: the one to copy, the place that lists them all, and the test that shows how. base is the type
// that they share; its decl is nil where they share only a pattern of names.
func (a *atlas) howToAdd(p *page, base symbol, members []symbol, c *survey.Component) (text, []survey.Ref) {
	like := a.model(members)
	where, more, listed := a.whereListed(p, members, c)
	if named := slices.DeleteFunc(slices.Clone(members), func(s symbol) bool { return !listed || !a.spells(more[0], s.decl.Name) }); len(named) > 0 {
		like = a.model(named) // what is copied has to stand where the reader is sent
	}
	t := compose("To add one: 1. write it like {} in {};", p.linked(code(like.decl.Name), like.ref()), label(path.Base(like.file.Path)))
	t.names = []string{like.decl.Name}
	refs := []survey.Ref{like.ref()}
	n := "2"
	if listed {
		t = compose("{} "+n+". add it in {};", t, where)
		refs = append(refs, more...)
		n = "3"
	}
	if test, ok := a.siblingTest(extension{uses: slices.Concat([]symbol{like}, members)}); ok {
		t = compose("{} "+n+". test it like {}, which names one of them.", t, p.at(test))
		refs = append(refs, test)
	} else if test, ok := a.ownTest(members); ok {
		t = compose("{} "+n+". test it like {}, whose name follows one of them.", t, p.at(test))
		refs = append(refs, test)
	} else if test, ok := a.testNaming(base); ok {
		t = compose("{} "+n+". test it like {}, which names {}.", t, p.at(test), label(base.decl.Name))
		refs = append(refs, test)
	}
	t.md, t.plain = strings.TrimSuffix(t.md, ";"), strings.TrimSuffix(t.plain, ";")
	return compose("{}", text{md: sentence(t.md), plain: sentence(t.plain), names: t.names}), refs
}

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

// importedOneByOne is the directory of a program whose files each import one of the packages of most call sites, with such a line.
func (a *atlas) importedOneByOne(sites []survey.Ref) (survey.Ref, bool) {
	dirs := siteDirs(sites)
	count, first := make(map[string]map[string]bool), make(map[string]survey.Ref)
	for _, name := range a.paths {
		f, in := a.repo.Files[name], path.Dir(name)
		if f.IsTest || f.Language != "Go" || dirs[in] || !a.inProgram(in) {
			continue
		}
		for _, imp := range f.Imports {
			if dir, ok := a.calls.resolver.goDir(imp.Path); ok && dirs[dir] {
				if count[in] == nil {
					count[in], first[in] = make(map[string]bool), survey.Ref{Path: name, Start: imp.Line, End: imp.Line}
				}
				count[in][dir] = true
			}
		}
	}
	best := ""
	for _, in := range slices.Sorted(maps.Keys(count)) {
		if len(count[in]) >= max(least, (len(dirs)+2)/3) && (best == "" || len(count[in]) > len(count[best])) {
			best = in
		}
	}
	return first[best], best != ""
}

// model is the sibling to copy: one that a test of its own file names, else the first.
func (a *atlas) model(members []symbol) symbol {
	all := a.spread(members, len(members))
	if real := slices.DeleteFunc(slices.Clone(all), placeholder); len(real) > 0 {
		all = real
	}
	for _, s := range all {
		if _, ok := a.testOf(s.file.Path, s.decl.Name); ok {
			return s
		}
	}
	return all[0]
}

// placeholder reports whether a type by its name stands for none in particular.
func placeholder(s symbol) bool {
	for _, w := range nameWords(s.decl.Name) {
		switch strings.ToLower(w) {
		case "unknown", "base", "abstract", "default", "null", "empty", "wrapper", "partial":
			return true
		}
	}
	return standIn(s.decl.Name)
}

// whereListed is the place in which the siblings are listed: by their names, or by the words in which their names differ.
func (a *atlas) whereListed(p *page, members []symbol, c *survey.Component) (text, []survey.Ref, bool) {
	if c == nil {
		return text{}, nil, false
	}
	if ref, ok := a.registry(members, c); ok {
		return compose("{}, where the others are named", p.at(ref)), []survey.Ref{ref}, true
	}
	ref, found, ok := a.listedByWord(members, c)
	if !ok {
		return text{}, nil, false
	}
	var names []text
	for _, w := range found {
		names = append(names, code(w))
	}
	t := compose("{}, which lists {}", p.at(ref), list(names))
	refs := []survey.Ref{ref}
	if in, ok := enclosing(a.repo.Files[ref.Path], ref.Start); ok {
		t = compose("{} in {}", t, p.linked(code(in.decl.Name), in.ref()))
		refs = append(refs, in.ref())
	}
	return t, refs, true
}

// listedByWord finds the line of a part that lists, as names, the words in which the siblings differ: GenBashCompletion, GenZshCompletion and
// others belong to "AddCommand(bash, zsh, fish)".
func (a *atlas) listedByWord(members []symbol, c *survey.Component) (survey.Ref, []string, bool) {
	differ := differing(members)
	if len(differ) < least {
		return survey.Ref{}, nil, false
	}
	for _, f := range a.files(c) {
		for i, line := range a.src.lines(f.Path) {
			if !strings.ContainsAny(line, "([{") || importing(line) {
				continue
			}
			var found []string
			for w := range identifiers(line) {
				if differ[strings.ToLower(w)] && !slices.Contains(found, w) && !quoted(line, w) {
					found = append(found, w)
				}
			}
			if len(found) >= least && 3*len(found) >= 2*len(differ) {
				return survey.Ref{Path: f.Path, Start: i + 1, End: i + 1}, found, true
			}
		}
	}
	return survey.Ref{}, nil, false
}

// quoted reports whether the first place of a word in a line is inside a string or behind a comment mark.
func quoted(line, word string) bool {
	before, _, _ := strings.Cut(line, word)
	return strings.Count(before, `"`)%2 == 1 || strings.Count(before, "`")%2 == 1 || strings.Count(before, "'")%2 == 1 || strings.Contains(before, "//")
}

// differing are the words between the first and the last of the names of siblings, joined, in lower case.
func differing(members []symbol) map[string]bool {
	out := make(map[string]bool)
	for _, m := range members {
		w := nameWords(m.decl.Name)
		if len(w) < 3 {
			return nil
		}
		out[strings.ToLower(strings.Join(w[1:len(w)-1], ""))] = true
	}
	return out
}

// ownTest finds, in languages whose files carry their tests, a test that is named after one of the siblings: test_after_context for
// AfterContext.
func (a *atlas) ownTest(members []symbol) (survey.Ref, bool) {
	for _, s := range members {
		if s.file.Language != "Rust" {
			continue
		}
		want := strings.ToLower(strings.Join(nameWords(s.decl.Name), "_"))
		for _, t := range s.file.Tests {
			if name := t.Name[strings.LastIndexAny(t.Name, ":.")+1:]; name == "test_"+want || name == want {
				return survey.Ref{Path: s.file.Path, Start: t.Line, End: max(t.Line, min(t.End, t.Line+1))}, true
			}
		}
	}
	return survey.Ref{}, false
}

// testNaming finds the first test that names a type which others extend.
func (a *atlas) testNaming(base symbol) (survey.Ref, bool) {
	if base.decl == nil || len(a.calls.named[base.decl.Name]) > 0 || len(a.basesNamed(base.decl.Name)) != 1 {
		return survey.Ref{}, false
	}
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if !f.IsTest || len(f.Tests) == 0 || f.Language != base.file.Language {
			continue
		}
		for _, t := range f.Tests {
			if a.spells(survey.Ref{Path: name, Start: t.Line, End: max(t.Line, t.End)}, base.decl.Name) {
				return survey.Ref{Path: name, Start: t.Line, End: t.Line}, true
			}
		}
	}
	return survey.Ref{}, false
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
