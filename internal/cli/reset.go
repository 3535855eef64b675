package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
)

func newReset(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "Drop an unusable run state, keep the pages",
		Long: `Removes the state of an interrupted run (.run.json), also one that cannot be
read. Pages, Claims and metadata stay; pages that the run had finished stay
finished. The next update plans anew. When the run is an init that was replacing
a wiki and had planned none yet, the old wiki comes back.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var runner app.Runner
			removed, err := runner.Reset(cmd.Context(), env.repository(), env.wikiDir)
			if err != nil {
				return env.fail(cmd.Context(), err)
			}
			if env.json {
				return env.printJSON(struct {
					Removed bool `json:"removed"`
				}{removed})
			}
			if removed {
				fmt.Fprintln(env.streams.Out, "run state removed; every page is kept, and a wiki that was being replaced is back")
			} else {
				fmt.Fprintln(env.streams.Out, "there is no interrupted run")
			}
			return nil
		},
	}
}
