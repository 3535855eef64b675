package extractive

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A callGraph resolves the calls of the repository where the target is certain: a function of the same package under a plain name, a
// method of the same type through its receiver, a function of an imported package or an imported name, a method of a type that the
// call names, in Go a method of a field, parameter or made value whose type is spelled, and a method whose name of several words is declared once within reach of the caller. All other calls are unknown.
type callGraph struct {
	atlas    *atlas
	funcs    map[string]map[string][]symbol // package directory → name → top-level functions
	methods  map[string]map[string][]symbol // package directory → "Type.method"
	named    map[string][]symbol            // name → every function and method of the product
	callers  map[*scan.File]map[string][]scan.Call
	imports  map[*scan.File]map[string]string // local name → package directory or, for a name, "dir\x00name"
	goTypes  map[string][]symbol              // package directory → types declared in Go
	resolver *importResolver
	resolved memo[*scan.Decl, []step]
	reaches  memo[*scan.Decl, int]
	structs  memo[typed, map[string]typed]      // struct of Go → fields with named types
	vars     memo[*scan.Decl, map[string]typed] // function of Go → variables with named types
}

func newCallGraph(a *atlas) *callGraph {
	g := &callGraph{
		atlas: a, funcs: make(map[string]map[string][]symbol), methods: make(map[string]map[string][]symbol),
		callers: make(map[*scan.File]map[string][]scan.Call), imports: make(map[*scan.File]map[string]string),
		named: make(map[string][]symbol), goTypes: make(map[string][]symbol),
	}
	g.resolver = newImportResolver(a.repo)
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
		g.imports[f] = g.resolver.names(f)
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
	if to, ok := g.method(from, c); ok {
		return to, true
	}
	if to, ok := g.ofType(from, c); ok {
		return to, true
	}
	if to, ok := g.ofModule(from, c); ok {
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
		if len(base) != 1 || !g.atlas.means(types[0].file, base[0]) {
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
	if !g.atlas.means(from.file, g.atlas.basesNamed(name)[0]) {
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

// ofModule resolves module::function in Rust, where a module is the file, or the directory of the mod.rs, of that name.
func (g *callGraph) ofModule(from symbol, c scan.Call) (symbol, bool) {
	if from.file.Language != "Rust" {
		return symbol{}, false
	}
	module := baseName(c.Qualifier)
	var found []symbol
	for _, s := range sameLanguage(g.named[c.Name], "Rust") {
		name := strings.TrimSuffix(path.Base(s.file.Path), ".rs")
		if name == "mod" {
			name = path.Base(path.Dir(s.file.Path))
		}
		if s.decl.Parent == "" && (name == module || g.passedOn(module, s)) {
			found = append(found, s)
		}
	}
	return g.unique(found, nil, true)
}

// passedOn reports whether the module of Rust in whose directory a declaration lies imports it from there, so that it can be called by the name
// of that module.
func (g *callGraph) passedOn(module string, s symbol) bool {
	dir := path.Dir(s.file.Path)
	if path.Base(dir) != module {
		return false
	}
	inner := strings.TrimSuffix(path.Base(s.file.Path), ".rs") + "::" + s.decl.Name
	for _, name := range []string{dir + "/mod.rs", dir + ".rs"} {
		if f := g.atlas.repo.Files[name]; f != nil && slices.ContainsFunc(f.Imports, func(imp scan.Import) bool {
			return imp.Name == "" && !imp.Inline && (imp.Path == inner || strings.HasSuffix(imp.Path, "::"+inner))
		}) {
			return true
		}
	}
	return false
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

// calls are the resolved calls of a function in source order, each target once, without calls of itself. What stands in a handler, or in a
// closure that runs some other time, is left out; what depends on a condition is marked.
func (g *callGraph) calls(from symbol) []step {
	return g.resolved.get(from.decl, func(*scan.Decl) []step { return g.findCalls(from) })
}

func (g *callGraph) findCalls(from symbol) []step {
	var out []step
	seen := make(map[*scan.Decl]bool)
	for _, c := range g.callers[from.file][from.name()] {
		if c.Line < from.decl.Start || c.Line > from.decl.End {
			continue // a function of the same name under another build condition
		}
		where := g.atlas.placed(from, c.Line)
		if c.Nested || where == inHandler {
			continue
		}
		if to, ok := g.target(from, c); ok && !seen[to.decl] && to.decl != from.decl {
			seen[to.decl] = true
			said := c.Name
			if _, imported := g.imports[from.file][c.Qualifier]; imported && c.Qualifier != "" {
				said = c.Qualifier + "." + c.Name
			}
			out = append(out, step{to: to, line: c.Line, said: said, maybe: c.Branch || where == inCondition})
		}
	}
	return out
}
