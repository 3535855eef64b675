package llm_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// V03: gateways that can only stream, or cannot, show it in different ways. The way that works is found once, and kept.
func TestRun_OtherWay(t *testing.T) {
	for _, test := range []struct {
		name string
		step llmtest.Step
	}{
		{"an empty reply", llmtest.Step{}},
		{"no body", llmtest.Fail(llmtest.NoBody)},
		{"an error that says so", llmtest.Refuse(400, `{"error":{"message":"Stream must be set to true"}}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, format := range llmtest.Formats() {
				for _, works := range []bool{true, false} {
					done := 0
					g := newRig(t, way{format, llm.StreamAuto}, func(r *llmtest.Request) llmtest.Step {
						if r.Stream != works {
							return test.step
						}
						if done++; done%2 == 1 {
							return write()
						}
						return submit()
					})
					for range 2 {
						if report := g.run(t); report.End != llm.EndDone {
							t.Errorf("%s: report %+v", format, report)
						}
					}
					wrong := 0
					for _, r := range g.server.Requests() {
						if r.Stream != works {
							wrong++
						}
					}
					if wrong > 1 || len(g.wrote) != 2 || len(g.slept) != 0 {
						t.Errorf("%s works %v: asked %d times the wrong way, wrote %d, slept %v", format, works, wrong, len(g.wrote), g.slept)
					}
				}
			}
		})
	}
}

// A configured way is never left.
func TestRun_FixedWay(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, func(*llmtest.Request) llmtest.Step { return llmtest.Step{} })
		_, err := g.model.Run(t.Context(), g.task())
		var e *llm.Error
		if !errors.As(err, &e) || e.Class != llm.ClassEmpty {
			t.Errorf("error %v", err)
		}
		for _, r := range g.server.Requests() {
			if r.Stream != (w.stream == llm.StreamOn) {
				t.Error("the way was changed")
			}
		}
	})
}

// When both ways bring nothing, the usual one is kept.
func TestRun_EmptyBothWays(t *testing.T) {
	g := newRig(t, way{llmtest.Messages, llm.StreamAuto}, llmtest.Steps(llmtest.Step{}, llmtest.Step{}, write(), submit()))
	g.run(t)
	var streams []bool
	for _, r := range g.server.Requests() {
		streams = append(streams, r.Stream)
	}
	if diff := cmp.Diff([]bool{true, false, true, true}, streams); diff != "" {
		t.Errorf("streams: %s", diff)
	}
}

// A gateway may ignore what was asked for, and answer whole.
func TestRun_WholeAnswerToAStream(t *testing.T) {
	whole := `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"hi"}}]}`
	g := newRig(t, way{llmtest.Responses, llm.StreamAuto}, func(r *llmtest.Request) llmtest.Step {
		if r.Stream {
			return llmtest.Refuse(200, whole)
		}
		return submit()
	})
	if report := g.run(t); report.End != llm.EndDone || len(g.server.Requests()) != 2 {
		t.Errorf("report %+v after %d requests", report, len(g.server.Requests()))
	}
}

// An answer in the other form than was asked for is read all the same.
func TestRun_OtherForm(t *testing.T) {
	call := `{"index":0,"FIELD":{"role":"assistant","tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"submit_page","arguments":"{}"}}]},"finish_reason":"tool_calls"}`
	whole := llmtest.Refuse(200, `{"choices":[`+strings.Replace(call, "FIELD", "message", 1)+`]}`)
	stream := llmtest.Refuse(200, ": ping\n\ndata: {\"choices\":["+strings.Replace(call, "FIELD", "delta", 1)+"]}\n\ndata: [DONE]\n\n", "Content-Type", "text/event-stream")
	for mode, step := range map[llm.StreamMode]llmtest.Step{llm.StreamOn: whole, llm.StreamOff: stream} {
		g := newRig(t, way{llmtest.Chat, mode}, llmtest.Steps(step))
		if report := g.run(t); report.End != llm.EndDone || report.Steps != 1 {
			t.Errorf("stream %s: report %+v", mode, report)
		}
	}
}

// V07: streams as gateways write them. Two calls in one reply stay two, in their order, with their own arguments.
func TestRun_StreamQuirks(t *testing.T) {
	second := `{"content":"Zweite Seite – größer, 漢字","path":"b.md"}`
	for _, quirks := range [][]llmtest.Quirk{
		nil,
		{llmtest.FirstBrace},
		{llmtest.Interleaved},
		{llmtest.NoIndex},
		{llmtest.NoIndex, llmtest.Interleaved},
		{llmtest.SameIndex},
		{llmtest.NoRole},
		{llmtest.NoDone},
		{llmtest.Pings},
		{llmtest.CRLF},
		{llmtest.SplitRunes},
		{llmtest.UsageFirst},
		{llmtest.FirstBrace, llmtest.Interleaved, llmtest.NoDone, llmtest.Pings, llmtest.CRLF, llmtest.SplitRunes},
	} {
		name := "plain"
		for _, q := range quirks {
			name += "+" + string(q)
		}
		t.Run(name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				two := llmtest.Step{Text: "Ich schreibe: 世界", Calls: []llmtest.Call{{Name: "write_file", Args: page}, {Name: "write_file", Args: second}}, Quirks: quirks}
				g := newRig(t, w, llmtest.Steps(two, submit()))
				report := g.run(t)
				if diff := cmp.Diff([]string{page, second}, g.wrote); diff != "" {
					t.Errorf("written: %s", diff)
				}
				if report.LastText != two.Text || report.Usage.InputTokens != 200 || report.Usage.OutputTokens != 20 {
					t.Errorf("report %+v", report)
				}
				results := g.server.Requests()[1].Results()
				if len(results) != 2 || results[0].Text != "written 1" || results[1].Text != "written 2" {
					t.Errorf("results are not in the order of the calls: %+v", results)
				}
			})
		})
	}
}

