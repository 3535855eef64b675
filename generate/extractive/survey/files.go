package survey

import (
	"path"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A layout is what the paths of a repository alone tell: which trees are other people's code, which are test data, and what role a
// directory plays.
type layout struct {
	vendored   map[string]bool // directories
	attributes []attribute
}

// An attribute is one line of .gitattributes that marks files as vendored or generated.
type attribute struct {
	pattern   string
	vendored  bool
	generated bool
}

// newLayout finds vendored trees. Besides the directories that the ecosystems use for them, a child of a directory with a name like "deps"
// counts when it brings its own licence file, and the whole directory when several do.
func newLayout(files []entry) *layout {
	l := &layout{vendored: map[string]bool{}}
	licensed := map[string]int{}
	for _, f := range files {
		p, dir := f.path, path.Dir(f.path)
		if holdsForeign(path.Base(path.Dir(dir))) && isLicence(p) && !l.vendored[dir] {
			l.vendored[dir] = true
			licensed[path.Dir(dir)]++
		}
	}
	for dir, n := range licensed {
		if n > 1 {
			l.vendored[dir] = true
		}
	}
	return l
}

func holdsForeign(dir string) bool {
	switch strings.ToLower(dir) {
	case "deps", "external", "externals", "extern", "subprojects", "3rd", "submodules":
		return true
	}
	return false
}

// addAttributes reads linguist-vendored and linguist-generated marks.
func (l *layout) addAttributes(name string, data []byte) {
	for _, line := range splitLines(data) {
		f := strings.Fields(line.text)
		if len(f) < 2 || strings.HasPrefix(f[0], "#") {
			continue
		}
		a := attribute{pattern: attributePattern(path.Dir(name), f[0])}
		for _, word := range f[1:] {
			switch word {
			case "linguist-vendored", "linguist-vendored=true":
				a.vendored = true
			case "linguist-generated", "linguist-generated=true":
				a.generated = true
			}
		}
		if (a.vendored || a.generated) && doublestar.ValidatePattern(a.pattern) && len(l.attributes) < 500 {
			l.attributes = append(l.attributes, a)
		}
	}
}

// attributePattern turns a gitattributes pattern into one for whole paths.
func attributePattern(dir, p string) string {
	anchored := strings.Contains(strings.TrimSuffix(p, "/"), "/")
	p = strings.TrimPrefix(p, "/")
	if strings.HasSuffix(p, "/") {
		p += "**"
	}
	if !anchored {
		p = "**/" + p
	}
	return path.Join(dir, p)
}

func (l *layout) attribute(p string) (vendored, generated bool) {
	for _, a := range l.attributes {
		if ok, _ := doublestar.Match(a.pattern, p); ok {
			vendored, generated = vendored || a.vendored, generated || a.generated
		}
	}
	return vendored, generated
}

// foreign returns the vendored tree that holds p, "" when p is the repository's own.
func (l *layout) foreign(p string) string {
	outer := ""
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if l.vendored[dir] {
			outer = dir
		}
	}
	if outer != "" {
		return outer
	}
	if !scan.Vendored(p) {
		return ""
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if !scan.Vendored(dir + "/x") {
			break
		}
		if up := path.Dir(dir); up == "." || !scan.Vendored(up+"/x") {
			return dir
		}
	}
	return p
}

var copiedHead = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`(?i)\binlined (to avoid|because|from)\b|^\W*(types|copied|taken|source:?|vendored)( from)? https?://|^\W*https://github\.com/\S+/blob/\S+\.d\.ts$`).MatchString
})

// copiedTypes returns the line of the head of a declaration file that says where it was copied from, 0 for the repository's own.
func copiedTypes(name string, data []byte) int {
	if !strings.HasSuffix(name, ".d.ts") {
		return 0
	}
	for _, l := range splitLines(data[:min(len(data), 800)]) {
		if l.no > 5 {
			break
		}
		if copiedHead()(l.text) {
			return l.no
		}
	}
	return 0
}

// isTestData reports files that tests read: they are no source, whatever their extension.
func isTestData(p string) bool {
	for seg := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(seg) {
		case "testdata", "test-data", "test_data", "fixtures", "__fixtures__", "__snapshots__", "snapshots", "golden", "cassettes", "__mocks__":
			return true
		}
	}
	return false
}

