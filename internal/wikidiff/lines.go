package wikidiff

import (
	"bytes"
	"sort"
)

// A Hunk is a run of lines that was replaced. Lines are counted from 0 and the ends are exclusive; one side may be empty.
type Hunk struct{ FromStart, FromEnd, ToStart, ToEnd int }

// maxEdits bounds the work for one stretch of text: two stretches that have more lines to add and remove between them count as replaced.
const maxEdits = 1500

// Lines returns the lines that differ, in order. It is symmetric: the texts in the other order give the same hunks, turned round.
func Lines(from, to []byte) []Hunk {
	if bytes.Equal(from, to) {
		return nil
	}
	turned := bytes.Compare(from, to) > 0
	if turned {
		from, to = to, from
	}
	a, b := number(from, to)
	d := differ{a: a, b: b}
	d.compare(0, len(a), 0, len(b))
	if turned {
		for i, h := range d.hunks {
			d.hunks[i] = Hunk{h.ToStart, h.ToEnd, h.FromStart, h.FromEnd}
		}
	}
	return d.hunks
}

// number replaces the lines of two texts by numbers, equal ones for equal lines.
func number(texts ...[]byte) (a, b []int) {
	known := map[string]int{}
	lists := make([][]int, len(texts))
	for i, text := range texts {
		for line := range bytes.Lines(text) {
			n, ok := known[string(line)]
			if !ok {
				n = len(known)
				known[string(line)] = n
			}
			lists[i] = append(lists[i], n)
		}
	}
	return lists[0], lists[1]
}

type differ struct {
	a, b  []int
	hunks []Hunk
}

// compare adds the hunks of a[i:j] and b[k:l]. It goes along the lines that occur once on both sides and in the same order, which are
// seldom wrong, and finds the shortest script between them.
func (d *differ) compare(i, j, k, l int) {
	for i < j && k < l && d.a[i] == d.b[k] {
		i, k = i+1, k+1
	}
	tail := 0
	for i < j-tail && k < l-tail && d.a[j-1-tail] == d.b[l-1-tail] {
		tail++
	}
	j, l = j-tail, l-tail
	for _, anchor := range d.anchors(i, j, k, l) {
		d.shortest(i, anchor.a, k, anchor.b)
		i, k = anchor.a+1, anchor.b+1
	}
	d.shortest(i, j, k, l)
}

// An anchor is a line that stands once on each side.
type anchor struct{ a, b int }

// anchors returns the lines that occur once in a[i:j] and once in b[k:l], as many as stand in the same order on both sides.
func (d *differ) anchors(i, j, k, l int) []anchor {
	type places struct{ inA, inB, a, b int }
	seen := map[int]*places{}
	for n := i; n < j; n++ {
		p := seen[d.a[n]]
		if p == nil {
			p = &places{}
			seen[d.a[n]] = p
		}
		p.inA, p.a = p.inA+1, n
	}
	for n := k; n < l; n++ {
		if p := seen[d.b[n]]; p != nil {
			p.inB, p.b = p.inB+1, n
		}
	}
	var list []anchor
	for n := i; n < j; n++ {
		if p := seen[d.a[n]]; p.inA == 1 && p.inB == 1 {
			list = append(list, anchor{p.a, p.b})
		}
	}
	return increasing(list)
}

// increasing returns a longest part of a list, which is in the order of a, that is in the order of b too.
func increasing(list []anchor) []anchor {
	var ends []int // index of the anchor that ends the best part of each length
	before := make([]int, len(list))
	for n, at := range list {
		length := sort.Search(len(ends), func(i int) bool { return list[ends[i]].b >= at.b })
		before[n] = -1
		if length > 0 {
			before[n] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, n)
		} else {
			ends[length] = n
		}
	}
	best := make([]anchor, len(ends))
	if len(ends) == 0 {
		return nil
	}
	for n, at := len(ends)-1, ends[len(ends)-1]; n >= 0; n, at = n-1, before[at] {
		best[n] = list[at]
	}
	return best
}

// shortest adds the hunks of the shortest edit script of a[i:j] and b[k:l], by the algorithm of Myers.
func (d *differ) shortest(i, j, k, l int) {
	for i < j && k < l && d.a[i] == d.b[k] {
		i, k = i+1, k+1
	}
	for i < j && k < l && d.a[j-1] == d.b[l-1] {
		j, l = j-1, l-1
	}
	switch {
	case i == j && k == l:
		return
	case i == j || k == l:
		d.add(Hunk{i, j, k, l})
		return
	}
	trace, ok := furthest(d.a[i:j], d.b[k:l])
	if !ok {
		d.add(Hunk{i, j, k, l})
		return
	}
	d.back(trace, i, j, k, l)
}

// furthest returns, for each number of edits up to the one that suffices, how far each diagonal gets; false when that takes too many.
func furthest(a, b []int) (trace [][]int, ok bool) {
	limit := min(len(a)+len(b), maxEdits)
	reach := make([]int, 2*limit+3)
	zero := limit + 1
	for edits := 0; edits <= limit; edits++ {
		trace = append(trace, append([]int(nil), reach[zero-edits-1:zero+edits+2]...))
		for diagonal := -edits; diagonal <= edits; diagonal += 2 {
			x := step(reach[zero+diagonal-1], reach[zero+diagonal+1], diagonal, edits)
			for x < len(a) && x-diagonal < len(b) && a[x] == b[x-diagonal] {
				x++
			}
			reach[zero+diagonal] = x
			if x >= len(a) && x-diagonal >= len(b) {
				return trace, true
			}
		}
	}
	return nil, false
}

// step returns where an edit leads to on a diagonal, from the diagonal below or above.
func step(below, above, diagonal, edits int) int {
	if diagonal == -edits || diagonal != edits && below < above {
		return above
	}
	return below + 1
}

// back follows a trace from its end and adds the hunks it stands for.
func (d *differ) back(trace [][]int, i, j, k, l int) {
	x, y := j-i, l-k
	var edits []Hunk
	for n := len(trace) - 1; n > 0; n-- {
		reach, middle, diagonal := trace[n], n+1, x-y
		below, above := reach[middle+diagonal-1], reach[middle+diagonal+1]
		if diagonal == -n || diagonal != n && below < above {
			fromX, fromY := above, above-diagonal-1
			edits = append(edits, Hunk{i + fromX, i + fromX, k + fromY, k + fromY + 1})
			x, y = fromX, fromY
		} else {
			fromX, fromY := below, below-diagonal+1
			edits = append(edits, Hunk{i + fromX, i + fromX + 1, k + fromY, k + fromY})
			x, y = fromX, fromY
		}
	}
	for n := len(edits) - 1; n >= 0; n-- {
		d.add(edits[n])
	}
}

// add adds a hunk, to the last one when it goes on from there.
func (d *differ) add(h Hunk) {
	if n := len(d.hunks); n > 0 && d.hunks[n-1].FromEnd == h.FromStart && d.hunks[n-1].ToEnd == h.ToStart {
		d.hunks[n-1].FromEnd, d.hunks[n-1].ToEnd = h.FromEnd, h.ToEnd
		return
	}
	d.hunks = append(d.hunks, h)
}
