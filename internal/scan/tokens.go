package scan

import (
	"slices"
	"strings"
)

// The scanners of the brace languages and of Ruby read tokens instead of masked text: one pass finds words, literals and brackets
// with their partners, and a declaration scanner then steps over whole bodies at the cost of one look at a partner.

type tokenKind uint8

const (
	tokenEnd tokenKind = iota // one stands after the last token
	tokenWord
	tokenNumber
	tokenString
	tokenPunct
)

// The forms of string tokens, kept in token.c.
const (
	stringPlain   = 's'
	stringRaw     = 'r' // no escapes
	stringDynamic = 'd' // with code inside
	stringChar    = 'c' // a character
	stringOther   = 'x' // a regular expression, a word list …
)

// A lexeme is a token: a word, a number, a literal or one byte of punctuation.
type lexeme struct {
	pos, end int32
	line     int32 // where it begins
	pair     int32 // index of the partner of a bracket, -1 where it has none; the last line of a heredoc of Ruby
	kind     tokenKind
	c        byte // the byte of punctuation, the form of a string
}

// A dialect selects the lexical rules.
type dialect uint8

const (
	dialectJava dialect = iota
	dialectKotlin
	dialectCSharp
	dialectRust
	dialectC // and C++
	dialectPHP
	dialectRuby
)

// Classes of bytes.
const (
	classPunct uint8 = iota
	classSpace
	classNewline
	classWord
	classDigit
	classQuote
	classSlash
	classOpen
	classClose
	classSpecial // left to the dialect
)

// A tokenizer turns source into tokens.
type tokenizer struct {
	dialect  dialect
	s        string
	i        int
	line     int
	class    [256]uint8
	toks     []lexeme
	comments []span
	stack    []int32 // open brackets
	conds    []conditional
	aliases  [][2]int32 // brackets that close where another one does: alternatives of a conditional
	defines  []directive
	heredocs []heredoc // Ruby: announced on this line
	wasted   int       // bytes looked at for the end of code in literals that has none
}

// tokenize reads the whole of s. The comments are in order, the last token is a tokenEnd. The tokens overwrite what room holds.
func tokenize(s string, d dialect, room []lexeme) *tokenizer {
	l := &tokenizer{dialect: d, s: s, line: 1, toks: slices.Grow(room[:0], len(s)/5+8)}
	l.classify()
	if d == dialectPHP {
		l.inlineHTML()
	}
	if strings.HasPrefix(s, "#!") && d != dialectRust {
		l.comment(l.eol())
	}
	l.run()
	if strings.HasSuffix(s, "\n") && l.line > 1 {
		l.line-- // what never closes ends on the last line
	}
	l.toks = append(l.toks, lexeme{pos: int32(len(s)), end: int32(len(s)), line: int32(l.line), pair: -1})
	for _, a := range l.aliases {
		if l.toks[a[0]].pair < 0 {
			l.toks[a[0]].pair = l.toks[a[1]].pair
		}
	}
	return l
}

func (l *tokenizer) classify() {
	for c := range l.class {
		switch b := byte(c); {
		case b == '\n':
			l.class[c] = classNewline
		case isSpace(b):
			l.class[c] = classSpace
		case isDigit(b):
			l.class[c] = classDigit
		case isWord(b) && (b != '$' || l.dialect == dialectJava || l.dialect == dialectPHP || l.dialect == dialectC):
			l.class[c] = classWord
		}
	}
	l.class['"'], l.class['\''], l.class['/'] = classQuote, classQuote, classSlash
	l.class['('], l.class['['], l.class['{'] = classOpen, classOpen, classOpen
	l.class[')'], l.class[']'], l.class['}'] = classClose, classClose, classClose
	special := map[dialect]string{
		dialectKotlin: "`", dialectCSharp: "@$#", dialectC: "#", dialectPHP: "#<?`", dialectRuby: "#`<%:?@$\\/=_",
	}[l.dialect]
	for _, c := range []byte(special) {
		l.class[c] = classSpecial
	}
}

func (l *tokenizer) run() {
	s := l.s
	for l.i < len(s) {
		c := s[l.i]
		switch l.class[c] {
		case classSpace:
			l.i++
		case classNewline:
			l.newline()
		case classWord:
			l.word()
		case classDigit:
			l.number()
		case classQuote:
			l.quote()
		case classSlash:
			l.slash()
		case classOpen:
			l.stack = append(l.stack, int32(len(l.toks)))
			l.punct(c)
		case classClose:
			l.close(c)
		case classSpecial:
			l.special(c)
		default:
			l.punct(c)
		}
	}
}

func (l *tokenizer) newline() {
	l.i++
	l.line++
	if len(l.heredocs) > 0 {
		l.heredocBodies()
	}
}

