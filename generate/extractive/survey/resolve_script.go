package survey

import (
	"path"
	"strings"
)

// scriptImport resolves an import of JavaScript or TypeScript: relative paths, the aliases of the nearest tsconfig.json, and the names of
// workspace members.
func (r *resolver) scriptImport(file, imp string) (string, bool) {
	imp, _, _ = strings.Cut(imp, "?")
	if strings.HasPrefix(imp, "./") || strings.HasPrefix(imp, "../") || imp == "." || imp == ".." {
		dir, _ := r.scriptFile(path.Join(path.Dir(file), imp))
		return dir, true
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, a := range r.aliasOf[dir] {
			rest, ok := strings.CutPrefix(imp, a.prefix)
			if !ok {
				continue
			}
			if found, ok := r.scriptFile(path.Join(a.dir, rest)); ok {
				return found, true
			}
		}
		if dir == "." {
			break
		}
	}
	return r.npmImport(imp)
}

// scriptFile finds the file that a path without or with its extension means.
func (r *resolver) scriptFile(p string) (string, bool) {
	if dir := r.owner[p]; dir != "" {
		return dir, true
	}
	bases := []string{p, path.Join(p, "index"), path.Join(p, "src/index")}
	if stem, ext := strings.TrimSuffix(p, path.Ext(p)), path.Ext(p); ext == ".js" || ext == ".mjs" || ext == ".cjs" || ext == ".jsx" {
		bases = append(bases, stem) // TypeScript sources are imported by the name of their output
	}
	for _, base := range bases {
		for _, ext := range scriptExtensions() {
			if dir := r.owner[base+ext]; dir != "" {
				return dir, true
			}
		}
	}
	if twin, ok := sourceOfOutput(p); ok {
		return r.scriptFile(twin)
	}
	return "", false
}

// sourceOfOutput maps a file below dist to its source below src, as bundlers lay them out: the output itself is not in the repository.
func sourceOfOutput(p string) (string, bool) {
	at := strings.Index("/"+p, "/dist/")
	if at < 0 {
		return "", false
	}
	return p[:at] + "src/" + p[at+len("dist/"):], true
}

// npmImport resolves the name of a workspace member, with an optional path inside it.
func (r *resolver) npmImport(imp string) (string, bool) {
	name, rest := imp, ""
	parts := strings.SplitN(imp, "/", 3)
	if strings.HasPrefix(imp, "@") && len(parts) > 2 {
		name, rest = parts[0]+"/"+parts[1], parts[2]
	} else if !strings.HasPrefix(imp, "@") && len(parts) > 1 {
		name, rest, _ = strings.Cut(imp, "/")
	}
	m := r.npm[name]
	if m == nil {
		return "", false
	}
	if rest != "" {
		for _, base := range []string{path.Join(m.Dir, rest), path.Join(m.Dir, "src", rest)} {
			if dir, ok := r.scriptFile(base); ok {
				return dir, true
			}
		}
	}
	for _, entry := range m.entry {
		if dir, ok := r.scriptFile(entry); ok && r.packages[dir].Role != "tests" {
			return dir, true
		}
	}
	for _, p := range r.repo.Packages {
		if within(p.Dir, m.Dir) && p.Module == m.Dir && p.Role != "tests" {
			return p.Dir, true
		}
	}
	return "", true
}
