package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// introduce says what the repository is, in the authors' words, and what it is made of.
func (a *atlas) introduce(p *page) {
	said := ""
	tell := func(s string, ref survey.Ref) {
		s = sentence(capital(packageWords(plainMarkup(clean(s)))))
		ref = a.narrow(ref, strings.TrimSuffix(s, "."))
		if ref.Path != "" && usable(s) && !similar(said, s) && p.say(quote(s), ref) {
			said += " " + s
		}
	}
	tell(a.repo.Description.Text, a.repo.Description.Ref)
	if s, ref := a.selfDescription(); s != "" {
		tell(s, ref)
	}
	for _, doc := range a.repo.Docs { // the README often adds for whom it is
		if isReadme(doc.Path) {
			tell(doc.First.Text, doc.First.Ref)
			break
		}
	}
	p.paragraph()
	a.madeOf(p)
	p.paragraph()
}

// similar reports whether a sentence repeats most words of what was said before.
func similar(said, s string) bool {
	known, words := 0, strings.Fields(strings.ToLower(strings.Trim(s, ".")))
	said = strings.ToLower(said)
	for _, w := range words {
		if strings.Contains(said, strings.Trim(w, ",.`'\"")) {
			known++
		}
	}
	return 5*known >= 4*len(words)
}

// selfDescription finds the sentence in which the README says what the repository is: "Name is a …" or "Name, a …, is a …".
func (a *atlas) selfDescription() (string, survey.Ref) {
	for _, doc := range a.repo.Docs {
		if !isReadme(doc.Path) {
			continue
		}
		lines := a.src.lines(doc.Path)
		for i := 0; i < min(len(lines), 120); i++ {
			start := i
			for i < len(lines) && strings.TrimSpace(lines[i]) != "" {
				i++
			}
			paragraph := clean(strings.Join(lines[start:i], " "))
			first := firstSentence(paragraph)
			if a.defines(first) {
				return first, survey.Ref{Path: doc.Path, Start: start + 1, End: i}
			}
		}
	}
	return "", survey.Ref{}
}

// defines reports whether a sentence begins with the name of the repository and says that it is something.
func (a *atlas) defines(s string) bool {
	lower := strings.ToLower(strings.TrimLeft(s, "*_`# "))
	name := strings.ToLower(a.repo.Name)
	if name == "" || !strings.HasPrefix(lower, name) || len(s) > 400 || strings.Contains(s, "|") {
		return false
	}
	return strings.Contains(lower, " is a") || strings.Contains(lower, " is the ") || strings.Contains(lower, " provides ")
}

func isReadme(name string) bool {
	return !strings.Contains(name, "/") && strings.HasPrefix(strings.ToLower(name), "readme")
}

// madeOf names the main build unit with its toolchain, and the licence.
func (a *atlas) madeOf(p *page) {
	shown := 0
	modules := slices.Clone(a.repo.Modules)
	slices.SortStableFunc(modules, func(x, y survey.Module) int { return depth(x.Dir) - depth(y.Dir) })
	for _, m := range modules {
		if m.Name == "" || shown == 2 || shown > 0 && m.Dir != "." || aside(m.Dir) {
			continue
		}
		t := compose("The {} "+unit(m.Ecosystem)+" is defined in {}", code(m.Name), p.linked(code(path.Base(m.Manifest)), m.NameRef))
		refs := []survey.Ref{m.NameRef}
		if m.Requires.Text != "" && m.Requires.Ref.Path != "" {
			t = compose("{} and needs {}", t, quote(m.Requires.Text))
			refs = append(refs, m.Requires.Ref)
		}
		if p.sayLinked(compose("{}.", t), refs...) {
			shown++
		}
	}
	if l := a.repo.License; l.Text != "" {
		p.say(compose("The licence is {}.", quote(l.Text)), l.Ref)
	}
}

// depth is the number of directories above and including a directory; 0 for the root.
func depth(dir string) int {
	if dir == "." || dir == "" {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// unit is what an ecosystem calls a thing with a manifest.
func unit(ecosystem string) string {
	switch ecosystem {
	case "go":
		return "Go module"
	case "npm":
		return "npm package"
	case "python":
		return "Python distribution"
	case "cargo":
		return "Rust crate"
	case "maven", "gradle":
		return "Java module"
	case "nuget":
		return ".NET project"
	case "composer":
		return "Composer package"
	case "rubygems":
		return "Ruby gem"
	case "cmake", "make", "autotools", "meson":
		return "project"
	}
	return "module"
}
