package wiki

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Slug returns the anchor GitHub gives a heading with this text: lower case, without anything but letters, marks, digits, "_", "-"
// and spaces, each space a hyphen. Runs of hyphens stay as they are. Emoji variation selectors are left out: links with them are
// accepted too.
func Slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == variationSelector:
			return -1
		case r == '-', r == '_', isWord(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

const (
	variationSelector = 0xfe0f
	zeroWidthNonJoin  = 0x200c
	zeroWidthJoiner   = 0x200d
)

// isWord reports what GitHub keeps of a heading: letters, marks, digits, connectors such as "_", and the zero-width joiners.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc) || r == zeroWidthJoiner || r == zeroWidthNonJoin
}

// anchorSet holds the anchors of a page.
type anchorSet map[string]bool

// has reports whether a link fragment, as written, points at an anchor of the set. Where it is not certain which of two spellings
// GitHub uses, both are accepted: a good link reported as broken costs more trust than a broken one that is missed.
func (s anchorSet) has(fragment string) bool {
	decoded := strings.TrimPrefix(unescapePercent(fragment), "user-content-")
	return decoded == "" || strings.EqualFold(decoded, "top") || s[anchorKey(decoded)]
}

func (s anchorSet) add(anchor string) { s[anchorKey(anchor)] = true }

// anchorKey makes spellings equal that differ in Unicode form, letter case or invisible characters.
func anchorKey(anchor string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if r == variationSelector || r == zeroWidthJoiner || r == zeroWidthNonJoin {
			return -1
		}
		return unicode.ToLower(r)
	}, anchor))
}

// slugger numbers repeated headings the way GitHub does: the second "setup" is "setup-1".
type slugger struct{ count map[string]int }

// next returns the anchor of the next heading.
func (s *slugger) next(text string) string {
	slug := Slug(text)
	if s.count == nil {
		s.count = map[string]int{}
	}
	n := s.count[slug]
	s.count[slug]++
	if n == 0 {
		return slug
	}
	return slug + "-" + strconv.Itoa(n)
}

// shortcode matches an emoji written as :name:, which GitHub renders before it makes the anchor.
var shortcode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:[a-z0-9_+-]+:`) })

// headingAnchors collects the anchors of headings in order.
func headingAnchors(headings []string) anchorSet {
	set := anchorSet{}
	var plain, rendered slugger
	for _, heading := range headings {
		set.add(plain.next(heading))
		set.add(rendered.next(shortcode().ReplaceAllString(heading, "\U0001F680")))
	}
	return set
}
