package impact

import (
	"fmt"
	"io"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

// Text writes the report for a terminal.
func (r *Report) Text(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	for _, page := range r.Pages {
		edited := ""
		if page.Edited {
			edited = " (edited by the change)"
		}
		fmt.Fprintf(w, "\n%s%s\n", safetext.Log(page.Path), edited)
		for _, f := range page.Findings {
			fmt.Fprintf(w, "  %s %s: %s\n", f.place(), f.State, safetext.Log(f.Statement))
		}
	}
}

// place is where the change is, as editors and terminals understand it.
func (f *Finding) place() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", safetext.Log(f.File), f.Line)
	}
	return safetext.Log(f.File)
}

// Headline says the result in a line.
func (r *Report) Headline() string {
	change := short(r.Base) + ".." + short(r.Head)
	if r.WorkTree {
		change += " and the work tree"
	}
	if !r.Exists {
		return "there is no wiki to check; wikiwright init writes one"
	}
	if r.Totals.Stale == 0 {
		return fmt.Sprintf("the change %s makes none of %s stale%s", change, count(r.Totals.Claims, "statement"), r.beside())
	}
	return fmt.Sprintf("the change %s makes %d of %s on %s stale%s", change, r.Totals.Stale, count(r.Totals.Claims, "statement"),
		count(len(r.Pages), "page"), r.beside())
}

// beside tells what is not counted.
func (r *Report) beside() string {
	var parts []string
	if n := r.Totals.Moved; n > 0 {
		parts = append(parts, fmt.Sprintf("%d cited in other lines now", n))
	}
	if n := r.Totals.StaleBefore; n > 0 {
		parts = append(parts, fmt.Sprintf("%d stale before", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func short(sha string) string {
	if sha == "" {
		return "nothing"
	}
	return sha[:min(len(sha), 10)]
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
