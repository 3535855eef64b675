package extractive

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// A handler is a block of a function that runs when something has failed.
type handler struct {
	in     symbol
	failed string     // the line that says what failed, as written
	ref    survey.Ref // of that line
	head   survey.Ref // of the line that begins the block
	runs   []reaction
	passes bool   // all it does is to hand the error to its caller
	of     string // what was called, where one call fails: "c.ParseFlags"
}

// A reaction is a line of a handler with the condition that it stands under, if any.
type reaction struct {
	line  string
	under string
	ref   survey.Ref
}

// Bounds of what is told about handlers.
const (
	maxHandlers    = 5 // of a function
	maxReactions   = 4 // of a handler
	handlerLines   = 40
	maxHandlerRows = 16
)

// handlersOf finds the blocks of a function that handle an error, as far as single lines show them.
func (a *atlas) handlersOf(s symbol) []handler {
	lines := a.src.lines(s.file.Path)
	var out []handler
	for n := s.decl.Start + 1; n <= min(s.decl.End, len(lines)); n++ {
		h, ok := handlerHead(s.file.Language, lines, n)
		if !ok || a.postponedAt(s, n) {
			continue
		}
		h.in, h.head = s, survey.Ref{Path: s.file.Path, Start: n, End: n}
		h.ref.Path = s.file.Path
		h.runs = a.reactions(s, lines, n)
		h.passes = len(h.runs) > 0 && !slices.ContainsFunc(h.runs, func(r reaction) bool { return !passesOn(r.line) || r.under != "" })
		if len(h.runs) > 0 {
			out = append(out, h)
		}
	}
	return out
}

// postponedAt reports whether a line of Go stands in a function literal, which runs some other time or not at all.
func (a *atlas) postponedAt(s symbol, at int) bool {
	if s.file.Language != "Go" {
		return false
	}
	lines := a.src.lines(s.file.Path)
	depth := indent(lines[at-1])
	for n := at - 1; n > s.decl.Start; n-- {
		if t := strings.TrimSpace(lines[n-1]); t != "" && indent(lines[n-1]) < depth {
			depth = indent(lines[n-1])
			if strings.Contains(t, "func(") && strings.HasSuffix(t, "{") {
				return true
			}
		}
	}
	return false
}

var (
	goFailure = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\} else )?if (?:(.+); )?(\w*[eE]rr\w*) != nil \{$`)
	})
	rustFailure = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:if let Err\(\w+\) = (.+) \{|Err\(\w+\)( if .+)? =>.*)$`)
	})
	cFailure = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\} else )?if ?\(.*\w\(.*\).*(?:== ?(?:C_ERR|-1|NULL)|!= ?C_OK|< ?0)\)+ ?\{?$`)
	})
	calledName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_][\w.]*)\(`) })
)

// handlerHead reports whether a block that handles an error begins on a line, and which line tells what has failed.
func handlerHead(language string, lines []string, n int) (handler, bool) {
	head := strings.TrimSpace(lines[n-1])
	h := handler{failed: strings.TrimRight(head, " {:"), ref: survey.Ref{Start: n, End: n}}
	switch language {
	case "Go":
		m := goFailure().FindStringSubmatch(head)
		if m == nil {
			return handler{}, false
		}
		if m[1] != "" {
			h.failed = m[1]
		} else if n > 1 {
			before := strings.TrimSpace(lines[n-2])
			if names, _, ok := strings.Cut(before, "="); ok && slices.Contains(strings.FieldsFunc(strings.TrimSuffix(names, ":"), func(r rune) bool { return r == ',' || r == ' ' }), m[2]) && strings.HasSuffix(before, ")") && balanced(before) {
				h.failed, h.ref = before, survey.Ref{Start: n - 1, End: n - 1}
			}
		}
		h.of = callee(h.failed)
		return h, true
	case "Python":
		return h, strings.HasPrefix(head, "except") && strings.HasSuffix(head, ":")
	case "JavaScript", "TypeScript", "Java", "C#", "PHP", "Kotlin":
		h.failed = strings.TrimLeft(h.failed, "} ")
		if tried, at, more := triedBefore(lines, n); tried != "" && strings.Count(h.failed, "|") == 0 && untypedCatch(language, h.failed) {
			if h.failed, h.ref.Start, h.ref.End = tried, at, at; more {
				h.failed += " …"
			}
		}
		return h, strings.HasPrefix(strings.TrimLeft(head, "} "), "catch") && strings.HasSuffix(head, "{")
	case "Rust":
		if rustFailure().MatchString(head) {
			h.failed = strings.TrimSuffix(strings.TrimSpace(strings.SplitN(h.failed, "=>", 2)[0]), " ")
			return h, true
		}
	case "C":
		return h, cFailure().MatchString(head)
	}
	return handler{}, false
}

