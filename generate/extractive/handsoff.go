package extractive

import (
	"path"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// handsOff names what is generated, with the words of its mark, what comes from elsewhere, and what is deprecated.
func (a *atlas) handsOff(p *page) {
	var items []item
	for _, r := range a.repo.Generated {
		if len(items) == 15 {
			break
		}
		if strings.HasPrefix(path.Base(r.Path), ".") || r.Start > 60 || aside(r.Path) {
			continue // it speaks of generated code and is not generated itself
		}
		if r.Start == 0 {
			items = append(items, a.foreign(p, r.Path))
			continue
		}
		t := compose("{} is generated", p.linked(code(r.Path), r))
		if mark := a.markLine(r); mark != "" {
			t = compose("{}: {}", t, quote(mark))
		}
		items = append(items, item{text: compose("{}", text{md: sentence(t.md), plain: sentence(t.plain), names: t.names}), refs: []survey.Ref{r}, bare: true})
	}
	items = append(items, a.locks(p)...)
	items = append(items, a.inlined(p)...)
	for _, c := range a.byImportance() {
		if len(items) < 22 && c.Role != "tools" {
			old := a.deprecated(p, c)
			items = append(items, old[:min(2, len(old))]...)
			items = append(items, a.warned(p, c)...)
		}
	}
	p.bullets(items)
}

// foreign tells about a directory of code from elsewhere in the words of the documents, with a link to its own.
func (a *atlas) foreign(p *page, dir string) item {
	if t, ok := a.readDocuments()[dir]; ok {
		return item{text: compose("{}: {}", p.folder(dir), quote(t.text)), refs: []survey.Ref{t.ref}}
	}
	t := compose("{} is taken for code from elsewhere, by its name.", p.folder(dir))
	if readme := path.Join(dir, "README.md"); a.src.lines(readme) != nil {
		t = compose("{} How it is kept: {}.", t, p.linked(label(readme), survey.Ref{Path: readme}))
	}
	return item{text: t}
}

// locks names the lock files at the root: with the mark by which one says that it is generated, else by the name alone.
func (a *atlas) locks(p *page) []item {
	var out []item
	for _, name := range []string{"Cargo.lock", "uv.lock", "poetry.lock", "pnpm-lock.yaml", "yarn.lock", "package-lock.json", "composer.lock", "Gemfile.lock"} {
		lines := a.src.lines(name)
		if len(lines) == 0 {
			continue
		}
		head := survey.Ref{Path: name, Start: 1, End: 1}
		if strings.Contains(lines[0], "generated") {
			t := compose("{} is generated: {}", p.linked(code(name), head), quote(sentence(a.markLine(head))))
			out = append(out, item{text: t, refs: []survey.Ref{head}, bare: true})
			continue
		}
		out = append(out, item{text: compose("{} is taken for a lock file that a package manager writes, by its name.", p.linked(label(name), survey.Ref{Path: name}))})
	}
	return out
}

// inlined lists the files whose heads say that they were taken over from elsewhere.
func (a *atlas) inlined(p *page) []item {
	var out []item
	for _, name := range a.paths {
		f := a.repo.Files[name]
		doc := firstSentence(f.Doc)
		lower := strings.ToLower(doc)
		if len(out) == 8 || f.IsTest || f.DocStart < 1 || aside(name) || !strings.Contains(lower, "inlined to avoid") && !strings.Contains(lower, "types from https://") && !strings.Contains(lower, "copied from http") && !strings.Contains(lower, "vendored from") {
			continue
		}
		ref := survey.Ref{Path: name, Start: f.DocStart, End: max(f.DocStart, f.DocEnd)}
		out = append(out, item{text: compose("{} comes from elsewhere: {}", p.linked(code(name), ref), quote(sentence(doc))), refs: []survey.Ref{ref}, bare: true})
	}
	return out
}

// markLine is the line by which a file says that it is generated, without its comment marks.
func (a *atlas) markLine(r survey.Ref) string {
	s, ok := a.src.text(survey.Ref{Path: r.Path, Start: r.Start, End: r.Start})
	s = strings.Trim(clean(s), "/*#<!->%;\" \t")
	if !ok || len(s) > 200 || !strings.Contains(s, " ") {
		return ""
	}
	return s
}

// maxMarks is the number of notes that a page repeats.
const maxMarks = 3

// marks lists deprecated declarations and the first notes that people left, as far as they are whole sentences.
func (a *atlas) marks(p *page, c *survey.Component) {
	items := a.deprecated(p, c)
	said := make(map[string]bool)
	for _, f := range a.files(c) {
		for _, m := range f.Marks {
			note := strings.TrimLeft(clean(m.Text), ":- ")
			if len(said) == maxMarks || m.Kind == "DEPRECATED" || !usable(note) || len(strings.Fields(note)) < 6 || !strings.HasSuffix(note, ".") || said[note] || f.BuildTag {
				continue
			}
			said[note] = true
			ref := survey.Ref{Path: f.Path, Start: m.Line, End: m.Line}
			items = append(items, item{text: compose("{}: {}", words(m.Kind), quote(note)), refs: []survey.Ref{ref}})
		}
	}
	p.bullets(items)
}
