package survey

import (
	"path"
	"regexp"
	"sort"
	"strings"
	"sync"
)

// maxCommands bounds the list; what is dropped are repetitions deeper in the tree and single CI steps.
const maxCommands = 150

// commands collects the commands that the repository defines or documents, and the few standard ones that a manifest together with existing
// tests makes certain. Each is shown once, where it is defined rather than where it is called.
func (s *surveyor) commands(repo *Repository, manifests []*manifest) []Command {
	var all []Command
	for i := range s.facts {
		f := &s.facts[i]
		all = append(all, f.commands...)
		if f.document != nil && documentsWork(f.path) {
			all = append(all, f.document.documentCommands()...)
		}
	}
	for _, m := range manifests {
		if buildsProduct(m.Dir) {
			all = append(all, s.withRunner(m.commands)...)
		}
	}
	purposes(all)
	s.settle(repo, all)
	all = append(all, s.standard(repo, manifests)...)
	sort.SliceStable(all, func(i, j int) bool { return commandLess(&all[i], &all[j]) })
	seen := map[string]bool{}
	var out []Command
	for _, c := range all {
		if c.Purpose == unknownRun || c.Source == "CI step" && besideProduct(c.Dir) {
			continue
		}
		if c.Purpose == otherPurpose {
			c.Purpose = ""
		}
		key, short := c.Dir+"\x00"+c.Line, c.Dir+"\x00gist "+gist(c.Line)
		ci := c.Source == "CI step"
		if c.Line == "" || seen[key] || c.Purpose == "" && (ci || c.Source == "Rakefile" || c.Runs == "" || c.Dir != ".") || ci && (seen[short] || !worthShowing(&c)) {
			continue
		}
		seen[key], seen[short] = true, true
		if len(out) < maxCommands {
			out = append(out, c)
		}
	}
	return out
}

// besideProduct reports directories of tools, tests and samples: what CI does in them is not done to the product.
func besideProduct(dir string) bool {
	role, _ := roleOf(dir, "")
	return role != ""
}

// settle gives commands that are only shown or called the purpose of their definition, finds the directory that a document changes to before
// them, and tells which of the lines that start something start a program or a test script of the repository.
func (s *surveyor) settle(repo *Repository, commands []Command) {
	defined := map[string]string{}
	for _, c := range commands {
		if c.Source == "Makefile target" || c.Source == "package.json script" {
			defined[c.Dir+"\x00"+c.Line] = c.Purpose
		}
	}
	programs := map[string]bool{}
	for _, p := range repo.Programs {
		programs[strings.TrimSuffix(p.Name, path.Ext(p.Name))] = true
	}
	startedIn := map[string]string{}
	for i := range commands {
		c := &commands[i]
		if c.Source != "README" && c.Source != "document" && c.Source != "CI step" {
			continue
		}
		if c.Source != "CI step" && !s.hasDir(c.Dir) {
			c.Dir = path.Dir(c.Ref.Path)
		}
		if purpose, ok := defined[c.Dir+"\x00"+c.Line]; ok {
			c.Purpose = purpose
		}
		if c.Purpose != unknownRun {
			continue
		}
		word, _, _ := strings.Cut(c.Line, " ")
		switch base := path.Base(word); {
		case testScript()(base) && s.has(path.Join(c.Dir, word)):
			c.Purpose = "test"
		case programs[base] && !testScript()(base):
			c.Purpose = "run"
			if key := c.Ref.Path + "\x00" + word; c.Dir != path.Dir(c.Ref.Path) {
				startedIn[key] = c.Dir
			} else if dir, ok := startedIn[key]; ok {
				c.Dir = dir // further down, a document does not say again where
			}
		}
	}
}

