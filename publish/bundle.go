package publish

import (
	"context"

	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// A State says how far the run that made a bundle came.
type State string

// The states of a bundle.
const (
	StateComplete State = "complete" // every page that was due is done
	StatePartial  State = "partial"  // some pages are postponed, skipped or failed
	StateFailed   State = "failed"   // the run failed; what it finished before is in the bundle
	StateRunning  State = "running"  // a checkpoint of a run that goes on
)

// A File is one file of the wiki as it shall be on the branch. Every file is published with mode 100644.
type File struct {
	Path string // slash-separated, relative to the repository
	Data []byte
}

// A Bundle is all that the publisher knows of a run: the whole wiki as it shall be, and what there is to tell about it. It holds nothing
// of models, tokens or work trees.
type Bundle struct {
	WikiDir wiki.Dir
	Files   []File // the whole wiki directory but for run state, in code-unit order
	Extra   []File // files outside the wiki that may be published on request: AGENTS.md and CLAUDE.md, managed block only

	BaseRef string // name of the base branch, such as "main"
	BaseSHA string // the analysed commit of the base branch

	State    State
	Pages    []Page // pages there is something to say about, in code-unit order of their paths
	Delta    *wikidiff.Delta
	Findings []wiki.Finding
	Run      RunInfo

	// Without returns the bundle without the changes to some pages: their text, Claims and records are those of the analysed commit again
	// and indexes agree. It is called for pages that the gate blocks or a reviewer rejected.
	Without func(ctx context.Context, pages []wiki.PagePath, reason string) (*Bundle, error)
}

// A Page is what became of one page.
type Page struct {
	Path     wiki.PagePath
	Title    string
	State    string // complete, skipped, pending, deleted, kept or blocked
	Change   string // new, rewritten, unchanged or removed
	Reason   string
	Attempts int
	Inputs   string // digest of what the page is made from: versions of its evidence, instructions and configuration. Not of its text.
	Usage    Usage
}

// Usage is what a model used; all zero without a model.
type Usage struct {
	Requests, InputTokens, CachedInputTokens, OutputTokens int
	CostUSD                                                float64
}

// RunInfo identifies the run.
type RunInfo struct {
	ID          string
	Mode        string // init or update
	Author      string // extractive or agent
	Model       string
	Version     string // of Wikiwright
	Language    string
	Fingerprint string // of the source
	Inputs      string // digest over (page, Page.Inputs) of all pages of the wiki
	Claims      ClaimTotals
	Usage       Usage
	Error       string // why the run failed or stopped early, one line; "" otherwise
	Hint        string
	LogURL      string // where the run can be read; "" when there is none
}

// ClaimTotals counts the Claims of the whole wiki at the end of the run.
type ClaimTotals struct{ Total, Stale, Unresolved int }
