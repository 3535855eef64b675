package scan

import (
	"path"
	"strings"
)

func rubyKeyword(w string) bool {
	switch w {
	case "if", "unless", "while", "until", "for", "in", "do", "end", "then", "else", "elsif", "case", "when", "and", "or", "not", "return",
		"yield", "super", "self", "nil", "true", "false", "begin", "rescue", "ensure", "raise", "new", "defined?", "alias", "undef",
		"def", "class", "module", "next", "break", "redo", "retry", "private", "protected", "public", "__FILE__", "__dir__", "lambda", "proc":
		return true
	}
	return false
}

// references records the calls between two tokens, and what they read.
func (r *rubyScanner) references(caller string, from, to int) {
	r.assigned = nil
	b := rubyBody{rubyScanner: r, to: min(to, r.last)}
	for i := from; i < b.to; i++ {
		switch t := &r.toks[i]; {
		case t.kind == tokenWord && t.c != wordLabel:
			b.word(i)
			before := len(r.f.Calls)
			r.reference(caller, i, from)
			for n := before; n < len(r.f.Calls); n++ {
				r.f.Calls[n].Branch, r.f.Calls[n].Nested = b.branch(i), i < b.inner
			}
		case t.kind == tokenPunct && (t.c == '{' || t.c == '&' || t.c == '|' || t.c == '?'):
			b.punct(i, t.c)
		}
	}
}

// reference looks at the word at i: a call has a parenthesis directly after it, a dot before it, or is a statement with an argument.
func (r *rubyScanner) reference(caller string, i, floor int) {
	w := r.word(i)
	r.environment(i, w)
	first := w[0]
	if first == '@' || first == '$' || w == "ENV" {
		return
	}
	upper := 'A' <= first && first <= 'Z'
	member := r.member(i)
	parens := r.at(i+1) == '(' && r.tok(i+1).pos == r.tok(i).end
	command := !upper && !member && !parens && r.leads(i) && r.line(i+1) == r.line(i) && (r.isString(i+1) || r.isWord(i+1) && r.tok(i).end < r.tok(i+1).pos)
	if !parens && !(member && !upper) && !command || r.is(i-1, "def") {
		return
	}
	if w == "new" && member { // a construction names the class
		if q := r.qualifier(i, floor); q != "" && q != "()" {
			n := strings.LastIndexByte(q, ':')
			r.f.Calls = append(r.f.Calls, Call{Caller: caller, Qualifier: strings.TrimSuffix(q[:n+1], "::"), Name: q[n+1:], Line: r.line(i)})
		}
		return
	}
	if rubyKeyword(w) {
		return
	}
	if command && r.isWord(i+1) && rubyKeyword(r.word(i+1)) && r.tok(i+1).c != wordLabel {
		switch r.word(i + 1) {
		case "if", "unless", "while", "until", "rescue", "and", "or", "do", "then", "in":
			return
		}
	}
	r.f.Calls = append(r.f.Calls, Call{Caller: caller, Qualifier: r.qualifier(i, floor), Name: w, Line: r.line(i)})
	r.call(i, w)
}

// environment records ENV["NAME"] and ENV.fetch("NAME"), and the status that exit gives back.
func (r *rubyScanner) environment(i int, w string) {
	if (w == "exit" || w == "exit!") && !r.member(i) {
		r.exit(i)
	}
	if w != "ENV" {
		return
	}
	switch {
	case r.at(i+1) == '[' && r.isString(i+2):
		after := r.pair(i+1) + 1
		if r.at(after) == '=' && r.at(after+1) != '=' && r.at(after+1) != '~' {
			return // set, not read
		}
		def := ""
		if r.op(after, "||") {
			k := after + 2
			if r.at(k) == '=' {
				k++
			}
			def = r.literalText(k, k+1)
		}
		r.envRead(i+2, def)
	case r.at(i+1) == '.' && (r.is(i+2, "fetch") || r.is(i+2, "key?")) && r.at(i+3) == '(':
		shut := r.pair(i + 3)
		def := ""
		if r.at(i+5) == ',' {
			def = r.literalText(i+6, shut)
		} else if r.at(shut+1) == '{' {
			def = r.literalText(shut+2, r.pair(shut+1))
		}
		r.envRead(i+4, def)
	}
}

// call looks at the call whose name w stands at i.
func (r *rubyScanner) call(i int, w string) {
	if w == "on" {
		r.optionParser(i)
	}
}

