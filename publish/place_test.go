package publish

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestCheckpoint(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	checkpoint := func(pages map[string]string) *Outcome {
		t.Helper()
		c := w.checkout()
		out, err := c.publisher().Checkpoint(t.Context(), c.bundle(pages, state(StateRunning)))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	w.want(checkpoint(nil), OpNone, 0)
	w.want(checkpoint(one), OpBranchOnly, 3)
	w.want(checkpoint(one), OpNone, 0)
	if len(w.gh.Pulls()) != 0 {
		t.Error("a checkpoint opened a pull request")
	}
	two := map[string]string{"core.md": one["core.md"], "limits.md": "# Limits\n\nNew.\n"}
	w.want(checkpoint(two), OpBranchOnly, 3)
	w.want(w.publish(two), OpCreated, 2) // the branch holds it already
	w.want(checkpoint(one), OpBranchOnly, 3)
	if pull := w.gh.Pull(1); pull.HeadSHA != w.gh.Head("openwiki/update") {
		t.Errorf("pull request %+v", pull)
	}
	w.push("ada", "ada", "")
	w.want(checkpoint(two), OpBlocked, 0)
	w.gh.NeverEqualsBase("openwiki/update", "main")
	w.gh.NoLostCommits(bot)
}

func TestPlanWritesNothing(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	out, err := c.publisher().Plan(t.Context(), c.bundle(one))
	if err != nil {
		t.Fatal(err)
	}
	w.want(out, OpCreated, 0)
	if diff := cmp.Diff(&Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen}, out.Decision); diff != "" {
		t.Error(diff)
	}
}

func TestPrevious(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	previous := func() *Previous {
		t.Helper()
		before := w.gh.Writes()
		p, err := w.checkout().publisher().Previous(t.Context(), "main", "openwiki")
		if err != nil {
			t.Fatal(err)
		}
		if w.gh.Writes() != before {
			t.Error("Previous wrote")
		}
		return p
	}
	if p := previous(); p.Reusable || p.HeadSHA != "" || p.BaseSHA != w.gh.Head("main") || p.Branch != "openwiki/update" {
		t.Errorf("nothing there: %+v", p)
	}
	w.publish(one, state(StatePartial))
	p := previous()
	files := map[string]string{}
	for _, f := range p.Files {
		files[f.Path] = string(f.Data)
	}
	if !p.Reusable || p.State != StatePartial || p.Number != 1 || files["openwiki/core.md"] != one["core.md"] || files["openwiki/limits.md"] == "" || len(files) != 4 {
		t.Errorf("own branch: %+v, %v", p, files)
	}
	w.gh.PushAs("ada", "main", map[string]string{"src/b.go": "package a\n"})
	if p := previous(); !p.Reusable {
		t.Error("a change of the source makes the branch useless")
	}
	w.gh.EditBody(1, func(body string) string {
		return strings.Replace(body, regionEnd, box(controlRegenerate, true, " anew")+regionEnd, 1)
	})
	if p := previous(); p.Reusable || !p.Regenerate {
		t.Errorf("asked for all anew: %+v", p)
	}
	w.publish(one) // unticks the box
	if p := previous(); !p.Reusable || p.Regenerate {
		t.Errorf("after all anew: %+v", p)
	}
	w.gh.PushAs("ada", "main", map[string]string{"openwiki/limits.md": "# Limits\n\nAda's.\n"})
	if p := previous(); p.Reusable {
		t.Error("the wiki of the base is another, and the branch is reusable")
	}
	w.publish(one)
	if p := previous(); !p.Reusable {
		t.Error("not reusable after it was rebuilt")
	}
	w.push("ada", "ada", "")
	if p := previous(); p.Reusable || len(p.Foreign) != 1 {
		t.Errorf("commits of others: %+v", p)
	}
	w.gh.ClosePull(1, "ada")
	if p := previous(); !p.TurnedDown("/openwiki/core.md", "1") || p.TurnedDown("/openwiki/core.md", "2") || p.Quiet != "" {
		t.Errorf("closed: %+v", p)
	}
	w.gh.Label(1, LabelSnoozed)
	if p := previous(); p.Quiet == "" {
		t.Error("snoozed, and nothing keeps quiet")
	}
}

func TestBranchNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		base, defaultBase string
		clash             bool
		branch, want      string
	}{
		{"main", "main", false, "", "openwiki/update"},
		{"main", "", false, "", "openwiki/update"},
		{"release/1.x", "main", false, "", "openwiki/update-release-1.x"},
		{"main", "main", true, "", "openwiki-update"},
		{"dev", "main", true, "", "openwiki-update-dev"},
		{"main", "main", true, "docs/wiki", "docs/wiki"},
	} {
		if got := (Policy{Branch: tt.branch}).branchName(tt.base, tt.defaultBase, tt.clash); got != tt.want {
			t.Errorf("branch of %+v: %q", tt, got)
		}
	}
}

func TestBranchNamedOpenwiki(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.PushAs("ada", "openwiki", map[string]string{"x": "y"})
	out := w.publish(one)
	w.want(out, OpCreated, 5)
	if out.Branch != "openwiki-update" || len(out.Notes) != 1 || w.gh.Pull(1).Head != "openwiki-update" {
		t.Errorf("outcome %+v", out)
	}
}

func TestPolicyCheck(t *testing.T) {
	t.Parallel()
	if err := DefaultPolicy().Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Policy){
		"draft":              func(p *Policy) { p.Draft = "maybe" },
		"sign-commits":       func(p *Policy) { p.SignCommits = "" },
		"on-foreign-commits": func(p *Policy) { p.OnForeignCommits = "drop" },
		"on-closed":          func(p *Policy) { p.OnClosed = "forget" },
		"auto-merge":         func(p *Policy) { p.AutoMerge = "now" },
		"extra-paths":        func(p *Policy) { p.ExtraPaths = []string{".github/workflows/x.yml"} },
		"branch":             func(p *Policy) { p.Branch = "a..b" },
	} {
		p := DefaultPolicy()
		change(&p)
		var wrong *PolicyError
		if err := p.Check(); !errors.As(err, &wrong) || wrong.Setting != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, branch := range []string{"-x", "refs/heads/x", "@", "a@{b", "x.", "a b", "a~b", "a\\b", "a//b", "/a", ".a", "a/.b", "a.lock", "x.lock/y", "a\x7f", strings.Repeat("a", 201)} {
		if badBranch(branch) == "" {
			t.Errorf("branch %q is accepted", branch)
		}
	}
}

func TestBranchIsTheBase(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.policy.Branch = "main"
	c := w.checkout()
	var wrong *PolicyError
	if _, err := c.publisher().Publish(t.Context(), c.bundle(one)); !errors.As(err, &wrong) {
		t.Errorf("error %v", err)
	}
}

func TestBaseIsGone(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	b := c.bundle(one)
	b.BaseRef = "master" // renamed since
	w.want(c.publish(b), OpRefused, 0)
}

func TestArchived(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.Archive()
	c := w.checkout()
	out, err := c.publisher().Publish(t.Context(), c.bundle(one))
	if github.Classify(err).Code != github.CodeArchived || out.Code != "archived" || out.Hint == "" {
		t.Errorf("error %v, outcome %+v", err, out)
	}
}

func TestExpiredToken(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.Allow(githubtest.BadToken)
	w.gh.Fault(githubtest.Match{Method: "POST", Path: "git/commits", Nth: 1}, githubtest.Fault{Before: func() { w.gh.Revoke(w.token) }})
	c := w.checkout()
	out, err := c.publisher().Publish(t.Context(), c.bundle(one))
	if !errors.Is(err, github.ErrTokenExpired) || out.Code != "token_expired" || strings.Contains(err.Error(), w.token) {
		// The first refused request is the one after the token ended.
		t.Errorf("error %v, outcome %+v", err, out)
	}
	w.token = w.gh.Token(githubtest.Grant{})
	if out := w.publish(one); out.Operation != OpCreated {
		t.Errorf("the next run: %+v", out)
	}
}

func TestBaseForcePushed(t *testing.T) {
	t.Parallel()
	w := opened(t)
	old := w.gh.Commits("openwiki/update", "main")[0]
	w.gh.Push(githubtest.PersonCommit{Branch: "main", Author: "ada", Message: "rewritten", Onto: w.gh.Head("main"), Files: map[string]string{"x": "y"}})
	root := w.checkout().repo.Git("rev-list", "--max-parents=0", "HEAD")
	w.gh.Push(githubtest.PersonCommit{Branch: "main", Author: "ada", Message: "other history", Onto: root, Files: map[string]string{"z": "y"}})
	out := w.publish(other)
	w.want(out, OpUpdated, 4)
	if got := w.gh.Commits("openwiki/update", "main"); len(got) != 1 || got[0] == old {
		t.Errorf("branch: %v", got)
	}
}

