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
// A request is let through when the limits hold for it and for all requests under way, each taken to use as much as the largest so far. The
// number of requests is exact; tokens and cost can be passed by what a request uses more than any before it.
type Budget struct {
	limits Limits
	now    func() time.Time
	start  time.Time

	mu      sync.Mutex
	used    Usage
	flying  int
	largest Usage // the most that one request has used, of each
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
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.allow()
}

// begin is Allow for a request that is sent now; settle must follow.
func (b *Budget) begin() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.allow(); err != nil {
		return err
	}
	b.flying++
	return nil
}

// settle counts what a request that was begun has used.
func (b *Budget) settle(u Usage) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flying--
	b.add(u)
}

func (b *Budget) allow() error {
	limit, next := b.reached(b.used, 1)
	if limit == "" {
		limit, next = b.passed()
	}
	if limit == "" {
		return nil
	}
	return &Error{Class: ClassBudget, Err: fmt.Errorf("the limit of %s is reached", limit), Hint: next}
}

func (b *Budget) add(u Usage) {
	b.used = b.used.Add(u)
	b.largest.InputTokens = max(b.largest.InputTokens, u.InputTokens)
	b.largest.OutputTokens = max(b.largest.OutputTokens, u.OutputTokens)
	b.largest.CostUSD = max(b.largest.CostUSD, u.CostUSD)
}

// passed names the first limit that the requests under way and another one are about to pass.
func (b *Budget) passed() (limit, next string) {
	n := b.flying + 1
	expected := Usage{
		Requests:     b.used.Requests + n,
		InputTokens:  b.used.InputTokens + int64(n)*b.largest.InputTokens,
		OutputTokens: b.used.OutputTokens + int64(n)*b.largest.OutputTokens,
		CostUSD:      b.used.CostUSD + float64(n)*b.largest.CostUSD,
	}
	l := b.limits
	if l.Requests > 0 && expected.Requests <= l.Requests {
		expected.Requests = 0
	}
	if expected.InputTokens <= l.InputTokens {
		expected.InputTokens = 0
	}
	if expected.OutputTokens <= l.OutputTokens {
		expected.OutputTokens = 0
	}
	if expected.CostUSD <= l.CostUSD {
		expected.CostUSD = 0
	}
	return b.reached(expected, 1)
}

// Near reports that nine tenths of some limit are used: what is begun now may not be finished.
func (b *Budget) Near() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	limit, _ := b.reached(b.used, 0.9)
	return limit != ""
}

// Add counts what was used outside of a Run.
func (b *Budget) Add(u Usage) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(u)
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
func (b *Budget) reached(used Usage, part float64) (limit, next string) {
	l := b.limits
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
