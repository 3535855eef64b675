package generate

import "context"

// SkipPage gives a pending page up for this run: page and Claims become what
// they were, and the wiki is marked as incomplete. The next run, also a
// resumed one, tries again.
func (r *Run) SkipPage(ctx context.Context, id, reason string) error {
	if err := r.RestorePage(ctx, id); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	const op = "skip page"
	i, err := r.pendingJob(op, id)
	if err != nil {
		return err
	}
	if err := r.markInterrupted(); err != nil {
		return stateError(op, err)
	}
	next := r.state.clone()
	next.Plan.Pages[i].Status, next.Plan.Pages[i].CompletedBy = JobSkipped, ""
	if err := r.saveState(next); err != nil {
		return stateError(op, err)
	}
	r.worksOn(next.Plan.Pages[i].Path, false)
	out := r.outcomeOf(next.Plan.Pages[i].Path)
	out.State, out.Change, out.Reason = PageSkipped, ChangeUnchanged, reason
	return nil
}

// declinePage skips a page that the author will not write, which is no failure
// of the run.
func (r *Run) declinePage(ctx context.Context, id, reason string) error {
	if err := r.SkipPage(ctx, id, reason); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i, err := r.findJob("skip page", id)
	if err != nil {
		return err
	}
	r.declined[string(r.state.Plan.Pages[i].Path)] = true
	return nil
}
