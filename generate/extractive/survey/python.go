package survey

import (
	"regexp"
	"strings"
	"sync"
)

// readPyproject reads pyproject.toml: PEP 621 metadata, Poetry, dependency groups, and the tasks of hatch, poe, pdm and taskipy.
func readPyproject(m *manifest, data []byte) bool {
	root := parseTOML(data)
	m.Ecosystem = "python"
	project, poetry := root.get("project"), root.get("tool", "poetry")
	meta := project
	if meta.get("name") == nil {
		meta = poetry
	}
	m.pythonMeta(meta)
	m.pythonLicence(meta.get("license"))
	if req := meta.get("requires-python"); req.str() != "" {
		m.Requires = Fact{Text: "Python " + req.str(), Ref: req.ref(m.Manifest)}
	}
	for _, d := range project.get("dependencies").list() {
		m.requirement(d.str(), false, d.ref(m.Manifest))
	}
	for _, group := range project.get("optional-dependencies").fields() {
		for _, d := range group.list() {
			m.requirement(d.str(), devGroup(group.key), d.ref(m.Manifest))
		}
	}
	for _, group := range root.get("dependency-groups").fields() {
		for _, d := range group.list() {
			m.requirement(d.str(), true, d.ref(m.Manifest))
		}
	}
	m.poetryDependencies(poetry)
	for _, table := range []*node{project.get("scripts"), project.get("gui-scripts"), poetry.get("scripts")} {
		for _, s := range table.fields() {
			m.program(s.key, "", "cli", s.ref(m.Manifest))
			m.programs[len(m.programs)-1].Component = s.str()
		}
	}
	m.pythonTasks(root.get("tool"))
	m.pythonRoots(root.get("tool"))
	for _, member := range root.get("tool", "uv", "workspace", "members").list() {
		m.members = append(m.members, Fact{Text: member.str(), Ref: member.ref(m.Manifest)})
	}
	if pytest := root.get("tool", "pytest"); pytest != nil {
		m.testRunner = Fact{Text: "pytest", Ref: Ref{Path: m.Manifest, Start: pytest.line, End: pytest.line}}
	}
	m.unnamed = m.Name == ""
	return len(root.entries) > 0
}

func (m *manifest) pythonMeta(meta *node) {
	m.Name, m.NameRef = cut(meta.get("name").str(), maxName), meta.get("name").ref(m.Manifest)
	m.Version = meta.get("version").fact(m.Manifest)
	m.Description = sentenceFact(meta.get("description").fact(m.Manifest))
}

func (m *manifest) pythonLicence(n *node) {
	if t := n.get("text"); t.str() != "" {
		n = t
	}
	if f := n.fact(m.Manifest); f.Text != "" && len(f.Text) < 60 {
		m.license = f
	}
}

func devGroup(name string) bool {
	switch strings.ToLower(name) {
	case "dev", "test", "tests", "testing", "docs", "doc", "lint", "develop", "development", "typing", "qa":
		return true
	}
	return false
}

func (m *manifest) poetryDependencies(poetry *node) {
	add := func(table *node, dev bool) {
		for _, d := range table.fields() {
			version := d.str()
			if version == "" {
				version = d.get("version").str()
			}
			if d.key == "python" {
				m.Requires = Fact{Text: "Python " + version, Ref: d.ref(m.Manifest)}
				continue
			}
			if rel := d.get("path").str(); rel != "" {
				if dir := join(m.Dir, rel); dir != "" {
					m.local = append(m.local, Fact{Text: dir, Ref: d.ref(m.Manifest)})
				}
				continue
			}
			m.depend(d.key, version, dev, d.ref(m.Manifest), pythonImports(d.key)...)
		}
	}
	add(poetry.get("dependencies"), false)
	add(poetry.get("dev-dependencies"), true)
	for _, group := range poetry.get("group").fields() {
		add(group.get("dependencies"), true)
	}
}

