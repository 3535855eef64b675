package scan

import (
	"sort"
	"strings"
)

// chain calls fn for every call of a method of one of the names, with the offset of its name and its arguments.
func (s *jsScan) chain(fn func(name string, off, open int, args []argument), names ...string) {
	for _, name := range names {
		s.src.each(name, func(off int) {
			open := s.src.skip(off + len(name))
			if s.src.at(open) == '(' && s.src.at(s.src.skipBack(off)-1) == '.' {
				fn(name, off, open, s.src.args(open, 0))
			}
		})
	}
}

// options records the options and commands of commander, yargs, cac and sade.
func (s *jsScan) options() {
	if !s.importsAny("commander", "yargs", "cac", "sade", "@caporal/core", "@commander-js/extra-typings") {
		return
	}
	of := map[int]string{} // offset of an option → the command in whose chain it stands
	literal := func(fn func(first string, off, open int, args []argument)) func(string, int, int, []argument) {
		return func(_ string, off, open int, args []argument) {
			if len(args) == 0 {
				return
			}
			if first, ok := s.src.str(args[0]); ok {
				fn(first, off, open, args)
			}
		}
	}
	s.chain(literal(func(first string, off, open int, args []argument) {
		s.command(first, off, open, args)
		s.chained(strings.Fields(first), open, of)
	}), "command")
	s.chain(literal(func(first string, off, open int, args []argument) {
		s.option(first, off, args)
		if n := len(s.Flags) - 1; n >= 0 && s.Flags[n].Line == s.src.line(off) {
			s.Flags[n].Command = of[off]
		}
	}), "option", "requiredOption")
	sort.SliceStable(s.Flags, func(i, j int) bool { return s.Flags[i].Line < s.Flags[j].Line })
}

// option records option("-p, --port <n>", "usage", default) and option("port", { default, describe }).
func (s *jsScan) option(first string, off int, args []argument) {
	f := Flag{Name: flagName(first), Line: s.src.line(off)}
	if f.Name == "" {
		return
	}
	for i, a := range args[1:] {
		switch text, ok := s.src.str(a); {
		case s.src.at(a.start) == '{':
			keys := s.keys(a.start)
			f.Default = s.src.given(keys["default"])
			for _, k := range []string{"describe", "description", "desc"} {
				if v, ok := s.src.str(keys[k]); ok {
					f.Usage = v
				}
			}
		case i == 0 && ok:
			f.Usage = text
		case i == 0 && s.src.joined(a) != "":
			f.Usage = s.src.joined(a)
		case i > 0 && f.Default == "":
			f.Default = s.src.given(a)
		}
	}
	f.Usage = cut(f.Usage, maxMark)
	s.Flags = append(s.Flags, f)
}

// chained notes for the options that follow a command in its chain that they are its own. One that stands for the program without a command
// has no name.
func (s *jsScan) chained(command []string, open int, of map[int]string) {
	if len(command) == 0 || strings.ContainsAny(command[0][:1], "[<*$") {
		return
	}
	for at := s.src.closingOr(open, open) + 1; ; {
		dot := s.src.skip(at)
		if s.src.at(dot) != '.' {
			return
		}
		end := s.src.word(dot + 1)
		next := s.src.skip(end)
		word := string(s.src.code[dot+1 : end])
		if s.src.at(next) != '(' || word == "command" {
			return
		}
		if word == "option" || word == "requiredOption" {
			of[dot+1] = command[0]
		}
		at = s.src.closingOr(next, next) + 1
	}
}

// flagName returns the long name in "-p, --port <n>", or a plain name.
func flagName(s string) string {
	name := ""
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '|' || r == '=' }) {
		switch {
		case strings.HasPrefix(w, "--"):
			return strings.TrimPrefix(w[2:], "no-")
		case strings.HasPrefix(w, "-") && name == "":
			name = w[1:]
		case name == "" && isFlagName(w) && !strings.Contains(s, " "):
			name = w
		}
	}
	return name
}

// keys returns the values of an object literal by key.
func (s *jsScan) keys(open int) map[string]argument {
	out := map[string]argument{}
	for _, a := range s.src.args(open, ':') {
		if a.name != "" {
			out[a.name] = a
		}
	}
	return out
}

