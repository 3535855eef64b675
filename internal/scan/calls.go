package scan

import "bytes"

// calls records the calls written in a range of code of a brace language: a name, possibly qualified, directly before a parenthesis.
// Words for which skip is true (keywords, and whatever else looks like a call) are left out. Qualifiers are joined by ".", "->",
// "::" or "?." as written.
func (t *text) calls(f *File, caller string, from, to int, skip func(word string) bool) {
	code := t.code
	for i := from; i < to; i++ {
		n := bytes.IndexByte(code[i:to], '(')
		if n < 0 {
			return
		}
		i += n
		end := t.skipBack(i)
		start := t.wordBack(end)
		if start == end || start < from || isDigit(code[start]) {
			continue
		}
		name := string(code[start:end])
		if skip(name) {
			continue
		}
		f.Calls = append(f.Calls, Call{Caller: caller, Qualifier: t.qualifier(start, from), Name: name, Line: t.line(start)})
	}
}

// qualifier returns the expression before the name that begins at off: the text up to the last separator, as far as it is made of
// plain names. A qualifier that is a larger expression gives its last name with "()" or "[]".
func (t *text) qualifier(off, floor int) string {
	end := t.separator(off)
	if end == off {
		return ""
	}
	start := end
	for at := end; ; {
		word := t.wordBack(at)
		if word == at || word < floor {
			break
		}
		start = word
		if at = t.separator(word); at == word || at < floor {
			break
		}
	}
	if start == end {
		if c := t.at(end - 1); c == ')' || c == ']' {
			return string([]byte{opener(c), c})
		}
		return ""
	}
	return fold(string(t.code[start:end]), maxSignature)
}

// separator returns the offset before the member separator that ends at off; off itself where none does.
func (t *text) separator(off int) int {
	at := t.skipBack(off)
	switch {
	case at >= 2 && (string(t.code[at-2:at]) == "->" || string(t.code[at-2:at]) == "::" || string(t.code[at-2:at]) == "?."):
		return t.skipBack(at - 2)
	case at >= 2 && t.code[at-1] == '.' && t.code[at-2] != '.':
		return t.skipBack(at - 1)
	}
	return off
}
