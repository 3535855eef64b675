package action

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sethvargo/go-githubactions"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/impact"
	"github.com/wikiwright/wikiwright/internal/version"
)

// check says which statements of the wiki the change makes stale. It needs no model and no right to write, and never fails for what it
// finds. An event without a change is asked which statements are stale as it is.
func (j *job) check(ctx context.Context) error {
	base, err := j.changeBase(ctx)
	if err != nil {
		return err
	}
	if base == "" {
		return j.checkState(ctx)
	}
	runner := app.Runner{Log: j.console.logger()}
	report, err := runner.Check(ctx, app.CheckJob{Dir: j.dir, WikiDir: j.settings.Text("wiki-dir"), Base: base})
	if err != nil {
		return err
	}
	j.report.Check = report
	list, more := report.Redacted(j.show).Annotations()
	for _, a := range list {
		j.console.annotate(a)
	}
	text := report.Headline()
	if more > 0 {
		text += fmt.Sprintf("; %d more places are in the summary", more)
	}
	j.console.notice(text)
	return j.writeSARIF(report)
}

// changeBase returns the commit that the change of the event starts from, and gets it; "" when the event has no change.
func (j *job) changeBase(ctx context.Context) (string, error) {
	e := j.event
	switch {
	case e.PullRequest != nil:
		return j.pullBase(ctx)
	case e.MergeGroup != nil:
		return e.MergeGroup.BaseSHA, j.fetch(ctx, e.MergeGroup.BaseSHA)
	case e.Name == "push" && strings.Trim(e.Before, "0") != "":
		err := j.fetch(ctx, e.Before)
		if err != nil {
			// After a force push the old commit may be gone for good.
			j.console.warning("the commit before the push could not be fetched, so the whole wiki is checked: " + err.Error())
			return "", nil
		}
		return e.Before, nil
	}
	return "", nil
}

// pullBase is the first parent of the merge commit that pull_request checks out. Where the head is checked out instead, it is where that
// left the base branch.
func (j *job) pullBase(ctx context.Context) (string, error) {
	repo, head := j.place.Repo, j.place.Head.Commit
	info, err := repo.CommitInfo(ctx, head)
	if err != nil {
		return "", err
	}
	tip := j.event.PullRequest.Base.SHA
	if len(info.Parents) == 2 && head != j.event.PullRequest.Head.SHA {
		return info.Parents[0], j.fetch(ctx, info.Parents[0])
	}
	if err := j.fetch(ctx, tip); err != nil {
		return "", err
	}
	base, err := repo.MergeBase(ctx, tip, head)
	if errors.Is(err, gitrepo.ErrUnknownCommit) {
		j.console.warning("the checkout has too little history to find where the branch began: what the base branch changed since counts too; fetch-depth: 0 helps")
		return tip, nil
	}
	return base, err
}

// fetch gets a commit that a shallow checkout has not.
func (j *job) fetch(ctx context.Context, commit string) error {
	if err := j.place.Repo.FetchObjects(ctx, j.publisher.Remote, commit); err != nil {
		return j.gitHubError("get the commit that the change starts from", err)
	}
	return nil
}

func (j *job) writeSARIF(report *impact.Report) error {
	name := j.settings.Text("sarif-path")
	if name == "" {
		return nil
	}
	data, err := report.Redacted(j.show).SARIF(version.Version)
	if err == nil {
		data, err = j.showJSON(data)
	}
	if err != nil {
		return fmt.Errorf("write the SARIF log: %w", err)
	}
	_, err = j.writeFile("sarif-path", name, data)
	return err
}

// lineURL is the web address of a line at the commit that is checked out; "" where none is known.
func (j *job) lineURL(file string, line int) string {
	server := j.cfg.Getenv("GITHUB_SERVER_URL")
	if server == "" || line == 0 {
		return ""
	}
	return fmt.Sprintf("%s/%s/blob/%s/%s#L%d", server, j.cfg.Getenv("GITHUB_REPOSITORY"), j.place.Head.Commit, impact.EscapePath(file), line)
}

// annotate puts a remark at a line of the change.
func (c *console) annotate(a impact.Annotation) {
	if !c.runner {
		c.line(fmt.Sprintf("%s:%d: %s: %s", a.File, a.Line, a.Title, a.Message))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	properties := githubactions.CommandProperties{"file": c.text(a.File), "title": c.text(a.Title)}
	if a.Line > 0 {
		properties["line"] = fmt.Sprint(a.Line)
	}
	c.actions.IssueCommand(&githubactions.Command{Name: "notice", Message: c.text(a.Message), Properties: properties})
}

// checkState says which statements of the wiki the checked-out source no longer supports.
func (j *job) checkState(ctx context.Context) error {
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
