package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// An atlas is the survey with the indexes that pages need: which part owns a file, what the declarations of a part are, how much they
// are used, and which page a part has.
type atlas struct {
	repo    *survey.Repository
	wiki    string // wiki directory: "openwiki"
	src     *lineCache
	parts   []*survey.Component // parts that people work on, by id
	byID    map[string]*survey.Component
	byDir   map[string]*survey.Package
	ofDir   map[string]*survey.Component
	ofFile  map[string]*survey.Package
	pages   map[string]string // component id → repository path of its page
	paths   []string          // every scanned file, sorted
	uses    map[string]int    // name → number of files that call it, for ordering only
	docs    map[string]int    // first sentence of a doc → number of types that have it
	methods map[string]int    // directory, NUL, type → number of its methods, for ordering only
	calls   *callGraph

	dirs    map[string]bool     // every directory of a scanned file
	byBase  map[string][]string // base name → scanned files
	singles []*page             // pages about the whole repository, as far as they have something to say

	filled onDemand
}

// onDemand are the indexes of an atlas that are filled when a page first needs them. Pages are rendered at the same time, so that each is
// a memo, or behind the Once above it.
type onDemand struct {
	sorted    memo[*survey.Component, []symbol]     // all symbols of a part, most important first
	extended  memo[*survey.Component, []extension]  // the points of extension of a part
	grown     memo[*survey.Component, []extension]  // those of them that are likely to be used again
	sources   memo[*survey.Component, []*scan.File] // files of a part
	mentioned memo[*survey.Component, mentions]     // where a part spells declared names
	modules   memo[string, *survey.Module]          // directory → its innermost module, nil if none
	tested    memo[*scan.File, *survey.Component]   // test file → the part that it is about by its imports

	basesOnce sync.Once
	bases     map[string][]symbol     // last name of a base → the types that name it
	sites     map[string][]survey.Ref // registering function → its call sites, one a file

	explainsOnce sync.Once
	explains     map[*scan.Decl]bool // functions that a list in the documents explains

	toldOnce sync.Once
	told     map[string]told // path → what the documents say about it

	typesOnce sync.Once
	types     map[string][]symbol // by name

	doorsOnce sync.Once
	doors     map[door]int // number of files of a part that use a name

	declaredOnce sync.Once
	declared     map[string]bool // every name that is declared

	outsideOnce sync.Once
	outside     map[*survey.Component][]*scan.File

	testsOnce   sync.Once
	sourceStems map[string]int    // base name in lower case → number of source files
	testByStem  map[string]string // source file stem → test file

	samplesOnce sync.Once
	samples     []sampled // settings of shipped configuration files

	words memo[*scan.File, told] // what a file is for in its authors' words; its text is "" where they say nothing

	fileCallsOnce sync.Once
	fileCalls     fileCalls // between files of C

	linkedOnce sync.Once
	linkedDirs map[string]bool // packages of Go that the programs of the repository import, themselves or through others

	constantsOnce sync.Once
	constants     map[string][]symbol // name → constants and variables outside of types

	endersOnce sync.Once
	callable   map[string][]symbol // name → functions and macros, to tell which never return

	wholeOnce sync.Once
	whole     [][]stage // the operations that stand for the repository
}

func newAtlas(repo *survey.Repository, wikiDir string, src *lineCache) *atlas {
	a := &atlas{
		repo: repo, wiki: wikiDir, src: src,
		byID: make(map[string]*survey.Component), byDir: make(map[string]*survey.Package),
		ofDir: make(map[string]*survey.Component), ofFile: make(map[string]*survey.Package), pages: make(map[string]string),
		uses: make(map[string]int), docs: make(map[string]int), methods: make(map[string]int),
		dirs: make(map[string]bool), byBase: make(map[string][]string),
	}
	for _, c := range repo.Components {
		a.byID[c.ID] = c
		for _, p := range c.Packages {
			a.ofDir[p.Dir] = c
		}
		if c.Role != "tests" && c.Role != "examples" && c.Role != "docs" {
			a.parts = append(a.parts, c)
		}
	}
	for _, p := range repo.Packages {
		a.byDir[p.Dir] = p
		for _, f := range p.Files {
			a.ofFile[f] = p
		}
		for _, f := range p.Tests {
			a.ofFile[f] = p
		}
	}
	for f := range repo.Files {
		a.paths = append(a.paths, f)
	}
	slices.Sort(a.paths)
	for _, f := range a.paths {
		a.byBase[path.Base(f)] = append(a.byBase[path.Base(f)], f)
		for dir := path.Dir(f); dir != "." && !a.dirs[dir]; dir = path.Dir(dir) {
			a.dirs[dir] = true
		}
	}
	a.countUses()
	a.calls = newCallGraph(a)
	return a
}

