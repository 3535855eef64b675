package survey

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// repository puts the facts of all files together.
func (s *surveyor) repository() *Repository {
	repo := &Repository{Files: map[string]*scan.File{}, readmes: map[string]Fact{}, wrappers: map[string]bool{}}
	for i := range s.facts {
		f := &s.facts[i]
		if base := path.Base(f.path); base == "mvnw" || base == "gradlew" {
			repo.wrappers[f.path] = true
		}
		if f.scan != nil {
			repo.Files[f.path] = f.scan
		}
		if f.document != nil && isReadme(f.path) {
			if first := f.document.first(); first.Text != "" && repo.readmes[path.Dir(f.path)].Text == "" {
				repo.readmes[path.Dir(f.path)] = first
			}
		}
	}
	manifests := s.manifests()
	repo.Modules = s.modules(manifests)
	repo.Languages = languages(repo)
	s.identity(repo, manifests)
	repo.Packages = s.packages(repo)
	repo.Told = s.told(repo)
	repo.packageDocs()
	r := newResolver(repo, manifests)
	r.link()
	repo.Components = repo.components()
	connect(repo.Components)
	repo.Externals = s.linkedExternals(repo, externals(repo, manifests))
	repo.Programs = s.programs(repo, r, manifests)
	repo.Commands = s.commands(repo, manifests)
	repo.Config = s.configuration(repo)
	s.rest(repo)
	return repo
}

// rest collects what needs no more than listing.
func (s *surveyor) rest(repo *Repository) {
	for i := range s.facts {
		f := &s.facts[i]
		if f.workflow != nil {
			repo.Workflows = append(repo.Workflows, *f.workflow)
		}
		repo.Containers = append(repo.Containers, f.container...)
		if f.copied > 0 {
			repo.Copied = append(repo.Copied, Ref{Path: f.path, Start: f.copied, End: f.copied})
		}
		if f.document == nil {
			continue
		}
		if isChangelog(f.path) && repo.Release.Text == "" {
			repo.Release = f.document.latestRelease()
		}
		if worthListing(f.path) {
			repo.Docs = append(repo.Docs, f.document.doc())
		}
	}
	sortWorkflows(repo.Workflows)
	repo.Generated = s.untouchable()
}

// untouchable lists what people do not edit: vendored trees as directories, and files with a generated mark. A directory of nothing but
// generated source stands for its files.
func (s *surveyor) untouchable() []Ref {
	seen := map[string]bool{}
	generated, others := map[string][]Ref{}, map[string]bool{}
	var out []Ref
	for i := range s.facts {
		f := &s.facts[i]
		if f.foreign != "" && f.foreign != f.path && !seen[f.foreign] && !isTestData(f.path) {
			seen[f.foreign] = true
			out = append(out, Ref{Path: f.foreign})
		}
		if f.scan == nil || !isSource(f.scan.Language) && !included(f) {
			continue
		}
		dir := path.Dir(f.path)
		if f.scan.Generated && !f.scan.IsTest {
			generated[dir] = append(generated[dir], Ref{Path: f.path, Start: f.scan.GeneratedLine, End: f.scan.GeneratedLine})
		} else {
			others[dir] = true
		}
	}
	for _, dir := range sortedKeys(generated) {
		if refs := generated[dir]; len(refs) > 3 && !others[dir] {
			out = append(out, Ref{Path: dir})
		} else {
			out = append(out, refs...)
		}
	}
	sortRefs(out)
	return out
}

// included reports a generated file that a compiler reads as a part of others: a table of definitions that carries its mark.
func included(f *fileFacts) bool {
	switch path.Ext(f.path) {
	case ".def", ".inc", ".tbl":
		return f.scan.Generated && f.scan.GeneratedLine > 0
	}
	return false
}

// manifests returns the manifests of the repository's own files, by path.
func (s *surveyor) manifests() []*manifest {
	var out []*manifest
	for i := range s.facts {
		if m := s.facts[i].manifest; m != nil {
			out = append(out, m)
		}
	}
	return out
}

