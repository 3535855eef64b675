package scan

import (
	"bytes"
	"strings"
)

// stringSymbol is the form of a symbol of Ruby, label the mark of a word that is a key: if: true.
const (
	stringSymbol = 'y'
	wordLabel    = 'l'
)

// A heredoc is one whose body begins on the next line.
type heredoc struct {
	label string
	tok   int // index of its token
}

// heredocBodies reads the bodies of the heredocs that the last line announced. The token of each keeps the line where its body ends.
func (l *tokenizer) heredocBodies() {
	for _, h := range l.heredocs {
		for l.i < len(l.s) {
			end := l.eol()
			line := strings.TrimSpace(l.s[l.i:end])
			l.toks[h.tok].pair = int32(l.line)
			l.i = min(end+1, len(l.s))
			if l.i > end {
				l.line++
			}
			if line == h.label {
				break
			}
		}
	}
	l.heredocs = l.heredocs[:0]
}

func (l *tokenizer) specialRuby(c byte) {
	s, i := l.s, l.i
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch c {
	case '#':
		l.comment(l.eol())
	case '_':
		if l.atLineStart(i) && strings.HasPrefix(s[i:], "__END__") {
			l.i = len(s)
			return
		}
		l.word()
		l.rubyWord()
	case '=':
		if l.atLineStart(i) && strings.HasPrefix(s[i:], "=begin") {
			l.rubyBlockComment()
			return
		}
		l.punct(c)
	case '`':
		if l.rubyValue() {
			l.rubyString(i, i+1, c, c, true)
		} else {
			l.punct(c)
		}
	case '/':
		if l.rubyValue() {
			l.rubyString(i, i+1, '/', '/', true)
			l.toks[len(l.toks)-1].c = stringOther
		} else {
			l.punct(c)
		}
	case '%':
		if !l.rubyValue() || !l.percent() {
			l.punct(c)
		}
	case '<':
		if next != '<' || !l.rubyHeredoc() {
			l.punct(c)
		}
	case ':':
		l.symbol(next)
	case '?':
		l.rubyChar(next)
	case '@', '$':
		l.sigil(c)
	case '\\':
		l.rubyContinuation(next)
	default:
		l.punct(c)
	}
}

// rubyChar reads a character literal such as ?x, or the operator.
func (l *tokenizer) rubyChar(next byte) {
	i := l.i
	if l.rubyValue() && next > ' ' && (i+2 >= len(l.s) || !isWord(l.s[i+2])) {
		l.i += 2
		l.emit(i, tokenString, stringChar)
		return
	}
	l.punct('?')
}

// rubyContinuation reads a backslash, which joins the next line to its own.
func (l *tokenizer) rubyContinuation(next byte) {
	l.i++
	if next == '\r' {
		l.i++
	}
	if l.i < len(l.s) && l.s[l.i] == '\n' {
		l.newline()
	}
}

func (l *tokenizer) atLineStart(i int) bool { return i == 0 || l.s[i-1] == '\n' }

func (l *tokenizer) rubyBlockComment() {
	end := strings.Index(l.s[l.i:], "\n=end")
	if end < 0 {
		l.comment(len(l.s))
		return
	}
	l.comment(l.eolAt(l.i + end + 1))
}

// rubyWord ends a word as Ruby does: with ? or !, or as a label.
func (l *tokenizer) rubyWord() {
	s, t := l.s, &l.toks[len(l.toks)-1]
	if i := l.i; i < len(s) && (s[i] == '?' || s[i] == '!') && (i+1 == len(s) || s[i+1] != '=' || i+2 < len(s) && (s[i+2] == '=' || s[i+2] == '~')) {
		l.i++
		t.end++
	}
	if i := l.i; i < len(s) && s[i] == ':' && (i+1 == len(s) || s[i+1] != ':') && !l.ternary() {
		l.i++
		t.c = wordLabel
	}
}

// ternary tells whether the word just read stands after a question mark, so that a colon after it is the operator.
func (l *tokenizer) ternary() bool {
	n := len(l.toks)
	return n >= 2 && l.toks[n-2].kind == tokenPunct && l.toks[n-2].c == '?'
}

// rubyValue tells whether a value is expected at the current offset, so that a sign there opens a literal.
func (l *tokenizer) rubyValue() bool {
	n := len(l.toks)
	if n == 0 {
		return true
	}
	t := l.toks[n-1]
	if int(t.line) < l.line && !(t.kind == tokenString) && t.c != '.' {
		return true
	}
	switch t.kind {
	case tokenPunct:
		return t.c != ')' && t.c != ']' && t.c != '}' && t.c != '.'
	case tokenWord:
		if t.c == wordLabel {
			return true
		}
		switch l.s[t.pos:t.end] {
		case "def":
			return false
		case "if", "unless", "when", "and", "or", "not", "return", "while", "until", "elsif", "in", "then", "else", "do", "puts", "raise":
			return true
		}
		i := l.i
		spaceBefore := int(t.end) < i
		width := 1
		if strings.HasPrefix(l.s[i:], "<<") {
			width = 2
		}
		spaceAfter := i+width < len(l.s) && (isSpace(l.s[i+width]) || l.s[i+width] == '=')
		return spaceBefore && !spaceAfter
	}
	return false
}

