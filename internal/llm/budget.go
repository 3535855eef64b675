package llm

import (
	"fmt"
	"sync"
	"time"
)

// Usage is what requests used. InputTokens counts all input; CachedInputTokens and CacheWriteTokens say how much of it was read from, or
// written to, the provider's cache. CostUSD is an estimate from published prices, and zero when Priced is false.
type Usage struct {
	Requests          int
	InputTokens       int64
	CachedInputTokens int64
	CacheWriteTokens  int64
	OutputTokens      int64
	ReasoningTokens   int64
	CostUSD           float64
	Priced            bool
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	sum := Usage{
		Requests:          u.Requests + v.Requests,
		InputTokens:       u.InputTokens + v.InputTokens,
		CachedInputTokens: u.CachedInputTokens + v.CachedInputTokens,
		CacheWriteTokens:  u.CacheWriteTokens + v.CacheWriteTokens,
		OutputTokens:      u.OutputTokens + v.OutputTokens,
		ReasoningTokens:   u.ReasoningTokens + v.ReasoningTokens,
		CostUSD:           u.CostUSD + v.CostUSD,
		Priced:            u.Priced && v.Priced,
	}
	if u.Requests == 0 {
		sum.Priced = v.Priced
	}
	if v.Requests == 0 {
		sum.Priced = u.Priced
	}
	return sum
}

// Limits bound all tasks of a run together. Zero is no limit.
type Limits struct {
	Requests     int
	InputTokens  int64
	OutputTokens int64
	CostUSD      float64
	Time         time.Duration
}

// A Budget is what a run may still spend. It is safe for concurrent use.
//
// It is asked before each request, and told after it: tasks at work at the same time may together pass a limit by one request each.
type Budget struct {
	limits Limits
	now    func() time.Time
	start  time.Time

	mu   sync.Mutex
	used Usage
}

// NewBudget returns a budget that begins now; now is the clock, nil for the real one.
func NewBudget(l Limits, now func() time.Time) *Budget {
	if now == nil {
		now = time.Now
	}
	return &Budget{limits: l, now: now, start: now()}
}

// Allow returns nil while another request may be sent, else an *Error of ClassBudget that names the limit.
func (b *Budget) Allow() error {
	if b == nil {
		return nil
	}
	if limit, next := b.reached(1); limit != "" {
		return &Error{Class: ClassBudget, Err: fmt.Errorf("the limit of %s is reached", limit), Hint: next}
	}
	return nil
}

// Near reports that nine tenths of some limit are used: what is begun now may not be finished.
func (b *Budget) Near() bool {
	if b == nil {
		return false
	}
	limit, _ := b.reached(0.9)
	return limit != ""
}

// Add counts what a request used.
func (b *Budget) Add(u Usage) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = b.used.Add(u)
}

// Used returns what was used so far.
func (b *Budget) Used() Usage {
	if b == nil {
		return Usage{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// reached names the first limit of which the part is used, and what a person can do about it.
func (b *Budget) reached(part float64) (limit, next string) {
	used, l := b.Used(), b.limits
	const finished = "finished pages are kept; the next run goes on; to allow more, raise "
	switch {
	case l.Requests > 0 && float64(used.Requests) >= part*float64(l.Requests):
		return fmt.Sprintf("%d requests", l.Requests), finished + "max-requests"
	case l.InputTokens > 0 && float64(used.InputTokens) >= part*float64(l.InputTokens):
		return fmt.Sprintf("%d input tokens", l.InputTokens), finished + "max-input-tokens"
	case l.OutputTokens > 0 && float64(used.OutputTokens) >= part*float64(l.OutputTokens):
		return fmt.Sprintf("%d output tokens", l.OutputTokens), finished + "max-output-tokens"
	case l.CostUSD > 0 && used.CostUSD >= part*l.CostUSD:
		return fmt.Sprintf("%.2f USD", l.CostUSD), finished + "max-cost-usd"
	case l.Time > 0 && float64(b.now().Sub(b.start)) >= part*float64(l.Time):
		return l.Time.String(), finished + "max-duration"
	}
	return "", ""
}
