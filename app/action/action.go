// Package action is the front door for GitHub Actions: inputs, event and environment in; generation, publishing, summary, outputs and an
// exit status out.
//
// [Run] does one job of a workflow. It judges the event, reads the settings, takes up the pages that an earlier run published and nobody
// merged yet, runs the generation in a child process that sees no token of GitHub, pushes finished pages to the branch while it goes,
// publishes, and only then lets the job fail.
//
// It promises: no secret of the environment is in anything it prints or writes; no line of text from a repository is taken for a workflow
// command; outputs cannot be forged by their values; whatever fails, finished pages are on the branch or, when even that is impossible,
// in the runner's temporary directory, and the report says what happened.
//
// It does not decide what becomes of a pull request (package publish) and writes no pages (package generate).
package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/secretscan"
	"github.com/wikiwright/wikiwright/publish"
)

// Config is what a job gets from its process.
type Config struct {
	Getenv  func(string) string
	Environ []string
	Out     io.Writer // the log
	Program string    // this program, to be started for the generation
	Now     func() time.Time
}

// Exit statuses of a job besides those of signals.
const (
	statusDone    = 0
	statusFailed  = 1
	statusUsage   = 2
	statusPartial = 3
)

// A job is one run of the Action.
type job struct {
	cfg      Config
	console  *console
	secrets  *secrets
	scanner  *secretscan.Scanner
	settings *app.Settings
	event    *event
	place    *app.Place
	dir      string // of the checkout
	base     string // name of the base branch
	token    string

	publisher   *publish.Publisher
	bundle      *publish.Bundle
	screened    bool     // bundle is what the gates left of it
	notes       []string // for the summary: what did not matter enough to stop
	report      Report
	reportPath  string // where the report was written
	checkpoints *checkpointer
	err         error // what ends the job as failed
	usage       bool  // err is wrong use
}

// Run does the job and returns its exit status. A signal arrives as the end of ctx, whose cause may tell the status.
func Run(ctx context.Context, cfg Config) int {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	j := newJob(cfg)
	j.console.mask()
	if err := j.do(ctx); err != nil {
		j.fail(err)
	}
	j.finish()
	return j.status(ctx)
}

func newJob(cfg Config) *job {
	j := &job{cfg: cfg, scanner: secretscan.New(), report: Report{SchemaVersion: reportVersion}}
	j.token = strings.TrimSpace(input(cfg.Getenv, "token"))
	if j.token == "" {
		j.token = cfg.Getenv("GITHUB_TOKEN")
	}
	j.secrets = newSecrets([]string{j.token, strings.TrimSpace(input(cfg.Getenv, "model-key"))}, cfg.Environ)
	clean := func(s string) string { return safetext.Log(j.scanner.Redact(s)) }
	j.console = newConsole(cfg.Out, j.secrets, cfg.Getenv("GITHUB_ACTIONS") == "true", cfg.Getenv("RUNNER_DEBUG") == "1", clean)
	return j
}

// input returns an input as action.yml passes it, or as the runner itself does.
func input(getenv func(string) string, name string) string {
	upper := strings.ToUpper(name)
	if v := getenv("INPUT_" + strings.ReplaceAll(upper, "-", "_")); v != "" {
		return v
	}
	return getenv("INPUT_" + upper)
}

// fail records what went wrong first; later errors are shown too.
func (j *job) fail(err error) {
	explained := app.Explain(err)
	text := explained.Message
	if explained.Hint != "" {
		text += "\nhint: " + explained.Hint
	}
	j.console.failure(strings.ReplaceAll(text, "\n", " · "))
	if j.err != nil {
		return
	}
	j.err, j.usage = err, app.IsConfiguration(err)
	if j.report.Error == nil {
		j.report.Error = explained
	}
}

// do runs the job up to publishing.
func (j *job) do(ctx context.Context) error {
	quiet, err := j.begin()
	if err != nil {
		return err
	}
	if quiet != "" {
		j.console.notice(quiet)
		j.report.Notice = quiet
		return nil
	}
	if err := j.open(ctx); err != nil {
		return err
	}
	switch mode := j.settings.Text("mode"); mode {
	case "check":
		return j.check(ctx)
	case "publish":
		return j.publishBundle(ctx)
	default:
		return j.maintain(ctx)
	}
}

// begin reads inputs and event, and judges them.
func (j *job) begin() (quiet string, err error) {
	if j.settings, err = app.Resolve(j.input, nil); err != nil {
		return "", err
	}
	j.report.Mode = j.settings.Text("mode")
	if j.event, err = readEvent(j.cfg.Getenv); err != nil {
		return "", err
	}
	j.report.Event = j.event.Name
	verdict := j.event.judge(j.report.Mode, j.settings.Bool("run-on-forks"), j.isOurBranch)
	return verdict.quiet, verdict.err
}

