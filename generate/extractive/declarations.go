package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// maxDeclarations bounds the table of key declarations.
const maxDeclarations = 12

// keyDeclarations tables the types and functions that matter most, with what their authors say about them, if they do.
func (a *atlas) keyDeclarations(p *page, c *survey.Component) {
	all := slices.DeleteFunc(slices.Clone(a.mainDeclarations(c)), func(s symbol) bool { return s.decl.Kind == scan.KindMethod })
	var rows []row
	var others []text
	seen := make(map[string]bool)
	documented := 0
	for _, s := range all {
		if seen[s.name()] {
			continue
		}
		seen[s.name()] = true
		doc := firstSentence(s.decl.Doc)
		switch known := usable(doc) && path.Ext(s.file.Path) != ".h"; { // the comment above a prototype often speaks of a group
		case len(rows) < maxDeclarations && known:
			documented++
			said := quote(sentence(doc))
			rows = append(rows, row{
				cells: []text{p.linked(code(s.name()), s.ref()), words(string(s.decl.Kind)), said},
				claim: claimOf(s, said), refs: a.docRefs(s),
			})
		case len(rows) < maxDeclarations:
			rows = append(rows, row{
				cells: []text{p.linked(code(s.name()), s.ref()), words(string(s.decl.Kind)), {}},
				claim: compose("{} declares {}.", label(a.title(c)), code(s.decl.Name)), refs: []survey.Ref{s.ref()},
			})
		case len(others) < 10:
			others = append(others, p.linked(label(s.name()), s.ref()))
		}
	}
	if documented == 0 {
		a.undocumented(p, all)
		return
	}
	p.table([]string{"Name", "Kind", "What it does, in its authors' words"}, rows)
	if len(others) > 0 {
		p.paragraph()
		p.guide(compose("Also here: {}.", list(others)))
		p.paragraph()
	}
}

// claimOf is the statement of a declaration's doc. Docs that begin with the name are a sentence already.
func claimOf(s symbol, said text) text {
	t := compose("{}: {}", code(s.name()), said)
	if strings.HasPrefix(said.plain, s.decl.Name+" ") {
		t = said
	}
	t.names = []string{s.decl.Name}
	return t
}

// undocumented tables the declarations of a part whose authors wrote no docs: name, kind, and how the declaration reads.
func (a *atlas) undocumented(p *page, all []symbol) {
	var rows []row
	seen := make(map[string]bool)
	for _, s := range all {
		if len(rows) == maxDeclarations || seen[s.name()] || s.decl.Signature == "" {
			continue
		}
		seen[s.name()] = true
		rows = append(rows, row{
			cells: []text{p.linked(code(s.name()), s.ref()), words(string(s.decl.Kind)), label(s.decl.Signature)},
			claim: compose("{} is declared as {}.", code(s.decl.Name), label(s.decl.Signature)), refs: []survey.Ref{s.ref()},
		})
	}
	p.table([]string{"Name", "Kind", "Declaration"}, rows)
}

// typeName reports whether a name is written like that of a type: capitals and small letters.
func typeName(name string) bool {
	return strings.ToLower(name) != name && strings.ToUpper(name) != name
}

// packagesOf tables what is inside a part: its packages if it has several that their authors describe, else its files with their centre.
func (a *atlas) packagesOf(p *page, c *survey.Component) {
	var rows []row
	for _, pk := range c.Packages {
		if len(rows) == 20 || len(c.Packages) < 2 {
			break
		}
		if pk.Dir == c.Dir {
			continue // the page as a whole is about it
		}
		part := &survey.Component{ID: pk.Dir, Title: pk.Dir, Dir: pk.Dir, Packages: []*survey.Package{pk}, Doc: pk.Doc}
		says, claim, refs := a.responsibility(p, part)
		if says.md != "" {
			rows = append(rows, row{cells: []text{p.folder(pk.Dir), says}, claim: claim, refs: refs})
		}
	}
	p.table([]string{"Directory", "In its authors' words, or its main declarations"}, rows)
	if len(rows) > 3 || len(c.Groups) > 0 { // the families of files tell more
		return
	}
	if files := a.fileRows(p, c); len(files) > 2 {
		p.blank()
		p.table([]string{"File", "Main declarations", "In its authors' words"}, files)
	}
}

// maxFiles bounds the table of the files of a part.
const maxFiles = 40

// fileRows tables the files of a part with their main declarations, and what the documents or the head of the file say about it. In Go
// the methods of a type declared elsewhere count: they are what such a file is for.
func (a *atlas) fileRows(p *page, c *survey.Component) []row {
	of, known := make(map[*scan.File][]symbol), make(map[*scan.File]bool)
	var files []*scan.File
	for _, exported := range []bool{true, false} {
		for _, s := range a.symbols(c, func(d *scan.Decl) bool { return (typeKind(d.Kind) || functionKind(d.Kind)) && !d.Deprecated }) {
			method := s.decl.Parent != ""
			if method && (s.file.Language != "Go" || a.declares(s.file, s.decl.Parent)) || s.decl.Exported != exported || !exported && len(of[s.file]) > 0 {
				continue
			}
			if !known[s.file] {
				known[s.file] = true
				files = append(files, s.file)
			}
			if len(of[s.file]) < 3 {
				of[s.file] = append(of[s.file], s)
			}
		}
	}
	var rows []row
	for _, f := range files[:min(maxFiles, len(files))] {
		rows = append(rows, a.fileRow(p, c, f, of[f]))
	}
	slices.SortStableFunc(rows, func(x, y row) int { return strings.Compare(x.cells[0].plain, y.cells[0].plain) })
	return rows
}

