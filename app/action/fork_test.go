package action_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// fork makes the next jobs run on the pull request of a fork, with what GitHub gives those: a token that only reads, and no secret.
func (w *world) fork(branch string) {
	w.t.Helper()
	w.checkoutMerge(branch)
	data, err := os.ReadFile(w.env["GITHUB_EVENT_PATH"])
	if err != nil {
		w.t.Fatal(err)
	}
	var payload map[string]any
	if err := json.Unmarshal(data, &payload); err != nil {
		w.t.Fatal(err)
	}
	pull := payload["pull_request"].(map[string]any)
	head := pull["head"].(map[string]any)
	repo := head["repo"].(map[string]any)
	repo["fork"], repo["full_name"] = true, "mallory/"+w.gh.Name
	head["label"], head["ref"] = "mallory:"+branch, branch
	pull["author_association"] = "FIRST_TIME_CONTRIBUTOR"
	if data, err = json.Marshal(payload); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.env["GITHUB_EVENT_PATH"], data, 0o644); err != nil {
		w.t.Fatal(err)
	}
	token := w.gh.Token(githubtest.Grant{Permissions: map[string]string{"contents": "read", "metadata": "read"}})
	w.env["INPUT_TOKEN"], w.env["WIKIWRIGHT_WORKFLOW_TOKEN"] = token, token
	w.env["GITHUB_HEAD_REF"] = branch
}

// A check of a fork's pull request works with a token that only reads. What the fork wrote, into the source and into the wiki, is shown
// and does nothing, and a link in it does not make the job write elsewhere.
func TestRun_checkOfAFork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{Users: []githubtest.User{{Login: "mallory"}}})
	w.run("checkpoints=off").want(t, 0, "created")
	w.gh.Merge(1, "squash")
	hostile := "Sum ::error::pwned\u202e\u200b @team fixes #1 </details> %0A::set-output name=operation::x | [x](https://evil.example)"
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	change := map[string]string{
		"store/store.go": "// Package store keeps numbers.\npackage store\n\n// Limit bounds the numbers that are kept.\nconst Limit = 99\n\n// Sum adds.\nfunc Sum(x, y int) int { return y + x }\n",
	}
	statement := regexp.MustCompile(`"statement": ".*"`)
	for _, name := range w.gh.Files("main") {
		if text, _ := w.gh.File("main", name); strings.Contains(name, "/.claims/") {
			change[name] = statement.ReplaceAllLiteralString(text, `"statement": `+string(quoted))
		}
	}
	w.gh.PushAs("mallory", "topic", change)
	w.gh.Forget()
	w.fork("topic")
	d := w.run("mode=check", "sarif-path=findings.sarif")
	if d.status != 0 || d.outputs["stale-claims"] == "0" || d.outputs["operation"] != "" {
		t.Fatalf("status %d, outputs %v\n%s", d.status, d.outputs, d.log)
	}
	if n := w.gh.Writes(); n != 0 {
		t.Errorf("%d writes", n)
	}
	const shown = "Sum : :error: :pwned @team fixes #1 </details> %250A: :set-output name=operation: :x | [x](https://evil.example)"
	found := false
	for line := range strings.Lines(d.log) {
		found = found || strings.HasPrefix(line, "::notice file=store/store.go,line=7,title=The wiki cites this::/openwiki/") && strings.Contains(line, shown)
		if strings.HasPrefix(line, "::error") || strings.HasPrefix(line, "::set-output") || strings.Contains(line, "##[") || strings.ContainsAny(line, "\u202e\u200b") {
			t.Errorf("active in the log: %q", line)
		}
	}
	if !found {
		t.Errorf("the statement is not shown as %q:\n%s", shown, d.log)
	}
	for _, active := range []string{"\n::", "@team", "fixes #1", "](https://evil", "\u202e", "\u200b"} {
		if strings.Contains(d.summary, active) {
			t.Errorf("%q is active in the summary:\n%s", active, d.summary)
		}
	}
	if open, end := strings.Count(d.summary, "<details>"), strings.Count(d.summary, "</details>"); open != end || open == 0 {
		t.Errorf("%d details are opened and %d closed", open, end)
	}
	sarif, err := os.ReadFile(filepath.Join(w.dir, "findings.sarif"))
	if err != nil || !json.Valid(sarif) || strings.ContainsAny(string(sarif), "\u202e\u200b") {
		t.Errorf("SARIF %v\n%s", err, sarif)
	}

	// The same with a link that leads to a file of the runner.
	victim := filepath.Join(t.TempDir(), "authorized_keys")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(w.dir, "out.sarif")); err != nil {
		t.Fatal(err)
	}
	d = w.run("mode=check", "sarif-path=out.sarif")
	if data, err := os.ReadFile(victim); err != nil || string(data) != "precious" {
		t.Errorf("the file outside holds %q, %v", data, err)
	}
	if failure, _ := d.report["error"].(map[string]any); d.status != 2 || failure["code"] != "configuration" || !strings.Contains(d.log, "out.sarif is a symbolic link") {
		t.Errorf("status %d, error %v\n%s", d.status, failure, d.log)
	}

	// Whatever the mode, nothing is maintained on the code of a fork.
	for _, mode := range []string{"update", "init", "plan", "publish"} {
		if d := w.run("mode=" + mode); d.status != 2 || !strings.Contains(d.log, "only mode check") {
			t.Errorf("mode %s: status %d\n%s", mode, d.status, d.log)
		}
	}
}
