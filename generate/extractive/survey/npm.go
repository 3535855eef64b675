package survey

import (
	"path"
	"sort"
	"strings"
)

// readNPM reads package.json: name, engines, workspaces, scripts, bins and dependencies.
func readNPM(m *manifest, data []byte) bool {
	root := parseJSON(data)
	if root == nil || len(root.entries) == 0 {
		return false
	}
	m.Ecosystem = "npm"
	m.Name, m.NameRef = cut(root.get("name").str(), maxName), root.get("name").ref(m.Manifest)
	m.Version = root.get("version").fact(m.Manifest)
	m.Description = sentenceFact(root.get("description").fact(m.Manifest))
	m.license = root.get("license").fact(m.Manifest)
	if node := root.get("engines", "node"); node.str() != "" {
		m.Requires = Fact{Text: "Node " + node.str(), Ref: node.ref(m.Manifest)}
	}
	workspaces := root.get("workspaces")
	if len(workspaces.list()) == 0 {
		workspaces = workspaces.get("packages")
	}
	m.npmMembers(workspaces)
	m.npmScripts(root)
	m.npmBins(root)
	for _, field := range []string{"dependencies", "peerDependencies", "optionalDependencies", "devDependencies"} {
		for _, d := range root.get(field).fields() {
			m.npmDependency(d, field)
		}
	}
	m.npmImports(root.get("imports"))
	m.npmEntry(root)
	m.unnamed = m.Name == "" && len(m.members) == 0 && m.Dir != "." && len(m.deps) == 0
	return !m.unnamed || len(m.commands) > 0
}

func (m *manifest) npmMembers(list *node) {
	for _, it := range list.list() {
		if it.str() != "" {
			m.members = append(m.members, Fact{Text: it.str(), Ref: it.ref(m.Manifest)})
		}
	}
}

// npmScripts records scripts under the runner that the manifest names in packageManager; without it, npm.
func (m *manifest) npmScripts(root *node) {
	runner, _, _ := strings.Cut(root.get("packageManager").str(), "@")
	switch runner {
	case "pnpm", "yarn", "bun":
	default:
		runner = "npm"
	}
	for _, s := range root.get("scripts").fields() {
		if s.str() == "" || npmHook(s.key, root.get("scripts")) {
			continue
		}
		line := runner + " run " + s.key
		if runner == "yarn" || s.key == "test" || s.key == "start" {
			line = runner + " " + s.key
		}
		m.script(line, s.str(), "package.json script", s.ref(m.Manifest))
		if s.key == "test" || strings.HasPrefix(s.key, "test") && m.testRunner.Text == "" {
			m.npmRunner(s)
		}
	}
}

func (m *manifest) npmRunner(script *node) {
	if strings.Contains(script.str(), " -c ") || strings.Contains(script.str(), "--config") {
		return // a run with a configuration of its own may not see every test
	}
	first, _, _ := strings.Cut(stripEnvPrefix(script.str()), " ")
	switch first {
	case "vitest", "jest", "mocha", "ava", "tap":
		m.testRunner = Fact{Text: first, Ref: script.ref(m.Manifest)}
	}
}

// npmHook reports pre- and post-hooks of another script and lifecycle hooks: nobody types them.
func npmHook(name string, scripts *node) bool {
	switch name {
	case "prepare", "prepublish", "prepublishOnly", "preinstall", "install", "postinstall", "prepack", "postpack", "preversion", "version", "postversion":
		return true
	}
	for _, prefix := range []string{"pre", "post"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && scripts.get(strings.TrimPrefix(rest, ":")) != nil {
			return true
		}
	}
	return false
}

func (m *manifest) npmBins(root *node) {
	bin := root.get("bin")
	if bin.str() != "" && m.Name != "" {
		m.program(path.Base(m.Name), bin.str(), "cli", bin.ref(m.Manifest))
	}
	for _, b := range bin.fields() {
		m.program(b.key, b.str(), "cli", b.ref(m.Manifest))
	}
}

// program records an executable that a manifest declares with the file that implements it.
func (m *manifest) program(name, file, kind string, ref Ref) {
	if name = clean(name); name == "" {
		return
	}
	m.programs = append(m.programs, Program{Name: cut(name, maxName), Kind: kind, Entry: ref, Component: join(m.Dir, file)})
}

