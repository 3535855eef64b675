package scan

import "strings"

// javadoc gives a declaration its doc comment, without the markup of Javadoc.
func (j *javaScanner) javadoc(d *Decl, h javaHead) {
	j.docs(d, h.start, javaDoc)
	if d.DocStart == 0 && h.decl != h.start {
		j.docs(d, h.decl, javaDoc)
	}
	d.Doc = javadocText(d.Doc)
}

// javadocText turns the inline tags and the HTML of Javadoc into plain text.
func javadocText(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		s = plainHTML(s)
	}
	for strings.Contains(s, "{@") {
		before, rest, _ := strings.Cut(s, "{@")
		n := closingBrace(rest)
		if n < 0 {
			break
		}
		inner := rest[:n]
		tag, text, _ := strings.Cut(inner, " ")
		if tag == "inheritDoc" {
			text = ""
		}
		if strings.HasPrefix(tag, "link") {
			text = linkText(text)
		}
		s = before + strings.TrimSpace(text) + rest[n+1:]
	}
	return strings.TrimSpace(s)
}

func closingBrace(s string) int {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// linkText returns the label of a link, or its target as it is read aloud.
func linkText(s string) string {
	target, label, ok := strings.Cut(strings.TrimSpace(s), " ")
	if strings.IndexByte(target, '(') >= 0 && strings.IndexByte(target, ')') < 0 {
		n := strings.IndexByte(s, ')')
		if n < 0 {
			return s
		}
		target, label = s[:n+1], strings.TrimSpace(s[n+1:])
		ok = label != ""
	}
	if ok && label != "" {
		return label
	}
	return strings.ReplaceAll(strings.TrimPrefix(target, "#"), "#", ".")
}

// plainHTML drops the tags that doc comments use and resolves the usual entities. Paragraph tags separate paragraphs.
func plainHTML(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '<' {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := strings.IndexByte(s[i:], '>')
		if n < 0 || n > 120 || n == 1 || !strings.ContainsRune("/abcdefhilmopqrstuABDEHILOPSTU", rune(s[i+1])) || strings.Contains(s[i:i+n], "{@") {
			b.WriteByte('<')
			i++
			continue
		}
		tag := strings.ToLower(strings.Trim(s[i+1:i+n], "/ "))
		i += n + 1
		if tag == "p" && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n\n") {
			b.WriteString("\n\n")
			for i < len(s) && isSpace(s[i]) {
				i++
			}
		}
	}
	out := b.String()
	if strings.IndexByte(out, '&') >= 0 {
		out = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&nbsp;", " ", "&#64;", "@", "&amp;", "&").Replace(out)
	}
	return out
}

