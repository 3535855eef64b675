package extractive

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// An extension is a point where the repository has grown the same way several times: a type with several implementations, or a function
// that several files call to register something.
type extension struct {
	base     symbol   // the type implemented, or the registering function
	uses     []symbol // implementations, by path and name
	sites    []survey.Ref
	register bool
}

// least is the number of siblings that make a pattern: two may be a coincidence.
const least = 3

// extensions finds the points of extension that a part owns, richest first.
func (a *atlas) extensions(c *survey.Component) []extension {
	out, ok := a.extended[c]
	if !ok {
		out = a.findExtensions(c)
		a.extended[c] = out
	}
	return out
}

func (a *atlas) findExtensions(c *survey.Component) []extension {
	owned := a.symbols(c, func(d *scan.Decl) bool {
		return d.Parent == "" && typeKind(d.Kind) || functionKind(d.Kind) && registering(d.Name)
	})
	var out []extension
	seen := make(map[string]bool)
	for _, s := range owned {
		if seen[s.name()] {
			continue
		}
		seen[s.name()] = true
		if typeKind(s.decl.Kind) {
			if uses := a.implementations(s); len(uses) >= least {
				out = append(out, extension{base: s, uses: uses})
			}
		} else if sites := a.registrations(s); len(sites) >= least {
			out = append(out, extension{base: s, sites: sites, register: true})
		}
	}
	slices.SortStableFunc(out, func(x, y extension) int {
		return cmp.Or(cmp.Compare(y.size(), x.size()), cmp.Compare(x.base.name(), y.base.name()))
	})
	return out
}

// size is a coarse weight, so that one more implementation does not reorder the page.
func (e extension) size() int {
	switch n := len(e.uses) + len(e.sites); {
	case n >= 30:
		return 3
	case n >= 10:
		return 2
	}
	return 1
}

// registering reports whether a function name says that it adds one more of something.
func registering(name string) bool {
	lower := strings.ToLower(name)
	for _, p := range []string{"register", "mustregister", "addcommand", "add_command", "addsubcommand", "register_blueprint", "registerplugin"} {
		if strings.HasPrefix(lower, p) {
			return true
		}
	}
	return false
}

// implementations are the types that name s as a base, or in Go have all its methods. A base of the same name elsewhere makes the
// answer uncertain, and then there is none.
func (a *atlas) implementations(s symbol) []symbol {
	if s.file.Language == "Go" {
		return a.calls.implementers(s)
	}
	if len(a.basesNamed(s.decl.Name)) != 1 || s.file.Language == "C" || s.file.Language == "Rust" && s.decl.Kind != scan.KindTrait {
		return nil
	}
	a.indexBases()
	var out []symbol
	for _, t := range a.bases[s.decl.Name] {
		if t.file.Language == s.file.Language || sameFamily(t.file.Language, s.file.Language) {
			out = append(out, t)
		}
	}
	return out
}

// indexBases lists the types of the product by the names of their bases, and the call sites of registering functions.
func (a *atlas) indexBases() {
	if a.bases != nil {
		return
	}
	a.bases, a.sites = make(map[string][]symbol), make(map[string][]survey.Ref)
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if f.IsTest || f.Generated || a.component(name) == nil || supports(name) || aside(path.Dir(name)) {
			continue
		}
		for i := range f.Decls {
			d := &f.Decls[i]
			if !typeKind(d.Kind) || d.Start <= 0 {
				continue
			}
			for _, b := range d.Bases {
				key := baseName(b)
				if all := a.bases[key]; len(all) == 0 || all[len(all)-1].decl != d {
					a.bases[key] = append(all, symbol{d, f})
				}
			}
		}
		for _, c := range f.Calls {
			if all := a.sites[c.Name]; registering(c.Name) && (len(all) == 0 || all[len(all)-1].Path != name) {
				a.sites[c.Name] = append(all, survey.Ref{Path: name, Start: c.Line, End: c.Line})
			}
		}
	}
}

// basesNamed are the types of a name in the whole repository, tests excluded.
func (a *atlas) basesNamed(name string) []symbol {
	if a.types == nil {
		a.types = make(map[string][]symbol)
		for _, p := range a.paths {
			f := a.repo.Files[p]
			if f.IsTest || f.Generated {
				continue
			}
			for i := range f.Decls {
				if d := &f.Decls[i]; typeKind(d.Kind) {
					a.types[d.Name] = append(a.types[d.Name], symbol{d, f})
				}
			}
		}
	}
	return a.types[name]
}