// npmImports reads the names that a package gives to files of its own: "#types/*": "./types/*.d.ts".
func (m *manifest) npmImports(names *node) {
	for _, name := range names.fields() {
		targets := name.strings()
		for _, condition := range name.fields() {
			targets = append(targets, condition.strings()...)
		}
		for _, target := range targets {
			before, _, wild := strings.Cut(target, "*")
			dir := join(m.Dir, before)
			if dir == "" || wild != strings.HasSuffix(name.key, "*") {
				continue
			}
			m.roots = append(m.roots, importRoot{kind: "tsconfig", prefix: strings.TrimSuffix(name.key, "*"), dir: dir})
		}
	}
}

func (m *manifest) npmDependency(d *node, field string) {
	version := d.str()
	for _, local := range []string{"file:", "link:", "portal:"} {
		if rel, ok := strings.CutPrefix(version, local); ok {
			if dir := join(m.Dir, rel); dir != "" {
				m.local = append(m.local, Fact{Text: dir, Ref: d.ref(m.Manifest)})
			}
			return
		}
	}
	if strings.HasPrefix(d.key, "@types/") {
		return
	}
	m.depend(d.key, version, field == "devDependencies", d.ref(m.Manifest), d.key)
	switch field {
	case "peerDependencies":
		m.deps[len(m.deps)-1].Kind = "peer"
	case "optionalDependencies":
		m.deps[len(m.deps)-1].Kind = "optional"
	}
}

// npmEntry lists the files that may stand for the package when it is imported by name: what the manifest says, and its source beside it.
func (m *manifest) npmEntry(root *node) {
	seen := map[string]bool{}
	add := func(rel string) {
		if p := join(m.Dir, rel); p != "" && !seen[p] {
			seen[p] = true
			m.entry = append(m.entry, p)
		}
	}
	for _, field := range []string{"source", "module", "main", "types"} {
		add(root.get(field).str())
	}
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		if depth > 4 {
			return
		}
		add(n.str())
		for _, e := range n.fields() {
			walk(e, depth+1)
		}
	}
	walk(root.get("exports"), 0)
	for _, guess := range []string{"src/index", "src/main", "src/node/index", "lib/index", "index"} {
		for _, ext := range scriptExtensions() {
			add(guess + ext)
		}
	}
}

func scriptExtensions() []string {
	return []string{".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs", ".d.ts", ".vue", ".svelte"}
}

// readPNPMWorkspace reads pnpm-workspace.yaml.
func readPNPMWorkspace(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "npm", true
	m.npmMembers(firstYAML(data).get("packages"))
	return len(m.members) > 0
}

// readLerna reads lerna.json.
func readLerna(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "npm", true
	m.npmMembers(parseJSON(data).get("packages"))
	return len(m.members) > 0
}

// readTSConfig reads the path aliases of tsconfig.json.
func readTSConfig(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "npm", true
	options := parseJSON(data).get("compilerOptions")
	base := join(m.Dir, options.get("baseUrl").str())
	if base == "" {
		base = m.Dir
	} else {
		m.roots = append(m.roots, importRoot{kind: "tsconfig", dir: base})
	}
	for _, p := range options.get("paths").fields() {
		for _, target := range p.strings() {
			dir := join(base, strings.TrimSuffix(target, "*"))
			if dir == "" || strings.Contains(dir, "*") || strings.Contains(strings.TrimSuffix(p.key, "*"), "*") {
				continue
			}
			m.roots = append(m.roots, importRoot{kind: "tsconfig", prefix: strings.TrimSuffix(p.key, "*"), dir: dir})
		}
	}
	sort.SliceStable(m.roots, func(i, j int) bool { return len(m.roots[i].prefix) > len(m.roots[j].prefix) })
	return len(m.roots) > 0
}

// sentenceFact keeps the first sentence of a description.
func sentenceFact(f Fact) Fact {
	if f.Text = firstSentence(plain(f.Text)); f.Text == "" {
		return Fact{}
	}
	return f
}
