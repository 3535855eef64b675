package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// maxToldFunctions bounds the table of functions that the documents explain.
const maxToldFunctions = 40

// maxFamily is the number of files of a family that are linked.
const maxFamily = 8

// filesTold tables the files of a part of which their authors say what they are, files with the same words in one row.
func (a *atlas) filesTold(p *page, c *survey.Component) []row { return a.toldRows(p, a.described(c)) }

func (a *atlas) toldRows(p *page, all []about) []row {
	var rows []row
	for _, about := range all {
		var links, plain []text
		for _, name := range about.files {
			links = append(links, p.linked(label(path.Base(name)), survey.Ref{Path: name}))
			plain = append(plain, label(path.Base(name)))
		}
		said := quote(about.text) // of a file
		claim, refs := compose("{}: {}", list(plain), said), []survey.Ref{about.ref}
		from, fromSaid, more := a.calledFrom(p, about.files)
		if len(more) > 0 {
			claim, refs = compose("{} Their functions are {}.", claim, fromSaid), append(refs, more...)
			if len(about.files) == 1 {
				claim = compose("{}: {} Its functions are {}.", list(plain), said, fromSaid)
			}
		}
		rows = append(rows, row{
			cells: []text{list(links), compose("{}{}", said, words(p.cite([]survey.Ref{about.ref}))), from},
			claim: claim, refs: refs,
		})
	}
	return rows
}

var toldHeader = []string{"File", "In its authors' words", "Its functions are called in"}

// An about is a sentence of the authors with the files that it is about.
type about struct {
	told
	files []string
}

// familyRows tables those families of files of a large flat directory whose source files the table of files does not tell one by one.
func (a *atlas) familyRows(p *page, c *survey.Component) []row {
	shown := a.shownFiles(c)
	var rows []row
	for _, g := range c.Groups {
		if told := slices.IndexFunc(g.Files, func(f string) bool { return shown[f] }); told >= 0 {
			continue
		}
		var links []text
		for _, name := range g.Files {
			links = append(links, p.linked(label(path.Base(name)), survey.Ref{Path: name}))
		}
		rows = append(rows, row{cells: []text{label(g.Name), some(links, maxFamily)}})
	}
	return rows
}

// shownFiles are the files that the table of a part describes.
func (a *atlas) shownFiles(c *survey.Component) map[string]bool {
	out := make(map[string]bool)
	for _, about := range a.described(c) {
		for _, f := range about.files {
			out[f] = true
		}
	}
	return out
}

// filesByFamily tells how the files of a part divide: what the authors say about single ones, the large ones of which they say nothing, and
// the families by their names.
func (a *atlas) filesByFamily(p *page, c *survey.Component) {
	if len(c.Groups) == 0 && len(a.readDocumentsOf(c)) < 2 {
		return // the files are tabled with their declarations
	}
	if rows := a.filesTold(p, c); len(rows) > 1 {
		p.table(toldHeader, rows)
	}
	if rows := a.untoldRows(p, c); len(rows) > 0 {
		p.blank()
		p.table([]string{"File without such words", "Main declarations"}, rows)
	}
	if rows := a.familyRows(p, c); len(rows) > 0 {
		p.blank()
		p.guide(words("Files that carry a common first word:"))
		p.paragraph()
		p.table([]string{"Family", "Files"}, rows)
	}
}

// readDocumentsOf are the files of a part that documents describe.
func (a *atlas) readDocumentsOf(c *survey.Component) []string {
	var out []string
	for _, f := range a.files(c) {
		if _, ok := a.readDocuments()[f.Path]; ok {
			out = append(out, f.Path)
		}
	}
	return out
}

// A toldFunction is a function with what a list of the documents says about it.
type toldFunction struct {
	symbol
	told
}

// functionsTold tables the functions of a part that lists in the documents explain, in the order of the documents.
func (a *atlas) functionsTold(p *page, c *survey.Component) {
	var rows []row
	for _, t := range a.toldFunctions(c) {
		if tellsWhen(t.text) {
			continue
		}
		said := quote(t.text)
		rows = append(rows, row{
			cells: []text{p.linked(code(t.decl.Name), t.symbol.ref()), p.linked(label(path.Base(t.file.Path)), survey.Ref{Path: t.file.Path}), compose("{}{}", said, words(p.cite([]survey.Ref{t.told.ref})))},
			claim: compose("{}: {}", code(t.decl.Name), said), refs: []survey.Ref{t.told.ref, t.symbol.ref()},
		})
	}
	if len(rows) > 2 {
		p.table([]string{"Function", "File", "In its authors' words"}, rows)
	}
}

