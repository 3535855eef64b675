package scan

import "strings"

// typeFacts records commands and failures that a class declares.
func (s *phpScanner) typeFacts(d Decl, h phpHead) {
	if a, ok := find(h.attrs, "AsCommand"); ok {
		name, short := s.argumentString(a, "", "name"), s.argumentString(a, "description")
		if short == "" { // the second argument, by position
			if i := s.nextArgument(a.open+1, a.close); s.at(i+1) != ':' {
				short, _ = s.str(i)
			}
		}
		if name, _, _ = strings.Cut(name, "|"); name != "" {
			s.f.Commands = append(s.f.Commands, Command{Name: name, Short: short, Line: d.Start})
		}
	}
	if d.Kind == KindClass && throwable(d) {
		s.f.Failures = append(s.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
	}
}

// commandProperty records the name of a command of Symfony, or of Laravel, kept in a property.
func (s *phpScanner) commandProperty(d Decl) {
	if d.Value == "" || d.Name != "defaultName" && d.Name != "signature" {
		return
	}
	name, _, _ := strings.Cut(d.Value, " ")
	if d.Name == "signature" && !strings.Contains(name, ":") {
		return // any class may have a signature
	}
	name, _, _ = strings.Cut(name, "|")
	s.f.Commands = append(s.f.Commands, Command{Name: name, Line: d.Start})
}

// methodFacts records what a method is by its name and attributes: a test, a route.
func (s *phpScanner) methodFacts(d Decl, h phpHead, self phpType) {
	if self.name == "" {
		return
	}
	_, marked := find(h.attrs, "Test")
	if self.test && (marked || strings.HasPrefix(d.Name, "test") && d.Exported) {
		s.f.Tests = append(s.f.Tests, Test{Name: self.name + "." + d.Name, Line: d.Start, End: d.End})
	}
	for _, a := range h.attrs {
		if a.name != "Route" {
			continue
		}
		paths := s.argumentStrings(a, "", "path")
		if len(paths) == 0 && self.base != "" {
			paths = []string{""}
		}
		methods := s.argumentStrings(a, "methods")
		if len(methods) == 0 {
			methods = self.methods
		}
		if self.localized {
			continue // the paths depend on the language
		}
		for _, path := range paths {
			path = "/" + strings.TrimLeft(joinRoute(self.base, path), "/")
			s.route(strings.Join(methods, "|"), path, self.name+"."+d.Name, d.Start)
		}
	}
}

func (s *phpScanner) route(method, path, handler string, line int) {
	s.f.Routes = append(s.f.Routes, Route{Method: strings.ToUpper(method), Path: path, Handler: handler, Line: line})
}

// call looks at the call whose name stands at i.
func (s *phpScanner) call(i int) {
	if s.at(i+1) != '(' {
		return
	}
	switch s.word(i) {
	case "getenv":
		s.envRead(i+2, s.fallback(s.pair(i+1)+1))
	case "env":
		if s.separator(i) == i {
			def := ""
			if s.at(i+3) == ',' {
				def = s.literalText(i+4, s.pair(i+1))
			}
			s.envRead(i+2, def)
		}
	case "exit", "die":
		s.exitStatus(i, i+1)
	case "addOption", "InputOption":
		s.option(i + 1)
	case "setName":
		s.setName(i)
	case "get", "post", "put", "patch", "delete", "options", "any":
		if s.is(i-3, "Route") && s.op(i-2, "::") {
			s.laravelRoute(i)
		}
	}
}

// superglobal records a read of $_ENV, or of $_SERVER where the name is not one that a web server gives.
func (s *phpScanner) superglobal(i int) {
	w := s.word(i)
	if w != "$_ENV" && w != "$_SERVER" {
		return
	}
	name, ok := s.str(i + 2)
	after := s.pair(i+1) + 1
	if !ok || after != i+4 || w == "$_SERVER" && serverName(name) || s.at(after) == '=' && s.at(after+1) != '=' {
		return
	}
	s.envRead(i+2, s.fallback(after))
}

func serverName(name string) bool {
	for _, prefix := range []string{"HTTP", "REQUEST_", "SERVER_", "SCRIPT_", "REMOTE_", "PHP_", "QUERY_", "DOCUMENT_", "PATH_", "GATEWAY_",
		"CONTENT_", "ORIG_", "AUTH_", "REDIRECT_", "argv", "argc", "X_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.ToUpper(name) != name
}

// fallback returns the literal that replaces a missing value at i: ?: and ??.
func (s *phpScanner) fallback(i int) string {
	if s.at(i) == '?' && (s.at(i+1) == ':' || s.at(i+1) == '?') {
		v, _ := s.str(i + 2)
		return v
	}
	return ""
}

// option records an option of a console command: name, shortcut, mode, description, default.
func (s *phpScanner) option(open int) {
	shut := s.pair(open)
	name, ok := s.str(open + 1)
	if !ok || name == "" || strings.ContainsAny(name, " \n") {
		return
	}
	flag := Flag{Name: strings.TrimLeft(name, "-"), Line: s.line(open)}
	at := open + 1
	for n := 0; n < 5 && at < shut; n++ {
		next := s.nextArgument(at, shut)
		value := at
		if s.isWord(at) && s.at(at+1) == ':' && s.at(at+2) != ':' {
			value = at + 2
		}
		switch label := s.word(at); {
		case n == 1 && !s.isString(value) && !s.is(value, "null"):
			return // no shortcut: an option of something else
		case value == at && n == 3 || value > at && label == "description":
			flag.Usage, _ = s.str(value)
		case value == at && n == 4 || value > at && label == "default":
			flag.Default = literalDefault(s.literalText(value, next-b2i(next < shut)))
		}
		at = next
	}
	s.f.Flags = append(s.f.Flags, flag)
}

// setName records a command that names itself: $this->setName('x')->setDescription('…').
func (s *phpScanner) setName(i int) {
	if !s.is(i-3, "$this") || !strings.HasSuffix(s.f.Path, "Command.php") {
		return
	}
	name, ok := s.str(i + 2)
	if !ok || s.at(i+3) != ')' {
		return
	}
	c := Command{Name: name, Line: s.line(i)}
	if s.op(i+4, "->") && s.is(i+6, "setDescription") {
		c.Short, _ = s.str(i + 8)
	}
	s.f.Commands = append(s.f.Commands, c)
}

// laravelRoute records Route::get('/path', [Controller::class, 'method']).
func (s *phpScanner) laravelRoute(i int) {
	path, ok := s.str(i + 2)
	if !ok || s.at(i+3) != ',' {
		return
	}
	method := strings.ToUpper(s.word(i))
	if method == "ANY" {
		method = ""
	}
	handler := ""
	if h := i + 4; s.at(h) == '[' && s.isWord(h+1) && s.op(h+2, "::") {
		name, _ := s.str(s.pair(h) - 1)
		handler = within(s.word(h+1), ".", name)
	} else if s.isWord(h) && s.op(h+1, "::") {
		handler = s.word(h)
	} else if name, ok := s.str(h); ok {
		handler = strings.ReplaceAll(name, "@", ".")
	}
	s.route(method, path, handler, s.line(i))
}
