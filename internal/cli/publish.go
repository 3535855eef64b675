package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/version"
	"github.com/wikiwright/wikiwright/publish"
)

// publishFlags are the flags of publish.
type publishFlags struct {
	dryRun       bool
	base         string
	branch       string
	repository   string
	bundle       string
	bundleDigest string
	apiURL       string
}

func newPublish(env *environment) *cobra.Command {
	var flags publishFlags
	cmd := &cobra.Command{
		Use:   "publish",
		Short: "Publish the wiki as a pull request",
		Long: `Commits the wiki of the work tree, or of a bundle, to its branch and opens or updates
the pull request, as the GitHub Action does: branches of people are left alone, a
pull request that somebody closed is remembered, nothing is written when nothing
changed. Neither the work tree nor a local branch is touched.

The token comes from GITHUB_TOKEN or GH_TOKEN; settings from .github/wikiwright.yml
of the checked-out commit, which must be a commit of the base branch.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			outcome, err := env.publish(cmd.Context(), flags)
			if err != nil {
				return env.fail(cmd.Context(), err)
			}
			return env.reportPublished(outcome)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.dryRun, "dry-run", false, "say what would be done, and write nothing")
	f.StringVar(&flags.base, "base", "", "base `branch` (default: the one that is checked out)")
	f.StringVar(&flags.branch, "branch", "", "`branch` of the pull request (default: openwiki/update)")
	f.StringVar(&flags.repository, "repository", "", "`owner/name` on GitHub (default: that of the remote origin)")
	f.StringVar(&flags.bundle, "bundle", "", "publish the bundle in `directory` instead of the work tree")
	f.StringVar(&flags.bundleDigest, "bundle-digest", "", "`digest` that the bundle must have")
	f.StringVar(&flags.apiURL, "github-api-url", "", "`address` of the REST API (default: $GITHUB_API_URL, else that of the host of origin)")
	return cmd
}

func (e *environment) publish(ctx context.Context, flags publishFlags) (*publish.Outcome, error) {
	place, err := app.Locate(ctx, e.repository(), e.wikiDir)
	if err != nil {
		return nil, err
	}
	settings, err := e.publishSettings(ctx, place, flags)
	if err != nil {
		return nil, err
	}
	if place, err = app.Locate(ctx, e.repository(), settings.Text("wiki-dir")); err != nil {
		return nil, err
	}
	publisher, err := e.publisher(ctx, place, settings, flags)
	if err != nil {
		return nil, err
	}
	bundle, err := e.bundle(ctx, place, settings, flags)
	if err != nil {
		return nil, err
	}
	call := publisher.Publish
	if flags.dryRun {
		call = publisher.Plan
	}
	outcome, err := call(ctx, bundle)
	if err != nil {
		return nil, &publishError{err, github.Classify(err).Hint}
	}
	return outcome, nil
}

// publishError adds what a person can do.
type publishError struct {
	err  error
	hint string
}

// Error implements error.
func (e *publishError) Error() string { return "publish: " + e.err.Error() }

// Unwrap returns the cause.
func (e *publishError) Unwrap() error { return e.err }

// Hint says what to do.
func (e *publishError) Hint() string { return e.hint }

// publishSettings are the flags over the file of the checked-out commit.
func (e *environment) publishSettings(ctx context.Context, place *app.Place, flags publishFlags) (*app.Settings, error) {
	if place.Head.Unborn() {
		return nil, &app.ConfigError{Name: "checkout", Err: errors.New("there is no commit"), Next: "commit something first"}
	}
	data, err := place.Repo.Blob(ctx, place.Head.Commit, app.SettingsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := app.ParseSettingsFile(data)
	if err != nil {
		return nil, err
	}
	given := map[string]string{"base": flags.base, "branch": flags.branch, "wiki-dir": e.wikiDir, "github-api-url": flags.apiURL}
	return app.Resolve(func(name string) string { return given[name] }, file)
}

func (e *environment) bundle(ctx context.Context, place *app.Place, settings *app.Settings, flags publishFlags) (*publish.Bundle, error) {
	if flags.bundle != "" {
		bundle, notes, err := app.ReadBundle(ctx, e.repository(), flags.bundle, flags.bundleDigest, settings)
		e.warn(notes)
		return bundle, err
	}
	base := settings.Text("base")
	if base == "" {
		base = strings.TrimPrefix(place.Head.Ref, "refs/heads/")
	}
	if base == "" {
		return nil, &app.ConfigError{Name: "--base", Err: errors.New("no branch is checked out"), Next: "name the base branch with --base"}
	}
	extra, notes, err := app.ManagedFiles(ctx, place, place.Head.Commit, settings)
	if err != nil {
		return nil, err
	}
	e.warn(notes)
	return app.Stage(ctx, app.StageOptions{Dir: e.repository(), WikiDir: settings.Text("wiki-dir"), BaseRef: base, Extra: extra})
}

// warn tells what did not matter enough to stop.
func (e *environment) warn(notes []string) {
	for _, note := range notes {
		fmt.Fprintf(e.streams.Err, "wikiwright: warning: %s\n", printable(note))
	}
}

// publisher finds the repository and the token.
func (e *environment) publisher(ctx context.Context, place *app.Place, settings *app.Settings, flags publishFlags) (*publish.Publisher, error) {
	origin, err := place.Repo.RemoteURL(ctx, "origin")
	if err != nil {
		return nil, err
	}
	host, path := hostAndPath(origin)
	if flags.repository != "" {
		path = flags.repository
	}
	owner, name, ok := strings.Cut(path, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, &app.ConfigError{Name: "--repository", Err: errors.New("the remote origin does not name a repository on GitHub"), Next: "give --repository owner/name"}
	}
	token := e.getenv("GITHUB_TOKEN")
	if token == "" {
		token = e.getenv("GH_TOKEN")
	}
	if token == "" {
		return nil, &app.ConfigError{Name: "GITHUB_TOKEN", Err: errors.New("is not set"), Next: "set GITHUB_TOKEN or GH_TOKEN to a token that may write contents and pull requests"}
	}
	api := settings.Text("github-api-url")
	if api == "" {
		api = e.getenv("GITHUB_API_URL")
	}
	if api == "" && host != "" && host != "github.com" {
		api = "https://" + host
		if strings.HasSuffix(host, ".ghe.com") {
			api = "https://api." + host
		}
	}
	client, err := github.New(github.Config{
		APIURL: api, ServerURL: e.getenv("GITHUB_SERVER_URL"), Tokens: github.Static(token), Log: e.logger(), UserAgent: "wikiwright/" + version.Version,
	})
	if err != nil {
		return nil, &app.ConfigError{Name: "github-api-url", Err: err, Next: "give the address of the REST API"}
	}
	policy := app.PolicyOf(settings)
	if err := policy.Check(); err != nil {
		return nil, &app.ConfigError{Name: "settings", Err: err, Next: "docs/action.md lists every setting with its values"}
	}
	return &publish.Publisher{
		Repo: place.Repo, GitHub: client, Remote: client.Remote(owner, name),
		Repository: publish.Repository{Owner: owner, Name: name}, Policy: policy, Log: e.logger(),
	}, nil
}

// hostAndPath takes the address of a remote apart: https://host/owner/name.git, ssh://git@host/owner/name or git@host:owner/name.
func hostAndPath(remote string) (host, path string) {
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		host, path = u.Host, u.Path
		if u.Scheme == "ssh" || u.Scheme == "git" {
			host = u.Hostname()
		}
	} else if before, after, ok := strings.Cut(remote, ":"); ok && !strings.Contains(before, "/") {
		host, path = before[strings.LastIndex(before, "@")+1:], after
	}
	return host, strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}

// reportPublished prints the outcome. What a maintainer has to act on is a failure.
func (e *environment) reportPublished(o *publish.Outcome) error {
	if e.json {
		if err := e.printJSON(o); err != nil {
			return err
		}
	} else {
		text := string(o.Operation)
		for _, part := range []string{o.URL, o.Reason} {
			if part != "" {
				text += ": " + part
			}
		}
		fmt.Fprintln(e.streams.Out, printable(text))
		for _, note := range o.Notes {
			fmt.Fprintln(e.streams.Out, "note: "+printable(note))
		}
	}
	if o.Operation.Failed() && o.Decision == nil {
		e.reportError(&app.ErrorResult{Message: printable(string(o.Operation) + ": " + o.Reason), Hint: o.Hint})
		return exitError{ExitFailed}
	}
	return nil
}
