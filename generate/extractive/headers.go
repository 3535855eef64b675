package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// An includer is a source file of C with the line by which it includes a header.
type includer struct {
	file string
	ref  survey.Ref
}

// Bounds of what is told about headers.
const (
	maxHeaders    = 12
	leastIncluder = 4
	maxApart      = 24
)

// included lists the headers of a flat part of C with the source files of the part that include them, the most included first.
func (a *atlas) included(c *survey.Component) (headers []string, by map[string][]includer) {
	by = make(map[string][]includer)
	for _, f := range a.files(c) {
		if ext := path.Ext(f.Path); ext != ".c" && ext != ".cc" && ext != ".cpp" || path.Dir(f.Path) != c.Dir {
			continue
		}
		for _, imp := range f.Imports {
			header := path.Join(path.Dir(f.Path), strings.Trim(imp.Path, `"`))
			if strings.HasPrefix(imp.Path, "<") || a.repo.Files[header] == nil || slices.ContainsFunc(by[header], func(o includer) bool { return o.file == f.Path }) {
				continue
			}
			by[header] = append(by[header], includer{f.Path, survey.Ref{Path: f.Path, Start: imp.Line, End: imp.Line}})
		}
	}
	for h, all := range by {
		if len(all) >= leastIncluder {
			headers = append(headers, h)
		}
	}
	slices.SortFunc(headers, func(x, y string) int { return cmp.Or(cmp.Compare(len(by[y]), len(by[x])), cmp.Compare(x, y)) })
	return headers, by
}

// headerHubs tells, for a part of C whose files lie in one directory, which headers bind them: the most included ones, and the source files
// that do without the first of them.
func (a *atlas) headerHubs(p *page, c *survey.Component) {
	if len(c.Groups) == 0 || c.Language != "C" {
		return
	}
	headers, by := a.included(c)
	var rows []row
	for _, h := range headers[:min(maxHeaders, len(headers))] {
		var links, plain []text
		refs := []survey.Ref{}
		for _, in := range by[h][:min(5, len(by[h]))] {
			links = append(links, p.linked(label(path.Base(in.file)), in.ref))
			plain = append(plain, label(path.Base(in.file)))
			refs = append(refs, in.ref)
		}
		if len(by[h]) > len(links) {
			links = append(links, words("others"))
		}
		base := label(path.Base(h))
		rows = append(rows, row{cells: []text{p.linked(base, survey.Ref{Path: h}), list(links)}, claim: compose("{} is included by {}.", base, list(plain)), refs: refs})
	}
	p.table([]string{"Header", "Included by (link: the line)"}, rows)
	if len(headers) == 0 {
		return
	}
	var apart []text
	for _, f := range a.files(c) {
		if path.Ext(f.Path) == ".c" && path.Dir(f.Path) == c.Dir && !slices.ContainsFunc(by[headers[0]], func(o includer) bool { return o.file == f.Path }) {
			apart = append(apart, p.linked(label(path.Base(f.Path)), survey.Ref{Path: f.Path}))
		}
	}
	if len(apart) > 0 && len(apart) < len(by[headers[0]]) {
		p.blank()
		p.guide(compose("Source files without a line of their own that includes {} (they may get it through another header): {}.", label(path.Base(headers[0])), some(apart, maxApart)))
		p.paragraph()
	}
}
