// Package cli is the command line: flags in, text or one JSON object out, an exit status at the end. The work is in package app.
//
// Exit status: 0 done or nothing to do, 1 failed, 2 wrong use or configuration, 3 finished but incomplete (pages skipped, or the
// source moved during the run), 130 and 143 stopped by a signal with finished pages kept.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
)

// Exit statuses.
const (
	ExitDone       = 0
	ExitFailed     = 1
	ExitUsage      = 2
	ExitIncomplete = 3
)

// Streams are where a command writes: results to Out, progress and errors to Err. In is read only by a run that a parent process watches.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Stopped is the cause of a context that a signal ended.
type Stopped struct{ Signal os.Signal }

// Error implements error.
func (s Stopped) Error() string { return "stopped by signal: " + s.Signal.String() }

// Is makes a signal a cancellation, so that others need not know of signals.
func (s Stopped) Is(target error) bool { return target == context.Canceled }

// ExitStatus is 128 plus the signal's number.
func (s Stopped) ExitStatus() int {
	if s.Signal == syscall.SIGTERM {
		return 143
	}
	return 130
}

// exitError carries the status of a command that has already said all it has to say.
type exitError struct{ status int }

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// Main runs one command and returns its exit status. getenv is the only way to the environment.
func Main(ctx context.Context, args []string, streams Streams, getenv func(string) string) int {
	env := &environment{streams: streams, getenv: getenv}
	root := newRoot(env)
	root.SetArgs(args)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.ExecuteContext(ctx)
	var exit exitError
	var output *outputError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &exit):
		return exit.status
	case errors.As(err, &output):
		fmt.Fprintf(streams.Err, "wikiwright: %v\n", err)
		return ExitFailed
	}
	// Everything else comes from the parsing of the command line: commands report their own errors.
	env.json = env.json || asksForJSON(args)
	if err := env.refuse(err); err != nil {
		fmt.Fprintf(streams.Err, "wikiwright: %v\n", err)
		return ExitFailed
	}
	return ExitUsage
}

// refuse reports a command line that cannot be understood.
func (e *environment) refuse(err error) error {
	return e.explain(&app.ErrorResult{Code: app.CodeUsage, Message: err.Error(), Hint: "wikiwright --help lists the commands and flags"})
}

// asksForJSON looks for --json on a command line of which the flags were not understood to the end.
func asksForJSON(args []string) bool {
	for _, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return false
		case name == "--json" && (!given || value == "true" || value == "1"):
			return true
		}
	}
	return false
}

// environment is what commands share: streams, the process environment and the global flags.
type environment struct {
	streams Streams
	getenv  func(string) string

	dir     string
	wikiDir string
	json    bool
	quiet   bool
	verbose bool
	events  bool
}

func newRoot(env *environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "wikiwright",
		Short: "Keep a repository's wiki true to its source",
		Long: `Wikiwright writes a wiki from the source of a git repository and keeps it true:
every statement is a Claim with evidence down to the line, and an update rewrites
only the pages that a change touches. Without a model or a key.`,
		Example: `  wikiwright init              write the wiki of the checkout you are in
  wikiwright update            bring it up to date; at once when there is nothing to do
  wikiwright status            what is covered, stale or interrupted`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
	}
	printVersion := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *printVersion {
			return env.printVersion()
		}
		return cmd.Help()
	}
	flags := root.PersistentFlags()
	flags.StringVar(&env.dir, "repo", "", "`directory` in the checkout (default: the working directory)")
	flags.StringVar(&env.wikiDir, "wiki-dir", "", "`directory` of the wiki (default: wikiDirectory in .openwiki.json, else openwiki)")
	flags.BoolVar(&env.json, "json", false, "print one JSON object on standard output")
	flags.BoolVarP(&env.quiet, "quiet", "q", false, "no progress")
	flags.BoolVarP(&env.verbose, "verbose", "v", false, "say more about what is done and why")
	root.MarkFlagsMutuallyExclusive("quiet", "verbose")
	root.AddCommand(newInit(env), newUpdate(env), newStatus(env), newCheck(env), newPublish(env), newReset(env), newAction(env), newEval(env), newVersion(env))
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	strictParents(root)
	return root
}

// newHelp is the help command, for which an unknown topic is wrong use.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("unknown command %q for %q", rest[0], topic.CommandPath())
			}
			if err != nil {
				return err
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// strictParents makes commands that only hold others refuse what is not one of them.
func strictParents(root *cobra.Command) {
	for _, parent := range root.Commands() {
		if parent.HasSubCommands() && !parent.Runnable() {
			parent.Args = cobra.NoArgs
			parent.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

func (e *environment) repository() string {
	if e.dir == "" {
		return "."
	}
	return e.dir
}

// fail reports an error once and turns it into the exit status.
func (e *environment) fail(ctx context.Context, err error) error {
	if err := e.explain(app.Explain(err)); err != nil {
		return err
	}
	return exitError{exitStatus(ctx, err)}
}

// explain reports an error, as an object too if that was asked for. Its error is that of printing.
func (e *environment) explain(explained *app.ErrorResult) error {
	if e.json {
		if err := e.printJSON(struct {
			Error *app.ErrorResult `json:"error"`
		}{explained}); err != nil {
			return err
		}
	}
	e.reportError(explained)
	return nil
}

func (e *environment) reportError(explained *app.ErrorResult) {
	fmt.Fprintf(e.streams.Err, "wikiwright: %s\n", printable(explained.Message))
	if explained.Hint != "" {
		fmt.Fprintf(e.streams.Err, "hint: %s\n", printable(explained.Hint))
	}
}

// exitStatus maps an error to the status of the process.
func exitStatus(ctx context.Context, err error) int {
	var stopped Stopped
	switch {
	case errors.As(context.Cause(ctx), &stopped):
		return stopped.ExitStatus()
	case app.IsConfiguration(err):
		return ExitUsage
	}
	return ExitFailed
}
