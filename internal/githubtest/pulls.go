package githubtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// pull is a pull request as the server keeps it. Its issue has the same number.
type pull struct {
	number            int
	title, body       string
	base, head        string // branches
	baseSHA, headSHA  string // where they are, or were when it was closed
	author            string
	draft, closed     bool
	maintainerCan     bool
	mergedAt          time.Time
	mergedBy, mergeAs string // login; commit on the base
	createdAt         time.Time
	updatedAt         time.Time
	closedAt          time.Time
	closedBy          string
	labels            []string
	assignees         []string
	reviewers, teams  []string
	milestone         int
	autoMerge         *autoMerge
}

type autoMerge struct{ by, method, title, message string }

// A Pull is what a test sees of a pull request.
type Pull struct {
	Number               int
	Title, Body          string
	Base, Head           string // branches
	HeadSHA              string
	Author               string
	Draft, Open, Merged  bool
	ClosedBy             string // login; "" while open
	MergeCommit          string
	Labels, Assignees    []string
	Reviewers, Teams     []string
	Milestone            int    // 0: none
	AutoMerge            string // method; "" when off
	Queued               bool   // in the merge queue
	MaintainerCanModify  bool
	Comments             []Comment
	CreatedAt, UpdatedAt time.Time
}

// Pull returns a pull request; the zero value when there is none.
func (s *Server) Pull(number int) Pull {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pull(number)
	if p == nil {
		return Pull{}
	}
	return s.view(p)
}

// Pulls returns every pull request by number.
func (s *Server) Pulls() []Pull {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Pull
	for _, p := range s.pulls {
		out = append(out, s.view(p))
	}
	return out
}

func (s *Server) view(p *pull) Pull {
	out := Pull{
		Number: p.number, Title: p.title, Body: p.body, Base: p.base, Head: p.head, HeadSHA: p.headSHA, Author: p.author, Draft: p.draft, Open: !p.closed,
		Merged: !p.mergedAt.IsZero(), ClosedBy: p.closedBy, MergeCommit: p.mergeAs, Labels: slices.Clone(p.labels), Assignees: slices.Clone(p.assignees),
		Reviewers: slices.Clone(p.reviewers), Teams: slices.Clone(p.teams), Milestone: p.milestone, Queued: s.queue[p.number] != "",
		MaintainerCanModify: p.maintainerCan, CreatedAt: p.createdAt, UpdatedAt: p.updatedAt,
	}
	if p.autoMerge != nil {
		out.AutoMerge = p.autoMerge.method
	}
	for _, c := range s.comments {
		if c.issue == p.number {
			out.Comments = append(out.Comments, Comment{ID: c.id, Author: c.author, Body: c.body})
		}
	}
	return out
}

func (s *Server) pull(number int) *pull {
	if number < 1 || number > len(s.pulls) {
		return nil
	}
	return s.pulls[number-1]
}

// openPull finds the open pull request of a branch; base "" means any.
func (s *Server) openPull(head, base string) *pull {
	for _, p := range s.pulls {
		if !p.closed && p.head == head && (base == "" || p.base == base) {
			return p
		}
	}
	return nil
}

// followRef lets the pull requests see that a branch moved: heads move along, a lost or empty branch closes, a base that has it all is a merge.
func (s *Server) followRef(u RefUpdate) {
	branch := s.branchOf(u.Ref)
	for _, p := range s.pulls {
		if p.closed {
			continue
		}
		switch {
		case p.head == branch && u.New == "":
			s.closePull(p, u.By)
		case p.head == branch:
			p.headSHA, p.updatedAt = u.New, s.now()
			if s.isAncestor(u.New, s.branchHead(p.base)) {
				s.closePull(p, u.By) // nothing left to merge: GitHub closes it
			}
		case p.base == branch && u.New == "":
			s.closePull(p, u.By)
		case p.base == branch:
			p.baseSHA = u.New
			if s.isAncestor(p.headSHA, u.New) {
				s.markMerged(p, u.New, u.By)
			}
		}
	}
}

func (s *Server) closePull(p *pull, by string) {
	p.closed, p.closedAt, p.updatedAt, p.closedBy, p.autoMerge = true, s.now(), s.now(), by, nil
	s.leaveQueue(p.number)
}

func (s *Server) markMerged(p *pull, commit, by string) {
	s.closePull(p, by)
	p.mergedAt, p.mergedBy, p.mergeAs = p.closedAt, by, commit
}

