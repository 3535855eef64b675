package survey

import (
	"regexp"
	"strings"
	"sync"
)

var gemForms = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"field": regexp.MustCompile(`^\s*\w+\.(name|version|summary|description|license|required_ruby_version)\s*=\s*["']([^"']+)["']`),
		"new":   regexp.MustCompile(`Gem::Specification\.new\s*\(?\s*["']([^"']+)["']`),
		"dep":   regexp.MustCompile(`^\s*\w+\.add_(development_|runtime_)?dependency\s*\(?\s*["']([^"']+)["'](?:\s*,\s*["']([^"']+)["'])?`),
		"bin":   regexp.MustCompile(`^\s*\w+\.executables\s*(?:=|<<)\s*(.+)$`),
		"gem":   regexp.MustCompile(`^\s*gem\s+["']([^"']+)["'](?:\s*,\s*["']([^"']+)["'])?`),
		"path":  regexp.MustCompile(`\bpath:\s*["']([^"']+)["']`),
		"group": regexp.MustCompile(`^\s*group\s+(.+)\s+do\b`),
		"ruby":  regexp.MustCompile(`^\s*ruby\s+["']([^"']+)["']`),
	}
})

// readGemspec reads the literal fields of a gem specification.
func readGemspec(m *manifest, data []byte) bool {
	m.Ecosystem = "rubygems"
	forms := gemForms()
	for _, l := range splitLines(data) {
		ref := Ref{Path: m.Manifest, Start: l.no, End: l.no}
		if f := forms["field"].FindStringSubmatch(l.text); f != nil {
			m.gemField(f[1], clean(f[2]), ref)
		} else if f := forms["new"].FindStringSubmatch(l.text); f != nil {
			m.gemField("name", clean(f[1]), ref)
		} else if f := forms["dep"].FindStringSubmatch(l.text); f != nil {
			m.depend(f[2], f[3], f[1] == "development_", ref, gemImports(f[2])...)
		} else if f := forms["bin"].FindStringSubmatch(l.text); f != nil && !strings.Contains(f[1], "Dir") && !strings.Contains(f[1], "files") {
			for _, q := range quoted().FindAllStringSubmatch(f[1], -1) {
				m.program(q[1]+q[2], "exe/"+q[1]+q[2], "cli", ref)
			}
		}
	}
	m.roots = append(m.roots, importRoot{kind: "ruby", dir: join(m.Dir, "lib")})
	return m.Name != ""
}

func (m *manifest) gemField(key, value string, ref Ref) {
	fact := Fact{Text: value, Ref: ref}
	switch key {
	case "name":
		m.Name, m.NameRef = cut(value, maxName), ref
	case "version":
		m.Version = fact
	case "summary":
		m.Description = sentenceFact(fact)
	case "description":
		if m.Description.Text == "" {
			m.Description = sentenceFact(fact)
		}
	case "license":
		m.license = fact
	case "required_ruby_version":
		m.Requires = Fact{Text: "Ruby " + value, Ref: ref}
	}
}

// readGemfile reads the gems of a Bundler file.
func readGemfile(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "rubygems", true
	forms := gemForms()
	dev, depth := false, 0
	for _, l := range splitLines(data) {
		text := strings.TrimSpace(l.text)
		ref := Ref{Path: m.Manifest, Start: l.no, End: l.no}
		if f := forms["group"].FindStringSubmatch(text); f != nil {
			dev, depth = strings.Contains(f[1], "test") || strings.Contains(f[1], "development"), 1
		} else if depth > 0 && text == "end" {
			dev, depth = false, 0
		}
		if f := forms["ruby"].FindStringSubmatch(text); f != nil {
			m.Requires = Fact{Text: "Ruby " + clean(f[1]), Ref: ref}
		}
		f := forms["gem"].FindStringSubmatch(text)
		if f == nil || forms["path"].MatchString(text) {
			continue
		}
		m.depend(f[1], f[2], dev || strings.Contains(text, "group:"), ref, gemImports(f[1])...)
	}
	return len(m.deps) > 0
}

func gemImports(name string) []string {
	return []string{name, strings.ReplaceAll(name, "-", "/")}
}
