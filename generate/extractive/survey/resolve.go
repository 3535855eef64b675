package survey

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// known returns the package of a directory when it has one.
func (r *resolver) known(dir string) (string, bool) {
	if r.packages[dir] != nil {
		return dir, true
	}
	return "", false
}

func (r *resolver) goImport(imp string) (string, bool) {
	for _, m := range r.goModules {
		if !hasPath(imp, m.Name, "/") {
			continue
		}
		dir, _ := r.known(path.Join(m.Dir, strings.TrimPrefix(imp, m.Name)))
		return dir, true
	}
	return "", false
}

// pythonRoots returns the directories from which absolute imports may start.
func (r *resolver) pythonRoots() []string {
	roots := map[string]bool{".": true, "src": true, "lib": true}
	for _, m := range r.manifests {
		if m.Ecosystem != "python" || m.unnamed {
			continue
		}
		roots[m.Dir], roots[path.Join(m.Dir, "src")], roots[path.Join(m.Dir, "lib")] = true, true, true
		for _, root := range m.roots {
			roots[root.dir] = true
		}
	}
	return sortedKeys(roots)
}

// indexPython records the dotted names of a module: from the parent of its outermost package, and from the import roots it lies in. A name
// that two files claim is ambiguous and kept as such.
func (r *resolver) indexPython(name string, roots []string) {
	top := path.Dir(name)
	for top != "." && r.repo.Files[path.Join(top, "__init__.py")] != nil {
		top = path.Dir(top)
	}
	names := map[string]bool{}
	if top != path.Dir(name) { // a lone script is imported by its neighbours only
		names[dotted(name, top)] = true
	}
	for _, root := range roots {
		if within(path.Dir(name), root) {
			names[dotted(name, root)] = true
		}
	}
	for module := range names {
		if have, ok := r.python[module]; ok && have != r.owner[name] {
			if module != "" {
				r.python[module] = ""
			}
			continue
		}
		r.python[module] = r.owner[name]
	}
}

func dotted(name, root string) string {
	rel := strings.TrimSuffix(name, path.Ext(name))
	if root != "." {
		rel = strings.TrimPrefix(rel, root+"/")
	}
	rel = strings.TrimSuffix(strings.TrimSuffix(rel, "/__init__"), "/__main__")
	return strings.ReplaceAll(rel, "/", ".")
}

func (r *resolver) pythonImport(file, imp string) (string, bool) {
	if strings.HasPrefix(imp, ".") {
		rest := strings.TrimLeft(imp, ".")
		dir := path.Dir(file)
		for range len(imp) - len(rest) - 1 {
			dir = path.Dir(dir)
		}
		return r.modulePath(dir, rest)
	}
	for name := imp; name != ""; {
		if dir, ok := r.python[name]; ok {
			return dir, true
		}
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			break
		}
		name = name[:at]
	}
	first, _, _ := strings.Cut(imp, ".")
	if sibling := path.Join(path.Dir(file), first+".py"); r.owner[sibling] != "" && r.repo.Files[path.Join(path.Dir(file), "__init__.py")] == nil {
		return r.owner[sibling], true // a script imports its neighbour
	}
	return "", false
}

// modulePath walks a dotted name down from dir: the last directory or module file that exists is meant.
func (r *resolver) modulePath(dir, rest string) (string, bool) {
	found, _ := r.known(dir)
	for seg := range strings.SplitSeq(rest, ".") {
		next := path.Join(dir, seg)
		if _, ok := r.known(next); ok {
			found, dir = next, next
			continue
		}
		if owner := r.owner[next+".py"]; owner != "" {
			found = owner
		}
		break
	}
	return found, true
}

