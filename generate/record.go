package generate

import (
	"bytes"
	"context"
	"slices"

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

// lookAtPages compares the pages with their records: who edited what, which
// coverage can be taken over, and, for a new run, what every page is before
// it. Everything is computed in memory; it is written with the first page.
func (r *Run) lookAtPages(ctx context.Context, s *State, pages []wiki.PagePath, fresh bool) error {
	r.edited, r.unproven = map[wiki.PagePath]bool{}, map[wiki.PagePath]bool{}
	proven := map[wiki.PagePath]bool{}
	if fresh {
		s.Prepared.Provenance = []provenance{}
	}
	for _, page := range pages {
		text, err := r.wiki.Read(page)
		if err != nil {
			return err
		}
		if fresh {
			s.Prepared.Provenance = append(s.Prepared.Provenance, provenanceOf(page, text))
		}
		if proven[page], err = r.lookAtPage(s, page, text); err != nil {
			return err
		}
	}
	slices.SortFunc(s.Prepared.Provenance, func(a, b provenance) int { return comparePages(a.Page, b.Page) })
	r.initial, r.prepared = map[wiki.PagePath]bool{}, map[wiki.PagePath]provenance{}
	for _, page := range s.InitialPages {
		r.initial[page] = true
	}
	for _, p := range s.Prepared.Provenance {
		r.prepared[p.Page] = p
	}
	switch len(r.edited) {
	case 0:
	case 1:
		r.note("1 page was edited since it was recorded: %s", joinPages(sortedPages(r.edited)))
	default:
		r.note("%d pages were edited since they were recorded: %s", len(r.edited), joinPages(sortedPages(r.edited)))
	}
	if s.Mode == ModeUpdate {
		return r.cover(ctx, s, proven)
	}
	return nil
}

// lookAtPage compares one page with its record.
func (r *Run) lookAtPage(s *State, page wiki.PagePath, text []byte) (proven bool, err error) {
	side, err := r.loadSidecar(page)
	if err != nil {
		return false, err
	}
	var entry *ManifestEntry
	if e, ok := r.manifest.Get(page); ok {
		entry = &e
	}
	switch stateOfPage(text, entry, side) {
	case pageEdited:
		r.edited[page] = true
		r.manifest.Delete(page)
	case pageUnproven:
		r.unproven[page] = true
	case pageProven:
		if entry == nil {
			r.seed(s, page, side.PageVersion)
		}
		return true, nil
	}
	return false, nil
}

// seed takes the coverage of a page over from a complete last update.
func (r *Run) seed(s *State, page wiki.PagePath, version string) {
	if s.Mode == ModeUpdate && s.PreviousLastUpdate.covers() {
		r.manifest.Set(page, ManifestEntry{PageVersion: version, GitHead: s.PreviousLastUpdate.GitHead})
	}
}

func provenanceOf(page wiki.PagePath, text []byte) provenance {
	doc := wiki.Parse(text)
	p := provenance{Page: page, BodyHash: doc.BodyHash()}
	if e, ok := doc.Generated(); ok {
		p.Generated = &e
	}
	return p
}

func sortedPages(set map[wiki.PagePath]bool) []wiki.PagePath {
	var pages []wiki.PagePath
	for page, in := range set {
		if in {
			pages = append(pages, page)
		}
	}
	slices.SortFunc(pages, comparePages)
	return pages
}
