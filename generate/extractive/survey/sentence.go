package survey

import (
	"html"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxSentence caps a first sentence; a longer one is cut with an ellipsis.
const maxSentence = 320

// isAbbreviation reports words whose full stop does not end a sentence.
func isAbbreviation(word string) bool {
	switch strings.ToLower(word) {
	case "e.g", "i.e", "etc", "vs", "cf", "al", "resp", "approx", "incl", "mr", "mrs", "dr", "no", "fig", "sec", "inc", "ltd", "co", "corp",
		"st", "a.k.a", "w.r.t", "ca", "dept", "est", "eq", "vol", "ed":
		return true
	}
	return false
}

// firstSentence returns the first sentence of plain text, "" when the text has none that says something.
func firstSentence(text string) string {
	para, _, _ := strings.Cut(strings.TrimLeft(strings.ReplaceAll(text, "\r\n", "\n"), "\n \t"), "\n\n")
	s := clean(para)
	s = s[:sentenceEnd(s)]
	s = strings.TrimSpace(s)
	if !saysSomething(s) {
		return ""
	}
	return cut(s, maxSentence)
}

// purposeSentence returns the sentence of a paragraph that says what something is or does: one that begins like "This package …" or
// "Name is …", else the first one.
func purposeSentence(text string, names ...string) string {
	whole := clean(text)
	rest := whole
	for range 4 {
		end := sentenceEnd(rest)
		s := strings.TrimSpace(rest[:end])
		if head, ok := strings.CutSuffix(s, ":"); ok && statesPurpose(s, names) && saysSomething(head) {
			return cut(head+".", maxSentence) // a definition that is whole without the example it leads in
		}
		if saysSomething(s) && statesPurpose(s, names) {
			if dangling()(s) && len(rest) < len(whole) {
				return "" // it needs the sentences before it
			}
			return cut(s, maxSentence)
		}
		if rest = strings.TrimSpace(rest[end:]); rest == "" {
			break
		}
	}
	return firstSentence(text)
}

var selfStatement = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`^(This|The) ([\w-]+ ){0,2}(package|plugin|library|module|crate|directory|folder|tool|project|component|repository|app|application|` +
		`framework|service|extension|bundle|bridge|gem|program)s? (is|are|provides?|contains?|implements?|allows?|adds?|generates?|helps?|offers?|defines?|enables?|` +
		`integrates?|supports?)\b`).MatchString
})

func statesPurpose(s string, names []string) bool {
	if selfStatement()(s) {
		return true
	}
	for _, name := range names {
		for _, verb := range []string{" is ", " provides ", " are ", ", a ", " helps ", " implements "} {
			if name != "" && len(s) > len(name)+len(verb) && strings.EqualFold(s[:len(name)], name) && strings.HasPrefix(s[len(name):], verb) {
				return true
			}
		}
	}
	return false
}

// sentenceEnd returns the offset after the first sentence of s.
func sentenceEnd(s string) int {
	depth, code := 0, false
	for i, r := range s {
		switch r {
		case '`':
			code = !code
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		case '。', '！', '？':
			return i + utf8.RuneLen(r)
		case '.', '!', '?':
			if end, ok := stopAt(s, i); ok && !code && depth == 0 {
				return end
			}
		}
	}
	return len(s)
}

// stopAt reports whether the mark at i ends a sentence, and where the next one would start.
func stopAt(s string, i int) (int, bool) {
	end := i + 1
	for end < len(s) && strings.IndexByte(`.!?"')*_`, s[end]) >= 0 {
		end++
	}
	if end < len(s) && s[end] != ' ' {
		return 0, false
	}
	if s[i] != '.' || end >= len(s) {
		return end, true
	}
	word := s[strings.LastIndexAny(s[:i], " (\"'")+1 : i]
	if isAbbreviation(word) {
		return 0, false
	}
	if r, n := utf8.DecodeRuneInString(word); n == len(word) && unicode.IsUpper(r) && word != "I" {
		return 0, false // an initial, as in "J. Smith"
	}
	next, _ := utf8.DecodeRuneInString(s[end+1:])
	return end, !unicode.IsLower(next) || len(word) > 3 && strings.ToLower(word) == word // a name in lower case may start a sentence
}

