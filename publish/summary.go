package publish

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
}

// Summary returns the summary of a job in GitHub's Markdown, at most one MiB: what was published first, then what a reader of the pull
// request sees, the effective configuration, and after a failure what to do.
func Summary(data SummaryData) string {
	d := bodyData{RepoURL: data.RepoURL, Number: data.Number, CompareURL: data.CompareURL, Bundle: data.Bundle, Blocked: data.Blocked,
		Settings: data.Settings, Notices: data.Notices, DefaultToken: data.DefaultToken, Exists: data.Exists}
	if d.Bundle == nil {
		d.Bundle = &Bundle{}
	}
	return d.stateLine()
}
