package impact

import (
	"fmt"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

// maxRows is how many statements of a page the Markdown shows.
const maxRows = 50

// Markdown returns the report for a job summary. link returns the address of a line of a file at the head, or "".
func (r *Report) Markdown(link func(file string, line int) string) string {
	var b strings.Builder
	b.WriteString("## Wiki: " + safetext.Inline(r.Headline(), 300) + "\n")
	if len(r.Pages) == 0 {
		return b.String()
	}
	b.WriteString("\nThe next update of the wiki writes these statements again. Nothing has to be done in this change.\n")
	for _, page := range r.Pages {
		list := page.statements()
		edited := ""
		if page.Edited {
			edited = ", edited by the change"
		}
		fmt.Fprintf(&b, "\n<details><summary>%s: %s%s</summary>\n\n| Statement | Evidence | Change |\n| --- | --- | --- |\n",
			safetext.Inline(page.Title, 100), count(len(list), "statement"), edited)
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
	}
	return b.String()
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