func (a *atlas) fileRow(p *page, c *survey.Component, f *scan.File, main []symbol) row {
	name := f.Path
	if c.Dir != "." {
		name = strings.TrimPrefix(strings.TrimPrefix(f.Path, c.Dir), "/")
	}
	var names, plain []text
	refs := make([]survey.Ref, 0, len(main)+1)
	for _, s := range main {
		names = append(names, p.linked(code(s.name()), s.ref()))
		plain = append(plain, code(s.decl.Name))
		refs = append(refs, s.ref())
	}
	claim := compose("{} declares {}", label(name), list(plain))
	said := text{}
	if t, ok := a.fileWords(f); ok {
		said, refs = quote(t.text), append(refs, t.ref)
	}
	if claim = compose("{}.", claim); said.plain != "" {
		claim = compose("{} {}", claim, said)
	}
	return row{cells: []text{p.linked(label(name), survey.Ref{Path: f.Path}), list(names), said}, claim: claim, refs: refs}
}

// declares reports whether a file declares a type.
func (a *atlas) declares(f *scan.File, name string) bool {
	return slices.ContainsFunc(f.Decls, func(d scan.Decl) bool { return d.Name == name && typeKind(d.Kind) })
}

// methodsOf tables the most used documented methods of the type with the most methods, when it clearly is the centre of the part.
func (a *atlas) methodsOf(p *page, c *survey.Component) {
	main := a.mainDeclarations(c)
	i := slices.IndexFunc(main, func(s symbol) bool { return typeKind(s.decl.Kind) })
	if i < 0 {
		return
	}
	t := main[i]
	var rows []row
	seen := make(map[string]bool)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool {
		return d.Kind == scan.KindMethod && d.Exported && d.Parent == t.decl.Name && usable(firstSentence(d.Doc)) && !d.Deprecated
	}) {
		other := s.file != t.file && a.declares(s.file, t.decl.Name) // a type of the same name in another file
		if path.Dir(s.file.Path) != path.Dir(t.file.Path) || other || s.decl.Test || len(rows) == 10 || seen[s.decl.Name] {
			continue
		}
		seen[s.decl.Name] = true
		said := quote(sentence(firstSentence(s.decl.Doc)))
		rows = append(rows, row{cells: []text{p.linked(code(s.decl.Name), s.ref()), said}, claim: claimOf(s, said), refs: a.docRefs(s)})
	}
	if len(rows) < 4 {
		return
	}
	p.guide(compose("Documented methods of {}, much used ones first:", p.linked(label(t.decl.Name), t.ref())))
	p.paragraph()
	p.table([]string{"Method", "What it does"}, rows)
}

// options tables the documented fields of types that are called options, settings or configuration.
func (a *atlas) options(p *page, c *survey.Component) {
	holders := a.symbols(c, func(d *scan.Decl) bool { return typeKind(d.Kind) && d.Exported && optionsName(d.Name) })
	var rows []row
	for _, h := range holders[:min(3, len(holders))] {
		for i := range h.file.Decls {
			d := &h.file.Decls[i]
			if d.Parent != h.decl.Name || d.Kind != scan.KindField || d.Start < h.decl.Start || d.Start > h.decl.End || len(rows) == 16 {
				continue
			}
			doc := firstSentence(d.Doc)
			if !usable(doc) {
				continue
			}
			s := symbol{d, h.file}
			said := quote(sentence(doc))
			rows = append(rows, row{cells: []text{p.linked(code(s.name()), s.ref()), said}, claim: claimOf(s, said), refs: a.docRefs(s)})
		}
	}
	p.table([]string{"Option", "What it does"}, rows)
}

func optionsName(name string) bool {
	for _, s := range []string{"Options", "Config", "Settings", "Opts", "Configuration"} {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

// variables tables the documented variables that other code can set: state and settings of the whole process.
func (a *atlas) variables(p *page, c *survey.Component) {
	p.table([]string{"Variable", "Starts as", "What it does"}, a.variableRows(p, c, 10))
}

func (a *atlas) variableRows(p *page, c *survey.Component, limit int) []row {
	var rows []row
	seen := make(map[string]bool)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool {
		return d.Kind == scan.KindVariable && d.Parent == "" && d.Exported && usable(firstSentence(d.Doc)) && !d.Deprecated && !strings.HasPrefix(d.Name, "Err")
	}) {
		if seen[s.decl.Name] || s.file.Language == "C" || s.file.Language == "Python" && typeName(s.decl.Name) {
			continue // declared for each platform, or a type alias
		}
		if len(rows) == limit {
			break
		}
		seen[s.decl.Name] = true
		said := quote(sentence(firstSentence(s.decl.Doc)))
		rows = append(rows, row{cells: []text{p.linked(code(s.decl.Name), s.ref()), label(s.decl.Value), said}, claim: claimOf(s, said), refs: a.docRefs(s)})
	}
	return rows
}
