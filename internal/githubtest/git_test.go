package githubtest_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// authorized are the arguments that make git send a token.
func authorized(token string) []string {
	return []string{"-c", "http.extraHeader=Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token))}
}

func TestPush(t *testing.T) {
	t.Parallel()
	gh, _ := start(t, githubtest.Options{})
	old := gh.Head("main")
	clone := gittest.New(t)
	clone.Git("fetch", "--quiet", "--depth=1", gh.CloneURL, "main")
	clone.Git("checkout", "--quiet", "-b", "topic", "FETCH_HEAD")
	clone.Write("docs/one.md", "pushed\n")
	commit := clone.Commit("change")
	clone.Git(append(authorized(gh.Token(githubtest.Grant{})), "push", "--quiet", gh.CloneURL, "topic")...)
	if got := gh.Head("topic"); got != commit {
		t.Errorf("topic = %s, want %s", got, commit)
	}
	want := []githubtest.RefUpdate{{Ref: "refs/heads/main", New: old, By: "seed"}, {Ref: "refs/heads/topic", New: commit, By: "github-actions[bot]", Via: "push"}}
	if diff := cmp.Diff(want, gh.RefLog()); diff != "" {
		t.Errorf("ref log (-want +got):\n%s", diff)
	}
	// With a lease on the wrong commit nothing moves.
	clone.Git("commit", "--quiet", "--amend", "-m", "again")
	_, err := clone.TryGit("", append(authorized(gh.Token(githubtest.Grant{})), "push", "--force-with-lease=topic:"+old, gh.CloneURL, "topic")...)
	if !contains(err, "stale info") || gh.Head("topic") != commit {
		t.Errorf("stale lease: %v, topic = %s", err, gh.Head("topic"))
	}
	clone.Git(append(authorized(gh.Token(githubtest.Grant{})), "push", "--quiet", "--force-with-lease=topic:"+commit, gh.CloneURL, "topic")...)
	clone.Git(append(authorized(gh.Token(githubtest.Grant{})), "push", "--quiet", gh.CloneURL, ":topic")...)
	if got := gh.Head("topic"); got != "" {
		t.Errorf("topic = %s after its deletion", got)
	}
	if log := gh.RefLog(); len(log) != 4 {
		t.Errorf("ref log = %v", log)
	}
}

func TestPushRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		rules githubtest.Rules
		files map[string]string
		grant githubtest.Grant
		want  string
		allow []githubtest.Violation
	}{
		{name: "workflow", files: map[string]string{".github/workflows/x.yml": "on: push\n"}, want: "refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without `workflows` permission"},
		{name: "workflow with a PAT", files: map[string]string{".github/workflows/x.yml": "on: push\n"}, grant: githubtest.Grant{Kind: githubtest.PAT}, want: "refusing to allow a Personal Access Token to create or update workflow `.github/workflows/x.yml` without `workflow` scope"},
		{name: "signatures", rules: githubtest.Rules{RequiredSignatures: true}, want: "Commits must have verified signatures."},
		{name: "paths", rules: githubtest.Rules{RestrictedPaths: []string{"docs/**"}}, want: "File path is restricted: docs/one.md"},
		{name: "name", rules: githubtest.Rules{NamePattern: "^feature/"}, want: "Branch name must match a given regex pattern: ^feature/"},
		{name: "hook", rules: githubtest.Rules{PreReceive: "not on Fridays"}, want: "remote: not on Fridays"},
		{name: "no permission", grant: githubtest.Grant{Permissions: map[string]string{"contents": "read"}}, want: "Write access to repository not granted", allow: []githubtest.Violation{githubtest.NoPermission}},
	} {
		gh, _ := start(t, githubtest.Options{})
		gh.Allow(test.allow...)
		gh.SetRules(test.rules)
		clone := gittest.New(t)
		clone.Git("fetch", "--quiet", gh.CloneURL, "main")
		clone.Git("checkout", "--quiet", "-b", "topic", "FETCH_HEAD")
		clone.Write("docs/one.md", "pushed\n")
		for name, content := range test.files {
			clone.Write(name, content)
		}
		clone.Commit("change")
		_, err := clone.TryGit("", append(authorized(gh.Token(test.grant)), "push", gh.CloneURL, "topic")...)
		if !contains(err, test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if got := gh.Head("topic"); got != "" {
			t.Errorf("%s: the branch exists", test.name)
		}
	}
}

