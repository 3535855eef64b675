package extractive

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

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
			if more, ref := a.nextSentence(doc.First); more != "" {
				tell(more, ref)
			}
			break
		}
	}
	p.paragraph()
	a.flow(p)
	p.paragraph()
	a.madeOf(p)
	p.paragraph()
}

// nextSentence is what follows the first sentence of the README in the same paragraph: it often says what the thing does.
func (a *atlas) nextSentence(first survey.Fact) (string, survey.Ref) {
	lines := a.src.lines(first.Ref.Path)
	start := first.Ref.Start
	if first.Text == "" || start < 1 || start > len(lines) {
		return "", survey.Ref{}
	}
	end := start
	for end < len(lines) && end < start+8 && strings.TrimSpace(lines[end]) != "" {
		end++
	}
	ref := survey.Ref{Path: first.Ref.Path, Start: start, End: end}
	whole := unstressed(plainMarkup(clean(strings.Join(lines[start-1:end], " "))))
	_, rest, ok := strings.Cut(whole, strings.TrimSuffix(plainMarkup(clean(first.Text)), "."))
	rest = firstSentence(strings.TrimLeft(rest, ". "))
	if !ok || strings.HasSuffix(rest, ":") || !strings.HasSuffix(rest, ".") || len(rest) > maxQuote || strings.ContainsAny(rest, "|<>") || dangling(rest) {
		return "", survey.Ref{}
	}
	return rest, ref
}

var emphasis = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\s(])[*_]([^\s*_][^*_]*)[*_]`) })

// unstressed drops the marks of emphasis around words.
func unstressed(s string) string { return emphasis().ReplaceAllString(s, "$1$2") }

// dangling reports whether a sentence speaks of something that was said before it.
func dangling(s string) bool {
	first, _, _ := strings.Cut(strings.ToLower(s), " ")
	switch strings.Trim(first, ",") {
	case "these", "those", "they", "however", "also", "but", "see", "for", "if", "you", "please", "note", "to":
		return true
	}
	return strings.Contains(s, "following")
}

// flow says in words how the repository works together: what starts where, which parts it uses, and what those are for.
func (a *atlas) flow(p *page) {
	programs := a.mainPrograms()
	for _, g := range programs[:min(1, len(programs))] {
		c := a.byID[g.Component]
		if c == nil {
			continue
		}
		t := compose("The program {} starts in {}", label(g.Name), p.linked(code(g.Entry.Path), g.Entry))
		if s, ok := a.calls.entry(g.Entry); ok {
			t = compose("The program {} starts with {} in {}", label(g.Name), p.linked(code(s.name()), s.ref()), label(g.Entry.Path))
		}
		p.sayLinked(compose("{}.", t), g.Entry)
		a.usesInWords(p, c, 6)
	}
	if len(programs) > 0 {
		return
	}
	for _, c := range a.byImportance()[:min(2, len(a.byImportance()))] {
		a.usesInWords(p, c, 4)
	}
}

// usesInWords tells which parts a part uses and, where their authors say it, what for.
func (a *atlas) usesInWords(p *page, c *survey.Component, limit int) {
	var names, plain []text
	var refs []survey.Ref
	for _, e := range c.Uses {
		to := a.byID[e.To]
		if to == nil || len(names) == limit || to.Role == "tests" || to.Role == "examples" || e.Optional.Path != "" || e.Ref.Path == "" || !a.src.contain([]survey.Ref{e.Ref}, nil) {
			continue
		}
		name, said := a.part(p, to), label(a.title(to))
		if s, ref := a.purpose(to); s != "" && len(s) < 140 && !strings.Contains(strings.TrimSuffix(s, "."), ". ") && a.src.contain([]survey.Ref{ref}, nil) {
			purpose := quote(strings.TrimSuffix(s, "."))
			name, said = compose("{} ({})", name, purpose), compose("{} ({})", said, purpose)
			refs = append(refs, ref)
		}
		names, plain = append(names, name), append(plain, said)
		refs = append(refs, e.Ref)
	}
	if len(names) == 0 {
		return
	}
	claim := compose("{} uses {}.", label(a.title(c)), list(plain))
	if p.prove(claim, refs) {
		p.write(compose("{} uses {}.", a.part(p, c), list(names)).md)
	}
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
