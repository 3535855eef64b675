package extractive

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// architecture is the page about the whole: the parts and how they depend on each other, layers, hubs, surprising edges, one operation
// from entry to effect, external dependencies, state, and what fails how.
func (a *atlas) architecture() *page {
	p := newPage(a.src, path.Join(a.wiki, architecturePage))
	p.kind, p.title = "Architecture", "Architecture"
	p.description = "The parts of " + shorten(a.name(), 80) + ", which part depends on which, one operation step by step, external dependencies and failures."
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
	p.section(2, "Surprising edges", func() { a.surprises(p) })
	p.section(2, "One operation, step by step", func() { a.mainOperation(p) })
	p.section(2, "What can be added", func() { a.extensionList(p) })
	p.section(2, "State", func() { a.stateOverview(p) })
	p.section(2, "What fails how", func() { a.failuresOverview(p) })
	p.section(2, "External dependencies", func() { a.externals(p) })
	p.section(2, "Smaller parts", func() { a.smallParts(p) })
	p.paragraph()
	return p
}

// programsLead opens the page with what runs.
func (a *atlas) programsLead(p *page) {
	programs := a.mainPrograms()
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
	for _, c := range nodes {
		n := 0
		for _, e := range c.Uses { // strongest first
			if number[e.To] != "" && e.To != c.ID && n < 3 && len(lines) < maxEdges {
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
	caption := "*An arrow points from the part that imports to the part that is imported; the strongest dependencies are shown"
	if folded {
		caption += ", smaller parts are folded"
	}
	p.guide(words(caption + ". The table below links the import lines.*"))
	p.paragraph()
}

// dependencies tables the edges between parts, each with an import line that proves it.
func (a *atlas) dependencies(p *page) {
	var rows []row
	for _, c := range a.parts {
		var uses, plain []text
		var refs []survey.Ref
		for _, e := range c.Uses {
			to := a.byID[e.To]
			if to == nil || e.Ref.Path == "" || len(refs) == 8 || !a.src.contain([]survey.Ref{e.Ref}, nil) {
				continue
			}
			uses = append(uses, p.linked(label(a.title(to)), e.Ref))
			plain = append(plain, label(a.title(to)))
			refs = append(refs, e.Ref)
		}
		if len(refs) == 0 {
			continue
		}
		claim := compose("{} depends on {}.", label(a.title(c)), list(plain))
		if len(c.Uses) > len(refs) {
			uses = append(uses, words("others"))
		}
		rows = append(rows, row{cells: []text{a.part(p, c), list(uses)}, claim: claim, refs: refs})
	}
	p.table([]string{"Part", "Depends on (link: an import line)"}, rows)
}

// layers groups the parts by how high they stand above the parts that depend on nothing.
func (a *atlas) layers(p *page) {
	byLayer := make(map[int][]text)
	top := 0
	for _, c := range a.parts {
		byLayer[c.Layer] = append(byLayer[c.Layer], a.part(p, c))
		top = max(top, c.Layer)
	}
	if top == 0 || len(a.parts) < 3 {
		return
	}
	p.guide(words("A part stands above every part that it imports; parts of one dependency cycle share a layer."))
	p.paragraph()
	var rows []row
	for l := top; l >= 0; l-- {
		if len(byLayer[l]) == 0 {
			continue
		}
		name := strconv.Itoa(l)
		switch l {
		case top:
			name += " (top)"
		case 0:
			name += " (foundation)"
		}
		rows = append(rows, row{cells: []text{words(name), some(byLayer[l], 14)}})
	}
	p.table([]string{"Layer", "Parts"}, rows)
}

// hubs names the parts that most others need: a change there is felt widely.
func (a *atlas) hubs(p *page) {
	hubs := slices.Clone(a.parts)
	hubs = slices.DeleteFunc(hubs, func(c *survey.Component) bool { return len(c.UsedBy) < 4 })
	slices.SortStableFunc(hubs, func(x, y *survey.Component) int {
		return cmp.Or(cmp.Compare(len(y.UsedBy), len(x.UsedBy)), cmp.Compare(x.ID, y.ID))
	})
	var items []item
	for _, c := range hubs[:min(5, len(hubs))] {
		by, refs := a.edgeList(p, c.UsedBy, 6)
		items = append(items, item{text: compose("{} is used by {}.", a.part(p, c), by), refs: refs, bare: true})
	}
	p.bullets(items)
}

// edgeList is a list of parts in which every name links the import line, with the lines as proof.
func (a *atlas) edgeList(p *page, edges []survey.Edge, limit int) (text, []survey.Ref) {
	var names []text
	var refs []survey.Ref
	for _, e := range edges {
		c := a.byID[e.To]
		if c == nil || e.Ref.Path == "" || len(refs) == limit || !a.src.contain([]survey.Ref{e.Ref}, nil) {
			continue
		}
		names = append(names, p.linked(label(a.title(c)), e.Ref))
		refs = append(refs, e.Ref)
	}
	if len(edges) > len(names) && len(names) == limit {
		names = append(names, words("others"))
	}
	return list(names), refs
}

// surprises names the edges that a reader of the layers does not expect: cycles, and product code that needs tests, tools or examples.
func (a *atlas) surprises(p *page) {
	var items []item
	seen := make(map[string]bool)
	for _, c := range a.parts {
		for _, e := range c.Uses {
			to := a.byID[e.To]
			if to == nil {
				continue
			}
			if back, ok := edgeTo(to, c.ID); ok && !seen[to.ID+"\x00"+c.ID] {
				seen[c.ID+"\x00"+to.ID] = true
				items = append(items, a.mutual(p, c, to, e, back))
			}
			if (c.Role == "program" || c.Role == "library") && (to.Role == "tests" || to.Role == "tools" || to.Role == "examples") {
				items = append(items, item{
					text: compose("{} depends on {}, which belongs to the "+to.Role+".", a.part(p, c), p.linked(label(a.title(to)), e.Ref)),
					refs: []survey.Ref{e.Ref},
				})
			}
		}
		if t, refs := a.cycle(p, c, seen); len(refs) > 2 {
			items = append(items, item{text: t, refs: refs, bare: true})
		}
	}
	slices.SortStableFunc(items, func(x, y item) int {
		grain := func(it item) int {
			if strings.Contains(it.text.plain, "against the grain") || !strings.Contains(it.text.plain, "import each other") {
				return 0
			}
			return 1
		}
		return grain(x) - grain(y)
	})
	p.bullets(items[:min(10, len(items))])
}

func edgeTo(c *survey.Component, id string) (survey.Edge, bool) {
	for _, e := range c.Uses {
		if e.To == id {
			return e, true
		}
	}
	return survey.Edge{}, false
}

// mutual describes two parts that import each other and says which direction is the weaker one.
func (a *atlas) mutual(p *page, x, y *survey.Component, there, back survey.Edge) item {
	t := compose("{} and {} import each other ({} and {})", a.part(p, x), a.part(p, y), p.at(there.Ref), p.at(back.Ref))
	switch {
	case there.Count >= 3*back.Count:
		t = compose("{}; the edge against the grain is {} to {}", t, label(a.title(y)), label(a.title(x)))
	case back.Count >= 3*there.Count:
		t = compose("{}; the edge against the grain is {} to {}", t, label(a.title(x)), label(a.title(y)))
	}
	return item{text: compose("{}.", t), refs: []survey.Ref{there.Ref, back.Ref}, bare: true}
}

// cycle describes a dependency cycle of three or more parts by the way around from its first part.
func (a *atlas) cycle(p *page, c *survey.Component, seen map[string]bool) (text, []survey.Ref) {
	if len(c.Cycle) < 3 || slices.Min(c.Cycle) != c.ID {
		return text{}, nil
	}
	way := a.wayBack(c)
	if len(way) < 3 {
		return text{}, nil
	}
	names := []text{a.part(p, c)}
	var refs []survey.Ref
	for _, e := range way {
		names = append(names, p.linked(label(a.title(a.byID[e.To])), e.Ref))
		refs = append(refs, e.Ref)
	}
	t := names[0]
	for _, n := range names[1:] {
		t = compose("{} → {}", t, n)
	}
	return compose("A dependency cycle: {}.", t), refs
}

// wayBack is a shortest way from a part through its cycle back to itself that is longer than two, breadth first.
func (a *atlas) wayBack(c *survey.Component) []survey.Edge {
	type state struct {
		at  *survey.Component
		way []survey.Edge
	}
	visited := map[string]bool{}
	queue := []state{{at: c}}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, e := range s.at.Uses {
			if e.To == c.ID && len(s.way) >= 2 {
				return append(slices.Clone(s.way), e)
			}
			to := a.byID[e.To]
			if to == nil || to == c || visited[e.To] || !slices.Contains(c.Cycle, e.To) {
				continue
			}
			visited[e.To] = true
			queue = append(queue, state{to, append(slices.Clone(s.way), e)})
		}
	}
	return nil
}

// mainOperation follows one call path from a program's entry, or from the most telling exported function of the repository.
func (a *atlas) mainOperation(p *page) {
	var stages []stage
	for _, g := range a.mainPrograms() {
		if s, ok := a.calls.entry(g.Entry); ok && a.calls.reach(s) >= leastReach {
			stages = a.calls.operation(s)
			break
		}
	}
	if len(stages) < 2 {
		var starts []symbol
		for _, c := range a.byImportance() {
			starts = append(starts, a.startsOf(c)...)
		}
		stages = a.calls.main(starts)
	}
	if len(stages) == 0 {
		return
	}
	p.guide(words("A path through the calls whose target is certain; each name links the line of its call, other calls are left out."))
	p.paragraph()
	p.steps(a.tell(p, stages))
}

func (a *atlas) extensionList(p *page) {
	var items []item
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

// stateOverview tables the types that keep state, a few of each part.
func (a *atlas) stateOverview(p *page) {
	var rows []row
	for _, c := range a.byImportance() {
		if len(rows) >= 12 {
			break
		}
		keepers := a.stateRows(p, c, 2)
		for i := range keepers {
			keepers[i].cells = append(keepers[i].cells, a.part(p, c))
		}
		rows = append(rows, keepers...)
	}
	p.table([]string{"Kept in", "What it is", "Methods that write, by name", "Part"}, rows)
}

// failuresOverview tables exit statuses and the declared errors of the parts that most others need.
func (a *atlas) failuresOverview(p *page) {
	var rows []row
	parts := a.byImportance()
	slices.SortStableFunc(parts, func(x, y *survey.Component) int { // the parts of programs decide about exit statuses
		return programFirst(x) - programFirst(y)
	})
	for _, c := range parts {
		if len(rows) >= 18 {
			break
		}
		if c.Role == "tools" {
			continue
		}
		found := a.failureRows(p, c, 3)
		for i := range found {
			found[i].cells = append(found[i].cells, a.part(p, c))
		}
		rows = append(rows, found...)
	}
	p.table([]string{"Failure", "Means", "Part"}, rows)
}

func programFirst(c *survey.Component) int {
	if c.Role == "program" {
		return 0
	}
	return 1
}

// externals tables the direct third-party dependencies and the parts that use them. Versions stay in the manifest: they move daily.
func (a *atlas) externals(p *page) {
	var rows []row
	all := slices.Clone(a.repo.Externals)
	slices.SortStableFunc(all, func(x, y survey.External) int {
		return cmp.Or(cmp.Compare(min(len(y.UsedBy), 5), min(len(x.UsedBy), 5)), cmp.Compare(x.Name, y.Name))
	})
	for _, e := range all {
		if e.Dev || len(rows) == 30 {
			continue
		}
		var parts []text
		for _, id := range e.UsedBy {
			if c := a.byID[id]; c != nil {
				parts = append(parts, a.part(p, c))
			}
		}
		rows = append(rows, row{
			cells: []text{p.linked(code(e.Name), e.Ref), some(parts, 6)},
			claim: compose("{} is a direct dependency.", code(e.Name)), refs: []survey.Ref{e.Ref},
		})
	}
	p.table([]string{"Dependency", "Used by"}, rows)
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
		rows = append(rows, row{cells: []text{p.folder(c.Dir), says, p.linked(code(sym.name()), sym.ref())}, claim: claim, refs: refs})
	}
	p.table([]string{"Part", "Responsible for, or what is at its centre", "Start at"}, rows)
}
