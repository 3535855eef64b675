package extractive

import (
	"cmp"
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
	return a.filled.extended.get(c, a.findExtensions)
}

func (a *atlas) findExtensions(c *survey.Component) []extension {
	owned := a.symbols(c, func(d *scan.Decl) bool {
		return !d.TypeOnly && (d.Parent == "" && typeKind(d.Kind) || functionKind(d.Kind) && registering(d.Name)) && !standIn(d.Name)
	})
	var out []extension
	seen := make(map[string]bool)
	for _, s := range owned {
		if seen[s.name()] || supports(s.file.Path) || s.file.BuildTag {
			continue
		}
		seen[s.name()] = true
		if typeKind(s.decl.Kind) {
			uses := slices.DeleteFunc(a.implementations(s), func(u symbol) bool {
				return supports(u.file.Path) || u.file.BuildTag || u.decl.TypeOnly || standIn(u.decl.Name)
			})
			if len(uses) >= least && (s.file.Language != "Go" || 2*exported(uses) >= len(uses)) {
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

// exported counts the symbols that other packages see.
func exported(all []symbol) int {
	n := 0
	for _, s := range all {
		if s.decl.Exported {
			n++
		}
	}
	return n
}

// size is a coarse weight, so that one more implementation does not reorder the page.
func (e extension) size() int {
	n := 1
	switch all := len(e.uses) + len(e.sites); {
	case all >= 30:
		n = 3
	case all >= 10:
		n = 2
	}
	if e.register {
		n += 2 // a function that registers is made for it
	}
	return n
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

// describe writes an extension as a paragraph: the contract, who follows it, and the steps to add one more.
func (a *atlas) describe(p *page, e extension) item {
	base := p.linked(code(e.base.name()), e.base.ref())
	base.names = []string{e.base.decl.Name}
	refs := []survey.Ref{e.base.ref()}
	if e.register {
		refs = append(refs, e.sites[:min(3, len(e.sites))]...)
		t := compose("One more is added by a call of {}, as in {}.", base, a.places(p, e.sites))
		if f, line, ok := a.importers(e.sites); ok {
			at := survey.Ref{Path: f.Path, Start: line, End: line}
			t = compose("{} The packages of those calls are imported in {}.", t, p.at(at))
			refs = append(refs, at)
		} else if l, ok := a.importedOneByOne(e.sites); ok {
			where, more := a.linkedIn(p, l)
			t, refs = compose("{} {}", t, where), append(refs, more...)
		}
		if test, ok := a.siblingTest(e); ok {
			t = compose("{} A test of one of them is {}.", t, p.at(test))
			refs = append(refs, test)
		}
		return item{text: t, refs: refs, bare: true}
	}
	var names []text
	for _, s := range a.spread(e.uses, 4) {
		names = append(names, p.linked(code(s.decl.Name), s.ref()))
		refs = append(refs, s.ref())
	}
	verb := "extended"
	if e.base.decl.Kind == scan.KindInterface || e.base.decl.Kind == scan.KindTrait {
		verb = "implemented"
	}
	if len(e.uses) > len(names) {
		names = append(names, words("others"))
	}
	t := compose("{} is "+verb+" by {}.", base, list(names))
	how, more := a.howToAdd(p, e.base, e.uses, a.component(e.base.file.Path))
	return item{text: compose("{} {}", t, how), refs: append(refs, more...), bare: true}
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

// siblingTest finds a test case that names one of the siblings, in the test file of its file, or the first test of a registration's.
func (a *atlas) siblingTest(e extension) (survey.Ref, bool) {
	if t, _, ok := a.testOfOne(e.uses); ok {
		return t, true
	}
	for _, r := range e.sites {
		if t, ok := a.testOf(r.Path, ""); ok {
			return t, true
		}
	}
	return survey.Ref{}, false
}

// testOf finds the first test case that names a declaration ("" = any) in the test file that is named after a source file: beside it, or
// elsewhere when both names occur only once.
func (a *atlas) testOf(file, declared string) (survey.Ref, bool) {
	a.filled.testsOnce.Do(a.indexTests)
	ext := path.Ext(file)
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), ext)) + ext
	for _, key := range []string{path.Dir(file) + "/" + stem, stem} {
		name := a.filled.testByStem[key]
		if name == "" || key == stem && (generic[strings.TrimSuffix(stem, ext)] || a.filled.sourceStems[stem] != 1) {
			continue
		}
		for _, t := range a.repo.Files[name].Tests {
			if declared == "" || a.spells(survey.Ref{Path: name, Start: t.Line, End: max(t.Line, t.End)}, declared) {
				return survey.Ref{Path: name, Start: t.Line, End: t.Line}, true
			}
		}
	}
	return survey.Ref{}, false
}

// indexTests lists the test files by the source file they are named after, with and without their directory.
func (a *atlas) indexTests() {
	stems, tests := make(map[string]int), make(map[string]string)
	a.filled.sourceStems, a.filled.testByStem = stems, tests
	seen := make(map[string]int)
	for _, p := range a.paths {
		f := a.repo.Files[p]
		if !f.IsTest {
			stems[strings.ToLower(path.Base(p))]++
			continue
		}
		if len(f.Tests) == 0 {
			continue
		}
		stem := testStem(p)
		seen[stem]++
		for _, key := range []string{path.Dir(p) + "/" + stem, strings.TrimSuffix(path.Dir(p), "/__tests__") + "/" + stem, stem} {
			if tests[key] == "" {
				tests[key] = p
			}
		}
	}
	for stem, n := range seen {
		if n > 1 {
			delete(tests, stem)
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