func (j *job) input(name string) string { return input(j.cfg.Getenv, name) }

// isOurBranch recognises the branch of the pull request by its name.
func (j *job) isOurBranch(branch string) bool {
	if set := j.settings.Text("branch"); set != "" {
		return branch == set
	}
	for _, prefix := range []string{"openwiki/update", "openwiki-update"} {
		if branch == prefix || strings.HasPrefix(branch, prefix+"-") {
			return true
		}
	}
	return false
}

// open finds the checkout, and the settings in effect.
func (j *job) open(ctx context.Context) (err error) {
	workspace := j.cfg.Getenv("GITHUB_WORKSPACE")
	j.dir = j.settings.Text("path")
	if workspace != "" && !filepath.IsAbs(j.dir) {
		j.dir = filepath.Join(workspace, j.dir)
	}
	if j.dir == "" {
		j.dir = "."
	}
	if j.place, err = app.Locate(ctx, j.dir, j.settings.Text("wiki-dir")); err != nil {
		return err
	}
	if err := j.connect(); err != nil {
		return err
	}
	data, err := j.settingsFile(ctx)
	if err != nil {
		return err
	}
	file, err := app.ParseSettingsFile(data)
	if err != nil {
		return err
	}
	if j.settings, err = app.Resolve(j.input, file); err != nil {
		return err
	}
	j.report.Settings = j.settings.Effective()
	if j.place, err = app.Locate(ctx, j.dir, j.settings.Text("wiki-dir")); err != nil {
		return err
	}
	if j.place.Head.Unborn() {
		return &app.ConfigError{Name: "checkout", Err: errors.New("there is no commit"), Next: "check the repository out before this step"}
	}
	if j.base, err = j.event.base(j.settings.Text("base")); err != nil {
		return err
	}
	return j.configure()
}

// maintain generates and publishes.
func (j *job) maintain(ctx context.Context) error {
	wait, err := j.previous(ctx)
	if err != nil || wait {
		return err
	}
	result, err := j.generate(ctx)
	if err != nil {
		// The process died. What it finished before is in the work tree.
		result = app.Refused(app.Job{Mode: j.generateMode()}, err)
	}
	j.report.Result = result
	if err := j.stage(result); err != nil {
		return err
	}
	j.judgeResult(ctx, result)
	return j.deliver(ctx)
}

// judgeResult lets the job fail, at its end, when the run did.
func (j *job) judgeResult(ctx context.Context, r *app.Result) {
	switch {
	case r.Error != nil && r.Error.Code == app.CodeStopped && ctx.Err() == nil:
		j.console.warning(fmt.Sprintf("the generation reached max-duration (%s); finished pages are published, the next run goes on", j.settings.Text("max-duration")))
	case r.Error != nil && r.Error.Code == app.CodeLimit:
		j.console.warning(r.Error.Message + "; finished pages are published, the next run goes on")
	case r.Error != nil && r.Error.Code != app.CodeStopped:
		j.fail(&resultError{r.Error})
	case r.Totals.Planned > 0 && r.Totals.Skipped == r.Totals.Planned:
		j.fail(&resultError{&app.ErrorResult{Code: app.CodeFailed, Message: fmt.Sprintf("all %d pages were skipped: %s", r.Totals.Skipped, firstReason(r)),
			Hint: "the summary lists the reasons"}})
	}
}

// resultError is an error that the generation told.
type resultError struct{ told *app.ErrorResult }

// Error implements error.
func (e *resultError) Error() string { return e.told.Message }

// Hint says what to do.
func (e *resultError) Hint() string { return e.told.Hint }

func firstReason(r *app.Result) string {
	for _, p := range r.Pages {
		if p.Reason != "" {
			return p.Reason
		}
	}
	return "no reason is known"
}

// note tells what did not matter enough to stop.
func (j *job) note(notes []string) {
	for _, note := range notes {
		j.console.warning(note)
	}
	j.notes = append(j.notes, notes...)
}

// status is the exit status: that of the signal, of wrong use, or what fail-on makes of the run.
func (j *job) status(ctx context.Context) int {
	var stopped interface{ ExitStatus() int }
	failOn := "error"
	if j.settings != nil {
		failOn = j.settings.Text("fail-on")
	}
	partial := j.bundle != nil && j.bundle.State == publish.StatePartial
	switch {
	case errors.As(context.Cause(ctx), &stopped):
		return stopped.ExitStatus()
	case j.err != nil && j.usage:
		return statusUsage
	case failOn == "never":
		return statusDone
	case j.err != nil:
		return statusFailed
	case partial && failOn == "partial":
		return statusPartial
	}
	return statusDone
}
