package publish

import (
	"fmt"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

// maxSummary is how long a job summary may be, in bytes. GitHub takes one MiB for a step.
const maxSummary = 1_000_000

// SummaryData is what the summary of a job is made from.
type SummaryData struct {
	RepoURL string
	Bundle  *Bundle // nil when the run came to none

	// What became of the pull request, as in the Outcome.
	Operation       string
	Number          int
	URL, CompareURL string
	Reason, Hint    string

	Blocked      []Blocked
	Settings     []Setting
	Notices      []string
	DefaultToken bool
	Exists       func(path string) bool // as for the body: nil trusts every path
	Redact       func(string) string    // takes secrets out of a text that comes from elsewhere; nil keeps it
	Elsewhere    string                 // a sentence that says where the rest of a summary that is cut can be read
}

// Summary returns the summary of a job in GitHub's Markdown, at most one MiB: what was published first, then what a reader of the pull
// request sees, the effective configuration, and after a failure what to do.
func Summary(data SummaryData) string {
	d := bodyData{RepoURL: data.RepoURL, Number: data.Number, CompareURL: data.CompareURL, Bundle: data.Bundle,
		Settings: data.Settings, Notices: data.Notices, DefaultToken: data.DefaultToken, Exists: data.Exists, Elsewhere: data.Elsewhere}
	if d.Bundle == nil {
		d.Bundle = &Bundle{}
	}
	d.tellBlocked(data.Blocked)
	if data.Redact != nil {
		d = d.redacted(data.Redact)
		data.Reason, data.Hint = data.Redact(data.Reason), data.Redact(data.Hint)
	}
	head := join("## Wikiwright: "+data.headline(), data.next())
	for level := d.firstLevel(maxSummary); level <= levelState; level++ {
		for _, d.Rows = range []int{2000, 100} {
			if text := join(head, d.sections(level)) + "\n"; len(text) <= maxSummary {
				return text
			}
			if level != levelTable {
				break // only that table has a number of rows
			}
		}
	}
	return head + "\n"
}

// headline says what became of the pull request.
func (data *SummaryData) headline() string {
	pull := fmt.Sprintf("pull request #%d", data.Number)
	if data.URL != "" {
		pull = fmt.Sprintf("[pull request #%d](%s)", data.Number, data.URL)
	}
	compare := "the branch"
	if data.CompareURL != "" {
		compare = "[the branch](" + data.CompareURL + ")"
	}
	switch data.Operation {
	case "created":
		return pull + " created"
	case "updated":
		return pull + " updated"
	case "closed":
		return pull + " closed, its changes are in the base branch"
	case "branch-only":
		return "pages are on " + compare + ", without a pull request"
	case "blocked":
		if data.Number > 0 {
			return pull + " left alone"
		}
		return compare + " left alone"
	case "deferred":
		return "put off until the next run"
	case "snoozed":
		return "quiet, as the pull request for this source was closed"
	case "refused":
		return "not published"
	case "none", "":
		if data.Bundle != nil && data.Bundle.State == StateFailed {
			return "failed, nothing to publish"
		}
		return "nothing to publish, the wiki is true to its source"
	}
	return safetext.Inline(data.Operation, 40)
}

// next gives the reason for an outcome and what a person can do.
func (data *SummaryData) next() string {
	text := sentence(safetext.Inline(data.Reason, 500))
	if hint := sentence(safetext.Inline(data.Hint, 1000)); hint != "" {
		text = join(text, "**What to do:** "+hint)
	}
	return text
}
