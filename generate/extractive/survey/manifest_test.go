package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// facts is what a test compares of a manifest.
type facts struct {
	Name, Version, Description, Requires, License string
	NameLine                                      int
	Deps                                          []string // name version line, with "dev"
	Members, Local                                []string
	Commands                                      []string
	Programs                                      []string
}

func factsOf(m *manifest) facts {
	f := facts{
		Name: m.Name, Version: m.Version.Text, Description: m.Description.Text, Requires: m.Requires.Text, License: m.license.Text, NameLine: m.NameRef.Start,
	}
	for _, d := range m.deps {
		s := d.Name + " " + d.Version + " " + line(d.Ref)
		if d.Dev {
			s += " dev"
		}
		f.Deps = append(f.Deps, s)
	}
	for _, x := range m.members {
		f.Members = append(f.Members, x.Text)
	}
	for _, x := range m.local {
		f.Local = append(f.Local, x.Text)
	}
	for _, c := range m.commands {
		f.Commands = append(f.Commands, c.Line+" = "+c.Runs+" "+line(c.Ref))
	}
	for _, p := range m.programs {
		f.Programs = append(f.Programs, p.Name+" "+p.Component+" "+line(p.Entry))
	}
	return f
}

func line(r Ref) string {
	s := itoa(r.Start)
	if r.End != r.Start {
		s += "-" + itoa(r.End)
	}
	return s
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestManifests(t *testing.T) {
	tests := []struct {
		file, data string
		want       facts
	}{
		{"go.mod", "module example.com/a/v2\n\ngo 1.24\n\nrequire (\n\tx.org/b v1.2.3\n\tx.org/c v0.1.0 // indirect\n)\n\nreplace x.org/b => ./b\n", facts{
			Name: "example.com/a/v2", NameLine: 1, Requires: "Go 1.24", Deps: []string{"x.org/b v1.2.3 6"}, Local: []string{"b"},
		}},
		{"go.work", "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n", facts{Members: []string{"./a", "./b"}}},
		{"package.json", `{
  "name": "@acme/tool",
  "version": "1.0.0",
  "description": "A tool that does one thing.",
  "license": "MIT",
  "engines": {"node": ">=20"},
  "workspaces": ["packages/*"],
  "bin": {"tool": "./bin/tool.js"},
  "scripts": {
    "pretest": "x",
    "test": "vitest run",
    "build": "tsc",
    "prepare": "husky"
  },
  "dependencies": {
    "left-pad": "^1.0.0",
    "@types/node": "1",
    "local": "file:../local"
  },
  "devDependencies": {"vitest": "2"}
}`, facts{
			Name: "@acme/tool", NameLine: 2, Version: "1.0.0", Description: "A tool that does one thing.", Requires: "Node >=20", License: "MIT",
			Deps: []string{"left-pad ^1.0.0 16", "vitest 2 20 dev"}, Members: []string{"packages/*"},
			Commands: []string{"npm test = vitest run 11", "npm run build = tsc 12"}, Programs: []string{"tool bin/tool.js 8"},
		}},
		{"pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n  - '!**/x'\n", facts{Members: []string{"packages/*", "!**/x"}}},
		{"pyproject.toml", `[project]
name = "thing"
version = "0.1"
description = "A thing for reading files."
requires-python = ">=3.10"
license = "BSD-3-Clause"
dependencies = [
  "click>=8.0",
  "importlib-metadata>=3.6; python_version < '3.10'",
]
[project.optional-dependencies]
async = ["asgiref"]
[dependency-groups]
dev = ["pytest"]
[project.scripts]
thing = "thing.cli:main"
[tool.hatch.envs.default.scripts]
check = "ruff check"
`, facts{
			Name: "thing", NameLine: 2, Version: "0.1", Description: "A thing for reading files.", Requires: "Python >=3.10", License: "BSD-3-Clause",
			Deps:     []string{"click >=8.0 8", "importlib-metadata >=3.6 9", "asgiref  12", "pytest  14 dev"},
			Commands: []string{"hatch run check = ruff check 18"}, Programs: []string{"thing thing.cli:main 16"},
		}},
		{"setup.cfg", "[metadata]\nname = thing\n[options]\npython_requires = >=3.8\ninstall_requires =\n    six\n[options.entry_points]\nconsole_scripts =\n    thing = thing.cli:main\n", facts{
			Name: "thing", NameLine: 2, Requires: "Python >=3.8", Deps: []string{"six  6"}, Programs: []string{"thing thing.cli:main 9"},
		}},
		{"setup.py", "from setuptools import setup\nsetup(\n    name='thing',\n    version=get(),\n    install_requires=[\n        'six>=1',\n        # 'no',\n    ],\n)\n", facts{
			Name: "thing", NameLine: 3, Deps: []string{"six >=1 6"},
		}},
		{"Cargo.toml", `[package]
name = "rip"
version = "1.0.0"
description = "Searches files."
license = "MIT"
rust-version = "1.80"
[workspace]
members = ["crates/*"]
[dependencies]
serde = { version = "1", features = ["derive"] }
helper = { path = "crates/helper" }
[dev-dependencies]
quick = "2"
[[bin]]
name = "rp"
path = "src/main.rs"
`, facts{
			Name: "rip", NameLine: 2, Version: "1.0.0", Requires: "Rust 1.80", License: "MIT", Deps: []string{"serde 1 10", "quick 2 13 dev"},
			Members: []string{"crates/*"}, Local: []string{"crates/helper"}, Programs: []string{"rp src/main.rs 14-16"},
		}},
		{"pom.xml", "<project>\n <artifactId>app</artifactId>\n <version>${rev}</version>\n <properties><java.version>21</java.version></properties>\n <modules><module>core</module></modules>\n <dependencies>\n  <dependency>\n   <groupId>org.x</groupId>\n   <artifactId>y</artifactId>\n   <scope>test</scope>\n  </dependency>\n </dependencies>\n</project>\n", facts{
			Name: "app", NameLine: 2, Requires: "Java 21", Members: []string{"core"}, Deps: []string{"org.x:y  7-11 dev"},
		}},
		{"settings.gradle", "rootProject.name = 'big'\ninclude ':core', ':web:api'\n", facts{Name: "big", NameLine: 1, Members: []string{"core", "web/api"}}},
		{"build.gradle.kts", "version = \"1.2\"\ndependencies {\n    implementation(\"com.x:y:3.0\")\n    testImplementation(\"org.junit:junit:4\")\n    api(project(\":core\"))\n}\n", facts{
			Version: "1.2", Deps: []string{"com.x:y 3.0 3", "org.junit:junit 4 4 dev"}, Local: []string{"core"},
		}},
		{"composer.json", "{\n \"name\": \"acme/app\",\n \"require\": {\n  \"php\": \">=8.2\",\n  \"symfony/console\": \"^7\"\n },\n \"scripts\": {\"test\": [\"phpunit\"], \"post-install-cmd\": \"x\"}\n}", facts{
			Name: "acme/app", NameLine: 2, Requires: "PHP >=8.2", Deps: []string{"symfony/console ^7 5"}, Commands: []string{"composer test = phpunit 7"},
		}},
		{"App.csproj", "<Project Sdk=\"x\">\n <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>\n <ItemGroup>\n  <PackageReference Include=\"Serilog\" Version=\"3.1\" />\n  <ProjectReference Include=\"..\\Core\\Core.csproj\" />\n </ItemGroup>\n</Project>\n", facts{
			Name: "App", Requires: ".NET net8.0", Deps: []string{"Serilog 3.1 4"},
		}},
		{"x.gemspec", "Gem::Specification.new do |s|\n  s.name = 'x'\n  s.summary = 'Reads things from files.'\n  s.add_dependency 'rack', '~> 3'\n  s.add_development_dependency \"rspec\"\nend\n", facts{
			Name: "x", NameLine: 2, Description: "Reads things from files.", Deps: []string{"rack ~> 3 4", "rspec  5 dev"},
		}},
		{"Gemfile", "ruby '3.3'\ngem 'rails', '~> 7'\ngroup :test do\n  gem 'rspec'\nend\ngem 'own', path: 'own'\n", facts{
			Requires: "Ruby 3.3", Deps: []string{"rails ~> 7 2", "rspec  4 dev"},
		}},
		{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(\n  demo\n  VERSION 2.1\n) # c\nadd_executable(demo main.c)\nfind_package(OpenSSL REQUIRED)\nadd_executable(${X} y.c)\n", facts{
			Name: "demo", NameLine: 2, Version: "2.1", Requires: "CMake >= 3.20", Deps: []string{"OpenSSL  7"}, Programs: []string{"demo main.c 6"},
		}},
		{"configure.ac", "dnl x\nAC_INIT([demo], [1.4], [bugs@x])\n", facts{Name: "demo", NameLine: 2, Version: "1.4"}},
		{"meson.build", "project('demo', 'c',\n  version: '0.3')\nexecutable('demo', 'main.c')\ndep = dependency('glib-2.0')\n", facts{
			Name: "demo", NameLine: 1, Version: "0.3", Deps: []string{"glib-2.0  4"}, Programs: []string{"demo  3"},
		}},
		{"requirements-dev.txt", "# c\n-r x.txt\nPyYAML==6.0  # y\n", facts{Deps: []string{"PyYAML ==6.0 3 dev"}}},
	}
	for _, tt := range tests {
		m := readManifest(tt.file, []byte(tt.data))
		if m == nil {
			t.Errorf("%s: not read", tt.file)
			continue
		}
		if diff := cmp.Diff(tt.want, factsOf(m), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.file, diff)
		}
	}
}

