package generate

import (
	"bytes"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// pageState is how a page on disk relates to what is recorded of it.
type pageState int

const (
	// pageBare: nothing is recorded and there is nothing to prove.
	pageBare pageState = iota
	// pageProven: sidecar and manifest, if it names the page, are of this text.
	pageProven
	// pageEdited: the text is neither what the manifest nor what the sidecar
	// recorded.
	pageEdited
	// pageUnproven: anything else, such as a sidecar without verification.
	pageUnproven
)

// stateOfPage compares a page with its manifest entry and its sidecar, either
// of which may be nil.
func stateOfPage(text []byte, entry *ManifestEntry, side *claims.PageClaims) pageState {
	hasClaims := side != nil && len(side.Claims) > 0
	if entry == nil && !hasClaims {
		return pageBare
	}
	ofEntry := entry != nil && isVersion(text, entry.PageVersion)
	ofSide := side != nil && side.Describes(text)
	switch {
	case !ofEntry && !ofSide:
		return pageEdited
	case !ofSide, entry != nil && !ofEntry:
		return pageUnproven
	case hasClaims && side.Verification == nil:
		return pageUnproven
	}
	return pageProven
}

// isVersion reports whether text is what was recorded under a version, but
// for line endings, a byte order mark and newlines at the end: a checkout or
// an editor changes those without anybody editing the page.
func isVersion(text []byte, version string) bool {
	if wiki.PageVersion(text) == version {
		return true
	}
	plain := bytes.TrimPrefix(text, []byte("\uFEFF"))
	plain = bytes.TrimRight(bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n")), "\n")
	for _, bom := range []string{"", "\uFEFF"} {
		for _, end := range []string{"\n", "", "\n\n"} {
			variant := append([]byte(bom), plain...)
			variant = append(variant, end...)
			if wiki.PageVersion(variant) == version {
				return true
			}
			if crlf := bytes.ReplaceAll(variant, []byte("\n"), []byte("\r\n")); wiki.PageVersion(crlf) == version {
				return true
			}
		}
	}
	return false
}
