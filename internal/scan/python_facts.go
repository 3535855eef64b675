package scan

import (
	"bytes"
	"sort"
	"strings"
)

// commentAfter returns the index of the first comment that begins at or after off.
func (p *pyScan) commentAfter(off int) int {
	return sort.Search(len(p.src.comments), func(i int) bool { return p.src.comments[i].start >= off })
}

// testCase records a test function, or a test method of a test class, of a test file.
func (p *pyScan) testCase(d Decl, outer pyScope) {
	if !p.IsTest || !strings.HasPrefix(d.Name, "test") || outer.inFunc {
		return
	}
	p.Tests = append(p.Tests, Test{Name: within(outer.path, ".", d.Name), Line: d.Start, End: -p.scope().decl - 1}) // the end is known later
}

// decorated tells whether a decorator of the next definition has this last name.
func (p *pyScan) decorated(name string) bool {
	for _, s := range p.decorators {
		full := p.dotted(s.start+1, s.end)
		if full[strings.LastIndexByte(full, '.')+1:] == name {
			return true
		}
	}
	return false
}

// deprecation returns the literal reason that a deprecated decorator gives.
func (p *pyScan) deprecation() string {
	for _, s := range p.decorators {
		open := bytes.IndexByte(p.src.code[s.start:s.end], '(')
		if open < 0 || !strings.HasSuffix(p.dotted(s.start+1, s.end), "deprecated") {
			continue
		}
		for _, a := range p.src.args(s.start+open, '=') {
			if text, ok := p.src.str(a); ok && (a.name == "" || a.name == "reason") {
				return cut(text, maxMark)
			}
		}
	}
	return ""
}

// decorate records the routes, commands and options that the decorators of a definition declare.
func (p *pyScan) decorate(d *Decl, at int) {
	for _, s := range p.decorators {
		full := p.dotted(s.start+1, s.end)
		dot := strings.LastIndexByte(full, '.')
		object, last := full[:max(dot, 0)], full[dot+1:]
		open := s.start + 1 + len(full)
		var args []argument
		if p.src.at(open) == '(' {
			args = p.src.args(open, '=')
		}
		switch last {
		case "route", "get", "post", "put", "delete", "patch", "head", "options", "websocket", "api_route":
			if object != "" {
				p.route(d.Name, object, last, args, s.start)
			}
		case "command", "group":
			if object != "" {
				p.command(d, args, at)
			}
		case "option":
			p.option(args, s.start)
		}
	}
}

// route records @app.get("/x") and @app.route("/x", methods=["GET"]).
func (p *pyScan) route(handler, object, last string, args []argument, at int) {
	if len(args) == 0 {
		return
	}
	path, ok := p.src.str(args[0])
	if !ok || path != "" && path[0] != '/' || args[0].name != "" && args[0].name != "path" && args[0].name != "rule" {
		return
	}
	r := Route{Path: joinPath(p.prefix(object), path), Handler: handler, Line: p.src.line(at)}
	switch last {
	case "route", "api_route":
		methods := p.methods(args)
		if len(methods) == 0 && last == "route" && p.mentions("flask") {
			methods = []string{"GET"} // Flask's default
		}
		for _, m := range methods {
			r.Method = m
			p.Routes = append(p.Routes, r)
		}
		if len(methods) > 0 {
			return
		}
	case "websocket":
	default:
		r.Method = strings.ToUpper(last)
	}
	p.Routes = append(p.Routes, r)
}

func (p *pyScan) methods(args []argument) []string {
	var out []string
	for _, a := range args {
		if a.name != "methods" {
			continue
		}
		for _, lit := range p.src.literalsIn(a.start, a.end) {
			out = append(out, strings.ToUpper(p.src.value(lit)))
		}
	}
	return out
}

// mentions tells whether an import names a module of this package.
func (p *pyScan) mentions(pkg string) bool {
	for _, imp := range p.Imports {
		if imp.Path == pkg || strings.HasPrefix(imp.Path, pkg+".") {
			return true
		}
	}
	return false
}

// prefix returns the literal prefix with which a router variable of the file was made.
func (p *pyScan) prefix(object string) string {
	out, known := p.prefixes[object]
	if known {
		return out
	}
	defer func() { p.prefixes[object] = out }()
	p.src.each(object, func(off int) {
		open := bytes.IndexByte(p.src.code[off:p.src.lineEnd(off)], '(')
		if off != p.src.lineStart(off) || open < 0 || bytes.IndexByte(p.src.code[off:off+open], '=') < 0 {
			return
		}
		for _, a := range p.src.args(off+open, '=') {
			if s, ok := p.src.str(a); ok && (a.name == "prefix" || a.name == "url_prefix") {
				out = s
			}
		}
	})
	return out
}

