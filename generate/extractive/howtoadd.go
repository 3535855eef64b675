package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// howToAdd tells how one more sibling is added: the one to copy, the place that lists them all, and the test that shows how. base is the type
// that they share; its decl is nil where they share only a pattern of names.
func (a *atlas) howToAdd(p *page, base symbol, members []symbol, c *survey.Component) (text, []survey.Ref) {
	copied := slices.DeleteFunc(slices.Clone(members), func(s symbol) bool { return a.wraps(s, base) })
	if len(copied) == 0 {
		copied = members
	}
	like := a.model(copied)
	where, more, listed := a.whereListed(p, members, c)
	if named := slices.DeleteFunc(slices.Clone(copied), func(s symbol) bool {
		return !listed || !a.spells(more[0], s.decl.Name) && !a.spells(more[0], "New"+s.decl.Name)
	}); len(named) > 0 {
		like = a.model(named) // what is copied has to stand where the reader is sent
	}
	t := compose("To add one: 1. write it like {} in {};", p.linked(code(like.decl.Name), like.ref()), label(path.Base(like.file.Path)))
	t.names = []string{like.decl.Name}
	refs := []survey.Ref{like.ref()}
	n := "2"
	if listed {
		t = compose("{} "+n+". add it in {};", t, where)
		refs = append(refs, more...)
		n = "3"
	}
	if test, of, ok := a.testOfOne(slices.Concat([]symbol{like}, members)); ok {
		t = compose("{} "+n+". test it like {}, which names {}.", t, p.at(test), label(of.decl.Name))
		refs = append(refs, test)
	} else if test, ok := a.ownTest(members); ok {
		t = compose("{} "+n+". test it like {}, whose name follows one of them.", t, p.at(test))
		refs = append(refs, test)
	} else if test, ok := a.testNaming(base); ok {
		t = compose("{} "+n+". test it like {}, which names {}.", t, p.at(test), label(base.decl.Name))
		refs = append(refs, test)
	}
	t.md, t.plain = strings.TrimSuffix(t.md, ";"), strings.TrimSuffix(t.plain, ";")
	t = text{md: sentence(t.md), plain: sentence(t.plain), names: t.names}
	if types, lines := a.typesOfMethods(p, base, c); len(types) > 0 {
		t, refs = compose("{} The methods of {} take or return {}.", t, label(base.decl.Name), list(types)), append(refs, lines...)
	}
	return t, refs
}

// testOfOne finds the first test that names one of several declarations, in the test file of its file.
func (a *atlas) testOfOne(members []symbol) (survey.Ref, symbol, bool) {
	for _, s := range members {
		if t, ok := a.testOf(s.file.Path, s.decl.Name); ok {
			return t, s, true
		}
	}
	return survey.Ref{}, symbol{}, false
}

// wraps reports whether a type holds another of its own kind: it adds to one that is there, and shows little of how one is written.
func (a *atlas) wraps(s, base symbol) bool {
	return base.decl != nil && s.decl.Kind == scan.KindStruct && a.spells(survey.Ref{Path: s.file.Path, Start: s.decl.Start + 1, End: s.decl.End - 1}, base.decl.Name)
}

// maxTypesOfMethods bounds the types that are named of the signatures of a contract.
const maxTypesOfMethods = 4

// typesOfMethods are the types of its own part that the methods of a contract take or return: what one more of its kind has to deal with.
func (a *atlas) typesOfMethods(p *page, base symbol, c *survey.Component) (out []text, refs []survey.Ref) {
	if base.decl == nil || base.decl.Kind != scan.KindInterface && base.decl.Kind != scan.KindTrait {
		return nil, nil
	}
	seen := map[string]bool{base.decl.Name: true}
	for i := range base.file.Decls {
		d := &base.file.Decls[i]
		if d.Parent != base.decl.Name || !functionKind(d.Kind) || d.Start < base.decl.Start || d.End > base.decl.End {
			continue
		}
		for w := range identifiers(d.Signature) {
			types := a.basesNamed(w)
			if seen[w] || w == d.Name || len(types) != 1 || a.component(types[0].file.Path) != c || types[0].file.Language != base.file.Language || len(out) == maxTypesOfMethods {
				continue
			}
			seen[w] = true
			t := types[0]
			out = append(out, compose("{} ({})", p.linked(code(w), t.ref()), label(path.Base(t.file.Path))))
			refs = append(refs, t.ref(), survey.Ref{Path: base.file.Path, Start: d.Start, End: d.Start})
		}
	}
	return out, refs
}

// model is the sibling to copy: one that a test of its own file names, else the first.
func (a *atlas) model(members []symbol) symbol {
	all := a.spread(members, len(members))
	if real := slices.DeleteFunc(slices.Clone(all), placeholder); len(real) > 0 {
		all = real
	}
	for _, s := range all {
		if _, ok := a.testOf(s.file.Path, s.decl.Name); ok {
			return s
		}
	}
	return all[0]
}

