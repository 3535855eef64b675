package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// blocked lists what was not published.
func (d *bodyData) blocked() string {
	if len(d.Blocked) == 0 {
		return ""
	}
	var items []string
	for _, b := range d.Blocked {
		place := safetext.Inline(b.Path, 120)
		if b.Line > 0 {
			place += fmt.Sprintf(", line %d", b.Line)
		}
		items = append(items, place+": "+safetext.Inline(b.Message, 200))
	}
	text := "These pages are as they were before: their new text must not be published."
	if slices.ContainsFunc(d.Blocked, func(b Blocked) bool { return b.Kind == KindSecret }) {
		text += " Revoke a credential that is real; the page comes when its source is without it."
	}
	return section("Blocked", text+"\n\n"+list(items, 20))
}

// notDone lists the pages that were due and are not done, and says what the next run does.
func (d *bodyData) notDone(level int) string {
	blocked := blockedPages(d.Blocked)
	var items []string
	pending := 0
	for _, p := range d.Bundle.Pages {
		reason := sentence(safetext.Inline(p.Reason, 200))
		name := safetext.Inline(cmp.Or(p.Title, strings.TrimPrefix(string(p.Path), "/")), 80)
		switch {
		case slices.Contains(blocked, p.Path):
		case p.State == "skipped":
			items = append(items, name+" failed"+attempts(p.Attempts)+": "+cmp.Or(reason, "no reason is known."))
		case p.State == "pending":
			pending++
			items = append(items, strings.TrimSpace(name+" is postponed. "+upper(reason)))
		}
	}
	if len(items) == 0 {
		return ""
	}
	next := "The next run tries them again; pages that are done cost nothing then."
	if pending == len(items) {
		next = "The next run goes on with them; pages that are done cost nothing then."
	}
	return section("Not done", list(items, rowLimit(level, 20))+"\n"+next)
}

func attempts(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" %d times", n)
}

// findings lists broken links, diagrams and the like.
func (d *bodyData) findings(level int) string {
	if level >= levelTable {
		return ""
	}
	var items []string
	for _, f := range d.Bundle.Findings {
		place := safetext.Inline(strings.TrimPrefix(f.Page, "/"), 120)
		if f.Line > 0 {
			place += fmt.Sprintf(", line %d", f.Line)
		}
		items = append(items, place+": "+safetext.Inline(f.Message, 200))
	}
	return details("Links and diagrams that need a look: "+fmt.Sprint(len(items)), list(items, 50))
}

// cost shows what a model was used for; nothing without one.
func (d *bodyData) cost(level int) string {
	total := d.Bundle.Run.Usage
	if total.Requests == 0 && total.InputTokens == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| | Requests | Tokens in (cached) | Tokens out | Cost |\n| --- | ---: | ---: | ---: | ---: |\n")
	row := func(name string, u Usage) {
		fmt.Fprintf(&b, "| %s | %d | %s (%s) | %s | %s |\n", name, u.Requests, thousands(u.InputTokens), thousands(u.CachedInputTokens), thousands(u.OutputTokens), dollars(u))
	}
	if level < levelCounts {
		pages := slices.Clone(d.Bundle.Pages)
		slices.SortStableFunc(pages, func(a, b Page) int { return cmp.Compare(b.Usage.CostUSD, a.Usage.CostUSD) })
		shown := 0
		for _, p := range pages {
			if p.Usage.Requests > 0 && shown < 10 {
				shown++
				row(safetext.Inline(cmp.Or(p.Title, string(p.Path)), 80), p.Usage)
			}
		}
	}
	row("**Run**", total)
	return details("Cost of the model: "+dollars(total), b.String())
}

// dollars is what a model cost, where its price is known.
func dollars(u Usage) string {
	if u.CostUSD == 0 {
		return "unknown"
	}
	return fmt.Sprintf("$%.2f", u.CostUSD)
}

// thousands returns a number with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// controls are boxes that the next run reads.
func (d *bodyData) controls(level int) string {
	if d.Marker == "" {
		return "" // not a pull request
	}
	var b strings.Builder
	b.WriteString(box(controlRegenerate, d.Controls.Regenerate, "write the pages of this pull request again"))
	b.WriteString(box(controlStop, d.Controls.Stop, "leave this pull request alone"))
	var rejects strings.Builder
	for i := range d.delta().Pages {
		p := &d.delta().Pages[i]
		if level >= levelCounts || p.Index() || p.Change == wikidiff.ChangeRemoved {
			continue
		}
		rejects.WriteString(box(rejectID(p.Path), slices.Contains(d.Controls.Reject, p.Path), "drop the changes to "+safetext.Inline(p.Title, 80)))
	}
	for _, page := range d.Controls.Reject {
		if !slices.ContainsFunc(d.delta().Pages, func(p wikidiff.PageDelta) bool { return p.Path == page }) && level < levelTable {
			rejects.WriteString(box(rejectID(page), true, "drop the changes to "+safetext.Inline(strings.TrimPrefix(string(page), "/"), 80)))
		}
	}
	return section("Controls", "The next run does what is ticked.\n\n"+b.String()+"\n"+details("Drop the changes to one page", rejects.String()))
}

// settings shows the effective configuration and where each value is from.
func (d *bodyData) settings(level int) string {
	if level >= levelTable || len(d.Settings) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Setting | Value | From |\n| --- | --- | --- |\n")
	for _, s := range d.Settings {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", safetext.Inline(s.Name, 60), safetext.Inline(s.Value, 120), safetext.Inline(s.Origin, 40))
	}
	return details("Configuration", b.String())
}
