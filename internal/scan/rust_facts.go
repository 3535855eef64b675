package scan

import (
	"strings"
	"unicode"
)

// functionFacts records what attributes and name make of a function: a test, a route, an entry point.
func (r *rustScanner) functionFacts(d Decl, h rustHead, self rustScope) {
	if d.Name == "main" && self.name == "" {
		r.f.Entries = append(r.f.Entries, Entry{Kind: "main", Name: r.entryName(), Line: d.Start, End: d.End})
	}
	for _, a := range h.attrs {
		switch a.name {
		case "test", "rstest", "test_case", "proptest", "quickcheck":
			r.f.Tests = append(r.f.Tests, Test{Name: within(self.name, "::", d.Name), Line: d.Start, End: d.End})
			r.tests = true
			return
		case "get", "post", "put", "delete", "patch", "head", "options", "route":
			path, ok := r.str(a.open + 1)
			if ok && a.open != a.close && strings.HasPrefix(path, "/") && self.kind != "test" {
				method := strings.ToUpper(a.name)
				if a.name == "route" {
					method = strings.ToUpper(r.argumentString(a, "method"))
				}
				r.f.Routes = append(r.f.Routes, Route{Method: method, Path: path, Handler: within(self.name, "::", d.Name), Line: d.Start})
			}
		}
	}
	if self.kind != "test" {
		r.code = true
	}
}

// derived records what derive macros make of a type: options and commands of clap, errors of thiserror.
func (r *rustScanner) derived(d *Decl, h rustHead, a attribute, open, shut int) {
	for i := a.open + 1; i < a.close; i++ {
		switch r.word(i) {
		case "Error":
			text := ""
			if e, ok := find(h.attrs, "error"); ok {
				text, _ = r.str(e.open + 1)
			}
			if d.Kind == KindStruct {
				r.f.Failures = append(r.f.Failures, Failure{Name: d.Name, Text: text, Line: d.Start, End: d.End})
			}
		case "Parser", "Args":
			if r.at(open) == '{' {
				r.clapFields(open, shut)
			}
		case "Subcommand":
			if r.at(open) == '{' {
				r.clapVariants(open, shut)
			}
		}
	}
}

// clapFields records the options among the fields of a struct.
func (r *rustScanner) clapFields(open, shut int) {
	for i := open + 1; i < shut; {
		h, at := r.head(i, shut)
		i = max(r.nextField(at, shut), i+1)
		a, ok := find(h.attrs, "arg", "clap", "structopt")
		if !ok || !r.isWord(at) {
			continue
		}
		field := strings.ReplaceAll(strings.TrimPrefix(r.word(at), "r#"), "_", "-")
		name := ""
		for k := a.open + 1; k < a.close; k = r.nextArgument(k, a.close) {
			if r.is(k, "long") {
				name = field
				if s, ok := r.str(k + 2); ok && r.at(k+1) == '=' {
					name = s
				}
			}
		}
		if name == "" {
			continue
		}
		d := Decl{}
		r.docs(&d, h.start, "///")
		usage := r.argumentString(a, "help", "about")
		if usage == "" {
			usage = firstSentence(d.Doc)
		}
		r.f.Flags = append(r.f.Flags, Flag{Name: name, Default: r.clapDefault(a), Usage: usage, Line: r.line(at)})
	}
}

func (r *rustScanner) clapDefault(a attribute) string {
	if i := r.argument(a, "default_value", "default_value_t"); i > 0 {
		next := r.nextArgument(i, a.close)
		return r.literalText(i, next-b2i(next < a.close))
	}
	return ""
}

// nextField is nextArgument where the types of fields hold commas between angle brackets.
func (r *rustScanner) nextField(i, end int) int {
	for i < end {
		switch r.at(i) {
		case ',':
			return i + 1
		case '(', '[', '{':
			i = r.pair(i) + 1
		case '<':
			i = max(r.angles(i), i+1)
		default:
			i++
		}
	}
	return end
}

// clapVariants records the subcommands among the variants of an enum, and their options.
func (r *rustScanner) clapVariants(open, shut int) {
	for i := open + 1; i < shut; {
		h, at := r.head(i, shut)
		i = max(r.nextArgument(at, shut), i+1)
		if !r.isWord(at) {
			continue
		}
		d := Decl{}
		r.docs(&d, h.start, "///")
		c := Command{Name: kebabCase(r.word(at)), Short: firstSentence(d.Doc), Line: r.line(at)}
		if a, ok := find(h.attrs, "command", "clap", "structopt"); ok {
			if name := r.argumentString(a, "name"); name != "" {
				c.Name = name
			}
			if about := r.argumentString(a, "about"); about != "" {
				c.Short = about
			}
		}
		r.f.Commands = append(r.f.Commands, c)
		if r.at(at+1) == '{' {
			r.clapFields(at+1, r.pair(at+1))
		}
	}
}