// untypedCatch reports whether a handler takes every error, so that its head says nothing about what failed.
func untypedCatch(language, head string) bool {
	return language == "JavaScript" || language == "TypeScript" || !strings.Contains(head, "(")
}

// triedBefore is the first statement of the block whose handler begins on a line, with its number, and whether others follow it.
func triedBefore(lines []string, n int) (first string, at int, more bool) {
	depth, inner := indent(lines[n-1]), 0
	for i := n - 1; i > max(0, n-handlerLines); i-- {
		t := strings.TrimSpace(lines[i-1])
		switch {
		case t == "" || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "/*"):
			continue
		case indent(lines[i-1]) <= depth:
			if !strings.HasSuffix(t, "try {") {
				return "", 0, false
			}
			return first, at, inner > 1
		}
		if at == 0 || indent(lines[i-1]) <= indent(lines[at-1]) {
			first, at = strings.TrimRight(t, ";{ "), i
		}
		inner++
	}
	return "", 0, false
}

// callee is what the first call after an assignment calls.
func callee(statement string) string {
	if _, rest, ok := strings.Cut(statement, "="); ok {
		statement = rest
	}
	if m := calledName().FindStringSubmatch(strings.TrimSpace(statement)); m != nil && strings.HasPrefix(strings.TrimSpace(statement), m[1]) {
		return m[1]
	}
	return ""
}

// reactions are the statements of the block that begins on a line, each of them one line.
func (a *atlas) reactions(s symbol, lines []string, n int) []reaction {
	at := func(line, under string, n int) reaction {
		return reaction{line: line, under: under, ref: survey.Ref{Path: s.file.Path, Start: n, End: n}}
	}
	if _, rest, ok := strings.Cut(lines[n-1], "=>"); ok && s.file.Language == "Rust" {
		if rest = strings.TrimSuffix(strings.TrimSpace(rest), ","); rest != "{" && rest != "" {
			if statement(rest) {
				return []reaction{at(rest, "", n)}
			}
			return nil
		}
	}
	depth := indent(lines[n-1])
	var out []reaction
	for i := n + 1; i <= min(s.decl.End, n+handlerLines, len(lines)) && len(out) < maxReactions; i++ {
		line := lines[i-1]
		t := strings.TrimSpace(line)
		if t == "" || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "/*") {
			continue
		}
		if indent(line) <= depth {
			break
		}
		if !a.reached(s.file, i) {
			continue
		}
		if statement(t) {
			under, ok := underCondition(lines, n, i)
			if !ok {
				continue
			}
			out = append(out, at(strings.TrimSuffix(t, ";"), under, i))
		}
		if !strings.HasSuffix(strings.TrimSpace(lines[n-1]), "{") && !strings.HasSuffix(strings.TrimSpace(lines[n-1]), ":") {
			break // without a brace the block is one statement
		}
	}
	return out
}

// statement reports whether a line is a whole statement that does something.
func statement(t string) bool {
	first, _, _ := strings.Cut(strings.TrimRight(t, ";"), " ")
	first, _, _ = strings.Cut(first, "(")
	switch first {
	case "return", "raise", "throw", "break", "continue", "goto", "panic", "exit", "yield":
		return balanced(t) && !strings.HasSuffix(t, "{")
	case "if", "for", "while", "switch", "match", "case", "else", "elif", "try", "with", "catch", "except", "}", "default", "do", "select", "when", "const", "let", "var", "int", "char":
		return false
	}
	return balanced(t) && calledName().MatchString(t) && (strings.HasSuffix(t, ")") || strings.HasSuffix(t, ");") || strings.HasSuffix(t, ")?;")) && !strings.HasPrefix(t, ".") && !strings.HasPrefix(t, ")") && !strings.HasPrefix(t, "\"") && !strings.HasPrefix(t, "'") && !strings.HasPrefix(t, "`")
}

// balanced reports whether a line closes what it opens.
func balanced(t string) bool {
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(t, pair[:1]) != strings.Count(t, pair[1:]) {
			return false
		}
	}
	return true
}

