package extractive

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// dependencies tables the edges between parts, each with an import line that proves it.
func (a *atlas) dependencies(p *page) {
	var rows []row
	for _, c := range a.parts {
		var uses, plain []text
		var refs []survey.Ref
		for _, e := range c.Uses {
			to := a.byID[e.To]
			if to == nil || e.Ref.Path == "" || len(uses) == 8 || !a.src.contain([]survey.Ref{e.Ref}, nil) {
				continue
			}
			shown, said, proof := a.edgeShown(p, e)
			uses, plain, refs = append(uses, shown), append(plain, said), append(refs, proof...)
		}
		if len(refs) == 0 {
			continue
		}
		claim := compose("{} depends on {}.", label(a.title(c)), list(plain))
		if len(c.Uses) > len(uses) {
			uses = append(uses, words("others"))
		}
		rows = append(rows, row{cells: []text{a.part(p, c), list(uses)}, claim: claim, refs: refs})
	}
	p.table([]string{"Part", "Depends on (link: a line that imports or names it)"}, rows)
}

// layers groups the parts by how high they stand above the parts that depend on nothing.
func (a *atlas) layers(p *page) {
	byLayer := make(map[int][]text)
	top := 0
	var alone []text
	for _, c := range a.parts {
		if c.Role == "tools" || c.Role == "tests" || c.Role == "examples" || c.Role == "docs" {
			continue // what stands beside the product has no place in its layers
		}
		if len(c.Uses) == 0 && !a.usedByParts(c) {
			alone = append(alone, a.part(p, c))
			continue
		}
		byLayer[c.Layer] = append(byLayer[c.Layer], a.part(p, c))
		top = max(top, c.Layer)
	}
	if top == 0 || len(a.parts) < 3 {
		return
	}
	for _, in := range byLayer {
		if len(in) > 5 && 2*len(in) > len(a.parts) {
			return // most parts depend on each other in circles: their order says nothing
		}
	}
	p.guide(words("A part stands above every part that it imports, imports of types alone left out; parts of one dependency cycle share a layer."))
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
	if len(alone) > 0 {
		rows = append(rows, row{cells: []text{words("stands alone"), some(alone, 14)}})
	}
	p.table([]string{"Layer", "Parts"}, rows)
}

// usedByParts reports whether a part of the product uses a part.
func (a *atlas) usedByParts(c *survey.Component) bool {
	return slices.ContainsFunc(c.UsedBy, func(e survey.Edge) bool { return slices.Contains(a.parts, a.byID[e.To]) })
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
		if c == nil || e.Ref.Path == "" || len(names) == limit || !slices.Contains(a.parts, c) || !a.src.contain([]survey.Ref{e.Ref}, nil) {
			continue
		}
		shown, _, proof := a.edgeShown(p, e)
		names, refs = append(names, shown), append(refs, proof...)
	}
	if len(edges) > len(names) && len(names) == limit {
		names = append(names, words("others"))
	}
	return list(names), refs
}

// edgeShown is an edge as a list names it, in the page and in a statement: the part it leads to with an import line, and whether it is there only
// on demand.
func (a *atlas) edgeShown(p *page, e survey.Edge) (shown, said text, refs []survey.Ref) {
	title := label(a.title(a.byID[e.To]))
	if e.Optional.Path == "" {
		return p.linked(title, e.Ref), title, []survey.Ref{e.Ref}
	}
	return compose("{} (only with an {})", p.linked(title, e.Ref), p.linked(words("optional feature"), e.Optional)), compose("{} (optional)", title), []survey.Ref{e.Ref, e.Optional}
}

// surprises names the edges that a reader of the layers does not expect: cycles, and product code that needs tests, tools or examples.
func (a *atlas) surprises(p *page) {
	var items []item
	seen := make(map[string]bool)
	for _, c := range a.parts {
		if leftovers(c) {
			continue // of packages that have nothing to do with each other
		}
		for _, e := range c.Uses {
			to := a.byID[e.To]
			if to == nil || leftovers(to) {
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
	if len(items) > 0 && len(a.repo.Languages) > 0 && a.repo.Languages[0].Name == "Go" {
		p.guide(words("Parts can hold several packages. Go packages cannot import each other in a circle: a cycle between parts runs through different packages of them."))
		p.paragraph()
	}
	p.bullets(items[:min(10, len(items))])
}

// leftovers reports whether a part is what is left of the root: packages that only have in common that none is a part of its own.
func leftovers(c *survey.Component) bool { return c.Rest && (c.Dir == "." || c.Dir == "") }

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
			if to == nil || to == c || leftovers(to) || visited[e.To] || !slices.Contains(c.Cycle, e.To) {
				continue
			}
			visited[e.To] = true
			queue = append(queue, state{to, append(slices.Clone(s.way), e)})
		}
	}
	return nil
}
