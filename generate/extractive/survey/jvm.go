package survey

import (
	"regexp"
	"strings"
	"sync"
)

// readMaven reads pom.xml.
func readMaven(m *manifest, data []byte) bool {
	project := parseXML(data).get("project")
	if project == nil {
		return false
	}
	m.Ecosystem = "maven"
	m.Name, m.NameRef = cut(project.get("artifactId").str(), maxName), project.get("artifactId").ref(m.Manifest)
	m.Version = literalXML(project.get("version").fact(m.Manifest))
	m.Description = sentenceFact(project.get("description").fact(m.Manifest))
	m.license = project.get("licenses", "license", "name").fact(m.Manifest)
	for _, key := range []string{"maven.compiler.release", "maven.compiler.source", "java.version"} {
		if v := project.get("properties", key); v.str() != "" && !strings.Contains(v.str(), "${") {
			m.Requires = Fact{Text: "Java " + v.str(), Ref: v.ref(m.Manifest)}
			break
		}
	}
	for _, module := range project.get("modules").all("module") {
		m.members = append(m.members, Fact{Text: module.str(), Ref: module.ref(m.Manifest)})
	}
	for _, d := range project.get("dependencies").all("dependency") {
		group, artifact := d.get("groupId").str(), d.get("artifactId").str()
		if group == "" || artifact == "" || strings.Contains(group+artifact, "${") {
			continue
		}
		version := literalXML(d.get("version").fact(m.Manifest)).Text
		m.depend(group+":"+artifact, version, d.get("scope").str() == "test", d.ref(m.Manifest), group)
	}
	return m.Name != ""
}

// literalXML drops values that refer to a property.
func literalXML(f Fact) Fact {
	if strings.Contains(f.Text, "${") {
		return Fact{}
	}
	return f
}

var gradleForms = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"dependency": regexp.MustCompile(`^\s*(api|implementation|compileOnly|runtimeOnly|testImplementation|testRuntimeOnly|kapt|annotationProcessor|compile|testCompile)\s*\(?\s*["']([^:"'$]+):([^:"'$]+)(?::([^"']*))?["']`),
		"project":    regexp.MustCompile(`^\s*(api|implementation|compileOnly|runtimeOnly|compile)\s*\(?\s*project\s*\(\s*(?:path\s*[:=]\s*)?["']:([^"']+)["']`),
		"field":      regexp.MustCompile(`^(version|description)\s*=?\s*["']([^"'$]+)["']`),
		"main":       regexp.MustCompile(`^\s*(?:mainClass(?:Name)?)(?:\.set\(|\s*=)\s*["']([^"']+)["']`),
		"java":       regexp.MustCompile(`(?:languageVersion(?:\.set\(|\s*=\s*)JavaLanguageVersion\.of\(|sourceCompatibility\s*=\s*(?:JavaVersion\.VERSION_)?["']?|jvmToolchain\()([0-9_.]+)`),
		"root":       regexp.MustCompile(`^\s*rootProject\.name\s*=\s*["']([^"']+)["']`),
		"include":    regexp.MustCompile(`^\s*include(?:\s*\(|\s+)(.*)$`),
	}
})

// readGradle reads the literal parts of a Gradle build file.
func readGradle(m *manifest, data []byte) bool {
	m.Ecosystem = "gradle"
	forms := gradleForms()
	for _, l := range splitLines(data) {
		ref := Ref{Path: m.Manifest, Start: l.no, End: l.no}
		if f := forms["dependency"].FindStringSubmatch(l.text); f != nil {
			m.depend(f[2]+":"+f[3], f[4], strings.HasPrefix(f[1], "test"), ref, f[2])
		} else if f := forms["project"].FindStringSubmatch(l.text); f != nil {
			m.local = append(m.local, Fact{Text: strings.ReplaceAll(f[2], ":", "/"), Ref: ref})
		} else if f := forms["field"].FindStringSubmatch(l.text); f != nil {
			if fact := (Fact{Text: clean(f[2]), Ref: ref}); f[1] == "version" {
				m.Version = fact
			} else {
				m.Description = sentenceFact(fact)
			}
		} else if f := forms["java"].FindStringSubmatch(l.text); f != nil && m.Requires.Text == "" {
			m.Requires = Fact{Text: "Java " + strings.ReplaceAll(f[1], "_", "."), Ref: ref}
		}
	}
	return true
}

// readGradleSettings reads the name of the root project and its subprojects.
func readGradleSettings(m *manifest, data []byte) bool {
	m.Ecosystem, m.unnamed = "gradle", true
	open := false
	for _, l := range splitLines(data) {
		ref := Ref{Path: m.Manifest, Start: l.no, End: l.no}
		if f := gradleForms()["root"].FindStringSubmatch(l.text); f != nil {
			m.Name, m.NameRef, m.unnamed = cut(clean(f[1]), maxName), ref, false
		}
		text := ""
		if f := gradleForms()["include"].FindStringSubmatch(l.text); f != nil {
			text, open = f[1], true
		} else if open {
			text = strings.TrimSpace(l.text)
		}
		if !open || text != "" && !strings.ContainsAny(text[:1], `"':`) {
			open = false
			continue
		}
		for _, q := range quoted().FindAllStringSubmatch(text, -1) {
			member := strings.ReplaceAll(strings.TrimPrefix(q[1]+q[2], ":"), ":", "/")
			m.members = append(m.members, Fact{Text: member, Ref: ref})
		}
		open = strings.HasSuffix(strings.TrimSpace(text), ",") || strings.TrimSpace(text) == ""
	}
	return m.Name != "" || len(m.members) > 0
}
