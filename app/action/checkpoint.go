package action

import (
	"context"
	"sync"
	"time"
)

// settle is how long a finished page waits for its push when the interval allows one: a run that is over by then publishes anyhow, and need
// not do it twice.
const settle = 5 * time.Second

// A checkpointer pushes finished pages while the run goes on: shortly after a page, one push at a time, and not more often than once in an
// interval. A page that is finished before the interval is over is pushed when it is, however long the next page takes: also the last
// one, while the run puts the whole wiki in order.
type checkpointer struct {
	every time.Duration
	push  func(context.Context) error
	fail  func(error)

	mu      sync.Mutex
	busy    bool
	due     bool // a page was finished that is not pushed
	last    time.Time
	timer   *time.Timer // begins the push that is due; nil when none waits
	count   int
	stopped bool
	pushes  sync.WaitGroup
}

// page says that a page was finished.
func (c *checkpointer) page(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = true
	c.plan(ctx)
}

// plan has the push that is due begin when it may. The caller holds the lock.
func (c *checkpointer) plan(ctx context.Context) {
	if c.stopped || c.busy || !c.due || c.timer != nil || ctx.Err() != nil {
		return
	}
	wait := min(settle, c.every)
	if !c.last.IsZero() {
		wait = max(wait, c.every-time.Since(c.last))
	}
	if wait <= 0 {
		c.begin(ctx)
		return
	}
	c.timer = time.AfterFunc(wait, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.timer = nil
		if !c.stopped && ctx.Err() == nil {
			c.begin(ctx)
		}
	})
}

// begin starts a push. The caller holds the lock.
func (c *checkpointer) begin(ctx context.Context) {
	c.busy, c.due, c.last = true, false, time.Now()
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
		c.plan(ctx)
	})
}

// stop waits for the push under way, if any, and lets no other begin. It returns how many there were.
func (c *checkpointer) stop() int {
	c.mu.Lock()
	c.stopped = true
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mu.Unlock()
	c.pushes.Wait()
	return c.count
}
