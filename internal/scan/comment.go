package scan

import (
	"sort"
	"strings"
)

// A doc is a doc comment as plain text.
type doc struct {
	text       string
	start, end int // lines
}

// docBefore returns the doc comment that ends on the line before the one that holds off (or on that line, before off). Line comments
// on adjacent lines count as one. openers restricts it to comments that begin with one of them ("/**", "///"). A comment that
// follows code on its line belongs to that code.
func (t *text) docBefore(off int, openers ...string) doc {
	i := t.commentBefore(off, openers)
	switch {
	case i < 0:
		return doc{}
	case t.lastDoc.comment == i+1: // of another declaration on the same line
		return t.lastDoc.doc
	}
	first := i
	if marker := lineMarker(t.opener(i)); marker != "" {
		for first > 0 && t.adjoins(first-1, first) && lineMarker(t.opener(first-1)) == marker {
			first--
		}
	}
	t.lastDoc.comment, t.lastDoc.doc = i+1, t.docOf(first, i)
	return t.lastDoc.doc
}

// docApart is docBefore for languages in which blank lines may stand between a doc comment and what it documents.
func (t *text) docApart(off int, opener string) doc {
	i := sort.Search(len(t.comments), func(i int) bool { return t.comments[i].end > off }) - 1
	if i < 0 || !t.onlyBlank(t.comments[i].end, off, maxApart) || !t.startsLine(t.comments[i].start) || lineMarker(t.opener(i)) != opener {
		return doc{}
	}
	first := i
	for first > 0 && t.adjoins(first-1, first) && lineMarker(t.opener(first-1)) == opener {
		first--
	}
	return t.docOf(first, i)
}

// maxApart bounds the line breaks between a doc comment and what it documents.
const maxApart = 4

// docOf returns the comments first to last as one doc comment.
func (t *text) docOf(first, last int) doc {
	var b strings.Builder
	for i := first; i <= last; i++ {
		c := t.comments[i]
		b.Write(t.src[c.start:c.end])
		b.WriteByte('\n')
	}
	return doc{
		text:  cleanComment(b.String()),
		start: t.line(t.comments[first].start),
		end:   t.line(max(t.comments[last].end-1, 0)),
	}
}

// commentBefore returns the index of the comment that stands directly before off, or -1.
func (t *text) commentBefore(off int, openers []string) int {
	i := sort.Search(len(t.comments), func(i int) bool { return t.comments[i].end > off }) - 1
	if i < 0 || !t.onlyBlank(t.comments[i].end, off, 1) || !t.startsLine(t.comments[i].start) {
		return -1
	}
	if len(openers) == 0 {
		return i
	}
	for _, o := range openers {
		if strings.HasPrefix(t.opener(i), o) {
			return i
		}
	}
	return -1
}

// adjoins tells whether comment b begins on the line after comment a, and a has its line to itself.
func (t *text) adjoins(a, b int) bool {
	return t.onlyBlank(t.comments[a].end, t.comments[b].start, 1) && t.startsLine(t.comments[a].start)
}

// onlyBlank tells whether a range holds nothing but white space, with at most the given number of line breaks.
func (t *text) onlyBlank(from, to, breaks int) bool {
	for _, c := range t.src[from:to] {
		if c == '\n' {
			if breaks--; breaks < 0 {
				return false
			}
		} else if !isSpace(c) {
			return false
		}
	}
	return true
}

// opener returns the first bytes of a comment, enough to see its marker.
func (t *text) opener(i int) string {
	c := t.comments[i]
	return string(t.src[c.start:min(c.end, c.start+4)])
}

// lineMarker returns the marker of a line comment that begins with s, "" for a block comment.
func lineMarker(s string) string {
	for _, m := range []string{"///", "//!", "//", "#", "--", ";"} {
		if strings.HasPrefix(s, m) {
			return m
		}
	}
	return ""
}

// cleanComment removes comment markers and the common indentation from raw comments, and keeps paragraphs.
func cleanComment(raw string) string {
	lines := strings.Split(raw, "\n")
	inBlock := false
	for i, l := range lines {
		l = strings.TrimRight(l, " \t\r")
		s := strings.TrimLeft(l, " \t")
		switch {
		case inBlock || strings.HasPrefix(s, "/*"):
			lines[i], inBlock = blockLine(s, l, inBlock)
		default:
			lines[i] = lineText(s)
		}
	}
	return strings.Trim(dedent(lines), "\n")
}

// blockLine returns the text of one line of a block comment, and whether the comment goes on. s is the line without indentation.
func blockLine(s, line string, inBlock bool) (string, bool) {
	opens := !inBlock
	if opens {
		s = strings.TrimPrefix(s[2:], "!")
		if !strings.HasPrefix(s, "*/") {
			s = strings.TrimLeft(s, "*")
		}
	}
	before, _, closed := strings.Cut(s, "*/")
	if closed {
		s = strings.TrimRight(before, "* \t")
	}
	switch {
	case opens:
	case strings.HasPrefix(s, "*"):
		s = strings.TrimPrefix(s, "*")
	case !closed:
		s = line // no leading star: the indentation may mean something
	}
	return strings.TrimRight(s, " \t"), !closed
}

// lineText returns the text of a line comment; rules drawn with the marker are blank.
func lineText(s string) string {
	m := lineMarker(s)
	rest := s[len(m):]
	if m != "" && strings.Trim(rest, m+"-=*~ \t") == "" {
		return ""
	}
	return strings.TrimLeft(rest, m)
}

