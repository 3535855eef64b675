package survey

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// programs finds the executables of the repository: what manifests declare, and main functions of the product.
func (s *surveyor) programs(repo *Repository, r *resolver, manifests []*manifest) []Program {
	f := &programFinder{repo: repo, r: r, owner: componentOwners(repo), files: map[string]*fileFacts{}, seen: map[string]bool{}}
	for i := range s.facts {
		f.files[s.facts[i].path] = &s.facts[i]
		f.made = append(f.made, s.facts[i].made...)
	}
	for _, m := range manifests {
		if role, _ := roleOf(m.Dir, ""); role == "" && buildsProduct(m.Dir) {
			for _, p := range m.programs {
				f.declared(m, p)
			}
		}
	}
	for i := range s.facts {
		f.found(&s.facts[i])
	}
	for i := range f.out {
		f.describe(&f.out[i])
	}
	sort.SliceStable(f.out, func(i, j int) bool {
		if f.out[i].Name != f.out[j].Name {
			return f.out[i].Name < f.out[j].Name
		}
		return f.out[i].Entry.Path < f.out[j].Entry.Path
	})
	return f.out
}

type programFinder struct {
	repo  *Repository
	r     *resolver
	owner func(string) string
	files map[string]*fileFacts
	made  []madeProgram   // by Makefiles
	seen  map[string]bool // files that are an entry already
	out   []Program
}

// declared adds a program that a manifest names. Until here its Component holds the file or the "module:function" that implements it.
func (f *programFinder) declared(m *manifest, p Program) {
	target := p.Component
	p.Component = f.owner(m.Manifest)
	if m.Ecosystem == "python" {
		module, function, _ := strings.Cut(target, ":")
		if entry := f.pythonEntry(m, strings.TrimSpace(module), function); entry.Path != "" {
			p.Entry = entry
		}
	} else if file := f.files[target]; file != nil {
		p.Entry = Ref{Path: target}
		if file.scan != nil {
			p.Entry = mainRef(file.scan)
		}
	}
	if p.Entry.Path != m.Manifest {
		f.seen[p.Entry.Path] = true
		p.Component = f.owner(p.Entry.Path)
	}
	f.out = append(f.out, p)
}

// pythonEntry finds the function that a console script calls.
func (f *programFinder) pythonEntry(m *manifest, module, function string) Ref {
	function, _, _ = strings.Cut(function, "[")
	rel := strings.ReplaceAll(module, ".", "/")
	for _, root := range f.r.pythonRoots() {
		for _, name := range []string{path.Join(root, rel) + ".py", path.Join(root, rel, "__init__.py")} {
			file := f.repo.Files[name]
			if file == nil || !within(name, m.Dir) {
				continue
			}
			for _, d := range file.Decls {
				if d.Name == strings.TrimSpace(function) && d.Parent == "" {
					return Ref{Path: name, Start: d.Start, End: d.End}
				}
			}
			return Ref{Path: name}
		}
	}
	return Ref{}
}

// mainRef returns the main function of a file, else the whole file.
func mainRef(file *scan.File) Ref {
	for _, e := range file.Entries {
		if e.Line > 0 {
			return Ref{Path: file.Path, Start: e.Line, End: max(e.Line, e.End)}
		}
	}
	return Ref{Path: file.Path}
}

// found adds a program for a main function or an executable script of the product.
func (f *programFinder) found(file *fileFacts) {
	sc := file.scan
	if sc == nil || f.seen[file.path] || sc.IsTest || sc.Generated || isTestData(file.path) {
		return
	}
	if role, _ := roleOf(path.Dir(file.path), sc.Language); role != "" {
		return
	}
	p := Program{Kind: "binary", Entry: mainRef(sc), Component: f.owner(file.path)}
	switch {
	case hasMain(sc):
		p.Name = f.mainName(file)
	case sc.Language == "Python" && path.Base(file.path) == "__main__.py" && path.Dir(file.path) != ".":
		p.Name, p.Kind = "python -m "+f.dottedDir(path.Dir(file.path)), "cli"
	case file.executable && isProgramScript(file.path, sc.Language):
		p.Name, p.Kind, p.Entry = path.Base(file.path), "script", mainRef(sc)
	default:
		return
	}
	if p.Name != "" {
		f.seen[file.path] = true
		f.out = append(f.out, p)
		for _, m := range f.made {
			if m.copyOf == p.Name && m.dir == path.Dir(file.path) && p.Name != "" {
				other := p
				other.Name = m.name
				f.out = append(f.out, other)
			}
		}
	}
}

