package scan

import "strings"

// inlineHTML skips text outside of PHP; a lone semicolon stands for it, since it ends a statement.
func (l *tokenizer) inlineHTML() {
	n := strings.Index(l.s[l.i:], "<?")
	if n < 0 {
		l.line += strings.Count(l.s[l.i:], "\n")
		l.i = len(l.s)
		return
	}
	l.line += strings.Count(l.s[l.i:l.i+n], "\n")
	l.i += n + 2
	switch rest := l.s[l.i:]; {
	case len(rest) >= 3 && strings.EqualFold(rest[:3], "php"):
		l.i += 3
	case strings.HasPrefix(rest, "="):
		l.i++
	case strings.HasPrefix(rest, "xml"): // a processing instruction of the text
		l.inlineHTML()
	}
}

func (l *tokenizer) specialPHP(c byte) {
	switch c {
	case '#':
		if strings.HasPrefix(l.s[l.i:], "#[") { // an attribute
			l.punct(c)
			return
		}
		end := l.eol()
		if n := strings.Index(l.s[l.i:end], "?>"); n >= 0 {
			end = l.i + n
		}
		l.comment(end)
	case '?':
		if !strings.HasPrefix(l.s[l.i:], "?>") {
			l.punct(c)
			return
		}
		l.punct(';')
		l.i++
		l.inlineHTML()
	case '<':
		if !strings.HasPrefix(l.s[l.i:], "<<<") || !l.heredocPHP() {
			l.punct(c)
		}
	default:
		l.delimited(l.i, l.i+1, '`', true, "{$")
	}
}

// heredocPHP reads a heredoc or nowdoc. Its closing label may be indented and be followed by more code.
func (l *tokenizer) heredocPHP() bool {
	s, start := l.s, l.i
	i := start + 3
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i >= len(s) {
		return false
	}
	q := s[i]
	if q == '\'' || q == '"' {
		i++
	}
	label := i
	for i < len(s) && isWord(s[i]) && s[i] != '$' {
		i++
	}
	word := s[label:i]
	if word == "" || isDigit(word[0]) {
		return false
	}
	form := byte(stringDynamic)
	if q == '\'' {
		form = stringRaw
	}
	for i = l.eolAt(i); i < len(s); i = l.eolAt(i + 1) {
		from := i + 1
		for from < len(s) && (s[from] == ' ' || s[from] == '\t') {
			from++
		}
		end := from + len(word)
		if strings.HasPrefix(s[from:], word) && (end == len(s) || !isWord(s[end])) {
			l.i = end
			l.emit(start, tokenString, form)
			return true
		}
	}
	l.i = len(s)
	l.emit(start, tokenString, form)
	return true
}
