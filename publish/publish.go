// Package publish turns a finished or partly finished wiki into a pull request that a maintainer can judge.
//
// A run hands over a [Bundle]: the whole wiki as it shall be, and what there is to tell about it. [Publisher.Publish] passes it through
// the gates (paths, content), observes base, branch and pull requests, makes one [Decision] by the pure function [Decide], and carries it
// out. [Publisher.Checkpoint] does the same for a run that goes on and stops at the branch, [Publisher.Plan] stops before the first
// write, [Publisher.Previous] tells a run before it starts what an earlier one left. [Policy] holds what a repository may choose.
//
// What it promises. A run with nothing to publish writes nothing; no run makes more than seven writing calls. The branch moves only from
// where it was observed, so no commit of others is lost, and it never equals its base. A call whose answer was lost is looked up before it
// is repeated: there is one branch and one pull request. Only files of the wiki, and on request our block of AGENTS.md and CLAUDE.md, are
// changed. Pages that are refused are left out, the others are published. What people wrote around our part of the pull request stays.
//
// What it remembers stands in GitHub alone: trailers of its commits, and a hidden line in the text of its own pull requests, which is read
// only where our account opened the pull request and never taken for a permission.
//
// It knows nothing of models and makes no text of pages. Messages of errors are for the log of the run; [Outcome] is for programs.
package publish

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/secretscan"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A Repository is a repository on GitHub.
type Repository struct{ Owner, Name string }

// String is owner/name.
func (r Repository) String() string { return r.Owner + "/" + r.Name }

// A Publisher publishes the wiki of one repository. Its fields do not change after the first call; it is used by one goroutine at a time.
type Publisher struct {
	Repo       *gitrepo.Repo // checkout; only objects are read and added, neither files nor refs change
	GitHub     *github.Client
	Remote     gitrepo.Remote // of Repository
	Repository Repository     // where the pull request is opened
	// Fork is where the branch lives, if not in Repository. Its Remote is pushed to.
	Fork *Fork

	DefaultBranch string   // of Repository; "" takes the base of the bundle for it
	Identity      Identity // whose commits and pull requests are ours; zero asks GitHub when it matters
	DefaultToken  bool     // the token of the workflow run, whose pull requests start no workflows
	Policy        Policy
	Settings      []Setting // shown in the report
	Log           *slog.Logger
	Now           func() time.Time

	secrets *secretscan.Scanner
	asked   bool // Identity is what GitHub said
}

// A Fork is a repository that holds the branch.
type Fork struct {
	Repository Repository
	Remote     gitrepo.Remote
}

// A mode is how far a run of the publisher goes.
type mode int

const (
	modePublish mode = iota
	modeCheckpoint
	modePlan
)

// Publish brings the branch and the pull request to what the bundle says. The outcome is complete also beside an error of a push or a
// call: it says how far it came. The next run with an equal bundle goes on from there. Errors of GitHub can be given to
// [github.Classify].
func (p *Publisher) Publish(ctx context.Context, b *Bundle) (*Outcome, error) {
	return p.run(ctx, b, modePublish)
}

// Checkpoint brings the branch to what an unfinished run has, with the same gates and the same care for commits of others. It neither
// opens nor rewrites a pull request; pending auto-merge of one that is open is turned off. Its operation is branch-only.
func (p *Publisher) Checkpoint(ctx context.Context, b *Bundle) (*Outcome, error) {
	return p.run(ctx, b, modeCheckpoint)
}

// Plan tells what Publish would do. It writes nothing.
func (p *Publisher) Plan(ctx context.Context, b *Bundle) (*Outcome, error) {
	return p.run(ctx, b, modePlan)
}

func (p *Publisher) run(ctx context.Context, b *Bundle, m mode) (*Outcome, error) {
	calls, writes := p.GitHub.Requests()
	out, err := p.attempts(ctx, b, m)
	if out == nil {
		out = &Outcome{Operation: OpNone}
	}
	callsNow, writesNow := p.GitHub.Requests()
	out.Calls, out.Writes = callsNow-calls, writesNow-writes
	if err != nil {
		problem := github.Classify(err)
		out.Code, out.Hint = string(problem.Code), problem.Hint
	}
	return out, err
}

// attempts evaluates everything once more when the branch moved in between, and then leaves it to the next run.
func (p *Publisher) attempts(ctx context.Context, b *Bundle, m mode) (*Outcome, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	out, err := p.once(ctx, b, m)
	var lease *LeaseError
	if !errors.As(err, &lease) {
		return out, err
	}
	p.Log.Info("the branch moved meanwhile; looking again", "branch", lease.Branch)
	out, err = p.once(ctx, b, m)
	if !errors.As(err, &lease) {
		return out, err
	}
	out.Operation, out.Reason = OpDeferred, "the branch was moved twice while it was being published: "+lease.Error()
	return out, nil
}

func (p *Publisher) prepare() error {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.secrets == nil {
		p.secrets = secretscan.New()
	}
	return p.Policy.Check()
}

// once observes, decides and applies.
func (p *Publisher) once(ctx context.Context, b *Bundle, m mode) (*Outcome, error) {
	s, err := p.look(ctx, b.BaseRef)
	if err != nil {
		return nil, err
	}
	j := &job{Publisher: p, scene: s, bundle: b, mode: m, out: &Outcome{Branch: s.branch, HeadSHA: s.tip, BaseSHA: s.base}}
	j.inputs = map[wiki.PagePath]string{}
	for _, page := range b.Pages {
		j.inputs[page.Path] = page.Inputs
	}
	if s.tip != "" {
		j.out.CompareURL = j.compareURL()
	}
	if s.pull != nil {
		j.out.Number, j.out.URL, j.out.Draft = s.pull.Number, s.pull.URL, s.pull.Draft
	}
	refused, err := j.shape(ctx)
	if err != nil || refused {
		return j.out, err
	}
	defer func() { j.out.Bundle = j.bundle }()
	d, err := j.decide(ctx)
	if err != nil {
		return j.out, err
	}
	j.out.Operation, j.out.Reason, j.out.Hint = d.Operation, d.Reason, d.Hint
	if d.Number != 0 && j.out.Number == 0 {
		j.out.Number, j.out.URL = d.Number, p.webURL("pull", d.Number)
	}
	if s.note != "" && d.Branch == BranchCreate {
		j.out.Notes = append(j.out.Notes, s.note)
	}
	if m == modePlan {
		j.out.Decision = &d
		return j.out, nil
	}
	if err := j.apply(ctx, d); err != nil {
		j.out.Operation = j.sofar()
		return j.out, err
	}
	return j.out, nil
}

// sofar is the operation of a run that stopped on the way.
func (j *job) sofar() Operation {
	switch {
	case !j.pushed:
		return OpNone
	case j.pull != nil:
		return OpUpdated
	}
	return OpBranchOnly
}