// placeholder reports whether a type by its name stands for none in particular.
func placeholder(s symbol) bool {
	for _, w := range nameWords(s.decl.Name) {
		switch strings.ToLower(w) {
		case "unknown", "base", "abstract", "default", "null", "empty", "wrapper", "partial":
			return true
		}
	}
	return standIn(s.decl.Name)
}

// whereListed is the place in which the siblings are listed: by their names, or by the words in which their names differ.
func (a *atlas) whereListed(p *page, members []symbol, c *survey.Component) (text, []survey.Ref, bool) {
	if c == nil {
		return text{}, nil, false
	}
	if ref, ok := a.registry(members, c); ok {
		t, refs := compose("{}, where the others are named", p.at(ref)), []survey.Ref{ref}
		var more []text
		for _, r := range a.alsoListed(members, c, ref) {
			more, refs = append(more, p.at(r)), append(refs, r)
		}
		if len(more) > 0 {
			t = compose("{}, as most are in {}", t, list(more))
		}
		return t, refs, true
	}
	ref, found, ok := a.listedByWord(members, c)
	if !ok {
		return text{}, nil, false
	}
	var names []text
	for _, w := range found {
		names = append(names, code(w))
	}
	t := compose("{}, which lists {}", p.at(ref), list(names))
	refs := []survey.Ref{ref}
	if in, ok := enclosing(a.repo.Files[ref.Path], ref.Start); ok {
		t = compose("{} in {}", t, p.linked(code(in.decl.Name), in.ref()))
		refs = append(refs, in.ref())
	}
	return t, refs, true
}

// listedByWord finds the line of a part that lists, as names, the words in which the siblings differ: GenBashCompletion, GenZshCompletion and
// others belong to "AddCommand(bash, zsh, fish)".
func (a *atlas) listedByWord(members []symbol, c *survey.Component) (survey.Ref, []string, bool) {
	differ := differing(members)
	if len(differ) < least {
		return survey.Ref{}, nil, false
	}
	for _, f := range a.files(c) {
		for i, line := range a.src.lines(f.Path) {
			if !strings.ContainsAny(line, "([{") || importing(line) {
				continue
			}
			var found []string
			for w := range identifiers(line) {
				if differ[strings.ToLower(w)] && !slices.Contains(found, w) && !quoted(line, w) {
					found = append(found, w)
				}
			}
			if len(found) >= least && 3*len(found) >= 2*len(differ) {
				return survey.Ref{Path: f.Path, Start: i + 1, End: i + 1}, found, true
			}
		}
	}
	return survey.Ref{}, nil, false
}

// quoted reports whether the first place of a word in a line is inside a string or behind a comment mark.
func quoted(line, word string) bool {
	before, _, _ := strings.Cut(line, word)
	return strings.Count(before, `"`)%2 == 1 || strings.Count(before, "`")%2 == 1 || strings.Count(before, "'")%2 == 1 || strings.Contains(before, "//")
}

// differing are the words between the first and the last of the names of siblings, joined, in lower case.
func differing(members []symbol) map[string]bool {
	out := make(map[string]bool)
	for _, m := range members {
		w := nameWords(m.decl.Name)
		if len(w) < 3 {
			return nil
		}
		out[strings.ToLower(strings.Join(w[1:len(w)-1], ""))] = true
	}
	return out
}

// ownTest finds, in languages whose files carry their tests, a test that is named after one of the siblings: test_after_context for
// AfterContext.
func (a *atlas) ownTest(members []symbol) (survey.Ref, bool) {
	for _, s := range members {
		if s.file.Language != "Rust" {
			continue
		}
		want := strings.ToLower(strings.Join(nameWords(s.decl.Name), "_"))
		for _, t := range s.file.Tests {
			if name := t.Name[strings.LastIndexAny(t.Name, ":.")+1:]; name == "test_"+want || name == want {
				return survey.Ref{Path: s.file.Path, Start: t.Line, End: max(t.Line, min(t.End, t.Line+1))}, true
			}
		}
	}
	return survey.Ref{}, false
}

// testNaming finds the first test that names a type which others extend.
func (a *atlas) testNaming(base symbol) (survey.Ref, bool) {
	if base.decl == nil || len(a.calls.named[base.decl.Name]) > 0 || len(a.basesNamed(base.decl.Name)) != 1 {
		return survey.Ref{}, false
	}
	for _, name := range a.paths {
		f := a.repo.Files[name]
		if !f.IsTest || len(f.Tests) == 0 || f.Language != base.file.Language || !strings.Contains(a.src.whole(name), base.decl.Name) {
			continue
		}
		for _, t := range f.Tests {
			if a.spells(survey.Ref{Path: name, Start: t.Line, End: max(t.Line, t.End)}, base.decl.Name) {
				return survey.Ref{Path: name, Start: t.Line, End: t.Line}, true
			}
		}
	}
	return survey.Ref{}, false
}
