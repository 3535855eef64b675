package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/language"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Mode says whether a wiki is made new or kept up.
type Mode string

// The modes of a run.
const (
	ModeInit   Mode = "init"
	ModeUpdate Mode = "update"
)

// Actor is who makes the run: Producer goes into page stamps and the
// manifest, Model into the metadata.
type Actor struct{ Producer, Model string }

// Options are the inputs of Do.
type Options struct {
	Repo *gitrepo.Repo
	// Files is the root of the checkout; every durable write of the run goes
	// through it.
	Files *atomicfile.Dir
	// GitFiles is the git directory of the work tree, where a run keeps what
	// it must be able to put back; nil opens Repo.GitDir.
	GitFiles *atomicfile.Dir
	WikiDir  wiki.Dir
	Mode     Mode
	// Language is a language tag; empty keeps the language of the wiki.
	Language string
	// Force starts an update even when there is nothing to do.
	Force bool
	// PlanningContext is text for the planner.
	PlanningContext string
	Actor           Actor
	// NewAuthor is called once, and only when there is work.
	NewAuthor func(context.Context) (Author, error)
	// Concurrency is the number of pages written at once, 1 to 8; 0 means 1.
	Concurrency int
	// MaxPages is how many pages are written in one call of Do at most; the
	// others stay pending. 0 means all.
	MaxPages int
	// Hurry reports that the run may have to end soon. From then on the most
	// valuable pages come first: the quickstart, then those whose Claims the
	// source no longer supports. It may be nil.
	Hurry func() bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log may be nil.
	Log *slog.Logger
	// OnEvent receives progress, one call at a time; it may be nil. The event
	// of a page comes when the page is started.
	OnEvent func(Event)
	// OnPage is called for each page that Do completes, when page, sidecar and
	// manifest are durable: ending the process in the call loses nothing of
	// it. One call at a time, and maybe while other pages are being written
	// and events are received. It may be nil.
	OnPage func(PageOutcome)

	op string // what is done, for errors; empty means to begin a run
}

// The stages of an Event.
const (
	StagePlanning   = "planning"
	StageGenerating = "generating"
	StageFinalizing = "finalizing"
	StageNoop       = "noop"
	// StageText carries a line of text and nothing else.
	StageText = "text"
)

// Event is one step of progress.
type Event struct {
	Stage          string
	Resumed        bool
	Page           string
	PageIndex      int // 1-based; 0 if unknown
	PageCount      int
	CompletedCount int
	InFlight       []string
	Text           string
}

// The kinds of an Outcome.
const (
	OutcomeNoop     = "noop"
	OutcomeComplete = "complete"
	OutcomePartial  = "partial"
	OutcomeFailed   = "failed"
)

// The states of a page in an Outcome.
const (
	PageComplete = "complete"
	PageSkipped  = "skipped"
	PagePending  = "pending"
	PageDeleted  = "deleted"
	PageKept     = "kept"
)

// The changes of a page in an Outcome.
const (
	ChangeNew       = "new"
	ChangeRewritten = "rewritten"
	ChangeUnchanged = "unchanged"
	ChangeRemoved   = "removed"
)

// Outcome is what a run came to.
type Outcome struct {
	Kind          string
	Mode          Mode
	RunID         string
	Resumed       bool
	Language      string
	GitHead       string
	SourceChanged bool
	Pages         []PageOutcome
	Claims        ClaimTotals
	Findings      []wiki.Finding
	Notes         []string
}

// ClaimTotals counts the Claims of the wiki at the end of a run.
type ClaimTotals struct{ Total, Stale, Unresolved int }

// PageOutcome is what a run came to on one page.
type PageOutcome struct {
	Path     string
	State    string
	Change   string
	Reason   string
	Attempts int
	Claims   claims.Counts
}

// Run is one durable generation. Begin makes it; its methods are the
// operations of the lifecycle, which the driver of Do calls and a host may
// call itself. They may be called from several goroutines.
type Run struct {
	opt      Options
	log      *slog.Logger
	git      *atomicfile.Dir
	attempts *attempts
	ownsGit  bool
	wiki     *wiki.Wiki
	src      *source.Source
	resolver *evidence.Resolver
	store    *claims.Store
	lock     *runLock // nil while nothing is written
	language string   // as asked for, canonical; may be empty

	// Set by begin, constant afterwards.
	session  *claims.Session
	snapshot *source.Snapshot
	resumed  bool
	windows  []Window
	initial  map[wiki.PagePath]bool
	prepared map[wiki.PagePath]provenance
	author   Author

	treeOnce sync.Once
	tree     *linkTree

	mu                 sync.Mutex             // covers the rest, and every durable change of it
	edited             map[wiki.PagePath]bool // changed by somebody since they were recorded
	unproven           map[wiki.PagePath]bool // recorded, but not as they are
	work               map[string]*pageWork   // by job
	inWork             map[wiki.PagePath]bool // started, and not settled yet
	mermaid            map[wiki.PagePath][]wiki.Finding
	state              *State
	encoder            *stateEncoder
	unsaved, stateSize int // pages the file does not know as complete yet; its size
	manifest           *Manifest
	pages              map[wiki.PagePath]*PageOutcome
	declined           map[string]bool // skipped pages that the author would not write
	findings           []wiki.Finding
	notes              []string

	sourceChanged bool // while the run was under way
	ended         bool // the run state is gone
}