// modules lists the build units that make up the product. Several manifests of one ecosystem in one directory are one unit.
func (s *surveyor) modules(manifests []*manifest) []Module {
	byKey := map[string]*Module{}
	for _, rank := range []bool{false, true} { // metadata of a modern manifest wins over that of setup.cfg and setup.py
		for _, m := range manifests {
			if m.unnamed && len(m.members) == 0 || strings.HasPrefix(path.Base(m.Manifest), "setup.") != rank || !buildsProduct(m.Dir) {
				continue
			}
			key := m.Dir + "\x00" + m.Ecosystem
			if byKey[key] == nil {
				byKey[key] = &Module{Dir: m.Dir, Manifest: m.Manifest, Ecosystem: m.Ecosystem}
			}
			mergeModule(byKey[key], m)
			byKey[key].Workspace = append(byKey[key].Workspace, members(m, manifests)...)
		}
	}
	s.makeModule(byKey)
	var out []Module
	for _, key := range sortedKeys(byKey) {
		m := byKey[key]
		sort.Strings(m.Workspace)
		m.Workspace = slices.Compact(m.Workspace)
		out = append(out, *m)
	}
	return out
}

func mergeModule(to *Module, m *manifest) {
	to.OwnTests = to.OwnTests || m.OwnTests
	if to.Name == "" {
		to.Name, to.NameRef = m.Name, m.NameRef
		if m.Name != "" {
			to.Manifest = m.Manifest
		}
	}
	if to.Version.Text == "" {
		to.Version = m.Version
	}
	if to.Description.Text == "" {
		to.Description = m.Description
	}
	if to.Requires.Text == "" {
		to.Requires = m.Requires
	}
}

// makeModule records a Makefile at the root as the build unit where no other manifest is.
func (s *surveyor) makeModule(byKey map[string]*Module) {
	if len(byKey) > 0 {
		return
	}
	for _, f := range s.files {
		if path.Dir(f.path) == "." && isMakefile(f.path) {
			byKey["."] = &Module{Dir: ".", Manifest: f.path, Ecosystem: "make"}
		}
	}
}

// members expands the workspace patterns of m to the directories that have a manifest of its ecosystem.
func members(m *manifest, all []*manifest) []string {
	found := map[string]bool{}
	for _, pattern := range m.members {
		p := strings.TrimPrefix(pattern.Text, "!")
		p = join(m.Dir, p)
		if p == "" || !doublestar.ValidatePattern(p) {
			continue
		}
		for _, other := range all {
			ok, _ := doublestar.Match(p, other.Dir)
			if !ok || other.Ecosystem != m.Ecosystem || other.Dir == m.Dir || other.unnamed || !buildsProduct(other.Dir) {
				continue
			}
			found[other.Dir] = !strings.HasPrefix(pattern.Text, "!")
		}
	}
	var out []string
	for _, dir := range sortedKeys(found) {
		if found[dir] {
			out = append(out, dir)
		}
	}
	return out
}

// languages counts the lines of the repository's own source, tests included.
func languages(repo *Repository) []LanguageShare {
	shares := map[string]*LanguageShare{}
	for _, name := range sortedKeys(repo.Files) {
		f := repo.Files[name]
		if !isSource(f.Language) || f.Generated {
			continue
		}
		if shares[f.Language] == nil {
			shares[f.Language] = &LanguageShare{Name: f.Language}
		}
		shares[f.Language].Files++
		shares[f.Language].Lines += f.Lines
	}
	var out []LanguageShare
	for _, name := range sortedKeys(shares) {
		out = append(out, *shares[name])
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Lines > out[j].Lines })
	return out
}

