package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/version"
	"github.com/wikiwright/wikiwright/publish"
)

// lastWords is how long publishing may take after a signal: with the time the generation needs to stop it stays below five seconds.
const lastWords = 2500 * time.Millisecond

// connect makes the publisher, as far as it does not depend on settings.
func (j *job) connect() error {
	owner, name, ok := strings.Cut(j.cfg.Getenv("GITHUB_REPOSITORY"), "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return &app.ConfigError{Name: "GITHUB_REPOSITORY", Err: errors.New("is not owner/name"), Next: "run this in a workflow"}
	}
	api := j.settings.Text("github-api-url")
	if api == "" {
		api = j.cfg.Getenv("GITHUB_API_URL")
	}
	client, err := github.New(github.Config{
		APIURL: api, ServerURL: j.cfg.Getenv("GITHUB_SERVER_URL"), Tokens: github.Static(j.token), Log: j.console.logger(),
		UserAgent: "wikiwright/" + version.Version,
	})
	if err != nil {
		return &app.ConfigError{Name: "github-api-url", Err: err, Next: "leave it out, or give the address of the REST API"}
	}
	j.publisher = &publish.Publisher{
		Repo: j.place.Repo, GitHub: client, Remote: client.Remote(owner, name), Repository: publish.Repository{Owner: owner, Name: name},
		DefaultBranch: j.event.Repository.DefaultBranch, Log: j.console.logger(), Now: j.cfg.Now,
	}
	if workflow := j.cfg.Getenv("WIKIWRIGHT_WORKFLOW_TOKEN"); workflow != "" && workflow == j.token {
		j.publisher.DefaultToken, j.publisher.Identity = true, publish.ActionsIdentity()
	}
	if fork := j.settings.Text("push-to-fork"); fork != "" {
		forkOwner, forkName, ok := strings.Cut(fork, "/")
		if !ok || forkOwner == "" || forkName == "" {
			return &app.ConfigError{Name: "push-to-fork", Err: fmt.Errorf("%q is not owner/name", fork), Next: "name the fork, or leave it out"}
		}
		j.publisher.Fork = &publish.Fork{Repository: publish.Repository{Owner: forkOwner, Name: forkName}, Remote: client.Remote(forkOwner, forkName)}
	}
	return nil
}

// settingsFile reads the repository's settings from its default branch, whatever is checked out: what a pull request or a side branch says
// must not decide about secrets.
func (j *job) settingsFile(ctx context.Context) ([]byte, error) {
	commit := j.place.Head.Commit
	if commit == "" {
		return nil, nil
	}
	if branch := j.event.Repository.DefaultBranch; branch != "" && j.event.Ref != "refs/heads/"+branch {
		ref := "refs/heads/" + branch
		refs, err := j.publisher.Repo.LsRemote(ctx, j.publisher.Remote, ref)
		if err != nil {
			return nil, fmt.Errorf("find the settings on the default branch: %w", err)
		}
		if len(refs) != 1 {
			return nil, nil
		}
		commit = refs[0].OID
		if err := j.publisher.Repo.FetchObjects(ctx, j.publisher.Remote, commit); err != nil {
			return nil, fmt.Errorf("get the settings of the default branch: %w", err)
		}
	}
	data, err := j.place.Repo.Blob(ctx, commit, app.SettingsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// configure gives the publisher the settings.
func (j *job) configure() error {
	j.publisher.Policy = app.PolicyOf(j.settings)
	for _, row := range j.report.Settings {
		j.publisher.Settings = append(j.publisher.Settings, publish.Setting{Name: row.Name, Value: row.Value, Origin: row.Origin})
	}
	if err := j.publisher.Policy.Check(); err != nil {
		return &app.ConfigError{Name: "settings", Err: err, Next: "docs/action.md lists every setting with its values"}
	}
	return nil
}

// previous takes up what an earlier run published. wait says that whatever this run makes would not be published.
func (j *job) previous(ctx context.Context) (wait bool, err error) {
	if j.settings.Text("bundle-path") != "" && j.token == "" {
		return false, nil // the job has no token: it starts from what is checked out
	}
	previous, err := j.publisher.Previous(ctx, j.base, j.place.WikiDir)
	if err != nil && j.settings.Text("bundle-path") != "" {
		j.console.warning("the branch of the pull request could not be looked at, so the run starts from what is checked out: " + err.Error())
		return false, nil
	}
	if err != nil {
		return false, j.gitHubError("look at the branch", err)
	}
	if previous.Quiet != "" {
		j.console.notice(previous.Quiet)
		j.report.Notice = previous.Quiet
		j.report.Publish = &publish.Outcome{Operation: previous.QuietAs, Branch: previous.Branch, HeadSHA: previous.HeadSHA,
			BaseSHA: previous.BaseSHA, Number: previous.Number, URL: previous.URL, Reason: previous.Quiet}
		return true, nil
	}
	if !previous.Reusable || len(previous.Files) == 0 || j.generateMode() == "init" {
		return false, nil
	}
	took, err := app.Overlay(ctx, j.dir, j.settings.Text("wiki-dir"), previous.Files)
	if err != nil {
		return false, err
	}
	if took {
		j.console.line(fmt.Sprintf("going on from the pages on branch %s", previous.Branch))
	}
	return false, nil
}

// gitHubError adds what is known about an error of GitHub.
func (j *job) gitHubError(what string, err error) error {
	problem := github.Classify(err)
	return &gitHubError{fmt.Errorf("%s: %w", what, err), problem.Hint, string(problem.Code)}
}

type gitHubError struct {
	err        error
	hint, code string
}

// ErrorCode says what kind of error it is.
func (e *gitHubError) ErrorCode() string { return e.code }

// Error implements error.
func (e *gitHubError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *gitHubError) Unwrap() error { return e.err }

// Hint says what to do.
func (e *gitHubError) Hint() string { return e.hint }

// deliver publishes the bundle, or writes it where another job takes it. Pages that cannot be published are kept.
func (j *job) deliver(ctx context.Context) error {
	if dir := j.settings.Text("bundle-path"); dir != "" && j.settings.Text("mode") != "publish" {
		return j.writeBundle(ctx, dir)
	}
	if ctx.Err() != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
		ctx = late
	}
	call := j.publisher.Publish
	if j.settings.Text("mode") == "plan" || j.settings.Bool("dry-run") {
		call = j.publisher.Plan
	}
	outcome, err := call(ctx, j.bundle)
	j.report.Publish = outcome
	if outcome != nil && outcome.Bundle != nil {
		j.bundle, j.screened = outcome.Bundle, true
	}
	if err != nil {
		j.keep()
		return j.gitHubError("publish", err)
	}
	return j.judgeOutcome(outcome)
}

// judgeOutcome tells what became of the pull request.
func (j *job) judgeOutcome(o *publish.Outcome) error {
	for _, note := range o.Notes {
		j.console.warning(note)
	}
	text := string(o.Operation)
	if o.URL != "" {
		text += ": " + o.URL
	}
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	switch {
	case o.Decision != nil:
		j.console.notice("plan: " + text)
	case o.Operation.Failed():
		if o.CompareURL != "" {
			text += "; open it by hand: " + o.CompareURL
		}
		code := o.Code
		if code == "" {
			code = string(o.Operation)
		}
		return &gitHubError{errors.New(text), o.Hint, code}
	case o.Operation == publish.OpNone:
		j.console.line("pull request: nothing to publish")
	default:
		j.console.notice("pull request " + text)
	}
	return nil
}
