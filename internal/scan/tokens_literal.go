package scan

import "strings"

// quote reads the literal that begins at a quotation mark.
func (l *tokenizer) quote() {
	start, c := l.i, l.s[l.i]
	triple := strings.HasPrefix(l.s[start:], `"""`)
	switch {
	case l.dialect == dialectRuby:
		l.rubyString(start, start+1, c, c, c == '"')
	case l.dialect == dialectPHP:
		l.delimited(start, start+1, c, c == '"', "{$")
	case triple && l.dialect == dialectKotlin:
		l.until(start, start+3, `"""`, "${", stringRaw)
	case triple && l.dialect == dialectJava:
		l.textBlock(start)
	case triple && l.dialect == dialectCSharp:
		l.rawCSharp(start, start, "")
	case c == '\'' && l.dialect == dialectRust:
		l.rustTick(start)
	case c == '\'':
		l.char(start, start+1)
	case l.dialect == dialectKotlin:
		l.delimited(start, start+1, c, true, "${")
	case l.dialect == dialectRust:
		l.delimited(start, start+1, c, false, "")
	default:
		l.oneLine(start, start+1)
	}
}

// oneLine reads a string that ends with its line at the latest, but for escaped line breaks.
func (l *tokenizer) oneLine(start, i int) {
	s := l.s
	for i < len(s) && s[i] != '\n' {
		if s[i] == '"' {
			i++
			break
		}
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\r' && i+2 < len(s) {
				i++
			}
			i++
		}
		i++
	}
	l.i = min(i, len(s))
	l.emit(start, tokenString, stringPlain)
}

// char reads a character literal; an unclosed one is a lone mark.
func (l *tokenizer) char(start, i int) {
	s := l.s
	for i < len(s) && s[i] != '\n' && i-start < 16 {
		if s[i] == '\'' {
			l.i = i + 1
			l.emit(start, tokenString, stringChar)
			return
		}
		if s[i] == '\\' {
			i++
		}
		i++
	}
	l.i = start + 1
}

// delimited reads a string over any number of lines, with backslash escapes and, where subst is not empty, code inside.
func (l *tokenizer) delimited(start, i int, shut byte, dynamic bool, subst string) {
	s, form := l.s, byte(stringPlain)
	for i < len(s) {
		c := s[i]
		if c == shut {
			i++
			break
		}
		switch {
		case c == '\\':
			i++
		case dynamic && subst != "" && (c == '$' || c == subst[0]):
			if strings.HasPrefix(s[i:], subst) {
				i = l.code(i+len(subst)-1, 0) - 1
				form = stringDynamic
			} else if c == '$' && i+1 < len(s) && l.class[s[i+1]] == classWord {
				form = stringDynamic
			}
		}
		i++
	}
	l.i = min(i, len(s))
	l.emit(start, tokenString, form)
}

// maxInterpolation is the longest code inside a literal, in bytes; where its end is not found before, there is no code.
const maxInterpolation = 20_000

// code returns the offset after the braces that open at i (or just before i, for openers such as "{$"), with strings inside skipped.
// Code nested deeper than maxSubst is read as text.
func (l *tokenizer) code(i, depth int) int {
	from, braces := i, 0
	if l.wasted > 2*len(l.s)+100*maxInterpolation {
		return from + 1
	}
	s := l.s[:min(len(l.s), i+maxInterpolation)]
	for i < len(s) {
		switch c := s[i]; c {
		case '{':
			braces++
		case '}':
			if braces--; braces <= 0 {
				return i + 1
			}
		case '"', '\'':
			if end := l.nestedString(i, depth); end > i {
				i = end
				continue
			}
		case '$':
			if braces == 0 {
				braces = 1 // PHP's "{$": the brace stands before
			}
		}
		i++
	}
	l.wasted += i - from
	return from + 1
}

// nestedString returns the end of a string inside code inside a string; i itself where there is none.
func (l *tokenizer) nestedString(i, depth int) int {
	s, q := l.s, l.s[i]
	if q == '\'' && l.dialect != dialectPHP && l.dialect != dialectRuby {
		if i+2 < len(s) && s[i+1] != '\\' && s[i+2] == '\'' {
			return i + 3
		}
		if i+3 < len(s) && s[i+1] == '\\' && s[i+3] == '\'' {
			return i + 4
		}
		return i
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case q:
			return j + 1
		case '$', '#':
			opens := q == '"' && j+1 < len(s) && s[j+1] == '{' && (s[j] == '$') == (l.dialect == dialectKotlin)
			if opens && depth < maxSubst && (l.dialect == dialectKotlin || l.dialect == dialectRuby) {
				j = l.code(j+1, depth+1) - 1
			}
		case '\n':
			return i
		}
	}
	return i
}

// until reads a literal without escapes that ends at shut.
func (l *tokenizer) until(start, i int, shut, subst string, form byte) {
	s := l.s
	for i < len(s) {
		if s[i] == shut[0] && strings.HasPrefix(s[i:], shut) {
			i += len(shut)
			for l.dialect == dialectKotlin && i < len(s) && s[i] == '"' {
				i++ // quotation marks before the closing ones
			}
			break
		}
		if subst != "" && s[i] == subst[0] && strings.HasPrefix(s[i:], subst) {
			i = l.code(i+len(subst)-1, 0)
			form = stringDynamic
			continue
		}
		i++
	}
	l.i = min(i, len(s))
	l.emit(start, tokenString, form)
}