// command records a command of click or typer: under its literal name, or that of the function.
func (p *pyScan) command(d *Decl, args []argument, at int) {
	if !p.mentions("click") && !p.mentions("typer") && !p.mentions("rich_click") && !p.mentions("flask") {
		return
	}
	c := Command{Name: strings.ReplaceAll(d.Name, "_", "-"), Line: p.src.line(at)}
	for i, a := range args {
		s, ok := p.src.str(a)
		switch {
		case !ok:
		case i == 0 && a.name == "" || a.name == "name":
			c.Name = s
		case a.name == "help" || a.name == "short_help":
			c.Short = firstSentence(s)
		}
	}
	p.Commands = append(p.Commands, c)
}

// option records an option declared by a decorator of click or by add_argument.
func (p *pyScan) option(args []argument, at int) {
	f := Flag{Line: p.src.line(at)}
	for _, a := range args {
		s, ok := p.src.str(a)
		switch {
		case a.name == "" && ok && strings.HasPrefix(s, "-"):
			s, _, _ = strings.Cut(s, "/")
			if name := strings.TrimLeft(s, "-"); f.Name == "" || len(f.Name) == 1 && len(name) > 1 {
				f.Name = name
			}
		case a.name == "default":
			f.Default = p.src.given(a)
		case a.name == "help":
			f.Usage = cut(p.joined(a), maxMark)
		case a.name == "envvar" && ok:
			p.Env = append(p.Env, EnvRead{Name: s, Line: p.src.line(a.start)})
		}
	}
	if f.Name != "" {
		p.Flags = append(p.Flags, f)
	}
}