// pythonTasks reads the tasks that people run by name.
func (m *manifest) pythonTasks(tool *node) {
	for _, env := range tool.get("hatch", "envs").fields() {
		for _, s := range env.get("scripts").fields() {
			line := "hatch run " + env.key + ":" + s.key
			if env.key == "default" {
				line = "hatch run " + s.key
			}
			m.script(line, strings.Join(s.strings(), " && "), "hatch script", s.ref(m.Manifest))
		}
	}
	for runner, at := range map[string]*node{"poe": tool.get("poe", "tasks"), "pdm run": tool.get("pdm", "scripts"), "task": tool.get("taskipy", "tasks")} {
		for _, s := range at.fields() {
			if strings.HasPrefix(s.key, "_") {
				continue
			}
			runs := s.str()
			if runs == "" {
				runs = s.get("cmd").str()
			}
			m.script(runner+" "+s.key, runs, strings.Fields(runner)[0]+" task", s.ref(m.Manifest))
		}
	}
	for _, env := range tool.get("tox", "env").fields() {
		m.script("tox run -e "+env.key, env.get("description").str(), "tox environment", Ref{Path: m.Manifest, Start: env.line, End: env.line})
	}
	sortCommands(m.commands)
}

// pythonRoots reads where import packages start; the usual places are tried for every Python module anyway.
func (m *manifest) pythonRoots(tool *node) {
	where := tool.get("setuptools", "packages", "find", "where").strings()
	for _, n := range tool.get("setuptools", "package-dir").fields() {
		where = append(where, n.str())
	}
	for _, p := range tool.get("poetry", "packages").list() {
		where = append(where, p.get("from").str())
	}
	for _, w := range where {
		if dir := join(m.Dir, w); dir != "" {
			m.roots = append(m.roots, importRoot{kind: "python", dir: dir})
		}
	}
}

// readSetupCfg reads the declarative metadata of setup.cfg. Files that only configure tools are no manifest.
func readSetupCfg(m *manifest, data []byte) bool {
	root := parseINI(data)
	meta, options := root.get("metadata"), root.get("options")
	m.Ecosystem = "python"
	m.pythonMeta(meta)
	m.pythonLicence(meta.get("license"))
	if req := options.get("python_requires"); req.str() != "" {
		m.Requires = Fact{Text: "Python " + req.str(), Ref: req.ref(m.Manifest)}
	}
	for _, d := range options.get("install_requires").list() {
		m.requirement(d.str(), false, d.ref(m.Manifest))
	}
	for _, extra := range root.get("options.extras_require").fields() {
		for _, d := range extra.list() {
			m.requirement(d.str(), devGroup(extra.key), d.ref(m.Manifest))
		}
	}
	for _, s := range root.get("options.entry_points", "console_scripts").list() {
		name, target, _ := strings.Cut(s.str(), "=")
		m.program(strings.TrimSpace(name), "", "cli", s.ref(m.Manifest))
		m.programs[len(m.programs)-1].Component = strings.TrimSpace(target)
	}
	return m.Name != ""
}

var setupCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:setup\()?\s*(name|version|description|license|python_requires)\s*=\s*(["'])(.*?)["']\s*[,)]?\s*$`)
})

// readSetupPy reads the literal keyword arguments of setup(); what is computed stays unknown.
func readSetupPy(m *manifest, data []byte) bool {
	if !strings.Contains(string(data), "setup(") {
		return false
	}
	m.Ecosystem = "python"
	list := ""
	for _, l := range splitLines(data) {
		ref := Ref{Path: m.Manifest, Start: l.no, End: l.no}
		if key, rest, ok := strings.Cut(strings.TrimSpace(l.text), "="); ok && (key == "install_requires" || key == "tests_require" || key == "'console_scripts'") {
			list = key
			l.text = rest
		} else if strings.Contains(l.text, "console_scripts") && strings.Contains(l.text, "[") {
			list = "console_scripts"
			l.text = l.text[strings.Index(l.text, "[")+1:]
		}
		if list != "" {
			m.setupList(list, l.text, ref)
			if strings.Contains(l.text, "]") && !strings.Contains(l.text, "[") || strings.HasSuffix(strings.TrimSpace(l.text), "],") {
				list = ""
			}
			continue
		}
		if f := setupCall().FindStringSubmatch(l.text); f != nil {
			m.setupField(f[1], f[3], ref)
		}
	}
	return m.Name != "" || len(m.deps) > 0
}

