// Package wikidiff tells what changed between two states of a wiki in the words of a reviewer: pages with the lines they gained and lost,
// statements that are new, dropped or altered, evidence that moved or was lost.
//
// [Compare] takes both states as plain files and returns a [Delta]. It reads no repository and knows nothing of pull requests; the same
// states give the same Delta, and the states in the other order give it with new and dropped exchanged. A difference that no reader of the
// wiki could see, such as a time stamp, is kept apart: [Delta.Empty] is true when there is nothing else.
//
// Statements are matched by their id, then by equal text, then by similar text on the same page: the id of a statement changes with its
// words. [Inputs] tells what a page was made from, [Lines] compares texts line by line.
package wikidiff

import (
	"path"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A State is a wiki as it stands at some commit.
type State struct {
	Dir   wiki.Dir
	Files map[string][]byte // the files of the wiki directory by their paths in the repository

	// Source returns a file of the repository at the same commit, and whether it is there. It is asked for cited files only. With nil,
	// nothing is said about lost evidence.
	Source func(path string) ([]byte, bool)
}

// The values of PageDelta.Change.
const (
	ChangeNew       = "new"
	ChangeRewritten = "rewritten" // the text differs
	ChangeRemoved   = "removed"
	ChangeClaims    = "claims" // only the statements or their evidence differ
)

// A Delta is the difference between two states of a wiki. Lists are in code-unit order of pages, then in the order of the statements.
type Delta struct {
	Pages    []PageDelta
	Moved    []Move   // evidence that stands in other lines or another file now; the statement did not change
	Lost     []Lost   // evidence that the old state cites and that is gone from the source, with the statement it supported
	Files    []string // files of the wiki that differ and are no pages, sidecars or records, such as images
	Metadata bool     // records, stamps or line ends differ
}

// Empty reports whether a reader of the wiki would see no difference.
func (d *Delta) Empty() bool { return len(d.Pages) == 0 && len(d.Moved) == 0 && len(d.Files) == 0 }

// add puts the differences of another page behind those that are known.
func (d *Delta) add(other *Delta) {
	d.Pages = append(d.Pages, other.Pages...)
	d.Moved = append(d.Moved, other.Moved...)
	d.Lost = append(d.Lost, other.Lost...)
	d.Metadata = d.Metadata || other.Metadata
}

// A PageDelta is one page that differs. Index pages have no Claims.
type PageDelta struct {
	Path           wiki.PagePath
	Title          string
	Change         string // new, rewritten, removed, or claims (only the sidecar differs)
	Added, Removed int    // lines, without stamps
	Claims         []ClaimDelta
	Proved         int      // statements that stand as they were while the cited source changed: they were proved again
	Links          []string // external links that are new in the wiki
	Commands       []string // shell commands in fences that are new in the wiki
	Addressed      []string // lines that are new and give orders to agents
}

// Index reports whether the page is an index, which follows from the others.
func (p *PageDelta) Index() bool { return path.Base(string(p.Path)) == "index.md" }

// Counts returns how many statements are new, dropped and altered.
func (p *PageDelta) Counts() (added, dropped, altered int) {
	for _, c := range p.Claims {
		switch {
		case c.Before == nil:
			added++
		case c.After == nil:
			dropped++
		default:
			altered++
		}
	}
	return added, dropped, altered
}

// A ClaimDelta is one statement that differs. Before is nil for a new statement, After for a dropped one; both are set for an altered one.
type ClaimDelta struct {
	ID            string // of the statement as it is now; of the old one when it was dropped
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
	Dropped   bool // the statement went with it; otherwise other evidence supports it, or it was altered
}
