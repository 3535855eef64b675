package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

type label struct {
	name, color, description string
}

type comment struct {
	id                   int64
	issue                int
	author, body         string
	createdAt, updatedAt time.Time
}

// A Comment is what a test sees of a comment.
type Comment struct {
	ID           int64
	Author, Body string
}

func (s *Server) label(name string) *label {
	for i := range s.labels {
		if strings.EqualFold(s.labels[i].name, name) {
			return &s.labels[i]
		}
	}
	return nil
}

func (s *Server) labelObject(l label) object {
	id := slices.IndexFunc(s.labels, func(other label) bool { return other.name == l.name }) + 1
	return object{
		"id": id, "node_id": fmt.Sprintf("LA_%d", id), "url": s.url("/labels/" + l.name), "name": l.name, "color": l.color, "default": false,
		"description": l.description,
	}
}

func (s *Server) labelObjects(names []string) []any {
	out := []any{}
	for _, name := range names {
		if l := s.label(name); l != nil {
			out = append(out, s.labelObject(*l))
		}
	}
	return out
}

func (s *Server) listLabels(r *request) answer {
	page, header := paginate(s, r, s.labels, 30, 100)
	out := []any{}
	for _, l := range page {
		out = append(out, s.labelObject(l))
	}
	return answer{status: http.StatusOK, body: out, header: header}
}

func (s *Server) getLabel(r *request) answer {
	l := s.label(r.params["name"])
	if l == nil {
		return notFound()
	}
	return ok(s.labelObject(*l))
}

func (s *Server) createLabel(r *request) answer {
	var in struct{ Name, Color, Description string }
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if s.label(in.Name) != nil {
		return unprocessable("Label", "name", "already_exists", "")
	}
	if refused := labelProblem(in.Name); refused.status != 0 {
		return refused
	}
	if len([]rune(in.Description)) > 100 {
		return unprocessable("Label", "description", "custom", "description is too long (maximum is 100 characters)")
	}
	l := label{in.Name, or(in.Color, "ededed"), in.Description}
	s.labels = append(s.labels, l)
	return created(s.labelObject(l))
}

func labelProblem(name string) answer {
	if name == "" || len([]rune(name)) > 50 {
		return unprocessable("Label", "name", "custom", "name is too long (maximum is 50 characters)")
	}
	return answer{}
}

func (s *Server) listIssueLabels(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	return ok(s.labelObjects(p.labels))
}

// addIssueLabels takes both forms of the body; labels that the repository does not have are made.
func (s *Server) addIssueLabels(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	var names []string
	if json.Unmarshal(r.body, &names) != nil {
		var in struct{ Labels []string }
		if err := r.decode(&in); err != nil {
			return refuse(http.StatusBadRequest, "Problems parsing JSON")
		}
		names = in.Labels
	}
	for _, name := range names {
		if refused := labelProblem(name); refused.status != 0 {
			return refused
		}
	}
	s.addLabels(p, names)
	return ok(s.labelObjects(p.labels))
}

func (s *Server) addLabels(p *pull, names []string) {
	for _, name := range names {
		if s.label(name) == nil {
			s.labels = append(s.labels, label{name: name, color: "ededed"})
		}
	}
	p.labels = union(p.labels, names)
	p.updatedAt = s.now()
}

func (s *Server) removeIssueLabel(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	at := slices.Index(p.labels, r.params["name"])
	if at < 0 {
		return refuse(http.StatusNotFound, "Label does not exist")
	}
	p.labels = slices.Delete(p.labels, at, at+1)
	return ok(s.labelObjects(p.labels))
}

func (s *Server) addAssignees(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	var in struct{ Assignees []string }
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	for _, name := range in.Assignees {
		if u, found := s.user(name); found && u.Permission != "none" { // GitHub drops the others in silence
			p.assignees = union(p.assignees, []string{u.Login})
		}
	}
	return created(s.issueObject(p))
}

func (s *Server) getIssue(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	return ok(s.issueObject(p))
}

