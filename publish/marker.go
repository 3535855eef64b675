package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A marker is what the publisher remembers in the text of its own pull request, as one hidden line. It is a hint for the next run, never
// a permission: everybody who may edit the text may edit it, and it is read only where our account opened the pull request.
type marker struct {
	Schema    int    `json:"schema"`
	RunID     string `json:"run_id,omitempty"`
	BaseRef   string `json:"base_ref,omitempty"`
	BaseSHA   string `json:"base_sha,omitempty"` // analysed commit
	TipSHA    string `json:"tip_sha,omitempty"`  // parent of the commit
	HeadSHA   string `json:"head_sha,omitempty"` // our commit
	State     State  `json:"state,omitempty"`
	Pairs     pairs  `json:"pairs,omitempty"`    // inputs of the pages proposed
	Rejected  pairs  `json:"rejected,omitempty"` // inputs of the pages a reviewer rejected
	InputFP   string `json:"input_fp,omitempty"` // digest over all pairs, also where there are too many to list
	TreeFP    string `json:"tree_fp,omitempty"`  // digest of the wiki proposed
	BodyHash  string `json:"body_hash,omitempty"`
	Region    string `json:"region,omitempty"` // digest of our region as it was written
	Title     string `json:"title,omitempty"`  // as we set it
	Draft     bool   `json:"draft,omitempty"`  // we made it a draft
	AutoMerge bool   `json:"auto_merge,omitempty"`
	Closed    string `json:"closed,omitempty"` // why we closed it
	Version   string `json:"version,omitempty"`
}

const (
	markerSchema = 1
	// maxMarker bounds what is read. A marker of 1,500 pairs has 16,000 characters.
	maxMarker = 40_000
	// maxPairs bounds what is written; more are remembered by their digest alone.
	maxPairs = 1_500

	regionBegin = "<!-- wikiwright:begin -->"
	regionEnd   = "<!-- wikiwright:end -->"
	markerStart = "<!-- wikiwright:marker "
	commentEnd  = " -->"
)

// encode returns the hidden line.
func (m marker) encode() string {
	m.Schema = markerSchema
	data, err := json.Marshal(m)
	if err != nil {
		return "" // strings and booleans always marshal
	}
	return markerStart + base64.StdEncoding.EncodeToString(data) + commentEnd
}

// parseMarker reads the marker of a text. It is lenient: what cannot be read is no marker, fields of later versions are left out.
func parseMarker(body string) (marker, bool) {
	start := strings.LastIndex(body, markerStart)
	if start < 0 {
		return marker{}, false
	}
	text, _, ok := strings.Cut(body[start+len(markerStart):], "-->")
	text = strings.TrimSpace(text)
	if !ok || len(text) > maxMarker {
		return marker{}, false
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return marker{}, false
	}
	var m marker
	if err := json.Unmarshal(data, &m); err != nil || m.Schema < 1 {
		return marker{}, false
	}
	return m, true
}

// A pair identifies what a page was made from: the page and the digest of its inputs, not its text. It is cut to six bytes, which keeps
// a pull request of a thousand pages readable; two pairs out of a thousand meet by chance once in 10^8.
type pair [6]byte

func pairOf(page wiki.PagePath, inputs string) pair {
	sum := sha256.Sum256([]byte(string(page) + "\x00" + inputs))
	return pair(sum[:6])
}

// pairs is a sorted set. In JSON it is one base64 string.
type pairs []pair

func newPairs(list ...pair) pairs {
	p := pairs(slices.Clone(list))
	slices.SortFunc(p, func(a, b pair) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(p)
}

func (p pairs) has(one pair) bool {
	_, found := slices.BinarySearchFunc(p, one, func(a, b pair) int { return bytes.Compare(a[:], b[:]) })
	return found
}

// digest identifies the whole set.
func (p pairs) digest() string {
	hash := sha256.New()
	for _, one := range p {
		hash.Write(one[:])
	}
	return hex.EncodeToString(hash.Sum(nil)[:12])
}

// MarshalText implements encoding.TextMarshaler.
func (p pairs) MarshalText() ([]byte, error) {
	var all []byte
	for _, one := range p {
		all = append(all, one[:]...)
	}
	return []byte(base64.RawURLEncoding.EncodeToString(all)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler. An incomplete pair at the end is left out.
func (p *pairs) UnmarshalText(text []byte) error {
	all, err := base64.RawURLEncoding.DecodeString(string(text))
	if err != nil {
		return err
	}
	var list []pair
	for one := range slices.Chunk(all, len(pair{})) {
		if len(one) == len(pair{}) {
			list = append(list, pair(one))
		}
	}
	*p = newPairs(list...)
	return nil
}

// offered returns the pages of a text whose boxes for rejecting them are not ticked.
func offered(body string) map[wiki.PagePath]bool {
	pages := map[wiki.PagePath]bool{}
	for _, found := range boxPattern().FindAllStringSubmatch(body, -1) {
		name, isReject := strings.CutPrefix(found[2], controlReject)
		if path, err := url.QueryUnescape(name); isReject && err == nil && found[1] == " " {
			pages[wiki.PagePath("/"+path)] = true
		}
	}
	return pages
}

// region returns our part of a text, without the marks around it and with plain line ends: a page of GitHub sends CRLF.
func region(body string) (inner string, ok bool) {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	begin := strings.Index(body, regionBegin)
	end := strings.LastIndex(body, regionEnd)
	if begin < 0 || end < begin {
		return "", false
	}
	return strings.Trim(body[begin+len(regionBegin):end], "\n"), true
}

// regionHash identifies our part without the marker in it, and without what GitHub or an editor may do to white space.
func regionHash(inner string) string {
	if start := strings.LastIndex(inner, markerStart); start >= 0 {
		inner = inner[:start]
	}
	return textHash(strings.Join(strings.Fields(inner), " "))
}

func textHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}

// replaceRegion puts our part into a text and keeps what people wrote around it. Where the marks are gone, the part goes to the end.
func replaceRegion(body, inner string) string {
	block := regionBegin + "\n" + strings.Trim(inner, "\n") + "\n" + regionEnd
	body = strings.ReplaceAll(body, "\r\n", "\n")
	begin := strings.Index(body, regionBegin)
	end := strings.LastIndex(body, regionEnd)
	switch {
	case begin >= 0 && end > begin:
		return body[:begin] + block + body[end+len(regionEnd):]
	case strings.TrimSpace(body) == "":
		return block
	}
	return strings.TrimRight(body, "\n ") + "\n\n" + block
}

// outside returns what people wrote around our part.
func outside(body string) string {
	return strings.ReplaceAll(replaceRegion(body, ""), regionBegin+"\n\n"+regionEnd, "")
}
