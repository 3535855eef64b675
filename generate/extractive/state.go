package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A keeper is a type whose own methods change its fields.
type keeper struct {
	symbol
	writers []symbol // methods that change fields, those that change most first
	fields  []write  // each field once
	locked  bool     // it holds a lock, so that it is meant to be changed from several sides
}

// keepers are the types of a part that keep state: product types whose methods other than constructors change at least two fields, those
// with a lock or many writers first. What people build up and throw away, such as builders, iterators and parsers, is no state.
func (a *atlas) keepers(c *survey.Component) []keeper {
	var out []keeper
	key, central := a.keySymbol(c)
	seen := make(map[string]bool)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool {
		return (d.Kind == scan.KindClass || d.Kind == scan.KindStruct) && !passing(d.Name) && !d.Deprecated && !d.TypeOnly && d.End > d.Start
	}) {
		if supports(s.file.Path) || seen[s.decl.Name] || s.file.BuildTag {
			continue
		}
		seen[s.decl.Name] = true
		if k := a.keeper(c, s); len(k.fields) >= 2 && len(k.writers) >= 2 && (k.locked || keeps(s.decl.Name) || central && s.decl == key.decl && s.file.Language != "Rust" || k.broad()) {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(x, y keeper) int { return cmp.Compare(y.weight(), x.weight()) })
	return out
}

func (a *atlas) keeper(c *survey.Component, s symbol) keeper {
	k := keeper{symbol: s, locked: a.locked(s)}
	changes := make(map[*scan.Decl]int)
	for _, m := range a.methodsOfType(c, s) {
		all := a.writesOf(m)
		if len(all) == 0 {
			continue
		}
		k.writers = append(k.writers, m)
		changes[m.decl] = len(all)
		for _, w := range all {
			if !slices.ContainsFunc(k.fields, func(o write) bool { return o.field == w.field }) {
				k.fields = append(k.fields, w)
			}
		}
	}
	slices.SortStableFunc(k.writers, func(x, y symbol) int { return changes[y.decl] - changes[x.decl] })
	return k
}

// broad reports whether a class of a language in which objects are shared freely changes much of itself from many sides.
func (k keeper) broad() bool {
	switch k.file.Language {
	case "Go", "Rust":
		return false
	}
	return k.decl.Exported && len(k.fields) >= 4 && len(k.writers) >= 4
}

// keeperNames are the last words of type names by which people call something that keeps state.
var keeperNames = []string{"Store", "Storage", "Cache", "Registry", "Repository", "State", "Session", "Database", "DB", "Queue", "Pool", "Index", "Manager", "Graph", "Map", "Context", "Container"}

func keeps(name string) bool {
	return slices.ContainsFunc(keeperNames, func(k string) bool { return strings.HasSuffix(name, k) || strings.EqualFold(name, k) })
}

// weight is coarse, so that one more method does not reorder the page.
func (k keeper) weight() int {
	w := 0
	for n := len(k.fields) + len(k.writers); n > 1; n /= 2 {
		w++
	}
	if k.locked {
		w += 2
	}
	if k.decl.Exported {
		w += 2
	}
	return w
}

// passing reports whether a type by its name is short-lived, a a helper of others.
func passing(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return true
	}
	switch strings.ToLower(words[len(words)-1]) {
	case "builder", "options", "opts", "config", "flag", "flags", "iterator", "iter", "parser", "lexer", "scanner", "visitor", "printer", "encoder", "decoder", "reader", "writer",
		"heap", "stack", "buffer", "appender", "querier", "error", "args", "formatter", "collector", "test", "event", "request", "response", "list", "item", "client", "command", "metrics", "transformer":
		return len(words) > 1 || !strings.EqualFold(name, "command") // Command alone may be what the repository is about
	}
	return standIn(name)
}

// standIn reports whether a type by its name takes the place of a real one, for tests or for doing nothing.
func standIn(name string) bool {
	for _, w := range nameWords(name) {
		switch strings.ToLower(w) {
		case "mock", "fake", "stub", "noop", "nop", "test", "testing", "dummy", "bench", "example":
			return true
		}
	}
	return false
}