// joined returns the value of an argument that is made of adjacent string literals.
func (p *pyScan) joined(a argument) string {
	var b strings.Builder
	for _, lit := range p.src.literalsIn(a.start, a.end) {
		if lit.dynamic {
			return ""
		}
		b.WriteString(p.src.value(lit))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// literalsIn returns the literals that begin in a range.
func (t *text) literalsIn(from, to int) []literal {
	first := sort.Search(len(t.literals), func(i int) bool { return t.literals[i].start >= from })
	last := sort.Search(len(t.literals), func(i int) bool { return t.literals[i].start >= to })
	return t.literals[first:max(first, last)]
}

// features records what is found by looking for single words, after the declarations are known.
func (p *pyScan) features() {
	for i := range p.Tests {
		if d := -p.Tests[i].End - 1; d >= 0 && d < len(p.Decls) {
			p.Tests[i].End = p.Decls[d].End
		}
	}
	for i := range p.Commands {
		for _, d := range p.Decls {
			if d.Start == p.Commands[i].Line && p.Commands[i].Short == "" {
				p.Commands[i].Short = firstSentence(d.Doc)
			}
		}
	}
	p.environment()
	p.arguments()
	p.paths()
	p.applications()
	p.failures()
	sort.SliceStable(p.Env, func(i, j int) bool { return p.Env[i].Line < p.Env[j].Line })
}

// environment records os.environ["X"], os.environ.get("X", d), os.getenv("X", d).
func (p *pyScan) environment() {
	p.src.each("environ", func(off int) {
		if !p.fromOS(off, "environ") {
			return
		}
		open := p.src.skip(off + len("environ"))
		switch p.src.at(open) {
		case '[':
			shut := p.src.closing(open)
			name, end, ok := p.src.stringAt(p.src.skip(open + 1))
			if after := p.src.skip(shut + 1); shut < 0 || !ok || p.src.skip(end) != shut || p.src.at(after) == '=' && p.src.at(after+1) != '=' || p.deleted(off) {
				return
			}
			p.Env = append(p.Env, EnvRead{Name: name, Line: p.src.line(off)})
		case '.':
			word := p.src.word(open + 1)
			switch string(p.src.code[open+1 : word]) {
			case "get", "pop", "setdefault":
				p.envCall(off, p.src.skip(word))
			}
		}
	})
	p.src.each("getenv", func(off int) {
		if p.fromOS(off, "getenv") {
			p.envCall(off, p.src.skip(off+len("getenv")))
		}
	})
}

// fromOS tells whether the name at off is that of the os module, and not the environment of a WSGI request.
func (p *pyScan) fromOS(off int, name string) bool {
	qualifier := p.src.qualifier(off, 0)
	for _, imp := range p.Imports {
		switch {
		case imp.Path == "os" && qualifier != "" && (qualifier == imp.Name || imp.Name == "" && qualifier == "os"):
			return true
		case imp.Path == "os."+name && imp.Name == name && qualifier == "":
			return true
		}
	}
	return false
}

func (p *pyScan) deleted(off int) bool {
	return bytes.HasPrefix(bytes.TrimSpace(p.src.code[p.src.lineStart(off):off]), []byte("del "))
}

func (p *pyScan) envCall(off, open int) {
	if p.src.at(open) != '(' {
		return
	}
	args := p.src.args(open, '=')
	if len(args) == 0 {
		return
	}
	if name, ok := p.src.str(args[0]); ok && name != "" {
		e := EnvRead{Name: name, Line: p.src.line(off)}
		if len(args) > 1 {
			e.Default = p.src.given(args[1])
		}
		p.Env = append(p.Env, e)
	}
}

// arguments records the options and subcommands of argparse.
func (p *pyScan) arguments() {
	p.src.each("add_argument", func(off int) {
		if open := p.src.skip(off + len("add_argument")); p.src.at(open) == '(' {
			p.option(p.src.args(open, '='), off)
		}
	})
	p.src.each("add_parser", func(off int) {
		open := p.src.skip(off + len("add_parser"))
		if p.src.at(open) != '(' || p.src.at(off-1) != '.' {
			return
		}
		c := Command{Line: p.src.line(off)}
		for i, a := range p.src.args(open, '=') {
			switch s, ok := p.src.str(a); {
			case i == 0 && ok:
				c.Name = s
			case a.name == "help" || a.name == "description" && c.Short == "":
				c.Short = p.joined(a)
			}
		}
		if c.Name != "" {
			p.Commands = append(p.Commands, c)
		}
	})
}

// paths records the URL patterns of Django.
func (p *pyScan) paths() {
	if !p.mentions("django") {
		return
	}
	for _, word := range []string{"path", "re_path", "url"} {
		p.src.each(word, func(off int) {
			open := p.src.skip(off + len(word))
			if p.src.at(open) != '(' || p.src.at(off-1) == '.' {
				return
			}
			args := p.src.args(open, '=')
			if len(args) < 2 {
				return
			}
			route, ok := p.src.str(args[0])
			handler := string(p.src.code[args[1].start:args[1].end])
			if !ok || strings.HasPrefix(handler, "include") {
				return
			}
			handler = strings.TrimSuffix(handler, ".as_view()")
			if handler != p.dotted(args[1].start, args[1].end) && handler+".as_view()" != string(p.src.code[args[1].start:args[1].end]) {
				handler = ""
			}
			p.Routes = append(p.Routes, Route{Path: route, Handler: handler, Line: p.src.line(off)})
		})
	}
	sort.SliceStable(p.Routes, func(i, j int) bool { return p.Routes[i].Line < p.Routes[j].Line })
}

// applications records the module variables that a web server loads.
func (p *pyScan) applications() {
	for _, d := range p.Decls {
		if d.Parent != "" || d.Kind != KindVariable && d.Kind != KindConstant {
			continue
		}
		_, value, _ := strings.Cut(d.Signature, "=")
		name, _, call := strings.Cut(strings.TrimSpace(value), "(")
		if !call {
			continue
		}
		switch name[strings.LastIndexByte(name, '.')+1:] {
		case "Flask", "get_wsgi_application":
			p.Entries = append(p.Entries, Entry{Kind: "wsgi", Name: d.Name, Line: d.Start, End: d.End})
		case "FastAPI", "Starlette", "get_asgi_application", "Quart", "Litestar":
			p.Entries = append(p.Entries, Entry{Kind: "asgi", Name: d.Name, Line: d.Start, End: d.End})
		}
	}
}

// failures records exception classes and literal exit statuses.
func (p *pyScan) failures() {
	for _, d := range p.Decls {
		if d.Kind != KindClass {
			continue
		}
		for _, b := range d.Bases {
			if strings.HasSuffix(b, "Error") || strings.HasSuffix(b, "Exception") || strings.HasSuffix(b, "Warning") {
				p.Failures = append(p.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
				break
			}
		}
	}
	p.src.each("exit", func(off int) {
		if !p.src.hasAt(off-len("sys."), "sys.") {
			return
		}
		open := p.src.skip(off + len("exit"))
		if p.src.at(open) != '(' {
			return
		}
		args := p.src.args(open, '=')
		if len(args) != 1 {
			return
		}
		line := p.src.line(off)
		code := p.src.literalValue(args[0].start, args[0].end)
		if text, ok := p.src.str(args[0]); ok {
			p.Failures = append(p.Failures, Failure{Name: "exit 1", Text: cut(text, maxMark), Line: line, End: line})
		} else if isNumber(code) && code != "0" {
			p.Failures = append(p.Failures, Failure{Name: "exit " + code, Line: line, End: line})
		}
	})
}