func (l *tokenizer) punct(c byte) {
	l.toks = append(l.toks, lexeme{pos: int32(l.i), end: int32(l.i + 1), line: int32(l.line), pair: -1, kind: tokenPunct, c: c})
	l.i++
}

// emit appends the token from start to the current offset, which may lie lines later, and counts those lines.
func (l *tokenizer) emit(start int, kind tokenKind, c byte) {
	l.toks = append(l.toks, lexeme{pos: int32(start), end: int32(l.i), line: int32(l.line), pair: -1, kind: kind, c: c})
	if kind == tokenString {
		l.line += strings.Count(l.s[start:l.i], "\n")
	}
}

// maxUnwind is how many open brackets one closing bracket may leave unclosed. More are not the fault of that bracket, and looking at
// all of them for each would make a broken file cost its square.
const maxUnwind = 200

// close pairs a closing bracket. A parenthesis that closes nothing does not end a block.
func (l *tokenizer) close(c byte) {
	want := opener(c)
	for n := len(l.stack) - 1; n >= max(0, len(l.stack)-maxUnwind); n-- {
		got := l.toks[l.stack[n]].c
		if got == want {
			open := l.stack[n]
			l.toks[open].pair = int32(len(l.toks))
			l.stack = l.stack[:n]
			l.punct(c)
			l.toks[len(l.toks)-1].pair = open
			return
		}
		if got == '{' {
			break
		}
	}
	l.punct(c)
}

func (l *tokenizer) word() {
	start, s := l.i, l.s
	i := start + 1
	for i < len(s) && (l.class[s[i]] == classWord || l.class[s[i]] == classDigit || s[i] == '_') {
		i++
	}
	l.i = i
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '#') && i-start <= 3 && l.prefixed(start) {
		return
	}
	l.toks = append(l.toks, lexeme{pos: int32(start), end: int32(l.i), line: int32(l.line), pair: -1, kind: tokenWord})
	if l.dialect == dialectRuby && s[start] != '_' {
		l.rubyWord()
	}
}

func (l *tokenizer) number() {
	start, s := l.i, l.s
	i := start + 1
	for i < len(s) {
		c := s[i]
		if !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'z') && c != '_' {
			digitAfter := i+1 < len(s) && isDigit(s[i+1])
			if !(digitAfter && (c == '.' || c == '\'' && l.dialect == dialectC)) {
				break
			}
		}
		i++
	}
	l.i = i
	l.toks = append(l.toks, lexeme{pos: int32(start), end: int32(i), line: int32(l.line), pair: -1, kind: tokenNumber})
}

// slash reads a comment or the operator.
func (l *tokenizer) slash() {
	if l.i+1 < len(l.s) {
		switch l.s[l.i+1] {
		case '/':
			end := l.eol()
			if l.dialect == dialectPHP {
				if n := strings.Index(l.s[l.i:end], "?>"); n >= 0 {
					end = l.i + n
				}
			}
			if l.dialect == dialectC {
				end = l.continued(end)
			}
			l.comment(end)
			return
		case '*':
			l.comment(l.blockEnd())
			return
		}
	}
	l.punct('/')
}

func (l *tokenizer) blockEnd() int {
	s := l.s
	i := l.i + 2
	nested := l.dialect == dialectRust || l.dialect == dialectKotlin
	for depth := 1; ; {
		n := strings.Index(s[i:], "*/")
		if n < 0 {
			return len(s)
		}
		if nested {
			depth += strings.Count(s[i:i+n], "/*")
		}
		i += n + 2
		if depth--; depth <= 0 {
			return i
		}
	}
}

func (l *tokenizer) comment(end int) {
	l.comments = append(l.comments, span{l.i, end})
	l.line += strings.Count(l.s[l.i:end], "\n")
	l.i = end
}

// eol returns the offset of the next line break, or the end.
func (l *tokenizer) eol() int { return l.eolAt(l.i) }

func (l *tokenizer) eolAt(i int) int {
	if n := strings.IndexByte(l.s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.s)
}

// continued moves the end of a line past lines that a backslash joins to it.
func (l *tokenizer) continued(end int) int {
	for end < len(l.s) && strings.HasSuffix(strings.TrimSuffix(l.s[l.i:end], "\r"), "\\") {
		end = l.eolAt(end + 1)
	}
	return end
}

func (l *tokenizer) special(c byte) {
	switch l.dialect {
	case dialectKotlin:
		l.backquotedName()
	case dialectCSharp:
		l.specialCSharp(c)
	case dialectC:
		l.directive()
	case dialectPHP:
		l.specialPHP(c)
	case dialectRuby:
		l.specialRuby(c)
	default:
		l.punct(c)
	}
}

// startsLine tells whether only white space stands before i on its line.
func (l *tokenizer) startsLine(i int) bool {
	for i--; i >= 0 && l.s[i] != '\n'; i-- {
		if !isSpace(l.s[i]) {
			return false
		}
	}
	return true
}