// isProgramScript reports executables where people look for them: at the root and in bin directories. Wrappers of build tools are none.
func isProgramScript(name, language string) bool {
	base := path.Base(name)
	switch base {
	case "gradlew", "mvnw", "configure", "autogen.sh", "bootstrap", "install.sh", "setup.py", "manage.sh", "config.guess", "config.sub", "install-sh":
		return false
	}
	if language == "" || strings.HasPrefix(base, ".") || testScript()(base) {
		return false // a script that runs the tests is a command
	}
	dir := path.Dir(name)
	return dir == "." || dir == "bin" || dir == "exe" || dir == "sbin"
}

// mainName names a program after its directory, its crate or its file, as the build tool of the language does.
func (f *programFinder) mainName(file *fileFacts) string {
	dir, stem := path.Dir(file.path), strings.TrimSuffix(path.Base(file.path), path.Ext(file.path))
	module := f.repo.moduleOf(dir)
	switch file.scan.Language {
	case "Go":
		if module != nil && dir == module.Dir {
			return goModuleName(module.Name)
		}
		if dir == "." {
			return f.repo.Name
		}
		return path.Base(dir)
	case "Rust":
		switch {
		case path.Base(dir) == "bin":
			return stem
		case stem == "main" && path.Base(path.Dir(dir)) == "bin":
			return path.Base(dir)
		case stem == "main" && module != nil && module.Ecosystem == "cargo":
			return module.Name
		}
		return ""
	case "Java", "Kotlin", "C#":
		for _, e := range file.scan.Entries {
			if class, _, ok := strings.Cut(e.Name, "."); ok {
				return class
			}
		}
		return stem
	}
	if name := f.madeName(dir, stem); name != "" {
		return name
	}
	return path.Base(file.path)
}

// madeName returns the name under which a Makefile links the object of a source file, "" where it links none or several.
func (f *programFinder) madeName(dir, stem string) string {
	name := ""
	for _, m := range f.made {
		if m.dir == dir && slices.Contains(m.objects, stem) {
			if name != "" {
				return ""
			}
			name = m.name
		}
	}
	return name
}

func (f *programFinder) dottedDir(dir string) string {
	for _, root := range []string{"src/", "lib/"} {
		if at := strings.LastIndex("/"+dir, "/"+root); at >= 0 {
			dir = dir[at+len(root):]
			break
		}
	}
	return strings.ReplaceAll(dir, "/", ".")
}

// describe fills in the purpose and the subcommands of a program.
func (f *programFinder) describe(p *Program) {
	pkg := f.r.packages[f.r.owner[p.Entry.Path]]
	if pkg == nil {
		return
	}
	if file := f.repo.Files[p.Entry.Path]; file != nil && file.Doc != "" && (pkg.Language == "Go" || file.Language == "Python" || file.Language == "Rust") {
		if text := docSentence(file.Doc); text != "" {
			p.Doc = Fact{Text: text, Ref: Ref{Path: file.Path, Start: file.DocStart, End: file.DocEnd}}
		}
	}
	if p.Doc.Text == "" && pkg.Language == "Go" {
		p.Doc = pkg.Doc
	}
	for _, dir := range f.reachable(pkg) {
		for _, name := range f.r.packages[dir].Files {
			for _, c := range f.repo.Files[name].Commands {
				p.Commands = append(p.Commands, c)
				p.CommandRefs = append(p.CommandRefs, Ref{Path: name, Start: c.Line, End: c.Line})
			}
		}
	}
	if len(p.Commands) > 0 && p.Kind == "binary" {
		p.Kind = "cli"
	}
}

// reachable returns the packages that define the subcommands of a program: its own, and those below it in the same build unit that no other
// program has as its own. Libraries far away register commands of their own; two steps are enough for every usual layout.
func (f *programFinder) reachable(pkg *Package) []string {
	seen := map[string]bool{pkg.Dir: true}
	level := []string{pkg.Dir}
	for range 3 {
		var next []string
		for _, dir := range level {
			for _, e := range f.r.packages[dir].Imports {
				to := f.r.packages[e.To]
				if to == nil || seen[e.To] || to.Module != pkg.Module || to.Role == "program" {
					continue
				}
				seen[e.To] = true
				next = append(next, e.To)
			}
		}
		level = next
	}
	return sortedKeys(seen)
}
