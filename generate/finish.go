package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const opFinish = "finish"

// finishing is what finish works out before and while it writes.
type finishing struct {
	complete map[wiki.PagePath]bool // written by the run
	skipped  map[wiki.PagePath]bool
	removed  map[wiki.PagePath]bool // by the plan, or left over from an earlier plan
	touched  map[wiki.PagePath]bool // not planned, but evidence moved or the record does not fit
	moved    bool                   // the source is no longer what the run began with
}

// Finish ends a run whose pages are all complete or skipped: it removes what
// the plan deletes, follows evidence that moved, proves pages that people
// edited, brings indexes, manifest and metadata up to date, and removes the
// run state last. Any failure before that leaves a run that can be finished
// again. Pages that are neither of the run nor touched keep every byte.
func (r *Run) Finish(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := r.startFinish(ctx)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, *finishing) error{
		r.removePages, r.followPages, r.syncIndexes, r.settleClaims, r.replaceManifest, r.checkSource, r.checkWiki,
		r.recordUpdate, r.dropRun,
	} {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: %w", opFinish, err)
		}
		if err := step(ctx, f); err != nil {
			return stateError(opFinish, err)
		}
	}
	return nil
}

func (r *Run) startFinish(ctx context.Context) (*finishing, error) {
	if r.state.Plan == nil {
		return nil, r.wrongPhase(opFinish, "there is no plan yet")
	}
	f := &finishing{complete: map[wiki.PagePath]bool{}, skipped: map[wiki.PagePath]bool{},
		removed: map[wiki.PagePath]bool{}, touched: map[wiki.PagePath]bool{}}
	pending := 0
	for _, job := range r.jobs() {
		switch job.Status {
		case JobPending:
			pending++
		case JobSkipped:
			f.skipped[job.Path] = true
		case JobComplete:
			f.complete[job.Path] = true
		}
	}
	if pending > 0 {
		return nil, r.wrongPhase(opFinish, fmt.Sprintf("%d pages are still pending", pending))
	}
	same, err := r.src.Same(ctx, r.snapshot)
	if err != nil {
		return nil, stateError(opFinish, err)
	}
	f.moved = !same
	return f, r.findRemoved(f)
}

// findRemoved adds the pages to remove: those the plan deletes, and in an init
// those the run wrote under a plan that was superseded. The planner of an
// update has seen such pages and chose to keep them. A page somebody else
// added meanwhile is not among them.
func (r *Run) findRemoved(f *finishing) error {
	for _, page := range r.state.Plan.DeletePages {
		theirs, err := r.editedSinceBegin(page)
		if err != nil {
			return err
		}
		if theirs {
			r.notes = append(r.notes, fmt.Sprintf("%s was edited during the run: it is not deleted", page))
			continue
		}
		f.removed[page] = true
	}
	for _, page := range r.manifest.Pages() {
		entry, _ := r.manifest.Get(page)
		if r.state.Mode == ModeInit && entry.CompletedRunID == r.state.RunID && !r.initial[page] && !f.complete[page] && !f.skipped[page] {
			f.removed[page] = true
		}
	}
	// Claims whose page is gone go too.
	pages, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	sidecars, err := r.store.Pages()
	if err != nil {
		return err
	}
	for _, page := range sidecars {
		if !slices.Contains(pages, page) && !f.skipped[page] {
			f.removed[page] = true
		}
	}
	return nil
}

// editedSinceBegin reports whether somebody has changed a page that the run
// did not write since it began, which the plan could not know.
func (r *Run) editedSinceBegin(page wiki.PagePath) (bool, error) {
	text, err := r.readPage(page)
	if err != nil || text == nil || r.bodyKept(page) {
		return false, err
	}
	entry, ok := r.manifest.Get(page)
	return !ok || !isVersion(text, entry.PageVersion), nil
}

func (r *Run) removePages(_ context.Context, f *finishing) error {
	for _, page := range sortedPages(f.removed) {
		text, err := r.readPage(page)
		if err != nil {
			return err
		}
		if err := r.wiki.Remove(page); err != nil {
			return fmt.Errorf("delete page: %w", err)
		}
		r.session.Deleted(page)
		if text != nil || slices.Contains(r.state.Plan.DeletePages, page) {
			out := r.outcomeOf(page)
			out.State, out.Change = PageDeleted, ChangeRemoved
		}
	}
	return nil
}

