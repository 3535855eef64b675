package extractive

import (
	"cmp"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// testing is the page about tests: how to run all and one, with which frameworks they are written, which tests pin which part, and the
// helpers they share.
func (a *atlas) testing() *page {
	p := newPage(a.src, path.Join(a.wiki, testingPage))
	p.kind, p.title = "Guide", "Testing"
	p.tags = []string{"testing"}
	p.purpose = "Say how tests are run and written, and which tests pin which part."
	p.body = append(p.body, "# Testing\n\n"...)
	p.section(2, "Run the tests", func() {
		p.table([]string{"To", "Command", "Defined by"}, a.commandRows(p, []string{"test", "test-one"}, 8))
		if one := a.oneTest(p); one.text.plain != "" && len(a.ranked("test-one")) == 0 {
			p.blank()
			p.items([]item{one}, func(int) string { return "" })
		}
	})
	p.section(2, "Frameworks", func() { a.frameworks(p) })
	p.section(2, "Which tests pin which part", func() { a.pins(p) })
	p.section(2, "Helpers", func() { a.helpers(p) })
	p.paragraph()
	p.description = p.describedBy("How the repository is tested.")
	return p
}

// oneTest shows how to run a single test in the main language of the repository.
func (a *atlas) oneTest(p *page) item {
	for _, c := range a.byImportance() {
		if it := a.oneTestOf(p, c); it.text.plain != "" {
			return it
		}
	}
	return item{}
}

// oneTestOf shows how to run a single test of a part, with the test runner that comes with the language or that the manifest names.
// Where neither is certain it says nothing.
func (a *atlas) oneTestOf(p *page, c *survey.Component) item {
	for _, f := range a.pinning(c) {
		for _, t := range f.Tests {
			line, proof, ok := a.runner(f, t)
			if !ok {
				continue
			}
			ref := survey.Ref{Path: f.Path, Start: t.Line, End: t.Line}
			text := compose("One test: {} runs {}.", label(line), p.linked(code(lastName(f, t)), ref))
			refs := []survey.Ref{ref}
			if proof.Path != "" {
				refs = append(refs, proof)
			}
			return item{text: text, refs: refs, bare: true}
		}
	}
	return item{}
}

// runner is the command that runs one test and what proves that this is the runner.
func (a *atlas) runner(f *scan.File, t scan.Test) (string, survey.Ref, bool) {
	if strings.ContainsAny(t.Name, " '\"$`\\") || t.Name == "" {
		return "", survey.Ref{}, false
	}
	dir := path.Dir(f.Path)
	m, ok := a.moduleOf(dir)
	if !ok {
		return "", survey.Ref{}, false
	}
	inside := strings.TrimPrefix(strings.TrimPrefix(dir, m.Dir), "/")
	prefix := ""
	if m.Dir != "." {
		prefix = "cd " + m.Dir + " && "
	} else {
		inside = dir
	}
	switch {
	case f.Language == "Go" && m.Ecosystem == "go" && strings.HasPrefix(t.Name, "Test"):
		target := "."
		if inside != "" && inside != "." {
			target = "./" + inside
		}
		return prefix + "go test " + target + " -run '^" + t.Name + "$'", m.NameRef, true
	case f.Language == "Rust" && m.Ecosystem == "cargo":
		line, dir, ok := a.repo.RustTest(f.Path, t)
		if dir != "." {
			line = "cd " + dir + " && " + line
		}
		return line, m.NameRef, ok
	case f.Language == "Python":
		if dep, ok := a.dependency("pytest"); ok && strings.HasPrefix(t.Name[strings.LastIndexByte(t.Name, '.')+1:], "test") {
			return "pytest " + f.Path + "::" + strings.ReplaceAll(t.Name, ".", "::"), dep, true
		}
	case f.Language == "PHP":
		if dep, ok := a.dependency("phpunit/phpunit"); ok {
			return "vendor/bin/phpunit --filter " + t.Name + " " + f.Path, dep, true
		}
	}
	return "", survey.Ref{}, false
}

// dependency finds a direct dependency by name.
func (a *atlas) dependency(name string) (survey.Ref, bool) {
	for _, e := range a.repo.Externals {
		if strings.EqualFold(e.Name, name) {
			return e.Ref, e.Ref.Path != ""
		}
	}
	return survey.Ref{}, false
}

// moduleOf is the innermost module that a directory belongs to.
func (a *atlas) moduleOf(dir string) (survey.Module, bool) {
	best := a.filled.modules.get(dir, a.findModule)
	if best == nil {
		return survey.Module{}, false
	}
	return *best, true
}

func (a *atlas) findModule(dir string) *survey.Module {
	var best *survey.Module
	for i := range a.repo.Modules {
		m := &a.repo.Modules[i]
		if m.Dir != "." && m.Dir != dir && !(strings.HasPrefix(dir, m.Dir) && dir[len(m.Dir)] == '/') {
			continue
		}
		if best == nil || len(m.Dir) > len(best.Dir) || best.Dir == "." {
			best = m
		}
	}
	return best
}

// frameworkNames maps what a test file imports to the framework that people know.
var frameworkNames = []struct{ imports, name, language string }{
	{"testing", "Go's testing package", "Go"}, {"github.com/stretchr/testify", "testify", "Go"}, {"github.com/onsi/ginkgo", "Ginkgo", "Go"},
	{"github.com/google/go-cmp", "go-cmp", "Go"}, {"github.com/rogpeppe/go-internal/testscript", "testscript", "Go"},
	{"pytest", "pytest", "Python"}, {"unittest", "unittest", "Python"}, {"hypothesis", "Hypothesis", "Python"},
	{"vitest", "Vitest", ""}, {"jest", "Jest", ""}, {"@jest/globals", "Jest", ""}, {"mocha", "Mocha", ""}, {"node:test", "Node's test runner", ""},
	{"@playwright/test", "Playwright", ""}, {"playwright-chromium", "Playwright", ""}, {"chai", "Chai", ""},
	{"org.junit", "JUnit", ""}, {"org.mockito", "Mockito", ""}, {"org.assertj", "AssertJ", ""}, {"kotlin.test", "kotlin.test", ""},
	{"Xunit", "xUnit", "C#"}, {"NUnit.Framework", "NUnit", "C#"},
	{"PHPUnit", "PHPUnit", "PHP"}, {"minitest", "Minitest", "Ruby"}, {"rspec", "RSpec", "Ruby"},
	{"gtest/gtest.h", "GoogleTest", ""}, {"catch2", "Catch2", ""}, {"doctest", "doctest", "C++"},
	{"proptest", "proptest", "Rust"}, {"insta", "insta", "Rust"},
}

// frameworks names the test frameworks by the import lines of test files.
func (a *atlas) frameworks(p *page) {
	var items []item
	seen := make(map[string]bool)
	for _, fw := range frameworkNames {
		if seen[fw.name] {
			continue
		}
		if f, line, ok := a.firstTestImport(fw.imports, fw.language); ok {
			seen[fw.name] = true
			ref := survey.Ref{Path: f.Path, Start: line, End: line}
			items = append(items, item{text: compose("Tests use {}, as in {}.", words(fw.name), p.at(ref)), claim: compose("Tests use {}.", words(fw.name)), refs: []survey.Ref{ref}, bare: true})
		}
	}
	p.bullets(items)
}

func (a *atlas) firstTestImport(what, language string) (*scan.File, int, bool) {
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if !f.IsTest || language != "" && f.Language != language {
			continue
		}
		for _, imp := range f.Imports {
			rest, ok := strings.CutPrefix(strings.Trim(imp.Path, "<>\"\\"), what)
			if ok && (rest == "" || strings.IndexByte("/.\\:", rest[0]) >= 0) && imp.Line > 0 {
				return f, imp.Line, true
			}
		}
	}
	return nil, 0, false
}