// countUses counts, for each name, the files that call it, and for each type its methods.
func (a *atlas) countUses() {
	for _, name := range a.paths {
		seen := make(map[string]bool)
		for _, c := range a.repo.Files[name].Calls {
			if !seen[c.Name] {
				seen[c.Name] = true
				a.uses[c.Name]++
			}
		}
		for _, imp := range a.repo.Files[name].Imports {
			if i := max(strings.LastIndexAny(imp.Path, "./:\\"), -1); !seen[imp.Path[i+1:]] {
				seen[imp.Path[i+1:]] = true
				a.uses[imp.Path[i+1:]]++
			}
		}
		for i := range a.repo.Files[name].Decls {
			d := &a.repo.Files[name].Decls[i]
			if d.Kind == scan.KindMethod && d.Parent != "" {
				a.methods[path.Dir(name)+"\x00"+d.Parent]++
			}
			if typeKind(d.Kind) && d.Doc != "" {
				a.docs[firstSentence(d.Doc)]++
			}
		}
	}
}

// title is how prose calls a part.
func (a *atlas) title(c *survey.Component) string {
	if t := clean(c.Title); t != "" {
		return t
	}
	return c.ID
}

// part is a link from a page to a part: to its page, or to its directory when it has none.
func (a *atlas) part(p *page, c *survey.Component) text {
	t := label(a.title(c))
	if target := a.pages[c.ID]; target != "" {
		return p.toPage(t, target)
	}
	if c.Dir == "" || c.Dir == "." {
		return t
	}
	t.md = "[" + t.md + "](" + relative(p.path, c.Dir) + "/)"
	return t
}

// A symbol is a declaration with its file.
type symbol struct {
	decl *scan.Decl
	file *scan.File
}

// ref is the declaration's first line.
func (s symbol) ref() survey.Ref {
	return survey.Ref{Path: s.file.Path, Start: s.decl.Start, End: s.decl.Start}
}

// name is "Type.method" or the plain name.
func (s symbol) name() string {
	if s.decl.Parent != "" {
		return s.decl.Parent + "." + s.decl.Name
	}
	return s.decl.Name
}

// files are the scanned source files of a part, without tests and generated code, by path.
func (a *atlas) files(c *survey.Component) []*scan.File {
	return a.filled.sources.get(c, a.findFiles)
}

