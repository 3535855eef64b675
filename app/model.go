package app

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/agent"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/secretscan"
)

// A Model says which language model may write. The zero Model is none.
type Model struct {
	// Provider and Name are known before any key is; Reason says what chose them.
	Provider, Name, Reason string
	// Config is asked for the rest, and only when there is work to do: the proof that there is none needs no key.
	Config func() (llm.Config, error)
	// Open replaces llm.Open; nil is llm.Open.
	Open func(context.Context, llm.Config, llm.Options) (*llm.Model, error)
}

func (m Model) configured() bool { return m.Config != nil }

// Limits bound what a run may spend on a model. A zero field is its default, a negative one no limit.
type Limits struct {
	Steps        int // replies of the model for one page, or for the plan
	Requests     int
	InputTokens  int64
	OutputTokens int64
	CostUSD      float64
	Duration     time.Duration
}

// DefaultLimits are far above what a wiki of 40 pages needs, and below what hurts.
func DefaultLimits() Limits {
	return Limits{Steps: llm.DefaultMaxSteps, Requests: 3000, InputTokens: 100_000_000, OutputTokens: 5_000_000, CostUSD: 25, Duration: 5 * time.Hour}
}

// effective returns the limits with defaults for zero and zero for none.
func (l Limits) effective() llm.Limits {
	d := DefaultLimits()
	return llm.Limits{
		Requests: limit(l.Requests, d.Requests), InputTokens: limit(l.InputTokens, d.InputTokens), OutputTokens: limit(l.OutputTokens, d.OutputTokens),
		CostUSD: limit(l.CostUSD, d.CostUSD), Time: limit(l.Duration, d.Duration),
	}
}

func limit[T int | int64 | float64 | time.Duration](given, usual T) T {
	return max(0, cmp.Or(given, usual))
}

// modelRun is the model author of one run and what it has used.
type modelRun struct {
	model  Model
	limits Limits
	log    *slog.Logger
	tell   func(generate.Event)
	now    func() time.Time

	mu     sync.Mutex
	budget *llm.Budget
	tasks  map[string]llm.Usage
}

// hurry reports that a limit is near.
func (r *modelRun) hurry() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.budget.Near()
}

func (r *modelRun) newAuthor(ctx context.Context) (generate.Author, error) {
	config, err := r.model.Config()
	if err != nil {
		return nil, &ModelError{Err: err}
	}
	open := r.model.Open
	if open == nil {
		open = llm.Open
	}
	model, err := open(ctx, config, llm.Options{Log: r.log, UserAgent: "wikiwright", Now: r.now})
	if err != nil {
		return nil, &ModelError{Err: err}
	}
	budget := llm.NewBudget(r.limits.effective(), r.now)
	r.mu.Lock()
	r.budget = budget
	r.mu.Unlock()
	return agent.New(agent.Options{
		Model: model, Budget: budget, MaxSteps: max(0, r.limits.Steps),
		Redact: secretscan.New().Redact, OnUsage: r.used, Observe: r.observe, Log: r.log,
	}), nil
}

func (r *modelRun) used(task string, u llm.Usage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tasks[task] = r.tasks[task].Add(u)
}

// observe passes on what a person who waits wants to know.
func (r *modelRun) observe(e llm.Event) {
	switch e.Kind {
	case llm.EventRetry:
		r.log.Warn("the model is asked again", "task", e.Task, "attempt", e.Attempt, "in", e.Delay.Round(time.Second), "because", e.Err)
	case llm.EventWaiting:
		r.log.Info("still waiting for the model", "task", e.Task, "step", e.Step)
	case llm.EventStep:
		r.log.Debug("reply", "task", e.Task, "step", e.Step, "input", e.Usage.InputTokens, "output", e.Usage.OutputTokens)
	}
}

// account writes what the tasks used into the result: for each page, for the plan, and together.
func (r *modelRun) account(result *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var total llm.Usage
	for _, u := range r.tasks {
		total = total.Add(u)
	}
	result.Usage = usageOf(total)
	result.PlanUsage = usageOf(r.tasks[agent.PlanTask])
	for i := range result.Pages {
		result.Pages[i].Usage = usageOf(r.tasks[result.Pages[i].Path])
	}
	if total.Requests > 0 && !total.Priced {
		result.Notes = append(result.Notes, "the price of "+r.model.Name+" is not known: cost counts only what is")
	}
}

func usageOf(u llm.Usage) Usage {
	return Usage{
		Requests: u.Requests, InputTokens: int(u.InputTokens), CachedInputTokens: int(u.CachedInputTokens), OutputTokens: int(u.OutputTokens),
		CostUSD: math.Round(u.CostUSD*1e6) / 1e6,
	}
}

// A ModelError is a model that cannot be used as configured: found before anything was written.
type ModelError struct{ Err error }

// Error returns the cause.
func (e *ModelError) Error() string { return "prepare the model: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ModelError) Unwrap() error { return e.Err }
