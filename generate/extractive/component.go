package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// componentPage is the page about one part, as far as the section in which it makes so many claims as are enough; 0 stands for all of it.
func (a *atlas) componentPage(c *survey.Component, enough int) *page {
	p := newPage(a.src, a.pages[c.ID])
	p.enough = enough
	name := a.title(c)
	p.kind, p.title = "Component reference", capital(name)
	says, _ := a.purpose(c)
	p.description = shorten(says, 240)
	p.tags = compact("component", strings.ToLower(c.Language), c.Role)
	p.purpose = "Explain the part " + name + ": responsibility, key declarations, how it works, failures, extension points and tests."
	p.seeds = []string{c.Dir}
	p.related = a.neighbours(c)
	p.body = append(p.body, "# "+escape(capital(name))+"\n\n"...)
	a.lead(p, c)
	p.section(2, "Which file does what", func() { a.filesByFamily(p, c) })
	p.section(2, "Functions that the documents explain", func() { a.functionsTold(p, c) })
	p.section(2, "Key declarations", func() { a.keyDeclarations(p, c) })
	p.section(2, "Methods of a key type", func() { a.methodsOf(p, c) })
	p.section(2, "How it works", func() { a.howItWorks(p, c) })
	p.section(2, "HTTP routes", func() { a.routesOf(p, c) })
	p.section(2, "State it keeps", func() {
		p.table(sharedHeader, a.sharedRows(p, c, 6))
		p.blank()
		a.fieldsOfState(p, c, 30)
		p.table(stateHeader, a.stateRows(p, c, 6))
	})
	p.section(2, "Configuration it reads", func() { a.configOf(p, c) })
	p.section(2, "Options", func() { a.options(p, c) })
	p.section(2, "Package variables", func() { a.variables(p, c) })
	p.section(2, "Failures", func() { a.failures(p, c) })
	p.section(2, "How to extend it", func() { a.extendIt(p, c) })
	p.section(2, "Inside", func() { a.packagesOf(p, c) })
	p.section(2, "Tests", func() { a.testsOf(p, c) })
	p.section(2, "Marks worth knowing", func() { a.marks(p, c) })
	p.section(2, "Where change happens", func() { a.hotSpots(p, c) })
	p.section(2, "Neighbours", func() { a.neighbourLinks(p, c) })
	p.paragraph()
	if says == "" {
		p.description = a.summary(p, c)
	}
	return p
}

// summary describes a part of which its authors say nothing by its main declarations, else by what its page holds.
func (a *atlas) summary(p *page, c *survey.Component) string {
	if _, claim, refs := a.responsibility(p, c); len(refs) > 0 && claim.plain != "" {
		return shorten(capital(claim.plain), 240)
	}
	return strings.TrimSuffix("The part "+shorten(a.title(c), 120)+": "+p.contents(), ": ") + "."
}

// folders are the directories of a part: its own, or, where it was gathered from several at the root, those.
func (a *atlas) folders(p *page, c *survey.Component) text {
	if c.Dir != "." && c.Dir != "" {
		return p.folder(c.Dir)
	}
	var dirs []string
	for _, pk := range c.Packages {
		top, _, _ := strings.Cut(pk.Dir, "/")
		if top == "." {
			return p.folder(c.Dir)
		}
		if !slices.Contains(dirs, top) {
			dirs = append(dirs, top)
		}
	}
	var out []text
	for _, d := range dirs {
		out = append(out, p.folder(d))
	}
	return some(out, 6)
}

