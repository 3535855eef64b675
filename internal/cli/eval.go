package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/app/evaluate"
)

// newEval is for those who work on prompts, reviews and authors: it is not in the help.
func newEval(env *environment) *cobra.Command {
	var model string
	cmd := &cobra.Command{
		Use:    "eval [CASE...]",
		Hidden: true,
		Short:  "Measure wikis: the one that is there, or what scripted models make of cases",
		Long: `Without a case, scores the wiki of the repository as it stands: how many Claims
cite lines that hold what they name, and how much of the source is cited.

A CASE is a directory with source/, init.jsonl and, for an update, change/ and
update.jsonl: the replies of a model, replayed through the whole lifecycle in a
temporary checkout. Prints faithfulness, coverage, churn, tokens and cost as a
table, or with --json all figures. docs/eval.md describes the files.

Status 0 whatever is measured; 1 when a case cannot be played.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return env.evalWiki(cmd)
			}
			var rows []*evaluate.Row
			for _, dir := range args {
				row, err := evaluate.Run(cmd.Context(), dir, model)
				if err != nil {
					return env.fail(cmd.Context(), err)
				}
				rows = append(rows, row)
			}
			if env.json {
				return env.printJSON(struct {
					Rows []*evaluate.Row `json:"rows"`
				}{rows})
			}
			return evaluate.Table(env.streams.Out, rows)
		},
	}
	cmd.Flags().StringVar(&model, "model", "scripted", "`id` of the model whose replies are replayed")
	return cmd
}

func (e *environment) evalWiki(cmd *cobra.Command) error {
	place, err := app.Locate(cmd.Context(), e.repository(), e.wikiDir)
	if err != nil {
		return e.fail(cmd.Context(), err)
	}
	score, err := evaluate.Measure(cmd.Context(), e.repository(), string(place.WikiDir))
	if err != nil {
		return e.fail(cmd.Context(), err)
	}
	if e.json {
		return e.printJSON(score)
	}
	if score.Pages == 0 {
		return e.fail(cmd.Context(), errors.New("there is no wiki to score"))
	}
	fmt.Fprintf(e.streams.Out, "%d pages, %d Claims\nfaithful: %d of %d Claims\ncoverage: %d of %d source files\n",
		score.Pages, score.Claims, score.Faithful, score.Claims, score.Cited, score.Files)
	for _, doubt := range score.Doubtful {
		fmt.Fprintf(e.streams.Out, "  %s\n", printable(doubt))
	}
	return nil
}
