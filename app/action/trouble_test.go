package action_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/internal/cli"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// The branch is there, the pull request is not allowed: the job fails, says both settings, and the next one with the right goes on.
func TestRun_pullRequestsNotPermitted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{NoActionsPulls: true})
	w.gh.Allow(githubtest.NoPermission)
	d := w.run("checkpoints=off")
	d.want(t, 1, "branch-only")
	if d.outputs["branch"] != "openwiki/update" || d.outputs["pull-request-url"] != "" || !strings.Contains(d.outputs["compare-url"], "/compare/") {
		t.Errorf("outputs %v", d.outputs)
	}
	if !strings.Contains(d.log, "::error::") || !strings.Contains(d.log, "hint: ") {
		t.Errorf("the log does not say what to do:\n%s", d.log)
	}
	w.gh.AllowActionsPulls(true)
	w.checkout()
	w.run("checkpoints=off").want(t, 0, "created")
}

// A token that expired while the pages were written: the pages are kept and can be published later.
func TestRun_tokenExpired(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	w.gh.Allow(githubtest.BadToken)
	// The look at the branch before the generation is let through; from the first write on the token is dead.
	w.gh.Fault(githubtest.Match{Kind: "rest", Method: "POST"}, githubtest.Fault{Status: 401})
	d := w.run("checkpoints=off")
	failure, _ := d.report["error"].(map[string]any)
	if d.status != 1 || !strings.Contains(d.log, "the GitHub token has expired") || failure["code"] != "token_expired" {
		t.Errorf("status %d, error %v\n%s", d.status, failure, d.log)
	}
	dir := d.outputs["bundle-path"]
	if _, err := os.Stat(filepath.Join(dir, "files", "openwiki", "quickstart.md")); err != nil || !strings.HasPrefix(dir, w.temp) {
		t.Fatalf("the pages are not kept: %v\n%s", err, d.log)
	}
	w.gh.ClearFaults()
	w.checkout()
	w.run("mode=publish", "bundle-path="+dir, "bundle-digest="+d.outputs["bundle-digest"]).want(t, 0, "created")
}

// One job generates and may not write, the other publishes and has no key.
func TestRun_twoJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	reader := w.gh.Token(githubtest.Grant{Permissions: map[string]string{"contents": "read"}})
	writer := w.env["INPUT_TOKEN"]
	w.env["INPUT_TOKEN"] = reader
	w.gh.Allow(githubtest.NoPermission)
	bundle := filepath.Join(t.TempDir(), "bundle")
	d := w.run("bundle-path=" + bundle)
	if d.status != 0 || d.outputs["operation"] != "" || d.outputs["bundle-digest"] == "" || w.gh.Writes() != 0 {
		t.Fatalf("status %d, outputs %v, %d writes\n%s", d.status, d.outputs, w.gh.Writes(), d.log)
	}
	w.env["INPUT_TOKEN"] = writer
	w.checkout()
	if d := w.run("mode=publish", "bundle-path="+bundle, "bundle-digest=sha256:00"); d.status != 2 {
		t.Errorf("another digest: status %d\n%s", d.status, d.log)
	}
	w.run("mode=publish", "bundle-path="+bundle, "bundle-digest="+d.outputs["bundle-digest"]).want(t, 0, "created")
	whole := newWorld(t, githubtest.Options{})
	whole.run("checkpoints=off").want(t, 0, "created")
	for _, name := range whole.gh.Files("openwiki/update") {
		if _, ok := w.gh.File("openwiki/update", name); !ok {
			t.Errorf("%s is not published", name)
		}
	}

	// A file that was changed on the way is noticed.
	page := filepath.Join(bundle, "files", "openwiki", "quickstart.md")
	if err := os.WriteFile(page, []byte("# Other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if d := w.run("mode=publish", "bundle-path="+bundle); d.status == 0 {
		t.Errorf("a changed file is published\n%s", d.log)
	}
}

