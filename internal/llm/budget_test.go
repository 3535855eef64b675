package llm

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	clock := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	now := func() time.Time { return clock }
	for _, test := range []struct {
		name   string
		limits Limits
		used   Usage
		after  time.Duration
		want   string // of the error; "" allows
		near   bool
	}{
		{"no limit", Limits{}, Usage{Requests: 1e6, CostUSD: 1e6}, time.Hour, "", false},
		{"below", Limits{Requests: 10}, Usage{Requests: 8}, 0, "", false},
		{"near", Limits{Requests: 10}, Usage{Requests: 9}, 0, "", true},
		{"requests", Limits{Requests: 10}, Usage{Requests: 10}, 0, "the limit of 10 requests is reached", true},
		{"input", Limits{InputTokens: 1000}, Usage{InputTokens: 1200}, 0, "the limit of 1000 input tokens is reached", true},
		{"output", Limits{OutputTokens: 50}, Usage{OutputTokens: 50}, 0, "the limit of 50 output tokens is reached", true},
		{"cost", Limits{CostUSD: 1.5}, Usage{CostUSD: 1.5}, 0, "the limit of 1.50 USD is reached", true},
		{"time", Limits{Time: time.Minute}, Usage{}, time.Minute, "the limit of 1m0s is reached", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
			b := NewBudget(test.limits, now)
			b.Add(test.used)
			clock = clock.Add(test.after)
			err := b.Allow()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("Allow() = %v, want %q", err, test.want)
			}
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Class != ClassBudget || e.Hint == "") {
				t.Errorf("class and hint of %#v", err)
			}
			if b.Near() != test.near {
				t.Errorf("Near() = %v, want %v", b.Near(), test.near)
			}
		})
	}
	var none *Budget
	none.Add(Usage{Requests: 1})
	if none.Allow() != nil || none.Near() || none.Used() != (Usage{}) {
		t.Error("no budget is no limit")
	}
}

func TestUsage_Add(t *testing.T) {
	priced := Usage{Requests: 1, InputTokens: 10, CachedInputTokens: 4, CacheWriteTokens: 2, OutputTokens: 3, ReasoningTokens: 1, CostUSD: 0.5, Priced: true}
	if got, want := priced.Add(priced), (Usage{Requests: 2, InputTokens: 20, CachedInputTokens: 8, CacheWriteTokens: 4, OutputTokens: 6, ReasoningTokens: 2, CostUSD: 1, Priced: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (Usage{}).Add(priced); got != priced {
		t.Errorf("zero + u = %+v", got)
	}
	if got := priced.Add(Usage{Requests: 1}); got.Priced {
		t.Error("a sum with an unpriced part is not priced")
	}
}