// followPages rewrites, without an author, the links of pages whose evidence
// moved, and takes our stamp from pages somebody edited. When the source
// moved meanwhile this is left to the next run.
func (r *Run) followPages(ctx context.Context, f *finishing) error {
	if f.moved {
		return nil
	}
	for _, m := range r.session.Moved() {
		f.touched[m.Page] = true
		r.findings = append(r.findings, wiki.Finding{Kind: "moved_evidence", Page: string(m.Page),
			Message: fmt.Sprintf("%s is now %s", m.From, m.To)})
	}
	for page := range r.edited {
		f.touched[page] = true
	}
	for page := range r.unproven {
		f.touched[page] = true
	}
	for page := range f.touched {
		if f.removed[page] || f.skipped[page] || f.complete[page] && !r.edited[page] {
			delete(f.touched, page)
		}
	}
	for _, page := range sortedPages(f.touched) {
		if err := r.followPage(page); err != nil {
			return err
		}
		if err := r.proveAgain(ctx, f, page); err != nil {
			return err
		}
	}
	return nil
}

// proveAgain confirms the Claims of a page whose record does not fit it. They
// hold, or the page would have been planned; if the source moved in this very
// moment, the page is left to the next run.
func (r *Run) proveAgain(ctx context.Context, f *finishing, page wiki.PagePath) error {
	if !r.edited[page] && !r.unproven[page] || r.session.Count(page) == 0 {
		return nil
	}
	_, err := r.session.Reconcile(ctx, page, claims.Reconciliation{})
	var input *claims.InputError
	if errors.As(err, &input) {
		r.notes = append(r.notes, err.Error())
		delete(f.touched, page)
		return r.session.Reload(ctx, page)
	}
	return err
}

func (r *Run) followPage(page wiki.PagePath) error {
	text, err := r.readPage(page)
	if err != nil || text == nil {
		return err
	}
	moves := r.movesOf(page)
	final := wiki.Relocate(r.readable(page, text), page, moves)
	if len(moves) > 0 {
		final = wiki.SetSources(final, wiki.ProjectSources(wiki.Parse(final).Sources(), r.session.EvidencePaths(page)))
	}
	final = wiki.SetGenerated(final, r.keptStamp(page, final))
	out := r.outcomeOf(page)
	out.State, out.Change = PageKept, ChangeUnchanged
	switch {
	case r.edited[page]:
		out.Reason = "edited by hand: kept, Claims proven again"
	case len(moves) > 0:
		out.Reason = "evidence moved: links and Claims follow"
	}
	if string(final) != string(text) {
		out.Change = ChangeRewritten
	}
	// The sidecar changes too, so the page must be restorable as one.
	if _, err := r.keepOriginal(page); err != nil {
		return err
	}
	return r.writePage(page, final)
}

// readable returns the page with front matter that can carry the stamps a page
// in the record needs. What an edit left unreadable is repaired, and told.
func (r *Run) readable(page wiki.PagePath, text []byte) []byte {
	if wiki.Parse(text).Editable() {
		return text
	}
	out, notes := wiki.Repair(text, page, r.state.Language)
	r.findings = append(r.findings, frontMatterFindings(page, notes)...)
	return out
}

// syncIndexes rewrites the index pages when the run changed any page. Pages
// that are not of the run are listed and left alone.
func (r *Run) syncIndexes(_ context.Context, f *finishing) error {
	if len(f.complete) == 0 && len(f.removed) == 0 {
		return nil
	}
	pages, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	exclude := map[wiki.PagePath]bool{}
	for _, page := range pages {
		exclude[page] = true
	}
	if _, err := r.wiki.SyncIndexes(r.state.Language, exclude); err != nil {
		return fmt.Errorf("update index pages: %w", err)
	}
	return nil
}

// settleClaims makes the Claims of touched and removed pages durable and
// proves all pages the run answers for.
func (r *Run) settleClaims(ctx context.Context, f *finishing) error {
	only := append(sortedPages(f.touched), sortedPages(f.removed)...)
	if len(only) > 0 {
		err := r.session.Finalize(ctx, claims.FinalizeOptions{
			At: r.state.StartedAt, Only: only, Exclude: f.skipped,
			KeepEvent: r.keepsEvent,
		})
		if err != nil {
			return err
		}
	}
	for _, page := range append(sortedPages(f.touched), sortedPages(f.complete)...) {
		if r.session.Count(page) == 0 || r.edited[page] && !f.touched[page] {
			continue
		}
		if err := r.session.Prove(page, "finish"); err != nil {
			return err
		}
	}
	return nil
}

// keepsEvent reports whether a page nobody wrote in the run stays verified by
// whom it was: unless it is ours and was edited.
func (r *Run) keepsEvent(page wiki.PagePath) bool {
	if !r.edited[page] {
		return true
	}
	text, err := r.wiki.Read(page)
	if err != nil {
		return false
	}
	e, ok := wiki.Parse(text).Generated()
	return ok && !r.maintains(e.By)
}

// bodyKept reports whether the body of a page is what it was when the run
// began.
func (r *Run) bodyKept(page wiki.PagePath) bool {
	before, ok := r.prepared[page]
	if !ok {
		return false
	}
	text, err := r.wiki.Read(page)
	return err == nil && wiki.Parse(text).BodyHash() == before.BodyHash
}