// command records command("name <arg>") with the description that follows in the chain, or as the second argument.
func (s *jsScan) command(first string, off, open int, args []argument) {
	words := strings.Fields(first)
	if len(words) == 0 {
		return
	}
	c := Command{Name: words[0], Line: s.src.line(off)}
	if len(args) > 1 {
		c.Short = s.src.joined(args[1])
	}
	for at := s.src.closingOr(open, open) + 1; c.Short == ""; {
		dot := s.src.skip(at)
		if s.src.at(dot) != '.' {
			break
		}
		end := s.src.word(dot + 1)
		next := s.src.skip(end)
		if s.src.at(next) != '(' {
			break
		}
		switch string(s.src.code[dot+1 : end]) {
		case "description", "describe":
			if a := s.src.args(next, 0); len(a) > 0 {
				c.Short, _ = s.src.str(a[0])
			}
		case "command", "action":
			at = len(s.src.code)
			continue
		}
		at = s.src.closingOr(next, next) + 1
	}
	s.Commands = append(s.Commands, c)
}

// routes records app.get("/x", handler) and its like, of the usual web frameworks.
func (s *jsScan) routes() {
	known := s.importsAny("express", "fastify", "koa-router", "@koa/router", "hono", "restify", "polka", "itty-router", "find-my-way", "@hono/zod-openapi")
	s.chain(func(name string, off, open int, args []argument) {
		if len(args) < 2 {
			return
		}
		path, ok := s.src.str(args[0])
		if !ok || path == "" || path[0] != '/' && path != "*" || !s.isRouter(off, known) {
			return
		}
		last := args[len(args)-1]
		if s.src.at(last.start) == '{' && len(args) == 2 {
			return // options of a request
		}
		method := strings.ToUpper(name)
		if name == "all" {
			method = ""
		}
		s.Routes = append(s.Routes, Route{Method: method, Path: path, Handler: s.plainName(last), Line: s.src.line(off)})
	}, "get", "post", "put", "delete", "patch", "options", "head", "all")
	if known {
		s.routeChains()
	}
	sort.SliceStable(s.Routes, func(i, j int) bool { return s.Routes[i].Line < s.Routes[j].Line })
}

// isRouter tells whether the receiver of the method at off looks like a router and not like an HTTP client.
func (s *jsScan) isRouter(off int, known bool) bool {
	receiver := s.src.qualifier(off, 0)
	last := strings.ToLower(receiver[strings.LastIndexByte(receiver, '.')+1:])
	switch last {
	case "axios", "http", "https", "client", "request", "agent", "$http", "fetcher", "supertest", "api", "ky", "got", "superagent":
		return false
	case "app", "router", "server", "fastify", "routes":
		return true
	}
	return known && last != "" || known && last == "()" && !s.IsTest
}

// plainName returns an argument that is a dotted name.
func (s *jsScan) plainName(a argument) string {
	for i := a.start; i < a.end; i++ {
		if c := s.src.code[i]; !isWord(c) && c != '.' {
			return ""
		}
	}
	return string(s.src.code[a.start:a.end])
}

// routeChains records router.route("/x").get(a).post(b), and route({ method, url, handler }) of fastify.
func (s *jsScan) routeChains() {
	s.chain(func(_ string, off, open int, args []argument) {
		if len(args) != 1 {
			return
		}
		if s.src.at(args[0].start) == '{' {
			keys := s.keys(args[0].start)
			path, ok := s.src.str(keys["url"])
			method, ok2 := s.src.str(keys["method"])
			if ok && ok2 {
				s.Routes = append(s.Routes, Route{Method: strings.ToUpper(method), Path: path, Handler: s.plainName(keys["handler"]), Line: s.src.line(off)})
			}
			return
		}
		path, ok := s.src.str(args[0])
		for at := s.src.skip(s.src.closingOr(open, open) + 1); ok && s.src.at(at) == '.'; {
			end := s.src.word(at + 1)
			next := s.src.skip(end)
			method, isMethod := methodName(strings.ToUpper(string(s.src.code[at+1 : end])))
			if s.src.at(next) != '(' || !isMethod {
				return
			}
			r := Route{Method: method, Path: path, Line: s.src.line(at)}
			if list := s.src.args(next, 0); len(list) > 0 {
				r.Handler = s.plainName(list[len(list)-1])
			}
			s.Routes = append(s.Routes, r)
			at = s.src.skip(s.src.closingOr(next, next) + 1)
		}
	}, "route")
}

