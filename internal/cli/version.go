package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/internal/version"
)

func newVersion(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return env.printVersion() },
	}
}

func (e *environment) printVersion() error {
	if e.json {
		return e.printJSON(struct {
			Version string `json:"version"`
			Commit  string `json:"commit,omitempty"`
			Go      string `json:"go"`
		}{version.Version, version.Commit(), runtime.Version()})
	}
	fmt.Fprintf(e.streams.Out, "wikiwright %s (%s %s/%s)\n", version.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
