package safetext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible drops the characters that change how a text is shown or read without being seen: control and format characters, the marks for
// writing direction, tags and the selectors that can smuggle data. Joiners stay where a script or an emoji needs them.
func visible(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	var b strings.Builder
	before := rune(-1)
	for i, r := range s {
		if isSpace(r) {
			b.WriteRune(r)
			before = r
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if unseen(r) && !joins(before, r, after) {
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' && s[i] != '\n' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// unseen reports a character that a reader does not see.
func unseen(r rune) bool {
	switch {
	case r == '\u00ad', r == '\u034f', r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5', r == '\u3164', r == '\uffa0', r == '\u2800':
		return true // soft hyphen, joiner of graphemes, fillers, blank pattern
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF, r >= 0x180B && r <= 0x180F:
		return true // variation selectors
	case r >= 0xE0000 && r <= 0xE0FFF, r >= 0x1D173 && r <= 0x1D17A:
		return true
	case r >= 0xFFF0 && r <= 0xFFFB:
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r)
}

// joins reports whether an unseen character has a use between its neighbours: a joiner in a script that has them or between emoji, the
// selector that makes a symbol an emoji.
func joins(before, r, after rune) bool {
	switch r {
	case '\u200d', '\u200c':
		return joining(before) && joining(after)
	case '\ufe0f', '\ufe0e':
		return before > 0 && (unicode.Is(unicode.So, before) || unicode.Is(unicode.Sm, before) || before >= 0x1F000 || strings.ContainsRune("#*0123456789©®‼⁉™ℹ", before))
	}
	return false
}

// joining reports characters between which a joiner has a meaning.
func joining(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || unicode.Is(unicode.So, r) || r == '\ufe0f' ||
		unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
			unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Mongolian, unicode.Khmer, unicode.Syriac)
}

// Clean returns a page without the characters that nobody can see. Line ends, tabs and everything visible stay byte for byte, also in
// code.
func Clean(page []byte) []byte {
	if isPlain(strings.ReplaceAll(string(page), "\t", "")) {
		return page
	}
	out := []byte(visible(string(page)))
	if bytes.Equal(out, page) {
		return page
	}
	return out
}
