package scan

import "strings"

// member reads a method, property, field or event whose type begins at i; it returns the index after it.
func (s *csharpScanner) member(h csharpHead, i, end int, self csharpType) int {
	name := -1
	for k := i; k < end; {
		switch c := s.at(k); {
		case s.is(k, "operator"):
			return s.operator(h, i, k, end, self)
		case s.isWord(k):
			name = k
			k++
		case c == '<':
			k = max(s.angles(k), k+1)
		case c == '(' && (name < 0 || s.at(k-1) == ',' || name == k-1 && csharpModifier(s.word(name))):
			k = s.pair(k) + 1 // a tuple
		case c == '(' && s.at(k-1) != '?' && s.at(k-1) != ']':
			return s.method(h, i, name, k, end, self)
		case c == '[' && name >= 0 && s.is(name, "this") && name == k-1:
			return s.property(h, name, s.pair(k)+1, end, self)
		case c == '[' || c == '(':
			k = s.pair(k) + 1
		case c == '{' || s.op(k, "=>"):
			return s.property(h, name, k, end, self)
		case c == '=' || c == ';' || c == ',':
			return s.field(h, i, name, k, end, self)
		case c == '}':
			return k + 1
		default:
			k++
		}
	}
	return end
}

// method reads the method whose parameters open at open.
func (s *csharpScanner) method(h csharpHead, i, name, open, end int, self csharpType) int {
	text := s.word(name)
	if s.at(name-1) == '~' {
		text = "~" + text
	}
	return s.finish(h, s.declare(h, text, KindMethod, self), open, end, self)
}

func (s *csharpScanner) operator(h csharpHead, i, at, end int, self csharpType) int {
	k := at + 1
	for k < end && (s.at(k) != '(' || k == at+1 && s.at(k+1) == ')') {
		if s.at(k) == ';' || s.at(k) == '{' {
			return k + 1
		}
		k++
	}
	name := "operator " + strings.Join(strings.Fields(s.text(at+1, k)), " ")
	return s.finish(h, s.declare(h, name, KindMethod, self), k, end, self)
}

// finish reads parameters and body of a method and records it.
func (s *csharpScanner) finish(h csharpHead, d Decl, open, end int, self csharpType) int {
	caller := within(self.name, ".", d.Name)
	k := s.pair(open) + 1
	for k < end && s.at(k) != '{' && s.at(k) != ';' && s.at(k) != '}' && !s.op(k, "=>") {
		if c := s.at(k); c == '(' || c == '[' {
			k = s.pair(k)
		}
		k++
	}
	d.Signature = s.signature(h.decl, k)
	s.body(caller, open, k)
	next := s.closeBody(k, end, caller)
	d.End = s.endLine(min(next, s.last+1) - 1)
	s.methodFacts(d, h, self)
	s.add(d)
	return next
}

// closeBody reads a body or an expression at k and returns the index after it.
func (s *csharpScanner) closeBody(k, end int, caller string) int {
	switch {
	case s.at(k) == '{':
		s.body(caller, k, s.pair(k))
		return s.pair(k) + 1
	case s.op(k, "=>"):
		semicolon := s.semicolon(k, end)
		s.body(caller, k, semicolon)
		return semicolon + 1
	case s.at(k) == '}':
		return k
	}
	return k + 1
}

// property reads a property, an indexer or an event with accessors; k is its brace or arrow.
func (s *csharpScanner) property(h csharpHead, name, k, end int, self csharpType) int {
	for k < end && s.at(k) != '{' && s.at(k) != ';' && !s.op(k, "=>") {
		k++
	}
	d := s.declare(h, s.word(name), KindField, self)
	d.Signature = s.signature(h.decl, k)
	next := s.closeBody(k, end, within(self.name, ".", d.Name))
	if s.at(next) == '=' && s.at(next+1) != '>' {
		semicolon := s.semicolon(next, end)
		d.Value = s.literalText(next+1, semicolon)
		s.body(self.name, next, semicolon)
		next = semicolon + 1
	}
	d.End = s.endLine(min(next, s.last+1) - 1)
	s.optionAttribute(d, h)
	if name >= 0 && (d.Doc != "" || len(h.attrs) > 0) {
		s.add(d)
	}
	return max(next, k+1)
}

