package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// A scene is what the remote and GitHub say at one moment, before the bundle is looked at.
type scene struct {
	baseRef string
	base    string // tip of the base branch; "" when it does not exist
	branch  string // name
	tip     string // of the branch; "" when it does not exist
	note    string // why the branch has an unusual name

	queue    []int // pull requests in the merge queue of the base
	identity Identity
	pull     *Pull  // the open pull request of the branch
	past     []Pull // ours that are not open, for the same base, newest first
	nodeID   string // of the repository, as far as a pull request told it

	commits   []BranchCommit // that the branch has and the base has not
	unknown   bool           // they could not be listed: then all count as those of others
	mergeBase string
}

// look asks the remote once for all refs, GitHub once for the pull requests of the branch, and what follows from that.
func (p *Publisher) look(ctx context.Context, baseRef string) (*scene, error) {
	s := &scene{baseRef: baseRef}
	if err := p.lookRefs(ctx, s); err != nil {
		return nil, err
	}
	if s.base == "" {
		return s, nil
	}
	pulls, err := p.listPulls(ctx, s.branch, "all")
	if err != nil {
		return nil, fmt.Errorf("list pull requests: %w", err)
	}
	p.recognise(pulls)
	if len(pulls) > 0 || s.tip != "" {
		if s.identity, err = p.identity(ctx); err != nil {
			return nil, err
		}
	}
	p.sortPulls(s, pulls)
	if s.tip == "" {
		return s, nil
	}
	if err := p.lookCommits(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// lookRefs finds base, branch and merge queue in one answer of the remote.
func (p *Publisher) lookRefs(ctx context.Context, s *scene) error {
	queued := "refs/heads/gh-readonly-queue/" + s.baseRef + "/pr-"
	patterns := []string{"refs/heads/" + s.baseRef, queued + "*", "refs/heads/openwiki*"}
	if p.Policy.Branch != "" {
		patterns = append(patterns, "refs/heads/"+p.Policy.Branch)
	}
	refs, err := p.Repo.LsRemote(ctx, p.Remote, patterns...)
	if err != nil {
		return fmt.Errorf("look at the branches: %w", err)
	}
	own := refs
	if p.Fork != nil {
		if own, err = p.Repo.LsRemote(ctx, p.Fork.Remote, patterns...); err != nil {
			return fmt.Errorf("look at the branches of the fork: %w", err)
		}
	}
	s.base = refOID(refs, "refs/heads/"+s.baseRef)
	clash := refOID(own, "refs/heads/openwiki") != ""
	s.branch = p.Policy.branchName(s.baseRef, p.DefaultBranch, clash)
	if clash && p.Policy.Branch == "" {
		s.note = "a branch named openwiki exists, so this one is " + s.branch
	}
	s.tip = refOID(own, "refs/heads/"+s.branch)
	if s.branch == s.baseRef && p.Fork == nil {
		return &PolicyError{"branch", s.branch, "is the base branch itself"}
	}
	for _, ref := range refs {
		if rest, ok := strings.CutPrefix(ref.Name, queued); ok {
			number, _, _ := strings.Cut(rest, "-")
			if n, err := strconv.Atoi(number); err == nil {
				s.queue = append(s.queue, n)
			}
		}
	}
	return nil
}

func refOID(refs []gitrepo.Ref, name string) string {
	for _, ref := range refs {
		if ref.Name == name {
			return ref.OID
		}
	}
	return ""
}

// queued tells whether the open pull request is in the merge queue.
func (s *scene) queued() bool { return s.pull != nil && slices.Contains(s.queue, s.pull.Number) }

// headOwner is who owns the branch.
func (p *Publisher) headOwner() Repository {
	if p.Fork != nil {
		return p.Fork.Repository
	}
	return p.Repository
}

func (p *Publisher) listPulls(ctx context.Context, branch, state string) ([]*gogithub.PullRequest, error) {
	head := p.headOwner()
	list, _, err := p.GitHub.API().PullRequests.List(ctx, p.Repository.Owner, p.Repository.Name, &gogithub.PullRequestListOptions{
		State: state, Head: head.Owner + ":" + branch, Sort: "created", Direction: "desc",
		ListOptions: gogithub.ListOptions{PerPage: 30},
	})
	if err != nil {
		return nil, err
	}
	// GitHub answers a filter that it does not understand with everything.
	return slices.DeleteFunc(list, func(pr *gogithub.PullRequest) bool {
		return pr.GetHead().GetRef() != branch || !p.isHead(pr)
	}), nil
}

// isHead tells whether a pull request comes from the repository of our branch. Numbers tell it of the repository itself: it may have been
// renamed.
func (p *Publisher) isHead(pr *gogithub.PullRequest) bool {
	head := pr.GetHead().GetRepo()
	if p.Fork == nil {
		return head.GetID() != 0 && head.GetID() == pr.GetBase().GetRepo().GetID()
	}
	return strings.EqualFold(head.GetFullName(), p.Fork.Repository.String())
}

// sortPulls tells the open pull request from those of the past.
func (p *Publisher) sortPulls(s *scene, list []*gogithub.PullRequest) {
	for _, pr := range list {
		if s.nodeID == "" {
			s.nodeID = pr.GetBase().GetRepo().GetNodeID()
		}
		pull := toPull(pr, s.identity)
		switch {
		case pr.GetState() == "open" && (s.pull == nil || s.pull.BaseRef != s.baseRef):
			s.pull = &pull
		case pr.GetState() != "open" && pull.Own && pull.BaseRef == s.baseRef:
			s.past = append(s.past, pull)
		}
	}
}

// toPull reads what GitHub says. Marker and boxes count only where our account opened the pull request: anybody can write them.
func toPull(pr *gogithub.PullRequest, id Identity) Pull {
	pull := Pull{
		Number: pr.GetNumber(), NodeID: pr.GetNodeID(), URL: pr.GetHTMLURL(), Title: pr.GetTitle(), Body: pr.GetBody(),
		BaseRef: pr.GetBase().GetRef(), HeadSHA: pr.GetHead().GetSHA(), HeadRepo: pr.GetHead().GetRepo().GetFullName(),
		Draft: pr.GetDraft(), AutoMerge: pr.AutoMerge != nil, Merged: pr.MergedAt != nil,
		Own: id.ID != 0 && pr.GetUser().GetID() == id.ID,
	}
	for _, label := range pr.Labels {
		pull.Labels = append(pull.Labels, label.GetName())
	}
	if pull.Own {
		pull.Marker, _ = parseMarker(pull.Body)
		pull.Controls = parseControls(pull.Body)
	}
	return pull
}

// identity is the account of the token. The number that the default token has on github.com is another on every Enterprise server, so
// there it is asked for.
func (p *Publisher) identity(ctx context.Context) (Identity, error) {
	known := p.Identity
	if known.ID == 0 && p.DefaultToken {
		known = ActionsIdentity()
	}
	elsewhere := known == ActionsIdentity() && p.DefaultToken && p.GitHub.ServerURL() != "https://github.com"
	if p.asked || known.ID != 0 && !elsewhere {
		p.Identity = known
		return known, nil
	}
	var answer struct {
		Viewer struct {
			Login      string `json:"login"`
			DatabaseID int64  `json:"databaseId"`
		} `json:"viewer"`
	}
	if err := p.GitHub.GraphQL(ctx, `query { viewer { login databaseId } }`, nil, &answer); err != nil {
		return Identity{}, fmt.Errorf("ask whose token this is: %w", err)
	}
	p.asked = true
	p.Identity = Identity{Login: answer.Viewer.Login, ID: answer.Viewer.DatabaseID, NoReply: noReplyHost(p.GitHub.ServerURL())}
	return p.Identity, nil
}

// recognise learns from a pull request which number the account of the default token has on an Enterprise server. Its name is enough there:
// no person can have one with brackets, and no other App this one.
func (p *Publisher) recognise(pulls []*gogithub.PullRequest) {
	actions := ActionsIdentity()
	if !p.DefaultToken || p.asked || p.Identity.ID != 0 && p.Identity != actions || p.GitHub.ServerURL() == "https://github.com" {
		return
	}
	for _, pr := range pulls {
		if user := pr.GetUser(); user.GetLogin() == actions.Login && user.GetType() == "Bot" && user.GetID() != 0 {
			p.Identity = Identity{Login: user.GetLogin(), ID: user.GetID(), NoReply: noReplyHost(p.GitHub.ServerURL())}
			p.asked = true
			return
		}
	}
}

// noReplyHost is the host of noreply addresses: that of the server, with users.noreply in front.
func noReplyHost(serverURL string) string {
	_, host, _ := strings.Cut(serverURL, "://")
	host, _, _ = strings.Cut(host, ":")
	if host == "" || strings.HasPrefix(host, "127.") || host == "localhost" {
		host = "github.com"
	}
	return "users.noreply." + host
}

// lookCommits lists what the branch has over its base. A branch that cannot be compared, or has more than GitHub lists, counts as one of
// others, unless it is where our own pull request says we left it.
func (p *Publisher) lookCommits(ctx context.Context, s *scene) error {
	head := s.tip
	if p.Fork != nil {
		head = p.Fork.Repository.Owner + ":" + s.branch
	}
	// Without a page size GitHub lists 250 commits.
	compared, _, err := p.GitHub.API().Repositories.CompareCommits(ctx, p.Repository.Owner, p.Repository.Name, s.base, head, nil)
	var answer *gogithub.ErrorResponse
	if errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == http.StatusNotFound {
		s.unknown = s.pull == nil || !s.pull.Own || s.pull.Marker.HeadSHA != s.tip
		return nil
	}
	if err != nil {
		return fmt.Errorf("list the commits of the branch: %w", err)
	}
	s.mergeBase = compared.GetMergeBaseCommit().GetSHA()
	s.unknown = compared.GetTotalCommits() > len(compared.Commits)
	// A fork is compared by the name of its branch, which may have moved since.
	if n := len(compared.Commits); p.Fork != nil && !s.unknown && n > 0 && compared.Commits[n-1].GetSHA() != s.tip {
		return &LeaseError{Branch: s.branch, Expected: s.tip, Found: compared.Commits[n-1].GetSHA()}
	}
	for _, c := range compared.Commits {
		s.commits = append(s.commits, toCommit(c))
	}
	return nil
}

func toCommit(c *gogithub.RepositoryCommit) BranchCommit {
	signature := func(author *gogithub.CommitAuthor, user *gogithub.User) Signature {
		return Signature{Name: author.GetName(), Email: author.GetEmail(), Login: user.GetLogin(), ID: user.GetID()}
	}
	commit := BranchCommit{
		SHA: c.GetSHA(), Message: c.GetCommit().GetMessage(),
		Author:    signature(c.GetCommit().GetAuthor(), c.Author),
		Committer: signature(c.GetCommit().GetCommitter(), c.Committer),
	}
	for _, parent := range c.Parents {
		commit.Parents = append(commit.Parents, parent.GetSHA())
	}
	return commit
}

// foreign returns the commits of others on the branch.
func (s *scene) foreign() []BranchCommit {
	if s.unknown {
		return []BranchCommit{{SHA: s.tip, Author: Signature{Name: "somebody"}}}
	}
	return foreign(s.commits, s.identity)
}

// closed returns the pull requests of the past that were not merged. Whether we closed the newest is asked for only if its marker says so.
func (p *Publisher) closed(ctx context.Context, s *scene) ([]Pull, error) {
	var closed []Pull
	for _, pull := range s.past {
		if !pull.Merged {
			closed = append(closed, pull)
		}
	}
	for i := range closed {
		// Of older ones the word of the marker is enough: they only keep quiet.
		closed[i].ClosedByUs = closed[i].Marker.Closed != ""
	}
	if len(closed) > 0 && closed[0].ClosedByUs {
		issue, _, err := p.GitHub.API().Issues.Get(ctx, p.Repository.Owner, p.Repository.Name, closed[0].Number)
		if err != nil {
			return nil, fmt.Errorf("ask who closed pull request #%d: %w", closed[0].Number, err)
		}
		if by := issue.GetClosedBy(); by != nil {
			closed[0].ClosedByUs = by.GetID() == s.identity.ID
		}
	}
	return closed, nil
}

// webURL is an address on the web page of the repository.
func (p *Publisher) webURL(parts ...any) string {
	url := p.GitHub.ServerURL() + "/" + p.Repository.String()
	for _, part := range parts {
		url += fmt.Sprintf("/%v", part)
	}
	return url
}
