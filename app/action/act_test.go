package action_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// TestAct runs the minimal workflow of docs/action.md with act, a runner for workflows, against the stand-in: the first `uses` is done by
// act itself, the second is this repository's action.yml. It is skipped where act is not installed.
func TestAct(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("act")
	if err != nil {
		if program = "/root/go/bin/act"; !exists(program) {
			t.Skip("act is not installed")
		}
	}
	w := newWorld(t, githubtest.Options{})
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "action.md"))
	if err != nil {
		t.Fatal(err)
	}
	workflow := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(docs)[1]
	if !strings.Contains(string(workflow), "uses: wikiwright/wikiwright@v1") {
		t.Fatalf("the first workflow of the documentation does not use the action:\n%s", workflow)
	}
	file := filepath.Join(t.TempDir(), "wiki.yml")
	if err := os.WriteFile(file, workflow, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "wikiwright")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/wikiwright")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "workflow_dispatch", "-P", "ubuntu-latest=-self-hosted", "--no-cache-server",
		"-W", file, "-e", w.env["GITHUB_EVENT_PATH"], "-s", "GITHUB_TOKEN="+w.env["INPUT_TOKEN"],
		"--env", "GITHUB_API_URL="+w.gh.APIURL, "--env", "GITHUB_SERVER_URL="+w.gh.ServerURL,
		"--env", "GITHUB_REPOSITORY="+w.env["GITHUB_REPOSITORY"], "--env", "WIKIWRIGHT_BINARY="+binary,
		"--local-repository", "wikiwright/wikiwright@v1="+root)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("act: %v\n%s", err, out)
	}
	pulls := w.gh.Pulls()
	if len(pulls) != 1 || !pulls[0].Open || pulls[0].Base != "main" {
		data, _ := json.Marshal(pulls)
		t.Fatalf("pull requests %s\n%s", data, out)
	}
	if _, ok := w.gh.File(pulls[0].Head, "openwiki/quickstart.md"); !ok {
		t.Error("the branch holds no wiki")
	}
	if !strings.Contains(string(out), "pull request created") {
		t.Errorf("the log does not tell of the pull request:\n%s", out)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
