package generate

import (
	"context"
	"log/slog"
	"time"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
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
	Files   *atomicfile.Dir
	WikiDir wiki.Dir
	Mode    Mode
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
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log may be nil.
	Log *slog.Logger
	// OnEvent receives progress, one call at a time; it may be nil.
	OnEvent func(Event)
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