// compact returns the words that are not empty, each once, in order.
func compact(all ...string) []string {
	var out []string
	for _, s := range all {
		if s = clean(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// lead carries the page: the responsibility in the authors' words, where the code is, who uses it and what it uses.
func (a *atlas) lead(p *page, c *survey.Component) {
	if says, ref := a.purpose(c); says != "" {
		p.say(quote(says), ref)
		if more := secondSentence(c.Doc.Text); usable(more) && firstSentence(c.Doc.Text) != "" {
			p.say(quote(sentence(more)), a.narrow(c.Doc.Ref, more))
		}
	} else if says, claim, refs := a.responsibility(p, c); says.md != "" && p.prove(claim, refs) {
		p.write(compose("{} {}.", label(a.title(c)), says).md)
	}
	p.paragraph()
	p.guide(compose("Source: {}.", a.folders(p, c)))
	if by, refs := a.edgeList(p, c.UsedBy, 6); len(refs) > 0 {
		p.sayLinked(compose("{} is used by {}.", label(a.title(c)), by), refs...)
	}
	if uses, refs := a.edgeList(p, c.Uses, 6); len(refs) > 0 {
		p.sayLinked(compose("{} uses {}.", label(a.title(c)), uses), refs...)
	}
	p.paragraph()
	for i, g := range a.repo.Programs {
		if g.Component != c.ID || slices.ContainsFunc(a.repo.Programs[:i], func(o survey.Program) bool { return o.Entry == g.Entry }) {
			continue
		}
		p.sayLinked(compose("Program that starts here: {}, in {}.", namesOf(a.repo.Programs[i:], g.Entry), p.linked(code(g.Entry.Path), g.Entry)), g.Entry)
	}
	p.paragraph()
}

// secondSentence is what follows the first sentence in the first paragraph.
func secondSentence(doc string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(doc), "\n\n")
	whole := plainMarkup(clean(unbroken(paragraph)))
	first := firstSentence(doc)
	rest, ok := strings.CutPrefix(whole, first)
	if !ok {
		return ""
	}
	return firstSentence(rest)
}

// howItWorks follows the operation that stands for the part, unless the architecture page tells it.
func (a *atlas) howItWorks(p *page, c *survey.Component) {
	stages := a.operationOf(c)
	if len(stages) == 0 {
		return
	}
	told := slices.ContainsFunc(slices.Concat(a.mainOperation()...), func(st stage) bool { return st.at.decl == stages[0].at.decl })
	if told {
		if target := a.single(architecturePage); target != "" {
			p.guide(compose("{} tells the way from {} step by step.", p.toPage(words("Architecture"), target), label(stages[0].at.name())))
		}
		return
	}
	p.guide(words(traceNote))
	a.startedBy(p, stages[0].at)
	p.paragraph()
	p.steps(a.tell(p, stages))
}

// routesOf tables the HTTP routes that the part registers.
func (a *atlas) routesOf(p *page, c *survey.Component) {
	var rows []row
	cut := false
	for _, f := range a.files(c) {
		for _, r := range f.Routes {
			if len(rows) == maxRoutes {
				cut = true
				break
			}
			ref := survey.Ref{Path: f.Path, Start: r.Line, End: r.Line}
			method := r.Method
			if method == "" {
				method = "any"
			}
			claim := compose("Route "+escapeWord(method)+" {}", code(r.Path))
			handler := text{}
			if r.Handler != "" {
				handler = code(r.Handler)
				claim = compose("{} is handled by {}", claim, handler)
			}
			rows = append(rows, row{cells: []text{words(escapeWord(method)), p.linked(code(r.Path), ref), handler}, claim: compose("{}.", claim), refs: []survey.Ref{ref}})
		}
	}
	p.table([]string{"Method", "Path", "Handler"}, rows)
	p.endsHere(cut, "The table ends here; the part registers more routes.")
}

// maxRoutes bounds the table of routes: what is left out cannot be looked up.
const maxRoutes = 120

// configOf tables the settings that the part defines or reads.
func (a *atlas) configOf(p *page, c *survey.Component) {
	var rows []row
	more := false
	for _, it := range a.repo.Config {
		switch {
		case it.Component != c.ID || !a.product(it):
		case len(rows) < 6 && (it.Usage != "" || it.Kind == "env"): // what says most
			rows = append(rows, a.configRow(p, it))
		default:
			more = true
		}
	}
	p.table([]string{"Setting", "Kind", "Default", "Meaning"}, rows)
	if target := a.single(configurationPage); target != "" && more {
		p.paragraph()
		p.guide(compose("All of its settings, with their defaults: {}.", p.toPage(words("Configuration"), target)))
	}
}

// extendIt names the contracts of the part that several types follow and the functions that register one more.
func (a *atlas) extendIt(p *page, c *survey.Component) {
	all := a.extensions(c)
	var items []item
	for _, e := range all[:min(6, len(all))] {
		items = append(items, a.describe(p, e))
	}
	kin := a.families(c)
	for _, f := range kin[:min(max(0, 4-len(items)), len(kin))] {
		items = append(items, a.kin(p, f))
	}
	p.bullets(items)
}

// testsOf names the tests that pin the part and a way to run them.
func (a *atlas) testsOf(p *page, c *survey.Component) {
	var rows []row
	for _, f := range a.pinning(c) {
		if len(rows) == 8 {
			break
		}
		var names, plain []text
		var refs []survey.Ref
		for _, t := range f.Tests {
			if len(names) == 4 {
				names = append(names, words("others"))
				break
			}
			name := code(lastName(f, t))
			ref := survey.Ref{Path: f.Path, Start: t.Line, End: t.Line}
			if name.plain == "" || !a.src.contain([]survey.Ref{ref}, name.names) {
				continue
			}
			names = append(names, p.linked(name, ref))
			plain = append(plain, name)
			refs = append(refs, ref)
		}
		if len(plain) == 0 {
			continue
		}
		claim := compose("{} pins {} with the tests {}.", label(path.Base(f.Path)), label(a.title(c)), list(plain))
		rows = append(rows, row{cells: []text{p.linked(label(path.Base(f.Path)), survey.Ref{Path: f.Path}), list(names)}, claim: claim, refs: refs})
	}
	p.table([]string{"Test file", "Pins"}, rows)
	if one := a.oneTestOf(p, c); one.text.plain != "" {
		p.blank()
		p.items([]item{one}, func(int) string { return "" })
	}
	if target := a.single(testingPage); target != "" && len(rows) > 0 {
		p.paragraph()
		p.guide(compose("How to run tests: {}.", p.toPage(words("Testing"), target)))
	}
}

// lastName is the name under which a nested test is written.
func lastName(f *scan.File, t scan.Test) string {
	if i := strings.LastIndex(t.Name, " > "); i >= 0 {
		return t.Name[i+len(" > "):]
	}
	if f.Language == "Rust" || f.Language == "Python" {
		return t.Name[strings.LastIndexAny(t.Name, ".:")+1:]
	}
	return t.Name
}

// pinning are the test files of a part, those with the most cases first.
func (a *atlas) pinning(c *survey.Component) []*scan.File {
	out := slices.Concat(a.tests(c), a.outsideTests(c), a.files(c)) // in Rust the tests of a file are in the file
	out = slices.DeleteFunc(out, func(f *scan.File) bool { return len(f.Tests) == 0 })
	size := func(f *scan.File) int {
		n := 0
		for k := len(f.Tests); k > 1; k /= 2 {
			n++
		}
		return n
	}
	slices.SortStableFunc(out, func(x, y *scan.File) int { return size(y) - size(x) })
	return out
}

// neighbours are the pages of the parts that a part uses or is used by.
func (a *atlas) neighbours(c *survey.Component) []string {
	var out []string
	for _, e := range slices.Concat(c.Uses, c.UsedBy) {
		if t := a.pages[e.To]; t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out[:min(12, len(out))]
}

// neighbourLinks leads on to the parts around this one and back to the overview.
func (a *atlas) neighbourLinks(p *page, c *survey.Component) {
	var around []text
	for _, e := range slices.Concat(c.Uses, c.UsedBy) {
		if to := a.byID[e.To]; to != nil && a.pages[e.To] != "" && len(around) < 12 {
			t := a.part(p, to)
			if !slices.ContainsFunc(around, func(o text) bool { return o.md == t.md }) {
				around = append(around, t)
			}
		}
	}
	if len(around) > 0 {
		p.guide(compose("Parts next to this one: {}.", list(around)))
	}
	if target := a.single(architecturePage); target != "" {
		p.guide(compose("The whole: {}.", p.toPage(words("Architecture"), target)))
	}
}
