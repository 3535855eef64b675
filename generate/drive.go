package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/claims"
)

// attemptLimit is how often a page is tried before it is skipped.
const attemptLimit = 2

// maxConcurrency is the most pages written at once.
const maxConcurrency = 8

// Do makes or updates the wiki: begin or resume, plan, write the pages,
// finish. A no-op is an Outcome. When the run ends early, by an error or
// because ctx is done, the Outcome tells what was kept and the error why; the
// run can then be resumed by calling Do again.
func Do(ctx context.Context, opt Options) (*Outcome, error) {
	if opt.NewAuthor == nil {
		opt.NewAuthor = func(context.Context) (Author, error) {
			return nil, &Error{Code: CodeInvalidInput, Op: string(opt.Mode), Err: errors.New("there is work to do but no author to do it")}
		}
	}
	r, noop, err := Begin(ctx, opt)
	if err != nil {
		return nil, err
	}
	if noop != nil {
		emit(opt, Event{Stage: StageNoop})
		return noop, nil
	}
	d := &driver{run: r, claimed: map[string]bool{}, size: min(max(opt.Concurrency, 1), maxConcurrency)}
	err = d.drive(ctx)
	out := r.outcome(err)
	return out, errors.Join(err, r.Close())
}

func emit(opt Options, e Event) {
	if opt.OnEvent != nil {
		opt.OnEvent(e)
	}
}

// driver runs an Author through the operations of a Run.
type driver struct {
	run     *Run
	telling sync.Mutex // one page is told of at a time

	mu       sync.Mutex // covers the rest, and orders events
	claimed  map[string]bool
	size     int // slots in use; lowered when the model's rate limit is hit
	started  int // pages handed out
	fatal    error
	inFlight []string
}

func (d *driver) drive(ctx context.Context) error {
	if err := d.plan(ctx); err != nil {
		return d.run.undoUnplanned(err)
	}
	if err := d.pages(ctx); err != nil {
		return errors.Join(err, d.run.flushState())
	}
	d.event(Event{Stage: StageFinalizing})
	return d.run.Finish(ctx)
}

// plan has the author plan unless a plan is durable. An author that submitted
// one and then fails has done its work.
func (d *driver) plan(ctx context.Context) error {
	r := d.run
	if r.state.Phase != PhasePlanning {
		return nil
	}
	d.event(Event{Stage: StagePlanning})
	assignment, err := r.Planning(ctx)
	if err != nil {
		return stateError("plan", err)
	}
	var fatal error
	assignment.submit = func(ctx context.Context, p Proposal) error {
		err := r.SubmitPlan(ctx, p)
		if err != nil && !isInput(err) {
			fatal = err
		}
		return err
	}
	err = r.author.Plan(ctx, assignment)
	switch {
	case fatal != nil:
		return stateError("plan", fatal)
	case ctx.Err() != nil:
		return fmt.Errorf("plan: %w", context.Cause(ctx))
	case r.hasPlan() && err != nil:
		r.note("the planner failed after its plan was installed: %v", err)
		return nil
	case err != nil:
		return fmt.Errorf("plan: %w", err)
	case !r.hasPlan():
		return &Error{Code: CodeInvalidState, Op: "plan", Err: errors.New("the author ended without submitting a plan"),
			Hint: "run the same command again to continue"}
	}
	return nil
}

func isInput(err error) bool {
	var input *InputError
	return errors.As(err, &input)
}

func (r *Run) hasPlan() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Plan != nil
}

// pages writes all pending pages: with one slot in queue order, with more of
// them the quickstart alone at the end, when the others are there to link to.
func (d *driver) pages(ctx context.Context) error {
	var last []string
	if d.size > 1 {
		for _, job := range d.run.jobs() {
			if job.Path == d.run.quickstart() {
				last = append(last, job.ID)
			}
		}
	}
	d.hold(last, true)
	var slots sync.WaitGroup
	for index := range d.size {
		slots.Go(func() { d.slot(ctx, index) })
	}
	slots.Wait()
	d.hold(last, false)
	d.slot(ctx, 0)
	return d.fatal
}

func (d *driver) hold(ids []string, held bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range ids {
		d.claimed[id] = held
	}
}

// slot writes one page after the other until nothing is left, or the run must
// not go on.
func (d *driver) slot(ctx context.Context, index int) {
	for {
		job, err := d.acquire(ctx, index)
		if err != nil {
			d.fail(err)
			return
		}
		if job == nil {
			return
		}
		limited, err := d.page(ctx, *job)
		d.leave(string(job.Path))
		if err != nil {
			d.fail(err)
			return
		}
		if limited {
			d.slowDown()
		}
	}
}

// acquire claims the next page for a slot. Nothing starts after a fatal
// error.
func (d *driver) acquire(ctx context.Context, index int) (*PageJob, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fatal != nil || index >= d.size {
		return nil, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("write pages: %w", context.Cause(ctx))
	}
	next := d.run.NextPage
	if hurry := d.run.opt.Hurry; hurry != nil && hurry() {
		next = d.run.mostValuable
	}
	job, err := next(d.claimed)
	if err != nil || job == nil {
		return nil, err
	}
	if most := d.run.opt.MaxPages; most > 0 && d.started >= most {
		return nil, &StopError{Err: fmt.Errorf("the limit of %d pages is reached", most)}
	}
	d.started++
	d.claimed[job.ID] = true
	d.inFlight = append(d.inFlight, string(job.Path))
	d.send(d.progress(job))
	return job, nil
}

