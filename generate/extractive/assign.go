package extractive

import (
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A write is a line of a method that changes a field of its own object.
type write struct {
	field string
	ref   survey.Ref
}

// writesOf finds the lines in which a method assigns to, or adds to or removes from, the fields of its own object, each field once.
func (a *atlas) writesOf(s symbol) []write {
	self, ok := ownObject(s)
	if !ok || constructor(s.decl.Name) {
		return nil
	}
	lines := a.src.lines(s.file.Path)
	var out []write
	for n := s.decl.Start + 1; n <= min(s.decl.End, len(lines)); n++ {
		if s.decl.DocStart <= n && n <= s.decl.DocEnd {
			continue // a docstring may hold an example that assigns
		}
		for _, field := range allChanged(lines[n-1], self) {
			if !slices.ContainsFunc(out, func(w write) bool { return w.field == field }) {
				out = append(out, write{field, survey.Ref{Path: s.file.Path, Start: n, End: n}})
			}
		}
	}
	return out
}

// allChanged are the fields of the own object that a line changes, at its beginning or inside: "if (etag) this.tags.delete(etag)".
func allChanged(line, self string) []string {
	var out []string
	if field, ok := changed(line, self); ok {
		out = append(out, field)
	}
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "*") || len(self) < 2 {
		return out
	}
	for from := 1; from < len(trimmed); {
		i := strings.Index(trimmed[from:], self)
		if i < 0 {
			break
		}
		i += from
		from = i + len(self)
		if before := trimmed[i-1]; wordByte(before) || before == '.' || before == '$' || strings.Count(trimmed[:i], `"`)%2 == 1 || strings.Count(trimmed[:i], "'")%2 == 1 ||
			strings.Count(trimmed[:i], "`")%2 == 1 || strings.Contains(trimmed[:i], "//") {
			continue
		}
		field, ok := changed(trimmed[i:], self)
		if ok && !slices.Contains(out, field) && (strings.HasSuffix(trimmed[:i], "delete(") || !strings.HasSuffix(trimmed[:i], "delete ")) {
			out = append(out, field)
		}
	}
	return out
}

// ownObject is how a method writes its own object before a field: "s." in Go, "self." in Python. It reports false where the method cannot
// change it, or where the language lets one leave it out.
func ownObject(s symbol) (string, bool) {
	switch s.file.Language {
	case "Go":
		rest, ok := strings.CutPrefix(s.decl.Signature, "func (")
		name, typ, found := strings.Cut(rest, " ")
		return name + ".", ok && found && strings.HasPrefix(typ, "*")
	case "Rust":
		return "self.", strings.Contains(s.decl.Signature, "&mut self")
	case "Python":
		return "self.", true
	case "JavaScript", "TypeScript":
		return "this.", true
	case "PHP":
		return "$this->", true
	case "Ruby":
		return "@", true
	}
	return "", false
}

// changers are methods of the standard collections that change what they are called on.
var changers = []string{"append", "extend", "insert", "update", "setdefault", "push", "push_back", "unshift", "set", "add", "delete", "remove", "clear", "pop", "pop_front", "splice", "discard"}

// changed finds the field of the own object that a line changes: "self.views[name] = f", "this.urls.set(…)", "delete(s.m, key)".
func changed(line, self string) (string, bool) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "*") {
		return "", false
	}
	rest, deletes := strings.CutPrefix(trimmed, "delete("+self)
	if !deletes {
		var ok bool
		if rest, ok = strings.CutPrefix(strings.TrimPrefix(trimmed, "*"), self); !ok {
			return "", false
		}
	}
	end := 0
	for end < len(rest) && wordByte(rest[end]) {
		end++
	}
	field, rest := rest[:end], rest[end:]
	if field == "" || deletes {
		return field, field != ""
	}
	if strings.HasPrefix(rest, "[") {
		if i := strings.Index(rest, "]"); i > 0 {
			rest = rest[i+1:]
		}
	}
	if method, ok := strings.CutPrefix(rest, "."); ok {
		name, _, called := strings.Cut(method, "(")
		return field, called && slices.Contains(changers, name)
	}
	if typed, ok := strings.CutPrefix(rest, ": "); ok { // an annotation between name and value
		if i := strings.Index(typed, " = "); i > 0 {
			rest = typed[i:]
		}
	}
	rest = strings.TrimLeft(rest, " ")
	for _, op := range []string{"++", "--", "+=", "-=", "|=", "&=", "||=", "??="} {
		if strings.HasPrefix(rest, op) {
			return field, true
		}
	}
	return field, strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>") && !strings.HasPrefix(rest, "=~")
}

// methodsOfType are the methods of a type in its package (Go) or file.
func (a *atlas) methodsOfType(c *survey.Component, t symbol) []symbol {
	var out []symbol
	for _, f := range a.files(c) {
		if !samePackage(f, t.file) {
			continue // another type of the same name
		}
		for i := range f.Decls {
			if d := &f.Decls[i]; d.Kind == scan.KindMethod && d.Parent == t.decl.Name {
				out = append(out, symbol{d, f})
			}
		}
	}
	return out
}
