package action_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/generate/agent/agenttest"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

const modelKey = "sk-model-canary-0123456789abcdef"

const modelProse = "Numbers are kept in one place, and each of its callers can rely on what it promises. Nothing is remembered between two calls, so that calls may come " +
	"from several places at the same time. A number that does not fit is the business of the caller, who has to look before it asks for a sum. "

// modelWriter writes two pages about project.
func modelWriter() agenttest.Writer {
	return agenttest.Writer{Pages: []agenttest.Page{
		{Path: "quickstart.md", Title: "Start here", Seed: "main.go", Text: modelProse + "\n\nSee [the store](store.md).\n",
			Claims: []agenttest.Claim{{Statement: "The program prints `Sum` of two numbers.", Resource: "repo://main.go#L6"}}},
		{Path: "store.md", Title: "The store", Seed: "store/store.go", Text: modelProse + "\n\nSee [the way in](quickstart.md) and [`Sum`](../store/store.go#L7-L8).\n",
			Claims: []agenttest.Claim{{Statement: "`Sum` adds its arguments and never looks at `Limit`.", Resource: "repo://store/store.go#L4-L8"}}},
	}}
}

// modelWorld is a world with a model, and the inputs that name it.
func modelWorld(t *testing.T, writer agenttest.Writer) (*world, *llmtest.Server, []string) {
	t.Helper()
	server := llmtest.ServeWith(t, writer.Script, llmtest.Settings{Key: modelKey})
	return newWorld(t, githubtest.Options{}), server,
		[]string{"checkpoints=off", "provider=openai-compatible", "model=test-model", "model-key=" + modelKey, "model-base-url=" + server.URL + "/v1"}
}

// A model writes the wiki: what it used is told everywhere, its key nowhere, and the next run needs neither.
func TestRun_model(t *testing.T) {
	t.Parallel()
	w, server, inputs := modelWorld(t, modelWriter())
	d := w.run(inputs...)
	d.want(t, 0, "created")
	requests := server.Requests()
	if len(requests) != 8 || d.outputs["state"] != "complete" {
		t.Fatalf("%d requests, state %s\n%s", len(requests), d.outputs["state"], d.log)
	}
	for output, want := range map[string]string{"tokens-in": "8000", "tokens-out": "400", "cost-usd": "0"} {
		if d.outputs[output] != want {
			t.Errorf("output %s: %s, want %s", output, d.outputs[output], want)
		}
	}
	result := d.report["result"].(map[string]any)
	for name, usage := range map[string]any{"usage": result["usage"], "planUsage": result["planUsage"]} {
		want := map[string]float64{"usage": 8, "planUsage": 2}[name]
		if got := usage.(map[string]any)["requests"]; got != want {
			t.Errorf("%s: %v requests, want %v", name, got, want)
		}
	}
	for _, page := range result["pages"].([]any) {
		if got := page.(map[string]any)["usage"].(map[string]any)["inputTokens"]; got != 3000.0 {
			t.Errorf("page %v: %v", page, got)
		}
	}
	body := w.gh.Pull(1).Body
	for name, text := range map[string]string{"body": body, "summary": d.summary} {
		if !strings.Contains(text, "8,000") || !strings.Contains(text, "Cost of the model: unknown") || !strings.Contains(text, "The store") {
			t.Errorf("the %s does not tell what the model used:\n%s", name, text)
		}
	}
	if page, ok := w.gh.File("openwiki/update", "openwiki/store.md"); !ok || !strings.Contains(string(page), modelProse) {
		t.Errorf("the page: %s", page)
	}
	commits := gittest.New(t).Git("-C", w.gh.Bare, "log", "-p", "--format=fuller", "main..openwiki/update")
	for name, text := range map[string]string{"log": strings.ReplaceAll(d.log, "::add-mask::"+modelKey, ""), "summary": d.summary, "body": body, "commits": commits, "runner's files": readAll(t, w.temp), "wiki": readAll(t, filepath.Join(w.dir, "openwiki"))} {
		if strings.Contains(text, modelKey) {
			t.Errorf("the %s has the key of the model", name)
		}
	}
	for _, r := range requests {
		if token := w.env["INPUT_TOKEN"]; strings.Contains(string(r.Body), token) || strings.Contains(strings.Join(r.Header["Authorization"], ""), token) {
			t.Error("the model has seen the token of GitHub")
		}
	}

	w.gh.Merge(1, "squash")
	w.checkout()
	w.run("checkpoints=off").want(t, 0, "none")
	if n := len(server.Requests()); n != 8 {
		t.Errorf("%d requests after a run with nothing to do", n)
	}
}

// What a model could not do is told, and what it did is published as a draft; the next run does the rest.
func TestRun_modelPartial(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		inputs []string
		fault  bool
		want   string // in the text of the pull request
	}{
		{"a page that fails", nil, true, "did not submit the page"},
		{"a limit", []string{"max-requests=6"}, false, "the limit of 6 requests is reached"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			broken := true
			writer := modelWriter()
			writer.Fault = func(r agenttest.Request) (llmtest.Step, bool) {
				return llmtest.Say("I understand the task."), test.fault && broken && r.Page() == "/openwiki/store.md"
			}
			w, _, inputs := modelWorld(t, writer)
			d := w.run(append(inputs, test.inputs...)...)
			d.want(t, 0, "created")
			pull := w.gh.Pull(1)
			if d.outputs["state"] != "partial" || !pull.Draft || !strings.Contains(pull.Body, test.want) {
				t.Errorf("state %s, draft %v:\n%s", d.outputs["state"], pull.Draft, pull.Body)
			}
			broken = false
			w.checkout()
			d = w.run(inputs...)
			d.want(t, 0, "updated")
			if pull := w.gh.Pull(1); d.outputs["state"] != "complete" || pull.Draft || len(w.gh.Pulls()) != 1 {
				t.Errorf("state %s, draft %v", d.outputs["state"], pull.Draft)
			}
		})
	}
}

// A key that is missing is told before any work, with what to do.
func TestRun_modelWithoutKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	d := w.run("provider=anthropic")
	if d.status == 0 || !strings.Contains(d.log, "ANTHROPIC_API_KEY") {
		t.Errorf("status %d\n%s", d.status, d.log)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "openwiki")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}
