package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
)

// An outputError is a result that could not be printed.
type outputError struct{ err error }

// Error implements error.
func (e *outputError) Error() string { return "print the result: " + e.err.Error() }

// Unwrap returns why.
func (e *outputError) Unwrap() error { return e.err }

// printable replaces what could steer a terminal in text that comes from a repository.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.In(r, unicode.Bidi_Control) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// printJSON writes one object and a newline to standard output. Its error is an *outputError.
func (e *environment) printJSON(value any) error {
	encoder := json.NewEncoder(e.streams.Out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return &outputError{err}
	}
	return nil
}

// printResult tells a person what a run did: one line, then the pages that changed or are missing, then what needs a look.
func printResult(w io.Writer, r *app.Result, verbose bool) {
	switch r.Outcome {
	case generate.OutcomeNoop:
		fmt.Fprintf(w, "nothing to do: %s\n", noopText(r))
		printNotes(w, r)
		return
	case generate.OutcomeFailed:
		if len(r.Pages) == 0 {
			return // the error says it
		}
	}
	fmt.Fprintf(w, "%s: %s\n", r.Outcome, totalsText(r))
	for _, p := range r.Pages {
		if text := pageText(p); text != "" {
			fmt.Fprintf(w, "  %-10s %s\n", text, printable(pageLine(p)))
		}
	}
	printFindings(w, r, verbose)
	if r.SourceChanged {
		fmt.Fprintln(w, "the source changed during the run: run update again to take it in")
	}
	printNotes(w, r)
}

func printNotes(w io.Writer, r *app.Result) {
	for _, note := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", printable(note))
	}
}

// noopText says no more than was proved: without Claims, that nothing moved.
func noopText(r *app.Result) string {
	if r.Claims.Total == 0 {
		return "no source changed since the last update (no Claims)"
	}
	return fmt.Sprintf("the wiki is true to %s (%s)", shortCommit(r.GitHead), count(r.Claims.Total, "Claim"))
}

func totalsText(r *app.Result) string {
	text := fmt.Sprintf("%s written", count(r.Totals.Complete, "page"))
	if r.Totals.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", r.Totals.Skipped)
	}
	if r.Totals.Pending > 0 {
		text += fmt.Sprintf(", %d pending", r.Totals.Pending)
	}
	if r.Totals.Deleted > 0 {
		text += fmt.Sprintf(", %d deleted", r.Totals.Deleted)
	}
	text += fmt.Sprintf("; %s in the wiki", count(r.Claims.Total, "Claim"))
	if r.Claims.Stale+r.Claims.Unresolved > 0 {
		text += fmt.Sprintf(", %d stale, %d unresolved", r.Claims.Stale, r.Claims.Unresolved)
	}
	return text
}

func pageText(p app.PageResult) string {
	switch p.State {
	case generate.PageSkipped, generate.PagePending, generate.PageDeleted:
		return p.State
	case generate.PageComplete:
		return p.Change
	}
	return ""
}

func pageLine(p app.PageResult) string {
	if p.Reason == "" {
		return p.Path
	}
	return p.Path + ": " + p.Reason
}

// printFindings lists what a person should look at; all of them only with --verbose.
func printFindings(w io.Writer, r *app.Result, verbose bool) {
	const most = 10
	for i, f := range r.Findings {
		if i == most && !verbose {
			fmt.Fprintf(w, "  … %d more findings (--verbose shows them)\n", len(r.Findings)-most)
			return
		}
		place := f.Page
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d", f.Page, f.Line)
		}
		fmt.Fprintf(w, "  %s %s: %s\n", f.Kind, printable(place), printable(f.Message))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func shortCommit(commit string) string {
	if commit == "" {
		return "the work tree"
	}
	return commit[:min(len(commit), 10)]
}
