// Package generatetest tests what drives, or is driven by, the lifecycle of
// package generate.
//
// An [Author] is scripted: it plans and writes what a test tells it to, and
// by default writes small pages that cite their seed paths. [NewRepo] makes a
// checkout, [Checkout.Options] the options to run in it with a fixed clock and
// actor. A [Crash] stops a run at any durable write. [TestAuthor] is the
// contract every real Author keeps.
//
// Only tests import this package. It starts no process but git.
package generatetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/claims"
)

// Author is a scripted generate.Author. The zero Author plans a quickstart.
// It may be used again; its records add up.
type Author struct {
	// Proposal is what Plan submits. Without pages and deletions in an init it
	// is a quickstart about README.md.
	Proposal generate.Proposal
	// OnPlan replaces Plan.
	OnPlan func(ctx context.Context, p *generate.Planning) error
	// OnPage replaces WritePage for a page; the key is its path.
	OnPage map[string]func(ctx context.Context, p *generate.Page) error

	mu      sync.Mutex
	plans   int
	written []string
}

// New serves as generate.Options.NewAuthor.
func (a *Author) New(context.Context) (generate.Author, error) { return a, nil }

// Plans returns how often Plan was called.
func (a *Author) Plans() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.plans
}

// Written returns the pages WritePage was called for, in order, one entry a
// call.
func (a *Author) Written() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.written...)
}

// Plan submits the proposal.
func (a *Author) Plan(ctx context.Context, p *generate.Planning) error {
	a.mu.Lock()
	a.plans++
	a.mu.Unlock()
	if a.OnPlan != nil {
		return a.OnPlan(ctx, p)
	}
	proposal := a.Proposal
	if p.Mode == generate.ModeInit && len(proposal.Pages) == 0 {
		proposal.Pages = []generate.ProposedPage{PlanPage("quickstart", "README.md")}
	}
	return p.Submit(ctx, proposal)
}

// PlanPage returns a proposal of one page about some files.
func PlanPage(name string, seeds ...string) generate.ProposedPage {
	return generate.ProposedPage{Path: name + ".md", Title: "About " + name, Purpose: "Tell about " + name, SeedPaths: seeds}
}

// WritePage writes a page by the rule of the test for it, else with Write.
func (a *Author) WritePage(ctx context.Context, p *generate.Page) error {
	a.mu.Lock()
	a.written = append(a.written, string(p.Job.Path))
	rule := a.OnPage[string(p.Job.Path)]
	a.mu.Unlock()
	if rule != nil {
		return rule(ctx, p)
	}
	return Write(ctx, p)
}

// Write writes the page as a function of its assignment alone: one paragraph
// and one Claim for each seed path that is there. Existing Claims are
// confirmed, those without evidence retracted.
func Write(ctx context.Context, p *generate.Page) error {
	text, decisions, err := Compose(p)
	if err != nil {
		return err
	}
	if err := p.Workspace.WritePage(p.Job.Path, []byte(text)); err != nil {
		return err
	}
	return p.Submit(ctx, decisions)
}

// Compose returns what Write writes and submits.
func Compose(p *generate.Page) (text string, decisions claims.Reconciliation, err error) {
	var body strings.Builder
	fmt.Fprintf(&body, "---\ntype: Reference\ntitle: %s\ndescription: %s\n---\n\n# %s\n", p.Job.Title, p.Job.Purpose, p.Job.Title)
	known := map[string]bool{}
	for _, c := range p.Claims {
		if c.Issue != nil && c.Issue.Kind == claims.Unresolved {
			decisions.Retracted = append(decisions.Retracted, c.ID)
			continue
		}
		known[c.Statement] = true
		decisions.Confirmed = append(decisions.Confirmed, c.ID)
	}
	for _, seed := range p.Job.SeedPaths {
		data, err := p.Workspace.ReadFile("/" + seed)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", decisions, err
		}
		lines := strings.Count(string(data), "\n")
		statement := fmt.Sprintf("%s has a first line", seed)
		fmt.Fprintf(&body, "\n%s has %d lines, the first is `%s`. [source](/%s#L1)\n", seed, lines, firstLine(data), seed)
		if !known[statement] {
			decisions.Claims = append(decisions.Claims, claims.Proposal{
				Statement: statement, Evidence: []claims.ProposedEvidence{{Resource: "repo://" + seed + "#L1"}},
			})
		}
	}
	if len(decisions.Claims)+len(decisions.Confirmed) == 0 {
		decisions.Claims = []claims.Proposal{{
			Statement: "The repository has a README", Evidence: []claims.ProposedEvidence{{Resource: "repo://README.md"}},
		}}
	}
	return body.String(), decisions, nil
}

func firstLine(data []byte) string {
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}

// Nothing is a page rule that ends without a submission.
func Nothing(context.Context, *generate.Page) error { return nil }

// HalfPage is a page rule that writes and ends without a submission.
func HalfPage(_ context.Context, p *generate.Page) error {
	return p.Workspace.WritePage(p.Job.Path, []byte("half a page"))
}
