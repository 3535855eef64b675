package action

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/impact"
	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
	"github.com/wikiwright/wikiwright/publish"
)

const reportVersion = 1

// A Report is the JSON file that a job leaves. docs/report.schema.json describes it.
type Report struct {
	SchemaVersion int                  `json:"schemaVersion"`
	Mode          string               `json:"mode,omitempty"`
	Event         string               `json:"event,omitempty"`
	Notice        string               `json:"notice,omitempty" jsonschema:"why nothing was done"`
	Result        *app.Result          `json:"result,omitempty" jsonschema:"of the generation, see result.schema.json"`
	Check         *impact.Report       `json:"check,omitempty" jsonschema:"of mode check: what a change makes stale, see check.schema.json"`
	Status        *app.StatusResult    `json:"status,omitempty" jsonschema:"of mode check where there is no change to look at, see status.schema.json"`
	Publish       *publish.Outcome     `json:"publish,omitempty" jsonschema:"what became of the pull request"`
	Checkpoints   int                  `json:"checkpoints" jsonschema:"pushes of finished pages during the run"`
	Bundle        *BundleReport        `json:"bundle,omitempty"`
	Blocked       []publish.Blocked    `json:"blocked,omitempty"`
	Changes       []PageChange         `json:"changes,omitempty" jsonschema:"pages that differ from the base branch, with their statements"`
	Settings      []app.EffectiveValue `json:"settings,omitempty"`
	Error         *app.ErrorResult     `json:"error,omitempty"`
}

// A BundleReport says where a bundle was written.
type BundleReport struct {
	Path   string `json:"path"`
	Digest string `json:"digest"`
}

// finish writes summary, report and outputs. What cannot be written is told and makes the job fail.
func (j *job) finish() {
	if j.bundle != nil {
		j.bundle = j.shown()
		j.report.Changes = changesOf(j.bundle.Delta)
	}
	path, err := j.writeReport()
	if err != nil {
		j.fail(err)
	}
	j.reportPath = path
	if name := j.cfg.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		if err := appendFile(name, j.show(j.summary())); err != nil {
			j.fail(err)
		}
	}
	for _, o := range Outputs() {
		if err := fileCommand(j.cfg.Getenv("GITHUB_OUTPUT"), o.Name, j.show(o.value(j, path))); err != nil {
			j.fail(err)
			return
		}
	}
}

// show takes secrets out of text that goes to a file.
func (j *job) show(s string) string { return j.scanner.Redact(j.secrets.redact(s)) }

// writeReport returns where the report is; "" when there is no place for it.
func (j *job) writeReport() (string, error) {
	name := input(j.cfg.Getenv, "report-path")
	if name == "" {
		temp := j.cfg.Getenv("RUNNER_TEMP")
		if temp == "" {
			return "", nil
		}
		name = filepath.Join(temp, "wikiwright-report.json")
	}
	data, err := json.MarshalIndent(j.report, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the report: %w", err)
	}
	text, err := j.showJSON(data)
	if err != nil {
		return "", fmt.Errorf("write the report: %w", err)
	}
	return j.writeFile("report-path", name, append(text, '\n'))
}

// showJSON is show for a JSON text, which stays one.
func (j *job) showJSON(data []byte) ([]byte, error) {
	if text := []byte(j.show(string(data))); json.Valid(text) {
		return text, nil
	}
	// What looked like a credential went over the end of a string. Then every string is looked at by itself.
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	return json.MarshalIndent(eachString(value, j.show), "", "  ")
}

func eachString(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = eachString(v[i], change)
		}
	case map[string]any:
		for key := range v {
			v[key] = eachString(v[key], change)
		}
	}
	return value
}

