package extractive

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// A text is a run of prose in two forms: Markdown for the page, plain words for the Claim. Names are the identifiers it shows as code
// and that its evidence has to contain.
type text struct {
	md    string
	plain string
	names []string
}

// words is our own wording, which needs no escaping.
func words(s string) text { return text{md: s, plain: s} }

// code is an identifier, path or command of the repository, shown as code and expected in the evidence.
func code(s string) text {
	s = shorten(clean(s), maxCode)
	if s == "" {
		return text{}
	}
	return text{md: codeSpan(s), plain: s, names: []string{strings.TrimSuffix(s, " …")}}
}

// label is a name shown as code that the wiki gives to something, such as a part; the evidence need not contain it.
func label(s string) text {
	t := code(s)
	t.names = nil
	return t
}

// quote is a sentence in the authors' own words, made inert. Their code spans stay code spans.
func quote(s string) text { return quoteWithin(s, maxQuote) }

// quoteWhole is quote for a text that is looked up, such as the values that a setting may have: it is cut only where it is very long.
func quoteWhole(s string) text { return quoteWithin(s, maxWhole) }

func quoteWithin(s string, limit int) text {
	s = shorten(clean(s), limit)
	var md strings.Builder
	rest := s
	for {
		before, after, ok := strings.Cut(rest, "`")
		inside, tail, closed := strings.Cut(after, "`")
		if !ok || !closed || inside == "" {
			md.WriteString(escape(strings.ReplaceAll(rest, "`", "'")))
			break
		}
		md.WriteString(escape(before) + codeSpan(inside))
		rest = tail
	}
	return text{md: md.String(), plain: strings.ReplaceAll(s, "`", "")}
}

// compose fills the {} of a pattern with texts, in order. A text too many or too few is a programming error and shows as "{}".
func compose(pattern string, args ...text) text {
	var md, plain strings.Builder
	var names []string
	for {
		before, after, ok := strings.Cut(pattern, "{}")
		md.WriteString(before)
		plain.WriteString(before)
		if !ok {
			break
		}
		if len(args) > 0 {
			md.WriteString(args[0].md)
			plain.WriteString(args[0].plain)
			names = append(names, args[0].names...)
			args = args[1:]
		} else {
			md.WriteString("{}")
			plain.WriteString("{}")
		}
		pattern = after
	}
	return text{md: md.String(), plain: plain.String(), names: names}
}

// list joins texts as people do: "a", "a and b", "a, b and c".
func list(items []text) text { return listWith(items, "and") }

func listWith(items []text, last string) text {
	var out text
	for i, t := range items {
		sep := ""
		switch {
		case i == 0:
		case i == len(items)-1:
			sep = " " + last + " "
		default:
			sep = ", "
		}
		out.md += sep + t.md
		out.plain += sep + t.plain
		out.names = append(out.names, t.names...)
	}
	return out
}

// some is a list of at most limit items that says when there are others, without a number that would drift.
func some(items []text, limit int) text {
	if len(items) <= limit {
		return list(items)
	}
	return list(append(items[:limit:limit], words("others")))
}

// sentence ends a quote with a full stop unless it ends a sentence already.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	switch r, _ := utf8.DecodeLastRuneInString(s); r {
	case '.', '!', '?', '…', '。', '！', '？':
		return s
	case ':', ';', ',':
		return s[:len(s)-1] + "."
	}
	return s + "."
}

// capital returns s with its first letter in upper case.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// firstSentence returns the first sentence of a doc comment, without its markup paragraphs. A full stop inside an abbreviation, a
// version or a name does not end it.
func firstSentence(doc string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(doc, "\r", "")), "\n\n")
	s := plainMarkup(clean(unbroken(paragraph)))
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "。"):
			return s[:i+len("。")]
		case s[i] != '.' && s[i] != '!' && s[i] != '?':
			continue
		case i+1 == len(s):
			return s
		case s[i+1] != ' ' || abbreviation(s[:i]):
			continue
		}
		if r, _ := utf8.DecodeRuneInString(s[i+2:]); unicode.IsLower(r) && s[i] == '.' {
			continue
		}
		return s[:i+1]
	}
	return s
}

// unbroken ends a paragraph before a line that begins a list, an example or a sentence of its own: many comments end no line with a full
// stop.
func unbroken(paragraph string) string {
	lines := strings.Split(paragraph, "\n")
	for i := 1; i < len(lines); i++ {
		line, before := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i-1])
		if line == "" || before == "" {
			continue
		}
		last := before[strings.LastIndexByte(before, ' ')+1:]
		own := line[0] >= 'A' && line[0] <= 'Z' && len(line) > 1 && line[1] >= 'a' && line[1] <= 'z' && len(before) < 58 && len(strings.Fields(before)) >= 4 && len(last) > 3 && wordByte(last[len(last)-1])
		list := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "```") || strings.Contains(line, "->")
		if list || own && strings.ToLower(last) == last {
			return strings.TrimRight(strings.Join(lines[:i], "\n"), ":")
		}
	}
	return paragraph
}

// abbreviation reports whether a full stop after s belongs to a short form.
func abbreviation(s string) bool {
	word := strings.ToLower(s[strings.LastIndexAny(s, " (\"'")+1:])
	switch word {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "resp", "approx", "incl", "no", "fig", "mr", "dr", "st", "inc", "ltd":
		return true
	}
	return len(word) == 1 && word[0] >= 'a' && word[0] <= 'z'
}

