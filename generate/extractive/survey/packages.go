package survey

import (
	"path"
	"sort"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// packages groups the scanned source files by directory. Build scripts are no part of the product, test data was never scanned, and
// generated files count only where a directory holds nothing else.
func (s *surveyor) packages(repo *Repository) []*Package {
	groups := map[string][]*scan.File{}
	for i := range s.facts {
		f := s.facts[i].scan
		if f == nil || !isSource(f.Language) || f.Lines == 0 || isBuildScript(f.Path) || inDotDir(path.Dir(f.Path)) {
			continue
		}
		dir := path.Dir(f.Path)
		if f.IsTest {
			dir = testedDir(dir)
		}
		groups[dir] = append(groups[dir], f)
	}
	s.foldTestDirs(groups)
	var out []*Package
	for _, dir := range sortedKeys(groups) {
		out = append(out, s.newPackage(repo, dir, groups[dir]))
	}
	return out
}

// testedDir maps the test tree of Maven and Gradle layouts to the main tree it tests.
func testedDir(dir string) string {
	if at := strings.Index(dir+"/", "src/test/"); at == 0 || at > 0 && dir[at-1] == '/' {
		return dir[:at] + "src/main/" + strings.TrimSuffix((dir + "/")[at+len("src/test/"):], "/")
	}
	return dir
}

// foldTestDirs moves tests back to the directory they are in where the mapped one has no source of its own.
func (s *surveyor) foldTestDirs(groups map[string][]*scan.File) {
	for _, dir := range sortedKeys(groups) {
		files := groups[dir]
		if !allTests(files) {
			continue
		}
		delete(groups, dir)
		for _, f := range files {
			at := path.Dir(f.Path)
			groups[at] = append(groups[at], f)
		}
	}
	for _, files := range groups {
		sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	}
}

func allTests(files []*scan.File) bool {
	for _, f := range files {
		if !f.IsTest {
			return false
		}
	}
	return true
}

// isBuildScript reports source files that configure tools rather than do the work of the repository.
func isBuildScript(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasPrefix(base, ".") || strings.Contains(base, ".config.") || strings.HasSuffix(stem, ".conf") || strings.HasPrefix(base, "webpack.") {
		return true
	}
	switch base {
	case "setup.py", "noxfile.py", "conftest.py", "fabfile.py", "gulpfile.js", "Gruntfile.js", "Jakefile.js", "build.rs", "build.gradle.kts",
		"settings.gradle.kts", "build.gradle", "Rakefile", "Gemfile", "Vagrantfile", "Guardfile", "vitest.workspace.ts", "jest.setup.js", "jest.setup.ts":
		return true
	}
	return strings.HasSuffix(base, ".gemspec")
}

func (s *surveyor) newPackage(repo *Repository, dir string, files []*scan.File) *Package {
	p := &Package{Dir: dir}
	var generated []string
	lines := map[string]int{}
	main := false
	for _, f := range files {
		switch {
		case f.IsTest:
			p.Tests = append(p.Tests, f.Path)
			lines[f.Language] += 0
			continue
		case f.Generated:
			generated = append(generated, f.Path)
			lines[f.Language] += 0
			continue
		}
		p.Files = append(p.Files, f.Path)
		lines[f.Language] += f.Lines
		p.Lines += f.Lines
		main = main || hasMain(f)
	}
	if len(p.Files) == 0 {
		p.Files = generated
	}
	p.Language = largest(lines)
	if module := repo.moduleOf(dir); module != nil {
		p.Module = module.Dir
	}
	p.Role, _ = roleOf(dir, p.Language)
	switch {
	case p.Role != "":
	case len(p.Files) == 0, helpsTests(dir, files):
		p.Role = "tests"
	case main:
		p.Role = "program"
	case p.Language == "Shell" || p.Language == "PowerShell":
		p.Role = "tools"
	default:
		p.Role = "library"
	}
	p.Name = s.packageName(repo, p, files)
	return p
}

// helpsTests reports a package that only serves tests, by its name; where the name alone could mean something else, also by what it imports.
func helpsTests(dir string, files []*scan.File) bool {
	name := strings.ToLower(path.Base(dir))
	switch strings.NewReplacer("-", "", "_", "").Replace(name) {
	case "testutil", "testutils", "testhelper", "testhelpers", "testsupport", "testlib", "testcommon", "testingutil":
		return true
	}
	if files[0].Language != "Go" || !strings.HasPrefix(name, "test") && !strings.HasSuffix(name, "test") {
		return false
	}
	for _, f := range files {
		for _, imp := range f.Imports {
			if !f.IsTest && (imp.Path == "testing" || strings.HasPrefix(imp.Path, "github.com/stretchr/testify/")) {
				return true
			}
		}
	}
	return false
}

// hasMain reports a file where a program of a compiled language starts.
func hasMain(f *scan.File) bool {
	for _, e := range f.Entries {
		if e.Kind == "main" {
			return true
		}
	}
	return false
}

// largest returns the key with the largest count, the first by name among equals.
func largest(counts map[string]int) string {
	best := ""
	for _, key := range sortedKeys(counts) {
		if best == "" || counts[key] > counts[best] {
			best = key
		}
	}
	return best
}

// moduleOf returns the innermost build unit that holds dir, nil when there is none.
func (repo *Repository) moduleOf(dir string) *Module {
	var best *Module
	for i := range repo.Modules {
		m := &repo.Modules[i]
		if within(dir, m.Dir) && (best == nil || len(m.Dir) > len(best.Dir)) {
			best = m
		}
	}
	return best
}

// within reports whether dir is root or below it.
func within(dir, root string) bool {
	return root == "." || dir == root || strings.HasPrefix(dir, root+"/")
}

// packageName returns the name the language declares, else the directory's.
func (s *surveyor) packageName(repo *Repository, p *Package, files []*scan.File) string {
	names := map[string]int{}
	for _, f := range files {
		if f.Package != "" && f.Language == p.Language && (!f.IsTest || len(p.Files) == 0) && f.Package != "main" {
			names[f.Package]++
		}
	}
	if name := largest(names); name != "" {
		return name
	}
	if p.Dir == "." {
		return repo.Name
	}
	if m := repo.moduleOf(p.Dir); m != nil && m.Name != "" && transparent(path.Base(p.Dir)) && path.Dir(p.Dir) == m.Dir {
		return m.Name
	}
	return path.Base(p.Dir)
}

// packageDocs fills in the purpose of every package in its authors' words: the doc comment of the package where the language has one, else the
// README of its directory, else what the manifest says of a module that is just this package.
func (repo *Repository) packageDocs() {
	for _, p := range repo.Packages {
		p.Doc = packageDoc(repo, p)
		if p.Doc.Text == "" && p.Dir != "." {
			p.Doc = repo.readmes[p.Dir]
		}
		if m := repo.moduleOf(p.Dir); p.Doc.Text == "" && m != nil && (p.Dir == m.Dir || p.Dir == path.Join(m.Dir, "src")) {
			p.Doc = m.Description
			if p.Doc.Text == "" && m.Dir != "." {
				p.Doc = repo.readmes[m.Dir]
			}
		}
	}
}

// packageDoc returns the first sentence of the doc comment that stands for the whole package.
func packageDoc(repo *Repository, p *Package) Fact {
	var names []string
	for _, name := range p.Files {
		if docRank(p, name) > 0 || p.Language == "Go" {
			names = append(names, name)
		}
	}
	sort.SliceStable(names, func(i, j int) bool { return docRank(p, names[i]) > docRank(p, names[j]) })
	if p.Language == "Rust" {
		names = append(names, p.Dir+".rs")
	}
	if len(p.Files) == 1 && len(names) == 0 {
		names = p.Files
	}
	for _, name := range names {
		f := repo.Files[name]
		if f == nil || f.Doc == "" {
			continue
		}
		if text := docSentence(f.Doc); text != "" && (len(p.Files) == 1 || !strings.HasPrefix(text, "This file ")) {
			return Fact{Text: text, Ref: Ref{Path: name, Start: f.DocStart, End: f.DocEnd}}
		}
	}
	return Fact{}
}

// docRank says how well a file is placed to carry the package comment, 0 for not at all.
func docRank(p *Package, name string) int {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if base == "mod.rs" && p.Language != "Rust" {
		return 2 // a module of Rust with larger files of another language
	}
	switch p.Language {
	case "Go":
		switch stem {
		case "doc":
			return 4
		case p.Name, path.Base(p.Dir):
			return 3
		case "main":
			return 2
		}
		return 1
	case "Python":
		switch stem {
		case "__init__":
			return 2
		case "__main__":
			return 1
		}
	case "Rust":
		switch stem {
		case "lib":
			return 3
		case "mod":
			return 2
		case "main":
			return 1
		}
	case "Java":
		if stem == "package-info" {
			return 1
		}
	case "JavaScript", "TypeScript":
		if stem == "index" {
			return 1
		}
	case "Ruby":
		if stem == path.Base(p.Dir) {
			return 1
		}
	}
	return 0
}