// A stream can end in an error of any class.
func TestRun_ErrorInStream(t *testing.T) {
	for _, test := range []struct {
		body  string
		class llm.Class
	}{
		{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.ClassOverloaded},
		{`{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}`, llm.ClassRateLimit},
		{`{"type":"error","error":{"code":429,"message":"slow"}}`, llm.ClassRateLimit},
		{`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 5 maximum"}}`, llm.ClassContextTooLong},
	} {
		eachWay(t, func(t *testing.T, w way) {
			if w.stream == llm.StreamOff {
				return
			}
			s := write()
			s.Fault = llmtest.Fault{Kind: llmtest.StreamError, Body: test.body}
			g := newRig(t, w, llmtest.Steps(s, s), func(c *llm.Config) { c.Attempts = 2 })
			_, err := g.model.Run(t.Context(), g.task())
			var e *llm.Error
			if test.class == llm.ClassContextTooLong {
				g.server.Requests() // one request: it is not repeated
			}
			if !errors.As(err, &e) || e.Class != test.class || len(g.wrote) != 0 {
				t.Errorf("%s: %v", test.body, err)
			}
		})
	}
}

// V15: the waits are separate, so that a slow model is not a dead one.
func TestRun_Waits(t *testing.T) {
	const short = 60 * time.Millisecond
	stall := write()
	stall.Fault.Kind = llmtest.Stall
	for _, test := range []struct {
		name   string
		step   llmtest.Step
		change func(*llm.Config)
		code   string // "" succeeds
	}{
		{"never an answer", llmtest.Fail(llmtest.Silence), func(c *llm.Config) { c.FirstByteTimeout = short }, "timeout_first_byte"},
		{"an answer that stops", stall, func(c *llm.Config) { c.IdleTimeout = short }, "timeout_idle"},
		{"slow but alive", func() llmtest.Step {
			s := write()
			s.Fault = llmtest.Fault{Kind: llmtest.Trickle, Pause: short / 3, Count: 6}
			return s
		}(), func(c *llm.Config) { c.IdleTimeout, c.FirstByteTimeout = 2*time.Second, 2*time.Second }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				g := newRig(t, w, llmtest.Steps(test.step, submit()), test.change, func(c *llm.Config) { c.Attempts = 1 })
				_, err := g.model.Run(t.Context(), g.task())
				var e *llm.Error
				switch {
				case test.code == "" && err != nil:
					t.Errorf("error %v", err)
				case test.code != "" && (!errors.As(err, &e) || e.Code() != test.code):
					t.Errorf("error %v (%+v), want code %s", err, e, test.code)
				case test.code != "" && !strings.Contains(err.Error(), "attempt 1 of 1"):
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

// The end of the context is the caller's own, and comes at once.
func TestRun_Cancelled(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, func(*llmtest.Request) llmtest.Step { return llmtest.Fail(llmtest.Silence) })
		ctx, cancel := contextWithCause(t)
		time.AfterFunc(30*time.Millisecond, func() { cancel(errStopped) })
		_, err := g.model.Run(ctx, g.task())
		if !errors.Is(err, errStopped) {
			t.Errorf("error %v", err)
		}
	})
}