// locked reports whether a type declares a lock among its fields.
func (a *atlas) locked(s symbol) bool {
	lines := a.src.lines(s.file.Path)
	for n := s.decl.Start; n <= min(s.decl.End, len(lines), s.decl.Start+80); n++ {
		if holdsLock(lines[n-1]) {
			return true
		}
	}
	return false
}

func holdsLock(line string) bool {
	for _, l := range []string{"sync.Mutex", "sync.RWMutex", "Mutex<", "RwLock<", "threading.Lock", "threading.RLock", "atomic.", "ConcurrentHashMap"} {
		if strings.Contains(line, l) {
			return true
		}
	}
	return false
}

// stateRows tables the keepers of a part with the fields and the methods that change them, each linked to a line that does.
func (a *atlas) stateRows(p *page, c *survey.Component, limit int) []row {
	var rows []row
	all := a.keepers(c)
	for _, k := range all[:min(limit, len(all))] {
		refs := []survey.Ref{k.ref()}
		var fields, writers, plainFields, plainWriters []text
		for _, w := range k.fields[:min(6, len(k.fields))] {
			fields = append(fields, p.linked(code(w.field), w.ref))
			plainFields = append(plainFields, code(w.field))
			refs = append(refs, w.ref)
		}
		for _, m := range k.writers[:min(6, len(k.writers))] {
			writers = append(writers, p.linked(code(m.decl.Name), m.ref()))
			plainWriters = append(plainWriters, code(m.decl.Name))
			refs = append(refs, m.ref())
		}
		if len(k.fields) > len(fields) {
			fields = append(fields, words("others"))
		}
		if len(k.writers) > len(writers) {
			writers = append(writers, words("others"))
		}
		claim := compose("{} keeps {}; its methods {} change its fields.", code(k.decl.Name), list(plainFields), list(plainWriters))
		var locks, plainLocks []text
		for _, l := range a.locksOf(k.symbol) {
			locks, plainLocks = append(locks, p.linked(code(l.field), l.ref)), append(plainLocks, code(l.field))
			refs = append(refs, l.ref)
		}
		if len(locks) > 0 {
			claim = compose("{} It declares the locks {}.", claim, list(plainLocks))
		}
		rows = append(rows, row{cells: []text{p.linked(code(k.decl.Name), k.ref()), list(fields), list(writers), list(locks)}, claim: claim, refs: refs})
	}
	return rows
}

var stateHeader = []string{"Type", "Fields that its methods change", "Changed by", "Locks it declares"}

// locksOf are the fields of a type that are locks, with their lines.
func (a *atlas) locksOf(s symbol) []write {
	lines := a.src.lines(s.file.Path)
	var out []write
	for n := s.decl.Start + 1; n <= min(s.decl.End, len(lines), s.decl.Start+80); n++ {
		line := strings.TrimSpace(lines[n-1])
		name, rest, ok := strings.Cut(line, " ")
		name = strings.TrimSuffix(name, ":")
		if !ok || len(out) == 4 || strings.HasPrefix(line, "//") || strings.HasPrefix(name, "pub") {
			continue
		}
		for _, l := range []string{"sync.Mutex", "sync.RWMutex", "Mutex<", "RwLock<", "threading.Lock(", "threading.RLock("} {
			if strings.Contains(rest, l) && code(name).plain == name {
				out = append(out, write{strings.TrimPrefix(name, "self."), survey.Ref{Path: s.file.Path, Start: n, End: n}})
				break
			}
		}
	}
	return out
}

