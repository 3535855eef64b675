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
		if len(page.Findings) == 0 {
			continue
		}
		edited := ""
		if page.Edited {
			edited = " (edited by the change)"
		}
		fmt.Fprintf(w, "\n%s%s\n", safetext.Log(page.Path), edited)
		for _, s := range page.statements() {
			more := ""
			if s.more > 0 {
				more = " and " + count(s.more, "more place")
			}
			fmt.Fprintf(w, "  %s %s%s: %s\n", s.place(), s.State, more, safetext.Log(s.Statement))
		}
	}
	for i, page := range r.editedOnly() {
		if i == 0 {
			fmt.Fprint(w, "\nedited by the change, with nothing made stale:\n")
		}
		fmt.Fprintf(w, "  %s\n", safetext.Log(page.Path))
	}
}

// editedOnly returns the pages that the change edits without making a statement stale.
func (r *Report) editedOnly() []Page {
	var list []Page
	for _, page := range r.Pages {
		if len(page.Findings) == 0 {
			list = append(list, page)
		}
	}
	return list
}

// A statement is a Claim with the first place that the change takes from it.
type statement struct {
	Finding
	more int // further places
}

// statements returns the findings of a page, one for each Claim.
func (p *Page) statements() []statement {
	var list []statement
	for _, f := range p.Findings {
		if n := len(list); n > 0 && list[n-1].Claim == f.Claim {
			list[n-1].more++
			continue
		}
		list = append(list, statement{Finding: f})
	}
	return list
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
		count(r.stalePages(), "page"), r.beside())
}

// stalePages counts the pages with statements that the change makes stale.
func (r *Report) stalePages() int {
	n := 0
	for i := range r.Pages {
		if len(r.Pages[i].Findings) > 0 {
			n++
		}
	}
	return n
}

// beside tells what is not counted.
func (r *Report) beside() string {
	var parts []string
	if n := r.Totals.Moved; n > 0 {
		parts = append(parts, fmt.Sprintf("%d cited in other lines now", n))
	}
	if n := r.Totals.StaleBefore; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of changed files stale before", n))
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
