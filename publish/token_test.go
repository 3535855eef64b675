package publish

import (
	"context"
	"strings"
	"testing"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// renewed is a source of tokens that makes another when one is refused, as that of an App installation does.
type renewed struct {
	gh      *githubtest.Server
	current string
	made    int
}

func (r *renewed) Token(context.Context) (string, error) {
	if r.current == "" {
		r.current = r.gh.Token(githubtest.Grant{})
		r.made++
	}
	return r.current, nil
}

func (r *renewed) Invalidate(token string) {
	if token == r.current {
		r.current = ""
	}
}

// TestFreshToken lets the token end in the middle: before the commit, and before the branch is looked at by git.
func TestFreshToken(t *testing.T) {
	t.Parallel()
	for _, sign := range []SignMode{SignAuto, SignFalse} {
		for _, path := range []string{"pulls", "compare/**"} {
			t.Run(string(sign)+" "+path, func(t *testing.T) {
				w := opened(t)
				w.gh.Allow(githubtest.BadToken)
				w.policy.SignCommits = sign
				source := &renewed{gh: w.gh}
				w.tokens = source
				w.gh.Fault(githubtest.Match{Method: "GET", Path: path, Nth: 1}, githubtest.Fault{Before: func() { w.gh.Revoke(source.current) }})
				if out := w.publish(other); out.Operation != OpUpdated || source.made != 2 {
					t.Errorf("%d tokens, %+v", source.made, out)
				}
			})
		}
	}
}

func TestMissingPermissions(t *testing.T) {
	t.Parallel()
	t.Run("pull requests", func(t *testing.T) {
		w := wikiWorld(t)
		w.gh.Allow(githubtest.NoPermission)
		w.token = w.gh.Token(githubtest.Grant{Permissions: map[string]string{"contents": "write", "pull_requests": "read"}})
		out := w.publish(one)
		w.want(out, OpBranchOnly, 4)
		if out.Code != "permission" || !strings.Contains(out.Hint, "pull-requests: write") {
			t.Errorf("%+v", out)
		}
	})
	t.Run("contents", func(t *testing.T) {
		w := wikiWorld(t)
		w.gh.Allow(githubtest.NoPermission)
		w.token = w.gh.Token(githubtest.Grant{Permissions: map[string]string{"contents": "read", "pull_requests": "write"}})
		c := w.checkout()
		out, err := c.publisher().Publish(t.Context(), c.bundle(one))
		if github.Classify(err).Code != github.CodePermission || out.Operation != OpNone || w.gh.Writes() != 1 {
			t.Errorf("%d writes, %v, %+v", w.gh.Writes(), err, out)
		}
	})
}

func TestForkNames(t *testing.T) {
	t.Parallel()
	client, err := github.New(github.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Publisher{GitHub: client, Repository: Repository{"acme", "widgets"}}
	pull := func(head, base int64, name string) *gogithub.PullRequest {
		return &gogithub.PullRequest{
			Head: &gogithub.PullRequestBranch{Repo: &gogithub.Repository{ID: &head, FullName: &name}},
			Base: &gogithub.PullRequestBranch{Repo: &gogithub.Repository{ID: &base}},
		}
	}
	if !p.isHead(pull(1, 1, "acme/renamed")) || p.isHead(pull(2, 1, "acme/widgets")) || p.isHead(&gogithub.PullRequest{}) {
		t.Error("the repository itself is told by its number")
	}
	p.Fork = &Fork{Repository: Repository{"bots", "widgets"}}
	if !p.isHead(pull(2, 1, "Bots/widgets")) || p.isHead(pull(1, 1, "acme/widgets")) {
		t.Error("a fork is told by its name")
	}
	j := &job{Publisher: p, scene: &scene{baseRef: "main", branch: "openwiki/update"}}
	if got := j.compareURL(); got != "https://github.com/acme/widgets/compare/main...bots:openwiki/update" {
		t.Errorf("compare URL %s", got)
	}
	p.Policy, p.Identity = DefaultPolicy(), Identity{Login: "wikiwright[bot]", ID: 9001}
	made, err := j.committer(t.Context())
	if _, ok := made.(*pushCommitter); !ok || err != nil {
		t.Errorf("a fork gets its commits by %T, %v", made, err)
	}
}

// Pull requests that the token of a workflow opens start no checks; the reader is told so, and only then.
func TestDefaultTokenIsExplained(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		own  bool
		want int
	}{{true, 1}, {false, 0}} {
		w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{})
		w.setup = func(p *Publisher) { p.Identity, p.DefaultToken = ActionsIdentity(), test.own }
		w.want(w.publish(one), OpCreated, 5)
		if n := strings.Count(w.gh.Pull(1).Body, "Checks do not start by themselves"); n != test.want {
			t.Errorf("default token %v: told %d times, want %d", test.own, n, test.want)
		}
	}
}