// Plan and check write nothing.
func TestRun_readingModes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	d := w.run("mode=plan")
	d.want(t, 0, "created")
	if !strings.Contains(d.log, "::notice::plan: created") || len(w.gh.Pulls()) != 0 {
		t.Errorf("log\n%s", d.log)
	}
	w.checkout()
	tip := strings.TrimSpace(gittest.New(t).Git("-C", w.dir, "rev-parse", "HEAD"))
	w.event("pull_request", func(payload map[string]any) {
		payload["pull_request"].(map[string]any)["base"].(map[string]any)["sha"] = tip
	})
	w.env["GITHUB_REF"] = "refs/pull/1/merge"
	if d := w.run("mode=check"); d.status != 0 || d.outputs["stale-claims"] != "0" {
		t.Errorf("status %d, outputs %v\n%s", d.status, d.outputs, d.log)
	}
	if d := w.run(); d.status != 2 || !strings.Contains(d.log, "only mode check") {
		t.Errorf("update on a pull request: status %d\n%s", d.status, d.log)
	}
	if n := w.gh.Writes(); n != 0 {
		t.Errorf("%d writes", n)
	}
}

// A check of a pull request tells what its change makes stale, at the changed line, with a token that only reads.
func TestRun_checkOfAPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	w.run("checkpoints=off").want(t, 0, "created")
	w.gh.Merge(1, "squash")
	w.gh.PushAs("ada", "topic", map[string]string{"store/store.go": "// Package store keeps numbers.\npackage store\n\n// Limit bounds the numbers that are kept.\nconst Limit = 99\n\n// Sum adds.\nfunc Sum(x, y int) int { return y + x }\n"})
	w.gh.Forget()
	w.checkoutMerge("topic")
	token := w.gh.Token(githubtest.Grant{Permissions: map[string]string{"contents": "read", "metadata": "read"}})
	w.env["INPUT_TOKEN"], w.env["WIKIWRIGHT_WORKFLOW_TOKEN"] = token, token
	d := w.run("mode=check", "sarif-path=findings.sarif")
	if d.status != 0 || d.outputs["stale-claims"] == "0" || d.outputs["stale-claims"] == "" {
		t.Fatalf("status %d, outputs %v\n%s", d.status, d.outputs, d.log)
	}
	if !strings.Contains(d.log, "::notice file=store/store.go,line=7,title=The wiki cites this::/openwiki/") {
		t.Errorf("no remark at the changed line:\n%s", d.log)
	}
	if !strings.HasPrefix(d.summary, "## Wiki: the change ") || !strings.Contains(d.summary, "/store/store.go#L7)") {
		t.Errorf("summary\n%s", d.summary)
	}
	if data, err := os.ReadFile(filepath.Join(w.dir, "findings.sarif")); err != nil || !strings.Contains(string(data), `"uri": "store/store.go"`) {
		t.Errorf("SARIF %v\n%s", err, data)
	}
	if n := w.gh.Writes(); n != 0 {
		t.Errorf("%d writes", n)
	}
}

// Settings come from the default branch; what they hold wrong is named with its line before anything is done.
func TestRun_settingsFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{Seed: gittest.FromTxtar(t, project+"-- .github/wikiwright.yml --\n# ours\ntitel: x\n")})
	w.gh.Forget()
	d := w.run()
	if d.status != 2 || !strings.Contains(d.log, `.github/wikiwright.yml: line 2: unknown key "titel"`) || w.gh.APICalls() != 0 {
		t.Errorf("status %d\n%s", d.status, d.log)
	}
	if !strings.Contains(d.summary, "**Failed:**") || !strings.Contains(d.summary, "titel") {
		t.Errorf("the summary does not tell it:\n%s", d.summary)
	}
	w.gh.PushAs("ada", "main", map[string]string{".github/wikiwright.yml": "title: 'docs: from the file'\nlabels: [wiki]\n"})
	w.checkout()
	w.run("checkpoints=off").want(t, 0, "created")
	if pull := w.gh.Pull(1); pull.Title != "docs: from the file" {
		t.Errorf("title %q", pull.Title)
	}
	if d := w.run("checkpoints=off", "concurrency=99"); d.status != 2 {
		t.Errorf("an unusable input: status %d", d.status)
	}
}

