package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/impact"
	"github.com/wikiwright/wikiwright/internal/version"
)

func newCheck(env *environment) *cobra.Command {
	var job app.CheckJob
	var format, failOn string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Show which statements of the wiki a change makes stale",
		Long: `Compares the source at the base with that at the head, and tells which statements
of the wiki in the work tree cite lines that the change alters or removes. Lines
that only moved, and renamed files, still hold; statements about changed files
that were stale before are counted apart. Pages that the change itself edits are
listed too. No model, no key and no token are needed, and nothing is written.

Status 0 whatever is found; 3 when something is stale and --fail-on stale is
given; 1 when the comparison cannot be made; 2 for wrong use, such as a revision
that is not there; 130 or 143 when stopped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFlags(format, failOn); err != nil {
				return env.fail(cmd.Context(), err)
			}
			job.Dir, job.WikiDir = env.repository(), env.wikiDir
			var runner app.Runner
			report, err := runner.Check(cmd.Context(), job)
			if err != nil {
				return env.fail(cmd.Context(), err)
			}
			if err := env.printCheck(report, format); err != nil {
				return err
			}
			if failOn == "stale" && report.Totals.Stale > 0 {
				return exitError{ExitIncomplete}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&job.Base, "base", "", "`revision` the change starts from (default: where HEAD left the default branch)")
	f.StringVar(&job.Head, "head", "", "`revision` of the change (default: HEAD with what is not committed)")
	f.StringVar(&format, "format", "text", "`form` of the report: text, json or sarif")
	f.StringVar(&failOn, "fail-on", "never", "`when` the status is 3: never, or stale")
	return cmd
}

func checkFlags(format, failOn string) error {
	switch {
	case format != "text" && format != "json" && format != "sarif":
		return &app.ConfigError{Name: "--format", Err: fmt.Errorf("%q is no form of the report", format), Next: "use text, json or sarif"}
	case failOn != "never" && failOn != "stale":
		return &app.ConfigError{Name: "--fail-on", Err: errors.New("is neither never nor stale"), Next: "use stale to fail when something is stale"}
	}
	return nil
}

func (e *environment) printCheck(report *impact.Report, format string) error {
	switch {
	case format == "sarif":
		data, err := report.SARIF(version.Version)
		if err != nil {
			return err
		}
		_, err = e.streams.Out.Write(data)
		return err
	case format == "json" || e.json:
		return e.printJSON(report)
	}
	report.Text(e.streams.Out)
	return nil
}