// roleOf returns the role that the names of the directories give to dir, with the directory that gives it; "" where they give none.
func roleOf(dir, language string) (role, root string) {
	segments := strings.Split(dir, "/")
	for i, seg := range segments {
		role := roleName(strings.ToLower(seg), language, i)
		if role == "" || nestedName(segments, i, language) {
			continue
		}
		return role, strings.Join(segments[:i+1], "/")
	}
	return "", ""
}

// nestedName reports a segment that is part of a package name rather than a role: below the source root of Java and its kin, and below
// "src" or "lib" everywhere, a "tools" or "docs" directory usually is product code.
func nestedName(segments []string, i int, language string) bool {
	for _, seg := range segments[:i] {
		switch seg {
		case "pkg":
			return language == "Go"
		case "src", "lib", "main", "internal":
			switch strings.ToLower(segments[i]) {
			case "tests", "__tests__", "test", "spec", "e2e", "examples", "example":
				return language == "Go"
			}
			return true
		}
	}
	return false
}

// roleName returns the role of one directory name. Names that are common for product code too count only near the root.
func roleName(seg, language string, depth int) string {
	switch seg {
	case "test", "tests", "__tests__", "spec", "specs", "e2e", "integration-tests", "integration_tests", "integrationtests", "testsuite", "test-suite",
		"acceptance", "androidtest", "testfixtures", "jmh":
		if language == "Go" && seg != "e2e" && seg != "tests" && seg != "test" {
			return ""
		}
		return "tests"
	case "example", "examples", "demo", "demos", "sample", "samples", "playground", "playgrounds", "cookbook", "tutorial", "tutorials", "_examples",
		"starters", "boilerplate", "boilerplates":
		return "examples"
	case "bench", "benches", "benchmark", "benchmarks", "benchsuite", "script", "scripts", "fuzz", "devtools", "build-support", "homebrew", "brew":
		return "tools"
	case "tool", "tools", "tooling", "hack", "ci", "contrib", "build", "release", "packaging", "debian", "rpm", "snap":
		if depth > 1 || seg == "build" && language == "Go" {
			return ""
		}
		return "tools"
	case "docs", "documentation", "website", "docsite", "docs_src":
		if depth > 1 {
			return ""
		}
		return "docs"
	case "site", "doc", "www":
		if depth > 0 || language == "Go" {
			return ""
		}
		return "docs"
	}
	if strings.HasPrefix(seg, "template-") {
		return "examples"
	}
	return ""
}

// inDotDir reports a directory that belongs to a tool, such as ".github".
func inDotDir(dir string) bool {
	return dir != "." && (strings.HasPrefix(dir, ".") || strings.Contains(dir, "/."))
}

// buildsProduct reports directories whose manifests, makefiles and scripts work on the product: those of examples, of tests and deep in the
// documentation do not.
func buildsProduct(dir string) bool {
	if isTestData(dir + "/x") {
		return false
	}
	for seg := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if seg == "example" || seg == "examples" {
			return false
		}
	}
	switch role, root := roleOf(dir, ""); role {
	case "examples", "tests":
		return false
	case "docs":
		return root == dir
	}
	return true
}

// isSource reports the languages whose files make up packages. Data, markup and build descriptions do not.
func isSource(language string) bool {
	switch language {
	case "", "JSON", "YAML", "TOML", "XML", "Markdown", "reStructuredText", "HTML", "CSS", "SCSS", "Sass", "Less", "Text", "INI", "Makefile", "CMake", "Dockerfile",
		"Diff", "CSV", "SVG", "AsciiDoc", "Properties", "Git Config", "EditorConfig", "Ignore List", "Go Module", "Go Checksums", "Roff", "TeX", "Batchfile",
		"Gettext", "Starlark", "Meson", "M4", "Autoconf", "Just", "Gradle", "Jupyter", "Twig", "Jinja", "Handlebars", "EJS", "ERB", "Blade", "Haml", "Slim", "Pug",
		"LDIF", "Nix", "Go module", "Ignore list", "Batch", "Dotenv", "Procfile", "Go template", "systemd unit", "Include file", "Graphviz", "Mermaid",
		"PlantUML", "Org", "MDX", "Jupyter notebook", "Texinfo", "Pod", "Stylus", "Mustache", "Liquid", "Avro", "Visual Studio solution", "Kconfig",
		"Caddyfile", "HTTP request", "EBNF", "Typst", "LLVM IR", "Razor":
		return false
	}
	return true
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
