package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// keeperNames are the last words of type names by which people call something that keeps state.
var keeperNames = []string{"Store", "Storage", "Cache", "Registry", "Repository", "State", "Session", "Database", "DB", "Queue", "Pool", "Index", "Table", "Buffer", "Manager", "Graph", "Map", "Log", "Appender", "Dict", "Stack", "Heap", "Bag", "Collection", "Container"}

// writerNames are the first words of method names that say that they change what is kept.
var writerNames = []string{"Set", "Add", "Put", "Delete", "Remove", "Append", "Insert", "Update", "Save", "Write", "Push", "Pop", "Clear", "Reset", "Store", "Register", "Commit", "Evict", "Truncate", "Rollback", "Replace", "Purge", "Flush"}

// stateRows tables the types of a part that keep state by their name and their writing methods. Only types that declare such a method
// count, so that a name alone proves nothing.
func (a *atlas) stateRows(p *page, c *survey.Component, limit int) []row {
	var rows []row
	keepers := a.symbols(c, func(d *scan.Decl) bool {
		return typeKind(d.Kind) && d.Kind != scan.KindInterface && d.Kind != scan.KindTrait && keeper(d.Name)
	})
	seen := make(map[string]bool)
	for _, s := range keepers {
		writers := a.writers(c, s)
		if len(rows) == limit || len(writers) == 0 || seen[s.decl.Name] {
			continue
		}
		seen[s.decl.Name] = true
		refs := a.docRefs(s)
		var names, plain []text
		for _, w := range writers[:min(5, len(writers))] {
			names = append(names, p.linked(code(w.decl.Name), w.ref()))
			plain = append(plain, code(w.decl.Name))
			refs = append(refs, w.ref())
		}
		says := text{}
		claim := compose("{} keeps state; the names of its methods {} say that they write.", code(s.decl.Name), list(plain))
		if doc := firstSentence(s.decl.Doc); usable(doc) {
			says = quote(sentence(doc))
		}
		rows = append(rows, row{cells: []text{p.linked(code(s.decl.Name), s.ref()), says, list(names)}, claim: claim, refs: refs})
	}
	return rows
}

func keeper(name string) bool {
	return slices.ContainsFunc(keeperNames, func(k string) bool {
		return strings.HasSuffix(name, k) || strings.EqualFold(name, k)
	})
}

// writers are the methods of a type that change it, by name.
func (a *atlas) writers(c *survey.Component, s symbol) []symbol {
	var out []symbol
	for _, f := range a.files(c) {
		if path.Dir(f.Path) != path.Dir(s.file.Path) || f.Language != "Go" && f != s.file {
			continue // another type of the same name
		}
		for i := range f.Decls {
			d := &f.Decls[i]
			if d.Kind == scan.KindMethod && d.Parent == s.decl.Name && writes(d.Name) {
				out = append(out, symbol{d, f})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y symbol) int {
		exported := func(s symbol) int {
			if s.decl.Exported {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(exported(x), exported(y)), cmp.Compare(x.decl.Name, y.decl.Name))
	})
	return slices.CompactFunc(out, func(x, y symbol) bool { return x.decl.Name == y.decl.Name })
}

func writes(name string) bool {
	return slices.ContainsFunc(writerNames, func(w string) bool {
		rest, ok := strings.CutPrefix(name, w)
		if !ok {
			rest, ok = strings.CutPrefix(name, strings.ToLower(w))
		}
		return ok && (rest == "" || rest[0] == '_' || rest[0] >= 'A' && rest[0] <= 'Z')
	})
}

// failureRows tables the errors a part declares and the statuses it exits with: statuses first, then by name.
func (a *atlas) failureRows(p *page, c *survey.Component, limit int) []row {
	type failure struct {
		scan.Failure
		file *scan.File
	}
	var all []failure
	for _, f := range a.files(c) {
		for _, x := range f.Failures {
			all = append(all, failure{x, f})
		}
	}
	rank := func(x failure) int {
		switch {
		case strings.HasPrefix(x.Name, "exit "):
			return 0
		case x.Text != "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(x, y failure) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x.Name, y.Name), cmp.Compare(x.file.Path, y.file.Path))
	})
	all = slices.CompactFunc(all, func(x, y failure) bool { return x.Name == y.Name })
	var rows []row
	for _, x := range all {
		if len(rows) == limit {
			break
		}
		ref := survey.Ref{Path: x.file.Path, Start: x.Line, End: x.Line}
		if status, ok := strings.CutPrefix(x.Name, "exit "); ok {
			rows = append(rows, a.exitRow(p, x.file, ref, status))
			continue
		}
		means := firstSentence(x.Text)
		if means == "" || strings.Trim(means, ".") == x.Name {
			continue
		}
		refs := []survey.Ref{ref}
		for i := range x.file.Decls { // the text may be the doc comment above the declaration
			if d := &x.file.Decls[i]; d.Name == x.Name && d.Start == x.Line {
				refs = a.docRefs(symbol{d, x.file})
			}
		}
		rows = append(rows, row{
			cells: []text{p.linked(code(x.Name), ref), quote(means)},
			claim: compose("{} means: {}", code(x.Name), quote(sentence(means))), refs: refs,
		})
	}
	return rows
}

// exitRow tells where the process ends with a status, and in which function.
func (a *atlas) exitRow(p *page, f *scan.File, at survey.Ref, status string) row {
	r := row{
		cells: []text{compose("exit status {}", p.linked(code(status), at)), words("the process ends here")},
		claim: compose("The process ends with exit status {} in {}.", code(status), words(path.Base(f.Path))), refs: []survey.Ref{at},
	}
	for i := range f.Decls {
		d := &f.Decls[i]
		if !functionKind(d.Kind) || d.Start > at.Start || d.End < at.Start {
			continue
		}
		s := symbol{d, f}
		r.cells[1] = compose("ends the process in {}", p.linked(code(s.name()), s.ref()))
		r.claim = compose("{} ends the process with exit status {}.", code(d.Name), code(status))
		r.refs = append(r.refs, s.ref())
		if doc := firstSentence(d.Doc); usable(doc) {
			r.cells[1] = compose("{}: {}", r.cells[1], quote(sentence(doc)))
			r.claim = compose("{} {}", r.claim, quote(sentence(doc)))
			r.refs = append([]survey.Ref{at}, a.docRefs(s)...)
		}
		return r
	}
	return r
}