var testScript = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^(run[-_]?)?tests?\b`).MatchString })

// hasDir reports whether the repository has files in a directory.
func (s *surveyor) hasDir(dir string) bool {
	if dir == "." {
		return true
	}
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].path >= dir+"/" })
	return i < len(s.files) && strings.HasPrefix(s.files[i].path, dir+"/")
}

// documentsWork reports the documents whose shell blocks are commands for this repository.
func documentsWork(name string) bool {
	base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	if path.Dir(name) != "." && path.Dir(name) != ".github" {
		return false
	}
	switch base {
	case "readme", "contributing", "development", "developing", "install", "building", "build", "hacking", "testing", "agents", "claude":
		return true
	}
	return false
}

// gist reduces a command line to the program and what it is told to do, so that a CI step which only adds flags to a known command is not
// shown as another one.
func gist(line string) string {
	if strings.HasPrefix(line, "tox ") || strings.HasPrefix(line, "nox ") {
		return line
	}
	var words []string
	for word := range strings.FieldsSeq(stripEnvPrefix(line)) {
		if strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if words = append(words, word); len(words) == 2 {
			break
		}
	}
	return strings.Join(words, " ")
}

// worthShowing refuses CI steps that only mean something on the runner, and those that install tools rather than the project.
func worthShowing(c *Command) bool {
	for _, word := range []string{"$", "`", "/dev/null", "apt-get", "apt install", "brew ", "choco ", "apk ", "/home/", "||", "&& git", "yum ", "dnf "} {
		if strings.Contains(c.Line, word) {
			return false
		}
	}
	if c.Purpose != "install" {
		return true
	}
	for _, whole := range []string{"npm ci", "npm install", "pnpm install", "pnpm i", "yarn install", "yarn", "uv sync", "poetry install", "bundle install",
		"composer install", "pip install -e", "pip install -r", "pip install .", "make install", "make deps", "dotnet restore"} {
		if c.Line == whole || strings.HasPrefix(c.Line, whole+" -") || strings.HasPrefix(whole, "pip") && strings.Contains(c.Line, whole) {
			return true
		}
	}
	return false
}

// withRunner puts scripts of package.json under the package manager whose lock file is nearest above them.
func (s *surveyor) withRunner(commands []Command) []Command {
	out := make([]Command, len(commands))
	copy(out, commands)
	for i := range out {
		c := &out[i]
		rest, ok := strings.CutPrefix(c.Line, "npm ")
		if !ok || c.Source != "package.json script" {
			continue
		}
		switch runner := s.lockRunner(c.Dir); runner {
		case "yarn":
			c.Line = "yarn " + strings.TrimPrefix(rest, "run ")
		case "pnpm", "bun":
			c.Line = runner + " " + rest
		}
	}
	return out
}

func (s *surveyor) lockRunner(dir string) string {
	for ; ; dir = path.Dir(dir) {
		for _, lock := range [][2]string{
			{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}, {"package-lock.json", "npm"},
		} {
			if s.has(path.Join(dir, lock[0])) {
				return lock[1]
			}
		}
		if dir == "." {
			return "npm"
		}
	}
}

// has reports whether the repository has a file.
func (s *surveyor) has(name string) bool {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].path >= name })
	return i < len(s.files) && s.files[i].path == name
}

func commandLess(a, b *Command) bool {
	if x, y := purposeOrder(a.Purpose), purposeOrder(b.Purpose); x != y {
		return x < y
	}
	if x, y := depth(a.Dir), depth(b.Dir); x != y {
		return x < y
	}
	if x, y := sourceOrder(a.Source), sourceOrder(b.Source); x != y {
		return x < y
	}
	if a.Ref.Path != b.Ref.Path {
		return a.Ref.Path < b.Ref.Path
	}
	if a.Ref.Start != b.Ref.Start {
		return a.Ref.Start < b.Ref.Start
	}
	return a.Line < b.Line
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}

func purposeOrder(purpose string) int {
	for i, p := range []string{"install", "setup", "build", "test", "test-one", "run", "dev", "lint", "format", "generate", "docs", "release",
		"bench", "clean", "update", "debug"} {
		if p == purpose {
			return i
		}
	}
	return 99
}

func sourceOrder(source string) int {
	switch source {
	case "README":
		return 2
	case "document":
		return 3
	case "CI step":
		return 4
	}
	if strings.HasPrefix(source, "standard") {
		return 1
	}
	return 0
}

