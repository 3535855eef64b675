package extractive

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A step is one resolved call.
type step struct {
	to   symbol
	line int    // of the call, in the caller's file
	said string // how the call is written: "tsdb.Open" for a function of another package, else the name
}

// A stage is one function of an operation with the calls that tell what it does, in source order.
type stage struct {
	at    symbol
	calls []step
}

// Bounds of an operation: people follow no longer one.
const (
	maxStages = 5    // functions on the way
	maxCalls  = 6    // calls told of each
	maxReach  = 2000 // functions counted to weigh a call

	leastReach = 8 // behind an entry point from which it is worth following
)

// reach weighs how much happens behind a function: the functions it leads to, each part among them counting more.
func (g *callGraph) reach(from symbol) int {
	if n, ok := g.reaches[from.decl]; ok {
		return n
	}
	seen := map[*scan.Decl]bool{from.decl: true}
	parts := make(map[*survey.Component]bool)
	queue := []symbol{from}
	for len(queue) > 0 && len(seen) < maxReach {
		s := queue[0]
		queue = queue[1:]
		parts[g.atlas.component(s.file.Path)] = true
		for _, c := range g.calls(s) {
			if !seen[c.to.decl] {
				seen[c.to.decl] = true
				queue = append(queue, c.to)
			}
		}
	}
	n := len(seen) + 10*(len(parts)-1)
	g.reaches[from.decl] = n
	return n
}

// operation follows one operation from a function to its effect: on each stage it goes on with the call behind which most happens.
func (g *callGraph) operation(from symbol) []stage {
	var out []stage
	onWay := map[*scan.Decl]bool{from.decl: true}
	for at := from; len(out) < maxStages; {
		calls := g.calls(at)
		next, best := step{}, 1
		for _, c := range calls {
			r := g.reach(c.to)
			if leading(at.decl.Name, c.to.decl.Name) {
				r *= 3
			}
			if r > best && !onWay[c.to.decl] {
				next, best = c, r
			}
		}
		told := g.telling(calls, next)
		if len(told) == 0 {
			break
		}
		out = append(out, stage{at: at, calls: told})
		if next.to.decl == nil {
			break
		}
		onWay[next.to.decl] = true
		at = next.to
	}
	return out
}

// leading reports whether a callee by its name does what the caller is for: ExecuteC calls execute, search_parallel calls search, main
// calls run.
func leading(caller, callee string) bool {
	from, to := nameWords(caller), nameWords(callee)
	if len(to) == 0 || strings.Contains(strings.ToLower(callee), "exception") || strings.Contains(strings.ToLower(callee), "error") {
		return false
	}
	switch strings.ToLower(to[0]) {
	case "main", "run", "serve", "start", "execute", "handle", "process", "dispatch", "call":
		return true
	}
	return len(from) > 0 && strings.EqualFold(from[0], to[0])
}

// telling keeps the calls that say most about a function, in source order, and always the one that the operation goes on with.
func (g *callGraph) telling(calls []step, next step) []step {
	ranked := slices.Clone(calls)
	weigh := func(c step) int {
		w := bits.Len(uint(g.reach(c.to)))
		if c.to.decl.Doc != "" {
			w += 2
		}
		if c.to.decl == next.to.decl {
			w += 100
		}
		if c.to.decl.End-c.to.decl.Start < 3 {
			w -= 2
		}
		return w
	}
	slices.SortStableFunc(ranked, func(x, y step) int { return weigh(y) - weigh(x) })
	ranked = ranked[:min(maxCalls, len(ranked))]
	slices.SortStableFunc(ranked, func(x, y step) int { return x.line - y.line })
	return ranked
}

// main chooses the start from which most happens, and prefers one that the others do not lead to.
func (g *callGraph) main(starts []symbol) []stage {
	var best symbol
	most := 2
	for _, s := range starts {
		r := g.reach(s)
		if leading("", s.decl.Name) {
			r *= 3
		}
		if r > most {
			best, most = s, r
		}
	}
	if best.decl == nil {
		return nil
	}
	return g.operation(best)
}

// entry finds the declaration that an entry reference points at.
func (g *callGraph) entry(r survey.Ref) (symbol, bool) {
	f := g.atlas.repo.Files[r.Path]
	if f == nil {
		return symbol{}, false
	}
	for i := range f.Decls {
		d := &f.Decls[i]
		if functionKind(d.Kind) && d.Start <= max(r.Start, 1) && r.Start <= d.End {
			return symbol{d, f}, true
		}
	}
	for _, e := range f.Entries { // a script calls its main function from a guard
		for i := range f.Decls {
			if d := &f.Decls[i]; functionKind(d.Kind) && d.Parent == "" && d.Name == e.Name {
				return symbol{d, f}, true
			}
		}
	}
	for i := range f.Decls {
		if d := &f.Decls[i]; functionKind(d.Kind) && d.Parent == "" && d.Name == "main" {
			return symbol{d, f}, true
		}
	}
	return symbol{}, false
}

// tell writes an operation as numbered steps. Each is proved by the head of the function with its doc, and by the lines of the calls.
func (a *atlas) tell(p *page, stages []stage) []item {
	var out []item
	for _, st := range stages {
		refs := a.docRefs(st.at)
		t := p.linked(code(st.at.name()), st.at.ref())
		t.names = []string{st.at.decl.Name} // a method's type stands in another line than its name
		if c := a.component(st.at.file.Path); c != nil {
			t = compose("{} of {}", t, a.part(p, c))
		}
		doc := firstSentence(st.at.decl.Doc)
		if usable(doc) && st.at.decl.Name != "main" {
			t = compose("{}: {} It calls", t, quote(sentence(doc)))
		} else {
			t = compose("{} calls", t)
			refs = []survey.Ref{st.at.ref()}
		}
		var names []text
		for _, c := range st.calls {
			call := survey.Ref{Path: st.at.file.Path, Start: c.line, End: c.line}
			name := p.linked(code(c.said), call)
			name.names = []string{c.to.decl.Name}
			names = append(names, name)
			refs = append(refs, call)
		}
		if len(names) > 1 {
			t = compose("{}, from top to bottom, {}.", t, list(names))
		} else {
			t = compose("{} {}.", t, list(names))
		}
		out = append(out, item{text: t, refs: refs, bare: true})
	}
	return out
}

// startsOf are the functions from which the operations of a part can be followed.
func (a *atlas) startsOf(c *survey.Component) []symbol {
	var out []symbol
	for _, p := range a.repo.Programs {
		if p.Component == c.ID {
			if s, ok := a.calls.entry(p.Entry); ok {
				out = append(out, s)
			}
		}
	}
	if c.Role == "program" && len(out) > 0 && a.calls.reach(out[0]) >= leastReach {
		return out
	}
	exported := a.symbols(c, func(d *scan.Decl) bool {
		return functionKind(d.Kind) && (d.Exported && d.Name != "__init__" && d.Name != "__construct" && d.Name != "constructor" || d.Name == "__call__")
	})
	return slices.Concat(out, exported[:min(maxReach, len(exported))])
}