// updateIssue changes what issue and pull request share.
func (s *Server) updateIssue(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	var in struct {
		Title, Body, State *string
		Milestone          *int
		Labels, Assignees  []string
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if in.Milestone != nil && (*in.Milestone < 1 || *in.Milestone > len(s.opts.Milestones)) {
		return unprocessable("Issue", "milestone", "invalid", "")
	}
	title, body := value(in.Title, p.title), value(in.Body, p.body)
	if refused := textProblem(title, body); refused.status != 0 {
		return refused
	}
	if refused := s.setState(p, value(in.State, ""), r.grant.Login); refused.status != 0 {
		return refused
	}
	p.title, p.body, p.updatedAt = title, body, s.now()
	if in.Milestone != nil {
		p.milestone = *in.Milestone
	}
	if in.Labels != nil {
		p.labels = nil
		s.addLabels(p, in.Labels)
	}
	if in.Assignees != nil {
		p.assignees = in.Assignees
	}
	return ok(s.issueObject(p))
}

func (s *Server) issueObject(p *pull) object {
	self, page := s.url(fmt.Sprintf("/issues/%d", p.number)), s.html(fmt.Sprintf("/pull/%d", p.number))
	out := s.pullObject(p, false)
	var closedBy any
	if p.closedBy != "" {
		closedBy = s.loginObject(p.closedBy)
	}
	return object{
		"id": 5000 + p.number, "closed_by": closedBy, "node_id": pullNode(p), "number": p.number, "url": self, "html_url": page, "repository_url": s.url(""), "labels_url": self + "/labels{/name}",
		"comments_url": self + "/comments", "events_url": self + "/events", "title": p.title, "body": nullText(p.body), "state": out["state"], "locked": false,
		"user": out["user"], "labels": out["labels"], "assignee": out["assignee"], "assignees": out["assignees"], "milestone": out["milestone"],
		"comments": len(s.commentsOf(p.number)), "created_at": out["created_at"], "updated_at": out["updated_at"], "closed_at": out["closed_at"],
		"author_association": "CONTRIBUTOR", "active_lock_reason": nil, "draft": p.draft,
		"pull_request": object{"url": out["url"], "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch", "merged_at": out["merged_at"]},
	}
}

func (s *Server) commentsOf(issue int) []*comment {
	var out []*comment
	for _, c := range s.comments {
		if c.issue == issue {
			out = append(out, c)
		}
	}
	return out
}

func (s *Server) commentObject(c *comment) object {
	return object{
		"id": c.id, "node_id": fmt.Sprintf("IC_%d", c.id), "url": s.url(fmt.Sprintf("/issues/comments/%d", c.id)),
		"html_url":  s.html(fmt.Sprintf("/pull/%d#issuecomment-%d", c.issue, c.id)),
		"issue_url": s.url(fmt.Sprintf("/issues/%d", c.issue)), "user": s.loginObject(c.author), "body": c.body, "author_association": "CONTRIBUTOR",
		"created_at": timestamp(c.createdAt), "updated_at": timestamp(c.updatedAt),
	}
}

func (s *Server) listComments(r *request) answer {
	if s.pull(r.number("issue_number")) == nil {
		return notFound()
	}
	page, header := paginate(s, r, s.commentsOf(r.number("issue_number")), 30, 100)
	out := []any{}
	for _, c := range page {
		out = append(out, s.commentObject(c))
	}
	return answer{status: http.StatusOK, body: out, header: header}
}

func (s *Server) createComment(r *request) answer {
	p := s.pull(r.number("issue_number"))
	if p == nil {
		return notFound()
	}
	var in struct{ Body string }
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if refused := textProblem("", in.Body); refused.status != 0 {
		return refused
	}
	return created(s.commentObject(s.comment(p, r.grant.Login, in.Body)))
}

func (s *Server) comment(p *pull, by, body string) *comment {
	c := &comment{id: int64(7001 + len(s.comments)), issue: p.number, author: by, body: body, createdAt: s.now(), updatedAt: s.now()}
	s.comments = append(s.comments, c)
	p.updatedAt = s.now()
	return c
}

func (s *Server) findComment(r *request) *comment {
	for _, c := range s.comments {
		if c.issue != 0 && c.id == int64(r.number("comment_id")) {
			return c
		}
	}
	return nil
}

func (s *Server) getComment(r *request) answer {
	c := s.findComment(r)
	if c == nil {
		return notFound()
	}
	return ok(s.commentObject(c))
}

func (s *Server) updateComment(r *request) answer {
	c := s.findComment(r)
	if c == nil {
		return notFound()
	}
	var in struct{ Body string }
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if refused := textProblem("", in.Body); refused.status != 0 {
		return refused
	}
	c.body, c.updatedAt = in.Body, s.now()
	return ok(s.commentObject(c))
}

func (s *Server) deleteComment(r *request) answer {
	c := s.findComment(r)
	if c == nil {
		return notFound()
	}
	c.issue = 0 // the id is not used again
	return answer{status: http.StatusNoContent}
}
