package secretscan

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// A trigger tells quickly that a rule has no match in a text. Most rules begin with a long optional part, which makes their patterns slow
// on every word; what must follow begins with one of a few words. Wherever such a word stands, the rest of the pattern is tried from there
// on. Nothing is lost by it: a match of the whole pattern has a match of its rest, and that begins with one of the words.
type trigger struct {
	words [][]byte       // in small letters
	rest  *regexp.Regexp // anchored to the place of the word
	// front is how many bytes a match may have before the word, where all that is optional; -1 where it is not, or has no bound.
	front int
}

// newTrigger returns nil for a pattern that has no words to look for.
func newTrigger(pattern string) *trigger {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	front := 0
	for i := range parts {
		if i > 0 {
			front = addFront(front, parts[i-1])
		}
		rest := &syntax.Regexp{Op: syntax.OpConcat, Sub: parts[i:], Flags: tree.Flags}
		words, ok := beginnings(rest).words()
		if !ok {
			continue
		}
		anchored, err := regexp.Compile(`\A(?:` + rest.String() + `)`)
		if err != nil {
			return nil
		}
		return &trigger{words, anchored, front}
	}
	return nil
}

// addFront adds the length of an optional part.
func addFront(front int, part *syntax.Regexp) int {
	letter := part.Op == syntax.OpRepeat && part.Min == 0 && part.Max > 0 && part.Sub[0].Op == syntax.OpCharClass
	if front < 0 || !letter {
		return -1
	}
	return front + part.Max*utf8.UTFMax
}

// places returns where the rest of the pattern matches, sorted. lower is text in small letters.
func (t *trigger) places(text, lower []byte) []int {
	var places []int
	for _, word := range t.words {
		for at := 0; ; at++ {
			i := bytes.Index(lower[at:], word)
			if i < 0 {
				break
			}
			if at += i; t.rest.Match(text[at:]) {
				places = append(places, at)
			}
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// matches returns what FindAllSubmatchIndex does. Between two places there is nothing to find, so it begins shortly before each. A match
// that comes next cannot begin earlier, and there is one, because what stands before the place is optional.
func (t *trigger) matches(pattern *regexp.Regexp, text []byte, places []int) [][]int {
	if t.front < 0 {
		return pattern.FindAllSubmatchIndex(text, -1)
	}
	var all [][]int
	end := 0
	for _, place := range places {
		if place < end {
			continue
		}
		from := max(end, place-t.front)
		match := pattern.FindSubmatchIndex(text[from:])
		if match == nil {
			return all
		}
		for i := range match {
			if match[i] >= 0 {
				match[i] += from
			}
		}
		all, end = append(all, match), match[1]
	}
	return all
}

// oddLetters are those that a pattern without regard to case takes for letters of ASCII, or that become one in small letters. Texts with
// one of them are scanned without triggers.
func oddLetters(text []byte) bool {
	return bytes.Contains(text, []byte("\u017f")) || bytes.Contains(text, []byte("\u212a")) || bytes.Contains(text, []byte("\u0130"))
}

// lowered returns text with the letters of ASCII small, and everything else in its place.
func lowered(text []byte) []byte {
	lower := make([]byte, len(text))
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return lower
}

const (
	maxWords  = 64
	minWord   = 2
	maxLetter = 16 // letters of a class
)

// A beginning is what a part of a pattern begins with: each of its matches begins with one of the texts, in small letters. Whole means
// that there is no more to a match, so that what follows continues it. Bad means that nothing can be said.
type beginning struct {
	texts []string
	whole bool
	bad   bool
}

// words returns the texts if each is long enough to look for.
func (b beginning) words() ([][]byte, bool) {
	var words [][]byte
	for _, text := range b.texts {
		if len(text) < minWord {
			return nil, false
		}
		words = append(words, []byte(text))
	}
	return words, !b.bad && len(words) > 0
}

func unknown() beginning { return beginning{texts: []string{""}} }

func beginnings(re *syntax.Regexp) beginning {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re.Rune)
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpCapture:
		return beginnings(re.Sub[0])
	case syntax.OpConcat:
		return inOrder(re.Sub)
	case syntax.OpAlternate:
		return anyOf(re.Sub)
	case syntax.OpEmptyMatch:
		return beginning{texts: []string{""}, whole: true}
	case syntax.OpQuest:
		some := beginnings(re.Sub[0])
		some.texts = unique(append(slices.Clone(some.texts), ""))
		return some
	case syntax.OpPlus:
		some := beginnings(re.Sub[0])
		some.whole = false
		return some
	case syntax.OpRepeat:
		if re.Min == 0 {
			return unknown()
		}
		some := beginnings(re.Sub[0])
		some.whole = some.whole && re.Min == 1 && re.Max == 1
		return some
	case syntax.OpStar, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return unknown()
	}
	return beginning{bad: true} // looks at what stands before the place
}

func literal(runes []rune) beginning {
	b := beginning{whole: true}
	var text strings.Builder
	for _, r := range runes {
		if r > 0x7F {
			b.whole = false
			break
		}
		text.WriteRune(r)
	}
	b.texts = []string{strings.ToLower(text.String())}
	return b
}

// class takes the letters of a class one by one. The odd ones are left out: a text that has them is not asked for words.
func class(ranges []rune) beginning {
	b := beginning{whole: true}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			switch {
			case r == '\u017f' || r == '\u212a' || r == '\u0130':
			case r > 0x7F || len(b.texts) == maxLetter:
				return unknown()
			default:
				b.texts = append(b.texts, strings.ToLower(string(r)))
			}
		}
	}
	b.texts = unique(b.texts)
	return b
}

func inOrder(parts []*syntax.Regexp) beginning {
	b := beginning{texts: []string{""}, whole: true}
	for _, part := range parts {
		if !b.whole {
			break
		}
		next := beginnings(part)
		if next.bad && !slices.Contains(b.texts, "") {
			continue // an assertion behind a word: the pattern itself looks at it
		}
		if next.bad {
			return next
		}
		var longer []string
		for _, head := range b.texts {
			for _, tail := range next.texts {
				longer = append(longer, head+tail)
			}
		}
		if longer = unique(longer); len(longer) > maxWords {
			b.whole = false
			break
		}
		b.texts, b.whole = longer, next.whole
	}
	return b
}

func anyOf(choices []*syntax.Regexp) beginning {
	b := beginning{whole: true}
	for _, choice := range choices {
		one := beginnings(choice)
		if one.bad {
			return one
		}
		b.texts, b.whole = append(b.texts, one.texts...), b.whole && one.whole
	}
	if b.texts = unique(b.texts); len(b.texts) > maxWords {
		return unknown()
	}
	return b
}

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}