// dedent joins lines without the indentation that all of them share. The first line counts only where it is the only one: in block
// comments and docstrings it follows the opener.
func dedent(lines []string) string {
	common := -1
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			lines[i] = ""
			continue
		}
		if n := len(l) - len(strings.TrimLeft(l, " \t")); i > 0 && (common < 0 || n < common) {
			common = n
		}
	}
	for i, l := range lines {
		if i == 0 || common < 0 {
			lines[i] = strings.TrimLeft(l, " \t")
		} else if len(l) >= common {
			lines[i] = l[common:]
		}
	}
	return strings.Join(lines, "\n")
}

// splitTags cuts the block tags (@param, @return …) off a Javadoc, JSDoc or PHPDoc text. It returns the text before the first and
// whether one of them is @deprecated.
func splitTags(s string) (text string, deprecated bool) {
	at := len(s)
	for from := 0; from < len(s); {
		end := strings.IndexByte(s[from:], '\n')
		if end < 0 {
			end = len(s) - from
		}
		line := strings.TrimLeft(s[from:from+end], " \t")
		if len(line) > 1 && line[0] == '@' && 'a' <= line[1]|0x20 && line[1]|0x20 <= 'z' {
			at = min(at, from)
			deprecated = deprecated || strings.HasPrefix(line, "@deprecated")
		}
		from += end + 1
	}
	return strings.TrimSpace(s[:at]), deprecated
}

// firstSentence returns the first sentence of a doc text on one line.
func firstSentence(s string) string {
	if para, _, ok := strings.Cut(s, "\n\n"); ok {
		s = para
	}
	s = strings.Join(strings.Fields(s), " ")
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && s[i+1] == ' ' && !abbreviation(s[:i]) {
			return s[:i+1]
		}
	}
	return s
}

// abbreviation tells whether the text before a full stop ends in one of the usual abbreviations, or in an initial.
func abbreviation(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "vs", "cf", "approx", "resp":
		return true
	case "no":
		return word == "No" // a number follows
	}
	return len(word) == 1 && 'A' <= word[0] && word[0] <= 'Z'
}

// marks records the notes that people left in the comments of the file.
func (t *text) marks(f *File) {
	for i := 0; i < len(t.comments); i++ {
		first := i
		if marker := lineMarker(t.opener(i)); marker != "" { // notes go on in the next comment
			for i+1 < len(t.comments) && t.adjoins(i, i+1) && lineMarker(t.opener(i+1)) == marker {
				i++
			}
		}
		from, to := t.comments[first].start, t.comments[i].end
		collectMarks(f, t.src[from:to], t.line(from))
	}
}

// collectMarks records the TODO, FIXME and HACK notes of one comment that begins on the given line.
func collectMarks(f *File, comment []byte, line int) {
	for i := 0; i < len(comment); i++ {
		switch comment[i] {
		case '\n':
			line++
		case 'T', 'F', 'H':
			if kind := markAt(comment, i); kind != "" {
				if text, ok := markText(comment[i+len(kind):]); ok {
					f.Marks = append(f.Marks, Mark{Kind: kind, Text: text, Line: line})
				}
				i += len(kind) - 1
			}
		}
	}
}

func markAt(comment []byte, i int) string {
	if i > 0 && isWord(comment[i-1]) {
		return ""
	}
	for _, kind := range []string{"TODO", "FIXME", "HACK"} {
		end := i + len(kind)
		if end > len(comment) || string(comment[i:end]) != kind {
			continue
		}
		// A note begins its line, or is followed by a colon or a name; the word alone in running prose is none.
		if end < len(comment) && (comment[end] == ':' || comment[end] == '(') || leadsLine(comment[:i]) && (end == len(comment) || !isWord(comment[end])) {
			return kind
		}
	}
	return ""
}

func leadsLine(before []byte) bool {
	for i := len(before) - 1; i >= 0 && before[i] != '\n'; i-- {
		switch before[i] {
		case ' ', '\t', '/', '*', '#', '-', '!', ';', '@':
		default:
			return false
		}
	}
	return true
}

// maxMark is the longest note kept, in bytes.
const maxMark = 300

// markLines is how many lines a note may take to its end.
const markLines = 4

// markText returns the text of a note up to the end of its sentence, which may stand lines later. ok is false for a note that does not
// end soon.
func markText(rest []byte) (text string, ok bool) {
	s := strings.ToValidUTF8(string(rest[:min(len(rest), 4*maxMark)]), "")
	for n := 0; n < markLines; n++ {
		line, after, more := strings.Cut(s, "\n")
		line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "*/"))
		if n == 0 {
			line = strings.TrimSpace(strings.TrimLeft(line, ":"))
		} else if line = markLine(line); line == "" || markAt([]byte(line), 0) != "" || strings.HasPrefix(line, "@") {
			return cut(text, maxMark), true
		}
		text = strings.TrimSpace(text + " " + line)
		if one := firstSentence(text); len(one) < len(text) && n > 0 || ends(text) || !more {
			if n > 0 {
				text = one
			}
			return cut(text, maxMark), true
		}
		s = after
	}
	return "", false
}

// markLine returns the text of a line in a comment that goes on.
func markLine(line string) string {
	if m := lineMarker(line); m != "" && m != "--" && m != ";" {
		line = line[len(m):]
	}
	return strings.TrimSpace(strings.TrimLeft(line, "*"))
}

// ends tells whether a text ends with a sentence.
func ends(s string) bool {
	return s != "" && strings.IndexByte(".!?", s[len(s)-1]) >= 0 && !abbreviation(s[:len(s)-1])
}
