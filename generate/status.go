package generate

import (
	"context"
	"errors"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// StatusOptions are the inputs of Status: those of Do that it uses are Repo,
// Files, GitFiles and WikiDir.
type StatusOptions = Options

// StatusReport is what is known about a wiki.
type StatusReport struct {
	// Exists says whether there is a wiki.
	Exists bool
	// UpToDate says that an update would be a no-op; Reason why it would not.
	UpToDate bool
	Reason   string
	// LastUpdate is nil when none is recorded.
	LastUpdate *LastUpdate
	// Running is the process that is changing the wiki, nil when none is. What
	// the report says of pages may then be a mixture.
	Running *Process
	// Run is the run that is under way or was interrupted, nil if there is
	// none.
	Run *RunStatus
	// Replaced says that the wiki which an init replaces is kept in the git
	// directory, from where reset brings it back.
	Replaced bool
	// Pages are all pages, in collation order.
	Pages []PageStatus
	// Claims counts the Claims of all pages.
	Claims ClaimTotals
	// Issues are the Claims that the source no longer supports as recorded.
	Issues []claims.Issue
	// Moved is evidence that reads the same in another place.
	Moved []claims.Move
	// Notes are for people: what may be wrong beside the wiki. Whoever opened
	// the checkout adds them.
	Notes []string
}

// RunStatus describes a run that has not ended.
type RunStatus struct {
	RunID                      string
	Mode                       Mode
	Phase                      Phase
	StartedAt                  string
	Language                   string
	Complete, Skipped, Pending int
	Jobs                       []PageJob
}

// PageStatus describes one page.
type PageStatus struct {
	Path wiki.PagePath
	// GitHead is the commit up to which the page is proven, by the manifest or,
	// for a page it does not name, by the last complete update; empty if it is
	// not covered.
	GitHead    string
	Covered    bool
	HandEdited bool
	Claims     int
	Stale      int
	Unresolved int
}

// Status reports on the wiki and on a run that has not ended. It writes nothing
// and waits for nobody.
func Status(ctx context.Context, opt StatusOptions) (_ *StatusReport, err error) {
	const op = "status"
	opt.Mode, opt.Language, opt.op = ModeUpdate, "", op
	r, err := open(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	report := &StatusReport{Exists: r.wiki.Exists(), Running: runningProcess(opt.Repo.GitDir), Replaced: r.hasReplaced()}
	if report.LastUpdate, err = readLastUpdate(r.wiki); err != nil {
		return nil, stateError(op, err)
	}
	state, err := readState(r.wiki)
	if err != nil {
		return nil, stateError(op, err)
	}
	if err := r.promote(state); err != nil {
		return nil, stateError(op, err)
	}
	report.Run = runStatus(state)
	doubt := false
	switch {
	case report.Running != nil:
		report.Reason = "a run is in progress"
	case report.Run != nil:
		report.Reason = "a run was interrupted"
	default:
		proof, err := r.proveNoop(ctx)
		if err != nil {
			return nil, stateError(op, err)
		}
		report.UpToDate, report.Reason = proof.proven(), proof.reason
		if doubt = proof.doubt && proof.reason == ""; doubt {
			report.Reason = "the text of some evidence changed"
		}
	}
	baseline := report.LastUpdate
	if state != nil {
		baseline = state.PreviousLastUpdate
	}
	if err := r.pageStatus(ctx, report, baseline); err != nil {
		return nil, stateError(op, err)
	}
	if doubt && len(report.Issues) == 0 && len(report.Moved) == 0 {
		report.UpToDate, report.Reason = true, ""
	}
	return report, nil
}

// promote counts pages as complete that only the manifest knows yet.
func (r *Run) promote(state *State) (err error) {
	if state == nil || state.Plan == nil {
		return nil
	}
	if r.manifest, err = readManifest(r.wiki); err != nil {
		return err
	}
	r.adopt(state)
	for i := range state.Plan.Pages {
		job := &state.Plan.Pages[i]
		if entry, ok := r.manifest.Get(job.Path); ok && job.Status != JobComplete && r.current(entry) {
			job.Status, job.CompletedBy = JobComplete, entry.CompletedBy
		}
	}
	return nil
}

func runStatus(state *State) *RunStatus {
	if state == nil {
		return nil
	}
	s := &RunStatus{RunID: state.RunID, Mode: state.Mode, Phase: state.Phase, StartedAt: state.StartedAt, Language: state.Language}
	if state.Plan == nil {
		return s
	}
	s.Jobs = state.Plan.Pages
	for _, job := range s.Jobs {
		switch job.Status {
		case JobComplete:
			s.Complete++
		case JobSkipped:
			s.Skipped++
		default:
			s.Pending++
		}
	}
	return s
}

// pageStatus compares pages, records and evidence. baseline is what the last
// run that ended recorded, nil if nothing.
func (r *Run) pageStatus(ctx context.Context, report *StatusReport, baseline *LastUpdate) error {
	manifest, err := readManifest(r.wiki)
	if err != nil {
		return err
	}
	pages, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	base := ""
	if report.LastUpdate != nil {
		base = report.LastUpdate.GitHead
	}
	if err := r.openSession(ctx, base, false); err != nil {
		return err
	}
	report.Issues, report.Moved = r.session.Issues(), r.session.Moved()
	for _, page := range pages {
		status, err := r.statusOf(page, manifest, baseline)
		if err != nil {
			return err
		}
		report.Pages = append(report.Pages, *status)
		report.Claims.Total += status.Claims
		report.Claims.Stale += status.Stale
		report.Claims.Unresolved += status.Unresolved
	}
	return nil
}

func (r *Run) statusOf(page wiki.PagePath, manifest *Manifest, baseline *LastUpdate) (*PageStatus, error) {
	text, err := r.wiki.Read(page)
	if err != nil {
		return nil, err
	}
	side, err := r.loadSidecar(page)
	if err != nil {
		return nil, err
	}
	status := &PageStatus{Path: page, Claims: r.session.Count(page)}
	var entry *ManifestEntry
	if e, ok := manifest.Get(page); ok {
		entry, status.GitHead = &e, e.GitHead
	}
	state := stateOfPage(text, entry, side)
	if entry == nil && state == pageProven && baseline.covers() {
		// The manifest came after wikis: an update takes such pages over.
		status.Covered, status.GitHead = true, baseline.GitHead
	}
	status.Covered = status.Covered || entry != nil && state == pageProven
	status.HandEdited = state == pageEdited
	for _, issue := range r.session.IssuesOf(page) {
		if issue.Kind == "stale" {
			status.Stale++
		} else {
			status.Unresolved++
		}
	}
	return status, nil
}
