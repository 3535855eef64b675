package wiki

import (
	"strings"
	"unicode"
)

// inert returns a line of text from the front matter of a page as Markdown
// that shows it and does nothing else: an index is generated, so what a title
// or description took over from the source must not become HTML, an image, a
// link, a mention, or turn the text around it. Code spans, emphasis and
// everything else that only looks are left as they are.
func inert(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == '\ufeff' {
			return -1
		}
		return r
	}, s)
	var b strings.Builder
	for s != "" {
		open := strings.IndexByte(s, '`')
		if open < 0 {
			break
		}
		ticks := len(s[open:]) - len(strings.TrimLeft(s[open:], "`"))
		end := closingTicks(s[open+ticks:], ticks)
		if end < 0 {
			b.WriteString(inertText(s[:open+ticks]))
			s = s[open+ticks:]
			continue
		}
		b.WriteString(inertText(s[:open]))
		b.WriteString(s[open : open+2*ticks+end])
		s = s[open+2*ticks+end:]
	}
	b.WriteString(inertText(s))
	return b.String()
}

// closingTicks returns where a run of exactly n backticks starts, or -1.
func closingTicks(s string, n int) int {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if run == n {
			return at
		}
		at += run
	}
	return -1
}

func inertText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c, rest := s[i], s[i+1:]
		switch {
		case c == '<' && rest != "" && (isLetter(rest[0]) || strings.IndexByte("/!?", rest[0]) >= 0),
			c == '[' && i > 0 && s[i-1] == '!',
			c == '(' && i > 0 && s[i-1] == ']',
			c == ':' && strings.HasPrefix(rest, "//") && endsWithScheme(s[:i]),
			c == '.' && endsWithWWW(s[:i]):
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '@' && rest != "" && (isLetter(rest[0]) || isDigit(rest[0])):
			b.WriteString("&#64;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// endsWithScheme reports a scheme that GitHub makes a link of where nothing marks it as one. Of repo://, as pages about evidence name it, it
// makes none.
func endsWithScheme(s string) bool {
	for _, scheme := range []string{"http", "https", "ftp"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[len(s)-len(scheme):], scheme) {
			return true
		}
	}
	return false
}

func endsWithWWW(s string) bool {
	return len(s) >= 3 && strings.EqualFold(s[len(s)-3:], "www") && (len(s) == 3 || !isLetter(s[len(s)-4]))
}
