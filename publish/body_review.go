package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// maxReview is how many things a maintainer is asked to look at first.
const maxReview = 10

// The risks, the greatest first.
const (
	riskOrders = iota // text that gives orders to agents, who read the wiki too
	riskLost          // a statement whose evidence is gone
	riskLinks
	riskCommands
	riskDropped
	riskRemoved
	riskStale
)

// A risk is a page to look at, with all reasons for it.
type risk struct {
	kind   int // the worst
	weight int // more is worse among risks of a kind
	page   wiki.PagePath
	text   string
}

// reviewFirst lists the pages that are most likely wrong or harmful, worst first, each once.
func (d *bodyData) reviewFirst() string {
	risks := d.risks()
	slices.SortStableFunc(risks, func(a, b risk) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.weight, a.weight), strings.Compare(string(a.page), string(b.page)))
	})
	items := make([]string, len(risks))
	for i, r := range risks {
		items[i] = r.text
	}
	return section("Review first", list(items, maxReview))
}

func (d *bodyData) risks() []risk {
	lost := map[wiki.PagePath]map[string]bool{}
	for _, l := range d.delta().Lost {
		if l.Dropped {
			if lost[l.Page] == nil {
				lost[l.Page] = map[string]bool{}
			}
			lost[l.Page][l.Statement] = true
		}
	}
	var risks []risk
	for i := range d.delta().Pages {
		p := &d.delta().Pages[i]
		if p.Index() {
			continue
		}
		r := risk{page: p.Path}
		var reasons []string
		for _, found := range d.pageRisks(p, lost[p.Path]) {
			if found.weight == 0 {
				continue
			}
			if len(reasons) == 0 {
				r.kind, r.weight = found.kind, found.weight
			}
			reasons = append(reasons, found.text)
		}
		if len(reasons) > 0 {
			r.text = d.pageTitle(p.Path, p.Title) + " " + strings.Join(reasons, "; ")
			risks = append(risks, r)
		}
	}
	return risks
}

// pageRisks returns what there is to look at on a page, worst first; a weight of 0 is nothing. lost are statements that went with their
// evidence.
func (d *bodyData) pageRisks(p *wikidiff.PageDelta, lost map[string]bool) []risk {
	var gone, dropped []string
	for _, c := range p.Claims {
		switch {
		case c.After != nil:
		case lost[c.Before.Statement]:
			gone = append(gone, c.Before.Statement)
		default:
			dropped = append(dropped, c.Before.Statement)
		}
	}
	if p.Change == wikidiff.ChangeRemoved {
		return []risk{{kind: riskRemoved, weight: 1, text: "is removed" + with(len(gone)+len(dropped), "statement")}}
	}
	risks := []risk{
		{kind: riskOrders, weight: len(p.Addressed), text: "has text that seems to give orders to agents: " + quoted(p.Addressed, 120)},
		{kind: riskLost, weight: len(gone), text: "drops " + count(len(gone), "statement") + " whose evidence is gone: " + quoted(gone, 100)},
		{kind: riskLinks, weight: len(p.Links), text: "links to " + quoted(p.Links, 100)},
		{kind: riskCommands, weight: len(p.Commands), text: "has " + count(len(p.Commands), "new command") + ": " + quoted(p.Commands, 80)},
		{kind: riskDropped, weight: len(dropped), text: "drops " + count(len(dropped), "statement") + " whose evidence is still there: " + quoted(dropped, 100)},
	}
	if slices.Contains(d.Stale, p.Path) {
		risks = append(risks, risk{kind: riskStale, weight: 1, text: "is stale already, as its sources changed during the run; the next run brings it up to date"})
	}
	return risks
}

// with returns " with n nouns", nothing for none.
func with(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return " with " + count(n, noun)
}

// quoted shows the first of some texts and says how many there are more.
func quoted(texts []string, max int) string {
	if len(texts) == 0 {
		return ""
	}
	text := "“" + safetext.Inline(texts[0], max) + "”"
	if len(texts) > 1 {
		text += fmt.Sprintf(" and %d more", len(texts)-1)
	}
	return text
}

// statements tells page by page which statements are new, dropped and altered.
func (d *bodyData) statements(level int) string {
	if level >= levelCounts {
		return ""
	}
	var parts []string
	for i := range d.delta().Pages {
		p := &d.delta().Pages[i]
		counts := changeCounts(p.Counts())
		if counts == "" || p.Change == wikidiff.ChangeRemoved {
			continue
		}
		var items []string
		for _, c := range p.Claims {
			items = append(items, d.statement(c, level))
		}
		parts = append(parts, details(safetext.Inline(p.Title, 80)+": "+counts, list(items, 0)))
	}
	return section("Statements", join(parts...))
}

// statement returns one statement that differs as a list item.
func (d *bodyData) statement(c wikidiff.ClaimDelta, level int) string {
	length := 300
	if level > levelAll {
		length = 120
	}
	word, now := "new", c.After
	switch {
	case c.After == nil:
		word, now = "dropped", c.Before
	case c.Before != nil:
		word = "altered"
	}
	text := "**" + word + "** " + safetext.Inline(now.Statement, length)
	if level > levelAll {
		return text
	}
	var links []string
	for _, e := range now.Evidence {
		// What a dropped statement cited may still be there; where it is not, the link would lead nowhere.
		links = append(links, d.evidenceLink(e.Resource))
	}
	if c.After != nil {
		text += " · " + strings.Join(links, ", ")
	}
	if word == "altered" {
		text += "\n  - was: " + safetext.Inline(c.Before.Statement, length)
	}
	return text
}

// lostEvidence lists evidence that is gone.
func (d *bodyData) lostEvidence(level int) string {
	if level >= levelTable {
		return ""
	}
	var items []string
	for _, l := range d.delta().Lost {
		end := "the statement is kept"
		if l.Dropped {
			end = "the statement is dropped"
		}
		item := d.plainEvidence(l.Resource) + ", " + end
		if level < levelCounts {
			item += ": " + safetext.Inline(l.Statement, 160)
		}
		items = append(items, item)
	}
	return section("Evidence that is gone", list(items, 20))
}

// movedEvidence lists evidence that was followed to another place.
func (d *bodyData) movedEvidence(level int) string {
	if level >= levelCounts {
		return ""
	}
	var items []string
	for _, m := range d.delta().Moved {
		items = append(items, d.plainEvidence(m.From)+" → "+d.evidenceLink(m.To))
	}
	return details("Evidence that moved and reads the same: "+fmt.Sprint(len(items)), list(items, 50))
}
