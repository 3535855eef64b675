package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// quickstart is the page where a newcomer starts: what this is, how to build, run and test it, where execution starts, which part does
// what, where to begin for a task, and what not to edit.
func (a *atlas) quickstart() *page {
	p := newPage(a.src, path.Join(a.wiki, quickstartPage))
	name := a.name()
	p.kind, p.title = "Guide", capital(name)+" quickstart"
	p.description = shorten("What "+name+" is, how to build, run and test it, where execution starts, and which part to open for a task.", 200)
	p.tags = []string{"quickstart", "overview"}
	p.purpose = "Introduce the repository and route a reader to the page and the lines for a task."
	p.seeds = a.manifests()
	p.related = a.allPages()
	p.body = append(p.body, "# "+escape(capital(name))+"\n\n"...)
	a.introduce(p)
	p.section(2, "Build, run and test", func() { a.commands(p) })
	p.section(2, "Where execution starts", func() { a.programs(p) })
	p.section(2, "Where to start for a task", func() { a.routes(p) })
	p.section(2, "Parts", func() { a.partsTable(p) })
	p.section(2, "What not to edit", func() { a.handsOff(p) })
	p.section(2, "Where change happens", func() { a.hotSpots(p, nil) })
	p.section(2, "More pages", func() { a.morePages(p) })
	p.paragraph()
	return p
}

// name is what the repository calls itself.
func (a *atlas) name() string {
	if s := clean(a.repo.Name); s != "" {
		return s
	}
	return "this repository"
}

func (a *atlas) manifests() []string {
	var out []string
	for _, m := range a.repo.Modules {
		if len(out) < 8 {
			out = append(out, m.Manifest)
		}
	}
	return out
}

// routes tells for each usual change where to begin.
func (a *atlas) routes(p *page) {
	var rows []row
	for _, e := range a.bestExtensions(6) {
		where := p.linked(code(e.base.name()), e.base.ref())
		what := compose("Add another {}", label(e.base.decl.Name))
		if e.register {
			what = compose("Register one more with {}", label(e.base.decl.Name))
		}
		if c := a.component(e.base.file.Path); c != nil {
			what = compose("{} ({})", what, words(escape(a.title(c))))
		}
		rows = append(rows, row{cells: []text{what, where, a.pageOrPart(p, a.component(e.base.file.Path))}})
	}
	for _, c := range a.byImportance() {
		if len(rows) >= 18 {
			break
		}
		s, ok := a.keySymbol(c)
		if !ok {
			continue
		}
		rows = append(rows, row{cells: []text{
			compose("Change how {} works", label(a.title(c))), compose("{} in {}", p.linked(code(s.name()), s.ref()), label(path.Base(s.file.Path))), a.pageOrPart(p, c),
		}})
	}
	for _, r := range []struct{ task, page, title string }{
		{"Change a setting or its default", configurationPage, "Configuration"},
		{"Change CI, images or releases", operationsPage, "Operations"},
		{"Write or run tests", testingPage, "Testing"},
	} {
		if target := a.single(r.page); target != "" {
			rows = append(rows, row{cells: []text{words(r.task), {}, p.toPage(words(r.title), target)}})
		}
	}
	p.table([]string{"To", "Start at", "Read"}, rows)
}

func (a *atlas) pageOrPart(p *page, c *survey.Component) text {
	if c == nil {
		return text{}
	}
	return a.part(p, c)
}

// maxRow is the number of parts up to which the overviews tell about all of them, with or without a page.
const maxRow = 8