func TestForcePushRule(t *testing.T) {
	t.Parallel()
	gh, _ := start(t, githubtest.Options{})
	gh.PushAs("ada", "topic", map[string]string{"docs/one.md": "person\n"})
	gh.SetRules(githubtest.Rules{Branches: "topic", NoForcePush: true})
	clone := gittest.New(t)
	clone.Git("fetch", "--quiet", gh.CloneURL, "main")
	clone.Git("checkout", "--quiet", "-b", "topic", "FETCH_HEAD")
	clone.Write("docs/one.md", "pushed\n")
	clone.Commit("change")
	if _, err := clone.TryGit("", append(authorized(gh.Token(githubtest.Grant{})), "push", "--force", gh.CloneURL, "topic")...); !contains(err, "Cannot force-push to this branch") {
		t.Errorf("force push: %v", err)
	}
}

func TestGitTokens(t *testing.T) {
	t.Parallel()
	gh, _ := start(t, githubtest.Options{Private: true})
	gh.Allow(githubtest.BadToken)
	repo := gittest.New(t)
	if _, err := repo.TryGit("", "ls-remote", gh.CloneURL); err == nil {
		t.Error("a private repository can be read without a token")
	}
	if _, err := repo.TryGit("", append(authorized("ghs_wrong"), "ls-remote", gh.CloneURL)...); err == nil {
		t.Error("a wrong token is taken")
	}
	if out := repo.Git(append(authorized(gh.Token(githubtest.Grant{})), "ls-remote", gh.CloneURL)...); !strings.Contains(out, "refs/heads/main") {
		t.Errorf("ls-remote = %q", out)
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"merge", "squash", "rebase"} {
		gh, c := start(t, githubtest.Options{})
		commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"))
		number := openPull(t, gh, c, "docs/new").GetNumber()
		gh.PushAs("ada", "docs/new", map[string]string{"docs/two.md": "person\n"})
		gh.PushAs("ada", "main", map[string]string{"README.md": "moved on\n"})
		merge := gh.UpdateBranch(number, "ada")
		if method != "rebase" { // git cannot pick a merge
			gh.Enqueue(number)
			gh.Dequeue(number)
		} else {
			gh, c = start(t, githubtest.Options{})
			commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"))
			number = openPull(t, gh, c, "docs/new").GetNumber()
			gh.PushAs("ada", "docs/new", map[string]string{"docs/two.md": "person\n"})
			gh.PushAs("ada", "main", map[string]string{"README.md": "moved on\n"})
		}
		commit := gh.Merge(number, method)
		pull := gh.Pull(number)
		if !pull.Merged || pull.Open || pull.MergeCommit != commit || gh.Head("main") != commit {
			t.Errorf("%s: pull = %+v, main = %s, merge of base %s", method, pull, gh.Head("main"), merge)
		}
		for path, want := range map[string]string{"README.md": "moved on\n", "docs/one.md": "changed\n", "docs/two.md": "person\n"} {
			if got, _ := gh.File("main", path); got != want {
				t.Errorf("%s: %s = %q, want %q", method, path, got, want)
			}
		}
		gh.NeverEqualsBase("docs/new", "main")
		gh.NoLostCommits("github-actions[bot]")
		gh.OnlyBelow("docs/new", "main", "docs")
	}
}

func TestCloseAndReopen(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"))
	number := openPull(t, gh, c, "docs/new").GetNumber()
	gh.CommentAs(number, "ada", "no")
	gh.EditBody(number, func(body string) string { return body + " [x]" })
	gh.ClosePull(number, "ada")
	if pull := gh.Pull(number); pull.Open || pull.ClosedBy != "ada" || pull.Body != "text [x]" || len(pull.Comments) != 1 {
		t.Errorf("closed pull = %+v", pull)
	}
	gh.Reopen(number, "ada")
	if pull := gh.Pull(number); !pull.Open || pull.ClosedBy != "" {
		t.Errorf("open pull = %+v", pull)
	}
	gh.Push(githubtest.PersonCommit{Branch: "docs/new", Author: "ada", Files: map[string]string{"a": "b"}, Onto: gh.Head("main")})
	if pull := gh.Pull(number); !pull.Open || pull.HeadSHA != gh.Head("docs/new") {
		t.Errorf("pull after a push = %+v", pull)
	}
	gh.DeleteBranch("docs/new", "ada")
	if pull := gh.Pull(number); pull.Open {
		t.Error("still open without a branch")
	}
}