// plainMarkup drops the markup of doc comments that would read as noise: javadoc and XML tags, JSDoc and Doxygen marks, doc links.
func plainMarkup(s string) string {
	s = unwrapInline(s, "{@code ", "}")
	s = unwrapInline(s, "{@link ", "}")
	s = unwrapInline(s, "{@see ", "}")
	s = dropTags(s)
	s = unlink(dropRoles(s))
	for _, mark := range []string{"@brief ", "\\brief ", "@internal ", "@summary ", "@description "} {
		s = strings.TrimPrefix(s, mark)
	}
	if i := tagStart(s); i >= 0 {
		s = s[:i]
	}
	s = strings.NewReplacer("``", "`", "**", "", "\\@", "@").Replace(s)
	return clean(s)
}

// tagStart finds where a block of @param-like tags begins.
func tagStart(s string) int {
	for _, mark := range []string{"@param", "@return", "@throws", "@since", "@author", "@see ", "@template", "@var ", "@type", "@deprecated", ":param", ":return", "\\param", "\\return"} {
		if i := strings.Index(s, mark); i == 0 || i > 0 && s[i-1] == ' ' {
			if end := i + len(mark); end < len(s) && strings.HasPrefix(mark, "@") && (s[end] == '/' || strings.HasPrefix(s[end:], "s/")) {
				continue // the name of a package: @types/node
			}
			return i
		}
	}
	return -1
}

// dropRoles turns the roles of reStructuredText into plain names: :class:`~flask.Flask` says `Flask`.
func dropRoles(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, ":`")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		start := i
		for start > 0 && (wordByte(s[start-1]) || s[start-1] == ':' || s[start-1] == '-') {
			start--
		}
		inside, rest, ok := strings.Cut(s[i+2:], "`")
		if !ok || start == i || s[start] != ':' {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		if short, tilde := strings.CutPrefix(inside, "~"); tilde {
			inside = short[strings.LastIndexByte(short, '.')+1:]
		}
		if i := strings.Index(inside, " <"); i > 0 {
			inside = inside[:i]
		}
		b.WriteString(s[:start] + "`" + inside + "`")
		s = rest
	}
}

func unwrapInline(s, open, end string) string {
	for {
		before, after, ok := strings.Cut(s, open)
		inside, tail, closed := strings.Cut(after, end)
		if !ok || !closed {
			return s
		}
		s = before + "`" + strings.TrimPrefix(strings.TrimSpace(inside), "#") + "`" + tail
	}
}

// dropTags removes HTML and XML doc tags such as <p>, <see cref="X"/> and </summary>.
func dropTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 || end > 200 || !markupTag(s[i+1:i+end]) {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		s = s[i+end+1:]
	}
}

// markupTag reports whether what stands between angle brackets is a tag of HTML or of a doc comment. Anything else is a placeholder, as in
// "at least <quorum> nodes", or a type.
func markupTag(inside string) bool {
	inside = strings.TrimPrefix(inside, "/")
	if strings.HasPrefix(inside, "!") {
		return true
	}
	end := 0
	for end < len(inside) && (inside[end] >= 'a' && inside[end] <= 'z' || inside[end] >= '1' && inside[end] <= '6') {
		end++
	}
	name, rest := inside[:end], strings.TrimSuffix(inside[end:], "/")
	if rest != "" && !(rest[0] == ' ' && (strings.TrimSpace(rest) == "" || strings.Contains(rest, "="))) {
		return false
	}
	return slices.Contains(markupTags, name)
}

var markupTags = []string{
	"a", "abbr", "b", "blockquote", "br", "center", "cite", "code", "dd", "del", "details", "div", "dl", "dt", "em", "figure", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd",
	"li", "ol", "p", "picture", "pre", "q", "s", "samp", "small", "source", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "tt", "u", "ul", "var", "video",
	"c", "example", "exception", "include", "inheritdoc", "list", "item", "para", "param", "paramref", "permission", "remarks", "returns", "see", "seealso", "typeparam", "typeparamref", "value", "description", "term",
}

// unlink replaces Markdown links and images by their text.
func unlink(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		j := strings.IndexByte(s[i:], ']')
		if j < 0 {
			b.WriteString(s)
			return b.String()
		}
		inside, rest := s[i+1:i+j], s[i+j+1:]
		if i > 0 && wordByte(s[i-1]) { // an index or type argument: os.Args[1:]
			b.WriteString(s[:i+j+1])
			s = rest
			continue
		}
		b.WriteString(strings.TrimSuffix(s[:i], "!"))
		switch {
		case strings.HasPrefix(rest, "("):
			if k := strings.IndexByte(rest, ')'); k >= 0 {
				rest = rest[k+1:]
			}
			b.WriteString(inside)
		case strings.HasPrefix(rest, "[") && strings.IndexByte(rest, ']') > 0:
			rest = rest[strings.IndexByte(rest, ']')+1:]
			b.WriteString(inside)
		case codeLike(inside):
			b.WriteString(inside)
		default:
			b.WriteString("[" + inside + "]")
		}
		s = rest
	}
}

// codeLike reports whether the text of a doc link is a name, as in [Server.Close] or [`Vec`].
func codeLike(s string) bool {
	if s == "" || len(s) > 60 || strings.ToLower(s) == s && !strings.ContainsAny(s, ".:`_") {
		return false // "[string]" is the type of an option, not a link
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._:`()", r) {
			return false
		}
	}
	return true
}

// location is the short name of a place in the source: "gateway.go:12".
func location(r survey.Ref) string {
	name := path.Base(r.Path)
	if r.Start > 0 {
		return name + ":" + strings.NewReplacer("#", "", "L", "").Replace(lineAnchor(r))
	}
	return name
}
