package survey

import (
	"slices"
	"sort"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// A resolver turns what a file imports into packages of the repository and dependencies of its manifests. It resolves by names and paths
// only: an import that could mean several directories is left unresolved.
type resolver struct {
	repo      *Repository
	manifests []*manifest
	packages  map[string]*Package          // by directory
	owner     map[string]string            // source file → directory of its package
	deps      map[string]map[string]string // family → import prefix → dependency

	goModules  []*manifest // longest path first
	python     map[string]string
	npm        map[string]*manifest
	aliasOf    map[string][]importRoot // tsconfig directory → aliases
	types      map[string]string       // fully qualified type name → directory; "" where ambiguous
	namespaces map[string]string       // declared package → directory; "" where ambiguous
	psr4       []importRoot
	crates     map[string]*manifest
	suffixes   map[string][]string // last path element of a header → files
	ruby       []string
}

func newResolver(repo *Repository, manifests []*manifest) *resolver {
	r := &resolver{
		repo: repo, manifests: manifests, packages: map[string]*Package{}, owner: map[string]string{}, python: map[string]string{},
		npm: map[string]*manifest{}, aliasOf: map[string][]importRoot{}, types: map[string]string{}, namespaces: map[string]string{},
		crates: map[string]*manifest{}, suffixes: map[string][]string{},
		deps: map[string]map[string]string{},
	}
	for _, p := range repo.Packages {
		r.packages[p.Dir] = p
		for _, f := range p.Files {
			r.owner[f] = p.Dir
		}
		for _, f := range p.Tests {
			if _, ok := r.owner[f]; !ok {
				r.owner[f] = p.Dir
			}
		}
	}
	r.indexManifests()
	r.indexDeps()
	r.indexFiles()
	return r
}

func (r *resolver) indexManifests() {
	for _, m := range r.manifests {
		switch m.Ecosystem {
		case "go":
			if m.Name != "" {
				r.goModules = append(r.goModules, m)
			}
		case "npm":
			if m.Name != "" && r.npm[m.Name] == nil && !m.unnamed {
				r.npm[m.Name] = m
			}
		case "cargo":
			if name := strings.ReplaceAll(m.Name, "-", "_"); name != "" && r.crates[name] == nil {
				r.crates[name] = m
			}
		}
		for _, root := range m.roots {
			switch root.kind {
			case "tsconfig":
				r.aliasOf[m.Dir] = append(r.aliasOf[m.Dir], root)
			case "psr4":
				r.psr4 = append(r.psr4, root)
			case "ruby":
				r.ruby = append(r.ruby, root.dir)
			}
		}
	}
	sort.SliceStable(r.goModules, func(i, j int) bool { return len(r.goModules[i].Name) > len(r.goModules[j].Name) })
	sort.SliceStable(r.psr4, func(i, j int) bool { return len(r.psr4[i].prefix) > len(r.psr4[j].prefix) })
}

// indexFiles records the names that source files give themselves.
func (r *resolver) indexFiles() {
	pythonRoots := r.pythonRoots()
	for _, name := range sortedKeys(r.owner) {
		f := r.repo.Files[name]
		if f == nil {
			continue
		}
		switch f.Language {
		case "Python":
			r.indexPython(name, pythonRoots)
		case "Java", "Kotlin", "C#", "PHP", "Scala", "Groovy":
			r.indexTypes(f)
		case "C", "C++", "Objective-C":
			base := name[strings.LastIndex(name, "/")+1:]
			r.suffixes[base] = append(r.suffixes[base], name)
		}
	}
}

// link fills in Imports and Externals of every package.
func (r *resolver) link() {
	for _, p := range r.repo.Packages {
		files := p.Files
		if len(files) == 0 {
			files = p.Tests
		}
		edges, externals := map[string]*Edge{}, map[string]bool{}
		for _, name := range files {
			r.linkFile(p, r.repo.Files[name], edges, externals)
		}
		for _, dir := range sortedKeys(edges) {
			p.Imports = append(p.Imports, *edges[dir])
		}
		p.Externals = sortedKeys(externals)
	}
	r.linkCrates()
}

func (r *resolver) linkFile(p *Package, f *scan.File, edges map[string]*Edge, externals map[string]bool) {
	if f == nil {
		return
	}
	seen := map[string]bool{}
	for _, imp := range f.Imports {
		dir, ok := r.resolve(f, imp.Path)
		if imp.TypeOnly && !(ok && declaresTypes(r.packages[dir])) {
			continue // nothing of the other file runs because of it
		}
		if !ok {
			if name := r.external(f, imp.Path); name != "" {
				externals[name] = true
			}
			continue
		}
		if dir == "" || dir == p.Dir {
			continue
		}
		e, at := edges[dir], Ref{Path: f.Path, Start: imp.Line, End: imp.Line}
		if e == nil {
			e = &Edge{To: dir, Ref: at, Inline: imp.Inline, Optional: r.optional(p, dir)}
			edges[dir] = e
		} else if e.Inline && !imp.Inline {
			e.Ref, e.Inline = at, false
		}
		if !seen[dir] {
			e.Count++
		}
		seen[dir] = true
	}
}

// declaresTypes reports whether a package is made of type declarations alone: importing its types is all that can be done with it.
func declaresTypes(p *Package) bool {
	if p == nil || len(p.Files) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.Files, func(f string) bool {
		return !strings.HasSuffix(f, ".d.ts") && !strings.HasSuffix(f, ".d.mts") && !strings.HasSuffix(f, ".d.cts")
	})
}