func TestManifestsRefused(t *testing.T) {
	for _, file := range []string{"go.mod", "package.json", "setup.cfg", "setup.py", "pom.xml", "composer.json", "configure.ac", "x.gemspec", "Gemfile"} {
		if m := readManifest(file, []byte("\x01garbage (")); m != nil {
			t.Errorf("%s: garbage read as %+v", file, m.Module)
		}
	}
	if m := readManifest("setup.cfg", []byte("[flake8]\nmax-line-length = 100\n")); m != nil {
		t.Errorf("setup.cfg of tools read as module %+v", m.Module)
	}
}

func TestProjectReferencesAreLocal(t *testing.T) {
	m := readManifest("src/App/App.csproj", []byte("<Project><ItemGroup><ProjectReference Include=\"..\\Core\\Core.csproj\"/></ItemGroup></Project>"))
	if diff := cmp.Diff([]string{"src/Core"}, factsOf(m).Local); diff != "" {
		t.Errorf("local (-want +got):\n%s", diff)
	}
}

func TestCMakeOptions(t *testing.T) {
	m := readManifest("CMakeLists.txt", []byte("project(x)\noption(WITH_TLS \"Build with TLS\" ON)\noption(PLAIN \"Plain\")\n"))
	want := []ConfigItem{
		{Kind: "key", Name: "WITH_TLS", Default: "ON", Usage: "Build with TLS", Refs: []Ref{{"CMakeLists.txt", 2, 2}}},
		{Kind: "key", Name: "PLAIN", Default: "OFF", Usage: "Plain", Refs: []Ref{{"CMakeLists.txt", 3, 3}}},
	}
	if diff := cmp.Diff(want, m.config); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}
