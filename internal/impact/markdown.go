package impact

import (
	"fmt"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

const (
	// maxRows is how many statements of a page the Markdown shows, and how many pages that are only edited.
	maxRows = 50

	// maxMarkdown is how long the Markdown may be, in bytes. GitHub takes one MiB for the summary of a step and shows none of a longer one.
	maxMarkdown = 1_000_000
)

// Markdown returns the report for a job summary, at most 1,000,000 bytes. link returns the address of a line of a file at the head, or
// "". What does not fit is counted, with elsewhere behind it, which says where the rest is.
func (r *Report) Markdown(link func(file string, line int) string, elsewhere string) string {
	var b strings.Builder
	b.WriteString("## Wiki: " + safetext.Inline(r.Headline(), 300) + "\n")
	if r.Totals.Stale > 0 {
		b.WriteString("\nThe next update of the wiki writes these statements again. Nothing has to be done in this change.\n")
	}
	tail := r.editedMarkdown()
	const reserve = 1000 // for the sentence about what is left out
	pages, statements := 0, 0
	for i := range r.Pages {
		page := &r.Pages[i]
		if len(page.Findings) == 0 {
			continue
		}
		text := page.markdown(link)
		if pages > 0 || b.Len()+len(text)+len(tail)+reserve > maxMarkdown {
			pages++
			statements += len(page.statements())
			continue
		}
		b.WriteString(text)
	}
	if pages > 0 {
		fmt.Fprintf(&b, "\n… and %s on %s more. %s\n", count(statements, "statement"), count(pages, "page"), safetext.Inline(elsewhere, reserve/2))
	}
	return b.String() + tail
}

// markdown is a page with its statements, folded.
func (p *Page) markdown(link func(file string, line int) string) string {
	var b strings.Builder
	list := p.statements()
	edited := ""
	if p.Edited {
		edited = ", edited by the change"
	}
	fmt.Fprintf(&b, "\n<details><summary>%s: %s%s</summary>\n\n| Statement | Evidence | Change |\n| --- | --- | --- |\n",
		safetext.Inline(p.Title, 100), count(len(list), "statement"), edited)
	for i, s := range list {
		if i == maxRows {
			fmt.Fprintf(&b, "| … and %d more | | |\n", len(list)-maxRows)
			break
		}
		resource := safetext.Inline(strings.TrimPrefix(s.Resource, "repo://"), 120)
		if s.more > 0 {
			resource += fmt.Sprintf(" and %d more", s.more)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", safetext.Inline(s.Statement, 300), resource, s.linked(link))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// editedMarkdown lists the pages that the change edits without making a statement stale.
func (r *Report) editedMarkdown() string {
	list := r.editedOnly()
	if len(list) == 0 {
		return ""
	}
	var names []string
	for i, page := range list {
		if i == maxRows {
			names = append(names, fmt.Sprintf("%d more", len(list)-maxRows))
			break
		}
		names = append(names, safetext.Inline(page.Title, 100))
	}
	return "\nEdited by the change, with nothing made stale: " + strings.Join(names, ", ") + ".\n"
}

func (f *Finding) linked(link func(string, int) string) string {
	label := safetext.Inline(f.File, 120)
	if f.Line > 0 {
		label += fmt.Sprintf(":%d", f.Line)
	}
	if url := link(f.File, f.Line); url != "" && f.Line > 0 {
		label = "[" + label + "](" + url + ")"
	}
	return f.State + " at " + label
}