// indexTypes records the qualified names of the top-level types of a file.
func (r *resolver) indexTypes(f *scan.File) {
	dir := r.owner[f.Path]
	ns := strings.Trim(strings.ReplaceAll(f.Package, `\`, "."), ".")
	put := func(m map[string]string, name string) {
		if have, ok := m[name]; ok && have != dir {
			m[name] = ""
			return
		}
		m[name] = dir
	}
	if ns != "" && !f.IsTest {
		put(r.namespaces, ns)
	}
	for _, d := range f.Decls {
		if d.Parent != "" {
			continue
		}
		name := d.Name
		if ns != "" && !strings.HasPrefix(name, ns) {
			name = ns + "." + name
		}
		put(r.types, name)
	}
}

// typeImport resolves a qualified type or namespace: the type itself, an outer type of it, or its package.
func (r *resolver) typeImport(imp, sep string) (string, bool) {
	name := strings.Trim(strings.ReplaceAll(imp, sep, "."), ".")
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".*"), "._")
	for n := name; ; {
		if dir, ok := r.types[n]; ok {
			return dir, true
		}
		if dir, ok := r.namespaces[n]; ok {
			return dir, true
		}
		at := strings.LastIndexByte(n, '.')
		if at < 0 || strings.Count(name, ".")-strings.Count(n, ".") > 2 {
			return "", false
		}
		n = n[:at]
		if _, ok := r.namespaces[n]; ok && strings.ToLower(n) == n && strings.Count(name, ".")-strings.Count(n, ".") > 2 {
			return "", false
		}
	}
}

func (r *resolver) phpImport(imp string) (string, bool) {
	imp = strings.TrimPrefix(imp, `\`)
	if dir, ok := r.types[strings.ReplaceAll(imp, `\`, ".")]; ok {
		return dir, true
	}
	for _, root := range r.psr4 {
		if root.prefix == "" || !hasPath(imp, root.prefix, `\`) {
			continue
		}
		rest := strings.ReplaceAll(strings.Trim(imp[len(root.prefix):], `\`), `\`, "/")
		if dir := r.owner[path.Join(root.dir, rest)+".php"]; dir != "" {
			return dir, true
		}
		if dir, ok := r.known(path.Join(root.dir, rest)); ok {
			return dir, true
		}
	}
	if dir, ok := r.namespaces[strings.ReplaceAll(imp, `\`, ".")]; ok {
		return dir, true
	}
	return "", false
}

func (r *resolver) rustImport(file, imp string) (string, bool) {
	imp = strings.TrimPrefix(imp, "::")
	first, rest, _ := strings.Cut(imp, "::")
	switch first {
	case "std", "core", "alloc":
		return "", false
	case "crate":
		return r.cratePath(r.crateRoot(path.Dir(file)), rest)
	case "self":
		return r.cratePath(rustModule(file), rest)
	case "super":
		base := path.Dir(rustModule(file))
		for {
			next, ok := strings.CutPrefix(rest, "super::")
			if !ok {
				break
			}
			base, rest = path.Dir(base), next
		}
		return r.cratePath(base, rest)
	}
	m := r.crates[first]
	if m == nil {
		return "", false
	}
	if r.onlyTests(file, m.Dir) {
		return "", true
	}
	for _, entry := range m.entry {
		if dir := r.owner[entry]; dir != "" {
			return r.cratePath(dir, rest)
		}
	}
	return "", true
}

// onlyTests reports whether the crate that holds file needs the crate at dir for its tests alone: its own test modules import it then.
func (r *resolver) onlyTests(file, dir string) bool {
	module := r.repo.moduleOf(path.Dir(file))
	if module == nil || r.packages[path.Dir(file)].Role == "tests" {
		return false
	}
	for _, m := range r.manifests {
		if m.Manifest == module.Manifest && slices.Contains(m.devLocal, dir) {
			return !slices.ContainsFunc(m.local, func(f Fact) bool { return f.Text == dir })
		}
	}
	return false
}

// rustModule returns the directory that holds the children of the module a file defines.
func rustModule(file string) string {
	switch path.Base(file) {
	case "mod.rs", "lib.rs", "main.rs":
		return path.Dir(file)
	}
	return strings.TrimSuffix(file, ".rs")
}

// crateRoot returns the directory of lib.rs or main.rs above dir.
func (r *resolver) crateRoot(dir string) string {
	for at := dir; ; at = path.Dir(at) {
		for _, m := range r.manifests {
			if m.Ecosystem != "cargo" || m.Dir != at || m.Name == "" {
				continue
			}
			for _, entry := range m.entry {
				if owner := r.owner[entry]; owner != "" {
					return owner
				}
			}
		}
		if r.owner[path.Join(at, "lib.rs")] != "" || r.owner[path.Join(at, "main.rs")] != "" {
			return at
		}
		if at == "." {
			return dir
		}
	}
}

func (r *resolver) cratePath(dir, rest string) (string, bool) {
	found, ok := r.known(dir)
	for !ok && dir != "." {
		dir = path.Dir(dir)
		found, ok = r.known(dir)
	}
	for seg := range strings.SplitSeq(rest, "::") {
		next := path.Join(dir, seg)
		if _, ok := r.known(next); !ok || seg == "" {
			break
		}
		if r.owner[next+".rs"] == "" && r.owner[path.Join(next, "mod.rs")] == "" {
			break
		}
		dir, found = next, next
	}
	return found, true
}

// include resolves #include by the including directory, then by the one file of the repository whose path ends in it.
func (r *resolver) include(file, imp string) (string, bool) {
	name := strings.Trim(imp, `<>"`)
	system := strings.HasPrefix(imp, "<")
	if !system {
		if dir := r.owner[path.Join(path.Dir(file), name)]; dir != "" {
			return dir, true
		}
	}
	if system && !strings.Contains(name, "/") {
		return "", false
	}
	for strings.HasPrefix(name, "../") {
		name = name[3:]
	}
	match := ""
	for _, candidate := range r.suffixes[path.Base(name)] {
		if candidate != name && !strings.HasSuffix(candidate, "/"+name) {
			continue
		}
		if match != "" && r.owner[match] != r.owner[candidate] {
			return "", false
		}
		match = candidate
	}
	if match == "" {
		return "", false
	}
	return r.owner[match], true
}

func (r *resolver) require(file, imp string) (string, bool) {
	candidates := []string{path.Join(path.Dir(file), imp)}
	if !strings.HasPrefix(imp, ".") {
		for _, root := range append([]string{"lib", "app"}, r.ruby...) {
			candidates = append(candidates, path.Join(root, imp))
		}
	}
	for i, c := range candidates {
		if i == 0 && !strings.HasPrefix(imp, ".") && !strings.Contains(imp, "/") && r.owner["lib/"+imp+".rb"] != "" {
			continue
		}
		if dir := r.owner[strings.TrimSuffix(c, ".rb")+".rb"]; dir != "" {
			return dir, true
		}
	}
	return "", false
}
