package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace"
)

// Planning returns the assignment of the planner.
func (r *Run) Planning(ctx context.Context) (*Planning, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Phase != PhasePlanning {
		return nil, r.wrongPhase("plan", "a plan is installed already")
	}
	p := &Planning{
		Mode: r.state.Mode, Language: r.state.Language, LanguageChanged: r.state.LanguageChanged,
		Root: r.opt.Files.Path(), WikiDir: r.wiki.Dir(), Source: r.src,
		Workspace: workspace.New(r.src, r.wiki, workspace.Grant{}),
		Windows:   r.windows, WikiGoal: r.state.WikiGoal, Context: r.state.PlanningContext,
		submit: r.SubmitPlan,
	}
	if r.state.Mode == ModeInit {
		return p, nil
	}
	p.Issues, p.Moved = r.session.Issues(), r.session.Moved()
	pages, err := r.wiki.Pages()
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		text, err := r.wiki.Read(page)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p.Existing = append(p.Existing, ExistingPage{
			Path: page, GeneratedBy: r.generatedBy(page, text), VerifiedBy: r.session.VerifiedBy(page), HandEdited: r.edited[page],
			Claims: r.session.Inspect(page), Text: text,
		})
	}
	return p, nil
}

func (r *Run) generatedBy(page wiki.PagePath, text []byte) string {
	if r.edited[page] {
		return ""
	}
	e, _ := wiki.Parse(text).Generated()
	return e.By
}

// SubmitPlan installs a plan. The same proposal may be submitted again;
// another one is refused once a plan is installed.
func (r *Run) SubmitPlan(ctx context.Context, proposal Proposal) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	existing, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	rules := &planRules{
		dir: r.wiki.Dir(), mode: r.state.Mode, runID: r.state.RunID, existing: existing,
		issues: r.session.Issues(), rewrite: r.state.RequiredRewritePages,
	}
	plan, err := normalizePlan(proposal, rules)
	if err != nil {
		return err
	}
	if installed := r.state.Plan; installed != nil {
		keepForced(plan, installed, rules)
		if !samePlan(plan, installed) {
			return inputErrorf("a different plan is already installed: go on with it")
		}
		return nil
	}
	if r.state.Phase != PhasePlanning {
		return r.wrongPhase("submit plan", "the run is not in its planning phase")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	next := r.state.clone()
	next.Phase, next.Plan = PhaseGenerating, plan
	if err := r.saveState(next); err != nil {
		return err
	}
	return r.commitReplacement()
}

func (r *Run) wrongPhase(op, what string) error {
	return &Error{Code: CodeInvalidState, Op: op, Err: errors.New(what)}
}

// jobs returns the queue, empty while there is no plan.
func (r *Run) jobs() []PageJob {
	if r.state.Plan == nil {
		return nil
	}
	return r.state.Plan.Pages
}

// NextPage returns the first pending page that is not excluded, without
// reserving it, and nil when there is none.
func (r *Run) NextPage(exclude map[string]bool) (*PageJob, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Plan == nil {
		return nil, r.wrongPhase("next page", "there is no plan yet")
	}
	for _, job := range r.jobs() {
		if job.Status == JobPending && !exclude[job.ID] {
			return &job, nil
		}
	}
	return nil, nil
}

// mostValuable is NextPage for a run that may have to end soon: a reader needs
// the quickstart of a new wiki most, and is misled by pages whose Claims the
// source no longer supports.
func (r *Run) mostValuable(exclude map[string]bool) (*PageJob, error) {
	next, err := r.NextPage(exclude)
	if err != nil || next == nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	best := r.urgency(*next)
	for _, job := range r.jobs() {
		if job.Status == JobPending && !exclude[job.ID] && r.urgency(job) > best {
			best, next = r.urgency(job), &job
		}
	}
	return next, nil
}

func (r *Run) urgency(job PageJob) int {
	switch {
	case job.Path == r.quickstart() && !r.initial[job.Path]:
		return 2
	case len(r.session.IssuesOf(job.Path)) > 0:
		return 1
	}
	return 0
}

// findJob returns the index of a job. The caller holds the lock.
func (r *Run) findJob(op, id string) (int, error) {
	if r.state.Plan == nil {
		return 0, r.wrongPhase(op, "there is no plan yet")
	}
	for i := range r.state.Plan.Pages {
		if r.state.Plan.Pages[i].ID == id {
			return i, nil
		}
	}
	return 0, &Error{Code: CodeNotFound, Op: op, Err: fmt.Errorf("no page job has the id %q", id)}
}

// pendingJob returns a job that must be pending. The caller holds the lock.
func (r *Run) pendingJob(op, id string) (int, error) {
	i, err := r.findJob(op, id)
	if err != nil {
		return 0, err
	}
	if job := r.state.Plan.Pages[i]; job.Status != JobPending {
		return 0, r.wrongPhase(op, fmt.Sprintf("page %s is %s", job.Path, job.Status))
	}
	return i, nil
}
