// Package app is the maintenance run that every front door shares: it opens the checkout, chooses the author, runs the lifecycle and
// reports a [Result].
//
// A [Runner] does one [Job] at a time. The result tells the same as the error, in words that do not change between releases, and
// [Explain] gives every error a code and, where a person can do something about it, a hint. What is printed as JSON is described by the
// schemas in docs/, which a test derives from the types here.
//
// The command line calls this package directly. It knows nothing of flags, terminals or exit statuses, and reads no environment.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A Job is one maintenance run of one checkout.
type Job struct {
	Dir         string // any directory in the checkout
	WikiDir     string // "" = as .openwiki.json says, else "openwiki"
	Mode        generate.Mode
	Author      string // "auto", "agent" or "extractive"; "" = auto
	Language    string // language tag; "" keeps the language of the wiki
	Force       bool   // update even when nothing changed
	Concurrency int    // pages at a time, 1 to 8; 0 = 1
	Message     string // what people ask for in this run; not blank, it forces an update
	Model       Model
	Limits      Limits
	MaxPages    int // pages written in this run at most; 0 = all
}

// A Runner runs jobs. The zero Runner is ready to use.
type Runner struct {
	Log     *slog.Logger         // nil discards
	OnEvent func(generate.Event) // progress, one call at a time; may be nil
	Now     func() time.Time     // nil = time.Now

	// OnPage hears of each page when it is durable, one call at a time; may be nil. See [generate.Options].
	OnPage func(generate.PageOutcome)
}

// Run does the job. The Result is never nil and tells the same as the error, which is nil for a no-op, a complete and a partial run.
func (r *Runner) Run(ctx context.Context, job Job) (*Result, error) {
	choice, err := chooseAuthor(job.Author, job.Model)
	if err != nil {
		return failedResult(job, choice, err), err
	}
	checkout, err := openCheckout(ctx, job.Dir, job.WikiDir)
	if err != nil {
		return failedResult(job, choice, err), err
	}
	writing := &modelRun{model: choice.model, limits: job.Limits, log: r.logger(), tell: r.OnEvent, now: r.Now, tasks: map[string]llm.Usage{}}
	outcome, err := r.generate(ctx, job, checkout, choice, writing)
	err = errors.Join(err, checkout.close())
	var result *Result
	if outcome != nil {
		result = resultOf(job, choice, outcome, err)
	} else {
		result = failedResult(job, choice, err)
	}
	writing.account(result)
	return result, err
}

func (r *Runner) logger() *slog.Logger {
	if r.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return r.Log
}

func (r *Runner) generate(ctx context.Context, job Job, c *checkout, choice authorChoice, writing *modelRun) (*generate.Outcome, error) {
	log := r.logger()
	if c.note != "" {
		log.Warn(c.note)
	}
	log.Info("author chosen", "author", choice.name, "reason", choice.reason)
	newAuthor := choice.newAuthor(c, log)
	if choice.model.configured() {
		newAuthor = writing.newAuthor
	}
	return generate.Do(ctx, generate.Options{
		Repo:            c.repo,
		Files:           c.files,
		WikiDir:         c.wikiDir,
		Mode:            job.Mode,
		Language:        job.Language,
		Force:           job.Force || strings.TrimSpace(job.Message) != "",
		PlanningContext: strings.TrimSpace(job.Message),
		Actor:           choice.actor,
		NewAuthor:       newAuthor,
		MaxPages:        job.MaxPages,
		Hurry:           writing.hurry,
		Concurrency:     job.Concurrency,
		Now:             r.Now,
		Log:             log,
		OnEvent:         r.OnEvent,
		OnPage:          r.OnPage,
	})
}

// Status reads the state of the wiki and of an interrupted run. It writes nothing.
func (r *Runner) Status(ctx context.Context, dir, wikiDir string) (*generate.StatusReport, error) {
	c, err := openCheckout(ctx, dir, wikiDir)
	if err != nil {
		return nil, err
	}
	report, err := generate.Status(ctx, generate.StatusOptions{Repo: c.repo, Files: c.files, WikiDir: c.wikiDir})
	if report != nil && c.note != "" {
		report.Notes = append(report.Notes, c.note)
	}
	return report, errors.Join(err, c.close())
}

// Reset drops the run state of an interrupted run and keeps every page. It reports whether there was one.
func (r *Runner) Reset(ctx context.Context, dir, wikiDir string) (bool, error) {
	c, err := openCheckout(ctx, dir, wikiDir)
	if err != nil {
		return false, err
	}
	removed, err := generate.Reset(ctx, generate.Options{Repo: c.repo, Files: c.files, WikiDir: c.wikiDir})
	return removed, errors.Join(err, c.close())
}

// A checkout is an opened repository with the place of its wiki.
type checkout struct {
	repo    *gitrepo.Repo
	files   *atomicfile.Dir
	wikiDir wiki.Dir
	note    string // what may be wrong with the settings
}

func openCheckout(ctx context.Context, dir, wikiDir string) (*checkout, error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	files, err := atomicfile.Open(repo.Root)
	if err != nil {
		return nil, fmt.Errorf("open the checkout: %w", err)
	}
	place, note, err := wikiDirectory(files, wikiDir)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	return &checkout{repo: repo, files: files, wikiDir: place, note: note}, nil
}

func (c *checkout) close() error { return c.files.Close() }
