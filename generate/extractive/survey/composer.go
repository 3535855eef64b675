package survey

import (
	"path"
	"strings"
)

// readComposer reads composer.json.
func readComposer(m *manifest, data []byte) bool {
	root := parseJSON(data)
	if root == nil || len(root.entries) == 0 {
		return false
	}
	m.Ecosystem = "composer"
	m.Name, m.NameRef = cut(root.get("name").str(), maxName), root.get("name").ref(m.Manifest)
	m.Version = root.get("version").fact(m.Manifest)
	m.Description = sentenceFact(root.get("description").fact(m.Manifest))
	m.license = root.get("license").fact(m.Manifest)
	for _, field := range []string{"require", "require-dev"} {
		for _, d := range root.get(field).fields() {
			if d.key == "php" {
				m.Requires = Fact{Text: "PHP " + d.str(), Ref: d.ref(m.Manifest)}
			} else if strings.Contains(d.key, "/") {
				m.depend(d.key, d.str(), field == "require-dev", d.ref(m.Manifest), phpPrefixes(d.key)...)
			}
		}
	}
	for _, field := range []string{"autoload", "autoload-dev"} {
		for _, p := range root.get(field, "psr-4").fields() {
			for _, dir := range p.strings() {
				if at := join(m.Dir, "./"+dir); at != "" {
					m.roots = append(m.roots, importRoot{kind: "psr4", prefix: strings.Trim(p.key, `\`), dir: at})
				}
			}
		}
	}
	for _, s := range root.get("scripts").fields() {
		if strings.HasPrefix(s.key, "post-") || strings.HasPrefix(s.key, "pre-") {
			continue
		}
		m.script("composer "+s.key, strings.Join(s.strings(), " && "), "composer script", s.ref(m.Manifest))
	}
	for _, b := range root.get("bin").list() {
		m.program(path.Base(b.str()), b.str(), "cli", b.ref(m.Manifest))
	}
	return m.Name != "" || len(m.deps) > 0
}

// phpPrefixes returns the namespaces that a package has by the usual spellings of its name: "symfony/http-kernel" → "Symfony\HttpKernel" and
// "Symfony\Component\HttpKernel". They only serve to say who uses a dependency, and match without case.
func phpPrefixes(name string) []string {
	vendor, pkg, _ := strings.Cut(strings.ReplaceAll(name, "-", ""), "/")
	return []string{vendor + `\` + pkg, vendor + `\Component\` + pkg}
}

// readDotnetProject reads a .csproj, .fsproj or .vbproj file.
func readDotnetProject(m *manifest, data []byte) bool {
	project := parseXML(data).get("Project")
	if project == nil {
		return false
	}
	m.Ecosystem = "nuget"
	m.Name = strings.TrimSuffix(path.Base(m.Manifest), path.Ext(m.Manifest))
	m.NameRef = Ref{Path: m.Manifest}
	for _, group := range project.all("PropertyGroup") {
		if v := group.get("Version"); v.str() != "" {
			m.Version = v.fact(m.Manifest)
		}
		if v := group.get("Description"); v.str() != "" {
			m.Description = sentenceFact(v.fact(m.Manifest))
		}
		if v := group.get("PackageLicenseExpression"); v.str() != "" {
			m.license = v.fact(m.Manifest)
		}
		for _, key := range []string{"TargetFramework", "TargetFrameworks"} {
			if v := group.get(key); v.str() != "" && !strings.Contains(v.str(), "$(") {
				m.Requires = Fact{Text: ".NET " + v.str(), Ref: v.ref(m.Manifest)}
			}
		}
	}
	for _, group := range project.all("ItemGroup") {
		for _, p := range group.all("PackageReference") {
			m.depend(p.get("Include").str(), p.get("Version").str(), false, p.ref(m.Manifest), p.get("Include").str())
		}
		for _, p := range group.all("ProjectReference") {
			if file := join(m.Dir, p.get("Include").str()); file != "" {
				m.local = append(m.local, Fact{Text: path.Dir(file), Ref: p.ref(m.Manifest)})
			}
		}
	}
	return true
}
