package survey

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// oneTests returns how to run one test, for ecosystems whose test tool is certain: one command for each build unit that has tests of its own,
// with a test that is there.
func oneTests(repo *Repository, manifests []*manifest, runner func(dir string) string) []Command {
	var out []Command
	for i := range repo.Modules {
		m := &repo.Modules[i]
		switch m.Ecosystem {
		case "go":
			out = append(out, oneGoTest(repo, m)...)
		case "cargo":
			if !cargoMember(repo, m) {
				out = append(out, oneCargoTest(repo, m)...)
			}
		case "maven", "gradle":
			if m.Dir == "." {
				out = append(out, oneJVMTest(repo, m)...)
			}
		}
	}
	for _, m := range manifests {
		if m.testRunner.Text != "" && buildsProduct(m.Dir) {
			out = append(out, oneFileTest(repo, m, runner(m.Dir))...)
		}
	}
	return out
}

// oneTest makes the command; its proof is the test that it runs.
func oneTest(line, dir, file string, t scan.Test) []Command {
	if line = commandLine(line); line == "" {
		return nil
	}
	ref := Ref{Path: file, Start: t.Line, End: t.Line}
	return []Command{{Purpose: "test-one", Line: line, Source: "standard command for " + path.Base(file), Ref: ref, Dir: dir}}
}

func oneGoTest(repo *Repository, m *Module) []Command {
	var best *Package
	files := 0
	for _, p := range repo.Packages {
		if p.Module != m.Dir || p.Language != "Go" || sideRole(p.Role) && p.Role != "tests" {
			continue
		}
		files += len(p.Files)
		if file, _ := goTest(repo, p); file != "" && (best == nil || len(p.Tests) > len(best.Tests)) {
			best = p
		}
	}
	if best == nil || m.Name == "" || files == 0 || m.Dir != "." && files < 3 {
		return nil
	}
	dir := "./" + strings.TrimPrefix(strings.TrimPrefix(best.Dir, m.Dir), "/")
	if best.Dir == m.Dir {
		dir = "."
	}
	file, t := goTest(repo, best)
	return oneTest("go test "+dir+" -run '^"+t.Name+"$'", m.Dir, file, t)
}

// goTest returns the first test function of a package.
func goTest(repo *Repository, p *Package) (string, scan.Test) {
	for _, name := range p.Tests {
		for _, t := range repo.Files[name].Tests {
			if strings.HasPrefix(t.Name, "Test") && !strings.ContainsAny(t.Name, "/ .") && t.Name != "TestMain" {
				return name, t
			}
		}
	}
	return "", scan.Test{}
}

// oneCargoTest names a test function of the crate with most tests.
func oneCargoTest(repo *Repository, m *Module) []Command {
	counts := map[string]int{}
	for _, p := range repo.Packages {
		for _, name := range append(append([]string{}, p.Files...), p.Tests...) {
			if f := repo.Files[name]; f != nil && f.Language == "Rust" && within(p.Dir, m.Dir) && (p.Role == "library" || p.Role == "program" || p.Role == "tests") {
				counts[p.Module] += len(f.Tests)
			}
		}
	}
	crate := largest(counts)
	if counts[crate] == 0 {
		return nil
	}
	for _, p := range repo.Packages {
		if p.Module != crate {
			continue
		}
		for _, name := range append(append([]string{}, p.Files...), p.Tests...) {
			f := repo.Files[name]
			if f == nil || f.Language != "Rust" {
				continue
			}
			for _, t := range f.Tests {
				if line, dir, ok := repo.RustTest(name, t); ok {
					return oneTest(line, dir, name, t)
				}
			}
		}
	}
	return nil
}

func oneJVMTest(repo *Repository, m *Module) []Command {
	for _, p := range repo.Packages {
		for _, name := range p.Tests {
			f := repo.Files[name]
			if len(f.Tests) == 0 || p.Module != m.Dir || f.Language != "Java" && f.Language != "Kotlin" {
				continue
			}
			class := strings.TrimSuffix(path.Base(name), path.Ext(name))
			wrapper := func(script, tool string) string {
				if repo.wrappers[path.Join(m.Dir, script)] {
					return "./" + script
				}
				return tool
			}
			for _, d := range f.Decls {
				if d.Name != class {
					continue
				}
				at := scan.Test{Line: d.Start}
				if m.Ecosystem == "maven" {
					return oneTest(wrapper("mvnw", "mvn")+" test -Dtest="+class, m.Dir, name, at)
				}
				return oneTest(wrapper("gradlew", "gradle")+" test --tests '*"+class+"'", m.Dir, name, at)
			}
		}
	}
	return nil
}

// oneFileTest names one test file, for the tools that take files; pytest also takes the test in it. A runner at the root of a workspace serves
// its members.
func oneFileTest(repo *Repository, m *manifest, manager string) []Command {
	file, test := pickTest(repo, m)
	if file == "" {
		return nil
	}
	rel := file
	if m.Dir != "." {
		rel = strings.TrimPrefix(file, m.Dir+"/")
	}
	switch m.testRunner.Text {
	case "pytest":
		return oneTest("pytest "+rel+"::"+strings.ReplaceAll(test.Name, ".", "::"), m.Dir, file, test)
	case "vitest":
		return oneTest(execute(manager)+" vitest run "+rel, m.Dir, file, test)
	case "jest":
		return oneTest(execute(manager)+" jest "+rel, m.Dir, file, test)
	}
	return nil
}

// execute is how a package manager runs a tool of the project.
func execute(manager string) string {
	switch manager {
	case "pnpm":
		return "pnpm exec"
	case "yarn":
		return "yarn"
	case "bun":
		return "bunx"
	}
	return "npx"
}

func pickTest(repo *Repository, m *manifest) (string, scan.Test) {
	members := map[string]bool{m.Dir: true}
	for i := range repo.Modules {
		if u := &repo.Modules[i]; u.Dir == m.Dir && u.Ecosystem == m.Ecosystem {
			for _, dir := range u.Workspace {
				members[dir] = true
			}
		}
	}
	for _, p := range repo.Packages {
		if !members[p.Module] || p.Role == "examples" || p.Role == "docs" {
			continue
		}
		for _, name := range p.Tests {
			f := repo.Files[name]
			if (f.Language == "Python") != (m.Ecosystem == "python") || strings.Contains(name, "e2e") || inPlayground(name) || needsBuild(f) {
				continue
			}
			for _, t := range f.Tests {
				if m.Ecosystem != "python" || strings.HasPrefix(t.Name[strings.LastIndex(t.Name, ".")+1:], "test") {
					return name, t
				}
			}
		}
	}
	return "", scan.Test{}
}

// needsBuild reports whether a test starts other programs, or loads what a build makes: it does not run in a fresh clone.
func needsBuild(f *scan.File) bool {
	return slices.ContainsFunc(f.Imports, func(imp scan.Import) bool {
		switch imp.Path {
		case "child_process", "node:child_process", "execa", "cross-spawn", "tinyexec", "subprocess":
			return true
		}
		return strings.Contains(imp.Path, "/dist/")
	})
}

func inPlayground(name string) bool {
	role, _ := roleOf(path.Dir(name), "")
	return role == "examples" || role == "docs"
}
