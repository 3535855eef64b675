package generate

import (
	"slices"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// outcome reports what the run came to; err is what ended it early, if
// anything did.
func (r *Run) outcome(err error) *Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := &Outcome{
		Mode: r.state.Mode, RunID: r.state.RunID, Resumed: r.resumed, Language: r.state.Language,
		GitHead: r.state.TargetGitHead, SourceChanged: r.sourceChanged,
		Findings: r.findings, Notes: r.notes, Pages: r.pageOutcomes(),
	}
	for _, page := range r.session.Pages() {
		out.Claims.Total += r.session.Count(page)
	}
	for _, issue := range r.session.Issues() {
		if issue.Kind == "stale" {
			out.Claims.Stale++
		} else {
			out.Claims.Unresolved++
		}
	}
	out.Kind = r.kindOf(out, err)
	return out
}

func (r *Run) kindOf(out *Outcome, err error) string {
	var kept, skipped, failed int
	for _, page := range out.Pages {
		switch page.State {
		case PageComplete, PageDeleted:
			kept++
		case PageSkipped:
			skipped++
			if !r.declined[page.Path] {
				failed++
			}
		}
	}
	switch {
	case kept == 0 && (err != nil || failed > 0):
		return OutcomeFailed
	case err != nil, skipped > 0, out.SourceChanged:
		return OutcomePartial
	}
	return OutcomeComplete
}

// pageOutcomes lists the pages of the plan, the removed ones and those kept
// pages there is something to say about, in code-unit order.
func (r *Run) pageOutcomes() []PageOutcome {
	for _, job := range r.jobs() {
		out := r.outcomeOf(job.Path)
		switch job.Status {
		case JobComplete:
			if out.State == "" {
				// Completed by an earlier process of the same run.
				out.Change = r.changeSinceBegin(job.Path)
			}
			out.State = PageComplete
		case JobSkipped:
			out.State = PageSkipped
		case JobPending:
			out.State, out.Change = PagePending, ChangeUnchanged
		}
	}
	if r.state.Plan != nil && !r.ended {
		for _, page := range r.state.Plan.DeletePages {
			if out := r.outcomeOf(page); out.State == "" {
				out.State, out.Change = PagePending, ChangeUnchanged
			}
		}
	}
	var list []PageOutcome
	for _, page := range sortedPages(keySet(r.pages)) {
		if r.pages[page].State != "" {
			list = append(list, *r.pages[page])
		}
	}
	return slices.Clip(list)
}

func (r *Run) changeSinceBegin(page wiki.PagePath) string {
	switch {
	case !r.initial[page]:
		return ChangeNew
	case r.bodyKept(page):
		return ChangeUnchanged
	}
	return ChangeRewritten
}
