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
	to    symbol
	line  int    // of the call, in the caller's file
	maybe bool   // it depends on a condition
	said  string // how the call is written: "tsdb.Open" for a function of another package, else the name
}

// A stage is one function of an operation with the calls that tell what it does, in source order.
type stage struct {
	at    symbol
	calls []step
	cut   bool // it makes other calls, too
}

// Bounds of an operation: people follow no longer one.
const (
	maxStages = 5    // functions on the way
	maxCalls  = 8    // calls told of each
	maxReach  = 2000 // functions counted to weigh a call

	maxMainCalls = 16 // calls told of a main function, which puts a program together

	leastNext  = 4  // functions behind a call that is worth following
	manyBehind = 24 // functions behind a method that is told as the operation of a part
	leastReach = 8  // behind an entry point from which it is worth following
)

// reach weighs how much happens behind a function: the functions it leads to, each part among them counting more.
func (g *callGraph) reach(from symbol) int {
	return g.reaches.get(from.decl, func(*scan.Decl) int { return g.findReach(from) })
}

func (g *callGraph) findReach(from symbol) int {
	parts := make(map[*survey.Component]bool)
	behind := g.behind(from)
	for _, s := range behind {
		parts[g.atlas.component(s.file.Path)] = true
	}
	return len(behind) + 10*(len(parts)-1)
}

// behind are the functions that a function leads to, itself first.
func (g *callGraph) behind(from symbol) []symbol {
	seen := map[*scan.Decl]bool{from.decl: true}
	out := []symbol{from}
	for i := 0; i < len(out) && len(out) < maxReach; i++ {
		for _, c := range g.calls(out[i]) {
			if !seen[c.to.decl] {
				seen[c.to.decl] = true
				out = append(out, c.to)
			}
		}
	}
	return out
}

// leadsBack reports whether a function leads to one that is on the way already, so that following it goes in a circle.
func (g *callGraph) leadsBack(from symbol, onWay map[*scan.Decl]bool) bool {
	return slices.ContainsFunc(g.behind(from), func(s symbol) bool { return onWay[s.decl] })
}

// operation follows one operation from a function to its effect: on each stage it goes on with the call behind which most happens. It
// stops where only helpers are left, or calls that lead back.
func (g *callGraph) operation(from symbol) []stage {
	var out []stage
	onWay := map[*scan.Decl]bool{from.decl: true}
	for at := from; len(out) < maxStages; {
		calls := slices.DeleteFunc(slices.Clone(g.calls(at)), func(c step) bool { return onWay[c.to.decl] || failing(c.to.decl.Name) })
		next := g.next(at, calls, onWay, false)
		if next.to.decl == nil {
			next = g.next(at, calls, onWay, true)
		}
		told := g.telling(at, calls, next)
		certain := slices.ContainsFunc(told, func(c step) bool { return !c.maybe })
		if len(told) == 0 || len(out) > 0 && !certain && len(told) < 3 {
			break
		}
		out = append(out, stage{at: at, calls: told, cut: len(told) < len(calls)})
		if next.to.decl == nil {
			break
		}
		onWay[next.to.decl] = true
		at = next.to
	}
	return out
}

// next is the call that the operation goes on with: the one behind which most happens, unless that is little beside what other calls do.
// One under a condition is followed only where its name says that it does what the caller is for, or where all calls are under conditions;
// in C, where one function starts everything and an event loop leads from everywhere to everywhere, only the name counts.
func (g *callGraph) next(at symbol, calls []step, onWay map[*scan.Decl]bool, maybe bool) step {
	next, best := step{}, leastNext-1
	only := !slices.ContainsFunc(calls, func(c step) bool { return !c.maybe })
	for _, c := range calls {
		best = max(best, g.reach(c.to)/4-1)
	}
	for _, c := range calls {
		r, leads := g.reach(c.to), leading(at.decl.Name, c.to.decl.Name)
		if leads {
			r = 3*r + 3
		}
		if g.atlas.explained(c.to) {
			r *= 4
		}
		if (maybe && !only || at.file.Language == "C") && !leads || c.maybe != maybe {
			continue
		}
		if r > best && !helper(c.to.decl) && (at.file.Language == "C" || !g.leadsBack(c.to, onWay)) {
			next, best = c, r
		}
	}
	return next
}

// leading reports whether a callee by its name does what the caller is for: ExecuteC calls execute, search_parallel calls search, main
// calls run.
func leading(caller, callee string) bool {
	from, to := nameWords(caller), nameWords(callee)
	if len(to) == 0 || failing(callee) {
		return false
	}
	switch strings.ToLower(to[0]) {
	case "main", "run", "serve", "start", "execute", "handle", "process", "dispatch", "call":
		return true
	}
	return len(from) > 0 && strings.EqualFold(from[0], to[0])
}

// loops reports whether a function by its name is what a program spends its time in.
func loops(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool {
		w = strings.ToLower(w)
		return w == "main" || w == "run" || w == "serve" || w == "loop"
	})
}

