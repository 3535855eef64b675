// Package survey reads a whole repository without a model: what it is made of, how its parts depend on each other, how it is built,
// run and tested, what it reads as configuration. [Read] makes a [Repository]; everything else is what it is made of.
//
// Every fact carries the file and the lines that prove it, so that a page can cite it. A fact that cannot be read with certainty is absent: an
// import that could mean two directories makes no edge, a sentence that looks like a lead-in makes no description, and a command is shown only
// when the repository defines or documents it, or when a manifest together with existing tests makes it certain.
//
// Reading has three steps. Each file by itself is turned into facts, in parallel, and its bytes are dropped. The facts are then put together in
// the order of the paths: build units, packages, imports, components, graph. Last come the lists that need the components: programs, commands,
// configuration, hot spots. The result depends on the content of the tracked files and the history alone, not on the concurrency.
//
// Text taken from the repository is data. It is valid UTF-8 without control characters and capped in length, and otherwise as written:
// whoever renders it escapes it. The package writes nothing, runs nothing, and knows nothing of pages.
package survey

import "github.com/wikiwright/wikiwright/internal/scan"

// A Ref points at the lines that prove a fact: repo://Path#LStart-LEnd. Start 0 stands for the whole file.
type Ref struct {
	Path  string
	Start int
	End   int
}

// A Fact is a short text with its proof.
type Fact struct {
	Text string
	Ref  Ref
}

// A Repository is everything the survey found.
type Repository struct {
	Name        string // as its manifest or README names it, else the directory name of its module path, else ""
	NameRef     Ref
	Description Fact                  // one sentence in the authors' own words (manifest description, README first sentence, package doc); Text "" if none
	License     Fact                  // "Apache-2.0" …, from a manifest or recognised from the licence file
	Languages   []LanguageShare       // by number of source lines, largest first
	Modules     []Module              // build units: go.mod, package.json, pyproject, Cargo.toml, pom.xml …; by path
	Packages    []*Package            // finest unit of code: a directory of source files (or a language package); by path
	Components  []*Component          // parts a page can be about, ordered by path; about 3 to 35
	Externals   []External            // third-party dependencies, direct ones, by name
	Programs    []Program             // where execution starts
	Commands    []Command             // how to build, run, test, lint, generate, release, as found
	Workflows   []Workflow            // CI
	Containers  []Container           // Dockerfiles and compose services
	Config      []ConfigItem          // environment variables, flags, config files and keys, by kind, program and name; all of them, never cut
	Docs        []Doc                 // README and docs worth a link
	Generated   []Ref                 // generated files (mark) and vendored trees (directory, Start 0)
	Hot         []HotSpot             // what changes often; empty in a shallow clone
	Copied      []Ref                 // declaration files whose head says that they were copied from elsewhere, with that line; by path
	Files       map[string]*scan.File // every scanned source file by path
	Release     Fact                  // newest release that the change log names
	Told        map[string]Fact       // what README and other documents say about one file or directory, by its path

	readmes  map[string]Fact // first sentence of the README of a directory
	wrappers map[string]bool // scripts that bring the build tool with them
}

// A LanguageShare is one language of the repository.
type LanguageShare struct {
	Name  string
	Files int
	Lines int
}

// A Module is one build unit with its manifest.
type Module struct {
	Dir         string // "." for the root
	Manifest    string // path of the manifest
	Ecosystem   string // "go", "npm", "python", "cargo", "maven", "gradle", "nuget", "composer", "rubygems", "cmake", "make", "autotools", "meson"
	Name        string
	NameRef     Ref
	Version     Fact
	Description Fact
	Requires    Fact     // toolchain: "Go 1.24", "Node >= 20", "Python >= 3.9"
	Workspace   []string // member directories of a workspace root
	OwnTests    bool     // it names its test programs itself: the name of a file does not tell which of them it is
}

// A Package is a directory of source files of one language.
type Package struct {
	Dir       string
	Name      string
	Module    string // directory of the owning module, "" if none
	Language  string
	Files     []string // source files, by path, tests excluded
	Tests     []string
	Doc       Fact     // first sentence(s) of its package doc, module docstring, or README of the directory
	Imports   []Edge   // to packages of this repository
	Externals []string // names in Repository.Externals, sorted
	Role      string   // "library", "program", "tests", "tools", "examples", "docs"
	Lines     int      // source lines without tests and generated files, for ordering only; never printed
}

