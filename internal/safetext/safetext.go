// Package safetext makes text of unknown origin safe to show: titles, statements and reasons come from a repository or a model, and end in
// pull requests, commit messages and workflow logs, where a few characters notify people, close issues, hide text or run commands.
//
// [Inline] is for one line of Markdown on GitHub, [Message] for a commit message, [Log] for the log of a workflow. Their results are one
// line each, do nothing but show the text, and do not change when neutralised again. [Page.Inspect] looks for what does not belong on a
// page of a wiki, and [Clean] removes what nobody can see.
//
// The package keeps no state and reads nothing but its arguments. It does not judge what a text says and does not look for secrets.
package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// zeroWidth is the zero-width space as a character reference. Put behind @, # and the like it keeps GitHub from seeing a mention, a
// reference or a link, even after the references of the text were resolved; a reader sees nothing.
const zeroWidth = "&#8203;"

const ellipsis = "…"

// Inline returns s as Markdown for one table cell or the rest of a line: no markup, HTML, mention, reference to an issue, closing
// keyword, link or invisible character is active in it. max bounds its length in UTF-16 units, as GitHub counts; what is longer ends
// in "…". max <= 0 means no bound.
func Inline(s string, max int) string {
	atoms := inlineAtoms(oneLine(s))
	var b strings.Builder
	used := 0
	for i, atom := range atoms {
		size := Units(atom)
		if max > 0 && used+size > max-1 && used+units(atoms[i:]) > max {
			return cut(b.String(), max)
		}
		used += size
		b.WriteString(atom)
	}
	return b.String()
}

// cut ends a text that is too long.
func cut(s string, max int) string {
	if max < 1 {
		return ""
	}
	return strings.TrimRight(s, " \u200c\u200d") + ellipsis
}

// Units returns the length of s in UTF-16 units.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

func units(atoms []string) int {
	n := 0
	for _, a := range atoms {
		n += Units(a)
	}
	return n
}

// oneLine drops invisible characters and makes every run of white space one blank.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(visible(s), isSpace), " ") }

func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' }

// escapable are the characters that a backslash makes plain in Markdown and that are written so here.
const escapable = "\\`*_[]|~$"

// leading are the characters that mean something at the start of a line.
const leading = "#+-=.)"

// inlineAtoms splits a line into pieces of safe Markdown that may be cut apart. What is already such a piece stays as it is.
func inlineAtoms(s string) []string {
	var atoms []string
	for at := 0; at < len(s); {
		atom, n := inlineAtom(s, at, len(atoms) == 0)
		atoms = append(atoms, atom)
		at += n
		// The reference that follows belongs to the piece that asked for it.
		if strings.HasSuffix(atom, zeroWidth) && atom != zeroWidth && strings.HasPrefix(s[at:], zeroWidth) {
			at += len(zeroWidth)
		}
	}
	return atoms
}

// inlineAtom returns the piece for the text at an offset and the number of bytes it stands for.
func inlineAtom(s string, at int, first bool) (string, int) {
	c := s[at]
	switch {
	case c == '&':
		return reference(s[at:])
	case c == '<':
		return "&lt;", 1
	case c == '>':
		return "&gt;", 1
	case c == '\\':
		return backslash(s, at)
	case strings.IndexByte(escapable, c) >= 0:
		return `\` + string(c), 1
	case breaks(s, at):
		return string(c) + zeroWidth, 1
	case first && strings.IndexByte(leading, c) >= 0, (c == '.' || c == ')') && digitsOnly(s[:at]):
		return `\` + string(c), 1
	case c < utf8.RuneSelf:
		return string(c), 1
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	return s[at : at+size], size
}

// reference keeps the character references that are written here and makes every other ampersand plain.
func reference(s string) (string, int) {
	for _, own := range []string{zeroWidth, "&lt;", "&gt;", "&amp;"} {
		if strings.HasPrefix(s, own) {
			return own, len(own)
		}
	}
	return "&amp;", 1
}

// backslash keeps an escape that is written here. Any other backslash is doubled at the end, where it would reach what follows.
func backslash(s string, at int) (string, int) {
	if at+1 == len(s) {
		return `\\`, 1
	}
	next := s[at+1]
	if strings.IndexByte(escapable, next) < 0 && strings.IndexByte(leading, next) < 0 {
		return `\\`, 1
	}
	if breaks(s, at+1) {
		return `\` + string(next) + zeroWidth, 2
	}
	return s[at : at+2], 2
}

// breaks reports whether the character at an offset could begin or continue something that GitHub makes a link of: a mention, a number of
// an issue, an address.
func breaks(s string, at int) bool {
	c, rest := s[at], s[at+1:]
	if strings.HasPrefix(rest, zeroWidth) && strings.IndexByte("@#-:.", c) >= 0 {
		return true
	}
	switch c {
	case '@':
		return true
	case '#':
		return rest != "" && isWord(rest[0])
	case '-':
		return rest != "" && isDigit(rest[0]) && endsIn(s[:at], "gh")
	case ':':
		return strings.HasPrefix(rest, "/") || endsIn(s[:at], "mailto") || endsIn(s[:at], "xmpp")
	case '.':
		return endsIn(s[:at], "www")
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func endsIn(s, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(s[len(s)-len(word):], word)
}

// Message returns s as one line of a commit message. GitHub reads messages for mentions, issue numbers, closing keywords, links and
// orders to skip workflows; a blank or another bracket takes their meaning away.
func Message(s string) string {
	s = strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(s))
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if breaks(s, i) || s[i] == '-' && endsIn(s[:i], "skip") {
			b.WriteByte(' ')
		}
	}
	return oneLine(b.String())
}

// Log returns s as one line for the log of a workflow: it is no workflow command and cannot steer a terminal.
func Log(s string) string {
	s = oneLine(s)
	s = strings.ReplaceAll(s, "##[", "## [")
	for strings.Contains(s, "::") {
		s = strings.ReplaceAll(s, "::", ": :")
	}
	return s
}
