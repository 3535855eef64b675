package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// sections returns the text of the pull request in the order in which a maintainer needs it.
func (d *bodyData) sections(level int) string {
	if level == levelState {
		return join(d.Header, d.state(), d.elsewhere("The details are too long to be shown here"), d.controls(level))
	}
	return join(d.Header, d.state(), d.reviewFirst(), d.pageTable(level), d.statements(level), d.shortened(level), d.lostEvidence(level), d.movedEvidence(level),
		d.blocked(), d.notDone(level), d.findings(level), d.cost(level), d.controls(level), d.settings(level))
}

// join puts the parts that are not empty under one another.
func join(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(part)
	}
	return b.String()
}

// section puts a heading over a text, and leaves both out when there is no text.
func section(heading, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "### " + heading + "\n\n" + strings.TrimSpace(text)
}

// details folds a text.
func details(summary, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "<details><summary>" + summary + "</summary>\n\n" + strings.TrimSpace(text) + "\n\n</details>"
}

// list returns items as a list, at most max of them when max is positive, and how many are left out.
func list(items []string, max int) string {
	var b strings.Builder
	for i, item := range items {
		if max > 0 && i == max && len(items) > max {
			fmt.Fprintf(&b, "- … and %d more\n", len(items)-max)
			break
		}
		b.WriteString("- " + item + "\n")
	}
	return b.String()
}

// rowLimit is how many entries a list or table has at a level; 0 is all.
func rowLimit(level, short int) int {
	if level >= levelTable {
		return short
	}
	return 0
}

// state says in a line how far the run came and what changed, then what a maintainer must know before anything else.
func (d *bodyData) state() string {
	parts := []string{d.progress()}
	if pages := pageCounts(d.delta()); pages != "" {
		parts = append(parts, pages)
	}
	if statements := statementCounts(d.delta()); statements != "" {
		parts = append(parts, "statements: "+statements)
	}
	if n := len(blockedPages(d.Blocked)); n > 0 {
		parts = append(parts, count(n, "page")+" blocked")
	}
	if about := d.about(); about != "" {
		parts = append(parts, about)
	}
	text := strings.Join(parts, " · ")
	for _, sentence := range d.sentences() {
		text += "\n\n" + sentence
	}
	return text
}

// progress says how far the run came.
func (d *bodyData) progress() string {
	done, due := d.counts()
	switch d.Bundle.State {
	case StateComplete:
		return "**Complete**"
	case StateRunning:
		return fmt.Sprintf("**Still running: %d of %s done**", done, count(due, "page"))
	case StateFailed:
		return fmt.Sprintf("**Failed with %d of %s done**", done, count(due, "page"))
	case StatePartial:
		return fmt.Sprintf("**Partial: %d of %s done**", done, count(due, "page"))
	}
	return "**Nothing was written**"
}

// counts returns how many pages are done and how many were due.
func (d *bodyData) counts() (done, due int) {
	for _, p := range d.Bundle.Pages {
		switch p.State {
		case "complete", "deleted":
			done, due = done+1, due+1
		case "skipped", "pending", "blocked":
			due++
		}
	}
	return done, due
}

// about says what the wiki describes and who wrote it.
func (d *bodyData) about() string {
	var parts []string
	if sha := d.Bundle.BaseSHA; sha != "" {
		text := "describes [" + short(sha) + "](" + d.RepoURL + "/commit/" + sha + ")"
		if d.Bundle.BaseRef != "" {
			text += " of " + safetext.Inline(d.Bundle.BaseRef, 60)
		}
		parts = append(parts, text)
	}
	switch run := d.Bundle.Run; {
	case run.Model != "":
		parts = append(parts, "written by "+safetext.Inline(run.Model, 60))
	case run.Author == "extractive":
		parts = append(parts, "written without a model")
	}
	return strings.Join(parts, " · ")
}

// sentences returns what stands under the state line.
func (d *bodyData) sentences() []string {
	var text []string
	if message := d.Bundle.Run.Error; message != "" {
		text = append(text, strings.TrimSpace("**Stopped early:** "+sentence(safetext.Inline(message, 300))+" "+upper(sentence(safetext.Inline(d.Bundle.Run.Hint, 300)))))
	}
	if d.Supersedes > 0 {
		text = append(text, fmt.Sprintf("Follows #%d, which was closed.", d.Supersedes))
	}
	if files := d.extraFiles(); len(files) > 0 {
		text = append(text, "Also brings the block that tells agents of the wiki up to date in "+strings.Join(files, " and ")+".")
	}
	text = append(text, d.Notices...)
	if d.DefaultToken {
		text = append(text, "> [!NOTE]\n> Checks do not start by themselves: the pull request was made with the workflow's own token. "+
			"Close and reopen it to start them, or give the Action a token of a GitHub App.")
	}
	return text
}