// toldFunctions finds list items such as "`aeMain()` starts the event loop" in the documents at the root whose function one file alone
// of the part defines.
func (a *atlas) toldFunctions(c *survey.Component) []toldFunction {
	defined := make(map[string][]symbol)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool { return functionKind(d.Kind) && d.Parent == "" }) {
		if path.Ext(s.file.Path) != ".h" {
			defined[s.decl.Name] = append(defined[s.decl.Name], s)
		}
	}
	var out []toldFunction
	seen := make(map[string]bool)
	for _, d := range a.repo.Docs {
		if depth(path.Dir(d.Path)) > 0 || people(d.Path) {
			continue
		}
		for _, item := range listItems(a.src.lines(d.Path)) {
			name, said, ok := functionItem(item.text)
			if !ok || seen[name] || len(defined[name]) != 1 || len(out) == maxToldFunctions {
				continue
			}
			s := firstSentence(said)
			if strings.HasSuffix(s, ":") || !usable(s) {
				continue
			}
			seen[name] = true
			ref := a.narrow(survey.Ref{Path: d.Path, Start: item.start, End: item.end}, name+" "+s)
			out = append(out, toldFunction{defined[name][0], told{sentence(opened(name, s)), ref}})
		}
	}
	return out
}

// tellsWhen reports whether a sentence of a document is about the condition under which something is called. That is up to its callers,
// which change without the document.
func tellsWhen(s string) bool {
	for _, verb := range []string{"called", "invoked", "executed", "run", "used", "triggered"} {
		for _, when := range []string{"when", "whenever", "if", "only", "once", "before", "after", "while", "as soon as"} {
			if strings.Contains(strings.ToLower(s), verb+" "+when+" ") {
				return true
			}
		}
	}
	return false
}

// explained reports whether a list in the documents explains a function: its authors count it among those to know.
func (a *atlas) explained(s symbol) bool {
	a.filled.explainsOnce.Do(a.indexExplained)
	return a.filled.explains[s.decl]
}

func (a *atlas) indexExplained() {
	a.filled.explains = make(map[*scan.Decl]bool)
	for _, c := range a.parts {
		for _, t := range a.toldFunctions(c) {
			a.filled.explains[t.decl] = true
		}
	}
}

// opened begins a sentence about a function: with its name where others are named besides it.
func opened(name, s string) string {
	if strings.HasPrefix(s, "and ") {
		return name + " " + s
	}
	return capital(s)
}

// functionItem splits "`name()` does this" into the name and the words.
func functionItem(s string) (name, said string, ok bool) {
	rest, ok := strings.CutPrefix(s, "`")
	if !ok {
		return "", "", false
	}
	name, said, ok = strings.Cut(rest, "`")
	name, call := strings.CutSuffix(name, "()")
	if !ok || !call || name == "" || strings.ContainsAny(name, " .()") {
		return "", "", false
	}
	said = strings.TrimLeft(said, " :-–—")
	return name, said, said != ""
}

// A listItem is an item of a list in a document.
type listItem struct {
	text       string
	start, end int
}

// listItems are the items of all lists, continued lines joined.
func listItems(lines []string) []listItem {
	var out []listItem
	for i := 0; i < len(lines); i++ {
		rest := itemText(lines[i])
		if rest == "" {
			continue
		}
		end := i
		for end+1 < len(lines) && end < i+8 && strings.HasPrefix(lines[end+1], "  ") && !bullet(lines[end+1]) && itemText(lines[end+1]) == "" {
			end++
			rest += " " + strings.TrimSpace(lines[end])
		}
		out = append(out, listItem{rest, i + 1, end + 1})
		i = end
	}
	return out
}

// itemText is what follows the mark of a list item: "* ", "- " or "1. ".
func itemText(line string) string {
	t := strings.TrimSpace(line)
	for _, mark := range []string{"* ", "- "} {
		if rest, ok := strings.CutPrefix(t, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	if rest := strings.TrimLeft(t, "0123456789"); rest != t && strings.HasPrefix(rest, ". ") {
		return strings.TrimSpace(rest[2:])
	}
	return ""
}
