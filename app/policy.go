package app

import "github.com/wikiwright/wikiwright/publish"

// PolicyOf takes from the settings what concerns the pull request.
func PolicyOf(s *Settings) publish.Policy {
	p := publish.DefaultPolicy()
	p.Branch, p.Title, p.CommitMessage, p.BodyHeader = s.Text("branch"), s.Text("title"), s.Text("commit-message"), s.Text("body-header")
	p.Labels = append(p.Labels, s.Lines("labels")...)
	p.Assignees, p.Reviewers, p.TeamReviewers = s.Lines("assignees"), s.Lines("reviewers"), s.Lines("team-reviewers")
	p.Milestone = s.Number("milestone")
	p.Draft, p.SignCommits = publish.DraftMode(s.Text("draft")), publish.SignMode(s.Text("sign-commits"))
	p.MaintainerCanModify, p.AutoMerge = s.Bool("maintainer-can-modify"), s.Text("auto-merge")
	p.DeleteBranch, p.AllowMassDelete = s.Bool("delete-branch"), s.Bool("allow-mass-delete")
	p.OnForeignCommits, p.OnClosed = publish.ForeignMode(s.Text("on-foreign-commits")), publish.ClosedMode(s.Text("on-closed"))
	p.MinNewPages, p.ExtraPaths = s.Number("min-new-pages"), extraPaths(s)
	return p
}