// percent reads a literal such as %w[a b]; it tells whether one begins.
func (l *tokenizer) percent() bool {
	s, i := l.s, l.i+1
	kind := byte('Q')
	if i < len(s) && bytes.IndexByte([]byte("wWiIqQrxs"), s[i]) >= 0 {
		kind = s[i]
		i++
	}
	if i >= len(s) || isWord(s[i]) || isSpace(s[i]) || s[i] >= 0x80 {
		return false
	}
	open, shut := s[i], s[i]
	switch open {
	case '(':
		shut = ')'
	case '[':
		shut = ']'
	case '{':
		shut = '}'
	case '<':
		shut = '>'
	case '=':
		return false
	}
	start := l.i
	l.rubyString(start, i+1, open, shut, kind != 'w' && kind != 'i' && kind != 'q' && kind != 's')
	l.toks[len(l.toks)-1].c = stringOther
	return true
}

// rubyString reads a literal whose text begins at i. Delimiters that differ nest.
func (l *tokenizer) rubyString(start, i int, open, shut byte, dynamic bool) {
	s, form, depth := l.s, byte(stringPlain), 0
	if !dynamic {
		form = stringRaw
	}
	for i < len(s) {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == shut:
			if depth == 0 {
				l.i = i + 1
				l.emit(start, tokenString, form)
				l.stringLabel(start)
				return
			}
			depth--
		case c == open:
			depth++
		case c == '#' && dynamic && i+1 < len(s) && s[i+1] == '{':
			form = stringDynamic
			i = l.code(i+1, 0) - 1
		}
		i++
	}
	l.i = len(s)
	l.emit(start, tokenString, form)
}

// stringLabel makes a key of a string before a colon: "key": value.
func (l *tokenizer) stringLabel(start int) {
	i := l.i
	if (l.s[start] == '"' || l.s[start] == '\'') && i < len(l.s) && l.s[i] == ':' && (i+1 == len(l.s) || l.s[i+1] != ':') && !l.ternary() {
		l.i++
		l.toks[len(l.toks)-1].c = stringOther
	}
}

// rubyHeredoc reads the opener of a heredoc; it tells whether one stands there.
func (l *tokenizer) rubyHeredoc() bool {
	s, i := l.s, l.i+2
	marked := i < len(s) && (s[i] == '~' || s[i] == '-')
	if marked {
		i++
	}
	if i >= len(s) {
		return false
	}
	from, form := i, byte(stringDynamic)
	label := ""
	switch q := s[i]; {
	case q == '"' || q == '\'' || q == '`':
		n := strings.IndexByte(s[i+1:l.eolAt(i)], q)
		if n <= 0 {
			return false
		}
		label = s[i+1 : i+1+n]
		i += n + 2
	default:
		for i < len(s) && isWord(s[i]) {
			i++
		}
		label = s[from:i]
	}
	if label == "" || isDigit(label[0]) || !marked && (!l.rubyValue() || !('A' <= label[0] && label[0] <= 'Z' || s[from] == '"' || s[from] == '\'')) {
		return false
	}
	start := l.i
	l.i = i
	l.heredocs = append(l.heredocs, heredoc{label: label, tok: len(l.toks)})
	l.emit(start, tokenString, form)
	return true
}

// symbol reads what a colon begins: a symbol, or the operators : and ::.
func (l *tokenizer) symbol(next byte) {
	s, start := l.s, l.i
	if next == ':' {
		l.punct(':')
		l.punct(':')
		return
	}
	i := start + 1
	switch {
	case next == '"' || next == '\'':
		l.rubyString(start, i+1, next, next, next == '"')
		l.toks[len(l.toks)-1].c = stringOther
		return
	case isWord(next) && !isDigit(next) || next == '@' || next == '$':
		for i < len(s) && (isWord(s[i]) || s[i] == '@') {
			i++
		}
		if i < len(s) && (s[i] == '?' || s[i] == '!' || s[i] == '=') && (i+1 == len(s) || s[i+1] != '=' && s[i+1] != '>' && s[i+1] != '~') {
			i++
		}
	case strings.IndexByte("+-*/<>=![%&|^~", next) >= 0 && next != 0 && l.rubyValue():
		for i < len(s) && strings.IndexByte("+-*/<>=![]%&|^~@", s[i]) >= 0 {
			i++
		}
	default:
		l.punct(':')
		return
	}
	l.i = i
	l.emit(start, tokenString, stringSymbol)
}

// sigil reads an instance, class or global variable as a word.
func (l *tokenizer) sigil(c byte) {
	s, start := l.s, l.i
	i := start + 1
	if c == '@' && i < len(s) && s[i] == '@' {
		i++
	}
	from := i
	for i < len(s) && isWord(s[i]) {
		i++
	}
	if i == from && c == '$' && i < len(s) && !isSpace(s[i]) {
		i++ // $!, $/, …
	}
	l.i = i
	l.emit(start, tokenWord, 0)
}