// baseName is the last name of a written base, without package, type arguments and reference marks.
func baseName(s string) string {
	if i := strings.IndexAny(s, "<[("); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimLeft(s, "*&\\ ")
	return s[strings.LastIndexAny(s, ".:\\")+1:]
}

func sameFamily(x, y string) bool {
	family := map[string]string{"TypeScript": "js", "JavaScript": "js", "C": "c", "C++": "c", "Java": "jvm", "Kotlin": "jvm"}
	return family[x] != "" && family[x] == family[y]
}

// implementers are the Go types that declare, in one package, every method of an interface of at least two methods, with the
// same types of parameters and results. A generic interface has no certain answer.
func (g *callGraph) implementers(s symbol) []symbol {
	if s.decl.Kind != scan.KindInterface {
		return nil
	}
	var want []*scan.Decl
	for i := range s.file.Decls {
		if d := &s.file.Decls[i]; d.Parent == s.decl.Name && d.Start >= s.decl.Start && d.Start <= s.decl.End && functionKind(d.Kind) {
			want = append(want, d)
		}
	}
	if len(want) < 2 || len(s.decl.Bases) > 0 || strings.Contains(s.decl.Signature, "[") {
		return nil
	}
	shapes := make(map[string]string)
	for _, m := range want {
		shapes[m.Name] = shape(m)
	}
	var out []symbol
	for _, dir := range g.dirs() {
		for _, t := range g.goTypes[dir] {
			if g.atlas.component(t.file.Path) == nil || supports(t.file.Path) {
				continue
			}
			if t.decl.Kind == scan.KindInterface || t.decl == s.decl {
				continue
			}
			lacks := func(m *scan.Decl) bool {
				got := g.methods[dir][t.decl.Name+"."+m.Name]
				return len(got) == 0 || shapes[m.Name] == "" || shape(got[0].decl) != shapes[m.Name]
			}
			if !slices.ContainsFunc(want, lacks) {
				out = append(out, t)
			}
		}
	}
	return out
}

// shape is the types of a Go function's parameters and results without names and package qualifiers: "(Context,int)(error)". It is
// empty where the signature cannot be read, as when it is too long to be kept whole.
func shape(d *scan.Decl) string {
	sig := strings.TrimPrefix(d.Signature, "func ")
	if strings.HasPrefix(sig, "(") {
		_, sig, _ = strings.Cut(sig, ") ")
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc "+sig, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return ""
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Type.TypeParams != nil {
		return ""
	}
	return "(" + fieldTypes(fn.Type.Params) + ")(" + fieldTypes(fn.Type.Results) + ")"
}

// fieldTypes lists the types of parameters or results, one for each name.
func fieldTypes(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, f := range list.List {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				sel.X = ast.NewIdent("_") // the package may be called differently in another file
			}
			return true
		})
		t := strings.ReplaceAll(types.ExprString(f.Type), "_.", "")
		for range max(1, len(f.Names)) {
			out = append(out, t)
		}
	}
	return strings.Join(out, ",")
}

// registrations are the call sites of a registering function in other files of the repository, one for each file, by path. The name has
// to be declared only once.
func (a *atlas) registrations(s symbol) []survey.Ref {
	if len(a.calls.named[s.decl.Name]) != 1 {
		return nil
	}
	a.indexBases()
	var out []survey.Ref
	for _, r := range a.sites[s.decl.Name] {
		if f := a.repo.Files[r.Path]; f != s.file && f.Language == s.file.Language {
			out = append(out, r)
		}
	}
	return out
}

// describe writes an extension as a paragraph: the contract, who follows it, where a new one goes, and which test shows how.
func (a *atlas) describe(p *page, e extension) item {
	base := p.linked(code(e.base.name()), e.base.ref())
	base.names = []string{e.base.decl.Name}
	refs := []survey.Ref{e.base.ref()}
	var t text
	if e.register {
		refs = append(refs, e.sites[:min(3, len(e.sites))]...)
		t = compose("One more is added by a call of {}, as in {}.", base, a.places(p, e.sites))
	} else {
		var names []text
		for _, s := range a.spread(e.uses, 4) {
			n := p.linked(code(s.decl.Name), s.ref())
			names = append(names, n)
			refs = append(refs, s.ref())
		}
		verb := "extended"
		if e.base.decl.Kind == scan.KindInterface || e.base.decl.Kind == scan.KindTrait {
			verb = "implemented"
		}
		if len(e.uses) > len(names) {
			names = append(names, words("others"))
		}
		t = compose("{} is "+verb+" by {}.", base, list(names))
		if dir := commonDir(e.uses); dir != "" {
			t = compose("{} Most of them live in {}.", t, p.folder(dir))
		}
	}
	if test, ok := a.siblingTest(e); ok {
		t = compose("{} A test of one of them is {}.", t, p.at(test))
		refs = append(refs, test)
	}
	return item{text: t, refs: refs, bare: true}
}

