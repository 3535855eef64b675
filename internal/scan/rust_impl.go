package scan

import (
	"path"
	"strings"
)

// bounds reads the super traits from i to the body.
func (r *rustScanner) bounds(i, end int) []string {
	var out []string
	for i < end && r.at(i) != '{' && !r.is(i, "where") && r.at(i) != ';' {
		if !r.isWord(i) || r.is(i, "for") {
			i++
			continue
		}
		from := i
		for r.op(i+1, "::") && r.isWord(i+3) {
			i += 3
		}
		out = append(out, r.text(from, i+1))
		i = max(r.angles(i+1), i+1)
		if r.at(i) == '(' {
			i = r.pair(i) + 1
		}
	}
	return out
}

// variants records the variants of an enum as constants.
func (r *rustScanner) variants(open, shut int, self rustScope) {
	for i := open + 1; i < shut; {
		h, at := r.head(i, shut)
		next := r.nextArgument(at, shut)
		if r.isWord(at) {
			end := next
			if r.at(end-1) == ',' {
				end--
			}
			d := r.declare(h, r.word(at), KindConstant, self)
			d.Signature, d.End = r.signature(at, end), r.endLine(end-1)
			if r.at(at+1) == '=' {
				d.Value = r.literalText(at+2, end)
			}
			r.add(d)
			if a, ok := find(h.attrs, "error"); ok {
				text, _ := r.str(a.open + 1)
				r.f.Failures = append(r.f.Failures, Failure{Name: self.name + "::" + d.Name, Text: text, Line: d.Start, End: d.End})
			}
		}
		i = max(next, i+1)
	}
}

func (r *rustScanner) impl(h rustHead, i, end int, self rustScope) int {
	k := r.angles(i + 1)
	from, at, trait := k, 0, ""
	for k < end && r.at(k) != '{' && r.at(k) != ';' && !r.is(k, "where") {
		switch {
		case r.is(k, "for") && r.at(k+1) != '<':
			trait = r.typeName(from, k)
			from = k + 1
		case r.at(k) == '<':
			k = max(r.angles(k), k+1)
			continue
		case r.at(k) == '(' || r.at(k) == '[':
			k = r.pair(k)
		}
		k++
	}
	at = k
	for k < end && r.at(k) != '{' && r.at(k) != ';' {
		if c := r.at(k); c == '(' || c == '[' {
			k = r.pair(k)
		}
		k++
	}
	name := within(self.name, "::", r.typeName(from, at))
	if trait != "" {
		r.bases[name] = append(r.bases[name], trait)
	}
	if r.at(k) != '{' {
		return k + 1
	}
	kind := "impl"
	inner := rustScope{name: name, kind: kind, base: trait, public: trait != "" && self.kind != "test"}
	outer := r.option
	r.option = Flag{}
	r.items(k+1, r.pair(k), inner)
	if r.option.Name != "" && self.kind != "test" {
		r.f.Flags = append(r.f.Flags, r.option)
	}
	r.option = outer
	return r.pair(k) + 1
}

// typeName returns the name of a type between two tokens, without references and arguments.
func (r *rustScanner) typeName(from, to int) string {
	for from < to && (!r.isWord(from) || r.is(from, "mut") || r.is(from, "dyn") || r.is(from, "const")) {
		from++
	}
	end := from
	for end < to && r.isWord(end) {
		if !r.op(end+1, "::") || !r.isWord(end+3) || end+3 >= to {
			return r.text(from, end+1)
		}
		end += 3
	}
	return r.text(from, end)
}

// giveBases gives the types of the file the traits that impl blocks name.
func (r *rustScanner) giveBases() {
	for i := range r.f.Decls {
		d := &r.f.Decls[i]
		switch d.Kind {
		case KindStruct, KindEnum, KindType:
			d.Bases = append(d.Bases, r.bases[within(d.Parent, "::", d.Name)]...)
			for _, b := range d.Bases {
				if b == "Error" || strings.HasSuffix(b, "::Error") {
					r.f.Failures = append(r.f.Failures, Failure{Name: d.Name, Text: firstSentence(d.Doc), Line: d.Start, End: d.End})
					break
				}
			}
		}
	}
}

func (r *rustScanner) alias(h rustHead, i, end int, self rustScope) int {
	k := r.semicolon(i, end)
	d := r.declare(h, r.word(i+1), KindType, self)
	d.Signature, d.End = r.signature(h.decl, k), r.endLine(k)
	r.add(d)
	return k + 1
}

// macro reads a macro; the name stands two tokens after i.
func (r *rustScanner) macro(h rustHead, i int) int {
	at := i + 2
	d := r.declare(h, r.word(at), KindMacro, rustScope{})
	_, exported := find(h.attrs, "macro_export")
	d.Exported = exported || h.public
	k := at + 1
	if r.at(i+1) != '!' && r.at(k) == '(' {
		k = r.pair(k) + 1
	}
	shut := r.pair(k)
	d.Signature, d.End = r.signature(h.decl, k), r.endLine(shut)
	r.add(d)
	for n := k; n < shut; n++ {
		if r.at(n) == '#' && r.at(n+1) == '[' && r.is(n+2, "test") && r.at(n+3) == ']' {
			if r.testMacros == nil {
				r.testMacros = map[string]bool{}
			}
			r.testMacros[d.Name] = true
			break
		}
	}
	if r.at(shut+1) == ';' {
		shut++
	}
	return shut + 1
}

// entryName returns the name of the program that a file with a main function makes.
func (r *rustScanner) entryName() string {
	base := strings.TrimSuffix(path.Base(r.f.Path), ".rs")
	if base == "main" {
		return "main"
	}
	return base
}
