package generate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const opSubmit = "submit page"

// SubmitPage takes the page an author wrote and the decisions about its
// Claims, and makes both durable: the page, its sidecar, the manifest, the
// queue, in this order. Ending between two of them leaves the page pending or,
// once the manifest has it, complete. Submitting a complete page again is
// acknowledged. An *InputError leaves everything as it was.
func (r *Run) SubmitPage(ctx context.Context, id string, decisions claims.Reconciliation) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, err := r.findJob(opSubmit, id)
	if err != nil {
		return err
	}
	job := r.state.Plan.Pages[i]
	if job.Status == JobComplete {
		return nil
	}
	if _, err := r.pendingJob(opSubmit, id); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := r.readPage(job.Path)
	if err != nil {
		return stateError(opSubmit, err)
	}
	if text == nil {
		return inputErrorf("page %s is not there: write it first", job.Path)
	}
	counts, err := r.session.Reconcile(ctx, job.Path, decisions)
	if err != nil {
		return submitError(err)
	}
	version, err := r.settlePage(ctx, job, text)
	if err != nil {
		return err
	}
	if err := r.completeJob(i, version); err != nil {
		return err
	}
	out := r.outcomeOf(job.Path)
	out.State, out.Claims = PageComplete, counts
	return nil
}

// submitError sorts the errors of Claims into what the author can correct and
// what ends the run.
func submitError(err error) error {
	var input *claims.InputError
	var missing *claims.PageMissingError
	if errors.As(err, &input) || errors.As(err, &missing) {
		return &InputError{Err: err}
	}
	return stateError(opSubmit, err)
}

// settlePage writes the page as it will stay, with its stamps and its
// sidecar, and returns its version.
func (r *Run) settlePage(ctx context.Context, job PageJob, text []byte) (string, error) {
	given := r.given(job)
	final, written, findings := r.finalText(job.Path, given, text)
	// The page is written once, after the sidecar that describes it and by which
	// it is known as the run's.
	err := r.session.Finalize(ctx, claims.FinalizeOptions{
		At: r.state.StartedAt, Only: []wiki.PagePath{job.Path},
		KeepEvent: func(wiki.PagePath) bool { return !written },
		Text:      map[wiki.PagePath][]byte{job.Path: final},
	})
	if err != nil {
		return "", submitError(err)
	}
	if err := r.session.Prove(job.Path, "submit_page"); err != nil {
		return "", &Error{Code: CodeInvalidState, Op: opSubmit, Err: err}
	}
	stored, err := r.wiki.Read(job.Path)
	if err != nil {
		return "", stateError(opSubmit, err)
	}
	out := r.outcomeOf(job.Path)
	switch {
	case given == nil:
		out.Change = ChangeNew
	case written:
		out.Change = ChangeRewritten
	default:
		out.Change = ChangeUnchanged
	}
	r.mermaid[job.Path] = findings
	return wiki.PageVersion(stored), nil
}

// given returns what the author of a page was given.
func (r *Run) given(job PageJob) []byte {
	if work := r.work[job.ID]; work != nil {
		return work.given
	}
	return nil
}

// sameBody compares texts, not line endings: a checkout may have converted
// those of a page that was there.
func sameBody(a, b []byte) bool {
	return a != nil && bytes.Equal(plainBody(a), plainBody(b))
}

func plainBody(text []byte) []byte {
	return bytes.ReplaceAll(wiki.Parse(text).Body(), []byte("\r\n"), []byte("\n"))
}

// finalText returns the page as it is stored: front matter valid, sources as
// its Claims cite them. A body that an author wrote also gets links that work
// on GitHub, diagrams that render and one newline at its end. Whether that
// makes another body than the author was given decides about the `generated`
// stamp: it moves with the body and only with it.
func (r *Run) finalText(page wiki.PagePath, given, text []byte) (out []byte, written bool, findings []wiki.Finding) {
	out, notes := wiki.Repair(text, page, r.state.Language)
	findings = frontMatterFindings(page, notes)
	if !sameBody(given, text) {
		out = wiki.NormalizeLinks(out, page, r.exists)
		var diagrams []wiki.Finding
		out, diagrams = wiki.CheckMermaid(out)
		for _, f := range diagrams {
			f.Page = string(page)
			findings = append(findings, f)
		}
		out = append(bytes.TrimRight(out, "\r\n"), '\n')
		written = !sameBody(given, out)
	}
	doc := wiki.Parse(out)
	out = wiki.SetSources(out, wiki.ProjectSources(doc.Sources(), r.session.EvidencePaths(page)))
	if written {
		out = wiki.RemoveField(out, "timestamp")
		return wiki.SetGenerated(out, &wiki.Event{By: r.state.Actor.Producer, At: r.state.StartedAt}), written, findings
	}
	return wiki.SetGenerated(out, r.keptStamp(page, given)), written, findings
}