var notPurpose = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`(?i)copyright|\(c\) |©|licen[cs]ed under|licen[cs]e:|spdx-|all rights reserved|permission is hereby|free software[;:,]|` +
		`this (file|program|software|source|code) is (part of|free|subject|licen|distributed|provided|released)|redistribution and use|` +
		`^(todo|fixme|xxx|hack|note)\b|eslint|@ts-|prettier-ignore|@jsx|@flow|@format|code generated|do not edit|auto-?generated|^\S+ \S+ also |` +
		`-\*-|vim:|coding[:=]|#!/|^(table of )?contents?$|under development|^(deprecated|warning|important|backwards? compat\w*)\b|work in progress|` +
		`^(visit|view|see|please|check out|click|follow|then|join|welcome|thanks?|thank you|if you|when you|to (run|build|install|use|get|start|test|add|see|make)|` +
		`in (order|the rare)|you (can|need|must|should|will)|make sure|before|first,|for (more|the|details|sake)|this readme|looking for|want to|` +
		`we('re| are) (hiring|looking)|here (is|are)|below|the following|as of|note that|obsolete|read the|learn|let's|like|get started|try|go to|so|but|and)\b|lorem ipsum|@package|@author`).MatchString
})

var (
	// What points back at a sentence that is not shown.
	dangling = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`(?i)\b(those|that case|the (above|former|latter)|aforementioned)\b`).MatchString
	})
	// What announces a list and says nothing without it.
	promises = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`(?i)\b(the following|as follows|(two|three|four|five|several) (\w+ )?(things|parts|files|subdirectories|directories|sections))\b`).MatchString
	})
	// Names of people and mail addresses, not package names of npm.
	people = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`\S@\w+\.\w|\(\s*/?\s*@|(^|\s)@\w[\w-]*([\s).,]|$)`).MatchString
	})
)

// saysSomething refuses texts that are no statement of purpose: licence heads, editor marks, lead-ins that end in a colon, fragments.
func saysSomething(s string) bool {
	if notPurpose()(s) || strings.Contains(s, "://") && len(s) < 80 || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "?") || promises()(s) ||
		strings.Contains(s, "@") && people()(s) {
		return false
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	words := len(strings.Fields(s))
	wide := utf8.RuneCountInString(s)*2 < len(s) // scripts that write without spaces
	return letters >= 8 && letters*2 > utf8.RuneCountInString(s) && (words >= 3 || wide)
}

