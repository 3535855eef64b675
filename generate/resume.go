package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// resume takes up an interrupted run. Unless the source moved since, the plan
// stays and complete pages stay complete; otherwise the run is planned anew
// under the same id. Skipped pages get another chance.
func (r *Run) resume(ctx context.Context, stored *State) (err error) {
	r.resumed = true
	r.adopt(stored)
	if stored.Plan != nil {
		if err := r.commitReplacement(); err != nil {
			return err
		}
	}
	if r.snapshot, err = r.takeSnapshot(ctx); err != nil {
		return err
	}
	if r.manifest, err = readManifest(r.wiki); err != nil {
		return err
	}
	next := stored.clone()
	moved := r.snapshot.Fingerprint != stored.SourceFingerprint
	if !moved {
		if err := r.reconcileJobs(next); err != nil {
			return err
		}
	}
	// Pages that the interrupted process left half done are put back before
	// anything is concluded from them, and while the plan still names them.
	r.adopt(next)
	if err := r.putBackUnfinished(); err != nil {
		return err
	}
	if err := r.continueState(stored, next, moved); err != nil {
		return err
	}
	if err := r.openSession(ctx, next.BaseGitHead, false); err != nil {
		return err
	}
	pages, err := r.wiki.Pages()
	if err != nil {
		return err
	}
	return r.lookAtPages(ctx, next, pages, false)
}

// checkOwner refuses to continue a run as something it is not.
func (r *Run) checkOwner(stored *State) error {
	conflict := func(err error) error {
		hint := fmt.Sprintf("continue with `wikiwright %s`, or drop the run with `wikiwright reset`", stored.Mode)
		if r.hasReplaced() {
			hint += ", which brings the wiki back that it is replacing"
		}
		return &Error{Code: CodeConflict, Op: r.op(), Err: err, Hint: hint}
	}
	if stored.Mode != r.opt.Mode {
		return conflict(fmt.Errorf("an interrupted %s is in the way", stored.Mode))
	}
	if r.language != "" && r.language != stored.Language {
		return conflict(fmt.Errorf("the interrupted %s writes in %q, not in %q", stored.Mode, stored.Language, r.language))
	}
	return nil
}

// adopt makes s the state of the run without writing it.
func (r *Run) adopt(s *State) {
	r.state = s
	r.initial = map[wiki.PagePath]bool{}
	for _, page := range s.InitialPages {
		r.initial[page] = true
	}
}

// continueState brings the stored state up to this process and source.
func (r *Run) continueState(stored, next *State, moved bool) error {
	next.Actor = stateActor{Producer: r.opt.Actor.Producer, Model: r.opt.Actor.Model}
	if moved {
		next.Phase, next.Plan = PhasePlanning, nil
		next.SourceFingerprint, next.TargetGitHead = r.snapshot.Fingerprint, r.snapshot.GitHead
	} else {
		if next.TargetGitHead == "" {
			next.TargetGitHead = r.snapshot.GitHead
		}
		if next.Plan != nil {
			for i := range next.Plan.Pages {
				if next.Plan.Pages[i].Status == JobSkipped {
					next.Plan.Pages[i].Status = JobPending
				}
			}
		}
	}
	if next.Plan == nil && r.opt.PlanningContext != "" {
		next.PlanningContext = r.opt.PlanningContext
	}
	if string(stored.Encode()) != string(next.Encode()) {
		if err := r.saveState(next); err != nil {
			return err
		}
	}
	if moved {
		r.note("the source moved since the run was interrupted: it is planned anew")
		// What was kept belongs to the plan that is gone; pages completed
		// under it must not be put back to what they were before.
		if err := r.dropOriginals(); err != nil {
			return err
		}
	}
	return r.markInterrupted()
}

// reconcileJobs settles, the source being the same, what manifest and queue
// say differently because the process ended between the two writes.
func (r *Run) reconcileJobs(next *State) error {
	if next.Plan == nil {
		return nil
	}
	for i := range next.Plan.Pages {
		if err := r.reconcileJob(next, &next.Plan.Pages[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) reconcileJob(next *State, job *PageJob) error {
	entry, recorded := r.manifest.Get(job.Path)
	current := recorded && r.current(entry)
	if job.Status != JobComplete {
		if current {
			job.Status, job.CompletedBy = JobComplete, entry.CompletedBy
		}
		return nil
	}
	if job.CompletedBy == "" {
		// A run of an older version did not say; it was the actor of then.
		job.CompletedBy = next.Actor.Producer
	}
	if current && entry.CompletedBy != "" {
		return nil
	}
	text, err := r.wiki.Read(job.Path)
	if errors.Is(err, fs.ErrNotExist) {
		job.Status, job.CompletedBy = JobPending, ""
		return nil
	}
	if err != nil {
		return err
	}
	side, err := r.loadSidecar(job.Path)
	if err != nil {
		return err
	}
	if stateOfPage(text, nil, side) == pageProven {
		r.record(job.Path, wiki.PageVersion(text), job.CompletedBy)
		return writeManifest(r.wiki, r.manifest)
	}
	return nil
}

// current reports whether an entry is of a page this run completed for the
// source it works on.
func (r *Run) current(entry ManifestEntry) bool {
	return entry.at(r.checkpoint()) && entry.CompletedRunID == r.state.RunID
}

// record enters a page completed by the run into the manifest in memory.
func (r *Run) record(page wiki.PagePath, version, producer string) {
	at := r.checkpoint()
	r.manifest.Set(page, ManifestEntry{
		PageVersion: version, GitHead: at.GitHead, SourceFingerprint: at.SourceFingerprint,
		CompletedBy: producer, CompletedRunID: r.state.RunID,
	})
}
