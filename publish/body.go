package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// maxBody is how long a body may be, in UTF-16 units. GitHub takes 65,536 characters.
const maxBody = 60_000

// maxReserve is how much text of people fits beside a body of that length.
const maxReserve = 5_000

// bodyData is what the text of a pull request is made from. Equal data gives equal text.
type bodyData struct {
	RepoURL    string // web address of the repository, without a slash at the end
	Number     int    // of the pull request; 0 before it exists
	CompareURL string // base...branch; links to a diff lead there while there is no number
	Bundle     *Bundle
	Blocked    []Blocked
	Stale      []wiki.PagePath // pages whose sources changed on the base branch during the run
	Supersedes int             // the closed pull request that this one follows, 0 for none

	DefaultToken bool // checks will not start by themselves
	Settings     []Setting
	Header       string   // text of the project, put first as it is
	Notices      []string // further sentences, shown behind the state
	Controls     controls // what is ticked
	More         string   // address of the run's summary, which has what is cut here
	Elsewhere    string   // where a summary itself sends its readers for what it cuts, as a sentence; wins over More
	Rows         int      // rows of a table that is cut; 0 is 100

	// Exists reports whether the analysed commit has a file, so that a link to it leads somewhere; nil trusts every path.
	Exists func(path string) bool

	Begin, Marker, End string // hidden lines of the caller; they are never cut
	Reserve            int    // units of text that people wrote around the body
}

// tellBlocked takes what was left out: what the gate does not let through, once; pages that a reviewer rejected, as ticked boxes; how many
// a closed pull request silences.
func (d *bodyData) tellBlocked(list []Blocked) {
	seen := map[Blocked]bool{}
	silenced := 0
	for _, b := range list {
		if seen[b] {
			continue
		}
		seen[b] = true
		switch b.Kind {
		case KindRejected:
			d.Controls.Reject = append(d.Controls.Reject, b.Page)
		case KindClosed:
			silenced++
		default:
			d.Blocked = append(d.Blocked, b)
		}
	}
	if silenced > 0 {
		d.Notices = append(d.Notices, "Left out: "+count(silenced, "page")+" that a closed pull request proposed from the same sources.")
	}
}

// A Setting is one value of the effective configuration.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"` // input, repository, organisation, default
}

// The levels of detail. The first whose text fits is taken.
const (
	levelAll    = iota // statements with their evidence
	levelTexts         // statements, shortened, without evidence
	levelCounts        // how many statements changed
	levelTable         // the state and the first rows of the table
	levelState         // the state
)

// renderBody returns the body of a pull request: the most detailed that is not longer than maxBody.
func renderBody(data bodyData) string {
	limit := maxBody - max(0, data.Reserve-maxReserve)
	for level := data.firstLevel(limit); ; level++ {
		body := data.wrap(data.sections(level))
		if safetext.Units(body) <= limit {
			return body
		}
		if level == levelState {
			return data.wrap(shorten(data.sections(level), max(0, limit-safetext.Units(data.wrap("")))))
		}
	}
}

// firstLevel is the most detailed level that may fit into a number of units. It leaves out those that cannot, by what a row and a statement
// have at least: to render thousands of pages for nothing takes seconds.
func (d *bodyData) firstLevel(limit int) int {
	const row, statement = 64 + 25, 11 // the digest of a path and the marks around it; the mark and the word before a statement
	rows, statements := 0, 0
	for i := range d.delta().Pages {
		if p := &d.delta().Pages[i]; !p.Index() {
			rows++
			if p.Change != wikidiff.ChangeRemoved { // of those no statement is shown
				statements += len(p.Claims)
			}
		}
	}
	switch {
	case (d.Number != 0 || d.CompareURL != "") && rows*row > limit:
		return levelTable
	case statements*statement > limit:
		return levelCounts
	}
	return levelAll
}

// wrap puts the hidden lines around a text.
func (d *bodyData) wrap(text string) string {
	var b strings.Builder
	for _, part := range []string{d.Begin, text, d.Marker, d.End} {
		if part = strings.TrimSpace(part); part != "" {
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(part)
		}
	}
	b.WriteString("\n")
	return b.String()
}

// shorten cuts a text at a line so that it has at most max units.
func shorten(s string, max int) string {
	used, end := 0, 0
	for line := range strings.Lines(s) {
		if used += safetext.Units(line); used > max {
			break
		}
		end += len(line)
	}
	return s[:end]
}

// pageTitle returns the title of a page as a link to its diff.
func (d *bodyData) pageTitle(page wiki.PagePath, title string) string {
	if title == "" {
		title = strings.TrimPrefix(page.RepoPath(), string(d.Bundle.WikiDir)+"/")
	}
	if d.Number == 0 && d.CompareURL == "" {
		return safetext.Inline(title, 80) // there is no diff to show
	}
	return "[" + safetext.Inline(title, 80) + "](" + d.diffURL(page.RepoPath()) + ")"
}

// diffURL returns the place of a file in the diff of the pull request.
func (d *bodyData) diffURL(path string) string {
	sum := sha256.Sum256([]byte(path))
	anchor := "#diff-" + hex.EncodeToString(sum[:])
	if d.Number == 0 && d.CompareURL != "" {
		return d.CompareURL + anchor
	}
	return fmt.Sprintf("%s/pull/%d/files%s", d.RepoURL, d.Number, anchor)
}

// plainEvidence returns a resource that is no longer there, in the words of a link.
func (d *bodyData) plainEvidence(resource string) string {
	if res, err := evidence.Parse(resource, string(d.Bundle.WikiDir)); err == nil {
		return safetext.Inline(evidenceLabel(res), 120)
	}
	return safetext.Inline(strings.TrimPrefix(resource, "repo://"), 120)
}

// evidenceLabel names a resource as GitHub does: path#L1-L9.
func evidenceLabel(res evidence.Resource) string { return res.Path + lineFragment(res) }

func lineFragment(res evidence.Resource) string {
	switch {
	case res.Start == 0:
		return ""
	case res.End > res.Start:
		return fmt.Sprintf("#L%d-L%d", res.Start, res.End)
	}
	return fmt.Sprintf("#L%d", res.Start)
}

// evidenceLink returns a resource as a link to the lines at the analysed commit, or as plain text when there is nothing to link to.
func (d *bodyData) evidenceLink(resource string) string {
	res, err := evidence.Parse(resource, string(d.Bundle.WikiDir))
	if err != nil {
		return safetext.Inline(resource, 120)
	}
	label := safetext.Inline(evidenceLabel(res), 120)
	if d.Bundle.BaseSHA == "" || d.Exists != nil && !d.Exists(res.Path) {
		return label
	}
	return "[" + label + "](" + d.RepoURL + "/blob/" + d.Bundle.BaseSHA + "/" + escapePath(res.Path) + lineFragment(res) + ")"
}

// escapePath escapes each segment of a path for a URL in Markdown.
func escapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "*", "%2A", "_", "%5F", "~", "%7E").Replace(url.PathEscape(segment))
	}
	return strings.Join(segments, "/")
}

func (d *bodyData) delta() *wikidiff.Delta {
	if d.Bundle.Delta == nil {
		return &wikidiff.Delta{}
	}
	return d.Bundle.Delta
}
