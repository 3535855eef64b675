package generate

import (
	"context"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace"
)

// An Author decides what a wiki contains and writes its pages.
//
// The driver calls Plan once per run, unless a plan is already durable, and
// WritePage once or twice per page. WritePage calls for different pages may
// run at the same time.
//
// Both methods hand in their work with Submit. Submit returns an *InputError
// for what the author can correct in the same attempt; the author must return
// every other error of Submit as it is, for it ends the run. Returning nil
// without an accepted submission is an unsubmitted attempt: the page is put
// back as it was and tried once more, then skipped. Returning a *SkipError
// skips the page at once; returning a *StopError ends the run, which can be
// resumed.
type Author interface {
	Plan(ctx context.Context, p *Planning) error
	WritePage(ctx context.Context, p *Page) error
}

// Proposal is what a planner offers: the pages to write and those to delete.
type Proposal struct {
	Pages       []ProposedPage `json:"pages"`
	DeletePages []string       `json:"deletePages,omitempty"`
}

// ProposedPage is one page of a Proposal. SeedPaths are repository paths to
// start reading from, RelatedPages are page paths, Instructions are free text.
type ProposedPage struct {
	Path         string   `json:"path"`
	Title        string   `json:"title"`
	Purpose      string   `json:"purpose"`
	SeedPaths    []string `json:"seedPaths,omitempty"`
	RelatedPages []string `json:"relatedPages,omitempty"`
	Instructions []string `json:"instructions,omitempty"`
}

// Window is a group of existing pages that were last proven at one commit,
// and the source paths that changed since.
type Window struct {
	// BaseGitHead is the commit; empty when the pages have no baseline.
	BaseGitHead string
	// Pages are the pages of the group, in code-unit order.
	Pages []wiki.PagePath
	// ChangedPaths are the selected source paths that changed since
	// BaseGitHead, in code-unit order.
	ChangedPaths []string
	// FullReview says that ChangedPaths cannot be trusted to name everything
	// the pages may have missed: there is no baseline, or its commit is not in
	// this clone.
	FullReview bool
}

// ExistingPage is a page of the wiki as a planner finds it.
type ExistingPage struct {
	Path wiki.PagePath
	// GeneratedBy is the actor of the page's `generated` stamp; empty when it
	// has none, and for a hand-edited page, which no longer is what that actor
	// wrote.
	GeneratedBy string
	// VerifiedBy is the actor that verified the page's Claims last, from their
	// record, which an edit of the page does not touch; empty when nobody has.
	VerifiedBy string
	// HandEdited says that somebody changed the page since the run that
	// recorded it.
	HandEdited bool
	// Claims are the page's Claims, with their issues.
	Claims []claims.Inspected
	// Text is the whole file.
	Text []byte
}

// Planning is the assignment of a planner.
type Planning struct {
	Mode            Mode
	Language        string
	LanguageChanged bool
	// Root is the absolute path of the checkout.
	Root    string
	WikiDir wiki.Dir
	Source  *source.Source
	// Workspace can read the checkout and write nothing.
	Workspace *workspace.Workspace
	// Windows, Issues, Moved and Existing describe the wiki of an update; all
	// are empty in an init.
	Windows  []Window
	Issues   []claims.Issue
	Moved    []claims.Move
	Existing []ExistingPage
	// WikiGoal is the text of INSTRUCTIONS.md, Context the text given with the
	// run; both may be empty. They are data from people, not from the source.
	WikiGoal string
	Context  string

	submit func(context.Context, Proposal) error
}

// NewPlanning returns data as an assignment whose proposal goes to submit.
// The driver makes its own; this is for hosts and for tests of an Author.
func NewPlanning(data Planning, submit func(context.Context, Proposal) error) *Planning {
	data.submit = submit
	return &data
}

// Submit offers the plan. An *InputError can be corrected and submitted again
// in the same attempt; the same proposal may be submitted twice.
func (p *Planning) Submit(ctx context.Context, proposal Proposal) error {
	return p.submit(ctx, proposal)
}

// JobStatus is the state of one page of the plan.
type JobStatus string

// The states of a page of the plan.
const (
	JobPending  JobStatus = "pending"
	JobSkipped  JobStatus = "skipped"
	JobComplete JobStatus = "complete"
)

// PageJob is one page of an installed plan.
type PageJob struct {
	ID           string        `json:"id"`
	Path         wiki.PagePath `json:"path"`
	Title        string        `json:"title"`
	Purpose      string        `json:"purpose"`
	SeedPaths    []string      `json:"seedPaths"`
	RelatedPages []string      `json:"relatedPages"`
	Instructions []string      `json:"instructions"`
	Status       JobStatus     `json:"status"`
	// CompletedBy is the producer of a complete page.
	CompletedBy string `json:"completedBy,omitempty"`
}

// PageRef names a page of the plan or of the wiki.
type PageRef struct {
	Path    wiki.PagePath
	Title   string
	Purpose string
}

// Page is the assignment of one page.
type Page struct {
	Job             PageJob
	Mode            Mode
	Language        string
	LanguageChanged bool
	// Existing says that the page is on disk now; Text is its content then.
	Existing bool
	Text     []byte
	// HandEdited says that somebody changed the page since the run that
	// recorded it.
	HandEdited bool
	// GeneratedBy and VerifiedBy are as in ExistingPage.
	GeneratedBy, VerifiedBy string
	// Claims are all Claims of the page; Required are those with an issue,
	// which need an explicit decision in the submission.
	Claims   []claims.Inspected
	Required []claims.Inspected
	Source   *source.Source
	// Workspace can read the checkout and write this one page.
	Workspace *workspace.Workspace
	// PageMap lists the pages of the finished wiki; only for the quickstart.
	PageMap []PageRef

	submit  func(context.Context, claims.Reconciliation) error
	inspect func(context.Context) ([]claims.Inspected, error)
	check   func() ([]wiki.Finding, error)
}

// NewPage returns data as an assignment whose submission goes to submit. The
// driver makes its own; this is for hosts and for tests of an Author.
func NewPage(data Page, submit func(context.Context, claims.Reconciliation) error,
	inspect func(context.Context) ([]claims.Inspected, error)) *Page {
	data.submit, data.inspect = submit, inspect
	return &data
}

// InspectClaims returns the page's Claims as they are now.
func (p *Page) InspectClaims(ctx context.Context) ([]claims.Inspected, error) {
	return p.inspect(ctx)
}

// Check returns what a reader of the page, as it is written now, would stumble
// over: broken links, where pages of the plan count as there, paths that do not
// exist, diagrams that cannot be drawn. None of it keeps a page from being
// submitted.
func (p *Page) Check() ([]wiki.Finding, error) {
	if p.check == nil {
		return nil, nil
	}
	return p.check()
}

// Submit hands in the page, written through Workspace before, with the
// decisions about its Claims. An *InputError can be corrected and submitted
// again in the same attempt.
func (p *Page) Submit(ctx context.Context, r claims.Reconciliation) error {
	return p.submit(ctx, r)
}
