package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// Old results, and the pages in the arguments of old calls, are dropped when the conversation is above its budget; the newest stay whole, and
// every format takes what is left: the server refuses calls without results, and arguments that are no object.
func TestRun_Pruning(t *testing.T) {
	big := strings.Repeat("All work and no play makes a dull page. ", 100) // 4,000 bytes, some 1,000 tokens
	args := mustMarshal(t, map[string]string{"path": "core.md", "content": big})
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, func(r *llmtest.Request) llmtest.Step {
			if r.N == 11 {
				return submit()
			}
			s := llmtest.Do("write_file", args)
			s.Reasoning = "hm"
			return s
		})
		task := g.task()
		task.KeepTokens = 6000
		task.Tools[0].Call = func(context.Context, json.RawMessage) llm.ToolResult { return llm.ToolResult{Text: "result " + big} }
		report, err := g.model.Run(t.Context(), task)
		if err != nil || report.End != llm.EndDone {
			t.Fatalf("report %+v, error %v", report, err)
		}
		pruned := 0
		for _, e := range g.events {
			if e.Kind == llm.EventPruned {
				pruned++
			}
		}
		if pruned == 0 || pruned > 5 {
			t.Errorf("pruned %d times in 12 steps: not each time, so that the rest stays cached", pruned)
		}
		for _, r := range g.server.Requests() {
			checkPruned(t, r, big)
		}
	})
}

func checkPruned(t *testing.T, r *llmtest.Request, big string) {
	t.Helper()
	if len(r.Body) > 6000*4+4000 {
		t.Errorf("request %d has %d bytes", r.N, len(r.Body))
	}
	if r.System != "You write a page." || r.Messages[0].Text != "Write core.md." {
		t.Errorf("request %d lost its beginning", r.N)
	}
	calls, results := 0, 0
	for _, m := range r.Messages {
		calls, results = calls+len(m.Calls), results+len(m.Results)
		for _, call := range m.Calls {
			var args struct{ Path, Content string }
			if err := json.Unmarshal([]byte(call.Args), &args); err != nil || args.Path != "core.md" || args.Content != big && args.Content != "[dropped to save space]" {
				t.Errorf("request %d: arguments %.80s", r.N, call.Args)
			}
		}
	}
	if calls != r.N || results != r.N {
		t.Errorf("request %d: %d calls, %d results", r.N, calls, results)
	}
	if newest := r.Results(); r.N > 0 && (len(newest) != 1 && r.Format != llmtest.Chat || newest[len(newest)-1].Text != "result "+big) {
		t.Errorf("request %d: the newest result is %.80s", r.N, newest[len(newest)-1].Text)
	}
	if r.N > 0 {
		last := ""
		for _, m := range r.Messages {
			for _, call := range m.Calls {
				last = call.Args
			}
		}
		if !strings.Contains(last, "dull page") {
			t.Errorf("request %d: the newest call was dropped", r.N)
		}
	}
	if r.N == 11 && !strings.Contains(string(r.Body), "This result was dropped to save space") {
		t.Error("there is no note")
	}
}

func mustMarshal(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Where the context of the model is not known, the provider's refusal makes the conversation shorter, and the work goes on.
func TestRun_ContextTooLong(t *testing.T) {
	big := strings.Repeat("x", 8000)
	eachWay(t, func(t *testing.T, w way) {
		n := 0
		g := newRig(t, w, func(r *llmtest.Request) llmtest.Step {
			if len(r.Body) > 30_000 {
				return llmtest.Refuse(400, `{"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum","type":"invalid_request_error"}}`)
			}
			if n++; n > 8 {
				return submit()
			}
			return write()
		})
		task := g.task()
		task.Tools[0].Call = func(context.Context, json.RawMessage) llm.ToolResult { return llm.ToolResult{Text: big} }
		report, err := g.model.Run(t.Context(), task)
		if err != nil || report.End != llm.EndDone || report.Steps != 9 {
			t.Errorf("report %+v, error %v", report, err)
		}
	})
	// What cannot be made shorter ends the task.
	g := newRig(t, way{llmtest.Chat, llm.StreamOn}, func(*llmtest.Request) llmtest.Step {
		return llmtest.Refuse(413, `{"error":"too large"}`)
	})
	_, err := g.model.Run(t.Context(), g.task())
	if err == nil || !strings.Contains(err.Error(), "context too long (HTTP 413)") {
		t.Errorf("error %v", err)
	}
}

// Anthropic's cache is used: instructions, tools and the end of the conversation are marked, four marks at most.
func TestRun_CacheMarks(t *testing.T) {
	g := newRig(t, way{llmtest.Messages, llm.StreamOn}, llmtest.Steps(write(), write(), write(), submit()))
	g.run(t)
	for _, r := range g.server.Requests() {
		n := strings.Count(string(r.Body), `"cache_control"`)
		if n < 3 || n > 4 {
			t.Errorf("request %d has %d marks", r.N, n)
		}
		for _, key := range []string{"system", "tools", "messages"} {
			if !strings.Contains(string(r.Keys()[key]), `"cache_control"`) {
				t.Errorf("request %d: %s has no mark: %s", r.N, key, r.Keys()[key])
			}
		}
	}
}

// What is sent again is the same, byte for byte, so that caches hold: a request begins with the one before it.
func TestRun_StablePrefix(t *testing.T) {
	for _, format := range []llmtest.Format{llmtest.Chat, llmtest.Responses, llmtest.Gemini} {
		g := newRig(t, way{format, llm.StreamOn}, llmtest.Steps(write(), llmtest.Do("write_file", `{"z":1}`), write(), submit()))
		g.run(t)
		key := map[llmtest.Format]string{llmtest.Chat: "messages", llmtest.Responses: "input", llmtest.Gemini: "contents"}[format]
		before := ""
		for _, r := range g.server.Requests() {
			now := string(r.Keys()[key])
			if !strings.HasPrefix(now, strings.TrimSuffix(before, "]")) {
				t.Errorf("%s: request %d changes what was sent:\n%s\n%s", format, r.N, before, now)
			}
			before = now
			if fmt.Sprint(r.Tools) != "[write_file submit_page]" {
				t.Errorf("tools %v", r.Tools)
			}
		}
	}
}
