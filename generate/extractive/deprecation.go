package extractive

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// deprecated lists the deprecated declarations of a part with what their authors say to use.
func (a *atlas) deprecated(p *page, c *survey.Component) []item {
	var out []item
	seen := make(map[string]bool)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool { return d.Deprecated }) {
		if len(out) == 8 || seen[s.name()] || supports(s.file.Path) {
			continue
		}
		seen[s.name()] = true
		t := compose("{} is deprecated.", p.linked(code(s.name()), s.ref()))
		refs := []survey.Ref{s.ref()}
		note, at := deprecation(s.decl.Doc), survey.Ref{}
		if note == "" {
			note, at = a.deprecationNear(s)
			refs = append(refs, slices.DeleteFunc([]survey.Ref{at}, func(r survey.Ref) bool { return r.Path == "" })...)
		}
		if strings.Contains(strings.ToLower(note), "not deprecated") {
			continue
		}
		if usable(note) {
			t = compose("{} is deprecated: {}", p.linked(code(s.name()), s.ref()), quote(sentence(note)))
		}
		if s.decl.DocStart > 0 {
			refs = append(refs, survey.Ref{Path: s.file.Path, Start: s.decl.DocStart, End: max(s.decl.DocStart, s.decl.DocEnd)})
		}
		t.names = []string{s.decl.Name}
		out = append(out, item{text: t, refs: refs, bare: true})
	}
	return out
}

// deprecation is what a doc comment says about why a declaration is deprecated and what to use.
func deprecation(doc string) string {
	for _, mark := range []string{"Deprecated:", "@deprecated", "DEPRECATED:", ".. deprecated::", "\\deprecated"} {
		if _, after, ok := strings.Cut(doc, mark); ok {
			paragraph, _, _ := strings.Cut(strings.TrimSpace(after), "\n\n")
			note := firstSentence(paragraph)
			if more := secondSentence(paragraph); len(note)+len(more) < maxQuote && usable(more) { // what to use instead
				note = sentence(note) + " " + more
			}
			return note
		}
	}
	return ""
}

var deprecatedTag = sync.OnceValue(func() func(string) []string {
	return regexp.MustCompile(`@deprecated:?\s+(\S.*?)\s*(?:\*/)?$|^\s*(?:#\[deprecated\(.*)?note = "([^"]+)"`).FindStringSubmatch
})

// deprecationNear is what a tag in the comment, or an attribute, right above a declaration says to use instead.
func (a *atlas) deprecationNear(s symbol) (string, survey.Ref) {
	lines := a.src.lines(s.file.Path)
	for n := s.decl.Start - 1; n >= max(1, s.decl.Start-12) && n <= len(lines); n-- {
		t := strings.TrimSpace(lines[n-1])
		inside := s.file.Language == "Rust" && (t == ")]" || strings.HasPrefix(t, "note = ") || strings.HasPrefix(t, "since = "))
		if !inside && !strings.HasPrefix(t, "*") && !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, "#[") && !strings.HasPrefix(t, "@") {
			break
		}
		if m := deprecatedTag()(lines[n-1]); m != nil {
			return capital(strings.TrimLeft(plainMarkup(clean(m[1]+m[2])), "- ")), survey.Ref{Path: s.file.Path, Start: n, End: n}
		}
	}
	return "", survey.Ref{}
}

// maxWarned bounds the warnings of a part that are repeated.
const maxWarned = 6

// warned lists what the code of a part itself calls deprecated, by a warning with a literal text.
func (a *atlas) warned(p *page, c *survey.Component) []item {
	var out []item
	for _, f := range a.files(c) {
		if f.Language != "Python" {
			continue
		}
		lines := a.src.lines(f.Path)
		for i, line := range lines {
			if len(out) == maxWarned || strings.TrimSpace(line) != "warnings.warn(" {
				continue
			}
			if said, end, ok := warning(lines, i+1); ok {
				ref := survey.Ref{Path: f.Path, Start: i + 2, End: end}
				out = append(out, item{text: compose("{} warns: {}", p.at(ref), quote(sentence(said))), refs: []survey.Ref{ref}, bare: true})
			}
		}
	}
	return out
}

// warning joins the plain string literals that begin on a line, up to the class of the warning, which has to be that of deprecations. end is the
// number of its line.
func warning(lines []string, from int) (said string, end int, ok bool) {
	for n := from; n < min(from+8, len(lines)); n++ {
		t := strings.TrimSpace(lines[n])
		if t == "DeprecationWarning," || t == "PendingDeprecationWarning," || t == "FutureWarning," {
			return said, n + 1, usable(said)
		}
		t = strings.TrimSuffix(t, ",")
		if len(t) < 2 || t[0] != '"' && t[0] != '\'' || t[len(t)-1] != t[0] {
			return "", 0, false // a text that is put together
		}
		said += t[1 : len(t)-1]
	}
	return "", 0, false
}
