package scan

import (
	"slices"
	"strings"
)

// method reads the method whose def stands at i.
func (r *rubyScanner) method(i int, self *rubyScope) int {
	k, endless := r.defHead(i)
	from := i + 1
	singleton := self.singleton || self.function
	parent := *self
	if r.at(from+1) == '.' && r.isWord(from) {
		if !r.is(from, "self") {
			parent.name = r.word(from)
		}
		from, singleton = from+2, true
	}
	name := strings.Join(strings.Fields(r.text(from, k)), "")
	if name == "" {
		return i + 1
	}
	kind := KindMethod
	if parent.name == "" {
		kind = KindFunction
	}
	head := k
	if r.at(k) == '(' {
		head = r.pair(k) + 1
	} else {
		for head < r.last && r.line(head) == r.line(i) && r.at(head) != ';' && !endless {
			head++
		}
	}
	d := r.declare(i, name, kind, &parent)
	first := i
	for first > 0 && r.line(first-1) == r.line(i) && r.isWord(first-1) {
		first--
	}
	d.Exported = (!self.hidden || singleton && !self.singleton) && !r.is(first, "private") && !r.is(first, "protected") && !r.is(first, "private_class_method")
	d.Signature = r.signature(i, head)
	end := r.pair(i)
	if endless {
		end = r.lineStatement(head)
		d.Signature = r.signature(i, head)
	}
	d.End = r.endLine(end)
	if endless {
		d.End = r.endLine(max(end-1, i))
	}
	r.references(within(parent.name, ".", name), k, end)
	r.methodFacts(d, self)
	r.add(d)
	return end + 1 - b2i(endless)
}

// lineStatement returns the index after the statement at i: it ends with its line unless brackets or an operator carry it on.
func (r *rubyScanner) lineStatement(i int) int {
	for k := i; k < r.last; k++ {
		if k > i && r.line(k) > r.endToken(k-1) && !r.carriedOn(k) {
			return k
		}
		if c := r.at(k); c == '(' || c == '[' || c == '{' || r.isWord(k) && r.toks[k].pair > int32(k) {
			k = r.pair(k)
		} else if c == ';' || c == ')' || c == '}' || c == ']' || r.is(k, "end") && r.tok(k).c != wordLabel && !r.member(k) {
			return k
		}
	}
	return r.last
}

// carriedOn tells whether the line break before the token at k does not end a statement.
func (r *rubyScanner) carriedOn(k int) bool {
	if c := r.at(k); c == '.' && r.at(k+1) != '.' || c == '&' && r.at(k+1) == '.' {
		return true
	}
	switch c := r.at(k - 1); c {
	case 0, ')', ']', '}', ';':
		return r.tok(k-1).c == wordLabel && r.isWord(k-1)
	case '|':
		return r.at(k-2) == '|'
	case '?', '!', '*', '&':
		return c == '&' && r.at(k-2) == '&' || c == '?'
	}
	return true
}

// visibility reads private and its relatives: alone, before a method, or with names.
func (r *rubyScanner) visibility(i int, w string, self *rubyScope) int {
	if !r.leads(i) {
		return i
	}
	if r.line(i+1) > r.line(i) || i+1 >= r.last || r.at(i+1) == ';' {
		switch w {
		case "private", "protected":
			self.hidden = true
		case "public":
			self.hidden, self.function = false, false
		case "module_function":
			self.function = true
		}
		return i + 1
	}
	if w == "public" || w == "module_function" {
		return i + 1
	}
	for k := i + 1; k < r.last && r.line(k) <= r.endLine(k-1); k++ {
		if r.tok(k).kind == tokenString && r.tok(k).c == stringSymbol {
			r.hide(self.name, r.text(k, k+1)[1:])
		} else if r.isWord(k) {
			break
		}
	}
	return i + 1
}

// hide takes a declaration of the scope off the exported ones.
func (r *rubyScanner) hide(parent, name string) {
	for n := len(r.f.Decls) - 1; n >= 0; n-- {
		if d := &r.f.Decls[n]; d.Name == name && d.Parent == parent {
			d.Exported = false
		}
	}
}

// attributes records the methods that attr_reader and its relatives declare, where they have a doc comment.
func (r *rubyScanner) attributes(i int, w string, self *rubyScope) int {
	at := i + 1
	if r.at(at) == '(' {
		at++
	}
	end := r.lineStatement(i + 1)
	for k := at; k < end; k++ {
		if r.tok(k).kind != tokenString || r.tok(k).c != stringSymbol {
			if r.at(k) != ',' {
				break
			}
			continue
		}
		kind := KindField
		if w == "alias_method" || w == "define_method" {
			kind = KindMethod
		}
		d := r.declare(i, r.text(k, k+1)[1:], kind, self)
		d.Exported, d.Start = !self.hidden, r.line(k)
		if d.Start == r.line(i) {
			d.Signature = r.signature(i, min(k+1, end))
		}
		d.End = r.endLine(k)
		if w == "define_method" {
			d.End = r.endLine(max(end-1, k))
		}
		if d.Doc != "" || kind == KindMethod {
			r.add(d)
		}
		if kind == KindMethod {
			break
		}
	}
	if w == "define_method" {
		return i // its block is read on
	}
	return end
}

func (r *rubyScanner) required(i int, w string) {
	at := i + 1
	if r.at(at) == '(' {
		at++
	}
	if w == "autoload" {
		at += 2
	}
	path, ok := r.str(at)
	if !ok || path == "" {
		return
	}
	if w == "require_relative" && !strings.HasPrefix(path, ".") {
		path = "./" + path
	}
	r.f.Imports = append(r.f.Imports, Import{Path: path, Line: r.line(i)})
}

// headEnd returns the index after what the first line of a statement holds before its block.
func (r *rubyScanner) headEnd(i, stop int) int {
	for k := i; k < stop; k++ {
		if r.line(k) > r.line(i) || r.is(k, "do") && r.tok(k).c != wordLabel || r.at(k) == '{' {
			return k
		}
	}
	return stop
}

// constant reads NAME = value; a class or struct made on the spot counts as a class.
func (r *rubyScanner) constant(i, end int, self *rubyScope) int {
	name := r.word(i)
	if name[0] < 'A' || name[0] > 'Z' || r.at(i+1) != '=' || r.at(i+2) == '=' || r.at(i+2) == '~' || r.at(i+2) == '>' {
		return i
	}
	stop := min(r.lineStatement(i+2), end)
	d := r.declare(i, name, KindConstant, self)
	d.Value, d.Signature, d.End = r.literalText(i+2, stop), r.signature(i, r.headEnd(i, stop)), r.endLine(max(stop-1, i))
	d.Value = strings.TrimSpace(d.Value)
	maker := r.word(i + 2)
	made := slices.Contains([]string{"Class", "Struct", "Data"}, maker) && r.at(i+3) == '.' && (r.is(i+4, "new") || r.is(i+4, "define"))
	if made {
		d.Kind = KindClass
		if maker == "Class" && r.at(i+5) == '(' {
			d.Bases = []string{r.text(i+6, r.constantPath(i+6))}
			if throwable(d) {
				r.f.Failures = append(r.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
			}
		}
	}
	r.add(d)
	inner := *self
	if made {
		inner = rubyScope{name: within(self.name, "::", name)}
	}
	r.scope(i+2, stop, &inner)
	return stop
}
