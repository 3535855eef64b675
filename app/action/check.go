package action

import (
	"context"
	"fmt"

	"github.com/wikiwright/wikiwright/app"
)

// check says which statements of the wiki the checked-out source no longer supports. It needs no token and no model, and never fails for
// what it finds.
func (j *job) check(ctx context.Context) error {
	runner := app.Runner{Log: j.console.logger()}
	report, err := runner.Status(ctx, j.dir, j.settings.Text("wiki-dir"))
	if err != nil {
		return err
	}
	j.report.Status = app.StatusOf(report)
	const most = 20
	for i, issue := range j.report.Status.Issues {
		if i == most {
			j.console.line(fmt.Sprintf("… %d more", len(j.report.Status.Issues)-most))
			break
		}
		j.console.warning(fmt.Sprintf("%s: %s statement %s, which cites %v", issue.Page, issue.Kind, issue.Claim, issue.Resources))
	}
	j.console.notice(checkText(j.report.Status))
	return nil
}

func checkText(s *app.StatusResult) string {
	if !s.Exists {
		return "there is no wiki to check"
	}
	return fmt.Sprintf("%d of %d statements of the wiki are stale, %d lost their evidence", s.Claims.Stale, s.Claims.Total, s.Claims.Unresolved)
}