// A fork does nothing on schedule, and says so.
func TestRun_fork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	w.event("schedule", func(payload map[string]any) {
		if payload["repository"] == nil {
			payload["repository"] = map[string]any{}
		}
		payload["repository"].(map[string]any)["fork"] = true
	})
	w.gh.Forget()
	d := w.run()
	if d.status != 0 || !strings.Contains(d.log, "::notice::this repository is a fork") || w.gh.APICalls() != 0 {
		t.Errorf("status %d\n%s", d.status, d.log)
	}
}

// A stopped job ends soon, with the status of the signal.
func TestRun_signal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(cli.Stopped{Signal: syscall.SIGTERM}) })
	start := time.Now()
	d := w.runContext(ctx)
	if took := time.Since(start); took > 6*time.Second {
		t.Errorf("it took %v", took)
	}
	if d.status != 143 {
		t.Errorf("status %d, want 143\n%s", d.status, d.log)
	}
}

// A run that is out of time publishes what it has and does not fail.
func TestRun_maxDuration(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	d := w.run("max-duration=1ns", "checkpoints=off")
	if d.status != 0 || !strings.Contains(d.log, "the generation reached max-duration") {
		t.Errorf("status %d\n%s", d.status, d.log)
	}
	w.checkout()
	w.run("checkpoints=off").want(t, 0, "created")
}

// Titles in the source that look like commands, mentions, closing keywords and ends of things do nothing anywhere.
func TestRun_hostileText(t *testing.T) {
	t.Parallel()
	hostile := "# ::error::pwned | @acme/team fixes #1 </details> --> ##[error]x `\u200b\n\n_GitHubActionsFileCommandDelimeter_\noperation<<x\nforged\nx\n"
	w := newWorld(t, githubtest.Options{Seed: gittest.FromTxtar(t, project+"-- docs/guide.md --\n"+hostile)})
	d := w.run("checkpoints=off")
	d.want(t, 0, "created")
	for line := range strings.Lines(d.log) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "##[") || strings.HasPrefix(line, "::error") {
			t.Errorf("a command in the log: %s", line)
		}
	}
	pull := w.gh.Pull(1)
	for _, active := range []string{"@acme/team", "fixes #1", "##[error]"} {
		for _, place := range []string{pull.Body, pull.Title, d.summary} {
			if strings.Contains(place, active) {
				t.Errorf("%q is active in\n%s", active, place)
			}
		}
	}
}

// Pages of another author that need work are skipped; when all are, the job fails and changes nothing.
func TestRun_allSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	w.run("checkpoints=off").want(t, 0, "created")
	theirs := map[string]string{}
	for _, name := range w.gh.Files("openwiki/update") {
		if text, _ := w.gh.File("openwiki/update", name); strings.HasPrefix(name, "openwiki/") && name != "openwiki/.page-manifest.json" {
			theirs[name] = strings.ReplaceAll(text, "wikiwright-extractive/", "somebody/")
		}
	}
	theirs["store/store.go"] = "// Package store is another.\npackage store\n\n// Sum multiplies.\nfunc Sum(x, y int) int { return x * y }\n"
	w.gh.ClosePull(1, "ada")
	w.gh.DeleteBranch("openwiki/update", "ada")
	w.gh.PushAs("ada", "main", theirs)
	w.checkout()
	w.gh.Forget()
	d := w.run("checkpoints=off")
	if d.status != 1 || !strings.Contains(d.log, "pages were skipped") || d.outputs["pages-failed"] == "0" {
		t.Errorf("status %d, outputs %v\n%s", d.status, d.outputs, d.log)
	}
	if n := w.gh.Writes(); n != 0 {
		t.Errorf("%d writes", n)
	}
}
