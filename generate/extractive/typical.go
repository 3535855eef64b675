package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// handedAt finds where a function of C is passed as a value: the function that does so, the one it is passed to, and the line. There the
// handler of an event begins its life.
func (a *atlas) handedAt(s symbol) (by symbol, to string, at survey.Ref, ok bool) {
	if s.file.Language != "C" {
		return symbol{}, "", survey.Ref{}, false
	}
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if f.Language != "C" || f.IsTest || f.Generated || a.component(name) == nil {
			continue
		}
		for i, line := range a.src.lines(name) {
			if !strings.Contains(line, s.decl.Name) || !slices.Contains(slices.Collect(arguments(line)), s.decl.Name) {
				continue
			}
			in, found := enclosing(f, i+1)
			callee := calledBefore(line, s.decl.Name)
			if found && in.decl != s.decl && callee != "" {
				return in, callee, survey.Ref{Path: name, Start: i + 1, End: i + 1}, true
			}
		}
	}
	return symbol{}, "", survey.Ref{}, false
}

// maxCallers bounds the callers that are told of the function with which an operation begins.
const maxCallers = 2

// callersOf are functions that certainly call a function, with the line of a call, one a function, those outside of its file first.
func (a *atlas) callersOf(s symbol) []step {
	var out []step
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if f.IsTest || f.Generated || f.Language != s.file.Language && !sameFamily(f.Language, s.file.Language) || a.component(name) == nil || supports(name) {
			continue
		}
		for _, c := range f.Calls {
			if c.Name != s.decl.Name || c.Nested {
				continue
			}
			from, ok := enclosing(f, c.Line)
			if !ok || from.decl == s.decl || slices.ContainsFunc(out, func(o step) bool { return o.to.decl == from.decl }) {
				continue
			}
			if to, ok := a.calls.target(from, c); ok && to.decl == s.decl {
				out = append(out, step{to: from, line: c.Line})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y step) int {
		own := func(o step) int {
			if o.to.file == s.file {
				return 1
			}
			return 0
		}
		return own(x) - own(y)
	})
	return out
}

// calledBefore is the function in whose arguments a name stands, in one line.
func calledBefore(line, name string) string {
	before, _, ok := strings.Cut(line, name)
	open := -1
	for i, depth := len(before)-1, 0; i >= 0; i-- {
		switch before[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				open = i
			}
		}
		if open >= 0 {
			break
		}
	}
	if !ok || open < 0 {
		return ""
	}
	start := open
	for start > 0 && wordByte(before[start-1]) && before[start-1] < 0x80 {
		start--
	}
	return before[start:open]
}

// typicalHandler is the function of a catalogue that the documents at the root show most in their examples, with the line that names it.
func (a *atlas) typicalHandler() (catalogue, bool) {
	all := a.catalogues()
	if len(all) == 0 {
		return catalogue{}, false
	}
	shown := a.shownInExamples()
	var best catalogue
	most := 0
	for _, f := range a.paths {
		if path.Dir(f) != all[0].dir || path.Ext(f) != all[0].ext {
			continue
		}
		n := shown[strings.ToLower(strings.TrimSuffix(path.Base(f), path.Ext(f)))]
		if n <= most {
			continue
		}
		for _, c := range a.namedIn(f) {
			if c.key == all[0].key {
				best, most = c, n
			}
		}
	}
	return best, most > 0
}

// shownInExamples counts the words with which lines of examples in the README begin, in lower case and without a prompt.
func (a *atlas) shownInExamples() map[string]int {
	out := make(map[string]int)
	for _, d := range a.repo.Docs {
		if depth(path.Dir(d.Path)) > 0 || !isReadme(d.Path) {
			continue
		}
		fenced := false
		for _, line := range a.src.lines(d.Path) {
			t := strings.TrimSpace(line)
			if strings.HasPrefix(t, "```") {
				fenced = !fenced
				continue
			}
			if !fenced && !strings.HasPrefix(line, "    ") {
				continue
			}
			if _, rest, ok := strings.Cut(t, "> "); ok {
				t = rest
			}
			word, _, _ := strings.Cut(t, " ")
			out[strings.ToLower(word)]++
		}
	}
	return out
}
