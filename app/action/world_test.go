package action_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/app/action"
	"github.com/wikiwright/wikiwright/internal/cli"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// TestMain lets the test binary be the program that the Action starts for the generation.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"update", "init", "action"}, os.Args[1]) {
		streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
		if pause, err := time.ParseDuration(os.Getenv("OPENWIKI_TEST_PAUSE")); err == nil && os.Args[1] != "action" {
			at := cmp.Or(os.Getenv("OPENWIKI_TEST_PAUSE_AT"), "generating")
			s := &slow{pause: pause, at: []byte(`"stage":"` + at + `"`), ended: make(chan struct{})}
			streams.In, streams.Out = s, s
		}
		os.Exit(cli.Main(context.Background(), os.Args[1:], streams, os.Getenv))
	}
	os.Exit(m.Run())
}

// slow makes a step of the run take time, every page say as with a model: the run waits until its event is written, or its input ends.
type slow struct {
	pause time.Duration
	at    []byte
	ended chan struct{}
}

func (s *slow) Read(p []byte) (int, error) {
	n, err := os.Stdin.Read(p)
	if err != nil {
		close(s.ended) // the program reads no further
	}
	return n, err
}

func (s *slow) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	if bytes.Contains(p, s.at) {
		select {
		case <-time.After(s.pause):
		case <-s.ended:
		}
	}
	return n, err
}

// project is a program of a few parts.
const project = `
-- go.mod --
module example.invalid/demo
-- README.md --
# demo

Keeps numbers.
-- main.go --
package main

import "example.invalid/demo/store"

// main prints the sum.
func main() { println(store.Sum(1, 2)) }
-- store/store.go --
// Package store keeps numbers.
package store

// Limit bounds the numbers that are kept.
const Limit = 10

// Sum adds two numbers.
func Sum(x, y int) int { return x + y }
`

// A world is a repository on the stand-in for GitHub, and the environment of a job in it.
type world struct {
	t    *testing.T
	gh   *githubtest.Server
	dir  string // of the checkout
	temp string
	env  map[string]string
}

func newWorld(t *testing.T, o githubtest.Options) *world {
	t.Helper()
	if o.Seed == nil {
		o.Seed = gittest.FromTxtar(t, project)
	}
	w := &world{t: t, gh: githubtest.New(t, o), temp: t.TempDir()}
	token := w.gh.Token(githubtest.Grant{})
	w.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": t.TempDir(), "TMPDIR": os.Getenv("TMPDIR"),
		"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": w.gh.Owner + "/" + w.gh.Name, "GITHUB_SERVER_URL": w.gh.ServerURL,
		"GITHUB_API_URL": w.gh.APIURL, "GITHUB_RUN_ID": "77", "RUNNER_TEMP": w.temp,
		"GITHUB_OUTPUT": filepath.Join(w.temp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(w.temp, "summary.md"),
		"INPUT_TOKEN": token, "WIKIWRIGHT_WORKFLOW_TOKEN": token,
	}
	w.event("workflow_dispatch", nil)
	w.checkout()
	return w
}

// event makes the next jobs run on an event.
func (w *world) event(name string, change func(map[string]any)) {
	w.t.Helper()
	file := filepath.Join(w.temp, "event.json")
	if err := os.WriteFile(file, w.gh.Event(name, change), 0o644); err != nil {
		w.t.Fatal(err)
	}
	w.env["GITHUB_EVENT_NAME"], w.env["GITHUB_EVENT_PATH"], w.env["GITHUB_REF"] = name, file, "refs/heads/"+w.gh.DefaultBranch
}

// checkout is what actions/checkout does: a new clone of the newest commit.
func (w *world) checkout() {
	w.t.Helper()
	w.dir = filepath.Join(w.t.TempDir(), "checkout")
	r := gittest.New(w.t)
	r.Git("clone", "-q", "--depth=1", "file://"+w.gh.Bare, w.dir)
	w.env["GITHUB_WORKSPACE"] = w.dir
}