// byImportance are the parts with a page, or all where there are few, most needed first.
func (a *atlas) byImportance() []*survey.Component {
	var out []*survey.Component
	for _, c := range a.parts {
		if a.pages[c.ID] != "" || len(a.parts) <= maxRow {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(x, y *survey.Component) int {
		if d := a.rank(y)/4 - a.rank(x)/4; d != 0 {
			return d
		}
		return strings.Compare(x.ID, y.ID)
	})
	return out
}

// bestExtensions are the richest points of extension of the repository.
func (a *atlas) bestExtensions(limit int) []extension {
	var out []extension
	for _, c := range a.parts {
		out = append(out, a.extensions(c)...)
	}
	slices.SortStableFunc(out, func(x, y extension) int { return y.size() - x.size() })
	return out[:min(limit, len(out))]
}

// partsTable names every part with its responsibility: in the authors' words about the part, else about its centre.
func (a *atlas) partsTable(p *page) {
	var rows []row
	for _, c := range a.parts {
		says, claim, refs := a.responsibility(p, c)
		if says.md == "" && a.pages[c.ID] == "" {
			continue
		}
		rows = append(rows, row{cells: []text{a.part(p, c), says, p.folder(c.Dir)}, claim: claim, refs: refs})
	}
	p.table([]string{"Part", "Responsible for, or what is at its centre", "Source"}, rows)
	if len(a.parts) > 3 {
		return
	}
	for _, c := range a.byImportance()[:min(1, len(a.byImportance()))] {
		if rows := a.fileRows(p, c); len(rows) > 2 {
			p.section(3, "Files of "+codeSpan(a.title(c)), func() { p.table([]string{"File", "Centre", "In its authors' words"}, rows) })
		}
	}
}

// responsibility says what a part is for, with the statement and its proof.
func (a *atlas) responsibility(p *page, c *survey.Component) (shown, claim text, refs []survey.Ref) {
	if s, ref := a.purpose(c); s != "" {
		refs = []survey.Ref{ref}
		return compose("{}{}", quote(s), words(p.cite(refs))), compose("{}: {}", label(a.title(c)), quote(s)), refs
	}
	s, ok := a.centre(c)
	if !ok {
		return text{}, text{}, nil
	}
	doc := sentence(firstSentence(s.decl.Doc))
	name := p.linked(code(s.name()), s.ref())
	if rest, ok := strings.CutPrefix(doc, s.decl.Name+" "); ok && s.decl.Parent == "" {
		return compose("{} {}", name, quote(rest)), claimOf(s, quote(doc)), a.docRefs(s)
	}
	return compose("{}: {}", name, quote(doc)), claimOf(s, quote(doc)), a.docRefs(s)
}

// handsOff names what is generated, vendored or deprecated.
func (a *atlas) handsOff(p *page) {
	var items []item
	for _, r := range a.repo.Generated {
		if len(items) == 15 {
			break
		}
		if strings.HasPrefix(path.Base(r.Path), ".") || r.Start > 30 || aside(r.Path) {
			continue // it speaks of generated code and is not generated itself
		}
		if r.Start == 0 {
			items = append(items, item{text: compose("{} holds code that comes from elsewhere and is replaced as a whole.", p.folder(r.Path))})
			continue
		}
		items = append(items, item{text: compose("{} is generated: change its source and generate it again.", p.linked(code(r.Path), r)), refs: []survey.Ref{r}, bare: true})
	}
	p.bullets(items)
}

// hotSpots tells what changes often. It comes from history, which the source lines cannot prove, so it makes no claims.
func (a *atlas) hotSpots(p *page, only *survey.Component) {
	var items []item
	for _, h := range a.repo.Hot {
		if len(items) == 6 || only != nil && a.component(h.Path) != only && h.Path != only.Dir {
			continue
		}
		t := label(h.Path)
		var with []text
		for _, w := range h.With[:min(3, len(h.With))] {
			with = append(with, label(w))
		}
		if len(with) > 0 {
			t = compose("{}, often together with {}", t, list(with))
		}
		items = append(items, item{text: t})
	}
	if len(items) > 0 {
		p.guide(words("What changed most often lately, most often first:"))
		p.paragraph()
	}
	p.bullets(items)
}

// morePages links the other pages about the whole repository and the documents of its authors.
func (a *atlas) morePages(p *page) {
	var items []item
	for _, s := range a.singles {
		items = append(items, item{text: compose("{}: {}", p.toPage(words(s.title), s.path), words(strings.TrimSpace(s.description)))})
	}
	for _, d := range a.repo.Docs {
		if len(items) >= 14 {
			break
		}
		if strings.Contains(d.Path, "blog") || depth(path.Dir(d.Path)) > 2 {
			continue
		}
		title := d.Title
		if clean(title) == "" {
			title = path.Base(d.Path)
		}
		items = append(items, item{text: p.linked(quote(shorten(plainMarkup(clean(title)), 80)), survey.Ref{Path: d.Path})})
	}
	p.bullets(items)
}

// allPages are the repository paths of the wiki's other pages.
func (a *atlas) allPages() []string {
	var out []string
	for _, s := range a.singles {
		out = append(out, s.path)
	}
	for _, t := range a.pages {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}
