package wikidiff

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
)

// similar is how much of two statements must be the same words for one to be the other altered; less is enough when both cite the same
// file.
const (
	similar      = 0.6
	similarCited = 0.4
)

// statements compares the statements of a page.
func (c *comparison) statements(d *PageDelta, before, after []claims.Claim) {
	partner := match(before, after)
	taken := map[int]bool{}
	for i := range after {
		j, ok := partner[i]
		if !ok {
			d.Claims = append(d.Claims, ClaimDelta{ID: after[i].ID, After: &after[i]})
			continue
		}
		taken[j] = true
		c.pair(d, &before[j], &after[i])
	}
	for j := range before {
		if !taken[j] {
			d.Claims = append(d.Claims, ClaimDelta{ID: before[j].ID, Before: &before[j]})
			c.lost(d, &before[j], nil)
		}
	}
}

// pair compares two forms of one statement.
func (c *comparison) pair(d *PageDelta, before, after *claims.Claim) {
	c.lost(d, before, after)
	if before.Statement != after.Statement {
		d.Claims = append(d.Claims, ClaimDelta{ID: after.ID, Before: before, After: after})
		return
	}
	old := slices.Clone(before.Evidence)
	proved := false
	for _, e := range after.Evidence {
		if slices.Contains(old, e) {
			continue
		}
		i := slices.IndexFunc(old, func(o claims.Evidence) bool { return o.Version == e.Version && !slices.Contains(after.Evidence, o) })
		if i < 0 {
			proved = true
			continue
		}
		c.delta.Moved = append(c.delta.Moved, Move{Page: d.Path, From: old[i].Resource, To: e.Resource})
		old = slices.Delete(old, i, i+1)
	}
	if proved || len(before.Evidence) != len(after.Evidence) {
		d.Proved++
	}
}

// lost notes the evidence of a statement that is gone from the source.
func (c *comparison) lost(d *PageDelta, before, after *claims.Claim) {
	if c.after.Source == nil {
		return
	}
	for _, e := range before.Evidence {
		if after != nil && slices.ContainsFunc(after.Evidence, func(n claims.Evidence) bool { return n.Version == e.Version }) {
			continue
		}
		if c.gone(e) {
			c.delta.Lost = append(c.delta.Lost, Lost{Page: d.Path, Resource: e.Resource, Statement: before.Statement, Dropped: after == nil})
		}
	}
}

// gone reports whether the cited place is no longer there.
func (c *comparison) gone(e claims.Evidence) bool {
	res, err := evidence.Parse(e.Resource, string(c.before.Dir))
	if err != nil {
		return true
	}
	data, ok := c.after.Source(res.Path)
	return !ok || evidence.In(data, res, e.Version).State == evidence.Missing
}

// match finds for statements of after, by index, the statement of before that it was.
func match(before, after []claims.Claim) map[int]int {
	partner, taken := map[int]int{}, map[int]bool{}
	pair := func(i, j int) { partner[i], taken[j] = j, true }
	byID, byText := map[string]int{}, map[string][]int{}
	for j, b := range before {
		byID[b.ID] = j
	}
	for i, a := range after {
		// An id that went on to another statement says nothing.
		if j, ok := byID[a.ID]; ok && (a.Statement == before[j].Statement || likeness(before[j], a) >= similarCited) {
			pair(i, j)
		}
	}
	for j, b := range before {
		if !taken[j] {
			byText[b.Statement] = append(byText[b.Statement], j)
		}
	}
	for i, a := range after {
		if _, ok := partner[i]; ok {
			continue
		}
		if list := byText[a.Statement]; len(list) > 0 {
			pair(i, list[0])
			byText[a.Statement] = list[1:]
		}
	}
	for _, candidate := range candidates(before, after, partner, taken) {
		_, used := partner[candidate.after]
		if !used && !taken[candidate.before] {
			pair(candidate.after, candidate.before)
		}
	}
	return partner
}

// A candidate is two statements that may be one.
type candidate struct {
	before, after int
	likeness      float64
	low, high     string
}

// candidates returns the statements that may be one, the likeliest first.
func candidates(before, after []claims.Claim, partner map[int]int, taken map[int]bool) []candidate {
	var list []candidate
	for i, a := range after {
		if _, ok := partner[i]; ok {
			continue
		}
		for j, b := range before {
			if taken[j] {
				continue
			}
			like := likeness(b, a)
			if like >= similar || like >= similarCited && sameFile(a, b) {
				list = append(list, candidate{j, i, like, min(a.Statement, b.Statement), max(a.Statement, b.Statement)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), strings.Compare(a.low, b.low), strings.Compare(a.high, b.high))
	})
	return list
}

// likeness is the share of words that two statements have in common, 0 to 1.
func likeness(a, b claims.Claim) float64 {
	x, y := words(a.Statement), words(b.Statement)
	if len(x)+len(y) == 0 {
		return 0
	}
	counts := map[string]int{}
	for _, w := range x {
		counts[w]++
	}
	common := 0
	for _, w := range y {
		if counts[w] > 0 {
			counts[w]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(x)+len(y))
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// sameFile reports whether two statements cite a file in common.
func sameFile(a, b claims.Claim) bool {
	for _, x := range a.Evidence {
		for _, y := range b.Evidence {
			if fileOf(x.Resource) == fileOf(y.Resource) {
				return true
			}
		}
	}
	return false
}

func fileOf(resource string) string {
	name, _, _ := strings.Cut(resource, "#")
	return name
}
