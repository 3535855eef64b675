package action

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/sethvargo/go-githubactions"
)

// A console writes the log of a workflow. Everything but the commands it makes itself is text: no line of it is taken for a workflow
// command, and no known secret is in it. It may be used by several goroutines.
//
// go-githubactions makes the commands, whose data it escapes. Its outputs, variables and summary are not used: their delimiter is fixed,
// and they panic when a file cannot be written.
type console struct {
	mu      sync.Mutex
	out     io.Writer
	actions *githubactions.Action
	secrets *secrets
	clean   func(string) string // makes a line of foreign text harmless
	debug   bool                // RUNNER_DEBUG
	runner  bool                // a runner reads commands; otherwise they are told as text
}

// patient hides write errors: the log is no place to fail, and go-githubactions panics on them.
type patient struct{ w io.Writer }

func (p patient) Write(b []byte) (int, error) {
	_, _ = p.w.Write(b)
	return len(b), nil
}

func newConsole(out io.Writer, s *secrets, runner, debug bool, clean func(string) string) *console {
	return &console{out: patient{out}, actions: githubactions.New(githubactions.WithWriter(patient{out})), secrets: s, clean: clean, debug: debug, runner: runner}
}

// text returns a text as it may be shown.
func (c *console) text(s string) string { return c.clean(c.secrets.redact(s)) }

// line prints text, each of its lines by itself.
func (c *console) line(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for part := range strings.SplitSeq(strings.TrimRight(s, "\r\n"), "\n") {
		_, _ = io.WriteString(c.out, c.text(part)+"\n")
	}
}

// command gives the runner a command, or prints its text where there is none.
func (c *console) command(name, s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runner {
		c.actions.IssueCommand(&githubactions.Command{Name: name, Message: c.text(s)})
		return
	}
	_, _ = io.WriteString(c.out, name+": "+c.text(s)+"\n")
}

func (c *console) notice(s string)  { c.command("notice", s) }
func (c *console) warning(s string) { c.command("warning", s) }
func (c *console) failure(s string) { c.command("error", s) }

// group folds what follows until the returned function is called.
func (c *console) group(title string) (end func()) {
	if !c.runner {
		c.line(title)
		return func() {}
	}
	c.command("group", title)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.actions.EndGroup()
	}
}

// mask hides all known secrets in what anybody prints from now on. Without a runner the commands themselves would show them.
func (c *console) mask() {
	if !c.runner {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, form := range c.secrets.masks() {
		c.actions.AddMask(form)
	}
}

// logger returns a logger to the console: warnings and errors become annotations, the rest is shown with RUNNER_DEBUG.
func (c *console) logger() *slog.Logger { return slog.New(&logHandler{console: c}) }

type logHandler struct {
	console *console
	attrs   string
	prefix  string
}

// Enabled implements slog.Handler.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || h.console.debug
}

// Handle implements slog.Handler.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	var text strings.Builder
	text.WriteString(r.Message + h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		text.WriteString(" " + h.prefix + a.Key + "=" + a.Value.String())
		return true
	})
	switch {
	case r.Level >= slog.LevelError:
		h.console.failure(text.String())
	case r.Level >= slog.LevelWarn:
		h.console.warning(text.String())
	default:
		h.console.command("debug", text.String())
	}
	return nil
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	for _, a := range attrs {
		next.attrs += " " + h.prefix + a.Key + "=" + a.Value.String()
	}
	return &next
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	next := *h
	next.prefix += name + "."
	return &next
}
