package secretscan

import (
	"bytes"
	"math"
	"strings"
)

// matches returns where the pattern of a rule matches, with its groups.
func (p patterns) matches(text, lower []byte, odd bool) [][]int {
	switch {
	case p.secret == nil:
		return nil
	case p.quick == nil || odd:
		return p.secret.FindAllSubmatchIndex(text, -1)
	}
	places := p.quick.places(text, lower)
	if len(places) == 0 {
		return nil
	}
	return p.quick.matches(p.secret, text, places)
}

// judge returns those matches of a rule that are secrets.
func (set *ruleSet) judge(r *rule, p patterns, text []byte, matches [][]int) []finding {
	var found []finding
	for _, place := range matches {
		start, end := place[0], place[1]
		if s, e, ok := secretGroup(place, r.group); ok {
			start, end = s, e
		}
		secret := string(text[start:end])
		if r.entropy > 0 && entropy(secret) <= r.entropy {
			continue
		}
		match := strings.Trim(string(text[place[0]:place[1]]), "\n")
		if set.allowed(p, secret, match, string(lineAround(text, place[0], place[1]))) {
			continue
		}
		found = append(found, finding{rule: r.id, start: start, end: end})
	}
	return found
}

// secretGroup returns the part of a match that is the secret: the group the rule names, else the first that took part.
func secretGroup(place []int, group int) (start, end int, ok bool) {
	if group > 0 {
		if 2*group+1 < len(place) && place[2*group] >= 0 {
			return place[2*group], place[2*group+1], true
		}
		return 0, 0, false
	}
	for i := 2; i+1 < len(place); i += 2 {
		if place[i] >= 0 && place[i+1] > place[i] {
			return place[i], place[i+1], true
		}
	}
	return 0, 0, false
}

func (set *ruleSet) allowed(p patterns, secret, match, line string) bool {
	for _, list := range [][]allowance{set.global(), p.allow} {
		for _, a := range list {
			if a.allows(secret, match, line) {
				return true
			}
		}
	}
	return false
}

// lineAround returns the lines a match lies in.
func lineAround(text []byte, start, end int) []byte {
	from := bytes.LastIndexByte(text[:start], '\n') + 1
	to := len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		to = end + i
	}
	return text[from:to]
}

// entropy is Shannon's, in bits for each byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / float64(len(s))
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

// A wordIndex finds which rules have a keyword in a text, in one pass over it.
type wordIndex struct {
	always []*rule            // rules without a keyword
	pairs  map[[2]byte][]word // keywords by their first two bytes
	table  []bool             // whether two bytes begin a keyword
	order  []*rule
}

type word struct {
	text string
	rule int
}

func newWordIndex(rules []*rule) *wordIndex {
	index := &wordIndex{pairs: map[[2]byte][]word{}, table: make([]bool, 1<<16), order: rules}
	for i, r := range rules {
		usable := len(r.keywords) > 0
		for _, keyword := range r.keywords {
			usable = usable && len(keyword) >= 2
		}
		if !usable {
			index.always = append(index.always, r)
			continue
		}
		for _, keyword := range r.keywords {
			keyword = strings.ToLower(keyword)
			key := [2]byte{keyword[0], keyword[1]}
			index.pairs[key] = append(index.pairs[key], word{text: keyword, rule: i})
			index.table[int(key[0])<<8|int(key[1])] = true
		}
	}
	return index
}

// candidates returns the rules that may match, in the order of the rule file. lower is text in small letters; odd means that it has odd
// letters.
func (set *ruleSet) candidates(text, lower []byte, odd bool) []*rule {
	index := set.words
	if odd {
		lower = bytes.ToLower(text)
	}
	seen := make([]bool, len(index.order))
	for i := 0; i+1 < len(lower); i++ {
		if !index.table[int(lower[i])<<8|int(lower[i+1])] {
			continue
		}
		for _, w := range index.pairs[[2]byte{lower[i], lower[i+1]}] {
			if !seen[w.rule] && bytes.HasPrefix(lower[i:], []byte(w.text)) {
				seen[w.rule] = true
			}
		}
	}
	list := append([]*rule(nil), index.always...)
	for i, r := range index.order {
		if seen[i] {
			list = append(list, r)
		}
	}
	return list
}