func frontMatterFindings(page wiki.PagePath, notes []wiki.Issue) []wiki.Finding {
	var findings []wiki.Finding
	for _, n := range notes {
		findings = append(findings, wiki.Finding{Kind: "front_matter", Page: string(page), Line: n.Line, Message: n.Message})
	}
	return findings
}

// keptStamp is the `generated` stamp of a page whose body stays: the one it
// has, unless it is ours and somebody else has changed the page since.
func (r *Run) keptStamp(page wiki.PagePath, text []byte) *wiki.Event {
	e, ok := wiki.Parse(text).Generated()
	if !ok || r.edited[page] && r.maintains(e.By) {
		return nil
	}
	return &e
}

// maintains reports whether pages that by wrote are those of the actor of the
// run. The stamps of any other producer are not ours to take away.
func (r *Run) maintains(by string) bool {
	return sameAuthor(by, r.state.Actor.Producer)
}

// sameAuthor reports whether what by wrote is the producer's to write again.
func sameAuthor(by, producer string) bool {
	return wiki.OwnActor(by) && actorFamily(by) == actorFamily(producer)
}

// actorFamily is the name of a producer without its version. Wikiwright does
// what OpenWiki does.
func actorFamily(by string) string {
	family, _, _ := strings.Cut(by, "/")
	if family == "openwiki" {
		return "wikiwright"
	}
	return family
}

// completeJob makes the completion durable. The manifest comes first: from it
// a resumed run knows the page is complete even if the queue does not say so.
func (r *Run) completeJob(i int, version string) error {
	job := r.state.Plan.Pages[i]
	before, had := r.manifest.Get(job.Path)
	r.record(job.Path, version, r.state.Actor.Producer)
	if err := r.opt.Files.Write(r.wiki.Path(manifestFile), r.manifest.Encode()); err != nil {
		r.manifest.Delete(job.Path)
		if had {
			r.manifest.Set(job.Path, before)
		}
		return stateError(opSubmit, fmt.Errorf("write page manifest: %w", err))
	}
	delete(r.edited, job.Path)
	r.worksOn(job.Path, false)
	next := r.state.clone()
	next.Plan.Pages[i].Status, next.Plan.Pages[i].CompletedBy = JobComplete, r.state.Actor.Producer
	if r.mayWait(next) {
		r.state = next
		r.unsaved++
		return nil
	}
	if err := r.saveState(next); err != nil {
		return stateError(opSubmit, err)
	}
	return nil
}

// stateShare is how much of a run state may be written for each page.
const stateShare = 64 << 10

// mayWait reports whether the queue need not be written for this page: the
// manifest has it already, from which a resumed run knows. Only the state of a
// large wiki waits, so that a page costs the same however many there are, and
// never the last page.
func (r *Run) mayWait(next *State) bool {
	if (r.unsaved+1)*stateShare >= r.stateSize {
		return false
	}
	for _, job := range next.Plan.Pages {
		if job.Status == JobPending {
			return true
		}
	}
	return false
}

// flushState writes what mayWait has let wait.
func (r *Run) flushState() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unsaved == 0 {
		return nil
	}
	return r.saveState(r.state)
}

// outcomeOf returns the report about a page. The caller holds the lock.
func (r *Run) outcomeOf(page wiki.PagePath) *PageOutcome {
	out := r.pages[page]
	if out == nil {
		out = &PageOutcome{Path: string(page)}
		r.pages[page] = out
	}
	return out
}

// RestorePage puts a pending page and its Claims back to what they were when
// the page was started.
func (r *Run) RestorePage(ctx context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	const op = "restore page"
	i, err := r.pendingJob(op, id)
	if err != nil {
		return err
	}
	work := r.work[id]
	if work == nil {
		return nil
	}
	page := r.state.Plan.Pages[i].Path
	if err := r.putBack(work.before); err != nil {
		return stateError(op, err)
	}
	if err := r.session.Reload(ctx, page); err != nil {
		return stateError(op, fmt.Errorf("reload claims: %w", err))
	}
	return nil
}
