package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func newStatus(env *environment) *cobra.Command {
	var config bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show pages, coverage, stale Claims and a run that has not ended",
		Long: `Reads the wiki and compares every Claim with the source, and tells whether a run
is in progress or was interrupted. Writes nothing and waits for nobody. Status 0
also when something is stale; 1 when the state cannot be read.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if config {
				return env.showSettings(cmd.Context())
			}
			var runner app.Runner
			report, err := runner.Status(cmd.Context(), env.repository(), env.wikiDir)
			if err != nil {
				return env.fail(cmd.Context(), err)
			}
			if env.json {
				return env.printJSON(app.StatusOf(report))
			}
			printStatus(env.streams.Out, report)
			return nil
		},
	}
	cmd.Flags().BoolVar(&config, "config", false, "show the settings of the Action in effect, and where each comes from")
	return cmd
}

// showSettings prints the settings of the checked-out commit.
func (e *environment) showSettings(ctx context.Context) error {
	place, err := app.Locate(ctx, e.repository(), e.wikiDir)
	if err != nil {
		return e.fail(ctx, err)
	}
	settings, err := e.publishSettings(ctx, place, publishFlags{})
	if err != nil {
		return e.fail(ctx, err)
	}
	rows := settings.Effective()
	if e.json {
		return e.printJSON(struct {
			Settings []app.EffectiveValue `json:"settings"`
		}{rows})
	}
	for _, row := range rows {
		fmt.Fprintf(e.streams.Out, "%-22s %-24s %s\n", row.Name, printable(strings.ReplaceAll(row.Value, "\n", ", ")), row.Origin)
	}
	return nil
}

func printStatus(w io.Writer, r *generate.StatusReport) {
	for _, note := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", printable(note))
	}
	if !r.Exists && r.Running == nil && r.Run == nil {
		fmt.Fprintln(w, noWiki(r))
		return
	}
	fmt.Fprintf(w, "wiki      %s, %s; %d stale, %d unresolved, %d moved\n",
		count(len(r.Pages), "page"), count(r.Claims.Total, "Claim"), r.Claims.Stale, r.Claims.Unresolved, len(r.Moved))
	if u := r.LastUpdate; u != nil {
		fmt.Fprintf(w, "baseline  %s\n", baseline(u))
	}
	if r.Running != nil || r.Run != nil {
		fmt.Fprintf(w, "run       %s\n", runText(r))
	}
	if r.Replaced && r.Running == nil {
		fmt.Fprintf(w, "replaced  %s\n", replacedText)
	}
	if r.UpToDate {
		fmt.Fprintln(w, "state     up to date: an update has nothing to do")
	} else {
		fmt.Fprintf(w, "state     an update has work: %s\n", printable(r.Reason))
	}
	for _, p := range r.Pages {
		if text := pageState(p); text != "" {
			fmt.Fprintf(w, "  %s: %s\n", printable(string(p.Path)), text)
		}
	}
}

// pageState tells what is wrong with a page, "" when nothing is.
func pageState(p generate.PageStatus) string {
	switch {
	case p.HandEdited:
		return "edited by hand; its text stands and its Claims are proved again"
	case p.Unresolved > 0 || p.Stale > 0:
		return fmt.Sprintf("%d stale, %d unresolved of %s", p.Stale, p.Unresolved, count(p.Claims, "Claim"))
	case !p.Covered && p.Claims == 0:
		return "has no Claims: nothing proves it, and no run changes it unasked"
	case !p.Covered:
		return "not covered: gets a full review"
	}
	return ""
}

const replacedText = "the wiki that an init was replacing is kept; wikiwright reset brings it back, wikiwright init replaces it"

func noWiki(r *generate.StatusReport) string {
	if r.Replaced {
		return "no wiki: " + replacedText
	}
	return "no wiki yet: wikiwright init writes one"
}

// baseline tells up to which commit the wiki is true and what the last run was. The format calls a run that left pages out interrupted.
func baseline(u *generate.LastUpdate) string {
	commit, ended := "none", "complete"
	if u.GitHead != "" {
		commit = shortCommit(u.GitHead)
	}
	if u.Status != generate.StatusComplete {
		ended = "incomplete"
	}
	return fmt.Sprintf("%s (%s %s, %s)", printable(commit), u.Command, ended, printable(u.UpdatedAt))
}

// runText tells how far a run is, or was when it ended early.
func runText(r *generate.StatusReport) string {
	text := "in progress"
	if r.Running != nil && r.Running.ID != 0 {
		text = fmt.Sprintf("in progress (process %d)", r.Running.ID)
	}
	run := r.Run
	if run == nil {
		return text
	}
	text = fmt.Sprintf("%s %s", run.Mode, text)
	if r.Running == nil {
		text = fmt.Sprintf("%s interrupted while %s", run.Mode, run.Phase)
	} else if run.Phase == generate.PhasePlanning {
		return text + ": planning"
	}
	text += fmt.Sprintf(": %d complete, %d skipped, %d pending", run.Complete, run.Skipped, run.Pending)
	switch {
	case r.Running == nil:
		text += fmt.Sprintf("; wikiwright %s goes on", run.Mode)
	case len(r.Running.Pages) > 0:
		text += "; at " + printable(joined(r.Running.Pages))
	}
	return text
}

func joined(pages []wiki.PagePath) string {
	names := make([]string, len(pages))
	for i, page := range pages {
		names[i] = string(page)
	}
	return strings.Join(names, ", ")
}
