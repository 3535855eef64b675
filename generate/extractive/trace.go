package extractive

import (
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A callGraph resolves the calls of the repository where the target is certain: a function of the same package under a plain name, a
// method of the same type through its receiver, a function of an imported package or an imported name, a method of a type that the
// call names, and a method whose name of several words is declared once within reach of the caller. All other calls are unknown.
type callGraph struct {
	atlas    *atlas
	funcs    map[string]map[string][]symbol // package directory → name → top-level functions
	methods  map[string]map[string][]symbol // package directory → "Type.method"
	named    map[string][]symbol            // name → every function and method of the product
	callers  map[*scan.File]map[string][]scan.Call
	imports  map[*scan.File]map[string]string // local name → package directory or, for a name, "dir\x00name"
	goTypes  map[string][]symbol              // package directory → types declared in Go
	resolved map[*scan.Decl][]step
	reaches  map[*scan.Decl]int
}

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

func newCallGraph(a *atlas) *callGraph {
	g := &callGraph{
		atlas: a, funcs: make(map[string]map[string][]symbol), methods: make(map[string]map[string][]symbol),
		callers: make(map[*scan.File]map[string][]scan.Call), imports: make(map[*scan.File]map[string]string), reaches: make(map[*scan.Decl]int),
		named: make(map[string][]symbol), goTypes: make(map[string][]symbol), resolved: make(map[*scan.Decl][]step),
	}
	resolve := newImportResolver(a.repo)
	for _, name := range a.paths {
		f := a.repo.Files[name]
		dir := path.Dir(name)
		if f.IsTest || f.Generated || a.component(name) == nil {
			continue
		}
		for i := range f.Decls {
			g.declare(dir, symbol{&f.Decls[i], f})
		}
		byCaller := make(map[string][]scan.Call)
		for _, c := range f.Calls {
			byCaller[c.Caller] = append(byCaller[c.Caller], c)
		}
		g.callers[f] = byCaller
		g.imports[f] = resolve.names(f)
	}
	return g
}

func (g *callGraph) declare(dir string, s symbol) {
	if ext := path.Ext(s.file.Path); (ext == ".h" || ext == ".hpp") && s.decl.End <= s.decl.Start {
		return // a prototype: the definition is elsewhere
	}
	if functionKind(s.decl.Kind) {
		g.named[s.decl.Name] = append(g.named[s.decl.Name], s)
	}
	switch {
	case s.decl.Kind == scan.KindMethod && s.decl.Parent != "":
		add(g.methods, dir, s.decl.Parent+"."+s.decl.Name, s)
	case s.decl.Kind == scan.KindFunction && s.decl.Parent == "":
		add(g.funcs, dir, s.decl.Name, s)
	case typeKind(s.decl.Kind) && s.file.Language == "Go":
		g.goTypes[dir] = append(g.goTypes[dir], s)
	}
}

// dirs are the directories that declare Go types, sorted.
func (g *callGraph) dirs() []string { return slices.Sorted(maps.Keys(g.goTypes)) }

func add(m map[string]map[string][]symbol, dir, name string, s symbol) {
	if m[dir] == nil {
		m[dir] = make(map[string][]symbol)
	}
	m[dir][name] = append(m[dir][name], s)
}

// target resolves a call written in from, or reports that it is not certain.
func (g *callGraph) target(from symbol, c scan.Call) (symbol, bool) {
	dir := path.Dir(from.file.Path)
	packageWide := sharedNamespace(from.file.Language)
	switch {
	case c.Qualifier == "":
		if to, ok := g.imported(from.file, c.Name); ok {
			return to, true
		}
		if to, ok := g.unique(g.funcs[dir][c.Name], from.file, packageWide); ok {
			return to, true
		}
		return g.linked(from, c.Name)
	case g.ownReceiver(from, c.Qualifier):
		if to, ok := g.unique(g.methods[dir][from.decl.Parent+"."+c.Name], from.file, packageWide); ok {
			return to, true
		}
		if to, ok := g.inherited(from, from.decl.Parent, c.Name, 0); ok {
			return to, true
		}
		return g.reachable(from, c.Name)
	}
	if where, ok := g.imports[from.file][c.Qualifier]; ok && !strings.Contains(where, "\x00") {
		return g.unique(g.inModule(where, c.Name), nil, true)
	}
	if to, ok := g.ofType(from, c); ok {
		return to, true
	}
	return g.reachable(from, c.Name)
}

// linked resolves a plain call in C, where all functions of a program share one name space: the name is defined exactly once.
func (g *callGraph) linked(from symbol, name string) (symbol, bool) {
	if from.file.Language != "C" || standardC[name] {
		return symbol{}, false
	}
	return g.unique(sameLanguage(g.named[name], from.file.Language), nil, true)
}

// inherited looks a method up in the named super types of a class, as far as each is declared once in the repository.
func (g *callGraph) inherited(from symbol, class, name string, depth int) (symbol, bool) {
	types := g.atlas.basesNamed(class)
	if depth > 6 || len(types) != 1 || from.file.Language == "Go" {
		return symbol{}, false
	}
	for _, b := range types[0].decl.Bases {
		base := g.atlas.basesNamed(baseName(b))
		if len(base) != 1 {
			return symbol{}, false // an unknown class may declare it first
		}
		dir := path.Dir(base[0].file.Path)
		if to, ok := g.unique(g.methods[dir][base[0].decl.Name+"."+name], base[0].file, false); ok {
			return to, true
		}
		if to, ok := g.inherited(base[0], base[0].decl.Name, name, depth+1); ok {
			return to, true
		}
	}
	return symbol{}, false
}

// private resolves a call of an unexported method in Go: only the package itself can declare it, and it does so once.
func (g *callGraph) private(from symbol, name string) (symbol, bool) {
	if from.file.Language != "Go" || !unicode.IsLower(rune(name[0])) {
		return symbol{}, false
	}
	var found []symbol
	for _, s := range g.named[name] {
		if path.Dir(s.file.Path) == path.Dir(from.file.Path) {
			found = append(found, s)
		}
	}
	if len(found) != 1 || found[0].decl.Kind != scan.KindMethod {
		return symbol{}, false
	}
	return found[0], true
}

// standardC are functions of the C library that a repository may replace on some platforms.
var standardC = map[string]bool{
	"malloc": true, "free": true, "calloc": true, "realloc": true, "printf": true, "fprintf": true, "snprintf": true, "memcpy": true, "memset": true,
	"strlen": true, "strcmp": true, "exit": true, "abort": true, "assert": true, "open": true, "close": true, "read": true, "write": true,
}

// ofType resolves Type.method and Type::method where the repository declares one type of that name with one such method.
func (g *callGraph) ofType(from symbol, c scan.Call) (symbol, bool) {
	name := baseName(c.Qualifier)
	if name == "" || name[0] < 'A' || name[0] > 'Z' || from.file.Language == "Go" || len(g.atlas.basesNamed(name)) != 1 {
		return symbol{}, false
	}
	var found []symbol
	for _, s := range sameLanguage(g.named[c.Name], from.file.Language) {
		if s.decl.Parent == name {
			found = append(found, s)
		}
	}
	return g.unique(found, nil, true)
}

// reachable resolves a method call on a value of unknown type: the repository declares the name once, it is made of several words, so
// that a library is unlikely to use it, and it belongs to the caller's package or one that this package imports.
func (g *callGraph) reachable(from symbol, name string) (symbol, bool) {
	if to, ok := g.private(from, name); ok {
		return to, true
	}
	if len(g.named[name]) != 1 || !compound(name) {
		return symbol{}, false
	}
	to := g.named[name][0]
	here, there := g.atlas.ofFile[from.file.Path], g.atlas.ofFile[to.file.Path]
	if to.decl.Parent == "" || here == nil || there == nil || from.file.Language != to.file.Language {
		return symbol{}, false
	}
	if here == there || slices.ContainsFunc(here.Imports, func(e survey.Edge) bool { return e.To == there.Dir }) {
		return to, true
	}
	return symbol{}, false
}

// compound reports whether a name consists of at least two words.
func compound(name string) bool {
	if len(name) < 9 {
		return false
	}
	if strings.Contains(strings.Trim(name, "_"), "_") {
		return true
	}
	return strings.IndexFunc(name[1:], unicode.IsUpper) > 0
}

func sameLanguage(all []symbol, language string) []symbol {
	var out []symbol
	for _, s := range all {
		if s.file.Language == language {
			out = append(out, s)
		}
	}
	return out
}

// inModule finds the functions of a name in a package directory or in a single module file.
func (g *callGraph) inModule(where, name string) []symbol {
	if g.atlas.repo.Files[where] == nil {
		return g.funcs[where][name]
	}
	var out []symbol
	for _, s := range g.funcs[path.Dir(where)][name] {
		if s.file.Path == where {
			out = append(out, s)
		}
	}
	return out
}

// imported resolves a plain name that the file imports from a module of the repository.
func (g *callGraph) imported(f *scan.File, name string) (symbol, bool) {
	where, ok := g.imports[f][name]
	if !ok {
		return symbol{}, false
	}
	module, original, named := strings.Cut(where, "\x00")
	if !named {
		return symbol{}, false
	}
	return g.unique(g.inModule(module, original), nil, true)
}

// unique is the one candidate that a name can mean. In languages where each file is a name space of its own only the same file counts.
func (g *callGraph) unique(all []symbol, file *scan.File, packageWide bool) (symbol, bool) {
	var found []symbol
	for _, s := range all {
		if packageWide || file == nil || s.file == file {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return symbol{}, false // none, overloaded, or one for each platform
	}
	return found[0], true
}

// sharedNamespace reports whether the files of a directory see each other's names without an import.
func sharedNamespace(language string) bool { return language == "Go" }

// ownReceiver reports whether a qualifier means the object whose method the caller is.
func (g *callGraph) ownReceiver(from symbol, qualifier string) bool {
	if from.decl.Parent == "" {
		return false
	}
	switch from.file.Language {
	case "Go":
		rest, ok := strings.CutPrefix(from.decl.Signature, "func (")
		name, _, found := strings.Cut(rest, " ")
		return ok && found && name == qualifier
	case "Python", "Ruby", "Rust":
		return qualifier == "self"
	case "PHP":
		return qualifier == "$this" || qualifier == "this" || qualifier == "self"
	}
	return qualifier == "this"
}

// calls are the resolved calls of a function in source order, each target once, without calls of itself.
func (g *callGraph) calls(from symbol) []step {
	if done, ok := g.resolved[from.decl]; ok {
		return done
	}
	var out []step
	seen := make(map[*scan.Decl]bool)
	for _, c := range g.callers[from.file][from.name()] {
		if c.Line < from.decl.Start || c.Line > from.decl.End {
			continue // a function of the same name under another build condition
		}
		if to, ok := g.target(from, c); ok && !seen[to.decl] && to.decl != from.decl {
			seen[to.decl] = true
			said := c.Name
			if _, imported := g.imports[from.file][c.Qualifier]; imported && c.Qualifier != "" {
				said = c.Qualifier + "." + c.Name
			}
			out = append(out, step{to: to, line: c.Line, said: said})
		}
	}
	g.resolved[from.decl] = out
	return out
}

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
	if len(from) == 0 || len(to) == 0 {
		return false
	}
	switch strings.ToLower(to[0]) {
	case "run", "serve", "start", "execute", "handle", "process", "dispatch":
		return true
	}
	return strings.EqualFold(from[0], to[0])
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
		if r := g.reach(s); r > most {
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
