package extractive

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/evidence"
)

// Longest runs of repository text that a page repeats. Longer text is cut at a word and marked with an ellipsis.
const (
	maxQuote = 260 // bytes of an author's sentence
	maxWhole = 600 // bytes of one that is looked up as a whole
	maxCode  = 120 // bytes of a code span
	maxLabel = 40  // bytes of a diagram label
)

// clean returns s as one line of visible text: valid UTF-8, white space folded, and without control, bidirectional and other invisible
// characters, which could hide or reorder what a reviewer sees.
func clean(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case r == utf8.RuneError || invisible(r):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// invisible reports whether a character has no mark of its own on the page: controls, formats such as zero-width and bidirectional
// characters, private use, variation selectors and tag characters.
func invisible(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false // nearly all text, and the tables are slow
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector) || r == '\u115f' || r == '\u1160' ||
		r == '\u3164' || r == '\uffa0' || (r >= 0xe0000 && r <= 0xe0fff)
}

// shorten cuts s to at most limit bytes at a word boundary and adds an ellipsis.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > cut/2 {
		cut = i
	}
	return strings.TrimRight(s[:cut], " ,;:.-(") + " …"
}

// escape makes one line of repository text inert in Markdown: no emphasis, link, image, HTML, table cell, mention, entity, formula or
// footnote can come from it. Bare addresses become code spans, because GitHub would link them.
func escape(s string) string {
	var b strings.Builder
	for i, word := range strings.Split(s, " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		if start, end, ok := address(word); ok {
			b.WriteString(escapeWord(word[:start]) + codeSpan(word[start:end]) + escapeWord(word[end:]))
			continue
		}
		b.WriteString(escapeWord(word))
	}
	return b.String()
}

// address finds the web or mail address in a word that GitHub would turn into a link.
func address(word string) (start, end int, ok bool) {
	lower := strings.ToLower(word)
	start = -1
	for _, mark := range []string{"http://", "https://", "ftp://", "mailto:", "xmpp:", "www."} {
		if i := strings.Index(lower, mark); i >= 0 && (start < 0 || i < start) {
			start = i
		}
	}
	if start < 0 || strings.ContainsRune(word[start:], '`') {
		return 0, 0, false
	}
	return start, start + len(strings.TrimRight(word[start:], ".,;:!?)]>\"'")), true
}

func escapeWord(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '@':
			b.WriteString("&#64;")
		case c == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteString("&#58;")
		case c == '_' && i > 0 && i+1 < len(s) && wordByte(s[i-1]) && wordByte(s[i+1]) && s[i-1] != '_' && s[i+1] != '_':
			b.WriteByte(c) // GitHub does not start emphasis inside a word
		case c == '#' && i > 0:
			b.WriteByte(c)
		case strings.IndexByte("\\`*_[]<>|~$&#!{}", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func wordByte(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// codeSpan returns s as a code span whatever back-ticks it contains.
func codeSpan(s string) string {
	s = clean(s)
	if s == "" {
		return ""
	}
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// cell makes Markdown fit into a table cell: GitHub splits cells at every pipe that is not escaped, also inside code spans.
func cell(md string) string {
	md = strings.ReplaceAll(md, `\|`, "|")
	return strings.ReplaceAll(md, "|", `\|`)
}

// diagramLabel returns s as the text of a quoted Mermaid label: letters, digits and a few harmless marks.
func diagramLabel(s string) string {
	var b strings.Builder
	for _, r := range clean(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune(" ._/-@+", r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	label := strings.TrimSpace(shorten(clean(b.String()), maxLabel))
	if label == "" {
		return "unnamed"
	}
	return label
}

// resource is the evidence resource of a reference, in the canonical spelling of the OpenWiki format.
func resource(r survey.Ref) string {
	if r.Start <= 0 {
		return evidence.Resource{Path: r.Path}.String()
	}
	return evidence.Resource{Path: r.Path, Start: r.Start, End: max(r.Start, r.End)}.String()
}

// relative returns the link from a page at repository path from to a file or directory of the repository.
func relative(from, to string) string {
	base := strings.Split(path.Dir(from), "/")
	if path.Dir(from) == "." {
		base = nil
	}
	target := strings.Split(path.Clean(to), "/")
	for len(base) > 0 && len(target) > 1 && base[0] == target[0] {
		base, target = base[1:], target[1:]
	}
	parts := make([]string, 0, len(base)+len(target))
	for range base {
		parts = append(parts, "..")
	}
	for _, s := range target {
		parts = append(parts, linkSegment(s))
	}
	return strings.Join(parts, "/")
}

// linkSegment escapes one segment of a path for a Markdown link.
func linkSegment(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && (s[i] < utf8.RuneSelf && wordByte(s[i]) || s[i] == '-' || s[i] == '.')
	}
	if plain {
		return s // nearly all of them
	}
	return strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "*", "%2A", "!", "%21", "~", "%7E").Replace(url.PathEscape(s))
}

// lineAnchor is the fragment by which GitHub opens the lines of a reference.
func lineAnchor(r survey.Ref) string {
	switch {
	case r.Start <= 0:
		return ""
	case r.End <= r.Start:
		return "#L" + strconv.Itoa(r.Start)
	}
	return "#L" + strconv.Itoa(r.Start) + "-L" + strconv.Itoa(r.End)
}
