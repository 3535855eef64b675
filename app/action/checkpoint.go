package action

import (
	"context"
	"sync"
	"time"
)

// A checkpointer pushes finished pages while the run goes on: after a page, one push at a time, and not more often than once in an interval.
type checkpointer struct {
	every time.Duration
	now   func() time.Time
	push  func(context.Context) error
	fail  func(error)

	mu      sync.Mutex
	busy    bool
	due     bool // a page was finished while a push was under way or the interval was not over
	last    time.Time
	count   int
	stopped bool
	pushes  sync.WaitGroup
}

// page says that a page was finished.
func (c *checkpointer) page(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = true
	c.start(ctx)
}

// start begins a push if one is due. The caller holds the lock.
func (c *checkpointer) start(ctx context.Context) {
	now := c.now()
	if c.stopped || c.busy || !c.due || !c.last.IsZero() && now.Sub(c.last) < c.every || ctx.Err() != nil {
		return
	}
	c.busy, c.due, c.last = true, false, now
	c.pushes.Go(func() {
		err := c.push(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.busy = false
		if err != nil {
			if ctx.Err() == nil {
				c.fail(err)
			}
			return
		}
		c.count++
		c.start(ctx)
	})
}

// stop waits for the push under way, if any, and lets no other begin. It returns how many there were.
func (c *checkpointer) stop() int {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	c.pushes.Wait()
	return c.count
}
