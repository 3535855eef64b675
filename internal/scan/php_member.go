package scan

import "strings"

// function reads a function or method; i is its word function.
func (s *phpScanner) function(h phpHead, i, end int, self phpType) int {
	k := i + 1
	if s.at(k) == '&' {
		k++
	}
	if !s.isWord(k) { // a closure
		return s.statement(i, end)
	}
	kind := KindFunction
	if self.name != "" {
		kind = KindMethod
	}
	d := s.declare(h, s.word(k), kind, self)
	for k++; k < end && s.at(k) != '{' && s.at(k) != ';'; k++ {
		if s.at(k) == '(' {
			s.body(within(self.name, ".", d.Name), k, s.pair(k))
			k = s.pair(k)
		}
	}
	d.Signature = s.signature(h.decl, k)
	next := s.pair(k)
	if s.at(k) == '{' {
		s.body(within(self.name, ".", d.Name), k, next)
	} else {
		next = k
	}
	d.End = s.endLine(next)
	s.methodFacts(d, h, self)
	s.add(d)
	return next + 1
}

func (s *phpScanner) constants(h phpHead, i, end int, self phpType) int {
	from := i + 1
	for k := from; k < end; k++ {
		stop := s.nextArgument(k, end)
		semicolon := stop
		for n := k; n < stop; n++ {
			if c := s.at(n); c == ';' {
				semicolon = n
				break
			} else if c == '(' || c == '[' {
				n = s.pair(n)
			}
		}
		last := semicolon < stop || stop >= end
		value := min(semicolon, stop-b2i(!last))
		eq := k
		for eq < value && s.at(eq) != '=' {
			eq++
		}
		if s.isWord(eq-1) && eq < value {
			d := s.declare(h, s.word(eq-1), KindConstant, self)
			if k != from {
				d.Start = s.line(eq - 1)
			}
			d.Value, d.Signature, d.End = s.literalText(eq+1, value), s.signature(k, value), s.endLine(value-1)
			if k == from {
				d.Signature = s.signature(h.decl, value)
			}
			s.body(self.name, eq, value)
			s.add(d)
		}
		if last {
			return semicolon + 1
		}
		k = stop - 1
	}
	return end
}

func (s *phpScanner) enumCase(h phpHead, i, end int, self phpType) int {
	d := s.declare(h, s.word(i+1), KindConstant, self)
	k := i + 2
	for k < end && s.at(k) != ';' {
		k++
	}
	if s.at(i+2) == '=' {
		d.Value = s.literalText(i+3, k)
	}
	d.Signature, d.End = s.signature(h.decl, k), s.endLine(k)
	s.add(d)
	return k + 1
}

// property reads a property; hooks count as its body.
func (s *phpScanner) property(h phpHead, i, end int, self phpType) int {
	name := i
	for name < end && !strings.HasPrefix(s.word(name), "$") && s.at(name) != ';' && s.at(name) != '{' {
		name++
	}
	k := name
	for k < end && s.at(k) != ';' {
		if c := s.at(k); c == '(' || c == '[' || c == '{' {
			s.body(self.name, k, s.pair(k))
			k = s.pair(k)
			if c == '{' {
				break
			}
		}
		k++
	}
	if s.isWord(name) && len(h.mods) > 0 {
		d := s.declare(h, strings.TrimPrefix(s.word(name), "$"), KindField, self)
		if s.at(name+1) == '=' {
			d.Value = s.literalText(name+2, k)
		}
		d.Signature, d.End = s.signature(h.decl, k), s.endLine(k)
		if d.Doc != "" || len(h.attrs) > 0 {
			s.add(d)
		}
		s.commandProperty(d)
	}
	return k + 1
}

// statement reads one statement; blocks are scopes, because functions and classes may be declared in them.
func (s *phpScanner) statement(i, end int) int {
	k := i
	for k < end && s.at(k) != ';' && s.at(k) != '{' && s.at(k) != '}' {
		if s.is(k, "define") && s.at(k+1) == '(' {
			s.define(k)
		}
		if s.is(k, "class") && s.at(k-1) != ':' && k > i { // an anonymous class: its body is no scope
			k = s.anonymousClass(k, end)
			continue
		}
		k++
	}
	s.body("", i, k)
	s.required(i, k)
	if s.at(k) == '{' {
		return k
	}
	return k + 1
}

// anonymousClass returns the index after the body of the class without a name at i.
func (s *phpScanner) anonymousClass(i, end int) int {
	for i < end && s.at(i) != '{' && s.at(i) != ';' {
		if s.at(i) == '(' {
			i = s.pair(i)
		}
		i++
	}
	if s.at(i) == '{' {
		return s.pair(i) + 1
	}
	return i
}

// required records the files that a statement includes.
func (s *phpScanner) required(i, end int) {
	for ; i < end; i++ {
		switch s.word(i) {
		case "require", "require_once", "include", "include_once":
			for k := i + 1; k < min(i+6, end); k++ {
				if path, ok := s.str(k); ok {
					if s.is(k-2, "__DIR__") {
						path = "." + path
					}
					s.f.Imports = append(s.f.Imports, Import{Path: path, Line: s.line(i)})
					break
				}
			}
		}
	}
}

// define records a constant that the function define declares; i is its name.
func (s *phpScanner) define(i int) {
	name, ok := s.str(i + 2)
	if !ok || s.at(i+3) != ',' {
		return
	}
	d := Decl{Name: name, Kind: KindConstant, Exported: true, Start: s.line(i)}
	s.docs(&d, i, javaDoc)
	shut := s.pair(i + 1)
	d.Value, d.Signature, d.End = s.literalText(i+4, shut), s.signature(i, shut+1), s.endLine(shut)
	s.add(d)
}
