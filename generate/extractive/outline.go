package extractive

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// outline gives pages to parts: few for a small repository, at most maxPartPages for a large one. Parts that are too small for a page
// of their own are sections of the architecture page.
func (a *atlas) outline() {
	budget := min(max(len(a.repo.Files)/14, 1), maxPartPages)
	ranked := slices.Clone(a.parts)
	slices.SortStableFunc(ranked, func(x, y *survey.Component) int {
		return cmp.Or(cmp.Compare(a.rank(y), a.rank(x)), cmp.Compare(x.ID, y.ID))
	})
	chosen := ranked[:0:0]
	for _, c := range ranked {
		if len(chosen) < budget && (c.Lines >= leastLines || len(chosen) == 0) {
			chosen = append(chosen, c)
		}
	}
	slices.SortFunc(chosen, func(x, y *survey.Component) int { return cmp.Compare(x.ID, y.ID) })
	taken := make(map[string]bool)
	for _, c := range chosen {
		name := slug(c.ID)
		if name == "" {
			name = slug(a.repo.Name)
		}
		if name == "" || reserved[name] {
			name = strings.Trim("part-"+name, "-")
		}
		for base, n := name, 2; taken[name]; n++ {
			name = base + "-" + strconv.Itoa(n)
		}
		taken[name] = true
		a.pages[c.ID] = path.Join(a.wiki, "components", name+".md")
	}
}

// maxPartPages keeps a wiki readable: with the other pages it stays at about forty.
const maxPartPages = 34

// leastLines is the size from which a part has enough to tell for a page.
const leastLines = 120

// reserved are names that the wiki format keeps for itself.
var reserved = map[string]bool{"index": true, "log": true, "instructions": true}

// rank orders parts for the outline: what many others need and what is large comes first. Sizes count in powers of two, so that a page
// does not come and go with a few lines.
func (a *atlas) rank(c *survey.Component) int {
	r := 3*min(len(c.UsedBy), 8) + min(len(c.Uses), 6)
	for n := c.Lines; n > 1; n /= 2 {
		r += 2
	}
	switch c.Role {
	case "program":
		r += 6
	case "tools":
		r -= 6
	}
	return r
}

// slug turns a part's id into a file name: lower case letters, digits and hyphens.
func slug(id string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(id) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(shorten(strings.Trim(b.String(), "-"), 80), "- …")
}

// The pages that every wiki of this author can have, relative to the wiki directory.
const (
	quickstartPage    = "quickstart.md"
	architecturePage  = "architecture.md"
	testingPage       = "testing.md"
	operationsPage    = "operations.md"
	configurationPage = "configuration.md"
)

// render writes every page of the wiki, by path. A page without a claim has nothing to say and is left out. So many pages are written at a
// time as there are workers; what they say does not depend on it.
func render(repo *survey.Repository, wikiDir string, src *lineCache, workers int) map[string]*page {
	a := newAtlas(repo, wikiDir, src)
	a.outline()
	out := make(map[string]*page)
	keep := func(p *page) {
		if len(p.claims) > 0 {
			out[p.path] = p
		}
	}
	// The pages that others link to are written first; a part whose page stayed empty is linked by its directory instead.
	sideBySide(workers, a.parts, func(_ int, c *survey.Component) { a.grown(c) }) // what takes most of the time, and most pages need
	a.dropPoor()
	for _, write := range []func() *page{a.testing, a.operations, a.configuration, a.architecture} {
		p := write()
		keep(p)
		if out[p.path] != nil {
			a.singles = append(a.singles, p)
		}
	}
	for _, p := range a.componentPages(workers) {
		keep(p)
	}
	keep(a.quickstart())
	return out
}

// dropPoor takes the pages from parts about which less than two things can be said.
func (a *atlas) dropPoor() {
	const enough = 2
	a.mainOperation() // it is chosen while all parts have their pages
	for _, c := range a.parts {
		if a.pages[c.ID] != "" && len(a.componentPage(c, enough).claims) < enough {
			delete(a.pages, c.ID)
		}
	}
}

// componentPages writes the pages of the parts, in their order.
func (a *atlas) componentPages(workers int) []*page {
	var with []*survey.Component
	for _, c := range a.parts {
		if a.pages[c.ID] != "" {
			with = append(with, c)
		}
	}
	out := make([]*page, len(with))
	sideBySide(workers, with, func(i int, c *survey.Component) { out[i] = a.componentPage(c, 0) })
	return out
}

// sideBySide calls do for each part with its place, for so many at a time as there are workers.
func sideBySide(workers int, parts []*survey.Component, do func(i int, c *survey.Component)) {
	var taken atomic.Int64
	var group sync.WaitGroup
	for range max(1, workers) {
		group.Go(func() {
			for i := int(taken.Add(1)) - 1; i < len(parts); i = int(taken.Add(1)) - 1 {
				do(i, parts[i])
			}
		})
	}
	group.Wait()
}

// single is the path of one of the pages above if the wiki has it, else "".
func (a *atlas) single(name string) string {
	for _, p := range a.singles {
		if p.path == path.Join(a.wiki, name) {
			return p.path
		}
	}
	return ""
}
