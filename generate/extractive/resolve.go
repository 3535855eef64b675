package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// An importResolver maps the import lines of a file to modules of the repository, for the languages in which that is certain: Go by
// module path, Python by dotted name, JavaScript and TypeScript by relative path.
type importResolver struct {
	repo    *survey.Repository
	goMods  []survey.Module // longest name first
	dirs    map[string]*survey.Package
	pyRoots []string
}

func newImportResolver(repo *survey.Repository) *importResolver {
	r := &importResolver{repo: repo, dirs: make(map[string]*survey.Package)}
	for _, m := range repo.Modules {
		if m.Ecosystem == "go" && m.Name != "" {
			r.goMods = append(r.goMods, m)
		}
	}
	slices.SortStableFunc(r.goMods, func(x, y survey.Module) int { return len(y.Name) - len(x.Name) })
	for _, p := range repo.Packages {
		r.dirs[p.Dir] = p
	}
	roots := map[string]bool{".": true}
	for _, m := range repo.Modules {
		if m.Ecosystem == "python" {
			roots[m.Dir] = true
			roots[path.Join(m.Dir, "src")] = true
		}
	}
	for dir := range roots {
		r.pyRoots = append(r.pyRoots, dir)
	}
	slices.Sort(r.pyRoots)
	return r
}

// names returns what the local names of a file mean: a package directory or module file, or "module\x00name" for an imported name.
func (r *importResolver) names(f *scan.File) map[string]string {
	out := make(map[string]string)
	for _, imp := range f.Imports {
		switch f.Language {
		case "Go":
			if dir, ok := r.goDir(imp.Path); ok {
				name := imp.Name
				if name == "" {
					name = r.dirs[dir].Name
				}
				out[name] = dir
			}
		case "Python":
			r.python(out, f, imp)
		case "JavaScript", "TypeScript":
			r.script(out, f, imp)
		}
	}
	return out
}

func (r *importResolver) goDir(importPath string) (string, bool) {
	for _, m := range r.goMods {
		rest, ok := strings.CutPrefix(importPath, m.Name)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		dir := path.Join(m.Dir, strings.TrimPrefix(rest, "/"))
		return dir, r.dirs[dir] != nil
	}
	return "", false
}

// python resolves "import a.b", "import a.b as c" and "from a.b import c", which the scanner reports as path "a.b" or "a.b.c" with the
// local name.
func (r *importResolver) python(out map[string]string, f *scan.File, imp scan.Import) {
	dotted := imp.Path
	base := ""
	if strings.HasPrefix(dotted, ".") {
		up := len(dotted) - len(strings.TrimLeft(dotted, "."))
		base = path.Dir(f.Path)
		for range up - 1 {
			base = path.Dir(base)
		}
		dotted = strings.TrimLeft(dotted, ".")
	}
	if module, ok := r.pythonModule(base, dotted); ok {
		if imp.Name != "" {
			out[imp.Name] = module
		}
		return
	}
	parent, name := dotted, ""
	if i := strings.LastIndexByte(dotted, '.'); i >= 0 {
		parent, name = dotted[:i], dotted[i+1:]
	} else if base != "" {
		parent, name = "", dotted
	}
	if module, ok := r.pythonModule(base, parent); ok && name != "" {
		local := imp.Name
		if local == "" {
			local = name
		}
		out[local] = module + "\x00" + name
	}
}

func (r *importResolver) pythonModule(base, dotted string) (string, bool) {
	roots := r.pyRoots
	if base != "" {
		roots = []string{base}
	}
	for _, root := range roots {
		stem := path.Join(root, strings.ReplaceAll(dotted, ".", "/"))
		for _, file := range []string{stem + ".py", path.Join(stem, "__init__.py")} {
			if r.repo.Files[file] != nil {
				return file, true
			}
		}
	}
	return "", false
}

// script resolves relative imports of JavaScript and TypeScript. The local name of a named import means the export of that name.
func (r *importResolver) script(out map[string]string, f *scan.File, imp scan.Import) {
	if !strings.HasPrefix(imp.Path, ".") || imp.Name == "" {
		return
	}
	stem := path.Join(path.Dir(f.Path), imp.Path)
	trimmed := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(stem, ".js"), ".mjs"), ".jsx")
	for _, candidate := range []string{stem, trimmed + ".ts", trimmed + ".tsx", trimmed + ".js", trimmed + ".mjs", trimmed + ".jsx", path.Join(stem, "index.ts"), path.Join(stem, "index.js")} {
		if r.repo.Files[candidate] == nil {
			continue
		}
		if local, ok := strings.CutPrefix(imp.Name, "* as "); ok {
			out[local] = candidate
			return
		}
		for _, one := range strings.FieldsFunc(imp.Name, func(c rune) bool { return c == ',' || c == '{' || c == '}' || c == ' ' }) {
			out[one] = candidate + "\x00" + one
		}
		return
	}
}