// replaceManifest leaves entries of surviving pages only. Pages the run did
// not write keep their checkpoint; pages without one get that of the run, for
// the planner looked at them, if they can be proven.
func (r *Run) replaceManifest(_ context.Context, f *finishing) error {
	pages, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	onDisk := map[wiki.PagePath]bool{}
	for _, page := range pages {
		onDisk[page] = true
		entry, recorded := r.manifest.Get(page)
		if f.skipped[page] || recorded && !f.touched[page] {
			continue
		}
		if err := r.coverPage(page, entry, recorded); err != nil {
			return err
		}
	}
	for _, page := range r.manifest.Pages() {
		if !onDisk[page] {
			r.manifest.Delete(page)
		}
	}
	if f.wroteNothing() {
		// Coverage that only moved along is worked out again by the next run.
		if have, err := readManifest(r.wiki); err == nil && have.saysSame(r.manifest) {
			return nil
		}
	}
	return writeManifest(r.wiki, r.manifest)
}

func (r *Run) coverPage(page wiki.PagePath, entry ManifestEntry, recorded bool) error {
	text, err := r.wiki.Read(page)
	if err != nil {
		return err
	}
	side, err := r.loadSidecar(page)
	if err != nil {
		return err
	}
	if stateOfPage(text, nil, side) != pageProven {
		r.manifest.Delete(page)
		return nil
	}
	if !recorded {
		at := r.checkpoint()
		entry = ManifestEntry{GitHead: at.GitHead, SourceFingerprint: at.SourceFingerprint}
	}
	entry.PageVersion = side.PageVersion
	r.manifest.Set(page, entry)
	return nil
}

// checkSource looks again: a source that moved during the run leaves the wiki
// incomplete.
func (r *Run) checkSource(ctx context.Context, f *finishing) error {
	same, err := r.src.Same(ctx, r.snapshot)
	if err != nil {
		return err
	}
	f.moved = f.moved || !same
	r.sourceChanged = f.moved
	return nil
}

// checkWiki collects what a reader would stumble over.
func (r *Run) checkWiki(_ context.Context, f *finishing) error {
	pages, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	links, err := wiki.CheckLinks(r.wiki, pages, r.exists)
	if err != nil {
		return fmt.Errorf("check links: %w", err)
	}
	for _, page := range sortedPages(f.complete) {
		r.findings = append(r.findings, r.mermaid[page]...)
	}
	r.findings = append(r.findings, links...)
	for _, issue := range r.session.Issues() {
		if issue.Kind == "unresolved" {
			r.findings = append(r.findings, wiki.Finding{Kind: "lost_evidence", Page: string(issue.Page),
				Message: fmt.Sprintf("Claim %s cites %v, which is gone", issue.ClaimID, issue.Resources)})
		}
	}
	return nil
}

// recordUpdate writes the metadata: the new baseline, or the old one when the
// wiki is not complete.
func (r *Run) recordUpdate(ctx context.Context, f *finishing) error {
	if f.moved || len(f.skipped) > 0 {
		if before := r.state.PreviousLastUpdate; r.state.LanguageChanged && len(f.complete) == 0 && before != nil {
			// Nothing is in the language that was asked for; who asks again gets all of it.
			return r.markInterruptedIn(before.Language)
		}
		return r.markInterrupted()
	}
	next := &LastUpdate{
		UpdatedAt: timestamp(r.opt.Now()), Command: r.state.Mode, GitHead: r.state.TargetGitHead,
		Model: r.state.Actor.Model, Status: StatusComplete, Language: r.state.Language,
	}
	if before := r.state.PreviousLastUpdate; before != nil && f.wroteNothing() && before.saysSame(next) {
		same, err := r.sameSource(ctx, before.GitHead)
		if err != nil {
			return err
		}
		if same {
			next = before
		}
	}
	return writeLastUpdate(r.wiki, next)
}

// sameSource reports whether the commits of base and of the run hold the same
// source. A base that is not in this clone is another one.
func (r *Run) sameSource(ctx context.Context, base string) (bool, error) {
	if base == r.state.TargetGitHead || base == "" {
		return base == r.state.TargetGitHead, nil
	}
	changed, err := r.src.CommittedSince(ctx, base)
	if errors.Is(err, gitrepo.ErrUnknownCommit) {
		return false, nil
	}
	return len(changed) == 0, err
}

// wroteNothing reports whether the run left every page as it found it.
func (f *finishing) wroteNothing() bool {
	return len(f.complete) == 0 && len(f.removed) == 0 && len(f.touched) == 0
}

// dropRun ends the run. The state goes last.
func (r *Run) dropRun(context.Context, *finishing) error {
	if err := r.dropOriginals(); err != nil {
		return err
	}
	if err := r.opt.Files.Remove(r.wiki.Path(stateFile)); err != nil {
		return fmt.Errorf("remove run state: %w", err)
	}
	r.ended = true
	return nil
}
