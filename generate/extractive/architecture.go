package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// architecture is the page about the whole: the parts and how they depend on each other, layers, hubs, surprising edges, one operation
// from entry to effect, external dependencies, state, and what fails how.
func (a *atlas) architecture() *page {
	p := newPage(a.src, path.Join(a.wiki, architecturePage))
	p.kind, p.title = "Architecture", "Architecture"
	p.tags = []string{"architecture", "dependencies"}
	p.purpose = "Show the parts, the direction of their dependencies and how they work together."
	p.seeds = a.manifests()
	p.related = a.allPages()
	p.body = append(p.body, "# Architecture\n\n"...)
	a.programsLead(p)
	p.section(2, "Dependency graph", func() { a.diagram(p) })
	p.section(2, "Who depends on whom", func() { a.dependencies(p) })
	p.section(2, "Layers", func() { a.layers(p) })
	p.section(2, "Hubs", func() { a.hubs(p) })
	p.section(2, "Which file calls which", func() {
		for _, c := range a.byImportance() {
			a.fileCallTable(p, c)
		}
	})
	p.section(2, "Headers that bind the files", func() {
		for _, c := range a.byImportance() {
			a.headerHubs(p, c)
		}
	})
	p.section(2, "Surprising edges", func() { a.surprises(p) })
	p.section(2, "One operation, step by step", func() { a.oneOperation(p) })
	p.section(2, "What can be added", func() { a.extensionList(p) })
	p.section(2, "State", func() { a.stateOverview(p) })
	p.section(2, "What fails how", func() { a.failuresOverview(p) })
	p.section(2, "External dependencies", func() { a.externals(p) })
	p.section(2, "Smaller parts", func() { a.smallParts(p) })
	p.paragraph()
	p.description = p.describedBy("How the repository is put together.")
	return p
}

// programsLead opens the page with what runs.
func (a *atlas) programsLead(p *page) {
	programs := a.mainPrograms()
	for i := 0; i < len(programs); i++ { // copies of one binary are one
		rest := slices.DeleteFunc(slices.Clone(programs[i+1:]), func(o survey.Program) bool { return o.Entry == programs[i].Entry })
		programs = append(slices.Clone(programs[:i+1]), rest...)
	}
	if len(programs) == 0 {
		if d := a.repo.Description; usable(d.Text) {
			p.say(quote(sentence(capital(packageWords(plainMarkup(clean(d.Text)))))), a.narrow(d.Ref, strings.TrimSuffix(clean(d.Text), ".")))
		}
	}
	for _, g := range programs[:min(3, len(programs))] {
		c := a.byID[g.Component]
		if c == nil {
			continue
		}
		t := compose("{} is the program that starts in {}", label(g.Name), p.linked(code(g.Entry.Path), g.Entry))
		var uses []text
		for _, e := range c.Uses[:min(4, len(c.Uses))] {
			if to := a.byID[e.To]; to != nil {
				uses = append(uses, a.part(p, to))
			}
		}
		refs := []survey.Ref{g.Entry}
		if len(uses) > 0 {
			for _, e := range c.Uses[:min(4, len(c.Uses))] {
				refs = append(refs, e.Ref)
			}
			t = compose("{}; its part {} uses {}", t, a.part(p, c), list(uses))
		}
		p.sayLinked(compose("{}.", t), refs...)
	}
	p.paragraph()
}

// Bounds of the diagram: people read no larger one.
const (
	maxNodes = 16
	maxEdges = 48
)