// summary is what the page of the run shows: about a wiki in the words of package publish, otherwise why there is none.
func (j *job) summary() string {
	if j.bundle == nil {
		return j.shortSummary()
	}
	data := publish.SummaryData{Bundle: j.bundle, Exists: j.analysedFiles(), Redact: j.show, Elsewhere: j.elsewhere()}
	data.Blocked, data.Notices = slices.Clone(j.report.Blocked), slices.Clone(j.notes)
	if server := j.cfg.Getenv("GITHUB_SERVER_URL"); server != "" {
		data.RepoURL = server + "/" + j.cfg.Getenv("GITHUB_REPOSITORY")
	}
	data.Settings, data.DefaultToken = j.publisher.Settings, j.publisher.DefaultToken
	if o := j.report.Publish; o != nil {
		data.Operation, data.Number, data.URL, data.CompareURL = string(o.Operation), o.Number, o.URL, o.CompareURL
		data.Reason, data.Hint, data.Blocked = o.Reason, o.Hint, append(data.Blocked, o.Blocked...)
		data.Notices = append(data.Notices, o.Notes...)
	}
	if j.report.Error != nil {
		data.Reason, data.Hint = j.report.Error.Message, j.report.Error.Hint
	}
	return publish.Summary(data)
}

// shown is the bundle as it may be seen: without the pages that must not be published. When even that is not to be had, it is the run
// without its pages.
func (j *job) shown() *publish.Bundle {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := j.screen(ctx); err != nil {
		b := j.bundle
		return &publish.Bundle{WikiDir: b.WikiDir, BaseRef: b.BaseRef, BaseSHA: b.BaseSHA, State: b.State, Run: b.Run, Delta: &wikidiff.Delta{}}
	}
	return j.bundle
}

// analysedFiles tells which files the analysed commit has, so that the summary links to no other.
func (j *job) analysedFiles() func(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	names, err := j.place.Repo.FileNames(ctx, j.bundle.BaseSHA)
	if err != nil {
		return func(string) bool { return false } // a link that may lead nowhere is worse than none
	}
	return func(path string) bool { return names[path] }
}

func (j *job) shortSummary() string {
	var b strings.Builder
	if c := j.report.Check; c != nil && j.report.Error == nil {
		return c.Redacted(j.show).Markdown(j.lineURL, j.elsewhere())
	}
	b.WriteString("### Wikiwright\n\n")
	if e := j.report.Error; e != nil {
		b.WriteString("**Failed:** " + j.inline(e.Message) + "\n\n")
		if e.Hint != "" {
			b.WriteString("What to do: " + j.inline(e.Hint) + "\n\n")
		}
	}
	if j.report.Notice != "" {
		b.WriteString(j.inline(j.report.Notice) + "\n\n")
	}
	if s := j.report.Status; s != nil {
		b.WriteString(j.inline(checkText(s)) + "\n\n")
		for i, issue := range s.Issues {
			if i == 100 {
				fmt.Fprintf(&b, "\n… %d more\n", len(s.Issues)-i)
				break
			}
			b.WriteString("- " + j.inline(issue.Page+": "+issue.Kind+", "+strings.Join(issue.Resources, ", ")) + "\n")
		}
	}
	return b.String()
}

// inline is a text for a line of Markdown. Secrets go first: what is escaped, or cut, is not known for one any more.
func (j *job) inline(s string) string { return safetext.Inline(j.show(s), 2000) }

// elsewhere says where what a summary has no room for can be read.
func (j *job) elsewhere() string {
	if j.reportPath == "" {
		return "The input report-path names a file for a report that has them."
	}
	return "The job's report has them: " + j.reportPath + ", the output report-path, which a later step can keep with actions/upload-artifact."
}

// An Output is one output of the Action. action.yml lists the same; a test holds both together.
type Output struct {
	Name        string
	Description string
	value       func(j *job, report string) string
}

