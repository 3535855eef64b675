package wikidiff

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Inputs returns for every page of after a digest of what it is made from: the files that it cited before, or for a new page those it
// cites now, with their versions, and config, a digest of instructions and configuration. The text of the page has no part in it, so
// that two runs over the same source give the same digest whatever their authors wrote.
//
// version returns the version of a file, such as its object name at the analysed commit; with nil the versions in the sidecars count.
// A page whose sidecar cannot be read counts as one without.
func Inputs(before, after State, config string, version func(path string) string) map[wiki.PagePath]string {
	inputs := map[wiki.PagePath]string{}
	for _, p := range pagesOf(after) {
		if _, ok := after.Files[p.RepoPath()]; !ok {
			continue
		}
		cited, err := before.claims(p)
		if err != nil || len(cited) == 0 {
			cited, _ = after.claims(p)
		}
		digest := sha256.New()
		fmt.Fprintf(digest, "%s\n%s\n", p, config)
		for _, line := range sources(cited, string(after.Dir), version) {
			fmt.Fprintf(digest, "%s\n", line)
		}
		inputs[p] = hex.EncodeToString(digest.Sum(nil))
	}
	return inputs
}

// AllInputs returns one digest over the digests of pages.
func AllInputs(inputs map[wiki.PagePath]string) string {
	pages := make([]wiki.PagePath, 0, len(inputs))
	for p := range inputs {
		pages = append(pages, p)
	}
	slices.Sort(pages)
	digest := sha256.New()
	for _, p := range pages {
		fmt.Fprintf(digest, "%s %s\n", p, inputs[p])
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// sources returns what statements cite, one line each, sorted.
func sources(list []claims.Claim, dir string, version func(string) string) []string {
	var lines []string
	for _, c := range list {
		for _, e := range c.Evidence {
			if version == nil {
				lines = append(lines, e.Resource+" "+e.Version)
				continue
			}
			if res, err := evidence.Parse(e.Resource, dir); err == nil {
				lines = append(lines, res.Path+" "+version(res.Path))
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
