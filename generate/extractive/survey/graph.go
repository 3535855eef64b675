package survey

import (
	"path"
	"sort"
)

// connect lifts the imports of packages to edges between components and fills in layers and cycles.
func connect(cs []*Component) {
	owner := map[string]*Component{}
	for _, c := range cs {
		for _, p := range c.Packages {
			owner[p.Dir] = c
		}
	}
	for _, c := range cs {
		edges := map[string]*Edge{}
		for _, p := range c.Packages {
			if sideRole(p.Role) && !sideRole(c.Role) {
				continue // its tests and samples import what the part itself does not
			}
			for _, e := range p.Imports {
				if to := owner[e.To]; to != nil && to != c && !leftover(c, to, e.To) {
					addEdge(edges, to.ID, e)
				}
			}
		}
		c.Uses = sortEdges(edges)
	}
	reverse(cs)
	layer(cs)
	for _, c := range cs {
		if c.Role == "library" && startsProgram(c) && !usedByProduct(c, cs) {
			c.Role = "program"
		}
	}
}

// leftover reports whether a package belongs to a part only because it is left of the directory that another part lies in: what that one takes
// from it, such as a file of settings, is no dependency on the part that bears the name of the whole.
func leftover(c, of *Component, dir string) bool {
	return of.Rest && of.Dir != "." && dir != of.Dir && c.Dir != of.Dir && within(c.Dir, of.Dir)
}

// startsProgram reports a part whose own directory, or the source root in it, holds a main function.
func startsProgram(c *Component) bool {
	for _, p := range c.Packages {
		if p.Role == "program" && (p.Dir == c.Dir || p.Dir == path.Join(c.Dir, "src")) {
			return true
		}
	}
	return false
}

func usedByProduct(c *Component, cs []*Component) bool {
	for _, e := range c.UsedBy {
		for _, other := range cs {
			if other.ID == e.To && !sideRole(other.Role) {
				return true
			}
		}
	}
	return false
}

// sideRole reports roles beside the product.
func sideRole(role string) bool {
	return role == "tests" || role == "examples" || role == "docs" || role == "tools"
}

// addEdge adds e to the edge to a component and keeps the first proof by path and line.
func addEdge(edges map[string]*Edge, to string, e Edge) {
	have := edges[to]
	if have == nil {
		e.To = to
		edges[to] = &e
		return
	}
	have.Count += e.Count
	if e.Optional.Path == "" {
		have.Optional = Ref{}
	}
	if e.Inline != have.Inline {
		if have.Inline {
			have.Ref, have.Inline = e.Ref, false
		}
		return
	}
	if e.Ref.Path < have.Ref.Path || e.Ref.Path == have.Ref.Path && e.Ref.Start < have.Ref.Start {
		have.Ref = e.Ref
	}
}

// sortEdges orders by strength, then name.
func sortEdges(edges map[string]*Edge) []Edge {
	var out []Edge
	for _, key := range sortedKeys(edges) {
		out = append(out, *edges[key])
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Count > out[j].Count })
	return out
}

func reverse(cs []*Component) {
	used := map[string]map[string]*Edge{}
	for _, c := range cs {
		for _, e := range c.Uses {
			if used[e.To] == nil {
				used[e.To] = map[string]*Edge{}
			}
			addEdge(used[e.To], c.ID, e)
		}
	}
	for _, c := range cs {
		c.UsedBy = sortEdges(used[c.ID])
	}
}

// layer finds the strongly connected groups and the longest path below each.
func layer(cs []*Component) {
	t := &tarjan{index: map[string]int{}, low: map[string]int{}, on: map[string]bool{}, byID: map[string]*Component{}, layer: map[string]int{}}
	for _, c := range cs {
		t.byID[c.ID] = c
	}
	for _, c := range cs {
		if _, ok := t.index[c.ID]; !ok {
			t.visit(c)
		}
	}
}

// tarjan emits groups after everything they reach, so layers can be set on the way.
type tarjan struct {
	index, low map[string]int
	on         map[string]bool
	stack      []*Component
	byID       map[string]*Component
	layer      map[string]int
}

func (t *tarjan) visit(c *Component) {
	t.index[c.ID] = len(t.index)
	t.low[c.ID] = t.index[c.ID]
	t.stack = append(t.stack, c)
	t.on[c.ID] = true
	for _, e := range c.Uses {
		to := t.byID[e.To]
		if _, ok := t.index[e.To]; !ok {
			t.visit(to)
			t.low[c.ID] = min(t.low[c.ID], t.low[e.To])
		} else if t.on[e.To] {
			t.low[c.ID] = min(t.low[c.ID], t.index[e.To])
		}
	}
	if t.low[c.ID] == t.index[c.ID] {
		t.emit(c)
	}
}

func (t *tarjan) emit(c *Component) {
	at := len(t.stack) - 1
	for t.stack[at] != c {
		at--
	}
	group := t.stack[at:]
	t.stack = t.stack[:at]
	member := map[string]bool{}
	for _, m := range group {
		t.on[m.ID] = false
		member[m.ID] = true
	}
	level := 0
	for _, m := range group {
		for _, e := range m.Uses {
			if !member[e.To] {
				level = max(level, t.byID[e.To].Layer+1)
			}
		}
	}
	ids := sortedKeys(member)
	for _, m := range group {
		m.Layer = level
		if len(ids) > 1 {
			m.Cycle = ids
		}
	}
}