// pins tables for each part the test files that belong to it.
func (a *atlas) pins(p *page) {
	var rows []row
	for _, c := range a.parts {
		var files []text
		var refs []survey.Ref
		for _, f := range a.pinning(c) {
			if len(files) == 3 {
				files = append(files, words("others"))
				break
			}
			ref := survey.Ref{Path: f.Path, Start: f.Tests[0].Line, End: f.Tests[0].Line}
			files = append(files, p.linked(label(path.Base(f.Path)), survey.Ref{Path: f.Path}))
			refs = append(refs, ref)
		}
		if len(refs) > 0 && len(rows) < 40 {
			rows = append(rows, row{
				cells: []text{a.part(p, c), list(files)},
				claim: compose("{} is pinned by the tests in {}.", label(a.title(c)), list(files)), refs: refs,
			})
		}
	}
	p.table([]string{"Part", "Pinned by"}, rows)
	a.testParts(p)
}

// outsideTests are the test files that live in a tree of their own but are named after a file of the part.
func (a *atlas) outsideTests(c *survey.Component) []*scan.File {
	a.filled.outsideOnce.Do(func() { a.filled.outside = a.findOutsideTests(a.partOfStem()) })
	return a.filled.outside[c]
}

// partOfStem maps file stems to the one part that has them.
func (a *atlas) partOfStem() map[string]*survey.Component {
	stems := make(map[string]*survey.Component)
	for _, part := range a.parts {
		for _, f := range a.files(part) {
			stem := strings.ToLower(strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)))
			if other, ok := stems[stem]; ok && other != part {
				stems[stem] = nil // two parts have a file of that name: it proves nothing
			} else {
				stems[stem] = part
			}
		}
	}
	return stems
}

func (a *atlas) findOutsideTests(stems map[string]*survey.Component) map[*survey.Component][]*scan.File {
	out := make(map[*survey.Component][]*scan.File)
	for _, name := range a.paths {
		f := a.repo.Files[name]
		owner := a.component(name)
		if !f.IsTest || owner == nil || len(f.Tests) == 0 {
			continue
		}
		if about := a.testedPart(f); about != nil {
			if about != owner {
				out[about] = append(out[about], f)
			}
			continue
		}
		if owner.Role != "tests" {
			continue
		}
		stem := strings.TrimSuffix(testStem(name), path.Ext(name))
		if to := stems[stem]; to != nil && !generic[stem] && (f.Language != "Rust" || a.usesCrate(f, to)) {
			out[to] = append(out[to], f)
		}
	}
	return out
}

