package scan

import "strings"

// scanRuby reads a file of Ruby.
func scanRuby(f *File, src *text) {
	p, _ := newReader(f, src, dialectRuby)
	r := &rubyScanner{reader: p, sinatra: strings.Contains(p.s, "inatra"), rails: strings.Contains(p.s, "routes")}
	r.pairWords()
	r.shebang()
	r.fileDoc()
	r.scope(0, r.last, &rubyScope{})
	markTests(f)
}

type rubyScanner struct {
	*reader
	sinatra, rails bool
	desc           *Command // of Thor, for the next method
}

// A rubyScope is the class or module that is being read.
type rubyScope struct {
	name      string
	base      string
	hidden    bool // private or protected from here on
	singleton bool // class << self
	function  bool // module_function
	path      string
	describe  string // of the tests
}

// opens tells whether the word at i opens something that a word end closes.
func (r *rubyScanner) opens(i int) bool {
	switch r.word(i) {
	case "class", "module", "def", "begin", "case", "do":
		return true
	case "if", "unless", "while", "until", "for":
		return r.leads(i)
	}
	return false
}

// leads tells whether a statement or value begins at i; a condition that does not begin one modifies what stands before it.
func (r *rubyScanner) leads(i int) bool {
	if i == 0 {
		return true
	}
	prev := r.toks[i-1]
	switch prev.kind {
	case tokenPunct:
		if prev.c != ')' && prev.c != ']' && prev.c != '}' {
			return true
		}
	case tokenWord:
		if prev.c == wordLabel {
			return true
		}
		switch r.word(i - 1) {
		case "then", "else", "do", "begin", "and", "or", "not", "ensure":
			return true
		}
	}
	return r.endToken(i-1) < r.line(i)
}

// endToken returns the line on which the token at i ends; the body of a heredoc does not count.
func (r *rubyScanner) endToken(i int) int {
	if r.toks[i].kind == tokenString && r.toks[i].pair > 0 {
		return int(r.toks[i].line)
	}
	return r.endLine(i)
}

// pairWords pairs the words that open a block with their end, as brackets are paired.
func (r *rubyScanner) pairWords() {
	var stack []int
	loop := -1 // line of a loop whose do has not been seen
	for i := 0; i < r.last; i++ {
		if r.toks[i].kind != tokenWord || r.toks[i].c == wordLabel || r.member(i) {
			continue
		}
		switch w := r.word(i); w {
		case "def":
			next, endless := r.defHead(i)
			if !endless {
				stack = append(stack, i)
			}
			i = max(next-1, i)
		case "do":
			if loop == r.line(i) {
				loop = -1
				continue
			}
			stack = append(stack, i)
		case "while", "until", "for":
			if r.leads(i) {
				stack = append(stack, i)
				loop = r.line(i)
			}
		case "class", "module", "begin", "case", "if", "unless":
			if r.opens(i) {
				stack = append(stack, i)
			}
		case "end":
			if n := len(stack) - 1; n >= 0 {
				r.toks[stack[n]].pair = int32(i)
				r.toks[i].pair = int32(stack[n])
				stack = stack[:n]
			}
		}
	}
}

// member tells whether the word at i is the name of a method that is called: x.class, x&.end.
func (r *rubyScanner) member(i int) bool {
	return r.at(i-1) == '.' && r.at(i-2) != '.'
}

// defHead returns the index after the name of the method whose def stands at i, and whether it has no end of its own.
func (r *rubyScanner) defHead(i int) (next int, endless bool) {
	k := i + 1
	if r.at(k+1) == '.' && r.isWord(k) {
		k += 2
	}
	if r.isWord(k) || r.isString(k) {
		k++
		if r.at(k) == '=' && r.tok(k).pos == r.tok(k-1).end && (r.at(k+1) == '(' || r.isWord(k+1) && r.line(k+1) == r.line(k)) && r.tok(k+1).pos <= r.tok(k).end+1 && r.at(k+1) != '=' {
			if r.at(k+1) == '(' || r.tok(k+1).pos == r.tok(k).end+1 {
				return k + 1, false // a setter
			}
		}
	} else {
		for from := k; k < r.last && k < from+3 && (r.at(k) != 0 || r.is(k, "@")) && r.at(k) != '(' && r.at(k) != ';' && r.line(k) == r.line(i); k++ {
		}
	}
	after := k
	if r.at(k) == '(' {
		k = r.pair(k) + 1
	}
	return after, r.at(k) == '=' && r.at(k+1) != '=' && r.at(k+1) != '~' && r.line(k) == r.line(k-1)
}

// scope reads what stands between two tokens. Blocks and conditions are read through: methods may be declared in them.
func (r *rubyScanner) scope(i, end int, self *rubyScope) {
	if !r.enter() {
		return
	}
	defer r.leave()
	for i < end {
		if r.toks[i].kind != tokenWord || r.toks[i].c == wordLabel || r.member(i) {
			i++
			continue
		}
		next := r.statement(i, end, self)
		i = max(next, i+1)
	}
}