// open prepares a run without touching anything.
func open(ctx context.Context, opt Options) (*Run, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	r := &Run{
		opt: opt, log: opt.Log, git: opt.GitFiles, pages: map[wiki.PagePath]*PageOutcome{}, declined: map[string]bool{},
		work: map[string]*pageWork{}, inWork: map[wiki.PagePath]bool{}, mermaid: map[wiki.PagePath][]wiki.Finding{},
	}
	tag, err := language.Parse(opt.Language)
	if err != nil {
		return nil, &Error{Code: CodeInvalidInput, Op: r.op(), Err: err, Hint: "give a language tag such as en, de or zh-CN"}
	}
	r.language = tag.String()
	if r.wiki, err = wiki.Open(opt.Files, opt.WikiDir); err != nil {
		return nil, &Error{Code: CodeInvalidState, Op: r.op(), Err: err, Hint: hintOf(err)}
	}
	if r.src, err = source.Open(ctx, opt.Repo, opt.Files, string(opt.WikiDir)); err != nil {
		return nil, err
	}
	r.resolver = evidence.NewResolver(r.src)
	r.store = claims.NewStore(r.wiki)
	if r.git == nil {
		if r.git, err = atomicfile.Open(opt.Repo.GitDir); err != nil {
			return nil, fmt.Errorf("open git directory: %w", err)
		}
		r.ownsGit = true
	}
	r.attempts = newAttempts(r.git)
	return r, nil
}

// Close releases the lock of the checkout.
func (r *Run) Close() error {
	var err error
	if r.lock != nil {
		err = r.lock.Unlock()
	}
	if r.ownsGit {
		err = errors.Join(err, r.git.Close())
	}
	return err
}

// needAuthor makes the author. It is called when it is certain that there is
// work and before anything is written, so that a missing key costs nothing.
func (r *Run) needAuthor(ctx context.Context) (err error) {
	if r.opt.NewAuthor == nil || r.author != nil {
		return nil
	}
	r.author, err = r.opt.NewAuthor(ctx)
	return err
}

// op names what the run does, for errors.
func (r *Run) op() string {
	if r.opt.op != "" {
		return r.opt.op
	}
	return "begin " + string(r.opt.Mode)
}

func (r *Run) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.log.Info(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, text)
}

// checkpoint is the state of the source the run works on.
func (r *Run) checkpoint() Checkpoint {
	return Checkpoint{GitHead: r.state.TargetGitHead, SourceFingerprint: r.state.SourceFingerprint}
}

// saveState makes next durable and only then the state of the run.
func (r *Run) saveState(next *State) error {
	if r.encoder == nil || next.Plan == nil || r.state == nil || r.state.Plan == nil {
		r.encoder = newStateEncoder(next)
	}
	data := r.encoder.encode(next.Plan)
	if err := r.opt.Files.Write(r.wiki.Path(stateFile), data); err != nil {
		return fmt.Errorf("write run state: %w", err)
	}
	r.state, r.unsaved, r.stateSize = next, 0, len(data)
	return nil
}

// takeSnapshot reads the source.
func (r *Run) takeSnapshot(ctx context.Context) (*source.Snapshot, error) {
	snapshot, err := r.src.Snapshot(ctx)
	if err == nil || ctx.Err() != nil {
		return snapshot, err
	}
	hint := "make the file readable, or name it in " + source.IgnoreFile
	if errors.Is(err, source.ErrChanging) {
		hint = "run the command again when nothing writes to the checkout"
	}
	return nil, &Error{Code: CodeInvalidState, Op: r.op(), Err: fmt.Errorf("read the source: %w", err), Hint: hint}
}

// readState returns nil when no run is interrupted.
func readState(w *wiki.Wiki) (*State, error) {
	path := w.Path(stateFile)
	data, err := w.Files().Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read run state: %w", err)
	}
	return DecodeState(path, data)
}

// worksOn tells others whether a page is in work. The caller holds the lock.
func (r *Run) worksOn(page wiki.PagePath, in bool) {
	r.inWork[page] = in
	if r.lock != nil {
		r.lock.tell(sortedPages(r.inWork))
	}
}

// timestamp renders a time as the files of a wiki do.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// hintOf returns the hint an error of a lower package carries.
func hintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}
