package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app/action"
)

func newAction(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "action",
		Short: "Run as a GitHub Action",
		Long: `The entry of the GitHub Action: takes inputs, event and token from the environment
of the runner, brings the wiki up to date in a process without that token,
publishes it as a pull request, and writes summary, outputs and a report.
docs/action.md describes inputs and outputs.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			program, err := os.Executable()
			if err != nil {
				return env.fail(cmd.Context(), fmt.Errorf("find this program: %w", err))
			}
			status := action.Run(cmd.Context(), action.Config{Getenv: env.getenv, Environ: os.Environ(), Out: env.streams.Out, Program: program})
			if status != ExitDone {
				return exitError{status}
			}
			return nil
		},
	}
}
