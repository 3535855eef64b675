// Package llm opens a language model and runs one bounded conversation with it.
//
// [Resolve] turns names of the environment into a [Config], or says everything that is missing from it; [Open] makes a [Model] without a
// request; [Model.Run] is the tool loop: it sends a [Task] to the model, calls the tools that the model asks for, and ends when a tool says
// that the work is done, when a limit is reached, or when the model does not use its tools.
//
// Package wire speaks the formats of the providers. What is here is what an unattended run needs beside that: one retry layer that obeys every form of "later" ([Config.Attempts], [Config.RetryBudget]); separate waits for the connection, the first byte and the
// next; one outcome whether a reply is streamed or not, and the other way tried where a gateway has only one; replies cut at the output
// limit that never reach a tool; arguments checked before they do; a [Budget] shared by all tasks of a run; and errors of one type with a
// class, the host and what to do ([Error]).
//
// It does not: choose what to say (generate/agent), read or write files, keep a conversation beyond one Run, or print a secret.
package llm

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"
)

// A Model is one model of one provider, ready for requests. It is safe for concurrent use.
type Model struct {
	config Config
	log    *slog.Logger
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	random func() float64

	sender    *sender
	price     price
	window    int64 // tokens of context, 0 when unknown
	mode      *transportMode
	reasoning *reasoningPolicy
}

// Options are what Open needs beside the Config. The zero Options is usable.
type Options struct {
	Log       *slog.Logger
	UserAgent string
	// Transport is under all requests; nil: one that takes proxies and certificates from the environment.
	Transport http.RoundTripper
	// Now, Sleep and Random (in [0,1)) are the clock and the jitter; nil: the real ones.
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Random func() float64
}

// Name returns the id of the model as the provider knows it.
func (m *Model) Name() string { return m.config.Model }

// Provider returns the id of the provider, as in OPENWIKI_PROVIDER.
func (m *Model) Provider() string { return m.config.Provider }

// A Tool is something the model may ask for. Schema is the JSON Schema of its arguments, an object; Call is only called with arguments
// that match it.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Call        func(ctx context.Context, args json.RawMessage) ToolResult
}

// A ToolResult is the answer to a tool call.
type ToolResult struct {
	// Text goes back to the model.
	Text string
	// IsError marks a refusal that the model can correct.
	IsError bool
	// Done ends the task: the work is handed in.
	Done bool
	// Fatal ends the task with this error, which the model never sees.
	Fatal error
}

// A Task is one conversation: what the model is, what it is asked, and what it may use.
type Task struct {
	// Name is for logs and events: "plan", or a page path.
	Name string
	// System is the standing part of the instructions. Providers cache it, so what differs between tasks belongs into Prompt.
	System string
	Prompt string
	Tools  []Tool
	// MaxSteps is the most replies; 0 means DefaultMaxSteps.
	MaxSteps int
	// KeepTokens is how much history is sent, estimated; beyond it results and arguments of old tool calls are dropped. 0 means
	// DefaultKeepTokens, or less where the model's context is smaller.
	KeepTokens int64
	// Nudge returns what is said to a model that answered without a tool call, for the nth time (from 1), and whether to go on.
	// Nil: it is told to use its tools, twice.
	Nudge func(text string, n int) (string, bool)
	// Budget is shared by the tasks of a run; nil: no limit.
	Budget *Budget
	// Observe is told of steps, tool calls, retries and usage, never of what the model says; nil: nobody is. It is called by one goroutine
	// at a time.
	Observe func(Event)
}

// Limits of a Task that does not set its own.
const (
	DefaultMaxSteps   = 60
	DefaultKeepTokens = 120_000
)

// An Event is something that happened in a task.
type Event struct {
	Task string
	// Kind is step, tool, retry, waiting or pruned.
	Kind string
	Step int
	// Tool and OK are of a tool call that has ended.
	Tool string
	OK   bool
	// Attempt, Delay and Err are of a retry.
	Attempt int
	Delay   time.Duration
	Err     error
	// Usage is of the step that ended.
	Usage Usage
}

// The kinds of events.
const (
	EventStep    = "step"    // a reply has arrived; Usage is its own
	EventTool    = "tool"    // a tool call has ended
	EventRetry   = "retry"   // a request is repeated after Delay, because of Err
	EventWaiting = "waiting" // a reply has been awaited for another minute
	EventPruned  = "pruned"  // results of old tool calls were dropped
)

// End says how a task ended without an error.
type End string

// The ends of a task.
const (
	EndDone       End = "done"        // a tool said so
	EndIdle       End = "idle"        // the model went on answering without its tools
	EndSteps      End = "steps"       // MaxSteps replies
	EndToolErrors End = "tool_errors" // call after call was refused
	EndTruncated  End = "truncated"   // reply after reply was cut at the output limit
)

// A Report is what a task came to.
type Report struct {
	End   End
	Steps int
	Usage Usage
	// LastText is the last prose of the model, at most 2,000 bytes. It is untrusted.
	LastText string
}