func (a *atlas) findFiles(c *survey.Component) []*scan.File {
	var out []*scan.File
	for _, p := range c.Packages {
		for _, name := range p.Files {
			beside := aside(strings.TrimPrefix(path.Dir(name), c.Dir)) && !aside(c.Dir)
			if f := a.repo.Files[name]; f != nil && !f.Generated && !f.IsTest && !beside {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(x, y *scan.File) int { return cmp.Compare(x.Path, y.Path) })
	return out
}

// tests are the scanned test files of a part, by path.
func (a *atlas) tests(c *survey.Component) []*scan.File {
	var out []*scan.File
	for _, p := range c.Packages {
		for _, name := range p.Tests {
			if f := a.repo.Files[name]; f != nil {
				if about := a.testedPart(f); about == nil || about == c {
					out = append(out, f)
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y *scan.File) int { return cmp.Compare(x.Path, y.Path) })
	return out
}

// symbols are the declarations of a part that match, most important first: exported and documented before others, much used before
// little used (in powers of two, so that the order does not move with every new call), then by name.
func (a *atlas) symbols(c *survey.Component, keep func(*scan.Decl) bool) []symbol {
	var out []symbol
	for _, s := range a.filled.sorted.get(c, a.sortSymbols) {
		if keep(s.decl) {
			out = append(out, s)
		}
	}
	return out
}

func (a *atlas) sortSymbols(c *survey.Component) []symbol {
	type weighed struct {
		symbol
		weight int
		name   string
	}
	var all []weighed
	for _, f := range a.files(c) {
		for i := range f.Decls {
			s := symbol{&f.Decls[i], f}
			all = append(all, weighed{s, a.weigh(c, s), s.name()})
		}
	}
	slices.SortStableFunc(all, func(x, y weighed) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.name, y.name), cmp.Compare(x.file.Path, y.file.Path))
	})
	out := make([]symbol, len(all))
	for i, w := range all {
		out[i] = w.symbol
	}
	return out
}

func typeKind(k scan.Kind) bool {
	switch k {
	case scan.KindClass, scan.KindStruct, scan.KindInterface, scan.KindTrait, scan.KindEnum, scan.KindType:
		return true
	}
	return false
}

func functionKind(k scan.Kind) bool { return k == scan.KindFunction || k == scan.KindMethod }

// component is the part a file belongs to, or nil.
func (a *atlas) component(file string) *survey.Component {
	if p := a.ofFile[file]; p != nil {
		return a.ofDir[p.Dir]
	}
	return nil
}

// purpose is the responsibility of a part in the authors' words, one sentence, with its proof. Empty when the authors say nothing.
func (a *atlas) purpose(c *survey.Component) (string, survey.Ref) {
	if s := firstSentence(c.Doc.Text); usable(s) {
		return sentence(capital(packageWords(s))), a.narrow(c.Doc.Ref, s)
	}
	for _, p := range c.Packages {
		if s := firstSentence(p.Doc.Text); usable(s) && (p.Dir == c.Dir || len(c.Packages) == 1) {
			return sentence(capital(packageWords(s))), a.narrow(p.Doc.Ref, s)
		}
	}
	if t, ok := a.readDocuments()[c.Dir]; ok {
		return t.text, t.ref
	}
	return "", survey.Ref{}
}

// usable reports whether a sentence of the authors says something: licence headers, file marks and fragments do not.
func usable(s string) bool {
	if len(s) < 12 || !strings.Contains(s, " ") || strings.HasPrefix(s, "TODO") || strings.HasPrefix(s, "FIXME") {
		return false
	}
	lower := strings.ToLower(s)
	if last := lower[strings.LastIndexByte(strings.TrimRight(lower, "."), ' ')+1:]; slices.Contains(openEnds, strings.TrimRight(last, ".")) {
		return false // it goes on in a list or an example
	}
	for _, start := range []string{"visit ", "see ", "click ", "for more", "read the", "documentation ", "warning", "note:", "note that", "backward compat", "must match", "forward declaration", "deprecated", "'noinline'", "this directory contains", "this folder contains"} {
		if strings.HasPrefix(lower, start) && len(s) < 120 {
			return false
		}
	}
	for _, noise := range []string{"copyright", "licensed under", "license", "spdx", "all rights reserved", "this file is part of", "-*-", "eslint", "@ts-", "nolint", "go:build", "vim:", "pylint", "noqa", "table of contents", "autogenerated", "auto-generated", "code generated", "do not edit"} {
		if strings.Contains(lower, noise) {
			return false
		}
	}
	return true
}

// openEnds are words with which no sentence ends.
var openEnds = []string{"that", "the", "a", "an", "and", "or", "including", "(including", "following", "e.g", "i.e"}

// packageWords drops the ceremony with which a package comment starts: "Package store keeps …" says "Keeps …".
func packageWords(s string) string {
	for _, start := range []string{"Package ", "package "} {
		rest, ok := strings.CutPrefix(s, start)
		if !ok {
			continue
		}
		if _, tail, found := strings.Cut(rest, " "); found {
			for _, filler := range []string{"is ", "provides ", "contains ", "implements "} {
				if filler == "is " {
					tail = strings.TrimPrefix(tail, filler)
				}
			}
			return tail
		}
	}
	return s
}
