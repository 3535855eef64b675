package githubtest_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

const seed = `
-- README.md --
# widgets
-- docs/one.md --
one
-- docs/two.md --
two
`

func start(t *testing.T, o githubtest.Options) (*githubtest.Server, *github.Client) {
	t.Helper()
	if o.Seed == nil {
		o.Seed = gittest.FromTxtar(t, seed)
	}
	gh := githubtest.New(t, o)
	return gh, client(t, gh, gh.Token(githubtest.Grant{}))
}

func client(t *testing.T, gh *githubtest.Server, token string) *github.Client {
	t.Helper()
	c, err := github.NewClient(gh.Client()).WithAuthToken(token).WithEnterpriseURLs(gh.APIURL, gh.APIURL)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// must takes the result of a call that has to work.
func must[T any](t *testing.T) func(T, *github.Response, error) T {
	t.Helper()
	return func(value T, _ *github.Response, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// commitFiles makes a commit with the Git Data API on top of the default branch and a branch for it.
func commitFiles(t *testing.T, gh *githubtest.Server, c *github.Client, branch string, entries ...*github.TreeEntry) *github.Commit {
	t.Helper()
	ctx, base := t.Context(), gh.Head(gh.DefaultBranch)
	parent := must[*github.Commit](t)(c.Git.GetCommit(ctx, gh.Owner, gh.Name, base))
	tree := must[*github.Tree](t)(c.Git.CreateTree(ctx, gh.Owner, gh.Name, parent.GetTree().GetSHA(), entries))
	commit := must[*github.Commit](t)(c.Git.CreateCommit(ctx, gh.Owner, gh.Name, &github.Commit{Message: github.String("docs"), Tree: tree, Parents: []*github.Commit{parent}}, nil))
	must[*github.Reference](t)(c.Git.CreateRef(ctx, gh.Owner, gh.Name, &github.Reference{Ref: github.String("refs/heads/" + branch), Object: &github.GitObject{SHA: commit.SHA}}))
	return commit
}

func inline(path, content string) *github.TreeEntry {
	return &github.TreeEntry{Path: &path, Mode: github.String("100644"), Type: github.String("blob"), Content: &content}
}

func openPull(t *testing.T, gh *githubtest.Server, c *github.Client, branch string) *github.PullRequest {
	t.Helper()
	return must[*github.PullRequest](t)(c.PullRequests.Create(t.Context(), gh.Owner, gh.Name, &github.NewPullRequest{
		Title: github.String("Update"), Head: &branch, Base: &gh.DefaultBranch, Body: github.String("text"), MaintainerCanModify: github.Bool(true),
	}))
}

func TestGitDataMakesWhatGitSees(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	ctx, binary := t.Context(), "\x00\xff"
	blob := must[*github.Blob](t)(c.Git.CreateBlob(ctx, gh.Owner, gh.Name, &github.Blob{Content: github.String("AP8="), Encoding: github.String("base64")}))
	commit := commitFiles(t, gh, c, "docs/new",
		inline("docs/three.md", "three\n"), inline("docs/a/b.md", "deep\n"),
		&github.TreeEntry{Path: github.String("bin.dat"), Mode: github.String("100755"), Type: github.String("blob"), SHA: blob.SHA},
		&github.TreeEntry{Path: github.String("docs/two.md"), Mode: github.String("100644"), Type: github.String("blob")},
	)
	clone := gittest.New(t)
	clone.Git("fetch", "--quiet", gh.CloneURL, "docs/new")
	clone.Git("checkout", "--quiet", "FETCH_HEAD")
	want := "README.md\nbin.dat\ndocs/a/b.md\ndocs/one.md\ndocs/three.md"
	if got := clone.Git("ls-files"); got != want {
		t.Errorf("files = %q, want %q", got, want)
	}
	if got := clone.Read("bin.dat"); got != binary {
		t.Errorf("bin.dat = %q", got)
	}
	if got := clone.Git("log", "-1", "--format=%an <%ae> %cn <%ce>"); got != "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com> GitHub <noreply@github.com>" {
		t.Errorf("people = %q", got)
	}
	clone.Git("fsck", "--strict", "--full")
	if !commit.GetVerification().GetVerified() {
		t.Error("a bot's commit is not verified")
	}
	if read := must[*github.Commit](t)(c.Git.GetCommit(ctx, gh.Owner, gh.Name, commit.GetSHA())); !read.GetVerification().GetVerified() {
		t.Error("verification is forgotten")
	}
}

func TestCommitIsVerifiedOnlyForBotsWithoutPeople(t *testing.T) {
	t.Parallel()
	gh, _ := start(t, githubtest.Options{})
	for _, test := range []struct {
		name   string
		grant  githubtest.Grant
		author *github.CommitAuthor
		want   bool
	}{
		{"actions", githubtest.Grant{}, nil, true},
		{"app", githubtest.Grant{Kind: githubtest.App, Login: "wiki[bot]", ID: 99}, nil, true},
		{"pat", githubtest.Grant{Kind: githubtest.PAT}, nil, false},
		{"author given", githubtest.Grant{}, &github.CommitAuthor{Name: github.String("x"), Email: github.String("x@example.com")}, false},
	} {
		c := client(t, gh, gh.Token(test.grant))
		parent := must[*github.Commit](t)(c.Git.GetCommit(t.Context(), gh.Owner, gh.Name, gh.Head("main")))
		commit := must[*github.Commit](t)(c.Git.CreateCommit(t.Context(), gh.Owner, gh.Name,
			&github.Commit{Message: github.String("m"), Tree: parent.Tree, Parents: []*github.Commit{parent}, Author: test.author}, nil))
		if got := commit.GetVerification().GetVerified(); got != test.want {
			t.Errorf("%s: verified = %v, want %v", test.name, got, test.want)
		}
	}
}

func TestEveryRouteWithGoGitHub(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{Users: []githubtest.User{{Login: "bob", ID: 7}}, Milestones: []string{"v1"}, Teams: []string{"docs"}})
	ctx, o, n := t.Context(), gh.Owner, gh.Name
	commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"), inline("docs/three.md", "three\n"))
	pr := openPull(t, gh, c, "docs/new")
	number := pr.GetNumber()

	if r := must[*github.Repository](t)(c.Repositories.Get(ctx, o, n)); r.GetDefaultBranch() != "main" || r.GetFork() {
		t.Errorf("repository = %v", r)
	}
	if b := must[*github.Branch](t)(c.Repositories.GetBranch(ctx, o, n, "docs/new", 0)); b.GetCommit().GetSHA() != gh.Head("docs/new") {
		t.Errorf("branch = %v", b)
	}
	if p := must[*github.RepositoryPermissionLevel](t)(c.Repositories.GetPermissionLevel(ctx, o, n, "bob")); p.GetPermission() != "write" {
		t.Errorf("permission = %v", p)
	}
	if l := must[[]*github.RepositoryCommit](t)(c.Repositories.ListCommits(ctx, o, n, &github.CommitsListOptions{Path: "docs"})); len(l) != 1 || l[0].GetAuthor().GetLogin() != "ada" {
		t.Errorf("commits = %v", l)
	}
	if rc := must[*github.RepositoryCommit](t)(c.Repositories.GetCommit(ctx, o, n, "docs/new", nil)); len(rc.Files) != 2 {
		t.Errorf("commit = %v", rc)
	}
	cmpd := must[*github.CommitsComparison](t)(c.Repositories.CompareCommits(ctx, o, n, "main", "docs/new", &github.ListOptions{PerPage: 100}))
	if cmpd.GetStatus() != "ahead" || cmpd.GetAheadBy() != 1 || cmpd.Commits[0].GetAuthor().GetID() != 41898282 || cmpd.Commits[0].GetCommitter().GetLogin() != "web-flow" {
		t.Errorf("comparison = %v", cmpd)
	}
	file, _, _, err := c.Repositories.GetContents(ctx, o, n, "docs/one.md", &github.RepositoryContentGetOptions{Ref: "docs/new"})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := file.GetContent(); err != nil || text != "changed\n" {
		t.Errorf("content = %q, %v", text, err)
	}
	_, dir, _, err := c.Repositories.GetContents(ctx, o, n, "docs", nil)
	if err != nil || len(dir) != 2 {
		t.Errorf("directory = %v, %v", dir, err)
	}
	if refs := must[[]*github.Reference](t)(c.Git.ListMatchingRefs(ctx, o, n, &github.ReferenceListOptions{Ref: "heads/docs"})); len(refs) != 1 {
		t.Errorf("matching refs = %v", refs)
	}
	if ref := must[*github.Reference](t)(c.Git.GetRef(ctx, o, n, "heads/docs/new")); ref.GetObject().GetSHA() != gh.Head("docs/new") {
		t.Errorf("ref = %v", ref)
	}
	tree := must[*github.Tree](t)(c.Git.GetTree(ctx, o, n, gh.Head("docs/new"), true))
	if len(tree.Entries) != 5 {
		t.Errorf("tree = %v", tree)
	}
	must[*github.Blob](t)(c.Git.GetBlob(ctx, o, n, tree.Entries[0].GetSHA()))
	if l := must[[]*github.PullRequest](t)(c.PullRequests.List(ctx, o, n, &github.PullRequestListOptions{Head: o + ":docs/new", State: "all"})); len(l) != 1 {
		t.Errorf("pulls = %v", l)
	}
	if l := must[[]*github.RepositoryCommit](t)(c.PullRequests.ListCommits(ctx, o, n, number, nil)); len(l) != 1 {
		t.Errorf("pull's commits = %v", l)
	}
	if l := must[[]*github.CommitFile](t)(c.PullRequests.ListFiles(ctx, o, n, number, nil)); len(l) != 2 || l[0].GetAdditions() != 1 || l[0].GetDeletions() != 1 {
		t.Errorf("pull's files = %v", l)
	}
	must[*github.PullRequest](t)(c.PullRequests.RequestReviewers(ctx, o, n, number, github.ReviewersRequest{Reviewers: []string{"bob"}}))
	if p := must[*github.PullRequest](t)(c.PullRequests.Get(ctx, o, n, number)); !p.GetMergeable() || p.RequestedReviewers[0].GetLogin() != "bob" || p.GetCommits() != 1 {
		t.Errorf("pull = %v", p)
	}
	if _, err := c.PullRequests.RemoveReviewers(ctx, o, n, number, github.ReviewersRequest{Reviewers: []string{"bob"}}); err != nil {
		t.Error(err)
	}
	must[*github.Label](t)(c.Issues.CreateLabel(ctx, o, n, &github.Label{Name: github.String("wikiwright"), Color: github.String("0e8a16")}))
	must[[]*github.Label](t)(c.Issues.AddLabelsToIssue(ctx, o, n, number, []string{"wikiwright", "new"}))
	must[*github.Label](t)(c.Issues.GetLabel(ctx, o, n, "new"))
	if l := must[[]*github.Label](t)(c.Issues.ListLabels(ctx, o, n, nil)); len(l) != 2 {
		t.Errorf("labels = %v", l)
	}
	if _, err := c.Issues.RemoveLabelForIssue(ctx, o, n, number, "new"); err != nil {
		t.Error(err)
	}
	if l := must[[]*github.Label](t)(c.Issues.ListLabelsByIssue(ctx, o, n, number, nil)); len(l) != 1 {
		t.Errorf("issue's labels = %v", l)
	}
	must[*github.Issue](t)(c.Issues.AddAssignees(ctx, o, n, number, []string{"bob", "nobody"}))
	must[*github.Issue](t)(c.Issues.Edit(ctx, o, n, number, &github.IssueRequest{Milestone: github.Int(1)}))
	if issue := must[*github.Issue](t)(c.Issues.Get(ctx, o, n, number)); issue.GetMilestone().GetTitle() != "v1" || len(issue.Assignees) != 1 {
		t.Errorf("issue = %v", issue)
	}
	note := must[*github.IssueComment](t)(c.Issues.CreateComment(ctx, o, n, number, &github.IssueComment{Body: github.String("hello")}))
	must[*github.IssueComment](t)(c.Issues.EditComment(ctx, o, n, note.GetID(), &github.IssueComment{Body: github.String("again")}))
	must[*github.IssueComment](t)(c.Issues.GetComment(ctx, o, n, note.GetID()))
	if l := must[[]*github.IssueComment](t)(c.Issues.ListComments(ctx, o, n, number, nil)); len(l) != 1 || l[0].GetBody() != "again" {
		t.Errorf("comments = %v", l)
	}
	if _, err := c.Issues.DeleteComment(ctx, o, n, note.GetID()); err != nil {
		t.Error(err)
	}
	if rules, _, err := c.Repositories.GetRulesForBranch(ctx, o, n, "main"); err != nil || len(rules) != 0 {
		t.Errorf("rules = %v, %v", rules, err)
	}
	if u := must[*github.User](t)(c.Users.Get(ctx, "bob")); u.GetID() != 7 {
		t.Errorf("user = %v", u)
	}
	must[*github.PullRequest](t)(c.PullRequests.Edit(ctx, o, n, number, &github.PullRequest{Body: github.String("new text"), State: github.String("closed")}))
	if _, err := c.Git.DeleteRef(ctx, o, n, "heads/docs/new"); err != nil {
		t.Error(err)
	}
	want := githubtest.Pull{Number: 1, Title: "Update", Body: "new text", Base: "main", Head: "docs/new", Author: "github-actions[bot]", ClosedBy: "github-actions[bot]",
		Labels: []string{"wikiwright"}, Assignees: []string{"bob"}, Milestone: 1, MaintainerCanModify: true, Reviewers: []string{}}
	got := gh.Pull(number)
	got.HeadSHA, got.CreatedAt, got.UpdatedAt = "", want.CreatedAt, want.UpdatedAt
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pull (-want +got):\n%s", diff)
	}
	requested := []string{}
	for _, call := range gh.Calls() {
		requested = append(requested, call.String())
	}
	for _, call := range []string{"GET ", "POST git/trees", "DELETE git/refs/heads/docs/new", "GET compare/main...docs/new"} {
		if !slices.Contains(requested, call) {
			t.Errorf("no call %q in %q", call, requested)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	o, n := gh.Owner, gh.Name
	commit := commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"))
	openPull(t, gh, c, "docs/new")
	ref := func(name, sha string) *github.Reference {
		return &github.Reference{Ref: &name, Object: &github.GitObject{SHA: &sha}}
	}
	const nowhere = "1111111111111111111111111111111111111111"
	for _, test := range []struct {
		name   string
		do     func(context.Context) (*github.Response, error)
		status int
		text   string
	}{
		{"create a ref twice", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateRef(ctx, o, n, ref("refs/heads/docs/new", commit.GetSHA()))
			return r, err
		}, 422, "Reference already exists"},
		{"ref below a ref", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateRef(ctx, o, n, ref("refs/heads/docs/new/more", commit.GetSHA()))
			return r, err
		}, 422, "Reference update failed"},
		{"ref to nothing", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateRef(ctx, o, n, ref("refs/heads/x", nowhere))
			return r, err
		}, 422, "Object does not exist"},
		{"backwards without force", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.UpdateRef(ctx, o, n, ref("refs/heads/docs/new", gh.Head("main")), false)
			return r, err
		}, 422, "Update is not a fast forward"},
		{"update of no ref", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.UpdateRef(ctx, o, n, ref("refs/heads/x", commit.GetSHA()), true)
			return r, err
		}, 422, "Reference does not exist"},
		{"commit of no tree", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateCommit(ctx, o, n, &github.Commit{Message: github.String("m"), Tree: &github.Tree{SHA: github.String(nowhere)}}, nil)
			return r, err
		}, 422, "Tree SHA does not exist"},
		{"tree on nothing", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateTree(ctx, o, n, nowhere, []*github.TreeEntry{inline("a", "b")})
			return r, err
		}, 422, "base_tree is not a valid tree oid"},
		{"removal of nothing", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateTree(ctx, o, n, gh.Head("main"), []*github.TreeEntry{{Path: github.String("nope"), Mode: github.String("100644"), Type: github.String("blob")}})
			return r, err
		}, 422, "GitRPC::BadObjectState"},
		{"path with .git", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.Git.CreateTree(ctx, o, n, "", []*github.TreeEntry{inline("a/.GIT/config", "b")})
			return r, err
		}, 422, "tree.path contains a malformed path component"},
		{"second pull request", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.PullRequests.Create(ctx, o, n, &github.NewPullRequest{Title: github.String("t"), Head: github.String("docs/new"), Base: github.String("main")})
			return r, err
		}, 422, "A pull request already exists for acme:docs/new."},
		{"nothing to pull", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.PullRequests.Create(ctx, o, n, &github.NewPullRequest{Title: github.String("t"), Head: github.String("main"), Base: github.String("main")})
			return r, err
		}, 422, "No commits between main and main"},
		{"no such pull request", func(ctx context.Context) (*github.Response, error) {
			_, r, err := c.PullRequests.Get(ctx, o, n, 99)
			return r, err
		}, 404, "Not Found"},
	} {
		r, err := test.do(t.Context())
		if r == nil || r.StatusCode != test.status || err == nil || !contains(err, test.text) {
			t.Errorf("%s: %v, want %d %q", test.name, err, test.status, test.text)
		}
	}
	if got := gh.Head("docs/new"); got != commit.GetSHA() {
		t.Errorf("docs/new moved to %s", got)
	}
}

func TestSetting(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{NoActionsPulls: true})
	commitFiles(t, gh, c, "x", inline("docs/one.md", "changed\n"))
	create := func(c *github.Client) (*github.Response, error) {
		_, r, err := c.PullRequests.Create(t.Context(), gh.Owner, gh.Name, &github.NewPullRequest{Title: github.String("t"), Head: github.String("x"), Base: github.String("main")})
		return r, err
	}
	if r, err := create(c); r.StatusCode != http.StatusForbidden || !contains(err, "GitHub Actions is not permitted to create or approve pull requests") {
		t.Errorf("actions: %v", err)
	}
	if _, err := create(client(t, gh, gh.Token(githubtest.Grant{Kind: githubtest.App}))); err != nil {
		t.Errorf("app: %v", err)
	}
}