func TestShallowCheckout(t *testing.T) {
	t.Parallel()
	for _, sign := range []SignMode{SignAuto, SignFalse} {
		t.Run(string(sign), func(t *testing.T) {
			w := wikiWorld(t)
			w.gh.PushAs("ada", "main", map[string]string{"x": "y"})
			w.depth = 1
			w.policy.SignCommits = sign
			if out := w.publish(one); out.Operation != OpCreated {
				t.Errorf("%+v", out)
			}
			if out := w.publish(one); out.Operation != OpNone {
				t.Errorf("again: %+v", out)
			}
			w.gh.PushAs("ada", "main", map[string]string{"openwiki/core.md": "# Core\n\nAda's.\n"})
			if out := w.publish(one); out.Operation != OpUpdated {
				t.Errorf("conflict: %+v", out)
			}
			w.policy.OnForeignCommits = ForeignAppend
			w.push("ada", "ada", "")
			if out := w.publish(other); out.Operation != OpUpdated {
				t.Errorf("append: %+v", out)
			}
			w.gh.NoLostCommits(bot)
			w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
		})
	}
}

func TestPushedCommits(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.policy.SignCommits = SignFalse
	out := w.publish(one)
	w.want(out, OpCreated, 3) // push, pull request, label
	w.want(w.publish(one), OpNone, 0)
	w.want(w.publish(other), OpUpdated, 2)
}

func TestRules(t *testing.T) {
	t.Parallel()
	t.Run("signatures required", func(t *testing.T) {
		w := wikiWorld(t)
		w.gh.SetRules(githubtest.Rules{RequiredSignatures: true})
		w.want(w.publish(one), OpCreated, 5)
		w.policy.SignCommits = SignFalse
		c := w.checkout()
		out, err := c.publisher().Publish(t.Context(), c.bundle(other))
		if err == nil || out.Code != "signature_required" && out.Code != "ruleset" || out.Hint == "" {
			t.Errorf("error %v, outcome %+v", err, out)
		}
	})
	t.Run("no force push", func(t *testing.T) {
		w := opened(t)
		w.gh.SetRules(githubtest.Rules{NoForcePush: true})
		out := w.publish(other)
		if out.Operation != OpUpdated || len(w.gh.Commits("openwiki/update", "main")) != 2 || w.file("openwiki/update", "openwiki/core.md") != other["core.md"] {
			t.Errorf("%+v", out)
		}
		w.gh.Forget()
		w.want(w.publish(other), OpNone, 0)
	})
	t.Run("name pattern", func(t *testing.T) {
		w := wikiWorld(t)
		w.gh.SetRules(githubtest.Rules{NamePattern: "^(main|feature/.*)$"})
		c := w.checkout()
		out, err := c.publisher().Publish(t.Context(), c.bundle(one))
		if err == nil || out.Code != "ruleset" || !strings.Contains(out.Hint, "branch name") {
			t.Errorf("error %v, outcome %+v", err, out)
		}
	})
	t.Run("restricted path", func(t *testing.T) {
		w := wikiWorld(t)
		w.gh.SetRules(githubtest.Rules{RestrictedPaths: []string{"openwiki/**"}})
		c := w.checkout()
		if out, err := c.publisher().Publish(t.Context(), c.bundle(one)); err == nil || out.Code != "ruleset" {
			t.Errorf("error %v, outcome %+v", err, out)
		}
	})
	t.Run("hook", func(t *testing.T) {
		w := wikiWorld(t)
		w.gh.SetRules(githubtest.Rules{PreReceive: "refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without `workflows` permission"})
		c := w.checkout()
		if out, err := c.publisher().Publish(t.Context(), c.bundle(one)); err == nil || out.Hint == "" || out.Code != "workflow_scope" {
			t.Errorf("error %v, outcome %+v", err, out)
		}
	})
}