// failing reports whether a function by its name belongs to the handling of errors, to help texts or to cleaning up.
func failing(name string) bool {
	lower := strings.ToLower(name)
	for _, w := range []string{"error", "exception", "panic", "fatal", "usage", "deprecat", "warn", "document", "cleanup", "markdown"} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

// helper reports whether a function only serves its callers: by its size, or by a name that asks or converts.
func helper(d *scan.Decl) bool {
	if d.End-d.Start < 3 {
		return true
	}
	words := nameWords(d.Name)
	if len(words) == 0 {
		return true
	}
	switch strings.ToLower(words[0]) {
	case "is", "has", "get", "set", "should", "can", "must", "validate", "check", "ensure", "format", "to", "with", "find", "lookup", "parse", "print", "log", "merge", "new", "init", "make", "reset", "close", "stop", "normalize", "register", "next", "at", "err", "dir", "len":
		return true
	}
	return false
}

// telling keeps the calls that say most about a function, in source order, and always the one that the operation goes on with.
func (g *callGraph) telling(at symbol, calls []step, next step) []step {
	ranked := slices.DeleteFunc(slices.Clone(calls), func(c step) bool { // helpers of strings and lists, which C calls in every line
		return c.to.file.Language == "C" && g.reach(c.to) < leastNext && c.to.decl != next.to.decl
	})
	if len(ranked) < 2 {
		ranked = slices.Clone(calls)
	}
	last := 0
	for _, c := range calls {
		if !c.maybe {
			last = c.line
		}
	}
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
		switch {
		case c.maybe && at.decl.Name == "main":
			w -= 4 // most of what starts a program is done under some condition
		case c.maybe:
			w -= 50 // what every run does comes first
		}
		if helper(c.to.decl) && at.decl.Name == "main" {
			w -= 4
		}
		if c.line == last {
			w += 4 // a function often ends with what it is for
		}
		if loops(c.to.decl.Name) {
			w += 20
		}
		if g.atlas.explained(c.to) {
			w += 3
		}
		return w
	}
	slices.SortStableFunc(ranked, func(x, y step) int { return weigh(y) - weigh(x) })
	limit := maxCalls
	if at.decl.Name == "main" {
		limit = maxMainCalls
	}
	ranked = ranked[:min(limit, len(ranked))]
	slices.SortStableFunc(ranked, func(x, y step) int { return x.line - y.line })
	return ranked
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

// mainOperation is the operation that stands for the repository: the way of its main program, and, where that is short, the operation of
// the most important part.
func (a *atlas) mainOperation() [][]stage {
	a.filled.wholeOnce.Do(func() { a.filled.whole = a.findMainOperation() })
	return a.filled.whole
}

func (a *atlas) findMainOperation() [][]stage {
	var whole [][]stage
	for _, g := range a.mainPrograms()[:min(1, len(a.mainPrograms()))] {
		if s, ok := a.calls.entry(g.Entry); ok && a.calls.reach(s) >= leastReach {
			whole = append(whole, a.calls.operation(s))
		}
	}
	if len(whole) > 0 && len(whole[0]) >= 3 {
		return whole
	}
	if stages := a.eventOperation(); len(stages) >= 2 {
		return append(whole, stages)
	}
	whole = slices.DeleteFunc(whole, func(st []stage) bool { return len(st) == 0 || len(st) == 1 && len(st[0].calls) < 3 })
	for _, c := range a.byImportance() {
		if stages := a.operationOf(c); len(stages) >= 3 && c.Role != "program" && (len(whole) == 0 || whole[0][0].at.decl != stages[0].at.decl) {
			whole = append(whole, stages)
			break
		}
	}
	return whole
}

// eventOperation is the operation of the handler from which most happens in the part of the main program.
func (a *atlas) eventOperation() []stage {
	for _, g := range a.mainPrograms()[:min(1, len(a.mainPrograms()))] {
		if s, ok := a.eventStart(a.byID[g.Component]); ok {
			return a.calls.operation(s)
		}
	}
	return nil
}

// operationOf is the operation that stands for a part: from the entry of its program, or from the public method of its central type, or
// the public function, behind which most happens. It is empty where no way of at least two stages is certain.
func (a *atlas) operationOf(c *survey.Component) []stage {
	var best symbol
	most := manyBehind - 1
	for _, s := range a.startsOf(c) {
		r := a.calls.reach(s)
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
	if stages := a.calls.operation(best); len(stages) >= 2 {
		return stages
	}
	return nil
}

// startsOf are the functions from which the operation of a part can be followed.
func (a *atlas) startsOf(c *survey.Component) []symbol {
	for _, g := range a.repo.Programs {
		if g.Component != c.ID {
			continue
		}
		if s, ok := a.calls.entry(g.Entry); ok && c.Role == "program" && a.calls.reach(s) >= leastReach {
			return []symbol{s}
		}
	}
	if c.Role == "tools" {
		return nil
	}
	key, ok := a.keySymbol(c)
	if !ok {
		return nil
	}
	if functionKind(key.decl.Kind) {
		return []symbol{key}
	}
	return a.symbols(c, func(d *scan.Decl) bool {
		return d.Kind == scan.KindMethod && d.Parent == key.decl.Name && (d.Exported && !constructor(d.Name) || d.Name == "__call__") && !helper(d) && !failing(d.Name) || d.Name == "__call__" && d.Parent == key.decl.Name
	})
}

// constructor reports whether a method makes the object rather than uses it.
func constructor(name string) bool {
	switch name {
	case "__init__", "__new__", "__construct", "constructor", "initialize":
		return true
	}
	return false
}
