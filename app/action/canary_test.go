package action_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/safetext"
)

// sourceCanaries are credentials of twelve forms that stand in the source, by the rule that knows them. None is real.
func sourceCanaries() map[string]string {
	const part = "x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ"
	return map[string]string{
		"github-pat":              "ghp" + "_" + part,
		"github-app-token":        "ghs" + "_" + part,
		"github-fine-grained-pat": "github" + "_pat_11ABCDE2Y0" + part[:20] + "_tYc8NbJ3hFd6GsA1eUoPiQ" + part[:28],
		"anthropic-key":           "sk" + "-ant-api03-" + part + part + part[:21] + "AA",
		"openai-key":              "sk" + "-proj-" + part + part[:20],
		"aws-access-token":        "AKIA" + "2EXK7FQ3B2K4C5PW",
		"slack-bot-token":         "xoxb" + "-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1",
		"gcp-api-key":             "AIza" + "SyDx7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eU",
		"stripe-access-token":     "sk" + "_live_x7Kq2ZpLm9VwR4tYc8NbJ3hF",
		"jwt":                     "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiI5MTg0NzI2MSIsIm5hbWUiOiJKIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
		"npm-access-token":        "npm" + "_" + part,
		"sendgrid-api-token":      "SG" + "." + part[:22] + "." + part + part[:7],
	}
}

// environmentCanaries are secrets in the environment of the job.
func environmentCanaries() map[string]string {
	return map[string]string{
		"ANTHROPIC_API_KEY": "sk-ant-api03-Canary0123456789abcdefghijABCDEFGHIJ", "OPENAI_API_KEY": "sk-proj-Canary1123456789abcdefghij",
		"AWS_SECRET_ACCESS_KEY": "wJalrCanary2K7MDENGbPxRfiCYzQHLMNOPQ12345", "ACTIONS_RUNTIME_TOKEN": "eyJhbGciCanary3.eyJzdWIiOjF9.c2lnbmF0dXJl",
		"SLACK_TOKEN": "xoxb-canary4-1234567890", "DB_PASSWORD": "canary5 with blank", "APP_PRIVATE_KEY": "-----BEGIN KEY-----\nMIIcanary6Line\n-----END KEY-----",
		"URL_SECRET": "canary7/+&=?", "JSON_SECRET": "canary8\"<>\\", "NPM_TOKEN": "npm_canary9abcdefghijklmnop", "MARKDOWN_SECRET": "canary10_*[x]_#1", "HEX_SECRET": "canary11@host",
	}
}

// forms are the ways in which a secret could be seen.
func forms(secret string) []string {
	quoted, _ := json.Marshal(secret)
	return []string{
		secret, base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)), hex.EncodeToString([]byte(secret)),
		url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(string(quoted), `"`), safetext.Inline(secret, 0),
		// Half of one is too much as well, where a text is cut.
		safetext.Inline(secret[:len(secret)*2/3], 0),
	}
}

// Secrets of twelve forms in the environment, and twelve in the source that a page then quotes: the page is blocked, the rest is published,
// and none of them is in anything that leaves the runner.
func TestRun_canaries(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	source.WriteString(project)
	for rule, text := range sourceCanaries() {
		fmt.Fprintf(&source, "-- %s/client.go --\n// Package client logs in with %s\npackage client\n\n// Login uses the token %s\nfunc Login() {}\n", rule, text, text)
		fmt.Fprintf(&source, "-- docs/%s.md --\n# Login %s\n\nUse %s for it.\n\n```sh\nexport TOKEN=%s\n```\n", rule, rule, text, text)
	}
	// What the environment knows stands in the source as well.
	source.WriteString("-- echo/echo.go --\n// Package echo prints npm_canary9abcdefghijklmnop and canary10_*[x]_#1\npackage echo\n")
	w := newWorld(t, githubtest.Options{Seed: gittest.FromTxtar(t, source.String())})
	canaries := []string{w.env["INPUT_TOKEN"]}
	for _, text := range sourceCanaries() {
		canaries = append(canaries, text)
	}
	for name, value := range environmentCanaries() {
		w.env[name] = value
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); strings.Contains(strings.ToLower(line), "canary") {
				canaries = append(canaries, line)
			}
		}
	}
	w.env["RUNNER_DEBUG"] = "1"

	d := w.run("checkpoints=0s", "author=extractive") // a key of a model is among them
	d.want(t, 0, "created")
	quoted := readAll(t, filepath.Join(w.dir, "openwiki"))
	for rule, text := range sourceCanaries() {
		if !strings.Contains(quoted, text) {
			t.Errorf("no page quotes the %s: the test shows nothing", rule)
		}
	}
	const page = "openwiki/components/demo.md"
	if _, ok := w.gh.File("openwiki/update", page); ok || !strings.Contains(d.summary, "\n### Blocked\n") || !strings.Contains(d.summary, "- "+page+", line ") {
		t.Errorf("the page is not blocked:\n%s", d.summary)
	}
	if _, ok := w.gh.File("openwiki/update", "openwiki/quickstart.md"); !ok || d.outputs["state"] != "partial" {
		t.Errorf("state %s, want the other pages published", d.outputs["state"])
	}
	if blocked := d.report["publish"].(map[string]any)["blocked"]; len(blocked.([]any)) < 12 {
		t.Errorf("blocked: %v", blocked)
	}

	commits := gittest.New(t).Git("-C", w.gh.Bare, "log", "-p", "--format=fuller", "main..openwiki/update")

	// The same in a bundle, and where publishing fails and the pages are kept.
	w.checkout()
	bundle := w.run("author=extractive", "bundle-path="+filepath.Join(w.temp, "bundle"))
	if bundle.outputs["bundle-digest"] == "" || !strings.Contains(bundle.summary, "\n### Blocked\n") {
		t.Errorf("outputs %v\n%s", bundle.outputs, bundle.summary)
	}
	w.gh.ClosePull(1, "ada")
	w.gh.DeleteBranch("openwiki/update", "ada")
	w.gh.PushAs("ada", "main", map[string]string{"main.go": "package main\n\n// main does nothing.\nfunc main() {}\n"})
	w.gh.Allow(githubtest.BadToken)
	w.gh.Fault(githubtest.Match{Kind: "rest", Method: "POST"}, githubtest.Fault{Status: 401})
	w.checkout()
	kept := w.run("author=extractive", "checkpoints=off", "on-closed=recreate")
	if kept.status != 1 || kept.outputs["bundle-path"] == "" {
		t.Errorf("status %d, outputs %v", kept.status, kept.outputs)
	}

	places := map[string]string{"runner's files": readAll(t, w.temp), "body": w.gh.Pull(1).Body, "title": w.gh.Pull(1).Title}
	for i, d := range []done{d, bundle, kept} {
		places[fmt.Sprintf("summary %d", i)], places[fmt.Sprintf("log %d", i)] = d.summary, withoutMasks(d.log)
	}
	places["commits"] = commits
	for place, text := range places {
		if text == "" {
			t.Errorf("%s: nothing to look at", place)
		}
		for _, canary := range canaries {
			for _, form := range forms(canary) {
				if at := strings.Index(text, form); at >= 0 {
					t.Errorf("%s holds %q: …%s…", place, form, text[max(0, at-80):min(len(text), at+len(form)+20)])
					break
				}
			}
		}
	}
}

// readAll returns what the files below a directory hold.
func readAll(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	if err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all.WriteString("== " + name + "\n" + string(data) + "\n")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// withoutMasks is the log as the runner keeps it: it does not show the commands that name what is to be hidden.
func withoutMasks(log string) string {
	var kept strings.Builder
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "::add-mask::") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
