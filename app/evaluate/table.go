package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
)

// Table writes the rows as a table, with a row of all when there are several.
func Table(w io.Writer, rows []*Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CASE\tOUTCOME\tPAGES\tFAILED\tFAITHFUL\tCOVERAGE\tCHURN\tSTRAY\tREQUESTS\tTOKENS IN\tTOKENS OUT\tCOST")
	total := &Row{Case: "all", Score: &Score{}}
	for _, row := range rows {
		line(t, row)
		total.add(row)
	}
	if len(rows) > 1 {
		line(t, total)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

func line(w io.Writer, r *Row) {
	outcome, phases := cmp.Or(r.Init.Outcome, "-"), []Phase{r.Init}
	churn, stray := "-", "-" // an init replaces everything: only what an update changes is churn
	if r.Update != nil {
		if r.Update.Outcome != "" {
			outcome += ", " + r.Update.Outcome
		}
		phases = append(phases, *r.Update)
		churn, stray = fmt.Sprint(r.Update.Churn), fmt.Sprint(r.Update.Stray)
	}
	var sum Phase
	for _, p := range phases {
		sum.add(p)
	}
	cost := "unknown"
	if sum.Usage.CostUSD > 0 {
		cost = fmt.Sprintf("$%.4f", sum.Usage.CostUSD)
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\n", r.Case, outcome, sum.Complete, sum.Failed,
		share(r.Score.Faithful, r.Score.Claims), share(r.Score.Cited, r.Score.Files), churn, stray,
		sum.Usage.Requests, sum.Usage.InputTokens, sum.Usage.OutputTokens, cost)
}

// share is a part of a whole as both numbers and in percent.
func share(part, whole int) string {
	if whole == 0 {
		return "0/0"
	}
	return fmt.Sprintf("%d/%d %d%%", part, whole, part*100/whole)
}

func (p *Phase) add(q Phase) {
	p.Complete, p.Failed, p.Churn, p.Stray = p.Complete+q.Complete, p.Failed+q.Failed, p.Churn+q.Churn, p.Stray+q.Stray
	p.Usage.Requests += q.Usage.Requests
	p.Usage.InputTokens += q.Usage.InputTokens
	p.Usage.CachedInputTokens += q.Usage.CachedInputTokens
	p.Usage.OutputTokens += q.Usage.OutputTokens
	p.Usage.CostUSD += q.Usage.CostUSD
}

func (r *Row) add(q *Row) {
	r.Init.add(q.Init)
	if q.Update != nil {
		if r.Update == nil {
			r.Update = &Phase{}
		}
		r.Update.add(*q.Update)
	}
	s, t := r.Score, q.Score
	s.Pages, s.Claims, s.Faithful, s.Files, s.Cited = s.Pages+t.Pages, s.Claims+t.Claims, s.Faithful+t.Faithful, s.Files+t.Files, s.Cited+t.Cited
}