// underCondition is the innermost condition between the head of a handler and one of its lines; false where it cannot be told in one line.
func underCondition(lines []string, head, at int) (string, bool) {
	depth := indent(lines[at-1])
	for n := at - 1; n > head; n-- {
		t := strings.TrimSpace(lines[n-1])
		if t == "" || indent(lines[n-1]) >= depth {
			continue
		}
		switch {
		case conditional(t) && balanced(strings.Trim(strings.TrimRight(t, "{: "), "} ")):
			return strings.Trim(strings.TrimRight(t, " {:"), "} "), true
		case entered(t) || strings.HasPrefix(t, "for ") || strings.HasPrefix(t, "for("):
			depth = indent(lines[n-1])
			continue
		}
		return "", false
	}
	return "", true
}

// passesOn reports whether a line does no more than to give the error to the caller, maybe with words around it.
func passesOn(line string) bool {
	line = strings.TrimSuffix(line, ";")
	switch line {
	case "raise", "throw e", "throw err", "throw error", "return err", "return Err(err)", "return Err(e)", "return C_ERR", "return -1", "return NULL":
		return true
	}
	rest, ok := strings.CutPrefix(line, "return ")
	if !ok {
		return false
	}
	if i := strings.LastIndex(rest, ", "); i >= 0 && !strings.Contains(rest, "(") {
		rest = rest[i+2:]
	}
	return rest == "err" || strings.Contains(rest, "Errorf(") && strings.Contains(rest, "%w") && strings.HasSuffix(rest, "err)")
}

// operationHandlers tables what the functions of the operations do when something fails in them.
func (a *atlas) operationHandlers(p *page, operations [][]stage) {
	var rows []row
	seen := make(map[string]bool)
	for _, stages := range operations {
		for _, st := range stages {
			key := st.at.file.Path + "\x00" + st.at.name()
			if seen[key] || len(rows) >= maxHandlerRows {
				continue
			}
			seen[key] = true
			rows = append(rows, a.handlerBlocks(p, st.at)...)
		}
	}
	p.table([]string{"In", "When this fails", "It runs"}, rows[:min(maxHandlerRows, len(rows))])
}

// handlerBlocks are the rows about one function: what it does about failures itself, then what it passes on.
func (a *atlas) handlerBlocks(p *page, s symbol) []row {
	all := a.handlersOf(s)
	in := p.linked(code(s.name()), s.ref())
	in.names = []string{s.decl.Name}
	var rows []row
	var passed, plain []text
	refs := []survey.Ref{s.ref()}
	for _, h := range all {
		if h.passes {
			if h.of != "" && len(passed) < maxCalls {
				name := h.of[strings.LastIndexByte(h.of, '.')+1:]
				if slices.ContainsFunc(plain, func(t text) bool { return t.plain == name }) {
					continue
				}
				passed, plain = append(passed, p.linked(code(name), h.ref)), append(plain, code(name))
				refs = append(refs, h.ref, h.runs[0].ref)
			}
			continue
		}
		if len(rows) < maxHandlers && !exits(h) {
			rows = append(rows, a.handlerBlock(p, in, h))
		}
	}
	if len(passed) > 1 {
		rows = append(rows, row{
			cells: []text{in, list(passed), words("returns the error to its caller")},
			claim: compose("{} returns an error of {} to its caller.", label(s.name()), list(plain)), refs: refs,
		})
	}
	return rows
}

func (a *atlas) handlerBlock(p *page, in text, h handler) row {
	refs := []survey.Ref{h.in.ref(), h.ref, h.head}
	var runs, plain []text
	for _, r := range h.runs {
		shown, said := p.linked(code(r.line), r.ref), code(r.line)
		if r.under != "" {
			shown, said = compose("{} under {}", shown, label(r.under)), compose("{} under {}", said, label(r.under))
		}
		runs, plain = append(runs, shown), append(plain, said)
		refs = append(refs, r.ref)
	}
	if h.ref.Start != h.head.Start {
		refs = append(refs, h.head)
	}
	if guard, ref := a.guard(h.in, h.head.Start); guard != "" {
		in = compose("{} (compiled only under {})", in, p.linked(label(guard), ref))
		in.names, refs = []string{h.in.decl.Name}, append(refs, ref)
	}
	return row{
		cells: []text{in, p.linked(code(h.failed), h.ref), list(runs)},
		claim: compose("In {}, the handler of {} runs {}.", label(h.in.name()), code(h.failed), list(plain)), refs: refs,
	}
}

// exits reports whether a handler ends the process under a status, which the table of exits tells.
func exits(h handler) bool {
	return slices.ContainsFunc(h.runs, func(r reaction) bool {
		return strings.HasPrefix(r.line, "os.Exit(") || strings.HasPrefix(r.line, "exit(") || strings.HasPrefix(r.line, "process.exit(") || strings.HasPrefix(r.line, "sys.exit(")
	}) && path.Ext(h.in.file.Path) != ".rs"
}