// field reads constants and fields; at is the first "=", "," or ";" after the type and the name.
func (s *csharpScanner) field(h csharpHead, i, name, at, end int, self csharpType) int {
	semicolon := s.semicolon(at, end)
	s.body(self.name, at, semicolon)
	constant := h.has("const") || h.has("static") && h.has("readonly")
	for first := true; name > 0 && at <= semicolon; first = false {
		stop := min(s.nextField(at, semicolon), semicolon)
		d := s.declare(h, s.word(name), KindField, self)
		if constant {
			d.Kind = KindConstant
		}
		value := stop - b2i(stop < semicolon && s.at(stop-1) == ',')
		if s.at(at) == '=' {
			d.Value = s.literalText(at+1, value)
		}
		d.Signature, d.End = s.signature(h.decl, value), s.endLine(semicolon)
		if !first {
			d.Start = s.line(name)
		}
		if s.isWord(name) && i < name && (constant || d.Doc != "" || len(h.attrs) > 0) {
			s.add(d)
		}
		if stop >= semicolon || !constant {
			break
		}
		name, at = stop, stop+1
	}
	return semicolon + 1
}

// nextField returns the index after the comma that ends a declarator; one that stands at i itself counts.
func (s *csharpScanner) nextField(i, end int) int {
	for ; i < end; i++ {
		switch s.at(i) {
		case ',':
			return i + 1
		case '(', '[', '{':
			i = s.pair(i)
		case '<':
			i = max(s.angles(i)-1, i)
		}
	}
	return end
}

