package app

import (
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// SchemaVersion is the version of the Result object. It changes only when a field changes its meaning or goes.
const SchemaVersion = 1

// A Result is what one run reports: the object that --json prints and that the Action keeps as its report file. docs/result.schema.json
// describes it; a test holds both together. Every list is present, if empty; times are absent on purpose, so that equal runs print
// equal results.
type Result struct {
	SchemaVersion int            `json:"schemaVersion"`
	Outcome       string         `json:"outcome" jsonschema:"noop, complete, partial or failed"`
	Mode          string         `json:"mode" jsonschema:"init or update"`
	RunID         string         `json:"runId,omitempty"`
	Resumed       bool           `json:"resumed"`
	Author        string         `json:"author" jsonschema:"who writes: extractive, or agent for a language model"`
	AuthorReason  string         `json:"authorReason,omitempty"`
	Model         string         `json:"model,omitempty"`
	Language      string         `json:"language"`
	GitHead       string         `json:"gitHead,omitempty"`
	SourceChanged bool           `json:"sourceChanged"`
	Totals        Totals         `json:"totals"`
	Pages         []PageResult   `json:"pages"`
	Claims        ClaimTotals    `json:"claims"`
	Findings      []wiki.Finding `json:"findings"`
	Notes         []string       `json:"notes"`
	Usage         Usage          `json:"usage"`
	PlanUsage     Usage          `json:"planUsage" jsonschema:"the part of usage that went into the plan"`
	Error         *ErrorResult   `json:"error,omitempty"`
}

// Totals counts the pages of a run by their state at its end.
type Totals struct {
	Planned  int `json:"planned"`
	Complete int `json:"complete"`
	Skipped  int `json:"skipped"`
	Pending  int `json:"pending"`
	Deleted  int `json:"deleted"`
}

// A PageResult is what became of one page.
type PageResult struct {
	Path     string       `json:"path"`
	State    string       `json:"state" jsonschema:"complete, skipped, pending, deleted or kept"`
	Change   string       `json:"change" jsonschema:"new, rewritten, unchanged or removed"`
	Reason   string       `json:"reason,omitempty"`
	Attempts int          `json:"attempts"`
	Claims   ClaimChanges `json:"claims"`
	Usage    Usage        `json:"usage"`
}

// ClaimChanges counts the decisions on the Claims of one page.
type ClaimChanges struct {
	Added     int `json:"added"`
	Revised   int `json:"revised"`
	Confirmed int `json:"confirmed"`
	Retracted int `json:"retracted"`
}

// ClaimTotals counts the Claims of the whole wiki at the end of the run.
type ClaimTotals struct {
	Total      int `json:"total"`
	Stale      int `json:"stale"`
	Unresolved int `json:"unresolved"`
}

// Usage is what a model used; all zero for the extractive author.
type Usage struct {
	Requests          int     `json:"requests"`
	InputTokens       int     `json:"inputTokens"`
	CachedInputTokens int     `json:"cachedInputTokens"`
	OutputTokens      int     `json:"outputTokens"`
	CostUSD           float64 `json:"costUSD"`
}

// An ErrorResult tells why a run failed and what to do next.
type ErrorResult struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}