// textBlock reads a text block of Java.
func (l *tokenizer) textBlock(start int) {
	s := l.s
	i := start + 3
	for i < len(s) && !strings.HasPrefix(s[i:], `"""`) {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	l.i = min(i+3, len(s))
	l.emit(start, tokenString, stringRaw)
}

// rustTick reads a character literal or a lifetime.
func (l *tokenizer) rustTick(start int) {
	s := l.s
	i := start + 1
	if i < len(s) && s[i] == '\\' {
		l.char(start, i)
		return
	}
	end := i + 1
	for end < len(s) && s[end]&0xC0 == 0x80 {
		end++ // the rest of a rune
	}
	if end < len(s) && s[end] == '\'' && i < len(s) && s[i] != '\n' {
		l.i = end + 1
		l.emit(start, tokenString, stringChar)
		return
	}
	for i < len(s) && isWord(s[i]) {
		i++
	}
	l.i = i
	l.emit(start, tokenNumber, '\'') // a lifetime: no scanner looks at it
}

// prefixed reads a string whose prefix has just been read as a word from start. It tells whether there is one.
func (l *tokenizer) prefixed(start int) bool {
	s, i, word := l.s, l.i, l.s[start:l.i]
	switch l.dialect {
	case dialectRust:
		return l.prefixedRust(start, word)
	case dialectC:
		switch {
		case s[i] == '"' && strings.HasSuffix(word, "R"):
			return l.rawC(start)
		case word == "L" || word == "u" || word == "U" || word == "u8":
			if s[i] == '\'' {
				l.char(start, i+1)
				if l.i == start+1 {
					l.i = i
					return false
				}
				return true
			}
			if s[i] == '"' {
				l.oneLine(start, i+1)
				return true
			}
		}
	case dialectPHP:
		if (word == "b" || word == "B") && s[i] != '#' {
			l.delimited(start, i+1, s[i], s[i] == '"', "{$")
			return true
		}
	}
	return false
}

func (l *tokenizer) prefixedRust(start int, word string) bool {
	s, i := l.s, l.i
	switch word {
	case "b", "c":
		if s[i] == '"' {
			l.delimited(start, i+1, '"', false, "")
			return true
		}
		if s[i] == '\'' {
			l.char(start, i+1)
			return true
		}
	case "r", "br", "cr":
		hashes := i
		for hashes < len(s) && s[hashes] == '#' {
			hashes++
		}
		if hashes < len(s) && s[hashes] == '"' {
			l.until(start, hashes+1, `"`+s[i:hashes], "", stringRaw)
			return true
		}
		if word == "r" && hashes == i+1 && hashes < len(s) && isWord(s[hashes]) { // r#type
			for hashes < len(s) && isWord(s[hashes]) {
				hashes++
			}
			l.i = hashes
			l.emit(start, tokenWord, 0)
			return true
		}
	}
	return false
}

// rawC reads R"delimiter( … )delimiter".
func (l *tokenizer) rawC(start int) bool {
	s, i := l.s, l.i+1
	n := strings.IndexByte(s[i:min(i+17, len(s))], '(')
	if n < 0 {
		return false
	}
	l.until(start, i+n+1, ")"+s[i:i+n]+`"`, "", stringRaw)
	return true
}

// rawCSharp reads a literal between three or more quotation marks at i; dollars is the prefix.
func (l *tokenizer) rawCSharp(start, i int, dollars string) {
	s, end := l.s, i
	for end < len(s) && s[end] == '"' {
		end++
	}
	form := byte(stringRaw)
	if dollars != "" {
		form = stringDynamic
	}
	l.until(start, end, s[i:end], "", form)
}

// specialCSharp reads prefixes of strings, verbatim names and directives.
func (l *tokenizer) specialCSharp(c byte) {
	s, start := l.s, l.i
	if c == '#' {
		if l.startsLine(start) {
			l.directive()
		} else {
			l.punct(c)
		}
		return
	}
	i := start
	for i < len(s) && (s[i] == '@' || s[i] == '$') {
		i++
	}
	prefix := s[start:i]
	switch {
	case i >= len(s) || s[i] != '"':
		l.punct(c)
	case strings.HasPrefix(s[i:], `"""`) && !strings.Contains(prefix, "@"):
		l.rawCSharp(start, i, prefix)
	default:
		l.dollarCSharp(start, i+1, strings.Contains(prefix, "@"), strings.Contains(prefix, "$"))
	}
}

// dollarCSharp reads a verbatim or interpolated string whose text begins at i.
func (l *tokenizer) dollarCSharp(start, i int, verbatim, dynamic bool) {
	s, form := l.s, byte(stringRaw)
	if dynamic {
		form = stringDynamic
	}
	for i < len(s) {
		c := s[i]
		switch {
		case c == '"' && verbatim && i+1 < len(s) && s[i+1] == '"':
			i++
		case c == '"' || c == '\n' && !verbatim:
			l.i = i
			if c == '"' {
				l.i++
			}
			l.emit(start, tokenString, form)
			return
		case c == '\\' && !verbatim:
			i++
		case c == '{' && dynamic:
			if i+1 < len(s) && s[i+1] == '{' {
				i++
			} else {
				i = l.code(i, 0) - 1
			}
		}
		i++
	}
	l.i = len(s)
	l.emit(start, tokenString, form)
}

// backquotedName reads a name of Kotlin between backquotes as a word.
func (l *tokenizer) backquotedName() {
	start := l.i
	n := strings.IndexAny(l.s[start+1:], "`\n")
	if n < 0 || l.s[start+1+n] == '\n' {
		l.i++
		return
	}
	l.i = start + n + 2
	l.emit(start, tokenWord, 0)
}