// checkoutMerge is what actions/checkout does on pull_request: a clone of depth 1 of the commit that merges the branch.
func (w *world) checkoutMerge(branch string) {
	w.t.Helper()
	full := filepath.Join(w.t.TempDir(), "full")
	r := gittest.New(w.t)
	r.Git("clone", "-q", "file://"+w.gh.Bare, full)
	git := func(args ...string) string {
		return r.Git(append([]string{"-C", full}, args...)...)
	}
	base, head := strings.TrimSpace(git("rev-parse", "HEAD")), strings.TrimSpace(git("rev-parse", "origin/"+branch))
	git("merge", "-q", "--no-ff", "-m", "merge", "origin/"+branch)
	git("push", "-q", "origin", "HEAD:refs/pull/9/merge")
	w.dir = filepath.Join(w.t.TempDir(), "checkout")
	r.Git("init", "-q", w.dir)
	r.Git("-C", w.dir, "remote", "add", "origin", "file://"+w.gh.Bare)
	r.Git("-C", w.dir, "fetch", "-q", "--depth=1", "origin", "refs/pull/9/merge")
	r.Git("-C", w.dir, "checkout", "-q", "FETCH_HEAD")
	w.event("pull_request", func(payload map[string]any) {
		pull := payload["pull_request"].(map[string]any)
		pull["base"].(map[string]any)["sha"], pull["head"].(map[string]any)["sha"] = base, head
		payload["repository"].(map[string]any)["fork"] = false
	})
	w.env["GITHUB_WORKSPACE"], w.env["GITHUB_REF"] = w.dir, "refs/pull/9/merge"
}

// A done is what a job left.
type done struct {
	status  int
	log     string
	outputs map[string]string
	summary string
	report  map[string]any
}

// run does one job.
func (w *world) run(inputs ...string) done {
	w.t.Helper()
	return w.runContext(w.t.Context(), inputs...)
}

func (w *world) runContext(ctx context.Context, inputs ...string) done {
	w.t.Helper()
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		if err := os.RemoveAll(w.env[name]); err != nil {
			w.t.Fatal(err)
		}
	}
	env := map[string]string{}
	for name, value := range w.env {
		env[name] = value
	}
	for _, pair := range inputs {
		name, value, _ := strings.Cut(pair, "=")
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = value
	}
	var environ []string
	for name, value := range env {
		environ = append(environ, name+"="+value)
	}
	program, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	var out bytes.Buffer
	d := done{}
	d.status = action.Run(ctx, action.Config{Getenv: func(name string) string { return env[name] }, Environ: environ, Out: &out, Program: program})
	d.log = out.String()
	d.outputs = parseOutputs(w.t, w.env["GITHUB_OUTPUT"])
	summary, err := os.ReadFile(w.env["GITHUB_STEP_SUMMARY"])
	if err != nil {
		w.t.Fatal(err)
	}
	d.summary = string(summary)
	data, err := os.ReadFile(d.outputs["report-path"])
	if err != nil {
		w.t.Fatal(err)
	}
	if err := json.Unmarshal(data, &d.report); err != nil {
		w.t.Fatal(err)
	}
	return d
}

// want fails the test unless the job ended with the status and said the operation.
func (d done) want(t *testing.T, status int, operation string) {
	t.Helper()
	if d.status != status || d.outputs["operation"] != operation {
		t.Fatalf("status %d, operation %q; want %d, %q\n%s", d.status, d.outputs["operation"], status, operation, d.log)
	}
}

// parseOutputs reads GITHUB_OUTPUT as the runner does: a name, a delimiter, lines up to the delimiter.
func parseOutputs(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		key, delimiter, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("line %d of the outputs is none: %q", i+1, lines[i])
		}
		if _, twice := outputs[key]; twice {
			t.Errorf("output %s is set twice", key)
		}
		var value []string
		for i++; i < len(lines) && lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		outputs[key] = strings.Join(value, "\n")
	}
	return outputs
}
