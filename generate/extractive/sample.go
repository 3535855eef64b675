package extractive

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// A sampled setting is a line of a configuration file that the repository ships.
type sampled struct {
	name, value string
	ref         survey.Ref
	meaning     told // the first sentence of the comment above it; its text is "" where there is none
}

// samples are the settings of the configuration files that the repository ships, in which a line is a name and a value.
func (a *atlas) samples() []sampled {
	a.filled.samplesOnce.Do(func() { a.filled.samples = a.findSamples() })
	return a.filled.samples
}

func (a *atlas) findSamples() []sampled {
	var out []sampled
	seen := make(map[string]bool)
	for _, it := range a.repo.Config {
		if it.Kind != "file" || len(it.Refs) == 0 {
			continue
		}
		file := it.Refs[0].Path
		if path.Ext(file) != ".conf" || seen[file] || depth(path.Dir(file)) > 1 || aside(file) {
			continue
		}
		seen[file] = true
		lines := a.src.lines(file)
		for i, line := range lines {
			if name, value, ok := sampleLine(line); ok {
				ref := survey.Ref{Path: file, Start: i + 1, End: i + 1}
				out = append(out, sampled{name: name, value: value, ref: ref, meaning: a.commentAbove(file, name, lines, i)})
			}
		}
	}
	return out
}

// sampleLine splits a line that sets something.
func sampleLine(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, " ")
	if !ok || name == "" || name != strings.ToLower(name) && name != strings.ToUpper(name) || !wordByte(name[0]) || strings.ContainsAny(name, "{}[]<>=;:#\"'()") {
		return "", "", false
	}
	return name, strings.TrimSpace(value), true
}

// commentAbove is the first sentence of the comment that ends on the line before a setting. A comment that holds settings that are turned off
// may speak of those.
func (a *atlas) commentAbove(file, setting string, lines []string, at int) told {
	start := at
	for start > 0 && strings.HasPrefix(lines[start-1], "#") {
		start--
	}
	var paragraph []string
	end := start
	for n := start; n < at; n++ {
		t := strings.TrimSpace(strings.Trim(lines[n], "#-= "))
		if name, _, ok := sampleLine(t); ok && (name == setting && !strings.Contains(t, "<") || strings.Contains(name, "-") && name != setting) {
			return told{}
		} else if ok && name == setting {
			continue // how it is written
		}
		if t == "" && len(paragraph) > 0 {
			break
		}
		if t != "" {
			paragraph, end = append(paragraph, t), n+1
		}
	}
	s := firstSentence(strings.Join(paragraph, "\n"))
	if !usable(s) || strings.HasSuffix(s, ":") || strings.ToUpper(s) == s || leaning(s) {
		return told{}
	}
	return told{sentence(s), a.narrow(survey.Ref{Path: file, Start: start + 1, End: end}, s)}
}

var (
	pointing = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`^(?i)(the following|there (is|are|was|were)|since (in|the|this|it|we|you)|otherwise|however|but|and|or|also|then|thus|hence|so|if so|in (this|that|these|such)|for this|note|warning|important|caution|it|they|that|those|as (above|said)|same|similarly|like(wise)?)\b`).MatchString
	})
	elsewhere = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`(?i)\b(this|that|these|those|such) (a |an )?(setup|case|cases|length|limit|mode|way|situation|behaviou?r|scenario|file|kind|time|number|size)\b|\b(above|below|previous|aforementioned)\b`).MatchString
	})
	ofItself = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`^(?i)(this|these|the (following|above)) (option|setting|directive|parameter|value|flag|config|configuration|variable|key|feature|command)s?\b`).MatchString
	})
)

// leaning reports whether a sentence leans on another one, so that it says something else, or nothing, where it stands alone: "There is no
// limit to this length", "WARNING: since in this setup …". What is said of "this option" itself is not.
func leaning(s string) bool {
	if ofItself()(s) {
		return false
	}
	first, _, _ := strings.Cut(s, " ")
	return pointing()(s) || elsewhere()(s) || strings.EqualFold(first, "this") || strings.EqualFold(first, "these")
}

// sampleRows tables the settings of the shipped configuration.
func (a *atlas) sampleRows(p *page, limit int) []row {
	var rows []row
	all := a.samples()
	for _, s := range all[:min(limit, len(all))] {
		file := label(path.Base(s.ref.Path))
		r := row{
			cells: []text{p.linked(code(s.name), s.ref), label(s.value), {}, file},
			claim: compose("{} sets {} to {}.", file, code(s.name), label(s.value)), refs: []survey.Ref{s.ref},
		}
		if said := quote(s.meaning.text); said.plain != "" {
			r.cells[2] = said
			r.claim, r.refs = compose("{} {}", r.claim, said), append(r.refs, s.meaning.ref)
		}
		rows = append(rows, r)
	}
	return rows
}

var sampleHeader = []string{"Name", "Value", "In its authors' words", "File"}

var failureWords = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`(?i)\b(fail(s|ed|ure|ures|ing|over)?|errors?|crash(es|ed|ing)?|corrupt(ed|ion)?|truncated|disconnect(s|ed)?|lost|unreachable|panic)\b`).MatchString
})

// failureSettings tables the shipped settings that decide what happens when something fails, by the words of their comments.
func (a *atlas) failureSettings(p *page, limit int) []row {
	var rows []row
	for _, s := range a.samples() {
		if len(rows) == limit || !failureWords()(s.meaning.text) {
			continue
		}
		said := quote(s.meaning.text)
		rows = append(rows, row{
			cells: []text{p.linked(code(s.name), s.ref), label(s.value), said},
			claim: compose("{} is set to {} where the configuration is shipped: {}", code(s.name), label(s.value), said), refs: []survey.Ref{s.ref, s.meaning.ref},
		})
	}
	return rows
}
