package generatetest

import (
	"errors"
	"sync"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// ErrCrash is what every durable step returns from the crash on.
var ErrCrash = errors.New("the process ended here")

// Crash ends a run, as far as its files can tell, at one durable step: that
// step and every later one fails. A step is counted twice, before and after it
// is done, so that a run can end on either side of it.
type Crash struct {
	mu    sync.Mutex
	at    int
	once  error // the step fails with it, and the run lives on
	full  error // this step and later ones that need room fail with it, and the run lives on
	seen  int
	last  atomicfile.Step
	ended bool
}

// CrashAt returns a crash at the n-th point, counted from 1; 0 never crashes.
func CrashAt(n int) *Crash { return &Crash{at: n} }

// FailAt returns a crash that is none: only the step at the n-th point fails,
// with err, as when the disk is full for a moment.
func FailAt(n int, err error) *Crash { return &Crash{at: n, once: err} }

// FullAt returns a crash that is none: from the n-th point on every step that
// needs room fails with err, as when the disk is full. What only removes goes
// on.
func FullAt(n int, err error) *Crash { return &Crash{at: n, full: err} }

// Arm makes a run report its durable steps to the crash.
func (c *Crash) Arm(opt *generate.Options) error {
	git, err := atomicfile.Open(opt.Repo.GitDir)
	if err != nil {
		return err
	}
	opt.Files, opt.GitFiles = opt.Files.WithHook(c.step), git.WithHook(c.step)
	return nil
}

// Now makes the next step fail, and every later one.
func (c *Crash) Now() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.seen + 1
}

func (c *Crash) step(s atomicfile.Step) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen++
	if c.full != nil {
		return c.needRoom(s)
	}
	if c.ended && c.once == nil {
		return ErrCrash
	}
	if !c.ended {
		c.last = s
	}
	if c.seen == c.at {
		c.ended = true
		if c.once != nil {
			return c.once
		}
		return ErrCrash
	}
	return nil
}

// needRoom fails a step that takes room on a full disk. The caller holds the
// lock.
func (c *Crash) needRoom(s atomicfile.Step) error {
	if c.seen < c.at || s.When == atomicfile.After || s.Op != atomicfile.OpWrite && s.Op != atomicfile.OpMkdir {
		return nil
	}
	if !c.ended {
		c.last, c.ended = s, true
	}
	return c.full
}

// Points returns how many points the run has passed.
func (c *Crash) Points() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

// Happened reports whether the run got as far as the crash.
func (c *Crash) Happened() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// Last returns the step at which it happened.
func (c *Crash) Last() atomicfile.Step {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}
