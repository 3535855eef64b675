// Package wikidiff tells what changed between two states of a wiki in the words of a reviewer: pages with the lines they gained and lost,
// statements that are new, dropped or altered, evidence that moved or was lost.
//
// [Compare] takes both states as plain files and returns a [Delta]. It reads no repository and knows nothing of pull requests; the same
// states give the same Delta.
package wikidiff

import (
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A Delta is the difference between two states of a wiki. Lists are in code-unit order of pages, then of statements.
type Delta struct {
	Pages    []PageDelta
	Moved    []Move // evidence that stands in other lines or another file now; the statement did not change
	Lost     []Lost // evidence that the old state cites and that is gone from the source, with the statement it supported
	Metadata bool   // files that are no pages and no sidecars differ
}

// A PageDelta is one page that differs. Index pages have no Claims.
type PageDelta struct {
	Path           wiki.PagePath
	Title          string
	Change         string // new, rewritten, removed, or claims (only the sidecar differs)
	Added, Removed int    // lines of the body
	Claims         []ClaimDelta
	Links          []string // external links that are new
	Commands       []string // shell commands in fences that are new
}

// A ClaimDelta is one statement that differs. Before is nil for a new statement, After for a dropped one; both are set for an altered one.
type ClaimDelta struct {
	ID            string
	Before, After *claims.Claim
}

// A Move is evidence that was followed.
type Move struct {
	Page     wiki.PagePath
	From, To string // resources, repo://path#L1-L9
}

// A Lost is evidence that is gone.
type Lost struct {
	Page      wiki.PagePath
	Resource  string
	Statement string
}