func (s *Server) listPulls(r *request) answer {
	state, head, base := or(r.query.Get("state"), "open"), r.query.Get("head"), r.query.Get("base")
	if head != "" && !strings.Contains(head, ":") {
		s.violate(BadRequest, "GET pulls: head %q has no owner: GitHub would ignore it and answer with every pull request", head)
		head = ""
	}
	var found []*pull
	for _, p := range s.pulls {
		if (state == "all" || p.closed == (state == "closed")) && (base == "" || p.base == base) && (head == "" || s.ownName(head) == p.head) {
			found = append(found, p)
		}
	}
	when := func(p *pull) time.Time { return p.createdAt }
	if r.query.Get("sort") == "updated" {
		when = func(p *pull) time.Time { return p.updatedAt }
	}
	slices.SortStableFunc(found, func(a, b *pull) int {
		if c := when(a).Compare(when(b)); c != 0 {
			return c
		}
		return a.number - b.number
	})
	if direction := r.query.Get("direction"); direction == "desc" || direction == "" && or(r.query.Get("sort"), "created") == "created" {
		slices.Reverse(found)
	}
	page, header := paginate(s, r, found, 30, 100)
	out := []any{}
	for _, p := range page {
		out = append(out, s.pullObject(p, false))
	}
	return answer{status: http.StatusOK, body: out, header: header}
}

func (s *Server) getPull(r *request) answer {
	p := s.pull(r.number("pull_number"))
	if p == nil {
		return notFound()
	}
	return ok(s.pullObject(p, true))
}

