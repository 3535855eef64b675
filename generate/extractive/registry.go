package extractive

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// registry finds the lines in which siblings are listed together: a table, a list, or a function that calls one after the other, in their
// part or in one that uses it. A new sibling has to be added there. It reports false unless one place names at least a third of them.
func (a *atlas) registry(members []symbol, c *survey.Component) (survey.Ref, bool) {
	if ref, ok := a.registryIn(members, c); ok {
		return ref, true
	}
	if made := a.constructors(members); len(made) > 0 {
		if ref, ok := a.registryIn(made, c); ok {
			return ref, true
		}
	}
	for _, e := range c.UsedBy[:min(maxUsers, len(c.UsedBy))] {
		if user := a.byID[e.To]; user != nil && user.Role != "tests" && user.Role != "examples" {
			if ref, ok := a.registryIn(members, user); ok {
				return ref, true
			}
		}
	}
	return survey.Ref{}, false
}

// constructors are the functions of Go that make siblings, by the custom of their names: NewPromParser makes a PromParser.
func (a *atlas) constructors(members []symbol) []symbol {
	var out []symbol
	for _, m := range members {
		for _, s := range a.calls.named["New"+m.decl.Name] {
			if m.file.Language == "Go" && path.Dir(s.file.Path) == path.Dir(m.file.Path) && s.decl.Kind == scan.KindFunction {
				out = append(out, s)
			}
		}
	}
	return out
}

// maxUsers bounds the parts in which siblings of another part are looked for.
const maxUsers = 6

// alsoListed are up to two more places of a part, in other files, in which nearly as many siblings are listed together.
func (a *atlas) alsoListed(members []symbol, c *survey.Component, first survey.Ref) []survey.Ref {
	names, declared := siblingNames(members)
	spelled := make(map[string]bool)
	for n := first.Start; n <= first.End; n++ {
		for w := range identifiers(a.src.lines(first.Path)[n-1]) {
			if names[w] {
				spelled[w] = true
			}
		}
	}
	enough := max(least, (2*len(spelled)+2)/3)
	var out []survey.Ref
	for _, f := range a.mention(names, enough, c) {
		if f.Path == first.Path || len(out) == 2 {
			continue
		}
		if ref, n := a.together(f.Path, names, declared); n >= enough {
			out = append(out, ref)
		}
	}
	return out
}

// siblingNames are the names of siblings, and the lines around their declarations.
func siblingNames(members []symbol) (names map[string]bool, declared map[survey.Ref]bool) {
	names, declared = make(map[string]bool), make(map[survey.Ref]bool)
	for _, m := range members {
		names[m.decl.Name] = true
		for n := m.decl.Start - 1; n <= m.decl.Start+1; n++ {
			declared[survey.Ref{Path: m.file.Path, Start: n, End: n}] = true
		}
	}
	return names, declared
}

func (a *atlas) registryIn(members []symbol, c *survey.Component) (survey.Ref, bool) {
	names, declared := siblingNames(members)
	if len(names) < least {
		return survey.Ref{}, false
	}
	var best survey.Ref
	most := max(least, (len(members)+2)/3)
	for _, f := range a.mention(names, most, c) {
		ref, n := a.together(f.Path, names, declared)
		if n > most || n == most && best.Path == "" {
			best, most = ref, n
		}
	}
	if best.Path == "" {
		return a.function(names, most, c)
	}
	if in, ok := enclosing(a.repo.Files[best.Path], best.Start); ok && !names[in.decl.Name] { // the list may go on in the function
		if whole, n := a.mentionedIn(in, names); n > most && whole.End-whole.Start <= maxRegistry {
			return whole, true
		}
	}
	return best, true
}

// maxRegistry bounds the lines to which a reader is sent for a list.
const maxRegistry = 160

// mentionedIn are the lines of a function from the first to the last that names one of the siblings, with the number of those named.
func (a *atlas) mentionedIn(in symbol, names map[string]bool) (survey.Ref, int) {
	out := survey.Ref{Path: in.file.Path}
	found := make(map[string]bool)
	lines := a.src.lines(in.file.Path)
	for n := in.decl.Start + 1; n <= min(in.decl.End, len(lines)); n++ {
		if importing(lines[n-1]) {
			continue
		}
		for w := range identifiers(lines[n-1]) {
			if names[w] {
				found[w] = true
				if out.Start == 0 {
					out.Start = n
				}
				out.End = n
			}
		}
	}
	return out, len(found)
}

