package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// programs tables where execution starts.
func (a *atlas) programs(p *page) {
	var rows []row
	all := a.mainPrograms()
	for i, g := range all {
		c := a.byID[g.Component]
		if len(rows) == 20 {
			break
		}
		if slices.ContainsFunc(all[:i], func(o survey.Program) bool { return o.Entry == g.Entry }) {
			continue // a copy of one that is in the table
		}
		named := namesOf(all[i:], g.Entry)
		does := text{}
		refs := []survey.Ref{g.Entry}
		claim := compose("{} starts at {}", named, words(location(g.Entry)))
		if s := firstSentence(g.Doc.Text); usable(s) {
			does = quote(sentence(capital(commandWords(s))))
			claim = compose("{}: {}", claim, does)
			refs = append(refs, g.Doc.Ref)
		}
		start := p.at(g.Entry)
		if s, ok := a.calls.entry(g.Entry); ok {
			start = compose("{} in {}", p.linked(code(s.name()), s.ref()), label(g.Entry.Path))
			claim.names = []string{s.decl.Name}
		}
		part := text{}
		if c != nil {
			part = a.part(p, c)
		}
		rows = append(rows, row{cells: []text{named, start, does, part}, claim: compose("{}", claim), refs: refs})
	}
	if len(rows) == 0 {
		a.libraryStart(p)
		return
	}
	p.table([]string{"Program", "Starts at", "What it is", "Part"}, rows)
	shown := make(map[survey.Ref]bool)
	for _, g := range a.mainPrograms() {
		if len(g.CommandRefs) > 0 && !shown[g.CommandRefs[0]] {
			shown[g.CommandRefs[0]] = true
			a.subcommands(p, g)
		}
	}
}

// namesOf lists the programs that start at one place: copies of one binary that go by several names.
func namesOf(all []survey.Program, entry survey.Ref) text {
	var names []text
	for _, g := range all {
		if g.Entry == entry {
			names = append(names, label(g.Name))
		}
	}
	return list(names)
}

// hasEntry reports whether execution may start in some file after all, such as a script beside a library.
func (a *atlas) hasEntry() bool {
	for _, f := range a.repo.Files {
		if len(f.Entries) > 0 && !f.IsTest {
			return true
		}
	}
	return false
}

// libraryStart says where the use of a repository without programs starts.
func (a *atlas) libraryStart(p *page) {
	if a.hasEntry() {
		return
	}
	for _, c := range a.byImportance()[:min(1, len(a.byImportance()))] {
		s, ok := a.keySymbol(c)
		if !ok {
			continue
		}
		where := []text{p.linked(code(s.name()), s.ref())}
		refs := []survey.Ref{s.ref()}
		if stages := a.operationOf(c); len(stages) > 0 && stages[0].at.decl != s.decl {
			at := stages[0].at
			name := p.linked(code(at.name()), at.ref())
			name.names = []string{at.decl.Name}
			where, refs = append(where, name), append(refs, at.ref())
		}
		p.guide(compose("No program of its own was found in {}: other programs use it as a library.", label(a.name())))
		p.sayLinked(compose("Its API starts at {}.", list(where)), refs...)
	}
}

// mainPrograms are the programs without those of tests and examples: what is named like the repository first, then what lies where
// programs lie, then the helpers deep in the tree.
func (a *atlas) mainPrograms() []survey.Program {
	var out []survey.Program
	for _, g := range a.repo.Programs {
		c := a.byID[g.Component]
		if c != nil && (c.Role == "examples" || c.Role == "tests" || c.Role == "docs") || aside(path.Dir(g.Entry.Path)) {
			continue
		}
		out = append(out, g)
	}
	weigh := func(g survey.Program) int {
		w := strings.Count(g.Entry.Path, "/")
		c := a.byID[g.Component]
		if c != nil && a.largest() == c {
			w -= 5
		}
		switch name := strings.ToLower(g.Name); {
		case strings.Contains(name, "server"), strings.HasSuffix(name, "d"):
			w -= 3
		case strings.Contains(name, "bench"), strings.Contains(name, "test"), strings.Contains(name, "demo"), strings.Contains(name, "sample"):
			w += 6
		}
		switch first, _, _ := strings.Cut(g.Entry.Path, "/"); {
		case strings.EqualFold(g.Name, a.repo.Name):
			w -= 20
		case first == "utils" || first == "util" || first == "tools" || first == "scripts" || first == "script" || first == "hack" || first == "contrib":
			w += 10
		case strings.HasPrefix(g.Entry.Path, "cmd/"), strings.HasPrefix(g.Entry.Path, "bin/"), c != nil && c.Role == "program":
			w -= 10
		case g.Kind == "script":
			w += 10
		}
		return w
	}
	slices.SortStableFunc(out, func(x, y survey.Program) int {
		if d := weigh(x) - weigh(y); d != 0 {
			return d
		}
		return strings.Compare(x.Name+"\x00"+x.Entry.Path, y.Name+"\x00"+y.Entry.Path)
	})
	return out
}

// largest is the part with the most source.
func (a *atlas) largest() *survey.Component {
	var best *survey.Component
	for _, c := range a.parts {
		if best == nil || c.Lines > best.Lines {
			best = c
		}
	}
	return best
}

// commandWords drops "Package main " and "Command x " from a program's doc.
func commandWords(s string) string {
	if rest, ok := strings.CutPrefix(packageWords(s), "Command "); ok {
		if _, tail, found := strings.Cut(rest, " "); found {
			return tail
		}
	}
	return packageWords(s)
}

// subcommands tables the subcommands of a program with what they say about themselves.
func (a *atlas) subcommands(p *page, g survey.Program) {
	var rows []row
	for i, c := range g.Commands {
		if i >= len(g.CommandRefs) || len(rows) == 60 {
			break
		}
		last := code(strings.Trim(c.Name[strings.LastIndexByte(c.Name, ' ')+1:], "[]<>")) // the name as its own line spells it
		ref := a.src.widen(g.CommandRefs[i], last.plain)
		name := p.linked(label(c.Name), ref)
		if strings.HasPrefix(c.Name, "[") || strings.HasPrefix(c.Name, "<") { // an argument: what the program does without a command
			name = p.linked(label(g.Name+" "+c.Name), ref)
		}
		claim := compose("The command {} of {}: {}", text{plain: c.Name, names: last.names}, label(g.Name), quote(sentence(c.Short)))
		if c.Short == "" {
			claim = compose("{} has the command {}.", label(g.Name), text{plain: c.Name, names: last.names})
		}
		rows = append(rows, row{cells: []text{name, quote(sentence(c.Short))}, claim: claim, refs: []survey.Ref{ref}})
	}
	if len(rows) > 0 {
		p.section(3, "Commands of "+codeSpan(g.Name), func() { p.table([]string{"Command", "What it does"}, rows) })
	}
}