// extraFiles names the files outside the wiki that are published too.
func (d *bodyData) extraFiles() []string {
	var names []string
	for _, f := range d.Bundle.Extra {
		if !slices.ContainsFunc(d.Blocked, func(b Blocked) bool { return b.Path == f.Path }) {
			names = append(names, safetext.Inline(f.Path, 80))
		}
	}
	return names
}

// upper begins a text with a capital letter.
func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// elsewhere says where the rest can be read.
func (d *bodyData) elsewhere(why string) string {
	switch {
	case d.Elsewhere != "":
		return why + ". " + safetext.Inline(d.Elsewhere, 600)
	case d.More != "":
		return why + ": [the summary of the run](" + d.More + ") has them."
	}
	return why + "; the diff shows all of it."
}

// shortened says what the level leaves out of the statements and where it can be read.
func (d *bodyData) shortened(level int) string {
	switch {
	case statementCounts(d.delta()) == "" || level == levelAll:
		return ""
	case level == levelTexts:
		return d.elsewhere("Statements are cut at 120 characters, and their evidence is left out")
	}
	return d.elsewhere("The statements themselves are left out here")
}

// pageTable lists the pages that differ. The last column is left out where nothing is known about any page, as in a first wiki.
func (d *bodyData) pageTable(level int) string {
	reasons := map[wiki.PagePath]string{}
	for _, p := range d.Bundle.Pages {
		if p.Reason != "" {
			reasons[p.Path] = p.Reason
		}
	}
	var b strings.Builder
	b.WriteString("| Page | State | Lines | Statements |")
	if len(reasons) > 0 {
		b.WriteString(" Why |")
	}
	b.WriteString("\n| --- | --- | --- | --- |" + strings.Repeat(" --- |", min(1, len(reasons))) + "\n")
	limit, rows, left := rowLimit(level, cmp.Or(d.Rows, 100)), 0, 0
	for i := range d.delta().Pages {
		p := &d.delta().Pages[i]
		switch {
		case p.Index():
			continue
		case limit > 0 && rows == limit:
			left++
			continue
		}
		rows++
		fmt.Fprintf(&b, "| %s | %s | %s | %s |", d.pageTitle(p.Path, p.Title), d.changeText(p), lineText(p), statementText(p))
		if len(reasons) > 0 {
			b.WriteString(" " + safetext.Inline(reasons[p.Path], 160) + " |")
		}
		b.WriteString("\n")
	}
	if rows == 0 {
		return ""
	}
	if left > 0 {
		b.WriteString("\n" + d.elsewhere(count(left, "more page")) + "\n")
	}
	return section("Pages", b.String())
}

// changeText says what became of a page.
func (d *bodyData) changeText(p *wikidiff.PageDelta) string {
	text := p.Change
	if text == wikidiff.ChangeClaims {
		text = "same text"
	}
	for _, stale := range d.Stale {
		if stale == p.Path {
			return text + ", **stale**"
		}
	}
	return text
}

func lineText(p *wikidiff.PageDelta) string {
	var parts []string
	if p.Added > 0 {
		parts = append(parts, fmt.Sprintf("+%d", p.Added))
	}
	if p.Removed > 0 {
		parts = append(parts, fmt.Sprintf("−%d", p.Removed))
	}
	return strings.Join(parts, " ")
}

func statementText(p *wikidiff.PageDelta) string {
	added, dropped, altered := p.Counts()
	text := changeCounts(added, dropped, altered)
	if text == "" && p.Proved > 0 {
		return fmt.Sprintf("%d proved again", p.Proved)
	}
	return text
}

// changeCounts tells how many statements are new, dropped and altered, in words.
func changeCounts(added, dropped, altered int) string {
	var parts []string
	for _, c := range []struct {
		n    int
		text string
	}{{added, "new"}, {dropped, "dropped"}, {altered, "altered"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.text))
		}
	}
	return strings.Join(parts, ", ")
}

func statementCounts(delta *wikidiff.Delta) string {
	var added, dropped, altered int
	for i := range delta.Pages {
		a, d, x := delta.Pages[i].Counts()
		added, dropped, altered = added+a, dropped+d, altered+x
	}
	return changeCounts(added, dropped, altered)
}

// blockedPages returns the pages with blocked text, each once and in their order.
func blockedPages(list []Blocked) []wiki.PagePath {
	var pages []wiki.PagePath
	seen := map[wiki.PagePath]bool{}
	for _, b := range list {
		if b.Page != "" && !seen[b.Page] {
			seen[b.Page] = true
			pages = append(pages, b.Page)
		}
	}
	return pages
}
