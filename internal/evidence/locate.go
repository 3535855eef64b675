package evidence

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// place says what locate found.
type place int

const (
	lost      place = iota // not there, or not to be told apart
	unchanged              // the recorded content
	altered                // other content between the recorded surroundings
)

// searchBudget bounds the bytes hashed to compare candidates for one range. A
// file built of very many equal lines would otherwise cost their square; in
// such a file the range could not be told apart anyway.
const searchBudget = 64 << 20

// maxNormalised is the size up to which a whole file is also compared with
// other line ends. Larger files are data, and their copies would be large too.
const maxNormalised = 32 << 20

// text is a file's text in every spelling of its line ends. Whatever a question
// needs is computed when it is first asked, and a text is used by one goroutine.
type text struct {
	data  []byte // as read
	all   []*form
	whole string // hash of the text as it stands
}

// form is a text in one spelling of its line ends.
type form struct {
	*lines
	windows [contextLines + 1][]uint64
}

func newText(data []byte) *text { return &text{data: data} }

// raw returns the text as it stands.
func (t *text) raw() *form {
	if t.all == nil {
		t.all = []*form{{lines: splitLines(decode(t.data))}}
	}
	return t.all[0]
}

// forms returns the text as it stands, with LF and with CRLF line ends, without
// repeating equal forms. Line numbers agree between all of them.
func (t *text) forms() []*form {
	raw := t.raw()
	if len(t.all) > 1 {
		return t.all
	}
	for _, other := range [][]byte{toLF(raw.text), toCRLF(raw.text)} {
		if len(other) != len(raw.text) {
			t.all = append(t.all, &form{lines: splitLines(other)})
		}
	}
	return t.all
}

// fileHash returns the hash of the whole text as it stands.
func (t *text) fileHash() string {
	if t.whole == "" {
		t.whole = hashText(t.data)
	}
	return t.whole
}

// hasFileVersion reports whether version is that of the whole text, as it
// stands or with line ends normalised either way.
func (t *text) hasFileVersion(version string) bool {
	want, ok := strings.CutPrefix(version, fileAlgorithm)
	if !ok {
		return false
	}
	if t.fileHash() == want {
		return true
	}
	if len(t.data) > maxNormalised {
		return false
	}
	return slices.ContainsFunc(t.forms()[1:], func(f *form) bool { return hash(f.text) == want })
}

// at reports whether the lines from (inclusive) to to (exclusive) hold the
// recorded content.
func (t *text) at(a anchor, from, to int) bool {
	if t.raw().holds(a, from, to) {
		return true
	}
	if to-from != a.Count || to > t.raw().count() {
		return false
	}
	return slices.ContainsFunc(t.forms()[1:], func(f *form) bool { return f.holds(a, from, to) })
}

// locate finds what a records, first at the lines from (inclusive) to to
// (exclusive), counted from 0.
func (t *text) locate(a anchor, from, to int) (int, int, place) {
	if t.at(a, from, to) {
		return from, to, unchanged
	}
	for _, f := range t.forms() {
		if at, ok := f.find(a); ok {
			return at, at + a.Count, unchanged
		}
	}
	for _, f := range t.forms() {
		if from, to, ok := f.between(a); ok {
			return from, to, altered
		}
	}
	return 0, 0, lost
}

func (f *form) holds(a anchor, from, to int) bool {
	return to-from == a.Count && to <= f.count() && hash(f.span(from, to)) == a.content
}

// find returns the only place that holds the recorded content. Of several, the
// only one with the recorded surroundings counts.
func (f *form) find(a anchor) (int, bool) {
	candidates, ok := f.candidates(a)
	if !ok || len(candidates) == 0 {
		return 0, false
	}
	if len(candidates) == 1 {
		return candidates[0], true
	}
	found, count := 0, 0
	for _, at := range candidates {
		if f.surrounded(a, at, at+a.Count) {
			found = at
			count++
		}
	}
	return found, count == 1
}

// candidates returns every place that holds the recorded content; false when
// the search would cost too much.
func (f *form) candidates(a anchor) ([]int, bool) {
	if a.Count > f.count() {
		return nil, true
	}
	hashes := f.window(1)
	first, last := prefix(a.First), prefix(a.Last)
	var found []int
	budget := searchBudget + 4*len(f.text)
	for at := 0; at+a.Count <= f.count(); at++ {
		if hashes[at] != first || hashes[at+a.Count-1] != last {
			continue
		}
		span := f.span(at, at+a.Count)
		if budget -= len(span); budget < 0 {
			return nil, false
		}
		if hash(span) == a.content {
			found = append(found, at)
		}
	}
	return found, true
}

// surrounded reports whether both recorded contexts stand around a span.
func (f *form) surrounded(a anchor, from, to int) bool {
	return f.startsAt(a, from) && f.endsAt(a, to)
}

// startsAt reports whether the recorded preceding context ends where line from
// begins. No context stands for the start of the file.
func (f *form) startsAt(a anchor, from int) bool {
	n := a.PrecedingCount
	if n == 0 {
		return from == 0
	}
	return from >= n && f.window(n)[from-n] == prefix(a.Preceding) && hash(f.span(from-n, from)) == a.Preceding
}

// endsAt reports whether the recorded following context begins at line to. No
// context stands for the end of the file.
func (f *form) endsAt(a anchor, to int) bool {
	n := a.FollowingCount
	if n == 0 {
		return to == f.count()
	}
	return to+n <= f.count() && f.window(n)[to] == prefix(a.Following) && hash(f.span(to, to+n)) == a.Following
}

// between returns the only non-empty span between the recorded contexts.
func (f *form) between(a anchor) (from, to int, ok bool) {
	var starts, ends []int
	for at := range f.count() + 1 {
		if f.startsAt(a, at) {
			starts = append(starts, at)
		}
		if f.endsAt(a, at) {
			ends = append(ends, at)
		}
	}
	pairs := 0
	for _, start := range starts {
		next, _ := slices.BinarySearch(ends, start+1)
		if pairs += len(ends) - next; pairs > 1 {
			return 0, 0, false
		}
		if next < len(ends) {
			from, to = start, ends[next]
		}
	}
	return from, to, pairs == 1
}

// window returns, for each place where n lines fit, the first eight bytes of
// their hash: enough to discard nearly every place without keeping the text of
// all hashes.
func (f *form) window(n int) []uint64 {
	if f.windows[n] == nil {
		f.windows[n] = make([]uint64, 0, f.count())
		for at := 0; at+n <= f.count(); at++ {
			sum := sha256.Sum256(f.span(at, at+n))
			f.windows[n] = append(f.windows[n], binary.BigEndian.Uint64(sum[:]))
		}
	}
	return f.windows[n]
}

// prefix returns the first eight bytes of a hexadecimal hash.
func prefix(h string) uint64 {
	var b [8]byte
	if _, err := hex.Decode(b[:], []byte(h[:16])); err != nil {
		return 0 // not reached: anchors hold validated hashes
	}
	return binary.BigEndian.Uint64(b[:])
}