// sharedRows tables the documented variables of a package or module that are made to change while the process runs: guarded by a lock, of
// an atomic or context type, an empty table that others fill, or in C a structure that many files use.
func (a *atlas) sharedRows(p *page, c *survey.Component, limit int) []row {
	var rows []row
	seen := make(map[string]bool)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool {
		return (d.Kind == scan.KindVariable || d.Kind == scan.KindConstant) && d.Parent == "" && !d.Deprecated && !d.TypeOnly
	}) {
		if len(rows) == limit {
			break
		}
		if seen[s.decl.Name] || supports(s.file.Path) || path.Ext(s.file.Path) == ".h" {
			continue
		}
		shared, users := a.shared(c, s)
		if !shared {
			continue
		}
		seen[s.decl.Name] = true
		said, refs := text{}, []survey.Ref{s.ref()}
		claim := compose("{} is state of the whole process.", code(s.decl.Name))
		if doc := plainMarkup(clean(s.decl.Doc)); usable(doc) && len(doc) <= maxQuote {
			said = quote(sentence(doc))
			claim = compose("{}: {}", code(s.decl.Name), said)
			refs = []survey.Ref{{Path: s.file.Path, Start: min(s.decl.DocStart, s.decl.Start), End: max(s.decl.Start, s.decl.DocEnd)}}
		}
		var files []text
		for _, u := range users {
			files = append(files, p.at(u))
			refs = append(refs, u)
		}
		declared := label(strings.TrimSpace(a.src.lines(s.file.Path)[s.decl.Start-1]))
		rows = append(rows, row{cells: []text{p.linked(code(s.decl.Name), s.ref()), declared, said, list(files)}, claim: claim, refs: refs})
	}
	return rows
}

var sharedHeader = []string{"Variable of the process", "Declared as", "In its authors' words", "Used by, among others"}

// shared reports whether a variable is state, with lines of other files that use it where only use shows that.
func (a *atlas) shared(c *survey.Component, s symbol) (bool, []survey.Ref) {
	lines := a.src.lines(s.file.Path)
	if s.decl.Start < 1 || s.decl.Start > len(lines) {
		return false, nil
	}
	line := lines[s.decl.Start-1]
	documented := usable(firstSentence(s.decl.Doc))
	switch s.file.Language {
	case "Go":
		return documented && !strings.HasPrefix(s.decl.Name, "Err") && (holdsLock(line) || strings.Contains(line, "= map[") && strings.HasSuffix(line, "{}") || strings.Contains(line, "= make(map")), nil
	case "Python":
		return strings.Contains(line, "ContextVar(") || documented && (strings.HasSuffix(line, "= {}") || strings.HasSuffix(line, "= []")), nil
	case "Rust":
		return strings.Contains(line, "static ") && (holdsLock(line) || strings.Contains(line, ": Atomic") || strings.Contains(line, "OnceLock<")), nil
	case "C":
		line, _, _ = strings.Cut(line, "/*")
		if !strings.HasPrefix(line, "struct ") || strings.ContainsAny(line, "*(=[{") {
			return false, nil
		}
		users := a.usersOf(c, s)
		return len(users) >= 3, users[:min(3, len(users))]
	}
	return false, nil
}

// usersOf are lines of other files of the part that use a field of a global structure, one a file, from the files that use it most.
func (a *atlas) usersOf(c *survey.Component, s symbol) []survey.Ref {
	type user struct {
		ref   survey.Ref
		count int
	}
	var all []user
	for _, f := range a.files(c) {
		if f == s.file {
			continue
		}
		u := user{}
		for i, line := range a.src.lines(f.Path) {
			if len(fieldUses(line, s.decl.Name)) > 0 {
				if u.count++; u.count == 1 {
					u.ref = survey.Ref{Path: f.Path, Start: i + 1, End: i + 1}
				}
			}
		}
		if u.count >= 5 {
			all = append(all, u)
		}
	}
	slices.SortStableFunc(all, func(x, y user) int { return cmp.Compare(y.count, x.count) })
	var out []survey.Ref
	for _, u := range all {
		out = append(out, u.ref)
	}
	return out
}

// fieldsOfState tables the fields of the structures that are state of the whole process.
func (a *atlas) fieldsOfState(p *page, c *survey.Component, limit int) {
	for _, s := range a.symbols(c, func(d *scan.Decl) bool { return d.Kind == scan.KindVariable && d.Parent == "" }) {
		if s.file.Language != "C" || path.Ext(s.file.Path) == ".h" || supports(s.file.Path) {
			continue
		}
		if shared, _ := a.shared(c, s); !shared {
			continue
		}
		if rows := a.structFields(p, c, s, limit); len(rows) > 2 {
			p.table([]string{"Field of the state", "In its authors' words", "Changed by, among others"}, rows)
			p.blank()
		}
	}
}

func samePackage(x, y *scan.File) bool {
	return x == y || x.Language == "Go" && y.Language == "Go" && path.Dir(x.Path) == path.Dir(y.Path)
}
