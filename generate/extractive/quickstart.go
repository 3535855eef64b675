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
	p.description = strings.TrimSuffix("What "+shorten(name, 80)+" is: "+p.contents(), ": ") + "."
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
	p.table([]string{"Part", "In its authors' words, or its main declarations", "Source"}, rows)
}

// responsibility says what a part is for in its authors' words, with the statement and its proof. Where they say nothing about it as a
// whole, it names the main declarations: what one of them is documented to be is not what the part is.
func (a *atlas) responsibility(p *page, c *survey.Component) (shown, claim text, refs []survey.Ref) {
	if s, ref := a.purpose(c); s != "" {
		refs = []survey.Ref{ref}
		return compose("{}{}", quote(s), words(p.cite(refs))), compose("{}: {}", label(a.title(c)), quote(s)), refs
	}
	if shown, claim, refs := a.packagesInside(p, c); len(refs) > 0 {
		return shown, claim, refs
	}
	var names, plain []text
	seen := make(map[string]bool)
	documented := 0
	main := a.mainDeclarations(c)
	for _, s := range a.spread(main[:min(10, len(main))], 4) {
		if seen[s.name()] {
			continue
		}
		seen[s.name()] = true
		name, said := p.linked(code(s.name()), s.ref()), code(s.decl.Name)
		refs = append(refs, s.ref())
		if doc := a.shortDoc(c, s); doc != "" && documented < 3 {
			documented++
			name, said = compose("{} ({})", name, quote(doc)), compose("{} ({})", said, quote(doc))
			refs = append(refs, a.docRefs(s)...)
		}
		names, plain = append(names, name), append(plain, said)
	}
	if len(names) == 0 {
		return text{}, text{}, nil
	}
	return compose("declares {}", list(names)), compose("{} declares {}.", label(a.title(c)), list(plain)), refs
}

// shortDoc is the first sentence of what the authors say of a declaration of a part, fit to stand in parentheses behind its name; "" where it
// says little, or the same as of another one. In C a comment above a declaration often speaks of a group.
func (a *atlas) shortDoc(c *survey.Component, s symbol) string {
	doc := firstSentence(s.decl.Doc)
	if !usable(doc) || len(strings.Fields(doc)) < 4 || len(doc) >= 160 || a.docs[doc] > 1 || path.Dir(s.file.Path) != c.Dir || s.file.Language == "C" || strings.ContainsAny(doc, "()") && !typeKind(s.decl.Kind) {
		return ""
	}
	if s.file.Language == "Python" && (strings.HasPrefix(doc, ":") || strings.Contains(doc, "::")) {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(doc, s.decl.Name+" "), ".")
}

// hotSpots tells what changes often, of the repository or of one part. It comes from history, which the source lines cannot prove, so it
// makes no claims.
func (a *atlas) hotSpots(p *page, only *survey.Component) {
	for _, kind := range []struct {
		components bool
		words      string
	}{{true, "Parts that changed most often:"}, {false, "Files that changed most often:"}} {
		var items []item
		for _, h := range a.repo.Hot {
			if len(items) == 6 || h.Component != kind.components || only != nil && (h.Component || a.component(h.Path) != only) {
				continue
			}
			t := a.hot(p, h.Path, h.Component)
			var with []text
			for _, w := range h.With[:min(3, len(h.With))] {
				with = append(with, a.hot(p, w, h.Component))
			}
			if len(with) > 0 {
				t = compose("{}, often together with {}", t, list(with))
			}
			items = append(items, item{text: t})
		}
		if kind.components && len(items) < 2 {
			continue
		}
		if len(items) > 0 {
			p.blank()
			p.guide(words(kind.words))
			p.paragraph()
		}
		p.bullets(items)
	}
}

// hot is a link to a part or file that history names.
func (a *atlas) hot(p *page, name string, component bool) text {
	if c := a.byID[name]; component && c != nil {
		return a.part(p, c)
	}
	return p.linked(label(name), survey.Ref{Path: name})
}

// morePages links the other pages about the whole repository and the documents of its authors.
func (a *atlas) morePages(p *page) {
	var items []item
	for _, s := range a.singles {
		items = append(items, item{text: compose("{}: {}", p.toPage(words(s.title), s.path), words(s.description))})
	}
	docs := slices.DeleteFunc(slices.Clone(a.repo.Docs), func(d survey.Doc) bool {
		return strings.Contains(d.Path, "blog") || strings.Contains(d.Path, "changes/") || depth(path.Dir(d.Path)) > 2
	})
	order := func(d survey.Doc) int {
		switch base := strings.ToLower(path.Base(d.Path)); {
		case strings.HasPrefix(base, "contributing"), strings.Contains(base, "architecture"), strings.Contains(base, "internals"):
			return 0
		case depth(path.Dir(d.Path)) == 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(docs, func(x, y survey.Doc) int { return order(x) - order(y) })
	for _, d := range docs[:min(10, len(docs))] {
		t := p.linked(label(d.Path), survey.Ref{Path: d.Path})
		if title := clean(d.Title); order(d) == 2 && title != "" && !strings.EqualFold(title, a.name()) {
			t = compose("{}: {}", t, quote(shorten(plainMarkup(title), 80)))
		}
		items = append(items, item{text: t})
	}
	p.bullets(items)
}

// packagesInside names the packages of a part that is only a directory of them.
func (a *atlas) packagesInside(p *page, c *survey.Component) (shown, claim text, refs []survey.Ref) {
	var names, plain []text
	for _, pk := range c.Packages {
		if pk.Dir == c.Dir || pk.Language != "Go" || pk.Role == "tests" {
			return text{}, text{}, nil
		}
		for _, name := range pk.Files {
			if f := a.repo.Files[name]; f != nil && f.PackageLine > 0 && !supports(name) && !f.Generated {
				names = append(names, p.folder(pk.Dir))
				plain = append(plain, code(f.Package))
				refs = append(refs, survey.Ref{Path: name, Start: f.PackageLine, End: f.PackageLine})
				break
			}
		}
	}
	if len(names) < 2 {
		return text{}, text{}, nil
	}
	return compose("holds {}", some(names, 8)), compose("{} holds the packages {}.", label(a.title(c)), list(plain)), refs
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