func (a *atlas) places(p *page, refs []survey.Ref) text {
	var out []text
	for _, r := range refs[:min(3, len(refs))] {
		out = append(out, p.at(r))
	}
	if len(refs) > len(out) {
		out = append(out, words("others"))
	}
	return list(out)
}

// spread picks at most n symbols, from different files where it can.
func (a *atlas) spread(all []symbol, n int) []symbol {
	var out []symbol
	seen := make(map[string]bool)
	for _, s := range all {
		if len(out) < n && !seen[s.file.Path] {
			seen[s.file.Path] = true
			out = append(out, s)
		}
	}
	for _, s := range all {
		if len(out) < n && !slices.ContainsFunc(out, func(o symbol) bool { return o.decl == s.decl }) {
			out = append(out, s)
		}
	}
	return out
}

// commonDir is the one directory that holds most of the implementations, or "".
func commonDir(all []symbol) string {
	count := make(map[string]int)
	for _, s := range all {
		count[path.Dir(s.file.Path)]++
	}
	for dir, n := range count { // at most one directory can hold more than half
		if 2*n > len(all) && n >= least {
			return dir
		}
	}
	return ""
}

// siblingTest finds a test of one of the siblings: a test file named after the file of an implementation or registration.
func (a *atlas) siblingTest(e extension) (survey.Ref, bool) {
	var files []string
	for _, s := range e.uses {
		files = append(files, s.file.Path)
	}
	for _, r := range e.sites {
		files = append(files, r.Path)
	}
	for _, f := range files {
		if t, ok := a.testOf(f); ok {
			return t, true
		}
	}
	return survey.Ref{}, false
}

// testOf finds the first test case in the test file that is named after a source file: beside it, or elsewhere when both names occur
// only once.
func (a *atlas) testOf(file string) (survey.Ref, bool) {
	a.indexTests()
	ext := path.Ext(file)
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), ext)) + ext
	for _, key := range []string{path.Dir(file) + "/" + stem, stem} {
		name := a.testByStem[key]
		if name == "" || key == stem && (generic[strings.TrimSuffix(stem, ext)] || a.sourceStems[stem] != 1) {
			continue
		}
		t := a.repo.Files[name].Tests[0]
		return survey.Ref{Path: name, Start: t.Line, End: t.Line}, true
	}
	return survey.Ref{}, false
}

// indexTests lists the test files by the source file they are named after, with and without their directory.
func (a *atlas) indexTests() {
	if a.testByStem != nil {
		return
	}
	a.testByStem, a.sourceStems = make(map[string]string), make(map[string]int)
	seen := make(map[string]int)
	for _, p := range a.paths {
		f := a.repo.Files[p]
		if !f.IsTest {
			a.sourceStems[strings.ToLower(path.Base(p))]++
			continue
		}
		if len(f.Tests) == 0 {
			continue
		}
		stem := testStem(p)
		seen[stem]++
		for _, key := range []string{path.Dir(p) + "/" + stem, strings.TrimSuffix(path.Dir(p), "/__tests__") + "/" + stem, stem} {
			if a.testByStem[key] == "" {
				a.testByStem[key] = p
			}
		}
	}
	for stem, n := range seen {
		if n > 1 {
			delete(a.testByStem, stem)
		}
	}
}

// generic are file names that say nothing about what a test of the same name is for.
var generic = map[string]bool{"index": true, "main": true, "mod": true, "lib": true, "utils": true, "util": true, "types": true, "config": true, "__init__": true, "helpers": true, "common": true}

// testStem is the name of the source file that a test file is about: "store_test.go", "test_store.py", "StoreTest.java" → "store.ext".
func testStem(p string) string {
	ext := path.Ext(p)
	s := strings.ToLower(strings.TrimSuffix(path.Base(p), ext))
	for _, suffix := range []string{"_test", ".test", ".spec", "_spec", "-test", "-spec", "tests", "test"} {
		if t, ok := strings.CutSuffix(s, suffix); ok && t != "" {
			return t + ext
		}
	}
	return strings.TrimPrefix(s, "test_") + ext
}