// Outputs returns the outputs in the order of action.yml.
func Outputs() []Output {
	outcome := func(get func(*publish.Outcome) string) func(*job, string) string {
		return func(j *job, _ string) string {
			if j.report.Publish == nil {
				return ""
			}
			return get(j.report.Publish)
		}
	}
	result := func(get func(*app.Result) string) func(*job, string) string {
		return func(j *job, _ string) string {
			if j.report.Result == nil {
				return ""
			}
			return get(j.report.Result)
		}
	}
	operation := outcome(func(o *publish.Outcome) string { return string(o.Operation) })
	head := outcome(func(o *publish.Outcome) string { return o.HeadSHA })
	branch := outcome(func(o *publish.Outcome) string { return o.Branch })
	verified := outcome(func(o *publish.Outcome) string { return strconv.FormatBool(o.Verified) })
	return []Output{
		{"operation", "What became of the pull request: none, created, updated, closed, blocked, deferred, snoozed, refused or branch-only.", operation},
		{"pull-request-number", "Number of the pull request.", outcome(func(o *publish.Outcome) string {
			if o.Number == 0 {
				return ""
			}
			return strconv.Itoa(o.Number)
		})},
		{"pull-request-url", "Address of the pull request.", outcome(func(o *publish.Outcome) string { return o.URL })},
		{"head-sha", "Commit at the tip of the branch.", head},
		{"base-sha", "Tip of the base branch on which the decision was made.", outcome(func(o *publish.Outcome) string { return o.BaseSHA })},
		{"branch", "Branch of the pull request.", branch},
		{"commits-verified", "Whether GitHub signed the commit.", verified},
		{"compare-url", "Address that opens the pull request by hand.", outcome(func(o *publish.Outcome) string { return o.CompareURL })},
		{"pull-request-operation", "The same as operation, under create-pull-request's name.", operation},
		{"pull-request-head-sha", "The same as head-sha, under create-pull-request's name.", head},
		{"pull-request-branch", "The same as branch, under create-pull-request's name.", branch},
		{"pull-request-commits-verified", "The same as commits-verified, under create-pull-request's name.", verified},
		{"state", "How far the wiki is: complete, partial or failed.", func(j *job, _ string) string {
			if j.bundle == nil {
				return ""
			}
			return string(j.bundle.State)
		}},
		{"outcome", "Outcome of the generation: noop, complete, partial or failed.", result(func(r *app.Result) string { return r.Outcome })},
		{"pages-total", "Pages the run planned.", result(func(r *app.Result) string { return strconv.Itoa(r.Totals.Planned) })},
		{"pages-changed", "Pages that differ from the base branch.", func(j *job, _ string) string { return j.changedPages() }},
		{"pages-failed", "Pages that were skipped.", result(func(r *app.Result) string { return strconv.Itoa(r.Totals.Skipped) })},
		{"pages-postponed", "Pages left to the next run.", result(func(r *app.Result) string { return strconv.Itoa(r.Totals.Pending) })},
		{"stale-claims", "In mode check: statements of the wiki that the change makes stale; where there is no change, those that are stale.", func(j *job, _ string) string {
			switch {
			case j.report.Check != nil:
				return strconv.Itoa(j.report.Check.Totals.Stale)
			case j.report.Status != nil:
				return strconv.Itoa(j.report.Status.Claims.Stale + j.report.Status.Claims.Unresolved)
			}
			return ""
		}},
		{"tokens-in", "Tokens given to the model.", result(func(r *app.Result) string { return strconv.Itoa(r.Usage.InputTokens) })},
		{"tokens-out", "Tokens the model wrote.", result(func(r *app.Result) string { return strconv.Itoa(r.Usage.OutputTokens) })},
		{"cost-usd", "Cost of the model in US dollars.", result(func(r *app.Result) string { return strconv.FormatFloat(r.Usage.CostUSD, 'f', -1, 64) })},
		{"bundle-path", "Directory of the bundle, where one was written.", func(j *job, _ string) string {
			if j.report.Bundle == nil {
				return ""
			}
			return j.report.Bundle.Path
		}},
		{"bundle-digest", "Digest of that bundle.", func(j *job, _ string) string {
			if j.report.Bundle == nil {
				return ""
			}
			return j.report.Bundle.Digest
		}},
		{"report-path", "JSON file with everything the job did (docs/report.schema.json).", func(_ *job, report string) string { return report }},
	}
}

func (j *job) changedPages() string {
	if j.bundle == nil {
		return ""
	}
	n := 0
	for _, p := range j.bundle.Delta.Pages {
		if !p.Index() {
			n++
		}
	}
	return strconv.Itoa(n)
}