func TestStaleAtPublish(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	page := "# Core\n\nNew words.\n"
	sidecar := `{"schemaVersion":1,"pageVersion":"` + wiki.PageVersion([]byte(page)) + `","claims":[{"id":"c1","statement":"Add sums.","evidence":[{"resource":"repo://src/a.go#L4-L6","version":"sha256:` + strings.Repeat("0", 64) + `"}]}]}`
	w.gh.PushAs("ada", "main", map[string]string{"src/a.go": "package a\n"})
	out := c.publish(c.bundle(map[string]string{"core.md": page, ".claims/core.json": sidecar}))
	if out.Operation != OpCreated || len(out.Stale) != 1 || out.Stale[0] != "openwiki/core.md" {
		t.Errorf("outcome %+v; sidecar read as %v", out, cited("x", []byte(sidecar), "openwiki"))
	}
}

func TestIdentityOfAnAppToken(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.token = w.gh.Token(githubtest.Grant{Kind: githubtest.App})
	w.setup = func(p *Publisher) { p.Identity = Identity{} }
	w.want(w.publish(one), OpCreated, 5)
	w.want(w.publish(one), OpNone, 0)
	w.want(w.publish(other), OpUpdated, 4)
	if author := w.gh.Pull(1).Author; author != "wikiwright[bot]" {
		t.Errorf("author %s", author)
	}
}

func TestIdentityOfTheDefaultTokenElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{Users: []githubtest.User{{Login: "actions[bot]", ID: 3}}})
	w.token = w.gh.Token(githubtest.Grant{Login: "actions[bot]"}) // as on an Enterprise server
	w.setup = func(p *Publisher) { p.DefaultToken = true }
	w.want(w.publish(one), OpCreated, 5)
	w.want(w.publish(other), OpUpdated, 4)
}

// TestAccountFromThePullRequest learns the account of the default token from the pull request that it opened, and asks where another bot did.
func TestAccountFromThePullRequest(t *testing.T) {
	t.Parallel()
	asked := func(w *world) bool {
		return slices.ContainsFunc(w.gh.Calls(), func(c githubtest.Call) bool { return c.Kind == "graphql" && strings.Contains(string(c.Body), "viewer") })
	}
	w := wikiWorld(t)
	w.setup = func(p *Publisher) { p.Identity, p.DefaultToken = ActionsIdentity(), true }
	w.want(w.publish(one), OpCreated, 5)
	out := w.publish(other)
	if asked(w) || !w.gh.Pull(1).Open {
		t.Errorf("asked for the account: %v", w.gh.Calls())
	}
	w.want(out, OpUpdated, 4)

	w = newWorld(t, seedArchive+wikiArchive, githubtest.Options{Users: []githubtest.User{{Login: "renovate[bot]", ID: 5}}})
	w.setup = func(p *Publisher) { p.Identity, p.DefaultToken = ActionsIdentity(), true }
	w.gh.Push(githubtest.PersonCommit{Branch: "openwiki/update", Author: "renovate[bot]", Files: map[string]string{"openwiki/core.md": "x\n"}})
	w.gh.OpenPull("renovate[bot]", "openwiki/update", "main", "theirs", "")
	out = w.publish(one)
	if !asked(w) {
		t.Error("took another bot for the account of the token")
	}
	w.want(out, OpBlocked, 1)
}

func TestRetarget(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.Push(githubtest.PersonCommit{Branch: "trunk", Author: "ada", Files: map[string]string{"x": "y"}})
	w.policy.Branch = "openwiki/update"
	w.gh.DefaultBranch = "trunk"
	w.want(w.publish(other), OpUpdated, 4)
	if got := w.gh.Pull(1).Base; got != "trunk" {
		t.Errorf("base %s", got)
	}
}

// TestRemoteNeverInConfig holds that nothing of a run stays in the checkout.
func TestCheckoutIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := opened(t)
	c := w.checkout()
	before := c.repo.Git("status", "--porcelain", "--branch") + c.repo.Git("for-each-ref") + c.repo.Read(".git/config")
	c.publish(c.bundle(other))
	if after := c.repo.Git("status", "--porcelain", "--branch") + c.repo.Git("for-each-ref") + c.repo.Read(".git/config"); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	if _, err := gitrepo.Open(t.Context(), c.repo.Dir); err != nil {
		t.Error(err)
	}
}