// exit records exit 3 and exit(3).
func (r *rubyScanner) exit(i int) {
	at := i + 1
	if r.at(at) == '(' {
		at++
	}
	if r.tok(at).kind == tokenNumber && r.line(at) == r.line(i) && r.text(at, at+1) != "0" {
		r.exits(i, r.text(at, at+1))
	}
}

// optionParser records opts.on("-v", "--verbose", "description").
func (r *rubyScanner) optionParser(i int) {
	at := i + 1
	if r.at(at) == '(' {
		at++
	}
	flag := Flag{Line: r.line(i)}
	for k := at; k < r.last; k++ {
		s, ok := r.str(k)
		if !ok {
			if r.at(k) == ',' || r.isWord(k) && r.at(k+1) == ',' || r.at(k-1) == ',' && r.isWord(k) {
				continue
			}
			break
		}
		switch {
		case strings.HasPrefix(s, "--"):
			name := strings.TrimPrefix(s, "--")
			name = strings.TrimPrefix(name, "[no-]")
			if n := strings.IndexAny(name, " =["); n >= 0 {
				name = name[:n]
			}
			flag.Name = name
		case strings.HasPrefix(s, "-"):
		case flag.Usage == "":
			flag.Usage = s
		}
	}
	if flag.Name != "" {
		r.f.Flags = append(r.f.Flags, flag)
	}
}

// methodFacts records tests of minitest and commands of Thor.
func (r *rubyScanner) methodFacts(d Decl, self *rubyScope) {
	if strings.HasPrefix(d.Name, "test_") && (strings.Contains(self.base, "Test") || strings.Contains(self.base, "Spec")) {
		r.f.Tests = append(r.f.Tests, Test{Name: within(self.name, ".", d.Name), Line: d.Start, End: d.End})
	}
	if r.desc != nil {
		if r.desc.Name == "" {
			r.desc.Name = strings.ReplaceAll(d.Name, "_", "-")
		}
		r.desc.Line = d.Start
		r.f.Commands = append(r.f.Commands, *r.desc)
		r.desc = nil
	}
}

// block returns the index of the do or brace that opens the block of the statement at i, and of its end; 0 where there is none.
func (r *rubyScanner) block(i int) (open, shut int) {
	for k := i + 1; k < r.last && r.line(k) <= r.endToken(k-1)+b2i(r.at(k-1) == ','); k++ {
		switch c := r.at(k); {
		case c == '(' || c == '[':
			k = r.pair(k)
		case c == '{', r.is(k, "do") && r.tok(k).c != wordLabel:
			return k, r.pair(k)
		case c == ';':
			return 0, 0
		}
	}
	return 0, 0
}

// label returns the text of a string, symbol or constant at i.
func (r *rubyScanner) label(i int) string {
	if s, ok := r.str(i); ok {
		return s
	}
	if r.tok(i).kind == tokenString && r.tok(i).c == stringSymbol {
		return r.text(i, i+1)[1:]
	}
	if r.isWord(i) && r.tok(i).c != wordLabel {
		return r.text(i, r.constantPath(i))
	}
	return ""
}

// option returns the index of the value under a key of the statement at i: key: value; 0 where there is none.
func (r *rubyScanner) option(i int, key string) int {
	for k := i + 1; k < r.last && r.line(k) <= r.endToken(k-1)+b2i(r.at(k-1) == ','); k++ {
		if r.tok(k).c == wordLabel && r.is(k, key) {
			return k + 1
		}
		if r.is(k, "do") && r.tok(k).c != wordLabel {
			break
		}
	}
	return 0
}

// framework reads the statements that test, routing and command libraries give a meaning; i begins a statement.
func (r *rubyScanner) framework(i, end int, self *rubyScope) int {
	w := r.word(i)
	switch w {
	case "describe", "context", "feature", "RSpec":
		return r.describe(i, self)
	case "it", "specify", "scenario", "test", "should":
		open, shut := r.block(i)
		if name, ok := r.str(i + 1 + b2i(r.at(i+1) == '(')); ok && open > 0 {
			r.f.Tests = append(r.f.Tests, Test{Name: within(self.describe, " ", name), Line: r.line(i), End: r.line(shut)})
			r.references(self.name, open, shut)
			return shut + 1
		}
	case "desc":
		if self.base == "Thor" || strings.HasSuffix(self.base, "::Thor") || strings.HasSuffix(self.base, "Command") {
			usage, _ := r.str(i + 1)
			name, _, _ := strings.Cut(usage, " ")
			r.desc = &Command{Name: name}
			if r.at(i+2) == ',' {
				r.desc.Short, _ = r.str(i + 3)
			}
		}
	case "option", "method_option", "class_option":
		if name := r.label(i + 1); name != "" && r.tok(i+1).kind == tokenString && self.base != "" {
			f := Flag{Name: strings.ReplaceAll(name, "_", "-"), Line: r.line(i)}
			if k := r.option(i, "desc"); k > 0 {
				f.Usage, _ = r.str(k)
			}
			if k := r.option(i, "default"); k > 0 {
				f.Default = literalDefault(r.literalText(k, k+1))
			}
			r.f.Flags = append(r.f.Flags, f)
		}
	case "get", "post", "put", "patch", "delete", "head", "options", "match":
		r.verb(i, w, self)
	case "root", "resources", "resource", "namespace", "scope":
		return r.railsRoutes(i, w, self)
	case "if":
		if r.is(i+1, "__FILE__") && r.op(i+2, "==") && strings.HasPrefix(r.word(i+4), "$") {
			r.f.Entries = append(r.f.Entries, Entry{Kind: "script", Name: path.Base(r.f.Path), Line: r.line(i), End: r.line(r.pair(i))})
		}
	}
	return i
}

