package llm

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"
)

// Open prepares a model. It sends no request. Errors are *Error of ClassConfig.
func Open(_ context.Context, c Config, o Options) (*Model, error) {
	known, ok := providerByID(c.Provider)
	if !ok {
		return nil, &Error{Class: ClassConfig, Err: fmt.Errorf("unknown provider %q", c.Provider), Hint: "use one of " + strings.Join(Providers(), ", ")}
	}
	c = c.withDefaults()
	m := &Model{
		config: c, log: o.Log, now: o.Now, sleep: o.Sleep, random: o.Random,
		mode: newTransportMode(c.Stream, known.stream), reasoning: &reasoningPolicy{},
	}
	m.setDefaults()
	m.price, m.window, m.config.MaxOutputTokens = lookUp(c, known)
	o.UserAgent = cmp.Or(o.UserAgent, "wikiwright")
	m.sender = newSender(c, known, o)
	return m, nil
}

func (c Config) withDefaults() Config {
	c.Attempts = cmp.Or(c.Attempts, DefaultAttempts)
	c.RetryBudget = cmp.Or(c.RetryBudget, DefaultRetryBudget)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, DefaultConnectTimeout)
	c.FirstByteTimeout = cmp.Or(c.FirstByteTimeout, DefaultFirstByteTimeout)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, DefaultIdleTimeout)
	c.Stream = cmp.Or(c.Stream, StreamAuto)
	return c
}

func (m *Model) setDefaults() {
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	if m.now == nil {
		m.now = time.Now
	}
	if m.random == nil {
		m.random = rand.Float64
	}
	if m.sleep == nil {
		m.sleep = pause
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