// identity finds what the repository is called, what it is, and its licence.
func (s *surveyor) identity(repo *Repository, manifests []*manifest) {
	var readme *document
	for i := range s.facts {
		if f := &s.facts[i]; f.document != nil && isReadme(f.path) && path.Dir(f.path) == "." {
			if readme == nil || strings.HasSuffix(strings.ToLower(f.path), ".md") {
				readme = f.document
			}
		}
	}
	root := rootModule(repo)
	if root != nil && root.Name != "" {
		repo.Name, repo.NameRef = moduleName(root), root.NameRef
		repo.Description = root.Description
	}
	if readme != nil {
		title := shortTitle(readme.title())
		if repo.Name == "" || root != nil && len(root.Workspace) > 0 && root.Ecosystem == "npm" && title.Text != "" {
			repo.Name, repo.NameRef = title.Text, title.Ref
		}
		if repo.Description.Text == "" {
			repo.Description = readme.first()
		}
	}
	if repo.Name == "" && len(repo.Modules) > 0 {
		first := &repo.Modules[0]
		for i := range repo.Modules {
			if len(repo.Modules[i].Dir) < len(first.Dir) {
				first = &repo.Modules[i]
			}
		}
		if first.Ecosystem == "go" {
			repo.Name, repo.NameRef = moduleName(first), first.NameRef
		}
	}
	repo.License = s.licence(manifests)
}

// moduleName shortens the name of a build unit to what people say.
func moduleName(m *Module) string {
	switch m.Ecosystem {
	case "go":
		return goModuleName(m.Name)
	case "composer", "npm":
		return path.Base(m.Name)
	}
	return m.Name
}

// shortTitle accepts a README title that can be a name: few words.
func shortTitle(title Fact) Fact {
	text, _, _ := strings.Cut(title.Text, ": ")
	text, _, _ = strings.Cut(text, " - ")
	text, _, _ = strings.Cut(text, " – ")
	text, _, _ = strings.Cut(text, " — ")
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r > 0x2000 && r < 0x3000 || r > 0x1F000 {
			return -1
		}
		return r
	}, text))
	if rest, ok := strings.CutPrefix(text, "What is "); ok {
		text = strings.TrimSuffix(rest, "?")
	}
	if n := len(strings.Fields(text)); n == 0 || n > 3 || strings.EqualFold(text, "readme") || strings.HasSuffix(text, "?") {
		return Fact{}
	}
	return Fact{Text: text, Ref: title.Ref}
}

// rootModule returns the build unit at the root that names the repository, by how sure its name is.
func rootModule(repo *Repository) *Module {
	var best *Module
	for i := range repo.Modules {
		m := &repo.Modules[i]
		if m.Dir == "." && (best == nil || ecosystemRank(m) > ecosystemRank(best)) {
			best = m
		}
	}
	return best
}

func ecosystemRank(m *Module) int {
	if m.Name == "" {
		return 0
	}
	for i, e := range []string{"make", "npm", "rubygems", "nuget", "autotools", "cmake", "meson", "gradle", "maven", "composer", "python", "cargo", "go"} {
		if e == m.Ecosystem {
			return i + 1
		}
	}
	return 0
}

// licence takes the licence of a root manifest, else of a licence file at the root.
func (s *surveyor) licence(manifests []*manifest) Fact {
	for _, m := range manifests {
		if text := m.license.Text; m.Dir == "." && text != "" && len(text) < 60 && !strings.Contains(strings.ToLower(text), "see ") {
			return Fact{Text: licenceName(m.license.Text), Ref: m.license.Ref}
		}
	}
	for i := range s.facts {
		if f := &s.facts[i]; f.licence != "" && path.Dir(f.path) == "." {
			return Fact{Text: f.licence, Ref: Ref{Path: f.path}}
		}
	}
	return Fact{}
}

// componentOwners returns a function that tells which component a file belongs to: that of its package, else the innermost directory.
func componentOwners(repo *Repository) func(string) string {
	byDir := map[string]string{}
	for _, c := range repo.Components {
		if !c.Rest {
			byDir[c.Dir] = c.ID
		}
	}
	for _, c := range repo.Components {
		for _, p := range c.Packages {
			byDir[p.Dir] = c.ID
		}
	}
	return func(file string) string {
		dir := testedDir(path.Dir(file))
		for {
			if id := byDir[dir]; id != "" {
				return id
			}
			if dir == "." || dir == "/" {
				return ""
			}
			dir = path.Dir(dir)
		}
	}
}