// kebabCase turns a name in camel case into words joined by hyphens.
func kebabCase(s string) string {
	var b strings.Builder
	for i, c := range s {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// call looks at the call whose name stands at i. Macros are no calls of this kind: their names stand before an exclamation mark.
func (r *rustScanner) call(i int) {
	if r.at(i+1) != '(' {
		return
	}
	switch r.word(i) {
	case "var", "var_os":
		if r.is(i-3, "env") && r.op(i-2, "::") {
			r.envRead(i+2, r.fallback(r.pair(i+1)+1))
		}
	case "exit":
		if r.is(i-3, "process") || r.separator(i) == i {
			r.exitStatus(i, i+1)
		}
	case "from":
		if r.is(i-3, "ExitCode") && r.op(i-2, "::") {
			r.exitStatus(i, i+1)
			if t := r.tok(i + 2); t.kind == tokenNumber && r.text(i+2, i+3) == "0" && r.at(i+3) == ')' {
				r.exits(i, "0") // a status among others, and the only one that says when nothing failed
			}
		}
	case "route":
		r.axumRoute(i)
	case "new":
		r.clapBuilder(i)
	}
}

// body records calls, and the environment that macros read when the program is built.
func (r *rustScanner) body(caller string, from, to int) {
	r.reader.body(caller, from, to)
	for i := from; i+2 < to; i++ {
		if r.at(i+1) == '!' && r.at(i+2) == '(' && (r.is(i, "env") || r.is(i, "option_env")) {
			r.envRead(i+3, "")
		}
	}
}

// fallback returns the literal that an unwrap_or at i puts in the place of an error.
func (r *rustScanner) fallback(i int) string {
	if r.at(i) != '.' || !strings.HasPrefix(r.word(i+1), "unwrap_or") || r.at(i+2) != '(' {
		return ""
	}
	for k := i + 3; k < min(r.pair(i+2), i+8); k++ {
		if s, ok := r.str(k); ok {
			return s
		}
	}
	return ""
}

// axumRoute records .route("/path", get(handler)) and its relative of actix, .route("/path", web::get().to(handler)).
func (r *rustScanner) axumRoute(i int) {
	path, ok := r.str(i + 2)
	if !ok || r.at(i+3) != ',' || r.at(i-1) != '.' || r.inTest {
		return // what a test routes is not served
	}
	for k := i + 4; k < r.pair(i+1); k++ {
		switch w := r.word(k); w {
		case "get", "post", "put", "delete", "patch", "head", "options", "any":
			if r.at(k+1) != '(' {
				continue
			}
			method, handler := strings.ToUpper(w), ""
			if w == "any" {
				method = ""
			}
			if n := r.pair(k + 1); n > k+2 {
				handler = r.plainPath(k+2, n)
			} else if r.at(n+1) == '.' && r.is(n+2, "to") {
				handler = r.plainPath(n+4, r.pair(n+3))
			}
			r.f.Routes = append(r.f.Routes, Route{Method: method, Path: path, Handler: handler, Line: r.line(i)})
			k = r.pair(k + 1)
		}
	}
}

// plainPath returns the tokens from i to before end where they are one path.
func (r *rustScanner) plainPath(i, end int) string {
	for k := i; k < end; k++ {
		if !r.isWord(k) && r.at(k) != ':' {
			return ""
		}
	}
	return r.text(i, end)
}

// clapBuilder records Arg::new("name").long("name").help("…") and Command::new("name").about("…").
func (r *rustScanner) clapBuilder(i int) {
	if !r.op(i-2, "::") || r.inTest {
		return
	}
	kind := r.word(i - 3)
	name, ok := r.str(i + 2)
	if !ok || kind != "Arg" && kind != "Command" && kind != "App" && kind != "SubCommand" {
		return
	}
	if kind == "Command" && !strings.Contains(r.s, "clap::") {
		return // std::process::Command
	}
	long, help, def := "", "", ""
	for k := r.pair(i+1) + 1; r.at(k) == '.' && r.isWord(k+1) && r.at(k+2) == '('; k = r.pair(k+2) + 1 {
		s, _ := r.str(k + 3)
		switch r.word(k + 1) {
		case "long":
			long = s
		case "help", "about":
			help = s
		case "default_value":
			def = s
		}
	}
	if kind == "Arg" {
		if long != "" {
			r.f.Flags = append(r.f.Flags, Flag{Name: long, Default: def, Usage: help, Line: r.line(i)})
		}
		return
	}
	r.f.Commands = append(r.f.Commands, Command{Name: name, Short: help, Line: r.line(i)})
}
