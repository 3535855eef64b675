package extractive

import (
	"cmp"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A failure is a declared error or an exit with its file.
type failure struct {
	scan.Failure
	file *scan.File
}

// failuresOf are the failures of a part in product code: exits by file and line, then errors, the much used first.
func (a *atlas) failuresOf(c *survey.Component) (exits, declared []failure) {
	for _, f := range a.files(c) {
		if supports(f.Path) || f.BuildTag {
			continue
		}
		for _, x := range f.Failures {
			if strings.HasPrefix(x.Name, "exit ") {
				if a.reached(f, x.Line) {
					exits = append(exits, failure{x, f})
				}
			} else if meaningful(x) {
				declared = append(declared, failure{x, f})
			}
		}
	}
	slices.SortStableFunc(declared, func(x, y failure) int {
		return cmp.Or(cmp.Compare(bits.Len(uint(a.uses[y.Name])), bits.Len(uint(a.uses[x.Name]))), cmp.Compare(x.Name, y.Name), cmp.Compare(x.file.Path, y.file.Path))
	})
	return exits, slices.CompactFunc(declared, func(x, y failure) bool { return x.Name == y.Name })
}

// meaningful reports whether the text of an error tells a reader when it occurs. Format strings, notices and errors that never occur do not.
func meaningful(x scan.Failure) bool {
	text := firstSentence(x.Text)
	lower := strings.ToLower(text)
	switch {
	case len(strings.Fields(text)) < 2 || strings.Trim(text, ".") == x.Name, strings.Contains(text, "%"), strings.Contains(lower, "never"), strings.Contains(lower, "an error that can occur in this"):
		return false
	case strings.HasSuffix(x.Name, "Info"), strings.HasSuffix(x.Name, "Warning"):
		return false
	}
	return true
}

// failureRows tables the errors a part declares, with their messages or docs.
func (a *atlas) failureRows(p *page, c *survey.Component, limit int) []row {
	_, declared := a.failuresOf(c)
	var rows []row
	for _, x := range declared[:min(limit, len(declared))] {
		ref := survey.Ref{Path: x.file.Path, Start: x.Line, End: max(x.Line, min(x.End, x.Line+8))}
		refs := []survey.Ref{ref}
		for i := range x.file.Decls { // the text may be the doc comment above the declaration
			if d := &x.file.Decls[i]; d.Name == x.Name && d.Start == x.Line {
				refs = append(a.docRefs(symbol{d, x.file}), ref)
			}
		}
		means := quote(firstSentence(x.Text))
		rows = append(rows, row{
			cells: []text{p.linked(code(x.Name), survey.Ref{Path: ref.Path, Start: x.Line, End: x.Line}), means},
			claim: compose("{} means: {}", code(x.Name), quote(sentence(firstSentence(x.Text)))), refs: refs,
		})
	}
	return rows
}

// exitRows table where a part ends the process, with the function and the condition. An exit without either says nothing.
func (a *atlas) exitRows(p *page, c *survey.Component, limit int) []row {
	exits, _ := a.failuresOf(c)
	slices.SortStableFunc(exits, func(x, y failure) int { return inMain(x) - inMain(y) })
	var rows []row
	for _, x := range exits {
		if len(rows) == limit {
			break
		}
		if x.file.Language == "C" && a.mainFile() != x.file.Path {
			continue // one program is made of many files, and each of them may end it
		}
		at := survey.Ref{Path: x.file.Path, Start: x.Line, End: x.Line}
		in, ok := enclosing(x.file, x.Line)
		if !ok {
			if r, ok := a.commandExit(p, x); ok {
				rows = append(rows, r)
			}
			continue
		}
		if failing(in.decl.Name) {
			continue
		}
		status := strings.TrimPrefix(x.Name, "exit ")
		cond, by := a.condition(at)
		if cond == "" || strings.Contains(strings.ToLower(cond), "markdown") || strings.Contains(strings.ToLower(cond), "document") {
			continue
		}
		refs := []survey.Ref{at, in.ref()}
		where := p.linked(code(in.decl.Name), in.ref())
		claim := compose("{} ends the process with exit status {}", code(in.decl.Name), code(status))
		if x.file.Language == "Rust" && in.decl.Name != "main" {
			claim = compose("{} names the exit status {}", code(in.decl.Name), code(status)) // which its caller may return from main
		}
		when := text{}
		if cond != "" {
			when = branch(cond, label)
			claim = compose("{} after {}", claim, branch(cond, code))
			refs = append(refs, by)
		}
		if guard, ref := a.guard(in, x.Line); guard != "" {
			when = compose("{}, compiled only under {}", when, p.linked(label(guard), ref))
			claim, refs = compose("{} (compiled only under {})", claim, label(guard)), append(refs, ref)
		}
		rows = append(rows, row{cells: []text{p.linked(label(status), at), where, when}, claim: compose("{}.", claim), refs: refs})
	}
	return rows
}

// branch shows the line that condition finds, and apart from it that the last branch behind that line is meant.
func branch(cond string, show func(string) text) text {
	if of, ok := strings.CutPrefix(cond, elseAfter); ok {
		return compose("{} and its last {}", show(of), label("else"))
	}
	return show(cond)
}

// elseAfter marks a condition whose last branch is meant.
const elseAfter = "else, after: "

// commandExit tells an exit in the action of a subcommand, which is a function without a name behind the declaration of the subcommand.
func (a *atlas) commandExit(p *page, x failure) (row, bool) {
	at := survey.Ref{Path: x.file.Path, Start: x.Line, End: x.Line}
	var of scan.Command
	for _, c := range x.file.Commands {
		if c.Line < x.Line && c.Line > of.Line {
			of = c
		}
	}
	cond, by := a.condition(at)
	if of.Name == "" || cond == "" || strings.HasPrefix(cond, elseAfter) {
		return row{}, false
	}
	where := survey.Ref{Path: x.file.Path, Start: of.Line, End: of.Line}
	status := strings.TrimPrefix(x.Name, "exit ")
	return row{
		cells: []text{p.linked(label(status), at), compose("action of {}", p.linked(label(of.Name), where)), label(cond)},
		claim: compose("Behind the declaration of the subcommand {}, the process ends with exit status {} after {}.", label(of.Name), code(status), code(cond)),
		refs:  []survey.Ref{where, at, by},
	}, true
}

// inMain orders the exits of a main function before those of others.
func inMain(x failure) int {
	if in, ok := enclosing(x.file, x.Line); ok && in.decl.Name == "main" {
		return 0
	}
	return 1
}

// maxExitRows bounds the table of exits.
const maxExitRows = 30

var exitHeader = []string{"Exit status", "In", "After the line"}

// enclosing is the innermost function around a line.
func enclosing(f *scan.File, line int) (symbol, bool) {
	var best *scan.Decl
	for i := range f.Decls {
		d := &f.Decls[i]
		if functionKind(d.Kind) && d.Start <= line && line <= d.End && (best == nil || d.Start > best.Start) {
			best = d
		}
	}
	return symbol{best, f}, best != nil
}

// mainFile is the file in which the main program starts, or "".
func (a *atlas) mainFile() string {
	if all := a.mainPrograms(); len(all) > 0 {
		return all[0].Entry.Path
	}
	return ""
}

// condition is the line under which a line stands, where that is a condition or a handler. A bare check of an error is told by the line
// before it, which made the error.
func (a *atlas) condition(at survey.Ref) (string, survey.Ref) {
	lines := a.src.lines(at.Path)
	if at.Start < 1 || at.Start > len(lines) {
		return "", survey.Ref{}
	}
	depth := indent(lines[at.Start-1])
	for n := at.Start - 1; n > max(0, at.Start-24); n-- {
		line := lines[n-1]
		if strings.TrimSpace(line) == "" || indent(line) >= depth {
			continue
		}
		head := strings.TrimSpace(line)
		if otherwise(head) {
			of, by := elseOf(lines, n)
			if of == "" {
				return "", survey.Ref{}
			}
			return elseAfter + of, survey.Ref{Path: at.Path, Start: by, End: by}
		}
		if head == "if err != nil {" && n > 1 {
			head, n = strings.TrimSpace(lines[n-2]), n-1
			if !strings.Contains(head, "err") || strings.HasSuffix(head, "}") || strings.HasSuffix(head, ")") && !strings.Contains(head, "(") {
				return "", survey.Ref{}
			}
		} else if !conditional(fromIf(head)) && !(path.Ext(at.Path) == ".rs" && strings.HasSuffix(head, "=> {")) {
			return "", survey.Ref{}
		}
		return strings.TrimLeft(strings.TrimRight(fromIf(head), " {:"), "} "), survey.Ref{Path: at.Path, Start: n, End: n}
	}
	return "", survey.Ref{}
}

// guard is the innermost directive of the preprocessor in a function of C under which a line is compiled, "" where there is none.
func (a *atlas) guard(in symbol, at int) (string, survey.Ref) {
	if in.file.Language != "C" && in.file.Language != "C++" {
		return "", survey.Ref{}
	}
	lines := a.src.lines(in.file.Path)
	depth, inverse := 0, false
	for n := min(at, len(lines)) - 1; n > in.decl.Start; n-- {
		t := strings.ReplaceAll(strings.TrimSpace(lines[n-1]), "# ", "#")
		switch {
		case strings.HasPrefix(t, "#endif"):
			depth++
		case strings.HasPrefix(t, "#else") && depth == 0, strings.HasPrefix(t, "#elif") && depth == 0:
			inverse = true
		case strings.HasPrefix(t, "#if") && depth > 0:
			depth--
		case strings.HasPrefix(t, "#if"):
			if inverse {
				t = "not " + t
			}
			return t, survey.Ref{Path: in.file.Path, Start: n, End: n}
		}
	}
	return "", survey.Ref{}
}

// fromIf drops what stands before a condition whose branches are values: "Ok(if matched {".
func fromIf(head string) string {
	if _, rest, ok := strings.Cut(head, "(if "); ok && strings.HasSuffix(head, "{") {
		return "if " + rest
	}
	return head
}

// otherwise reports whether a line begins the last branch of a condition.
func otherwise(head string) bool {
	return head == "else" || head == "else:" || head == "} else {" || head == "else {"
}

// elseOf is the condition whose last branch begins on a line, with its number; "" where it is not told in one line.
func elseOf(lines []string, n int) (string, int) {
	depth := indent(lines[n-1])
	for i := n - 1; i > max(0, n-40); i-- {
		t := strings.TrimSpace(lines[i-1])
		if t == "" || indent(lines[i-1]) > depth || t == "}" && i == n-1 {
			continue
		}
		if t = fromIf(t); indent(lines[i-1]) < depth || !conditional(t) {
			return "", 0
		}
		return strings.TrimLeft(strings.TrimRight(t, " {:"), "} "), i
	}
	return "", 0
}

func conditional(head string) bool {
	head = strings.TrimPrefix(head, "} ")
	for _, w := range []string{"if ", "if(", "elif ", "else if", "case ", "except ", "catch ", "unless ", "while ", "Err("} {
		if strings.HasPrefix(head, w) {
			return true
		}
	}
	return false
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// handlerRows table the documented functions and settings of a part that deal with failures, by their names.
func (a *atlas) handlerRows(p *page, c *survey.Component, limit int) []row {
	var rows []row
	seen := make(map[string]bool)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool {
		return (functionKind(d.Kind) || d.Kind == scan.KindField) && !d.Deprecated && handles(d.Name) && usable(firstSentence(d.Doc))
	}) {
		if len(rows) == limit {
			break
		}
		if seen[s.decl.Name] || supports(s.file.Path) || s.file.BuildTag || path.Ext(s.file.Path) == ".h" {
			continue
		}
		seen[s.decl.Name] = true
		said := quote(sentence(firstSentence(s.decl.Doc)))
		rows = append(rows, row{cells: []text{p.linked(code(s.name()), s.ref()), said}, claim: claimOf(s, said), refs: a.docRefs(s)})
	}
	return rows
}

// handles reports whether a name says that something deals with failures.
func handles(name string) bool {
	does, what := false, false
	for i, w := range nameWords(name) {
		switch strings.ToLower(w) {
		case "recover", "repair":
			if i == 0 {
				return true
			}
		case "handle", "handler", "silence", "middleware", "abort", "rollback", "overlay":
			does = true
		case "error", "errors", "exception", "exceptions", "failure", "panic", "corruption", "usage":
			what = true
		}
	}
	return does && what
}

// failures tells on a page about a part what fails how.
func (a *atlas) failures(p *page, c *survey.Component) {
	p.table(exitHeader, a.exitRows(p, c, maxExitRows))
	p.blank()
	p.table([]string{"Deals with failures", "In its authors' words"}, a.handlerRows(p, c, 6))
	p.blank()
	p.table([]string{"Error", "Means"}, a.failureRows(p, c, 12))
}

// failuresOverview tells about the whole: how programs end, what deals with failures, and the errors of the parts that most others need.
func (a *atlas) failuresOverview(p *page) {
	parts := slices.DeleteFunc(a.byImportance(), func(c *survey.Component) bool { return c.Role == "tools" })
	var exits, handlers, errors []row
	started := make(map[*survey.Component]bool)
	for _, g := range a.mainPrograms() {
		if c := a.byID[g.Component]; c != nil && c.Role != "tools" && !started[c] && len(exits) < maxExitRows {
			started[c] = true
			exits = append(exits, a.exitRows(p, c, maxExitRows-len(exits))...)
		}
	}
	for _, c := range parts { // the subcommands of a program may be declared in another part than its entry
		declares := slices.ContainsFunc(a.files(c), func(f *scan.File) bool { return len(f.Commands) > 0 })
		if declares && !started[c] && len(exits) < maxExitRows {
			exits = append(exits, a.exitRows(p, c, maxExitRows-len(exits))...)
		}
	}
	for _, c := range parts {
		for _, r := range a.handlerRows(p, c, 4) {
			if len(handlers) < 10 {
				handlers = append(handlers, row{cells: append(r.cells, a.part(p, c)), claim: r.claim, refs: r.refs})
			}
		}
		for _, r := range a.failureRows(p, c, 3) {
			if len(errors) < 14 {
				errors = append(errors, row{cells: append(r.cells, a.part(p, c)), claim: r.claim, refs: r.refs})
			}
		}
	}
	a.operationHandlers(p, a.mainOperation())
	p.blank()
	p.table(exitHeader, exits)
	p.endsHere(len(exits) > 0, "Exits under a condition that one line tells; there may be others.")
	p.blank()
	p.table([]string{"Setting", "Shipped value", "In its authors' words"}, a.failureSettings(p, 12))
	p.blank()
	p.table([]string{"Deals with failures", "In its authors' words", "Part"}, handlers)
	p.blank()
	p.table([]string{"Error", "Means", "Part"}, errors)
}