// diagram draws the parts with the most edges and the strongest edges between them; the rest is folded.
func (a *atlas) diagram(p *page) {
	nodes := slices.Clone(a.parts)
	slices.SortStableFunc(nodes, func(x, y *survey.Component) int {
		return cmp.Or(cmp.Compare(a.rank(y)/2, a.rank(x)/2), cmp.Compare(x.ID, y.ID))
	})
	folded := len(nodes) > maxNodes
	nodes = nodes[:min(maxNodes, len(nodes))]
	slices.SortFunc(nodes, func(x, y *survey.Component) int {
		return cmp.Or(cmp.Compare(y.Layer, x.Layer), cmp.Compare(x.ID, y.ID))
	})
	number := make(map[string]string)
	for i, c := range nodes {
		number[c.ID] = "p" + string(rune('a'+i))
	}
	var lines []string
	all := 0
	for _, c := range nodes {
		for _, e := range c.Uses {
			if number[e.To] != "" && e.To != c.ID {
				all++
			}
		}
	}
	for _, c := range nodes {
		n := 0
		for _, e := range c.Uses { // strongest first
			if number[e.To] != "" && e.To != c.ID && (n < 3 || all <= maxEdges) && len(lines) < maxEdges {
				n++
				lines = append(lines, "  "+number[c.ID]+" --> "+number[e.To])
			}
		}
	}
	if len(lines) < 2 {
		return
	}
	p.blank()
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for _, c := range nodes {
		if strings.Contains(strings.Join(lines, "\n")+"\n", number[c.ID]+"\n") || strings.Contains(strings.Join(lines, "\n"), "  "+number[c.ID]+" ") {
			b.WriteString("  " + number[c.ID] + "[\"" + diagramLabel(a.title(c)) + "\"]\n")
		}
	}
	b.WriteString(strings.Join(lines, "\n") + "\n```\n\n")
	p.body = append(p.body, b.String()...)
	caption := "*An arrow points from the part that imports to the part that is imported"
	if all > maxEdges {
		caption += "; of each part the three strongest dependencies are shown"
	}
	if folded {
		caption += ", smaller parts are folded"
	}
	p.guide(words(caption + ". The table below links the import lines.*"))
	p.paragraph()
}

// oneOperation tells the operations that stand for the repository.
func (a *atlas) oneOperation(p *page) {
	all := a.mainOperation()
	if len(all) == 0 {
		return
	}
	p.guide(words(traceNote))
	for i, stages := range all {
		if i > 0 {
			p.blank()
			p.guide(compose("From {}:", label(stages[0].at.name())))
		}
		if stages[0].at.decl.Name != "main" {
			a.startedBy(p, stages[0].at)
		}
		p.paragraph()
		p.steps(a.tell(p, stages))
	}
	a.handlerOperation(p)
}

// startedBy says who calls the function with which an operation begins, or passes it on as a handler.
func (a *atlas) startedBy(p *page, s symbol) {
	if by, to, at, ok := a.handedAt(s); ok {
		name := p.linked(code(by.decl.Name), by.ref())
		p.sayLinked(compose("{} passes {} to {}.", name, p.linked(code(s.decl.Name), at), label(to)), by.ref(), at)
	}
	var names, plain []text
	refs := []survey.Ref{s.ref()}
	callers := a.callersOf(s)
	for _, c := range callers[:min(maxCallers, len(callers))] {
		at := survey.Ref{Path: c.to.file.Path, Start: c.line, End: c.line}
		name := p.linked(code(c.to.name()), at)
		name.names = nil
		names, plain, refs = append(names, name), append(plain, label(c.to.name())), append(refs, at, c.to.ref())
	}
	if len(names) < len(callers) {
		names = append(names, words("others"))
	}
	if len(names) > 0 {
		name := text{md: p.linked(label(s.name()), s.ref()).md, plain: s.name(), names: []string{s.decl.Name}}
		if p.prove(compose("{} is called by {}.", name, list(plain)), refs) {
			p.write(compose("{} is called by {}.", name, list(names)).md)
		}
	}
}

// handlerOperation tells, behind an operation that ends in a call of a function which data files name, one of those functions.
func (a *atlas) handlerOperation(p *page) {
	c, ok := a.typicalHandler()
	if !ok {
		return
	}
	stages := a.calls.operation(c.function)
	if len(stages) == 0 {
		return
	}
	p.blank()
	p.sayLinked(compose("From {}, one of the functions that the files of {} name ({}):", p.linked(code(c.function.decl.Name), c.function.ref()), p.folder(c.dir), p.at(c.example)), c.function.ref(), c.example)
	p.paragraph()
	p.steps(a.tell(p, stages))
}

func (a *atlas) extensionList(p *page) {
	var items []item
	for _, c := range a.catalogues() {
		items = append(items, a.catalogueItem(p, c))
	}
	for _, e := range a.bestExtensions(8) {
		items = append(items, a.describe(p, e))
	}
	for _, c := range a.byImportance() {
		if kin := a.families(c); len(kin) > 0 && len(items) < 3 {
			items = append(items, a.kin(p, kin[0]))
		}
	}
	p.bullets(items)
}

