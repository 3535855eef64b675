package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// way is one of the eight ways in which a model is asked: a format, streamed or whole.
type way struct {
	format llmtest.Format
	stream llm.StreamMode
}

func (w way) String() string { return fmt.Sprintf("%s stream %s", w.format, w.stream) }

// eachWay plays a test in every way: the outcome must not depend on it.
func eachWay(t *testing.T, f func(t *testing.T, w way)) {
	for _, format := range llmtest.Formats() {
		for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
			w := way{format, stream}
			t.Run(w.String(), func(t *testing.T) { f(t, w) })
		}
	}
}

// rig is a model at a scripted server, with a clock that does not wait and two tools.
type rig struct {
	server *llmtest.Server
	model  *llm.Model
	slept  []time.Duration
	events []llm.Event
	// wrote are the arguments of the calls of write_file, in order.
	wrote []string
}

func newRig(t *testing.T, w way, script llmtest.Script, change ...func(*llm.Config)) *rig {
	t.Helper()
	return newRigWith(t, w, script, llmtest.Settings{}, change...)
}

func newRigWith(t *testing.T, w way, script llmtest.Script, settings llmtest.Settings, change ...func(*llm.Config)) *rig {
	t.Helper()
	g := &rig{server: llmtest.ServeWith(t, script, settings)}
	c := g.server.ConfigFor(w.format)
	c.Stream = w.stream
	for _, f := range change {
		f(&c)
	}
	m, err := llm.Open(t.Context(), c, llm.Options{
		Now:    func() time.Time { return noon },
		Sleep:  func(_ context.Context, d time.Duration) error { g.slept = append(g.slept, d); return nil },
		Random: func() float64 { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	g.model = m
	return g
}

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func (g *rig) task() llm.Task {
	return llm.Task{
		Name: "core.md", System: "You write a page.", Prompt: "Write core.md.",
		Tools: []llm.Tool{
			{
				Name: "write_file", Description: "writes a file",
				Schema: json.RawMessage(`{"type":"object","required":["path","content"],"properties":{"path":{"type":"string"},"content":{"type":"string"}},"additionalProperties":false}`),
				Call: func(_ context.Context, args json.RawMessage) llm.ToolResult {
					g.wrote = append(g.wrote, canonical(args))
					return llm.ToolResult{Text: fmt.Sprintf("written %d", len(g.wrote))}
				},
			},
			{
				Name: "submit_page", Description: "hands the page in", Schema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`),
				Call: func(context.Context, json.RawMessage) llm.ToolResult { return llm.ToolResult{Text: "ok", Done: true} },
			},
		},
		Observe: func(e llm.Event) { g.events = append(g.events, e) },
	}
}

// canonical drops the white space and the order of keys, which differ by format.
func canonical(args json.RawMessage) string {
	var v any
	if err := json.Unmarshal(args, &v); err != nil {
		return "invalid: " + string(args)
	}
	data, _ := json.Marshal(v)
	return string(data)
}

func (g *rig) run(t *testing.T) *llm.Report {
	t.Helper()
	report, err := g.model.Run(t.Context(), g.task())
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return report
}

const page = `{"content":"# Core\n\nGrüße, 世界 ✓","path":"core.md"}`

func write() llmtest.Step  { return llmtest.Do("write_file", page) }
func submit() llmtest.Step { return llmtest.Do("submit_page", `{}`) }

func TestRun_EveryFormat(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		first := write()
		first.Text, first.Reasoning = "I write the page.", "Let me think."
		first.Usage = &llm.Usage{InputTokens: 1000, CachedInputTokens: 600, OutputTokens: 50, ReasoningTokens: 20}
		g := newRig(t, w, llmtest.Steps(first, submit()))
		report := g.run(t)
		if diff := cmp.Diff([]string{page}, g.wrote); diff != "" {
			t.Errorf("written: %s", diff)
		}
		if report.End != llm.EndDone || report.Steps != 2 || report.LastText != "I write the page." {
			t.Errorf("report %+v", report)
		}
		want := llm.Usage{Requests: 2, InputTokens: 1100, CachedInputTokens: 600, OutputTokens: 60, ReasoningTokens: 20}
		if w.format == llmtest.Messages {
			want.ReasoningTokens = 0 // not reported by the API
		}
		if diff := cmp.Diff(want, report.Usage); diff != "" {
			t.Errorf("usage: %s", diff)
		}
		requests := g.server.Requests()
		if len(requests) != 2 {
			t.Fatalf("%d requests", len(requests))
		}
		for _, r := range requests {
			if r.Stream != (w.stream == llm.StreamOn) || r.System != "You write a page." || r.MaxOutputTokens != 16_384 || r.Model != "test-model" {
				t.Errorf("request %d: stream %v, system %q, max %d, model %q", r.N, r.Stream, r.System, r.MaxOutputTokens, r.Model)
			}
			if diff := cmp.Diff([]string{"write_file", "submit_page"}, r.Tools); diff != "" {
				t.Errorf("tools: %s", diff)
			}
		}
		results := requests[1].Results()
		if len(results) != 1 || results[0].Text != "written 1" {
			t.Errorf("results %+v", results)
		}
		var kinds []string
		for _, e := range g.events {
			kinds = append(kinds, e.Kind+" "+e.Tool)
		}
		if got := strings.Join(kinds, ","); got != "step ,tool write_file,step ,tool submit_page" {
			t.Errorf("events %s", got)
		}
	})
}

var errStopped = errors.New("stopped by the test")

func contextWithCause(t *testing.T) (context.Context, context.CancelCauseFunc) {
	t.Helper()
	return context.WithCancelCause(t.Context())
}

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
