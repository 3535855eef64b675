// Package agent is the Author that writes with a language model: a planner and one worker a page, each a fresh conversation that ends with
// an accepted submission.
//
// [New] returns the author; package generate drives it. The planner reads the source and submits a plan; a worker reads the source, writes
// its one page and submits it with the Claims. What they submit is reviewed here, without a model, before the lifecycle sees it: substance,
// placeholders, links, diagrams, paths and the evidence of Claims. A rejection goes back to the model in the same conversation.
//
// A model reaches nothing but the tools it is given: six for files, confined by its workspace, and those of the submission. Text of the
// repository, of pages and of people goes to it as delimited data. When no request can succeed any more, because a limit of the run is
// reached or the key is refused, the author returns a *generate.StopError: finished pages stay, the others stay pending.
//
// It does not: choose a provider, keep a conversation, restore pages or decide about attempts.
package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/workspace"
	"github.com/wikiwright/wikiwright/internal/workspace/filetools"
)

// PlanTask is the name of the planner's task, for usage; that of a worker is its page path.
const PlanTask = "plan"

// Options are what an Author needs. Model is required.
type Options struct {
	Model *llm.Model
	// Budget is what the run may spend; nil: no limit.
	Budget *llm.Budget
	// MaxSteps bounds the replies of one worker or planner; 0 means llm.DefaultMaxSteps.
	MaxSteps int
	// Redact replaces credentials in what the model reads; nil: nothing is replaced.
	Redact func(string) string
	// OnUsage is told what a task used when it ends, whichever way; calls may come from several goroutines. It may be nil.
	OnUsage func(task string, u llm.Usage)
	// Observe is told of steps, tool calls and retries; calls may come from several goroutines. It may be nil.
	Observe func(llm.Event)
	Log     *slog.Logger
}

// Author implements generate.Author. It is safe for concurrent use.
type Author struct {
	options Options

	mu   sync.Mutex
	tree string // of the repository, made once
}

// New returns an author.
func New(o Options) *Author {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Author{options: o}
}

// run holds one conversation and accounts for it.
func (a *Author) run(ctx context.Context, t llm.Task) (*llm.Report, error) {
	t.Budget, t.MaxSteps, t.Observe = a.options.Budget, a.options.MaxSteps, a.options.Observe
	report, err := a.options.Model.Run(ctx, t)
	if a.options.OnUsage != nil {
		a.options.OnUsage(t.Name, report.Usage)
	}
	return report, err
}

// ended turns the way a conversation ended without a submission into an error.
func (a *Author) ended(what string, report *llm.Report) error {
	e := &llm.Error{Class: llm.ClassToolMisuse, Provider: a.options.Model.Provider(), Model: a.options.Model.Name(),
		Hint: "use a model with good tool support"}
	switch report.End {
	case llm.EndIdle:
		e.Err = fmt.Errorf("the model answered without using its tools and did not submit %s", what)
	case llm.EndSteps:
		e.Err = fmt.Errorf("%s was not submitted within %d replies", what, report.Steps)
		e.Hint = "allow more with --max-steps, or use a stronger model"
	case llm.EndTruncated:
		e.Class = llm.ClassTruncated
		e.Err = fmt.Errorf("replies were cut at the output limit before %s was submitted", what)
		e.Hint = "raise OPENWIKI_MAX_OUTPUT_TOKENS"
	default:
		e.Err = fmt.Errorf("call after call was refused before %s was submitted", what)
	}
	return e
}

// stops marks errors after which nothing else of the run can succeed.
func stops(err error) error {
	var e *llm.Error
	if errors.As(err, &e) && e.EndsRun() {
		return &generate.StopError{Err: err}
	}
	return err
}

func (a *Author) fileTools(ws *workspace.Workspace, o filetools.Options) []llm.Tool {
	o.Redact = a.options.Redact
	return filetools.Tools(ws, o)
}
