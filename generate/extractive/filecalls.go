package extractive

import (
	"cmp"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A fileUse is another file with how many of its functions are called, or call, and one line that proves it.
type fileUse struct {
	file  string
	count int        // different functions that are called, for ordering only
	ref   survey.Ref // of the first call
	name  string     // the function that is called there
}

// fileCalls are, for the source files of C, the files whose functions each calls and those by which its functions are called.
type fileCalls struct {
	calls, calledBy map[string][]fileUse
}

// callsBetweenFiles resolves the calls of C between files. All functions of a program share one name space, so that a name that is defined
// once is certain.
func (a *atlas) callsBetweenFiles() fileCalls {
	a.filled.fileCallsOnce.Do(func() { a.filled.fileCalls = a.findFileCalls() })
	return a.filled.fileCalls
}

func (a *atlas) findFileCalls() fileCalls {
	out := fileCalls{make(map[string][]fileUse), make(map[string][]fileUse)}
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if f.Language != "C" || f.IsTest || f.Generated || a.component(name) == nil || aside(path.Dir(name)) {
			continue
		}
		uses := make(map[string]*fileUse)
		seen := make(map[string]bool)
		var order []string
		for _, c := range f.Calls {
			all := sameLanguage(a.calls.named[c.Name], "C")
			if c.Qualifier != "" || standardC[c.Name] || len(all) != 1 || all[0].file == f || seen[c.Name] || all[0].file.Generated || aside(path.Dir(all[0].file.Path)) {
				continue
			}
			seen[c.Name] = true
			to := all[0].file.Path
			if uses[to] == nil {
				uses[to] = &fileUse{file: to, ref: survey.Ref{Path: name, Start: c.Line, End: c.Line}, name: c.Name}
				order = append(order, to)
			}
			uses[to].count++
		}
		for _, to := range order {
			u := *uses[to]
			out.calls[name] = append(out.calls[name], u)
			out.calledBy[to] = append(out.calledBy[to], fileUse{name, u.count, u.ref, u.name})
		}
	}
	for _, m := range []map[string][]fileUse{out.calls, out.calledBy} {
		for name := range m {
			slices.SortStableFunc(m[name], func(x, y fileUse) int {
				return cmp.Or(cmp.Compare(bits.Len(uint(y.count)), bits.Len(uint(x.count))), cmp.Compare(x.file, y.file))
			})
		}
	}
	return out
}

// Bounds of the tables of calls between files.
const (
	maxCallRows = 24
	maxCallees  = 5
)

// fileCallTable tells, for a flat part of C, which of its larger files calls which: the parts that its people would name are files.
func (a *atlas) fileCallTable(p *page, c *survey.Component) {
	if len(c.Groups) == 0 || c.Language != "C" {
		return
	}
	between := a.callsBetweenFiles()
	var sources []*scan.File
	for _, f := range a.files(c) {
		if path.Ext(f.Path) == ".c" && path.Dir(f.Path) == c.Dir && len(between.calls[f.Path]) > 0 {
			sources = append(sources, f)
		}
	}
	var rows []row
	for _, f := range largest(sources, maxCallRows) {
		base := label(path.Base(f.Path))
		calls, refs := a.usesShown(p, between.calls[f.Path], maxCallees)
		by, more := a.usesShown(p, between.calledBy[f.Path], maxCallees)
		claim := compose("{} calls functions of {}.", base, calls.said)
		if by.shown.md != "" {
			claim = compose("{} Functions of {} are called in {}.", claim, base, by.said)
		}
		rows = append(rows, row{cells: []text{p.linked(base, survey.Ref{Path: f.Path}), calls.shown, by.shown}, claim: claim, refs: append(refs, more...)})
	}
	slices.SortStableFunc(rows, func(x, y row) int { return cmp.Compare(x.cells[0].plain, y.cells[0].plain) })
	p.guide(words("The larger files, each with those whose functions it calls most and those that call its functions most. A link leads to one call; calls through pointers are not counted."))
	p.paragraph()
	p.table([]string{"File", "Calls functions of", "Its functions are called in"}, rows)
}

type usesText struct{ shown, said text }

func (a *atlas) usesShown(p *page, all []fileUse, limit int) (usesText, []survey.Ref) {
	var shown, said []text
	var refs []survey.Ref
	for _, u := range all[:min(limit, len(all))] {
		base := label(path.Base(u.file))
		shown, said, refs = append(shown, p.linked(base, u.ref)), append(said, base), append(refs, u.ref)
	}
	if len(all) > len(shown) {
		shown = append(shown, words("others"))
	}
	return usesText{list(shown), list(said)}, refs
}

// calledFrom is the cell that says where the functions of files are called, and whether that is one file alone.
func (a *atlas) calledFrom(p *page, files []string) (text, text, []survey.Ref) {
	var all []fileUse
	between := a.callsBetweenFiles()
	for _, f := range files {
		for _, u := range between.calledBy[f] {
			if !slices.Contains(files, u.file) && !slices.ContainsFunc(all, func(o fileUse) bool { return o.file == u.file }) {
				all = append(all, u)
			}
		}
	}
	if len(all) == 0 {
		return text{}, text{}, nil
	}
	uses, refs := a.usesShown(p, all, 3)
	if len(all) == 1 {
		return compose("{} alone", uses.shown), compose("called in {}", uses.said), refs
	}
	return uses.shown, compose("called in {}", uses.said), refs
}

