package publish

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

const forkBranch = "bots:openwiki/update"

// forked is a world whose publisher pushes to a fork, as the account that owns it.
func forked(t *testing.T, sign SignMode) *world {
	t.Helper()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{ForkOwner: "bots", Users: []githubtest.User{{Login: "bots", ID: 78}}})
	w.token = w.gh.Token(githubtest.Grant{Kind: githubtest.PAT, Login: "bots"})
	w.policy.SignCommits = sign
	w.setup = func(p *Publisher) {
		p.Identity = Identity{}
		p.Fork = &Fork{Repository: Repository{"bots", "widgets"}, Remote: gitrepo.Remote{
			URL: w.gh.ForkURL(), Credential: func(context.Context) (string, string, error) { return "x-access-token", w.token, nil },
		}}
	}
	return w
}

// TestForkRows takes a pull request from a fork through the rows of the decision that are about the branch. The repository itself never
// gets a branch.
func TestForkRows(t *testing.T) {
	t.Parallel()
	for _, sign := range []SignMode{SignAuto, SignTrue} {
		t.Run(string(sign), func(t *testing.T) {
			t.Parallel()
			w := forked(t, sign)
			out := w.publish(one)
			pull := w.gh.Pull(1)
			if out.Operation != OpCreated || pull.Head != forkBranch || !pull.Open || pull.Author != "bots" || !strings.HasSuffix(out.CompareURL, "/compare/main...bots:openwiki/update") {
				t.Fatalf("%+v, %+v", out, pull)
			}
			if got := w.file(forkBranch, "openwiki/core.md"); got != one["core.md"] {
				t.Errorf("core.md on the branch of the fork: %q", got)
			}
			w.gh.Forget()
			w.want(w.publish(one), OpNone, 0)
			if out := w.publish(other); out.Operation != OpUpdated || w.file(forkBranch, "openwiki/core.md") != other["core.md"] {
				t.Errorf("%+v", out)
			}
			if got := len(w.gh.Commits(forkBranch, "main")); got != 1 {
				t.Errorf("%d commits, want 1", got)
			}
			w.gh.OnlyBelow(forkBranch, "main", "openwiki")
			if head := w.gh.Head("openwiki/update"); head != "" {
				t.Errorf("the repository itself has the branch at %s", head)
			}
			w.gh.Forget()

			head := w.gh.PushAs("ada", forkBranch, map[string]string{"openwiki/limits.md": "# Limits\n\nAda.\n"})
			if out := w.publish(one); out.Operation != OpBlocked || w.gh.Head(forkBranch) != head {
				t.Errorf("a commit of others: %+v", out)
			}
			w.policy.OnForeignCommits = ForeignAppend
			if out := w.publish(one); out.Operation != OpUpdated || w.file(forkBranch, "openwiki/limits.md") != "# Limits\n\nAda.\n" || w.file(forkBranch, "openwiki/core.md") != one["core.md"] {
				t.Errorf("append: %+v", out)
			}
			w.gh.NoLostCommits("bots")
		})
	}
}

func TestForkEmptyDiffCloses(t *testing.T) {
	t.Parallel()
	w := forked(t, SignAuto)
	w.publish(one)
	w.gh.Push(githubtest.PersonCommit{Branch: "main", Author: "ada", Files: map[string]string{
		"openwiki/core.md": one["core.md"], "openwiki/.page-manifest.json": w.file(forkBranch, "openwiki/.page-manifest.json"),
	}})
	out := w.publish(nil)
	if out.Operation != OpClosed || w.gh.Pull(1).Open || w.gh.Head(forkBranch) != "" {
		t.Errorf("%+v, open %v, branch %q", out, w.gh.Pull(1).Open, w.gh.Head(forkBranch))
	}
}

// TestForkIsNotTheRepository has a branch of the same name, with a pull request of its own, in the repository: neither is touched.
func TestForkIsNotTheRepository(t *testing.T) {
	t.Parallel()
	w := forked(t, SignAuto)
	head := w.gh.PushAs("ada", "openwiki/update", map[string]string{"openwiki/limits.md": "# Ada\n"})
	w.gh.OpenPull("ada", "openwiki/update", "main", "by hand", "mine")
	out := w.publish(one)
	if out.Operation != OpCreated || out.Number != 2 || w.gh.Head("openwiki/update") != head || w.gh.Pull(1).Body != "mine" {
		t.Errorf("%+v; %+v", out, w.gh.Pull(1))
	}
	w.gh.Forget()
	w.want(w.publish(one), OpNone, 0)
	if w.gh.Merge(2, "merge"); w.gh.Pull(2).Open {
		t.Error("not merged")
	}
	w.gh.DeleteBranch(forkBranch, "bots")
	w.gh.Forget()
	w.want(w.publish(nil), OpNone, 0)
}

// TestForkLease moves the branch of the fork between the look and the push.
func TestForkLease(t *testing.T) {
	t.Parallel()
	w := forked(t, SignAuto)
	w.publish(one)
	moved := ""
	w.gh.Fault(githubtest.Match{Path: "git-receive-pack", Nth: 1}, githubtest.Fault{Before: func() {
		moved = w.gh.PushAs("ada", forkBranch, map[string]string{"openwiki/limits.md": "# Ada\n"})
	}})
	out := w.publish(other)
	if out.Operation != OpBlocked || moved == "" || w.gh.Head(forkBranch) != moved {
		t.Errorf("%+v; the branch is at %s, ada's commit is %s", out, w.gh.Head(forkBranch), moved)
	}
}

func TestForkLostAnswer(t *testing.T) {
	t.Parallel()
	w := forked(t, SignAuto)
	w.gh.Fault(githubtest.Match{Path: "git-receive-pack", Nth: 1}, githubtest.Fault{Lost: true})
	w.gh.Fault(githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.Fault{Lost: true})
	c := w.checkout()
	_, first := c.publisher().Publish(t.Context(), c.bundle(one))
	w.gh.ClearFaults()
	if _, err := c.publisher().Publish(t.Context(), c.bundle(one)); err != nil {
		t.Errorf("after %v: %v", first, err)
	}
	if open := slices.DeleteFunc(w.gh.Pulls(), func(p githubtest.Pull) bool { return !p.Open }); len(open) != 1 {
		t.Errorf("open: %+v", open)
	}
	if got := len(w.gh.Commits(forkBranch, "main")); got != 1 {
		t.Errorf("%d commits, want 1", got)
	}
}

// TestForkPrevious gives the next run the pages that the branch of the fork holds.
func TestForkPrevious(t *testing.T) {
	t.Parallel()
	w := forked(t, SignAuto)
	w.publish(one)
	found, err := w.checkout().publisher().Previous(t.Context(), "main", "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(found.Files, func(f File) bool { return f.Path == "openwiki/core.md" })
	if !found.Reusable || found.Number != 1 || found.HeadSHA != w.gh.Head(forkBranch) || i < 0 || string(found.Files[i].Data) != one["core.md"] {
		t.Errorf("%+v", found)
	}
}