// xmlDoc returns the summary of an XML doc comment as plain text.
func xmlDoc(s string) string {
	if _, rest, ok := strings.Cut(s, "<summary>"); ok {
		s, _, _ = strings.Cut(rest, "</summary>")
	} else {
		for _, tag := range []string{"<param", "<returns", "<exception", "<inheritdoc"} {
			s, _, _ = strings.Cut(s, tag)
		}
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed || tag == "" || !isWord(tag[0]) && tag[0] != '/' {
			b.WriteByte('<')
			s = rest
			continue
		}
		b.WriteString(tagText(tag))
		s = after
	}
	out := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(b.String())
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// tagText returns what stands for a tag in plain text: the target of a reference, a paragraph, nothing.
func tagText(tag string) string {
	if strings.HasPrefix(tag, "para") || strings.HasPrefix(tag, "/para") {
		return "\n\n"
	}
	for _, name := range []string{`cref="`, `name="`, `langword="`, `href="`} {
		if _, rest, ok := strings.Cut(tag, name); ok && strings.HasSuffix(tag, "/") {
			value, _, _ := strings.Cut(rest, `"`)
			if len(value) > 2 && value[1] == ':' {
				value = value[2:]
			}
			return value
		}
	}
	return ""
}

// typeFacts records commands and failures that a type declares.
func (s *csharpScanner) typeFacts(d Decl, h csharpHead) {
	if a, ok := find(h.attrs, "Verb"); ok {
		if name := s.argumentString(a, ""); name != "" {
			s.f.Commands = append(s.f.Commands, Command{Name: name, Short: s.argumentString(a, "HelpText"), Line: d.Start})
		}
	}
	if d.Kind == KindClass && throwable(d) {
		s.f.Failures = append(s.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
	}
}

// optionAttribute records an option of CommandLineParser: [Option('v', "verbose", HelpText = "…", Default = 1)].
func (s *csharpScanner) optionAttribute(d Decl, h csharpHead) {
	a, ok := find(h.attrs, "Option")
	if !ok {
		return
	}
	for k := a.open + 1; k < a.close; k = s.nextArgument(k, a.close) {
		name, ok := s.str(k)
		if !ok || s.tok(k).c == stringChar {
			continue
		}
		flag := Flag{Name: strings.TrimLeft(name, "-"), Usage: s.argumentString(a, "HelpText", "Description"), Default: d.Value, Line: d.Start}
		if i := s.argument(a, "Default"); i > 0 {
			next := s.nextArgument(i, a.close)
			flag.Default = s.literalText(i, next-b2i(next < a.close))
		}
		if flag.Name != "" {
			s.f.Flags = append(s.f.Flags, flag)
		}
		return
	}
}

// methodFacts records what attributes and name make of a method: a test, a route, an entry point.
func (s *csharpScanner) methodFacts(d Decl, h csharpHead, self csharpType) {
	name := within(self.name, ".", d.Name)
	if d.Name == "Main" && h.has("static") {
		s.f.Entries = append(s.f.Entries, Entry{Kind: "main", Name: name, Line: d.Start, End: d.End})
	}
	tested := false
	for _, a := range h.attrs {
		switch a.name {
		case "Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod":
			if !tested {
				s.f.Tests = append(s.f.Tests, Test{Name: name, Line: d.Start, End: d.End})
			}
			tested = true
		case "HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpPatch", "HttpHead", "HttpOptions":
			path := s.argumentString(a, "", "template")
			if r, ok := find(h.attrs, "Route"); ok && path == "" {
				path = s.argumentString(r, "")
			}
			if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "~/") {
				path = joinRoute(self.base, path)
			}
			path = strings.ReplaceAll(strings.TrimPrefix(path, "~"), "[action]", d.Name)
			if path != "" {
				path = "/" + strings.TrimPrefix(path, "/")
				s.f.Routes = append(s.f.Routes, Route{Method: strings.ToUpper(a.name[4:]), Path: path, Handler: name, Line: d.Start})
			}
		}
	}
}

// call looks at the call whose name stands at i.
func (s *csharpScanner) call(i int) {
	open := i + 1
	if s.at(open) == '<' {
		open = s.callAngles(open)
	}
	switch w := s.word(i); w {
	case "GetEnvironmentVariable":
		def := ""
		if n := s.pair(open) + 1; s.op(n, "??") {
			def, _ = s.str(n + 2)
		}
		s.envRead(open+1, def)
	case "Exit":
		if s.is(i-2, "Environment") {
			s.exitStatus(i, open)
		}
	case "MapGroup":
		s.routeGroup(i)
	case "MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch":
		s.mappedRoute(i)
	case "Option", "Command":
		s.commandLine(w, i, open)
	}
}

// routeGroup keeps the path of var group = app.MapGroup("/path").
func (s *csharpScanner) routeGroup(i int) {
	path, ok := s.str(i + 2)
	if ok && s.at(i-1) == '.' && s.isWord(i-2) && s.at(i-3) == '=' && s.isWord(i-4) {
		s.groups = append(s.groups, [2]string{s.word(i - 4), joinRoute(s.groupOf(s.word(i-2)), path)})
	}
}

func (s *csharpScanner) groupOf(variable string) string {
	for i := len(s.groups) - 1; i >= 0; i-- {
		if s.groups[i][0] == variable {
			return s.groups[i][1]
		}
	}
	return ""
}

func (s *csharpScanner) mappedRoute(i int) {
	path, ok := s.str(i + 2)
	if !ok || s.at(i-1) != '.' || !s.isWord(i-2) {
		return // the path of a longer chain is not known
	}
	handler := ""
	if h := i + 4; s.at(i+3) == ',' {
		end := h
		for s.isWord(end) && s.at(end+1) == '.' {
			end += 2
		}
		if s.isWord(end) && s.at(end+1) == ')' {
			handler = s.text(h, end+1)
		}
	}
	s.f.Routes = append(s.f.Routes, Route{
		Method: strings.ToUpper(s.word(i)[3:]), Path: joinRoute(s.groupOf(s.word(i-2)), path), Handler: handler, Line: s.line(i),
	})
}

// commandLine records new Option<T>("--name", "…") and new Command("name", "…") of System.CommandLine.
func (s *csharpScanner) commandLine(w string, i, open int) {
	if !s.is(i-1, "new") {
		return
	}
	name, ok := s.str(open + 1)
	if !ok {
		return
	}
	short := ""
	if k := s.nextArgument(open+1, s.pair(open)); s.isString(k) {
		short, _ = s.str(k)
	}
	switch {
	case w == "Option" && strings.HasPrefix(name, "--"):
		if strings.HasPrefix(short, "-") {
			short = ""
		}
		s.f.Flags = append(s.f.Flags, Flag{Name: strings.TrimLeft(name, "-"), Usage: short, Line: s.line(i)})
	case w == "Command" && strings.Contains(s.s, "System.CommandLine"):
		s.f.Commands = append(s.f.Commands, Command{Name: name, Short: short, Line: s.line(i)})
	}
}