func (d *driver) leave(page string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inFlight = slices.DeleteFunc(d.inFlight, func(p string) bool { return p == page })
}

func (d *driver) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fatal == nil {
		d.fatal = err
	}
}

func (d *driver) slowDown() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.size > 1 {
		d.size--
		d.send(Event{Stage: StageText, Text: fmt.Sprintf("rate limit: going on with %d pages at once", d.size)})
	}
}

// page has the author write one page. The error is fatal for the run; a page
// that merely did not succeed is skipped.
func (d *driver) page(ctx context.Context, job PageJob) (limited bool, err error) {
	for attempt := 1; ; attempt++ {
		result := d.attempt(ctx, job, attempt)
		switch {
		case result.submitted:
			d.completed(job)
			return false, nil
		case result.fatal != nil:
			return false, d.abandon(ctx, job, result.fatal)
		case ctx.Err() != nil:
			return false, d.abandon(ctx, job, fmt.Errorf("write page %s: %w", job.Path, context.Cause(ctx)))
		}
		var stop *StopError
		if errors.As(result.err, &stop) {
			return false, d.abandon(ctx, job, fmt.Errorf("write page %s: %w", job.Path, stop))
		}
		var skip *SkipError
		final := errors.As(result.err, &skip)
		limited = isRateLimit(result.err)
		if final || limited || attempt == attemptLimit {
			reason := "ended without a submission"
			if final {
				reason = skip.Reason
			} else if result.err != nil {
				reason = result.err.Error()
			}
			d.event(Event{Stage: StageText, Page: string(job.Path), Text: fmt.Sprintf("%s is skipped and stays as it was: %s", job.Path, reason)})
			if final {
				return false, d.run.declinePage(ctx, job.ID, reason)
			}
			return limited, d.run.SkipPage(ctx, job.ID, reason)
		}
		if err := d.run.RestorePage(ctx, job.ID); err != nil {
			return false, err
		}
	}
}

// completed tells that a page is durable.
func (d *driver) completed(job PageJob) {
	r := d.run
	if r.opt.OnPage == nil {
		return
	}
	d.telling.Lock()
	defer d.telling.Unlock()
	r.mu.Lock()
	out := *r.outcomeOf(job.Path)
	r.mu.Unlock()
	r.opt.OnPage(out)
}

// attemptResult is what one call of the author came to. An err of the author
// is no reason to end the run, a fatal one is.
type attemptResult struct {
	submitted  bool
	err, fatal error
}

func (d *driver) attempt(ctx context.Context, job PageJob, number int) attemptResult {
	r := d.run
	assignment, err := r.StartPage(ctx, job.ID)
	if err != nil {
		return attemptResult{fatal: err}
	}
	var fatal error
	assignment.submit = func(ctx context.Context, rec claims.Reconciliation) error {
		err := r.SubmitPage(ctx, job.ID, rec)
		if err != nil && !isInput(err) && ctx.Err() == nil {
			fatal = err
		}
		return err
	}
	err = r.author.WritePage(ctx, assignment)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomeOf(job.Path).Attempts = number
	i, findErr := r.findJob("write page", job.ID)
	if findErr != nil {
		return attemptResult{fatal: findErr}
	}
	return attemptResult{submitted: r.state.Plan.Pages[i].Status == JobComplete, err: err, fatal: fatal}
}

// abandon puts the page in work back when the run ends early, unless it is
// recorded as complete already; what cannot be put back now is when the run
// is resumed.
func (d *driver) abandon(ctx context.Context, job PageJob, cause error) error {
	r := d.run
	r.mu.Lock()
	entry, ok := r.manifest.Get(job.Path)
	recorded := ok && r.current(entry)
	r.mu.Unlock()
	if recorded {
		return cause
	}
	if err := r.RestorePage(context.WithoutCancel(ctx), job.ID); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

func (d *driver) progress(job *PageJob) Event {
	e := Event{Stage: StageGenerating, Page: string(job.Path), InFlight: slices.Clone(d.inFlight)}
	d.run.mu.Lock()
	defer d.run.mu.Unlock()
	for i, j := range d.run.jobs() {
		e.PageCount++
		if j.Status != JobPending {
			e.CompletedCount++
		}
		if j.ID == job.ID {
			e.PageIndex = i + 1
		}
	}
	return e
}

func (d *driver) event(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.send(e)
}

// send passes an event on. The caller holds the lock.
func (d *driver) send(e Event) {
	e.Resumed = d.run.resumed
	emit(d.run.opt, e)
}

// isRateLimit recognises the refusals of a model provider that ask to slow
// down, whatever package they come from.
func isRateLimit(err error) bool {
	if err == nil {
		return false
	}
	var limited interface{ RateLimited() bool }
	if errors.As(err, &limited) {
		return limited.RateLimited()
	}
	var status interface{ StatusCode() int }
	if errors.As(err, &status) {
		return status.StatusCode() == 429
	}
	text := strings.ToLower(err.Error())
	words := strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' && c < 'a' || c > 'z' })
	return slices.Contains(words, "429") || strings.Contains(text, "rate limit") || strings.Contains(text, "too many requests")
}
