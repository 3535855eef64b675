package cli

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
)

// concurrencyVariable is OpenWiki's name for the number of page workers.
const concurrencyVariable = "OPENWIKI_PAGE_CONCURRENCY"

// maxConcurrency is the largest number of pages in work at once.
const maxConcurrency = 8

func newInit(env *environment) *cobra.Command {
	var job app.Job
	var model modelFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a new wiki from scratch",
		Long: `Writes the wiki from the source as it stands in the checkout. Generated pages of
an earlier wiki are replaced, INSTRUCTIONS.md is kept; when the run ends before
anything is planned, the earlier wiki comes back (after a kill, with the next
init or with reset). A run that stopped later goes on where it was when the
command is given again.

Only files that git tracks are source; .openwikiignore excludes more.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			job.Mode = generate.ModeInit
			return env.run(cmd, job, model)
		},
	}
	addRunFlags(env, cmd, &job)
	addModelFlags(cmd, &model)
	return cmd
}

func newUpdate(env *environment) *cobra.Command {
	var job app.Job
	var model modelFlags
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Bring the wiki up to date, or prove that it is",
		Long: `Goes on with an interrupted run, or starts an update: pages whose facts changed
are written anew, links to lines that moved are followed, every other page keeps
its bytes. Without a wiki it writes the first one. When nothing changed the command proves it, writes nothing and ends.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			job.Mode = generate.ModeUpdate
			return env.run(cmd, job, model)
		},
	}
	addRunFlags(env, cmd, &job)
	addModelFlags(cmd, &model)
	cmd.Flags().BoolVar(&job.Force, "force", false, "plan an update even when nothing changed")
	return cmd
}

func addRunFlags(env *environment, cmd *cobra.Command, job *app.Job) {
	flags := cmd.Flags()
	flags.StringVar(&job.Author, "author", app.AuthorAuto, "who writes: `auto`, agent (a language model) or extractive (without one)")
	flags.StringVarP(&job.Message, "message", "m", "", "`text` for the planner: what to do in this run; named pages or files narrow it")
	flags.StringVarP(&job.Language, "language", "l", "", "language `tag` of the wiki, such as en or pt-BR (default: as it is, else en)")
	flags.BoolVar(&env.events, "events", false, "print progress and result as lines of JSON; stop when standard input ends")
	_ = flags.MarkHidden("events") // the flag is there
	flags.IntVar(&job.MaxPages, "max-pages", 0, "`pages` written in this run at most; the next run goes on (default: all)")
	flags.IntVar(&job.Concurrency, "concurrency", 0, "`pages` written at a time, 1 to 8 (default: $"+concurrencyVariable+", else 1)")
}

// run does the job and reports it.
func (e *environment) run(cmd *cobra.Command, job app.Job, model modelFlags) error {
	ctx := cmd.Context()
	job.Dir, job.WikiDir = e.repository(), e.wikiDir
	if err := e.setConcurrency(cmd, &job); err != nil {
		return e.report(ctx, app.Refused(job, err), err)
	}
	e.setModel(&job, model)
	if e.events {
		return e.runWatched(ctx, job)
	}
	progress := newProgress(e.streams.Err, e.quiet)
	runner := app.Runner{Log: e.logger(), OnEvent: progress.event}
	result, err := runner.Run(ctx, job)
	progress.done()
	return e.report(ctx, result, err)
}

// report prints the result of a job and turns it into the exit status.
func (e *environment) report(ctx context.Context, result *app.Result, err error) error {
	if e.json {
		if err := e.printJSON(result); err != nil {
			return err
		}
	} else {
		printResult(e.streams.Out, result, e.verbose)
	}
	if err != nil {
		e.reportError(result.Error)
		if app.IsLimit(err) && result.Outcome == generate.OutcomePartial {
			return exitError{ExitIncomplete}
		}
		return exitError{exitStatus(ctx, err)}
	}
	return statusOf(ctx, result)
}

func statusOf(ctx context.Context, result *app.Result) error {
	switch result.Outcome {
	case generate.OutcomePartial:
		return exitError{ExitIncomplete}
	case generate.OutcomeFailed:
		return exitError{exitStatus(ctx, nil)}
	}
	return nil
}

// setConcurrency validates the flag, or takes the variable where the flag is absent.
func (e *environment) setConcurrency(cmd *cobra.Command, job *app.Job) error {
	name, value := "--concurrency", strconv.Itoa(job.Concurrency)
	if !cmd.Flags().Changed("concurrency") {
		if value = e.getenv(concurrencyVariable); value == "" {
			return nil
		}
		name = concurrencyVariable
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxConcurrency {
		return &app.ConfigError{Name: name, Err: fmt.Errorf("%q is not a number from 1 to %d", value, maxConcurrency), Next: "leave it out to write one page at a time"}
	}
	job.Concurrency = n
	return nil
}

// logger writes what explains a run to standard error: warnings always, reasons with --verbose.
func (e *environment) logger() *slog.Logger {
	level := slog.LevelWarn
	if e.verbose {
		level = slog.LevelDebug
	}
	if e.quiet {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(e.streams.Err, &slog.HandlerOptions{Level: level, ReplaceAttr: withoutTime}))
}

// withoutTime drops the time: a terminal does not need it, and a CI log adds its own.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