// describe reads a group of tests.
func (r *rubyScanner) describe(i int, self *rubyScope) int {
	at := i + 1
	if r.is(i, "RSpec") {
		if r.at(i+1) != '.' || !r.is(i+2, "describe") && !r.is(i+2, "context") && !r.is(i+2, "feature") {
			return i
		}
		at = i + 3
	}
	open, shut := r.block(at - 1)
	if r.at(at) == '(' {
		at++
	}
	name := r.label(at)
	if open == 0 || name == "" {
		return i
	}
	inner := *self
	inner.describe = within(self.describe, " ", name)
	r.scope(open+1, shut, &inner)
	return shut + 1
}

// drawn tells whether a statement routes requests of Rails.
func (r *rubyScanner) drawn() bool {
	return r.rails && (strings.HasSuffix(r.f.Path, "routes.rb") || strings.Contains(r.f.Path, "config/routes/"))
}

// verb records a route of Sinatra, get '/path' do, or of Rails, get 'path', to: 'controller#action'.
func (r *rubyScanner) verb(i int, w string, self *rubyScope) {
	at := i + 1
	if r.at(at) == '(' {
		at++
	}
	path, ok := r.str(at)
	method := strings.ToUpper(w)
	switch {
	case w == "match":
		method = ""
	}
	open, _ := r.block(i)
	switch {
	case r.drawn() && ok:
		handler := ""
		if k := r.option(i, "to"); k > 0 {
			handler, _ = r.str(k)
		} else if r.op(at+1, "=>") {
			handler, _ = r.str(at + 3)
		}
		r.f.Routes = append(r.f.Routes, Route{Method: method, Path: joinRoute(self.path, "/"+strings.TrimPrefix(path, "/")), Handler: handler, Line: r.line(i)})
	case ok && r.sinatra && open > 0 && strings.HasPrefix(path, "/") && w != "match" && !r.f.IsTest:
		r.f.Routes = append(r.f.Routes, Route{Method: method, Path: path, Line: r.line(i)})
	}
}

// railsRoutes reads the statements of config/routes.rb that are no single route.
func (r *rubyScanner) railsRoutes(i int, w string, self *rubyScope) int {
	if !r.drawn() {
		return i
	}
	at := i + 1
	if r.at(at) == '(' {
		at++
	}
	name := r.label(at)
	switch w {
	case "root":
		if k := r.option(i, "to"); k > 0 {
			name, _ = r.str(k)
		}
		r.f.Routes = append(r.f.Routes, Route{Method: "GET", Path: joinRoute(self.path, "/"), Handler: name, Line: r.line(i)})
		return i
	case "resources", "resource":
		for k := at; r.tok(k).c == stringSymbol && r.isString(k); k += 2 {
			r.f.Routes = append(r.f.Routes, Route{Path: joinRoute(self.path, "/"+r.label(k)), Handler: r.label(k), Line: r.line(i)})
			if r.at(k+1) != ',' {
				break
			}
		}
	}
	open, shut := r.block(i)
	if open == 0 {
		return i
	}
	inner := *self
	switch {
	case w == "resources" && name != "":
		inner.path = joinRoute(self.path, "/"+name+"/:"+strings.TrimSuffix(name, "s")+"_id")
	case w == "scope" && r.isString(at) || w == "namespace" || w == "resource":
		inner.path = joinRoute(self.path, "/"+strings.TrimPrefix(name, "/"))
	}
	r.scope(open+1, shut, &inner)
	return shut + 1
}
