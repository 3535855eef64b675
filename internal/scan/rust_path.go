package scan

import "strings"

// inlinePaths records as imports what paths in the code name without a use declaration: crate::a::b, other_crate::Type, and macros
// such as log::debug!; and the use declarations inside of functions.
func (r *rustScanner) inlinePaths() {
	type place struct {
		path string
		line int
	}
	known, paths, places := map[string]bool{}, map[string]bool{}, map[place]bool{}
	note := func(imp Import) {
		name := imp.Path[strings.LastIndexByte(imp.Path, ':')+1:]
		if imp.Name != "" {
			name = imp.Name
		}
		known[strings.TrimPrefix(name, "./")], paths[imp.Path], places[place{imp.Path, imp.Line}] = true, true, true
	}
	for _, imp := range r.f.Imports {
		note(imp)
	}
	for _, d := range r.f.Decls {
		if d.Kind == KindModule {
			known[d.Name] = true
		}
	}
	for i := 0; i < r.last; i++ {
		switch t := &r.toks[i]; {
		case t.kind == tokenPunct && t.c == ':':
			if r.at(i+1) != ':' || !r.isWord(i-1) || !r.isWord(i+2) || r.at(i-2) == ':' || known[r.word(i-1)] {
				continue
			}
			path := r.inlinePath(i - 1)
			if path == "" || paths[path] {
				continue
			}
			imp := Import{Path: path, Line: r.line(i - 1), Inline: true}
			paths[path] = true
			r.f.Imports = append(r.f.Imports, imp)
		case t.kind == tokenWord && t.end-t.pos == 3 && r.s[t.pos] == 'u':
			if !r.is(i, "use") || r.at(i-1) == '.' || !r.isWord(i+1) && !r.op(i+1, "::") {
				continue
			}
			first := len(r.f.Imports)
			end := r.use(i, r.last)
			kept := r.f.Imports[:first]
			for _, imp := range r.f.Imports[first:] {
				if !places[place{imp.Path, imp.Line}] {
					note(imp)
					kept = append(kept, imp)
				}
			}
			r.f.Imports = kept
			i = max(end-1, i)
		}
	}
}

// inlinePath returns the path that begins with the word at i, up to its first type; "" for one that leads nowhere.
func (r *rustScanner) inlinePath(i int) string {
	first := r.word(i)
	switch first {
	case "std", "core", "alloc", "self", "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
		"isize", "f32", "f64":
		return ""
	}
	if c := first[0]; c < 'a' || c > 'z' || strings.HasPrefix(first, "r#") {
		return ""
	}
	end := i + 1
	for r.op(end, "::") && r.isWord(end+2) {
		end += 3
		if c := r.word(end - 1)[0]; 'A' <= c && c <= 'Z' {
			break
		}
	}
	if r.op(end, "::") && r.at(end+2) == '{' {
		return "" // part of a use declaration in a macro
	}
	path := r.text(i, end)
	if strings.ContainsAny(path, " \t\r\n/") { // written over lines
		path = strings.Join(strings.Fields(path), "")
	}
	return path
}

// testMacro records a test that a macro of the project defines: rgtest!(name, …).
func (r *rustScanner) testMacro(i int) {
	if !r.isWord(i) || r.at(i+1) != '!' || r.at(i+2) != '(' && r.at(i+2) != '{' || !r.isWord(i+3) || r.at(i+4) != ',' && r.pair(i+2) != i+4 {
		return
	}
	if strings.HasSuffix(r.word(i), "test") || r.testMacros[r.word(i)] {
		r.tests = true
		r.f.Tests = append(r.f.Tests, Test{Name: r.word(i + 3), Line: r.line(i), End: r.endLine(r.pair(i + 2))})
	}
}

// optionMethod learns what a method of an implemented trait says about a command-line option: fn name_long(&self) -> &str { "name" }.
func (r *rustScanner) optionMethod(name string, open, shut int) {
	text, ok := r.str(open + 1)
	if !ok || open+2 != shut {
		return
	}
	switch name {
	case "name_long", "long_name":
		if isFlagName(text) {
			r.option.Name, r.option.Line = text, r.line(open+1)
		}
	case "doc_short", "short_doc":
		r.option.Usage = fold(text, maxMark)
	}
}

// use records every path of a use tree.
func (r *rustScanner) use(i, end int) int {
	k := r.semicolon(i, end)
	r.useTree(i+1, k, "")
	return k + 1
}

func (r *rustScanner) useTree(i, end int, prefix string) {
	if !r.enter() {
		return
	}
	defer r.leave()
	for i < end {
		stop := r.nextArgument(i, end)
		last := stop
		if last < end || r.at(last-1) == ',' {
			last--
		}
		from, k := i, i
		for k < last && r.at(k) != '{' && !r.is(k, "as") {
			k++
		}
		path := strings.TrimPrefix(strings.Join(strings.Fields(r.text(from, k)), ""), "::")
		switch {
		case r.at(k) == '{' && k < last:
			r.useTree(k+1, r.pair(k), prefix+path)
		case path == "self":
			r.f.Imports = append(r.f.Imports, Import{Path: strings.TrimSuffix(prefix, "::"), Line: r.line(from)})
		case path != "":
			imp := Import{Path: prefix + path, Line: r.line(from)}
			if r.is(k, "as") {
				imp.Name = r.word(k + 1)
			}
			r.f.Imports = append(r.f.Imports, imp)
		}
		i = stop
	}
}
