package survey

import (
	"path"
	"strings"
)

// A manifest is everything read from one manifest file.
type manifest struct {
	Module
	license    Fact
	deps       []dependency
	members    []Fact // workspace member patterns, relative to Dir
	commands   []Command
	programs   []Program
	config     []ConfigItem
	roots      []importRoot // where the import names of this module start
	entry      []string     // files that stand for the module when it is imported by name, relative to the repository
	unnamed    bool         // a workspace root or settings file that is no build unit of its own
	testRunner Fact         // the tool that runs the tests, for languages without a standard one
	local      []Fact       // directories of the repository that it depends on by path
	devLocal   []string     // those that only its tests depend on

	optionalLocal map[string]Ref // those that it depends on only on demand
}

// A dependency is one direct third-party dependency with the names under which source files may import it.
type dependency struct {
	External
	imports []string // import prefixes, in the form of the language
}

// An importRoot maps an import prefix of a language to a directory.
type importRoot struct {
	kind   string // "python", "psr4", "tsconfig", "include", "ruby"
	prefix string
	dir    string
}

// readManifest reads the manifest at name, nil where the file is none or holds nothing that can be read.
func readManifest(name string, data []byte) *manifest {
	m := &manifest{Module: Module{Dir: path.Dir(name), Manifest: name}}
	read := manifestReader(path.Base(name))
	if read == nil || !read(m, data) {
		return nil
	}
	if m.Name == "" && !m.unnamed && m.Dir != "." {
		m.Name = path.Base(m.Dir)
	}
	return m
}

// manifestReader returns the reader of a manifest by file name.
func manifestReader(base string) func(*manifest, []byte) bool {
	switch base {
	case "go.mod":
		return readGoMod
	case "go.work":
		return readGoWork
	case "package.json":
		return readNPM
	case "pnpm-workspace.yaml":
		return readPNPMWorkspace
	case "lerna.json":
		return readLerna
	case "tsconfig.json", "jsconfig.json":
		return readTSConfig
	case "pyproject.toml":
		return readPyproject
	case "setup.cfg":
		return readSetupCfg
	case "setup.py":
		return readSetupPy
	case "Cargo.toml":
		return readCargo
	case "pom.xml":
		return readMaven
	case "build.gradle", "build.gradle.kts":
		return readGradle
	case "settings.gradle", "settings.gradle.kts":
		return readGradleSettings
	case "composer.json":
		return readComposer
	case "Gemfile":
		return readGemfile
	case "CMakeLists.txt":
		return readCMake
	case "configure.ac", "configure.in":
		return readAutoconf
	case "meson.build":
		return readMeson
	case "meson_options.txt", "meson.options":
		return readMesonOptions
	}
	switch path.Ext(base) {
	case ".csproj", ".fsproj", ".vbproj":
		return readDotnetProject
	case ".gemspec":
		return readGemspec
	}
	if strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt") {
		return readRequirements
	}
	return nil
}

// join resolves a path written in a manifest of dir; "" when it leaves the repository.
func join(dir, rel string) string {
	rel = strings.ReplaceAll(rel, "\\", "/")
	if rel == "" || path.IsAbs(rel) {
		return ""
	}
	p := path.Join(dir, rel)
	if p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

// depend records a direct dependency.
func (m *manifest) depend(name, version string, dev bool, ref Ref, imports ...string) {
	if name = clean(name); name == "" || len(name) > maxName {
		return
	}
	d := dependency{External: External{Name: name, Version: cut(clean(version), 60), Dev: dev, Ref: ref}, imports: imports}
	if dev {
		d.Kind = "dev"
	}
	m.deps = append(m.deps, d)
}

// script records a command that a manifest defines.
func (m *manifest) script(line, runs, source string, ref Ref) {
	if line = commandLine(line); line == "" {
		return
	}
	m.commands = append(m.commands, Command{Line: line, Runs: shortRun(runs), Source: source, Ref: ref, Dir: m.Dir})
}
