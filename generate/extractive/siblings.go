package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A family is a group of exported declarations of one directory, in files of their own, whose names follow one pattern: GenBash…,
// GenZsh…, or cssPlugin, htmlPlugin. It shows how one more of its kind is added where no common type says it.
type family struct {
	pattern string // "Gen…Completion"
	members []symbol
}

// families finds the naming patterns of a part, those with the most files first.
func (a *atlas) families(c *survey.Component) []family {
	type key struct{ dir, first, last string }
	groups := make(map[key][]symbol)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool { return d.Exported && (typeKind(d.Kind) || functionKind(d.Kind)) }) {
		if s.file.BuildTag || supports(s.file.Path) || s.decl.TypeOnly {
			continue
		}
		if s.decl.Kind == scan.KindMethod && s.file.Language != "Go" {
			continue // methods of one class are in one file
		}
		if s.file.Language == "C" {
			continue // all names of a program share one name space; their endings mean little
		}
		w := nameWords(s.decl.Name)
		dir := path.Dir(s.file.Path)
		if len(w) >= 3 && !verbs[strings.ToLower(w[0])] {
			k := key{dir, w[0], w[len(w)-1]}
			groups[k] = append(groups[k], s)
		}
		if len(w) >= 2 && verbs[strings.ToLower(w[0])] {
			continue
		}
		if len(w) >= 2 && !functionKind(s.decl.Kind) || len(w) >= 2 && s.decl.Parent == "" {
			k := key{dir, "", w[len(w)-1]}
			groups[k] = append(groups[k], s)
		}
	}
	var out []family
	for k, all := range groups {
		files, names := make(map[string]bool), make(map[string]bool)
		for _, s := range all {
			files[s.file.Path] = true
			names[s.decl.Name] = true
		}
		if 2*len(files) < len(names)+1 || len(names) < least {
			continue // several in one file, or one name under several build conditions
		}
		need := least
		if k.first == "" {
			need = 5 // a last word alone is a weaker pattern
		}
		if len(files) < need || vague[strings.ToLower(k.last)] {
			continue
		}
		slices.SortStableFunc(all, func(x, y symbol) int {
			return cmp.Or(cmp.Compare(x.file.Path, y.file.Path), cmp.Compare(x.decl.Start, y.decl.Start))
		})
		out = append(out, family{pattern: k.first + "…" + k.last, members: all})
	}
	slices.SortFunc(out, func(x, y family) int {
		return cmp.Or(cmp.Compare(y.breadth(), x.breadth()), cmp.Compare(x.pattern, y.pattern), cmp.Compare(x.members[0].file.Path, y.members[0].file.Path))
	})
	return out
}

// vague are last words that say nothing about a kind of thing.
var vague = map[string]bool{
	"error": true, "errors": true, "options": true, "config": true, "type": true, "types": true, "string": true, "id": true, "name": true,
	"test": true, "data": true, "info": true, "list": true, "map": true, "count": true, "size": true, "key": true, "value": true, "path": true,
	"builder": true, "reader": true, "writer": true, "matcher": true, "iter": true, "iterator": true, "labels": true, "context": true, "result": true, "state": true, "file": true, "func": true, "props": true, "args": true, "from": true, "to": true, "with": true, "metrics": true,
}

// verbs are first words of functions that many unlike things share.
var verbs = map[string]bool{"is": true, "has": true, "get": true, "set": true, "to": true, "with": true, "new": true, "as": true, "on": true, "can": true, "create": true, "throw": true}

// breadth is the number of files a family is spread over, in powers of two.
func (f family) breadth() int {
	files := make(map[string]bool)
	for _, s := range f.members {
		files[s.file.Path] = true
	}
	n := 0
	for k := len(files); k > 1; k /= 2 {
		n++
	}
	return n
}

// nameWords splits an identifier at capitals and underscores: "GenBashCompletion" → Gen, Bash, Completion.
func nameWords(name string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if w := strings.Trim(name[start:end], "_$"); w != "" {
			out = append(out, w)
		}
		start = end
	}
	runes := []rune(name)
	if len(runes) != len(name) {
		return nil // only plain names make a pattern
	}
	for i := 1; i < len(runes); i++ {
		switch {
		case runes[i] == '_':
			flush(i)
		case unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]):
			flush(i)
		case unicode.IsUpper(runes[i]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1]):
			flush(i)
		}
	}
	flush(len(name))
	return out
}

// kin writes a family as a list item: its members in their files, and the steps to add one more.
func (a *atlas) kin(p *page, f family) item {
	var names []text
	var refs []survey.Ref
	for _, s := range a.spread(f.members, 4) {
		names = append(names, compose("{} in {}", p.linked(code(s.decl.Name), s.ref()), label(path.Base(s.file.Path))))
		refs = append(refs, s.ref())
	}
	if len(f.members) > len(names) {
		names = append(names, words("others"))
	}
	t := compose("{} follow one naming pattern.", list(names))
	how, more := a.howToAdd(p, symbol{}, f.members, a.component(f.members[0].file.Path))
	return item{text: compose("{} {}", t, how), refs: append(refs, more...), bare: true}
}
