package evidence

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// Version strings start with the name of the algorithm that made them.
const (
	fileAlgorithm  = "repo-file-v1:sha256:"
	linesAlgorithm = "repo-lines-v1:sha256:"
)

// contextLines is how many lines on each side of a range its version records.
const contextLines = 3

// anchor is what a line version records: the content of a range and enough of
// its surroundings to find it again. Hashes are lower-case hexadecimal SHA-256.
type anchor struct {
	content        string // of the whole range
	Count          int
	First, Last    string // of its first and last line
	PrecedingCount int
	Preceding      string // of the up to three lines before
	FollowingCount int
	Following      string // of the up to three lines after
}

// FileVersion returns the version of a whole file.
func FileVersion(data []byte) string { return fileAlgorithm + hashText(data) }

// LineVersion returns the version of the lines start to end, counted from 1 and
// inclusive; false when data has no such lines.
func LineVersion(data []byte, start, end int) (string, bool) {
	return splitLines(decode(data)).version(start, end)
}

func (l *lines) version(start, end int) (string, bool) {
	if start < 1 || end < start || end > l.count() {
		return "", false
	}
	return l.anchor(start-1, end).String(), true
}

// anchor describes the lines from (inclusive) to to (exclusive), counted from 0.
func (l *lines) anchor(from, to int) anchor {
	before, after := max(0, from-contextLines), min(l.count(), to+contextLines)
	return anchor{
		Count:          to - from,
		First:          hash(l.span(from, from+1)),
		Last:           hash(l.span(to-1, to)),
		PrecedingCount: from - before,
		Preceding:      hash(l.span(before, from)),
		FollowingCount: after - to,
		Following:      hash(l.span(to, after)),
		content:        hash(l.span(from, to)),
	}
}

// metadataKeys are the keys of the metadata, in the order the format fixes.
func metadataKeys() [7]string {
	return [7]string{
		`{"selectedLineCount":`, `,"firstSelectedLineHash":`, `,"lastSelectedLineHash":`,
		`,"precedingContextLineCount":`, `,"precedingContextHash":`,
		`,"followingContextLineCount":`, `,"followingContextHash":`,
	}
}

// String returns the version string.
func (a anchor) String() string {
	k := metadataKeys()
	meta := make([]byte, 0, 512)
	number := func(key string, n int) { meta = strconv.AppendInt(append(meta, key...), int64(n), 10) }
	text := func(key, h string) { meta = append(append(append(append(meta, key...), '"'), h...), '"') }
	number(k[0], a.Count)
	text(k[1], a.First)
	text(k[2], a.Last)
	number(k[3], a.PrecedingCount)
	text(k[4], a.Preceding)
	number(k[5], a.FollowingCount)
	text(k[6], a.Following)
	meta = append(meta, '}')
	return linesAlgorithm + a.content + ":" + base64.RawURLEncoding.EncodeToString(meta)
}

// parseAnchor reads a line version; false when it is of another algorithm or
// its metadata is not exactly what the algorithm writes.
func parseAnchor(version string) (anchor, bool) {
	rest, ok := strings.CutPrefix(version, linesAlgorithm)
	if !ok {
		return anchor{}, false
	}
	content, encoded, ok := strings.Cut(rest, ":")
	if !ok || !isHash(content) {
		return anchor{}, false
	}
	meta, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return anchor{}, false
	}
	k := metadataKeys()
	r := metadata{rest: string(meta), ok: true}
	a := anchor{content: content}
	a.Count = r.number(k[0])
	a.First = r.text(k[1])
	a.Last = r.text(k[2])
	a.PrecedingCount = r.number(k[3])
	a.Preceding = r.text(k[4])
	a.FollowingCount = r.number(k[5])
	a.Following = r.text(k[6])
	return a, r.ok && r.rest == "}" && a.valid()
}

// metadata reads the fields of compact JSON whose keys and order are known. A
// general decoder would cost most of the time of a preflight.
type metadata struct {
	rest string
	ok   bool
}

func (m *metadata) key(key string) {
	rest, ok := strings.CutPrefix(m.rest, key)
	m.rest, m.ok = rest, m.ok && ok
}

func (m *metadata) number(key string) int {
	m.key(key)
	digits := len(m.rest) - len(strings.TrimLeft(m.rest, "0123456789"))
	n, err := strconv.Atoi(m.rest[:digits])
	if err != nil || digits > 1 && m.rest[0] == '0' {
		m.ok = false
	}
	m.rest = m.rest[digits:]
	return n
}

func (m *metadata) text(key string) string {
	m.key(key)
	if len(m.rest) < hashSize+2 || m.rest[0] != '"' || m.rest[hashSize+1] != '"' {
		m.ok = false
		return ""
	}
	h := m.rest[1 : hashSize+1]
	m.rest = m.rest[hashSize+2:]
	return h
}

func (a anchor) valid() bool {
	return a.Count >= 1 && int64(a.Count) <= maxLine &&
		inContext(a.PrecedingCount) && inContext(a.FollowingCount) &&
		isHash(a.First) && isHash(a.Last) && isHash(a.Preceding) && isHash(a.Following)
}

func inContext(n int) bool { return 0 <= n && n <= contextLines }

// hashText returns the hash of decode(data) without building it.
func hashText(data []byte) string {
	digest := sha256.New()
	for len(data) > 0 {
		n := validPrefix(data)
		digest.Write(data[:n])
		if data = data[n:]; len(data) > 0 {
			digest.Write([]byte("\ufffd"))
			data = data[invalidPart(data):]
		}
	}
	return hex.EncodeToString(digest.Sum(nil))
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// hashSize is the length of a hash in hexadecimal.
const hashSize = 2 * sha256.Size

// isHash reports whether s is a lower-case hexadecimal SHA-256.
func isHash(s string) bool {
	return len(s) == hashSize && strings.Trim(s, "0123456789abcdef") == ""
}