// typeFacts records commands and failures that a type declares.
func (j *javaScanner) typeFacts(d Decl, h javaHead) {
	if a, ok := find(h.attrs, "Command"); ok {
		if name := j.argumentString(a, "name"); name != "" {
			j.f.Commands = append(j.f.Commands, Command{Name: name, Short: j.argumentString(a, "description"), Line: d.Start})
		}
	}
	if d.Kind == KindClass && throwable(d) {
		j.f.Failures = append(j.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
	}
}

// throwable tells by the names of a class and its bases whether it is an exception.
func throwable(d Decl) bool {
	for _, b := range d.Bases {
		b = b[strings.LastIndexAny(b, `.\:`)+1:]
		if b == "Throwable" || strings.HasSuffix(b, "Exception") || strings.HasSuffix(b, "Error") {
			return true
		}
	}
	return false
}

// javaVerb returns the HTTP method that an annotation stands for.
func javaVerb(annotation string) (verb string, ok bool) {
	switch verb = strings.ToUpper(strings.TrimSuffix(annotation, "Mapping")); verb {
	case "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS":
		return verb, verb == annotation || len(verb) < len(annotation)
	}
	return "", false
}

// methodFacts records what annotations and name make of a method: a test, a route, an entry point, a command, an option.
func (j *javaScanner) methodFacts(d Decl, h javaHead, self javaType) {
	f := j.f
	if d.Name == "main" && (h.has("static") && h.has("public") || self.name == "") {
		f.Entries = append(f.Entries, Entry{Kind: "main", Name: within(self.name, ".", "main"), Line: d.Start, End: d.End})
	}
	for _, a := range h.attrs {
		switch a.name {
		case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property":
			f.Tests = append(f.Tests, Test{Name: within(self.name, ".", d.Name), Line: d.Start, End: d.End})
		case "Command":
			if name := j.argumentString(a, "name"); name != "" {
				f.Commands = append(f.Commands, Command{Name: name, Short: j.argumentString(a, "description"), Line: d.Start})
			}
		case "Option":
			j.fieldFacts(d, h)
		}
	}
	j.routes(d, h, self)
}

// basePath returns the path under which a class answers. Spring's @Controller may name a bean instead.
func (j *javaScanner) basePath(h javaHead) string {
	for _, a := range h.attrs {
		switch path := j.argumentString(a, "", "value", "path"); a.name {
		case "RequestMapping", "Path":
			return path
		case "Controller":
			if strings.HasPrefix(path, "/") {
				return path
			}
		}
	}
	return ""
}

func (j *javaScanner) routes(d Decl, h javaHead, self javaType) {
	path, hasPath := "", false
	if a, ok := find(h.attrs, "Path"); ok {
		path, hasPath = j.argumentString(a, "", "value"), true
	}
	for _, a := range h.attrs {
		method, ok := javaVerb(a.name)
		var paths []string
		switch {
		case ok && strings.HasSuffix(a.name, "Mapping"):
			paths = j.argumentStrings(a, "", "value", "path")
		case ok && (hasPath || self.base != "") && a.open == a.close:
			paths = []string{path}
		case a.name == "RequestMapping":
			paths = j.argumentStrings(a, "", "value", "path")
			if i := j.argument(a, "method"); i > 0 {
				method = j.word(j.nextArgument(i, a.close) - 1 - b2i(j.nextArgument(i, a.close) < a.close))
			}
		default:
			continue
		}
		if len(paths) == 0 && self.base != "" {
			paths = []string{""}
		}
		for _, path := range paths {
			j.f.Routes = append(j.f.Routes, Route{Method: method, Path: joinRoute(self.base, path), Handler: within(self.name, ".", d.Name), Line: d.Start})
		}
	}
}

// fieldFacts records the options that picocli's annotations declare.
func (j *javaScanner) fieldFacts(d Decl, h javaHead) {
	a, ok := find(h.attrs, "Option")
	if !ok {
		return
	}
	name := ""
	for _, n := range j.argumentStrings(a, "names", "name", "") {
		if n = strings.TrimLeft(n, "-"); len(n) > len(name) {
			name = n
		}
	}
	if name == "" {
		return
	}
	def := j.argumentString(a, "defaultValue")
	if def == "" {
		def = d.Value
	}
	j.f.Flags = append(j.f.Flags, Flag{Name: name, Default: def, Usage: strings.Join(j.argumentStrings(a, "description"), " "), Line: d.Start})
}

// call looks at the call whose name stands at i.
func (j *javaScanner) call(i int) {
	if j.at(i+1) != '(' {
		return
	}
	switch j.word(i) {
	case "getenv":
		j.envRead(i+2, j.fallback(j.pair(i+1)+1))
	case "exit", "exitProcess":
		j.exitStatus(i, i+1)
	case "getOrDefault":
		if j.is(i-4, "getenv") && j.at(i+3) == ',' {
			def, _ := j.str(i + 4)
			j.envRead(i+2, def)
		}
	case "get":
		if j.is(i-4, "getenv") {
			j.envRead(i+2, "")
		}
	}
}

// fallback returns the literal that replaces a null at i: Kotlin's ?: operator.
func (j *javaScanner) fallback(i int) string {
	if j.op(i, "?:") {
		s, _ := j.str(i + 2)
		return s
	}
	return ""
}