var inlineRules = sync.OnceValue(func() []inlineRule {
	return []inlineRule{
		{regexp.MustCompile(`(?s)<!--.*?-->`), ""},
		{regexp.MustCompile(":[a-zA-Z:+-]+:`~?([^`<]+?)(\\s*<[^`>]*>)?`"), "$1"},
		{regexp.MustCompile("`([^`<]+?)\\s*<[^`>]*>`__?"), "$1"},
		{regexp.MustCompile(`<(https?://[^>\s]+)>`), "$1"},
		{regexp.MustCompile(`(?i)<br\s*/?>`), " "},
		{regexp.MustCompile(`</?[a-zA-Z][^<>]*>`), ""},
		{regexp.MustCompile(`\[!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])\](\([^)]*\)|\[[^\]]*\])?`), ""}, // a linked image
		{regexp.MustCompile(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])`), ""},
		{regexp.MustCompile(`\[([^\[\]]+)\]\([^()]*(\([^()]*\)[^()]*)*\)`), "$1"},
		{regexp.MustCompile(`\[([^\[\]]+)\]\[[^\]]*\]`), "$1"},
		{regexp.MustCompile(`\[\^[^\]]+\]`), ""},
		{regexp.MustCompile("``([^`]+)``"), "$1"},
		{regexp.MustCompile("`([^`]+)`__?"), "$1"},
		{regexp.MustCompile("`([^`]+)`"), "$1"},
		{regexp.MustCompile(`\*\*([^*]+)\*\*`), "$1"},
		{regexp.MustCompile(`(^|[\s(])\*([^*\s][^*]*)\*`), "$1$2"},
		{regexp.MustCompile(`(^|[\s(])__([^_]+)__`), "$1$2"},
		{regexp.MustCompile(`(^|[\s(])_([^_\s][^_]*)_([\s.,;:!?)]|$)`), "$1$2$3"},
		{regexp.MustCompile(`~~([^~]+)~~`), "$1"},
		{regexp.MustCompile(`\{@(?:link|code|literal|linkplain)\s+([^}]+)\}`), "$1"},
		{regexp.MustCompile(`(^|\s):[a-z0-9_+]*[a-z][a-z0-9_+]*:(\s|$)`), "$1$2"}, // :emoji:
		{regexp.MustCompile(`\\([*_#\[\]()<>.!~@&|+-])`), "$1"},
		{regexp.MustCompile(`(^|[\s(])\[([^\[\]()]{1,60})\]`), "$1$2"}, // shortcut reference or Go doc link
	}
})

type inlineRule struct {
	re *regexp.Regexp
	to string
}

// plain turns inline Markdown, reStructuredText, HTML or doc-comment markup into plain text.
func plain(s string) string {
	if strings.ContainsAny(s, "[]<>`*_~{}:\\") {
		for i, rule := range inlineRules() {
			if i == 3 { // what stands in a code span is no markup; the roles of reStructuredText before this are
				s = codeSpan().ReplaceAllStringFunc(s, veil)
			}
			s = rule.re.ReplaceAllString(s, rule.to)
		}
		return clean(unveil(html.UnescapeString(s)))
	}
	return clean(html.UnescapeString(s))
}

var codeSpan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("``[^`]+``|`[^`]+`") })

// markup are the characters that mean something outside code spans. Inside, veil exchanges them for characters of the private use area, so
// that no rule sees them; unveil brings them back.
const markup = "<>*_[](){}~:\\&@"

func veil(span string) string {
	return strings.Map(func(r rune) rune {
		if at := strings.IndexRune(markup, r); at >= 0 {
			return 0xF300 + rune(at)
		}
		return r
	}, span)
}

func unveil(s string) string {
	return strings.Map(func(r rune) rune {
		if at := r - 0xF300; at >= 0 && int(at) < len(markup) {
			return rune(markup[at])
		}
		return r
	}, s)
}

// docSentence returns the first sentence of a doc comment as plain text.
func docSentence(doc string) string {
	for para := range strings.SplitSeq(strings.ReplaceAll(doc, "\r\n", "\n"), "\n\n") {
		if notPurpose()(para) || isRule(para) {
			continue
		}
		if s := firstSentence(plain(stripHeading(para))); s != "" {
			return s
		}
	}
	return ""
}

// stripHeading drops leading lines of a paragraph that are underlined titles, Markdown headings or tag lines.
func stripHeading(para string) string {
	lines := strings.Split(strings.TrimSpace(para), "\n")
	for len(lines) > 0 {
		first := strings.TrimSpace(lines[0])
		switch {
		case len(lines) > 1 && isRule(lines[1]):
			lines = lines[2:]
		case isRule(first) || strings.HasPrefix(first, "#") || strings.HasPrefix(first, "@"):
			lines = lines[1:]
		default:
			return strings.Join(lines, "\n")
		}
	}
	return ""
}

// isRule reports a line of nothing but punctuation, three or more.
func isRule(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && strings.Trim(s, "=-~^*#+_\"'`:.") == ""
}
