package survey

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// RustTest is the command that runs one test of a crate and no other, and the directory to run it in: by its whole path, because cargo runs every test whose path contains the
// words it is given. It reports false where the path is not certain: where a macro makes the test, or where the file is not reached by plain
// module declarations from a root of its crate.
func (repo *Repository) RustTest(file string, t scan.Test) (line, dir string, ok bool) {
	f, m := repo.Files[file], repo.moduleOf(path.Dir(file))
	if f == nil || m == nil || m.Ecosystem != "cargo" || m.Name == "" {
		return "", "", false
	}
	last := t.Name[strings.LastIndexByte(t.Name, ':')+1:]
	if !slices.ContainsFunc(f.Decls, func(d scan.Decl) bool { return d.Kind == scan.KindFunction && d.Name == last && d.Start == t.Line }) {
		return "", "", false
	}
	rel := file
	if m.Dir != "." {
		rel = strings.TrimPrefix(file, m.Dir+"/")
	}
	line, dir = "cargo test ", m.Dir
	for i := range repo.Modules { // a member of a workspace is built from its root
		if root := &repo.Modules[i]; root.Ecosystem == "cargo" && (root == m && len(root.Workspace) > 0 || slices.Contains(root.Workspace, m.Dir)) {
			line, dir = "cargo test -p "+m.Name+" ", root.Dir
		}
	}
	if in, base := path.Split(rel); in == "tests/" && !m.OwnTests {
		return line + "--test " + strings.TrimSuffix(base, ".rs") + " " + t.Name + " -- --exact", dir, true
	}
	for _, root := range repo.crateRoots(m) {
		if inside, ok := repo.modulePath(root, file); ok {
			return line + inside + t.Name + " -- --exact", dir, true
		}
	}
	return "", "", false
}

// crateRoots are the files with which the library and the programs of a crate begin.
func (repo *Repository) crateRoots(m *Module) []string {
	roots := []string{path.Join(m.Dir, "src/lib.rs"), path.Join(m.Dir, "src/main.rs")}
	for _, g := range repo.Programs {
		if !slices.Contains(roots, g.Entry.Path) && repo.moduleOf(path.Dir(g.Entry.Path)) == m {
			roots = append(roots, g.Entry.Path)
		}
	}
	return slices.DeleteFunc(roots, func(r string) bool { return repo.Files[r] == nil || repo.Files[r].Language != "Rust" })
}

// modulePath is the path of the module that a file is, from the root of its crate: "flags::defs::". Every module on the way must be declared
// without a condition, in the file that the file system puts above it.
func (repo *Repository) modulePath(root, file string) (string, bool) {
	if root == file {
		return "", true
	}
	rel, ok := strings.CutPrefix(strings.TrimSuffix(file, ".rs"), path.Dir(root)+"/")
	if path.Dir(root) == "." {
		rel, ok = strings.TrimSuffix(file, ".rs"), true
	}
	if !ok {
		return "", false
	}
	out, at, dir := "", root, path.Dir(root)
	for _, name := range strings.Split(strings.TrimSuffix(rel, "/mod"), "/") {
		if !slices.ContainsFunc(repo.Files[at].Imports, func(imp scan.Import) bool { return imp.Path == "./"+name && imp.Under == "" }) {
			return "", false
		}
		dir = path.Join(dir, name)
		if at = dir + ".rs"; repo.Files[at] == nil {
			at = dir + "/mod.rs"
		}
		if repo.Files[at] == nil {
			return "", false
		}
		out += name + "::"
	}
	return out, at == file
}