// An Edge is a dependency between packages (or components) of the repository.
type Edge struct {
	To    string // package directory (or component id)
	Count int    // number of importing files
	Ref   Ref    // one import line that proves it: the first by path and line, declarations before paths in the code

	Inline   bool // Ref is a path in the code: no file declares the import
	Optional Ref  // the manifest line by which the dependency is only there on demand; Path "" where it always is
}

// A Component is a part of the repository that its people would name: packages that belong together.
type Component struct {
	ID       string // stable, path-like: "internal/gateway"; unique
	Title    string
	Dir      string     // common directory
	Packages []*Package // by path
	Language string     // main language
	Doc      Fact       // purpose in the authors' words; Text "" if none
	Layer    int        // 0 = depends on nothing of the repository; longest path in the condensed graph
	Uses     []Edge     // to other components, by strength then id
	UsedBy   []Edge     // from other components
	Cycle    []string   // ids of components in the same dependency cycle, else nil
	Lines    int        // non-test source lines, for ordering and folding only; never printed
	Role     string     // "program", "library", "tests", "tools", "examples", "docs"
	Groups   []Group    // families of files, where its directory is large and flat
	Rest     bool       // what is left of Dir after its larger children became components of their own
}

// An External is a direct third-party dependency.
type External struct {
	Name    string
	Version string
	Dev     bool
	Kind    string // "" for what it needs to run, else "dev", "peer" (whoever uses it brings it), "optional", "build",
	// and of a library that a Makefile links "linked", "linked-optional" (under a condition) or "vendored" (it lies in the repository)
	Under  string   // the platforms that need it, as the manifest says: "cfg(windows)"; "" for all
	Ref    Ref      // manifest line
	UsedBy []string // component ids, sorted: those whose source imports it, or whose crate lists it; empty where nothing does
}

// A Program is an executable of the repository.
type Program struct {
	Name        string
	Kind        string // "binary", "script", "service", "cli"
	Entry       Ref    // the main function or script
	Doc         Fact
	Component   string         // component id
	Commands    []scan.Command // subcommands with literal names
	CommandRefs []Ref
}

// A Command is a shell command that the repository itself documents or defines.
type Command struct {
	// Purpose is "install" (the dependencies, or the product), "setup" (tools, or the dependencies of one part), "build", "test", "test-one",
	// "run", "dev", "lint", "format", "generate", "docs", "release", "bench", "clean", "update" (pins and dependencies), "debug", or "" where what
	// the command does is none of these.
	Purpose string
	Line    string // the command line a person types: "make test", "npm run build", "cargo test"
	After   string // the command of a document that comes right before it and prepares it; its line is part of Ref
	Runs    string // what it runs, where that is one short line
	Source  string // "Makefile target", "package.json script", "CI step", "README", "tox", "justfile" …
	Ref     Ref
	Dir     string // directory to run it in, "." for the root
}

// A Workflow is one CI workflow or pipeline.
type Workflow struct {
	Name string
	File string
	On   []string // events, as written
	Jobs []Fact   // job names with what they run
	Ref  Ref
}

// A Container is an image definition or a compose service.
type Container struct {
	Name  string
	File  string
	Base  string
	Facts []Fact // exposed ports, entry point, command, env, depends_on
	Ref   Ref
}

// A ConfigItem is one thing a user of the repository can set.
type ConfigItem struct {
	Kind      string // "env", "flag", "file", "key"
	Name      string
	Default   string
	Usage     string
	Component string
	Program   string // of a flag: the program whose own file defines it, "" where a shared file does
	Refs      []Ref  // where it is read or defined, by path
	Parts     []Ref  // of a name that is put together of constants: where those are declared
	From      []Ref  // of a default that is written as a name or a number of the source: where its value, as a user writes it, is declared
	Constant  string // the name that stands for the default in the source, where its file alone does not tell the value
}

// A Doc is a document of the repository.
type Doc struct {
	Path  string
	Title string
	First Fact // first sentence
}

// A HotSpot is a component or file that changes often, from history.
type HotSpot struct {
	Path      string   // file path, or component id
	Component bool     // Path is a component id
	With      []string // what changes together with it: files with a file, components with a component
}