// structFields tells of the fields of a structure that is the state of a process: those that most files use, in the words of their comments,
// with lines that change them.
func (a *atlas) structFields(p *page, c *survey.Component, variable symbol, limit int) []row {
	of := a.structOf(variable)
	if of.decl == nil {
		return nil
	}
	type field struct {
		name, said string
		declared   string
		ref        survey.Ref
		users      int
		writes     []survey.Ref
	}
	var all []*field
	byName := make(map[string]*field)
	lines := a.src.lines(of.file.Path)
	for n := of.decl.Start + 1; n < min(of.decl.End, len(lines)); n++ {
		name, said := fieldLine(lines[n-1])
		if name == "" || byName[name] != nil {
			continue
		}
		declared, _, _ := strings.Cut(lines[n-1], ";")
		f := &field{name: name, said: said, declared: strings.TrimSpace(declared), ref: survey.Ref{Path: of.file.Path, Start: n, End: n}}
		all, byName[name] = append(all, f), f
	}
	for _, f := range a.files(c) {
		used := make(map[string]bool)
		for i, line := range a.src.lines(f.Path) {
			for _, u := range fieldUses(line, variable.decl.Name) {
				fd := byName[u.field]
				if fd == nil {
					continue
				}
				used[u.field] = true
				if u.written && path.Ext(f.Path) == ".c" && !slices.ContainsFunc(fd.writes, func(r survey.Ref) bool { return r.Path == f.Path }) {
					fd.writes = append(fd.writes, survey.Ref{Path: f.Path, Start: i + 1, End: i + 1})
				}
			}
		}
		for name := range used {
			byName[name].users++
		}
	}
	all = slices.DeleteFunc(all, func(f *field) bool { return f.said == "" && f.users < 8 || f.users < 4 || len(f.writes) == 0 })
	slices.SortStableFunc(all, func(x, y *field) int { return cmp.Compare(bits.Len(uint(y.users)), bits.Len(uint(x.users))) })
	var rows []row
	for _, f := range all[:min(limit, len(all))] {
		refs := []survey.Ref{f.ref}
		var where, plain []text
		for _, w := range f.writes[:min(4, len(f.writes))] {
			shown := p.at(w)
			if in, ok := enclosing(a.repo.Files[w.Path], w.Start); ok {
				shown = compose("{} in {}", p.linked(label(in.decl.Name), w), label(path.Base(w.Path)))
			}
			where, plain, refs = append(where, shown), append(plain, label(path.Base(w.Path))), append(refs, w)
		}
		if len(f.writes) > len(where) {
			where = append(where, words("others"))
		}
		said := quote(sentence(f.said))
		if f.said == "" {
			said = compose("declared as {}.", label(f.declared))
		}
		rows = append(rows, row{
			cells: []text{p.linked(code(variable.decl.Name+"."+f.name), f.ref), said, list(where)},
			claim: compose("The field {} of {}: {} It is changed in {}.", label(f.name), label(of.decl.Name), said, list(plain)), refs: refs,
		})
		rows[len(rows)-1].cells[0].names = nil
	}
	return rows
}

// structOf is the structure of a global variable of C, where one declaration alone has its name.
func (a *atlas) structOf(v symbol) symbol {
	lines := a.src.lines(v.file.Path)
	if v.file.Language != "C" || v.decl.Start < 1 || v.decl.Start > len(lines) {
		return symbol{}
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(lines[v.decl.Start-1]), "struct ")
	name, _, _ := strings.Cut(rest, " ")
	if all := a.basesNamed(name); ok && len(all) == 1 && all[0].decl.End > all[0].decl.Start {
		return all[0]
	}
	return symbol{}
}

// fieldLine reads a line of a structure that declares one field and says in a comment what it is.
func fieldLine(line string) (name, said string) {
	declared, comment, _ := strings.Cut(line, "/*")
	declared = strings.TrimSpace(declared)
	declared, ok := strings.CutSuffix(declared, ";")
	if !ok || strings.ContainsAny(declared, "(){},=#") {
		return "", ""
	}
	if i := strings.IndexByte(declared, '['); i >= 0 {
		declared = declared[:i]
	}
	i := strings.LastIndexAny(declared, " *\t")
	if i < 0 {
		return "", ""
	}
	said, closed := strings.CutSuffix(strings.TrimSpace(comment), "*/")
	if said = strings.TrimSpace(said); !closed || !usable(said) {
		said = ""
	}
	return declared[i+1:], said
}

// A use of a field in a line.
type use struct {
	field   string
	written bool
}

// fieldUses finds the uses of fields of a structure in a line of code: "server.clients = …" changes one.
func fieldUses(line, variable string) []use {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "*") || strings.HasPrefix(trimmed, "/*") || strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#") {
		return nil
	}
	line, _, _ = strings.Cut(line, "/*")
	var out []use
	for from := 0; ; {
		i := strings.Index(line[from:], variable+".")
		if i < 0 {
			return out
		}
		i += from
		from = i + len(variable) + 1
		if i > 0 && (wordByte(line[i-1]) || line[i-1] == '.' || line[i-1] == '>') || strings.Count(line[:i], `"`)%2 == 1 {
			continue
		}
		end := from
		for end < len(line) && wordByte(line[end]) && line[end] < 0x80 {
			end++
		}
		if end == from {
			continue
		}
		rest := strings.TrimLeft(line[end:], " ")
		for strings.HasPrefix(rest, "[") && strings.Contains(rest, "]") {
			rest = strings.TrimLeft(rest[strings.IndexByte(rest, ']')+1:], " ")
		}
		written := strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
		for _, op := range []string{"++", "--", "+=", "-=", "|=", "&=", "^="} {
			written = written || strings.HasPrefix(rest, op)
		}
		out = append(out, use{line[from:end], written})
	}
}