// optional is the line by which the crate of a package lists the crate of a directory as an optional dependency.
func (r *resolver) optional(p *Package, dir string) Ref {
	to := r.packages[dir]
	if to == nil || p.Language != "Rust" {
		return Ref{}
	}
	for _, m := range r.manifests {
		if m.Ecosystem == "cargo" && m.Dir == p.Module {
			return m.optionalLocal[to.Module]
		}
	}
	return Ref{}
}

// linkCrates adds what the manifests of Rust crates say and no import shows: paths such as other_crate::Thing and macros need no `use`. A crate
// that lists another one of the repository depends on it, and one that lists a third-party crate uses it.
func (r *resolver) linkCrates() {
	for _, m := range r.manifests {
		if m.Ecosystem != "cargo" || m.Name == "" {
			continue
		}
		entry := r.cratePackage(m)
		if entry == nil {
			continue
		}
		uses, externals := map[string]bool{}, map[string]bool{}
		for _, p := range r.repo.Packages {
			if p.Module != m.Dir {
				continue
			}
			for _, e := range p.Imports {
				uses[r.packages[e.To].Module] = true
			}
			for _, name := range p.Externals {
				externals[name] = true
			}
		}
		for _, local := range m.local {
			to := r.crateAt(local.Text)
			if to == nil || to == entry || uses[local.Text] || slices.ContainsFunc(entry.Imports, func(e Edge) bool { return e.To == to.Dir }) {
				continue
			}
			entry.Imports = append(entry.Imports, Edge{To: to.Dir, Count: 1, Ref: local.Ref, Optional: m.optionalLocal[local.Text]})
		}
		for _, d := range m.deps {
			if !d.Dev && d.Kind == "" && !externals[d.Name] {
				externals[d.Name] = true
				entry.Externals = append(entry.Externals, d.Name)
			}
		}
		sort.Slice(entry.Imports, func(i, j int) bool { return entry.Imports[i].To < entry.Imports[j].To })
		sort.Strings(entry.Externals)
		entry.Externals = slices.Compact(entry.Externals)
	}
}

// cratePackage returns the package that a crate starts with.
func (r *resolver) cratePackage(m *manifest) *Package {
	for _, entry := range m.entry {
		if p := r.packages[r.owner[entry]]; p != nil && !sideRole(p.Role) {
			return p
		}
	}
	for _, bin := range m.programs {
		if p := r.packages[r.owner[bin.Component]]; p != nil && !sideRole(p.Role) {
			return p
		}
	}
	return nil
}

func (r *resolver) crateAt(dir string) *Package {
	for _, m := range r.manifests {
		if m.Ecosystem == "cargo" && m.Dir == dir && m.Name != "" {
			return r.cratePackage(m)
		}
	}
	return nil
}

// resolve returns the package directory that an import names. ok says that the import is of this repository, even where the directory stays
// unknown.
func (r *resolver) resolve(f *scan.File, imp string) (dir string, ok bool) {
	switch f.Language {
	case "Go":
		return r.goImport(imp)
	case "Python":
		return r.pythonImport(f.Path, imp)
	case "JavaScript", "TypeScript", "Vue", "Svelte", "Astro":
		return r.scriptImport(f.Path, imp)
	case "Java", "Kotlin", "Scala", "Groovy":
		return r.typeImport(imp, ".")
	case "C#":
		return r.typeImport(imp, ".")
	case "PHP":
		return r.phpImport(imp)
	case "Rust":
		return r.rustImport(f.Path, imp)
	case "C", "C++", "Objective-C":
		return r.include(f.Path, imp)
	case "Ruby":
		return r.require(f.Path, imp)
	}
	return "", false
}

// external returns the dependency that an import belongs to, "" when no manifest names it.
func (r *resolver) external(f *scan.File, imp string) string {
	sep, fold := "/", false
	ecosystem := ""
	switch f.Language {
	case "Go":
		ecosystem = "go"
	case "Python":
		ecosystem, sep = "python", "."
	case "JavaScript", "TypeScript", "Vue", "Svelte", "Astro":
		ecosystem = "npm"
	case "Java", "Kotlin", "Scala", "Groovy":
		ecosystem, sep = "jvm", "."
	case "C#":
		ecosystem, sep = "nuget", "."
	case "PHP":
		ecosystem, sep, fold = "composer", `\`, true
		imp = strings.TrimPrefix(imp, `\`)
	case "Rust":
		ecosystem, sep = "cargo", "::"
		imp = strings.TrimPrefix(imp, "::")
	case "Ruby":
		ecosystem = "rubygems"
	default:
		return ""
	}
	if fold {
		imp = strings.ToLower(imp)
	}
	names := r.deps[ecosystem]
	for at := len(imp); at > 0; at = strings.LastIndex(imp[:at], sep) {
		if name, ok := names[imp[:at]]; ok {
			return name
		}
	}
	return ""
}

// indexDeps records under which names the dependencies of each family of languages are imported.
func (r *resolver) indexDeps() {
	for _, m := range r.manifests {
		family := m.Ecosystem
		if family == "maven" || family == "gradle" {
			family = "jvm"
		}
		if r.deps[family] == nil {
			r.deps[family] = map[string]string{}
		}
		for _, d := range m.deps {
			for _, prefix := range d.imports {
				if family == "composer" {
					prefix = strings.ToLower(prefix)
				}
				have, ok := r.deps[family][prefix]
				switch {
				case !ok:
					r.deps[family][prefix] = d.Name
				case have != d.Name && family == "jvm":
					r.deps[family][prefix] = "" // a group of several artifacts: which one is meant cannot be told
				}
			}
		}
	}
}

// hasPath reports whether name is prefix or lies below it.
func hasPath(name, prefix, sep string) bool {
	if len(name) < len(prefix) {
		return false
	}
	head, tail := name[:len(prefix)], name[len(prefix):]
	return head == prefix && (tail == "" || strings.HasPrefix(tail, sep))
}
