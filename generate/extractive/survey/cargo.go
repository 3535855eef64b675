package survey

import "strings"

// readCargo reads Cargo.toml: a package, a workspace, or both.
func readCargo(m *manifest, data []byte) bool {
	root := parseTOML(data)
	m.Ecosystem = "cargo"
	pkg, ws := root.get("package"), root.get("workspace")
	m.Name, m.NameRef = cut(pkg.get("name").str(), maxName), pkg.get("name").ref(m.Manifest)
	m.Version = pkg.get("version").fact(m.Manifest)
	m.Description = sentenceFact(pkg.get("description").fact(m.Manifest))
	m.license = pkg.get("license").fact(m.Manifest)
	if m.license.Text == "" {
		m.license = ws.get("package", "license").fact(m.Manifest)
	}
	for _, at := range []*node{pkg, ws.get("package")} {
		if v := at.get("rust-version"); v.str() != "" && m.Requires.Text == "" {
			m.Requires = Fact{Text: "Rust " + v.str(), Ref: v.ref(m.Manifest)}
		}
	}
	for _, member := range ws.get("members").list() {
		m.members = append(m.members, Fact{Text: member.str(), Ref: member.ref(m.Manifest)})
	}
	m.cargoDependencies(root)
	m.cargoTargets(root)
	lines := splitLines(data)
	for _, f := range root.get("features").fields() {
		if f.key == "default" {
			continue
		}
		item := ConfigItem{Kind: "key", Name: f.key, Usage: "Cargo feature", Refs: []Ref{f.ref(m.Manifest)}}
		if said, ref := commentAbove(m.Manifest, lines, item.Refs[0].Start); said != "" {
			item.Usage, item.From = "Cargo feature. "+said, []Ref{ref}
		} else if said, ref := commentOfGroup(m.Manifest, lines, item.Refs[0].Start); said != "" {
			item.Usage, item.From = "Cargo feature. "+said, []Ref{ref}
		}
		m.config = append(m.config, item)
	}
	m.unnamed = m.Name == "" && len(m.members) == 0
	return len(root.entries) > 0
}

// maxComment bounds the comment that is taken over with a key, in sentences.
const maxComment = 3

// commentAbove returns the first sentences of the comment that ends on the line before a key, with its lines.
func commentAbove(name string, lines []textLine, at int) (string, Ref) {
	start := at - 1 // index of the line of the key
	for start > 0 && start <= len(lines) && strings.HasPrefix(strings.TrimSpace(lines[start-1].text), "#") {
		start--
	}
	if start >= at-1 {
		return "", Ref{}
	}
	said := ""
	for _, l := range lines[start : at-1] {
		said += strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l.text), "# ")) + " "
	}
	said = clean(said)
	end := 0
	for n := 0; n < maxComment && end < len(said); n++ {
		next := end + sentenceEnd(said[end:])
		if next > 240 && n > 0 {
			break
		}
		end = next
	}
	return strings.TrimSpace(said[:end]), Ref{Path: name, Start: start + 1, End: at - 1}
}

// commentOfGroup is the comment above the first of several keys that follow each other without a blank line, where its words are about more than
// one.
func commentOfGroup(name string, lines []textLine, at int) (string, Ref) {
	first := at
	for first > 1 && first <= len(lines) {
		above := strings.TrimSpace(lines[first-2].text)
		if above == "" || strings.HasPrefix(above, "#") || strings.HasPrefix(above, "[") || !strings.Contains(above, "=") {
			break
		}
		first--
	}
	said, ref := commentAbove(name, lines, first)
	if first == at || !strings.HasPrefix(said, "These ") {
		return "", Ref{}
	}
	return said, ref
}

func (m *manifest) cargoDependencies(root *node) {
	for _, table := range []*node{root.get("dependencies"), root.get("build-dependencies"), root.get("dev-dependencies"), root.get("workspace", "dependencies")} {
		for _, d := range table.fields() {
			m.cargoDependency(d, table.key, "")
		}
	}
	for _, target := range root.get("target").fields() {
		for _, table := range []*node{target.get("dependencies"), target.get("dev-dependencies")} {
			for _, d := range table.fields() {
				m.cargoDependency(d, table.key, target.key)
			}
		}
	}
}

// cargoDependency records a dependency of a table; target is the condition of the table, "cfg(windows)" or the name of a target, "" for all.
func (m *manifest) cargoDependency(d *node, table, target string) {
	dev := table == "dev-dependencies"
	name := d.key
	if renamed := d.get("package").str(); renamed != "" {
		name = renamed
	}
	ref := d.ref(m.Manifest)
	if rel := d.get("path").str(); rel != "" {
		dir := join(m.Dir, rel)
		switch {
		case dir == "":
		case dev:
			m.devLocal = append(m.devLocal, dir)
		default:
			m.local = append(m.local, Fact{Text: dir, Ref: ref})
			if d.get("optional").str() == "true" {
				if m.optionalLocal == nil {
					m.optionalLocal = map[string]Ref{}
				}
				m.optionalLocal[dir] = ref
			}
		}
		return
	}
	version := d.str()
	if version == "" {
		version = d.get("version").str()
	}
	if version == "" && d.get("workspace").str() == "true" || d.get("workspace") != nil {
		version = ""
	}
	before := len(m.deps)
	m.depend(name, version, dev, ref, strings.ReplaceAll(d.key, "-", "_"))
	switch {
	case len(m.deps) == before || dev:
	case table == "build-dependencies":
		m.deps[before].Kind = "build"
	case d.get("optional").str() == "true":
		m.deps[before].Kind = "optional"
	}
	if len(m.deps) > before {
		m.deps[before].Under = cut(clean(target), maxName)
	}
}

// cargoTargets records binaries that the manifest names; src/main.rs and src/bin are found with the sources.
func (m *manifest) cargoTargets(root *node) {
	for _, bin := range root.get("bin").list() {
		if file := bin.get("path").str(); file != "" {
			m.program(bin.get("name").str(), file, "binary", bin.ref(m.Manifest))
		}
	}
	m.OwnTests = len(root.get("test").list()) > 0 || root.get("package", "autotests").str() == "false"
	if lib := root.get("lib", "path").str(); lib != "" {
		m.entry = append(m.entry, join(m.Dir, lib))
	}
	for _, guess := range []string{"src/lib.rs", "src/main.rs"} {
		m.entry = append(m.entry, join(m.Dir, guess))
	}
}

// readCargoAliases reads .cargo/config.toml.
func readCargoAliases(name, dir string, data []byte) []Command {
	var out []Command
	for _, a := range parseTOML(data).get("alias").fields() {
		runs := strings.Join(a.strings(), " ")
		out = append(out, Command{Line: commandLine("cargo " + a.key), Runs: shortRun("cargo " + runs), Source: "Cargo alias", Ref: a.ref(name), Dir: dir})
	}
	return out
}
