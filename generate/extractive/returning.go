package extractive

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// enders are the calls of each language after which nothing of the caller runs any more.
func enders(language string) []string {
	switch language {
	case "C", "C++":
		return []string{"abort", "exit", "_exit", "_Exit", "quick_exit", "longjmp", "siglongjmp", "__builtin_unreachable", "__builtin_trap", "std::terminate", "std::abort", "std::exit"}
	case "Go":
		return []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln", "panic", "runtime.Goexit"}
	case "Rust":
		return []string{"panic!", "unreachable!", "todo!", "unimplemented!", "std::process::exit", "process::exit", "std::process::abort", "process::abort"}
	case "Python":
		return []string{"sys.exit", "os._exit", "exit", "quit", "os.abort"}
	case "JavaScript", "TypeScript":
		return []string{"process.exit", "process.abort"}
	case "Java", "Kotlin":
		return []string{"System.exit", "exitProcess", "error"}
	case "C#":
		return []string{"Environment.Exit", "Environment.FailFast"}
	case "PHP":
		return []string{"exit", "die"}
	case "Ruby":
		return []string{"exit", "exit!", "abort", "raise"}
	}
	return nil
}

// leavers are the words with which a statement leaves its block for good.
var leavers = []string{"return", "raise", "throw", "goto", "break", "continue"}

// maxEnderDepth bounds how far a function is followed to the call by which it never returns.
const maxEnderDepth = 4

// endless reports whether a statement never lets the next one run: it leaves its block, or calls what never returns, as a macro or function of
// the repository that ends the process does.
func (a *atlas) endless(language, statement string) bool { return a.endlessTo(language, statement, 0) }

func (a *atlas) endlessTo(language, statement string, depth int) bool {
	statement = strings.TrimSpace(statement)
	first := statement
	if i := strings.IndexAny(first, " (;"); i >= 0 {
		first = first[:i]
	}
	if slices.Contains(leavers, first) {
		return true
	}
	if !strings.HasPrefix(statement[len(first):], "(") && language != "Ruby" && language != "PHP" {
		return false
	}
	if slices.Contains(enders(language), first) {
		return true
	}
	return depth < maxEnderDepth && a.neverReturns(language, first, depth)
}

// neverReturns reports whether every declaration of a name is a function that does not come back.
func (a *atlas) neverReturns(language, name string, depth int) bool {
	switch language {
	case "C", "C++", "Go", "Rust", "TypeScript", "Python":
	default:
		return false
	}
	all := sameLanguage(a.declaredAs(name), language)
	for _, s := range all {
		if !a.endsProcess(s, depth) {
			return false
		}
	}
	return len(all) > 0
}

// declaredAs are the functions and macros of a name, prototypes left out.
func (a *atlas) declaredAs(name string) []symbol {
	a.filled.endersOnce.Do(func() {
		a.filled.callable = make(map[string][]symbol)
		for _, p := range a.paths {
			f := a.repo.Files[p]
			if f.IsTest {
				continue
			}
			for i := range f.Decls {
				d := &f.Decls[i]
				ext := path.Ext(p)
				prototype := (ext == ".h" || ext == ".hpp") && d.End <= d.Start && d.Kind != scan.KindMacro
				if (d.Kind == scan.KindFunction || d.Kind == scan.KindMacro) && !prototype {
					a.filled.callable[d.Name] = append(a.filled.callable[d.Name], symbol{d, f})
				}
			}
		}
	})
	return a.filled.callable[name]
}

// endsProcess reports whether a function or macro never comes back: its type says so, or it returns nowhere and its last statement does not
// come back. A macro with a condition may.
func (a *atlas) endsProcess(s symbol, depth int) bool {
	lines := a.src.lines(s.file.Path)
	if s.decl.Start < 1 || s.decl.End > len(lines) {
		return false
	}
	if s.decl.Kind == scan.KindMacro {
		body := strings.Join(lines[s.decl.Start-1:max(s.decl.Start, s.decl.End)], " ")
		if _, rest, ok := strings.Cut(body, s.decl.Name); ok {
			body = rest
		}
		if strings.ContainsAny(body, "?") || strings.Contains(body, "if") || strings.Contains(body, "&&") || strings.Contains(body, "||") {
			return false
		}
		return slices.ContainsFunc(strings.FieldsFunc(body, func(r rune) bool { return r == ',' || r == ';' || r == '{' || r == '\\' || r == ' ' }), func(part string) bool {
			called, _, call := strings.Cut(strings.TrimSpace(part), "(")
			if !call {
				return slices.Contains(enders(s.file.Language), called) // a macro that is another name of it
			}
			return called != s.decl.Name && a.endlessTo(s.file.Language, called+"(", depth+1)
		})
	}
	switch s.file.Language {
	case "Rust":
		return strings.HasSuffix(strings.TrimRight(s.decl.Signature, " {"), "-> !")
	case "TypeScript":
		return strings.HasSuffix(strings.TrimRight(s.decl.Signature, " {"), ": never")
	case "Python":
		return strings.Contains(s.decl.Signature, "-> NoReturn") || strings.Contains(s.decl.Signature, "-> Never")
	}
	return a.lastStatementEnds(s, lines, depth)
}

// lastStatementEnds reports whether a function of C or Go returns nowhere and ends with a call that never comes back.
func (a *atlas) lastStatementEnds(s symbol, lines []string, depth int) bool {
	last, least := "", 1<<20
	for n := s.decl.Start + 1; n < s.decl.End; n++ {
		t := strings.TrimSpace(lines[n-1])
		if t == "" || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "#") {
			continue
		}
		if hasIdentifier(t, "return") {
			return false
		}
		if in := indent(lines[n-1]); in <= least {
			last, least = t, in
		}
	}
	first, _, call := strings.Cut(last, "(")
	return call && !strings.ContainsAny(first, " \t") && strings.HasSuffix(last, ";") == (s.file.Language != "Go") && a.endlessTo(s.file.Language, last, depth+1)
}

// reached reports whether the statement on a line can run: the one before it in its block lets it.
func (a *atlas) reached(f *scan.File, at int) bool {
	lines := a.src.lines(f.Path)
	if at < 1 || at > len(lines) {
		return true
	}
	depth := indent(lines[at-1])
	for n := at - 1; n > max(0, at-12); n-- {
		line := lines[n-1]
		t := strings.TrimSpace(line)
		if t == "" || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "*") || indent(line) > depth {
			continue
		}
		if indent(line) < depth || strings.HasPrefix(t, "}") || strings.HasPrefix(t, ")") || strings.HasPrefix(t, "#") {
			return true
		}
		return !a.endless(f.Language, t)
	}
	return true
}
