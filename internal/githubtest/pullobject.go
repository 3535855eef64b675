package githubtest

import (
	"fmt"
	"strings"
)

// pullObject is a pull request as the API shows it; full adds what lists leave out.
func (s *Server) pullObject(p *pull, full bool) object {
	self, issue := s.url(fmt.Sprintf("/pulls/%d", p.number)), s.url(fmt.Sprintf("/issues/%d", p.number))
	page := s.html(fmt.Sprintf("/pull/%d", p.number))
	links := object{
		"self": href(self), "html": href(page), "issue": href(issue), "comments": href(issue + "/comments"), "review_comments": href(self + "/comments"),
		"review_comment": href(s.url("/pulls/comments{/number}")), "commits": href(self + "/commits"), "statuses": href(s.url("/statuses/" + p.headSHA)),
	}
	state := "open"
	if p.closed {
		state = "closed"
	}
	out := object{
		"id": 1000 + p.number, "node_id": pullNode(p), "number": p.number, "state": state, "locked": false, "title": p.title, "body": nullText(p.body), "draft": p.draft,
		"url": self, "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch", "issue_url": issue, "commits_url": self + "/commits",
		"review_comments_url": self + "/comments", "review_comment_url": s.url("/pulls/comments{/number}"), "comments_url": issue + "/comments",
		"statuses_url": s.url("/statuses/" + p.headSHA), "_links": links, "user": s.loginObject(p.author), "author_association": "CONTRIBUTOR",
		"created_at": timestamp(p.createdAt), "updated_at": timestamp(p.updatedAt), "closed_at": stamp(p.closedAt), "merged_at": stamp(p.mergedAt),
		"merge_commit_sha": nullText(p.mergeAs), "labels": s.labelObjects(p.labels), "milestone": s.milestoneObject(p.milestone), "assignee": nil,
		"assignees": s.logins(p.assignees), "requested_reviewers": s.logins(p.reviewers), "requested_teams": s.teamObjects(p.teams),
		"head": s.endObject(p.head, p.headSHA), "base": s.endObject(p.base, p.baseSHA), "auto_merge": s.autoMergeObject(p.autoMerge), "active_lock_reason": nil,
	}
	if len(p.assignees) > 0 {
		out["assignee"] = s.loginObject(p.assignees[0])
	}
	if full {
		s.addFull(out, p)
		return out
	}
	for _, l := range out["labels"].([]any) {
		if l := l.(object); l["description"] == nil { // the description of lists does not know null here
			l["description"] = ""
		}
	}
	return out
}

func (s *Server) addFull(out object, p *pull) {
	additions, deletions := 0, 0
	files, err := s.changedFiles(p)
	if err == nil {
		for _, file := range files {
			additions += file["additions"].(int)
			deletions += file["deletions"].(int)
		}
	}
	commits, err := s.revList(p.baseSHA, p.headSHA)
	if err != nil {
		commits = nil
	}
	out["commits"], out["changed_files"], out["additions"], out["deletions"] = len(commits), len(files), additions, deletions
	out["comments"], out["review_comments"], out["maintainer_can_modify"] = len(s.commentsOf(p.number)), 0, p.maintainerCan
	out["merged"], out["merged_by"] = !p.mergedAt.IsZero(), s.loginObject(p.mergedBy)
	out["mergeable"], out["mergeable_state"], out["rebaseable"] = s.mergeable(p)
}

// mergeable asks git whether the branches merge without a conflict.
func (s *Server) mergeable(p *pull) (mergeable any, state string, rebaseable any) {
	if p.closed {
		return nil, "unknown", nil
	}
	if !s.isAncestor(p.baseSHA, p.headSHA) {
		if _, err := s.fixed("merge-tree", "--write-tree", p.baseSHA, p.headSHA); err != nil {
			return false, "dirty", false
		}
	}
	if p.draft {
		return true, "draft", true
	}
	return true, "clean", true
}

func pullNode(p *pull) string { return fmt.Sprintf("PR_%d", 1000+p.number) }

func href(url string) object { return object{"href": url} }

func nullText(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (s *Server) endObject(branch, sha string) object {
	if _, own, is := strings.Cut(branch, ":"); is {
		fork := s.forkObject()
		return object{"label": branch, "ref": own, "sha": sha, "user": fork["owner"], "repo": fork}
	}
	return object{"label": s.Owner + ":" + branch, "ref": branch, "sha": sha, "user": s.ownerObject(), "repo": s.repositoryObject(false)}
}

func (s *Server) logins(names []string) []any {
	out := []any{}
	for _, name := range names {
		if account := s.loginObject(name); account != nil {
			out = append(out, account)
		}
	}
	return out
}

func (s *Server) teamObjects(slugs []string) []any {
	out := []any{}
	for i, slug := range slugs {
		self := fmt.Sprintf("%s/teams/%d", s.APIURL, i+1)
		out = append(out, object{
			"id": i + 1, "node_id": "T_" + slug, "url": self, "html_url": s.ServerURL + "/orgs/" + s.Owner + "/teams/" + slug, "name": slug, "slug": slug, "description": nil,
			"privacy": "closed", "permission": "push", "members_url": self + "/members{/member}", "repositories_url": self + "/repos", "parent": nil,
			"type": "organization", "organization_id": 77,
		})
	}
	return out
}

func (s *Server) milestoneObject(number int) any {
	if number < 1 || number > len(s.opts.Milestones) {
		return nil
	}
	self := s.url(fmt.Sprintf("/milestones/%d", number))
	return object{
		"id": number, "node_id": fmt.Sprintf("MI_%d", number), "number": number, "state": "open", "title": s.opts.Milestones[number-1], "description": nil,
		"url": self, "html_url": s.html(fmt.Sprintf("/milestone/%d", number)), "labels_url": self + "/labels", "creator": s.loginObject("ada"), "open_issues": 1, "closed_issues": 0,
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "closed_at": nil, "due_on": nil,
	}
}

func (s *Server) autoMergeObject(a *autoMerge) any {
	if a == nil {
		return nil
	}
	return object{"enabled_by": s.loginObject(a.by), "merge_method": a.method, "commit_title": a.title, "commit_message": a.message}
}
