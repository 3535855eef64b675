package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/wikiwright/wikiwright/generate"
)

// progress shows a run while it goes: one line that is rewritten on a terminal, a line per step elsewhere.
type progress struct {
	out   io.Writer
	live  bool
	quiet bool
	start time.Time
	shown int // width of the live line
}

func newProgress(out io.Writer, quiet bool) *progress {
	p := &progress{out: out, quiet: quiet, start: time.Now()}
	if file, ok := out.(*os.File); ok {
		p.live = term.IsTerminal(int(file.Fd()))
	}
	return p
}

// event is the sink of a run's events.
func (p *progress) event(e generate.Event) {
	if p.quiet {
		return
	}
	text := printable(eventText(e))
	if text == "" {
		return
	}
	if !p.live || e.Stage == generate.StageText {
		p.clear()
		fmt.Fprintln(p.out, text)
		return
	}
	line := fmt.Sprintf("%s (%s)", text, time.Since(p.start).Round(100*time.Millisecond))
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", max(0, p.shown-len(line))))
	p.shown = len(line)
}

func eventText(e generate.Event) string {
	switch e.Stage {
	case generate.StagePlanning:
		if e.Resumed {
			return "planning (going on with the interrupted run)"
		}
		return "planning: reading the source"
	case generate.StageGenerating:
		return fmt.Sprintf("page %d of %d: %s", e.PageIndex, e.PageCount, e.Page)
	case generate.StageFinalizing:
		return "finishing: indexes, links, provenance"
	case generate.StageText:
		return e.Text
	}
	return ""
}

// done clears the live line.
func (p *progress) done() { p.clear() }

func (p *progress) clear() {
	if p.shown > 0 {
		fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}