func (m *manifest) setupField(key, value string, ref Ref) {
	fact := Fact{Text: clean(value), Ref: ref}
	switch key {
	case "name":
		if m.Name == "" {
			m.Name, m.NameRef = cut(fact.Text, maxName), ref
		}
	case "version":
		m.Version = fact
	case "description":
		m.Description = sentenceFact(fact)
	case "license":
		m.license = fact
	case "python_requires":
		m.Requires = Fact{Text: "Python " + fact.Text, Ref: ref}
	}
}

var quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]*)"|'([^']*)'`) })

func (m *manifest) setupList(list, text string, ref Ref) {
	if at := strings.Index(text, "#"); at >= 0 {
		text = text[:at]
	}
	for _, q := range quoted().FindAllStringSubmatch(text, -1) {
		item := q[1] + q[2]
		if list != "install_requires" && list != "tests_require" {
			if name, target, ok := strings.Cut(item, "="); ok {
				m.program(strings.TrimSpace(name), "", "cli", ref)
				m.programs[len(m.programs)-1].Component = strings.TrimSpace(target)
			}
			continue
		}
		m.requirement(item, list == "tests_require", ref)
	}
}

// readRequirements reads a requirements file.
func readRequirements(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "python", true
	base := strings.ToLower(m.Manifest[strings.LastIndex(m.Manifest, "/")+1:])
	dev := strings.Contains(base, "dev") || strings.Contains(base, "test") || strings.Contains(base, "doc") || strings.Contains(base, "lint")
	for _, l := range splitLines(data) {
		text, _, _ := strings.Cut(l.text, " #")
		if text = strings.TrimSpace(text); text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "-") {
			continue
		}
		m.requirement(text, dev, Ref{Path: m.Manifest, Start: l.no, End: l.no})
	}
	return len(m.deps) > 0
}

var requirementForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*\S+|\(?([^;()]*)\)?)\s*(?:;.*)?$`)
})

// requirement records one PEP 508 requirement.
func (m *manifest) requirement(text string, dev bool, ref Ref) {
	f := requirementForm().FindStringSubmatch(strings.TrimSpace(text))
	if f == nil {
		return
	}
	m.depend(f[1], strings.TrimSpace(f[2]), dev, ref, pythonImports(f[1])...)
}

// pythonImports returns the module names under which a distribution is imported: its own name as an identifier, and the well-known names of
// distributions whose modules are called otherwise.
func pythonImports(dist string) []string {
	name := strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(dist))
	switch name {
	case "pyyaml":
		return []string{"yaml"}
	case "pillow":
		return []string{"PIL"}
	case "beautifulsoup4":
		return []string{"bs4"}
	case "scikit_learn":
		return []string{"sklearn"}
	case "python_dateutil":
		return []string{"dateutil"}
	case "python_dotenv":
		return []string{"dotenv"}
	case "opencv_python", "opencv_python_headless":
		return []string{"cv2"}
	case "attrs":
		return []string{"attr", "attrs"}
	case "pyjwt":
		return []string{"jwt"}
	case "pyopenssl":
		return []string{"OpenSSL"}
	case "gitpython":
		return []string{"git"}
	case "protobuf":
		return []string{"google.protobuf"}
	case "psycopg2_binary":
		return []string{"psycopg2"}
	case "setuptools":
		return []string{"setuptools", "pkg_resources"}
	}
	return []string{name, dist}
}