// stateOverview tables what keeps state: the variables of the process, and the types that change their own fields, a few of each part.
func (a *atlas) stateOverview(p *page) {
	var shared, rows []row
	for _, c := range a.byImportance() {
		if c.Role == "tools" || supports(c.Dir+"/x") {
			continue
		}
		if len(shared) < 10 {
			shared = append(shared, a.sharedRows(p, c, 4)...)
		}
		if len(rows) >= 12 {
			continue
		}
		keepers := a.stateRows(p, c, 2)
		for i := range keepers {
			keepers[i].cells = append(keepers[i].cells, a.part(p, c))
		}
		rows = append(rows, keepers...)
	}
	p.table(sharedHeader, shared)
	p.blank()
	for _, c := range a.byImportance() {
		a.fieldsOfState(p, c, 14)
	}
	p.table(append(slices.Clone(stateHeader), "Part"), rows)
}

// externals tables the direct third-party dependencies and the parts that use them. Versions stay in the manifest: they move daily.
func (a *atlas) externals(p *page) {
	var rows []row
	all := slices.Clone(a.repo.Externals)
	slices.SortStableFunc(all, func(x, y survey.External) int {
		late := func(e survey.External) int { // what is listed for development comes last
			if e.Dev || e.Kind == "dev" {
				return 1
			}
			return 0
		}
		return cmp.Or(late(x)-late(y), cmp.Compare(min(len(y.UsedBy), 5), min(len(x.UsedBy), 5)), cmp.Compare(x.Name, y.Name))
	})
	seen := make(map[string]bool)
	for _, e := range all {
		key := e.Name + "\x00" + e.Kind
		if seen[key] || len(rows) == 60 {
			continue
		}
		seen[key] = true
		var parts []text
		var refs []survey.Ref
		for _, o := range all { // several manifests may list it, each for its own part
			if o.Name != e.Name || o.Kind != e.Kind {
				continue
			}
			before := len(parts)
			for _, id := range o.UsedBy {
				if c := a.byID[id]; c != nil && (o.Kind != "dev" && !o.Dev || path.Base(o.Ref.Path) == "package.json" && (c.Role == "library" || c.Role == "program")) {
					parts = append(parts, a.part(p, c))
				}
			}
			if len(parts) > before {
				refs = append(refs, o.Ref)
			}
		}
		if len(parts) == 0 {
			continue // nothing certain to tell beyond the manifest
		}
		kind := words(a.kindOf(e))
		if e.Under != "" && !slices.ContainsFunc(all, func(o survey.External) bool { return o.Name == e.Name && o.Under != e.Under }) {
			kind = text{md: strings.TrimSpace(kind.md + " for " + label(e.Under).md)}
		}
		rows = append(rows, row{
			cells: []text{p.linked(code(e.Name), refs[0]), kind, some(parts, 6)},
			claim: compose("{} is named as a dependency.", code(e.Name)), refs: refs,
		})
	}
	p.table([]string{"Dependency", "Kind", "Used by"}, rows)
}

// smallParts gives each part without a page a short section of its own, when it has more to say than the parts table.
func (a *atlas) smallParts(p *page) {
	var rows []row
	for _, c := range a.parts {
		if a.pages[c.ID] != "" || len(rows) == 30 {
			continue
		}
		says, claim, refs := a.responsibility(p, c)
		sym, ok := a.keySymbol(c)
		if says.md == "" || !ok {
			continue
		}
		rows = append(rows, row{cells: []text{a.folders(p, c), says, p.linked(code(sym.name()), sym.ref())}, claim: claim, refs: refs})
	}
	p.table([]string{"Part", "In its authors' words, or its main declarations", "Start at"}, rows)
}

// kindOf is how a dependency is listed; where the repository is of another language, also that it is a package of Python.
func (a *atlas) kindOf(e survey.External) string {
	base := path.Base(e.Ref.Path)
	python := strings.HasPrefix(base, "requirements") || base == "pyproject.toml" || base == "setup.py" || base == "setup.cfg"
	if kind := kindOfDependency(e.Kind); kind != "" || !python || len(a.repo.Languages) == 0 || a.repo.Languages[0].Name == "Python" {
		return kind
	}
	return "Python package"
}

// kindOfDependency is how a manifest that tells kinds apart lists a dependency; "" for what is needed to run.
func kindOfDependency(kind string) string {
	switch kind {
	case "peer":
		return "peer: whoever uses it brings it"
	case "optional":
		return "optional"
	case "build":
		return "for building"
	case "linked":
		return "linked"
	case "linked-optional":
		return "linked under a condition of the Makefile"
	case "vendored":
		return "linked, from a copy in the repository"
	case "dev":
		return "listed for development, used by the source"
	}
	return ""
}