// statement looks at the word at i; it returns the index after what it read, or i.
func (r *rubyScanner) statement(i, end int, self *rubyScope) int {
	w := r.word(i)
	switch w {
	case "class", "module":
		if r.leads(i) {
			return r.typeDecl(i, w, self)
		}
	case "def":
		return r.method(i, self)
	case "private", "protected", "public", "module_function", "private_class_method", "private_constant":
		return r.visibility(i, w, self)
	case "attr_reader", "attr_accessor", "attr_writer", "alias_method", "define_method":
		return r.attributes(i, w, self)
	case "alias":
		if r.leads(i) {
			return i + 3
		}
	case "require", "require_relative", "load", "autoload":
		r.required(i, w)
	}
	if r.leads(i) {
		if next := r.constant(i, end, self); next > i {
			return next
		}
		if next := r.framework(i, end, self); next > i {
			return next
		}
	}
	r.reference(self.name, i, 0)
	return i
}

// fileDoc takes the comment at the top of the file that is not about rights and stands alone.
func (r *rubyScanner) fileDoc() {
	for i := 0; i < len(r.t.comments) && i < 60; i++ {
		first := i
		for i+1 < len(r.t.comments) && r.t.adjoins(i, i+1) {
			i++
		}
		if len(r.toks) > 1 && r.t.comments[i].start > int(r.toks[0].pos) {
			return
		}
		d := r.t.docOf(first, i)
		low := strings.ToLower(d.text)
		if strings.HasPrefix(d.text, "!") || strings.Contains(low, "frozen_string_literal") || strings.Contains(low, "coding:") ||
			strings.Contains(low, "copyright") || strings.Contains(low, "license") || strings.HasPrefix(low, "rubocop:") || len(d.text) < 12 {
			continue
		}
		if r.t.onlyBlank(r.t.comments[i].end, int(r.toks[0].pos), 1) && !strings.HasPrefix(r.word(0), "require") {
			return // it belongs to the first declaration
		}
		r.f.Doc, r.f.DocStart, r.f.DocEnd = d.text, d.start, d.end
		return
	}
}

// constantPath returns the index after a name such as A::B at i.
func (r *rubyScanner) constantPath(i int) int {
	if r.op(i, "::") {
		i += 2
	}
	for r.isWord(i) {
		i++
		if !r.op(i, "::") || !r.isWord(i+2) {
			break
		}
		i += 2
	}
	return i
}

func (r *rubyScanner) declare(i int, name string, kind Kind, self *rubyScope) Decl {
	d := Decl{Name: name, Kind: kind, Parent: self.name, Exported: true, Start: r.line(i)}
	if c := r.t.docBefore(r.t.lineStart(int(r.tok(i).pos)), "#"); c.start > 0 {
		d.Doc, d.Deprecated = splitTags(c.text)
		d.DocStart, d.DocEnd = c.start, c.end
		if strings.Contains(d.Doc, "frozen_string_literal") || strings.HasPrefix(d.Doc, "rubocop:") || strings.HasPrefix(d.Doc, "!") {
			d.Doc, d.DocStart, d.DocEnd = "", 0, 0
		}
	}
	return d
}

func (r *rubyScanner) typeDecl(i int, word string, self *rubyScope) int {
	shut := r.pair(i)
	if r.at(i+1) == '<' && r.at(i+2) == '<' {
		inner := *self
		inner.hidden, inner.singleton = false, true
		r.scope(i+4, shut, &inner)
		return shut + 1
	}
	at := r.constantPath(i + 1)
	if at == i+1 {
		return i + 1
	}
	kind := KindClass
	if word == "module" {
		kind = KindModule
	}
	full := strings.TrimPrefix(r.text(i+1, at), "::")
	outer := *self
	name := full
	if n := strings.LastIndex(full, "::"); n >= 0 {
		outer.name, name = within(self.name, "::", full[:n]), full[n+2:]
	}
	d := r.declare(i, name, kind, &outer)
	head := at
	if r.at(at) == '<' {
		head = r.constantPath(at + 1)
		if head > at+1 {
			d.Bases = append(d.Bases, strings.TrimPrefix(r.text(at+1, head), "::"))
		}
	}
	inner := &rubyScope{name: within(self.name, "::", full), path: self.path}
	if len(d.Bases) > 0 {
		inner.base = d.Bases[0]
	}
	d.Signature, d.End = r.signature(i, head), r.line(shut)
	if throwable(d) {
		r.f.Failures = append(r.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
	}
	r.add(d)
	if kind == KindModule && r.f.Package == "" && self.name == "" {
		r.f.Package, r.f.PackageLine = full, d.Start
	}
	r.scope(head, shut, inner)
	return shut + 1
}