func (s *Server) createPull(r *request) answer {
	var in struct {
		Title, Head, Base, Body string
		Draft                   bool
		MaintainerCan           *bool `json:"maintainer_can_modify"`
		Issue                   int
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if r.grant.Kind == Actions && s.settings.noActionsPulls {
		return refuse(http.StatusForbidden, "GitHub Actions is not permitted to create or approve pull requests.")
	}
	head := s.ownName(in.Head)
	if refused := s.pullProblem(in.Title, in.Body, head, in.Base, in.Draft); refused.status != 0 {
		return refused
	}
	p := &pull{
		number: len(s.pulls) + 1, title: in.Title, body: in.Body, base: in.Base, head: head, baseSHA: s.branchHead(in.Base), headSHA: s.branchHead(head),
		author: r.grant.Login, draft: in.Draft, maintainerCan: in.MaintainerCan != nil && *in.MaintainerCan, createdAt: s.now(), updatedAt: s.now(),
	}
	s.pulls = append(s.pulls, p)
	return created(s.pullObject(p, true))
}

// pullProblem is why a pull request cannot be opened.
func (s *Server) pullProblem(title, body, head, base string, draft bool) answer {
	switch {
	case title == "":
		return unprocessable("Issue", "title", "missing_field", "")
	case s.branchHead(head) == "":
		return unprocessable("PullRequest", "head", "invalid", "")
	case s.branchHead(base) == "":
		return unprocessable("PullRequest", "base", "invalid", "")
	case head == base || s.isAncestor(s.branchHead(head), s.branchHead(base)):
		return unprocessable("PullRequest", "", "custom", "No commits between "+base+" and "+head)
	case s.openPull(head, base) != nil:
		return unprocessable("PullRequest", "", "custom", "A pull request already exists for "+s.Owner+":"+head+".")
	case draft && s.settings.noDrafts:
		return refuse(http.StatusUnprocessableEntity, "Draft pull requests are not supported in this repository.")
	}
	return textProblem(title, body)
}

// textProblem holds the lengths of texts against GitHub's bounds.
func textProblem(title, body string) answer {
	if length(title) > 256 {
		return unprocessable("Issue", "title", "custom", "title is too long (maximum is 256 characters)")
	}
	if length(body) > 65536 {
		return unprocessable("Issue", "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return answer{}
}

func length(text string) int { return len(utf16.Encode([]rune(text))) }

func (s *Server) updatePull(r *request) answer {
	p := s.pull(r.number("pull_number"))
	if p == nil {
		return notFound()
	}
	var in struct {
		Title, Body, State, Base *string
		MaintainerCan            *bool `json:"maintainer_can_modify"`
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	title, body := value(in.Title, p.title), value(in.Body, p.body)
	if refused := textProblem(title, body); refused.status != 0 {
		return refused
	}
	if in.Base != nil && s.branchHead(*in.Base) == "" {
		return unprocessable("PullRequest", "base", "invalid", "")
	}
	if refused := s.setState(p, value(in.State, ""), r.grant.Login); refused.status != 0 {
		return refused
	}
	p.title, p.body, p.base, p.updatedAt = title, body, value(in.Base, p.base), s.now()
	if in.MaintainerCan != nil {
		p.maintainerCan = *in.MaintainerCan
	}
	return ok(s.pullObject(p, true))
}

func value(set *string, otherwise string) string {
	if set == nil {
		return otherwise
	}
	return *set
}

// setState closes or reopens.
func (s *Server) setState(p *pull, state, by string) answer {
	custom := func(text string) answer {
		return unprocessable("PullRequest", "state", "invalid", "state cannot be changed. "+text)
	}
	switch {
	case state == "closed" && !p.closed:
		s.closePull(p, by)
	case state != "open" || !p.closed:
	case !p.mergedAt.IsZero():
		return custom("The pull request cannot be reopened.")
	case s.branchHead(p.head) == "":
		return custom("The " + p.head + " branch has been deleted.")
	case !s.isAncestor(p.headSHA, s.branchHead(p.head)):
		return custom("The " + p.head + " branch was force-pushed or recreated.")
	case s.isAncestor(s.branchHead(p.head), s.branchHead(p.base)):
		return custom("There are no new commits on the " + p.head + " branch.")
	case s.openPull(p.head, p.base) != nil:
		return custom("There is already an open pull request from " + p.head + " to " + p.base + ".")
	default:
		p.closed, p.closedAt, p.closedBy = false, time.Time{}, ""
		p.headSHA, p.baseSHA = s.branchHead(p.head), s.branchHead(p.base)
	}
	return answer{}
}

func (s *Server) pullCommits(r *request) answer {
	p := s.pull(r.number("pull_number"))
	if p == nil {
		return notFound()
	}
	shas, err := s.revList(p.baseSHA, p.headSHA)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	page, header := paginate(s, r, shas[:min(len(shas), 250)], 30, 100)
	commits, err := s.commitObjects(page)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return answer{status: http.StatusOK, body: commits, header: header}
}

func (s *Server) pullFiles(r *request) answer {
	p := s.pull(r.number("pull_number"))
	if p == nil {
		return notFound()
	}
	files, err := s.changedFiles(p)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	page, header := paginate(s, r, files[:min(len(files), 3000)], 30, 100)
	return answer{status: http.StatusOK, body: page, header: header}
}

func (s *Server) changedFiles(p *pull) ([]object, error) {
	base, err := s.mergeBase(p.baseSHA, p.headSHA)
	if err != nil {
		return nil, err
	}
	return s.diffEntries(base, p.headSHA)
}

func (s *Server) requestReviewers(r *request) answer { return s.changeReviewers(r, true) }
func (s *Server) removeReviewers(r *request) answer  { return s.changeReviewers(r, false) }

func (s *Server) changeReviewers(r *request, add bool) answer {
	p := s.pull(r.number("pull_number"))
	if p == nil {
		return notFound()
	}
	var in struct {
		Reviewers []string
		Teams     []string `json:"team_reviewers"`
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if add {
		if refused := s.reviewerProblem(p, in.Reviewers, in.Teams, r.grant); refused.status != 0 {
			return refused
		}
		p.reviewers, p.teams = union(p.reviewers, in.Reviewers), union(p.teams, in.Teams)
		return created(s.pullObject(p, false))
	}
	p.reviewers = slices.DeleteFunc(p.reviewers, func(name string) bool { return slices.Contains(in.Reviewers, name) })
	p.teams = slices.DeleteFunc(p.teams, func(name string) bool { return slices.Contains(in.Teams, name) })
	return ok(s.pullObject(p, false))
}

func (s *Server) reviewerProblem(p *pull, reviewers, teams []string, g Grant) answer {
	for _, name := range reviewers {
		u, found := s.user(name)
		if name == p.author {
			return refuse(http.StatusUnprocessableEntity, "Review cannot be requested from pull request author.")
		}
		if !found || u.Permission == "none" {
			return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the %s repository.", s.fullName()))
		}
	}
	for _, team := range teams {
		if g.Kind == Actions || !slices.Contains(s.opts.Teams, team) {
			return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Validation Failed: \"Could not resolve to a node with the global id of 'T_%s'.\"", team))
		}
	}
	return answer{}
}

// union adds what is not there yet.
func union(have, more []string) []string {
	for _, name := range more {
		if !slices.Contains(have, name) {
			have = append(have, name)
		}
	}
	return have
}