// function finds the function whose body names most siblings, where they are too far apart to be a list.
func (a *atlas) function(names map[string]bool, most int, c *survey.Component) (survey.Ref, bool) {
	var best survey.Ref
	for _, f := range a.mention(names, most, c) {
		lines := a.src.lines(f.Path)
		for i := range f.Decls {
			d := &f.Decls[i]
			if !functionKind(d.Kind) || names[d.Name] || d.End > len(lines) || d.Start < 1 {
				continue
			}
			found := make(map[string]bool)
			for _, line := range lines[d.Start:max(d.Start, d.End)] {
				for w := range identifiers(line) {
					if names[w] {
						found[w] = true
					}
				}
			}
			if len(found) > most || len(found) == most && best.Path == "" {
				best, most = survey.Ref{Path: f.Path, Start: d.Start, End: d.End}, len(found)
			}
		}
	}
	return best, best.Path != ""
}

// identifiers yields the words of a text that can be names. Bytes beyond ASCII separate words.
func identifiers(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := range len(text) {
			if c := text[i]; c < 0x80 && wordByte(c) {
				continue
			}
			if start < i && !yield(text[start:i]) {
				return
			}
			start = i + 1
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

// mention returns those files of a part that mention at least so many of the names: only they can list them.
func (a *atlas) mention(names map[string]bool, least int, c *survey.Component) []*scan.File {
	where := a.filled.mentioned.get(c, a.findMentions)
	files := a.files(c)
	found := make([]int, len(files))
	for name := range names {
		for _, i := range where[name] {
			found[i]++
		}
	}
	var out []*scan.File
	for i, f := range files {
		if found[i] >= least {
			out = append(out, f)
		}
	}
	return out
}

// mentions are, for each declared name, the files of a part that spell it, as indexes into those of the part.
type mentions map[string][]int32

func (a *atlas) findMentions(c *survey.Component) mentions {
	a.filled.declaredOnce.Do(a.indexDeclared)
	where := make(mentions)
	for i, f := range a.files(c) {
		for w := range identifiers(a.src.whole(f.Path)) {
			if !a.filled.declared[w] {
				continue
			}
			if in := where[w]; len(in) == 0 || in[len(in)-1] != int32(i) {
				where[w] = append(in, int32(i))
			}
		}
	}
	return where
}

func (a *atlas) indexDeclared() {
	a.filled.declared = make(map[string]bool)
	for _, f := range a.repo.Files {
		for i := range f.Decls {
			a.filled.declared[f.Decls[i].Name] = true
		}
	}
}

// gap is the number of lines without a sibling that may lie between two of a list.
const gap = 12

// together finds the run of lines of a file that names most siblings outside their declarations and the imports.
func (a *atlas) together(file string, names map[string]bool, declared map[survey.Ref]bool) (survey.Ref, int) {
	var best survey.Ref
	most, start, last := 0, 0, -gap-1
	var here []string
	for i, line := range a.src.lines(file) {
		n := i + 1
		if !strings.ContainsAny(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_(") || importing(line) || declared[survey.Ref{Path: file, Start: n, End: n}] {
			continue
		}
		found := false
		for w := range identifiers(line) {
			if !names[w] {
				continue
			}
			if !found && n-last > gap {
				start, here = n, nil
			}
			found, last = true, n
			if !slices.Contains(here, w) {
				here = append(here, w)
			}
		}
		if found && len(here) > most {
			most, best = len(here), survey.Ref{Path: file, Start: start, End: n}
		}
	}
	return best, most
}

func importing(line string) bool {
	line = strings.TrimSpace(line)
	for _, w := range []string{"import ", "from ", "use ", "export ", "pub use ", "//", "#", "*", "impl ", "type ", "class ", "func ("} {
		if strings.HasPrefix(line, w) {
			return true
		}
	}
	return false
}

// spells reports whether lines hold a name: an example has to stand where a reader is sent.
func (a *atlas) spells(r survey.Ref, name string) bool {
	lines := a.src.lines(r.Path)
	for n := r.Start; n <= min(r.End, len(lines)); n++ {
		if hasIdentifier(lines[n-1], name) {
			return true
		}
	}
	return false
}

// hasIdentifier reports whether a name is one of the identifiers of a line. It looks for the name first: few lines have it.
func hasIdentifier(line, name string) bool {
	if name == "" {
		return false
	}
	ascii := func(c byte) bool { return c < 0x80 && wordByte(c) }
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			return false
		}
		i += from
		if end := i + len(name); (i == 0 || !ascii(line[i-1])) && (end == len(line) || !ascii(line[end])) {
			for w := range identifiers(name) {
				return w == name // else it is several words
			}
			return false
		}
		from = i + 1
	}
}