// decorated returns the first literal argument of the decorator of this name among those of the member being read.
func (s *jsScan) decorated(name string) (value string, at span, ok bool) {
	for _, d := range s.decorators {
		if !s.src.hasWord(d.start+1, name) {
			continue
		}
		if open := d.start + 1 + len(name); s.src.at(open) == '(' {
			if args := s.src.args(open, 0); len(args) > 0 {
				value, _ = s.src.str(args[0])
			}
			return value, d, true
		}
	}
	return "", span{}, false
}

// controller notes the path prefix of a Nest controller for the endpoints of the class.
func (s *jsScan) controller(class string) {
	prefix, at, ok := s.decorated("Controller")
	if ok {
		s.controllers = append(s.controllers, Route{Path: prefix, Handler: class, Line: s.src.line(at.start)})
	}
}

// endpoint records a method with a decorator of Nest.
func (s *jsScan) endpoint(handler string) {
	class := handler[:max(strings.LastIndexByte(handler, '.'), 0)]
	for _, c := range s.controllers {
		if c.Handler != class {
			continue
		}
		for _, name := range []string{"Get", "Post", "Put", "Delete", "Patch", "Options", "Head", "All"} {
			path, at, ok := s.decorated(name)
			if !ok {
				continue
			}
			method, _ := methodName(name)
			full := "/" + strings.Trim(c.Path, "/")
			if path = strings.Trim(path, "/"); path != "" {
				full = joinPath(full, path)
			}
			s.Routes = append(s.Routes, Route{Method: method, Path: full, Handler: handler, Line: s.src.line(at.start)})
		}
	}
}

// listeners records where the file begins to serve.
func (s *jsScan) listeners() {
	s.chain(func(_ string, off, open int, args []argument) {
		receiver := s.src.qualifier(off, 0)
		switch receiver[strings.LastIndexByte(receiver, '.')+1:] {
		case "app", "server", "httpServer", "fastify":
			if !s.IsTest && len(args) > 0 {
				s.Entries = append(s.Entries, Entry{Kind: "server", Name: receiver, Line: s.src.line(off), End: s.src.line(s.src.closingOr(open, open))})
			}
		}
	}, "listen")
}

// cases records describe, it and test with a literal title, under the titles around them.
func (s *jsScan) cases() {
	type suite struct {
		title string
		end   int
	}
	type found struct {
		off, open int
		group     bool
		title     string
	}
	var all []found
	for _, word := range []string{"describe", "it", "test", "context", "suite"} {
		s.src.each(word, func(off int) {
			if s.src.at(off-1) == '.' {
				return
			}
			open := s.caseParen(off + len(word))
			if open < 0 {
				return
			}
			if title, _, ok := s.src.stringAt(s.src.skip(open + 1)); ok {
				all = append(all, found{off, open, word == "describe" || word == "context" || word == "suite", title})
			}
		})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].off < all[j].off })
	var stack []suite
	for _, c := range all {
		for len(stack) > 0 && stack[len(stack)-1].end < c.off {
			stack = stack[:len(stack)-1]
		}
		title := c.title
		if len(stack) > 0 {
			title = stack[len(stack)-1].title + " > " + title
		}
		end := s.src.closingOr(c.open, c.open)
		if c.group {
			stack = append(stack, suite{title, end})
			continue
		}
		s.Tests = append(s.Tests, Test{Name: fold(title, maxMark), Line: s.src.line(c.off), End: s.src.line(end)})
	}
}

// caseParen returns the parenthesis of it(…), it.only(…) or it.each(…)(…), or -1.
func (s *jsScan) caseParen(at int) int {
	for s.src.at(at) == '.' {
		each := s.src.hasWord(at+1, "each")
		at = s.src.word(at + 1)
		if each {
			if s.src.at(at) == '(' {
				at = s.src.closingOr(at, at) + 1
			} else if lit, ok := s.src.literalAt(at); ok {
				at = lit.end
			}
		}
	}
	if at = s.src.skip(at); s.src.at(at) == '(' {
		return at
	}
	return -1
}
