package scan

import "bytes"

// An argument is one argument of a call, without the white space around it.
type argument struct {
	span
	name string // of a keyword argument: name=value, without the spaces
}

// args returns the arguments of the call whose parenthesis opens at open. keyword is the byte between the name and the value of a
// keyword argument, 0 where the language has none. The list of a call that never closes is empty.
func (t *text) args(open int, keyword byte) []argument {
	end := t.closing(open)
	if end < 0 {
		return nil
	}
	var out []argument
	start := open + 1
	for i := start; ; i++ {
		switch c := t.at(i); {
		case i >= end, c == ',':
			if a := t.argument(start, min(i, end), keyword); a.start < a.end {
				out = append(out, a)
			}
			start = i + 1
			if i >= end {
				return out
			}
		case c == '(' || c == '[' || c == '{':
			i = t.closingOr(i, end)
		}
	}
}

func (t *text) argument(from, to int, keyword byte) argument {
	from = min(t.skip(from), to)
	to = max(t.skipBack(to), from)
	a := argument{span: span{from, to}}
	if keyword == 0 {
		return a
	}
	end := t.word(from)
	at := t.skip(end)
	if end > from && at < to && t.code[at] == keyword && t.at(at+1) != '=' {
		a.name = string(t.code[from:end])
		a.start = min(t.skip(at+1), to)
	}
	return a
}

// str returns the value of an argument that is one string literal.
func (t *text) str(a argument) (string, bool) {
	s, end, ok := t.stringAt(a.start)
	return s, ok && end == a.end
}

// joined returns the value of an argument that is literals put together by +, "" for anything else.
func (t *text) joined(a argument) string {
	out := ""
	for at := a.start; at < a.end; {
		s, end, ok := t.stringAt(at)
		if !ok {
			return ""
		}
		out += s
		if at = t.skip(end); at >= a.end {
			return out
		}
		if t.at(at) != '+' {
			return ""
		}
		at = t.skip(at + 1)
	}
	return ""
}

// given returns a default as a reader writes it: a string without quotes, a number or a plain word as written, "" for the rest.
func (t *text) given(a argument) string {
	if s, ok := t.str(a); ok {
		return cut(s, maxSignature)
	}
	if s := t.literalValue(a.start, a.end); s != "None" && s != "null" && s != "undefined" {
		return s
	}
	return ""
}

// literalValue returns the short literal value that fills a range, as written: a string on one line, a number, a truth value, or
// nothing ("None", "null"). It returns "" where the range holds anything else.
func (t *text) literalValue(from, to int) string {
	from, to = t.skip(from), t.skipBack(to)
	if from >= to || to-from > maxSignature {
		return ""
	}
	s := string(t.src[from:to])
	if lit, ok := t.literalAt(from); ok {
		if lit.end != to || lit.dynamic || bytes.IndexByte(t.src[from:to], '\n') >= 0 {
			return ""
		}
		return s
	}
	switch s {
	case "True", "False", "None", "true", "false", "null", "undefined":
		return s
	}
	if !isNumber(s) {
		return ""
	}
	return s
}

// isNumber tells whether s is a number, or a product, power or shift of numbers.
func isNumber(s string) bool {
	digits := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isDigit(c):
			digits = true
		case c == '.' || c == '_' || c == '-' || c == '*' || c == ' ' || c == '<' || c == '+':
		case digits && (c|0x20 >= 'a' && c|0x20 <= 'f' || c|0x20 == 'x' || c|0x20 == 'o' || c|0x20 == 'n' || c|0x20 == 'l'):
		default:
			return false
		}
	}
	return digits
}

// find looks for words in one pass, so that each is cheap for them.
func (t *text) find(words ...string) {
	t.words = make(map[string][]int, len(words))
	var lengths [256]uint64 // by first byte, a bit for each length
	for _, w := range words {
		t.words[w] = nil
		lengths[w[0]] |= 1 << len(w)
	}
	var wordBytes [256]bool
	for c := range wordBytes {
		wordBytes[c] = isWord(byte(c))
	}
	code := t.code
	for i := 0; i < len(code); {
		c := code[i]
		if !wordBytes[c] {
			i++
			continue
		}
		start := i
		for i++; i < len(code) && wordBytes[code[i]]; i++ {
		}
		if n := i - start; n < 64 && lengths[c]&(1<<n) != 0 {
			if found, ok := t.words[string(code[start:i])]; ok {
				t.words[string(code[start:i])] = append(found, start)
			}
		}
	}
}

// each calls fn with the offset of every whole word w in the code.
func (t *text) each(w string, fn func(off int)) {
	if found, ok := t.words[w]; ok {
		for _, off := range found {
			fn(off)
		}
		return
	}
	word := []byte(w)
	for from := 0; ; {
		n := bytes.Index(t.code[from:], word)
		if n < 0 {
			return
		}
		at := from + n
		from = at + len(w)
		if t.hasWord(at, w) {
			fn(at)
		}
	}
}
