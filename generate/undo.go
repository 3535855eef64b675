package generate

import "errors"

// undoUnplanned takes back a run that ended before anything was planned, so
// that it leaves no trace: the wiki that an init replaces comes back, run state
// and metadata go. A run that has a plan, or pages to lose, is left to be gone
// on with; so is an update of a wiki, whose state says what is to be done. It
// returns the cause and what kept it from undoing.
func (r *Run) undoUnplanned(cause error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == nil || r.state.Plan != nil || !r.hasReplaced() && !r.startedEmpty() {
		return cause
	}
	return errors.Join(cause, r.undo())
}

// startedEmpty reports whether the run found no wiki and has made no page.
func (r *Run) startedEmpty() bool {
	pages, err := r.wiki.Pages()
	return err == nil && len(pages) == 0 && r.state.PreviousLastUpdate == nil
}

// undo removes the traces of a run that has made no page. The run state goes
// first: without it, what an init replaces is brought back by whoever comes
// next.
func (r *Run) undo() error {
	if err := r.opt.Files.Remove(r.wiki.Path(stateFile)); err != nil {
		return err
	}
	r.ended = true
	restored, err := r.restoreReplaced()
	if restored || err != nil {
		return err
	}
	name := r.wiki.Path(lastUpdateFile)
	if err := r.opt.Files.Remove(name); err != nil {
		return err
	}
	return r.opt.Files.RemoveEmptyParents(name, ".")
}