// standard returns the commands that follow from a manifest without doubt.
func (s *surveyor) standard(repo *Repository, manifests []*manifest) []Command {
	var out []Command
	for i := range repo.Modules {
		m := &repo.Modules[i]
		add := func(purpose, line string) {
			ref := m.NameRef
			if ref.Path == "" {
				ref = Ref{Path: m.Manifest}
			}
			out = append(out, Command{Purpose: purpose, Line: line, Source: "standard command of " + path.Base(m.Manifest), Ref: ref, Dir: m.Dir})
		}
		if line, lock := s.lockInstall(m); line != "" {
			purpose := "install"
			if m.Dir != "." {
				purpose = "setup" // of one part
			}
			out = append(out, Command{Purpose: purpose, Line: line, Source: "standard command of " + path.Base(lock), Ref: Ref{Path: lock}, Dir: m.Dir})
		}
		switch m.Ecosystem {
		case "go":
			standardGo(repo, m, add)
		case "cargo":
			standardCargo(repo, m, add)
		case "maven":
			if m.Dir == "." && s.has("mvnw") {
				add("build", "./mvnw package")
				add("test", "./mvnw test")
			} else if m.Dir == "." {
				add("build", "mvn package")
				add("test", "mvn test")
			}
		case "gradle":
			if m.Dir == "." && s.has("gradlew") {
				add("build", "./gradlew build")
				add("test", "./gradlew test")
			}
		case "meson":
			if m.Dir == "." && m.Name != "" {
				add("build", "meson setup build && meson compile -C build")
			}
		case "cmake":
			if m.Dir == "." && m.Name != "" {
				add("build", "cmake -S . -B build && cmake --build build")
			}
		}
	}
	return append(out, oneTests(repo, manifests, s.lockRunner)...)
}

// lockInstall returns how a contributor installs the dependencies that a lock file beside the manifest pins.
func (s *surveyor) lockInstall(m *Module) (line, lock string) {
	for _, l := range []struct{ ecosystem, lock, line string }{
		{"python", "uv.lock", "uv sync"}, {"python", "poetry.lock", "poetry install"}, {"python", "pdm.lock", "pdm install"},
		{"npm", "pnpm-lock.yaml", "pnpm install"}, {"npm", "yarn.lock", "yarn install"}, {"npm", "bun.lock", "bun install"}, {"npm", "package-lock.json", "npm ci"},
		{"rubygems", "Gemfile.lock", "bundle install"}, {"composer", "composer.lock", "composer install"},
	} {
		if name := path.Join(m.Dir, l.lock); l.ecosystem == m.Ecosystem && s.has(name) {
			return l.line, name
		}
	}
	return "", ""
}

func standardGo(repo *Repository, m *Module, add func(purpose, line string)) {
	files, tests := 0, 0
	for _, p := range repo.Packages {
		if p.Module == m.Dir && p.Language == "Go" && (!sideRole(p.Role) || p.Role == "tests") {
			files += len(p.Files)
			tests += len(p.Tests)
		}
	}
	if m.Name == "" || files == 0 || m.Dir != "." && files < 3 {
		return
	}
	add("build", "go build ./...")
	if tests > 0 {
		add("test", "go test ./...")
	}
}

func standardCargo(repo *Repository, m *Module, add func(purpose, line string)) {
	if cargoMember(repo, m) {
		return // built with its workspace
	}
	add("build", "cargo build")
	if len(m.Workspace) > 0 && m.Name != "" {
		add("test", "cargo test --workspace") // without it, only the package at the root is tested
	} else {
		add("test", "cargo test")
	}
}

// cargoMember reports a crate below another one.
func cargoMember(repo *Repository, m *Module) bool {
	for i := range repo.Modules {
		if root := &repo.Modules[i]; m.Dir != "." && root.Ecosystem == "cargo" && within(m.Dir, root.Dir) && root.Dir != m.Dir {
			return true
		}
	}
	return false
}