// testParts names the parts that are tests themselves, such as an integration suite.
func (a *atlas) testParts(p *page) {
	var items []item
	for _, c := range a.repo.Components {
		if c.Role != "tests" || len(items) == 10 {
			continue
		}
		if s, ref := a.purpose(c); s != "" {
			items = append(items, item{text: compose("{}: {}", p.folder(c.Dir), quote(s)), refs: []survey.Ref{ref}})
		} else if t, ok := a.firstCase(c); ok {
			said, refs := compose("{} holds tests of its own, such as {}", p.folder(c.Dir), p.linked(code(t.name), t.ref)), []survey.Ref{t.ref}
			if crate, ok := a.integration(c); ok {
				said = compose("{} holds the tests of the crate {} as a whole, such as {}", p.folder(c.Dir), p.linked(code(crate.Name), crate.NameRef), p.linked(code(t.name), t.ref))
				refs = append(refs, crate.NameRef)
			}
			if files := a.fullest(p, c); len(files) > 0 {
				said = compose("{}. Most are in {}", said, list(files))
			}
			items = append(items, item{text: compose("{}.", said), refs: refs, bare: true})
		}
	}
	p.bullets(items)
}

// integration is the crate of Rust whose integration tests a part is: its directory is called tests and lies beside the manifest.
func (a *atlas) integration(c *survey.Component) (survey.Module, bool) {
	m, ok := a.moduleOf(c.Dir)
	return m, ok && m.Ecosystem == "cargo" && c.Dir == path.Join(m.Dir, "tests") && m.Name != "" && c.Language == "Rust"
}

// fullest are up to four files of a part that hold most of its tests, where it has more.
func (a *atlas) fullest(p *page, c *survey.Component) []text {
	all := a.pinning(c)
	if len(all) < 5 {
		return nil
	}
	var out []text
	for _, f := range all[:4] {
		out = append(out, p.linked(label(path.Base(f.Path)), survey.Ref{Path: f.Path}))
	}
	return out
}

type testCase struct {
	name string
	ref  survey.Ref
}

func (a *atlas) firstCase(c *survey.Component) (testCase, bool) {
	var all []*scan.File
	for _, pk := range c.Packages {
		for _, name := range slices.Concat(pk.Tests, pk.Files) {
			if f := a.repo.Files[name]; f != nil && len(f.Tests) > 0 {
				all = append(all, f)
			}
		}
	}
	if len(all) == 0 {
		return testCase{}, false
	}
	f := slices.MinFunc(all, func(x, y *scan.File) int { return cmp.Compare(x.Path, y.Path) })
	t := f.Tests[0]
	return testCase{t.Name, survey.Ref{Path: f.Path, Start: t.Line, End: t.Line}}, true
}

// helpers tables documented functions that only tests share: those in test support packages and in test files without cases.
func (a *atlas) helpers(p *page) {
	var found []symbol
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if !f.IsTest && !supports(name) || f.Generated {
			continue
		}
		for i := range f.Decls {
			d := &f.Decls[i]
			if d.Kind != scan.KindFunction && !typeKind(d.Kind) || d.Parent != "" || testName(d.Name) {
				continue
			}
			if usable(firstSentence(d.Doc)) && a.uses[d.Name] >= 2 {
				found = append(found, symbol{d, f})
			}
		}
	}
	slices.SortStableFunc(found, func(x, y symbol) int { // those that most files call
		return cmp.Compare(bits.Len(uint(a.uses[y.decl.Name])), bits.Len(uint(a.uses[x.decl.Name])))
	})
	var rows []row
	said := make(map[string]bool)
	for _, s := range found {
		doc := firstSentence(s.decl.Doc)
		if len(rows) == maxHelpers || said[doc] {
			continue
		}
		said[doc] = true
		rows = append(rows, row{cells: []text{p.linked(code(s.decl.Name), s.ref()), quote(sentence(doc)), label(s.file.Path)}, claim: claimOf(s, quote(sentence(doc))), refs: a.docRefs(s)})
	}
	p.table([]string{"Helper", "What it does", "File"}, rows)
}

// maxHelpers bounds the table of what tests share.
const maxHelpers = 16

// supports reports whether a path says that it holds support for tests.
func supports(name string) bool {
	dir, base := path.Split(name)
	for _, word := range []string{"testutil", "test_util", "mock"} {
		if len(base) >= len(word) && strings.EqualFold(base[:len(word)], word) {
			return true
		}
	}
	for s := range strings.SplitSeq(dir, "/") {
		if strings.HasSuffix(s, "test") && s != "test" || strings.HasPrefix(s, "test") && s != "test" && s != "tests" {
			return true
		}
	}
	return false
}

func testName(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example", "test"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
