package llm_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

const busy = `{"error":{"message":"slow down","type":"rate_limit_error","code":429}}`

// TestRun_Retries plays every refusal that is worth repeating, in every way: the page is written all the same.
func TestRun_Retries(t *testing.T) {
	epochMillis := fmt.Sprint(noon.Add(17 * time.Second).UnixMilli())
	for _, test := range []struct {
		name  string
		steps []llmtest.Step
		want  []time.Duration
	}{
		{"429 three times without a header", []llmtest.Step{llmtest.Refuse(429, busy), llmtest.Refuse(429, busy), llmtest.Refuse(429, busy)}, seconds(1, 2, 4)},
		{"Retry-After in seconds", []llmtest.Step{llmtest.Refuse(429, busy, "Retry-After", "7")}, seconds(7)},
		{"Retry-After in parts of a second", []llmtest.Step{llmtest.Refuse(429, busy, "Retry-After", "1.5")}, []time.Duration{1500 * time.Millisecond}},
		{"Retry-After above a minute", []llmtest.Step{llmtest.Refuse(429, busy, "Retry-After", "90")}, seconds(90)},
		{"Retry-After as a date", []llmtest.Step{llmtest.Refuse(429, busy, "Retry-After", "Tue, 01 Dec 2026 12:00:25 GMT")}, seconds(25)},
		{"retry-after-ms", []llmtest.Step{llmtest.Refuse(429, busy, "Retry-After-Ms", "1234", "Retry-After", "9")}, []time.Duration{1234 * time.Millisecond}},
		{"reset as epoch in ms", []llmtest.Step{llmtest.Refuse(429, busy, "X-RateLimit-Reset", epochMillis)}, seconds(17)},
		{"reset as epoch in s", []llmtest.Step{llmtest.Refuse(429, busy, "X-RateLimit-Reset", fmt.Sprint(noon.Add(40*time.Second).Unix()))}, seconds(40)},
		{"reset of the limit that is used up", []llmtest.Step{llmtest.Refuse(429, busy,
			"X-RateLimit-Reset-Requests", "50ms", "X-RateLimit-Remaining-Requests", "12", "X-RateLimit-Reset-Tokens", "1m6s", "X-RateLimit-Remaining-Tokens", "0")}, seconds(66)},
		{"Anthropic's reset", []llmtest.Step{llmtest.Refuse(429, busy, "Anthropic-RateLimit-Input-Tokens-Reset", "2026-12-01T12:00:11Z")}, seconds(11)},
		{"reset in the body", []llmtest.Step{llmtest.Refuse(429, `{"error":{"message":"x","code":429,"metadata":{"headers":{"X-RateLimit-Reset":`+epochMillis+`}}}}`)}, seconds(17)},
		{"Google's RetryInfo", []llmtest.Step{llmtest.Refuse(429, `{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}`)}, []time.Duration{34500 * time.Millisecond}},
		{"Google's RetryInfo in a list", []llmtest.Step{llmtest.Refuse(429, `[{"error":{"code":429,"message":"quota","details":[{"retryDelay":"3s"}]}}]`)}, seconds(3)},
		{"reset of a limit on another error", []llmtest.Step{llmtest.Refuse(500, `{}`, "X-RateLimit-Reset-Requests", "6m0s")}, seconds(1)},
		{"408", []llmtest.Step{llmtest.Refuse(408, ``)}, seconds(1)},
		{"409", []llmtest.Step{llmtest.Refuse(409, `{"error":"conflict"}`)}, seconds(1)},
		{"425", []llmtest.Step{llmtest.Refuse(425, `too early`)}, seconds(1)},
		{"500, 502, 503, 529", []llmtest.Step{llmtest.Refuse(500, `{}`), llmtest.Refuse(502, `<html>`, "Content-Type", "text/html"), llmtest.Refuse(503, ``), llmtest.Refuse(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)}, seconds(1, 2, 4, 8)},
		{"404 of OpenRouter's upstream", []llmtest.Step{llmtest.Refuse(404, `{"error":{"message":"Provider returned error","code":404,"metadata":{"raw":"","provider_name":"x"}}}`)}, seconds(1)},
		{"reset connection", []llmtest.Step{llmtest.Fail(llmtest.Reset)}, seconds(1)},
		{"200 with an error", []llmtest.Step{{Fault: llmtest.Fault{Kind: llmtest.HiddenError, Body: `{"error":{"message":"upstream failed","code":502}}`}}}, seconds(1)},
		{"200 with a rate limit", []llmtest.Step{{Fault: llmtest.Fault{Kind: llmtest.HiddenError, Body: `{"error":{"message":"later","code":"429"}}`}}}, seconds(1)},
		{"bad JSON", []llmtest.Step{llmtest.Fail(llmtest.BadJSON)}, seconds(1)},
		{"cut in the middle", []llmtest.Step{cut(), cut()}, seconds(1, 2)},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				steps := append(append([]llmtest.Step{}, test.steps...), write(), submit())
				g := newRig(t, w, llmtest.Steps(steps...))
				report := g.run(t)
				if diff := cmp.Diff(test.want, g.slept); diff != "" {
					t.Errorf("waits: %s", diff)
				}
				if report.End != llm.EndDone || len(g.wrote) != 1 || report.Usage.Requests != len(steps) {
					t.Errorf("report %+v, wrote %d", report, len(g.wrote))
				}
				retries := 0
				for _, e := range g.events {
					if e.Kind == llm.EventRetry {
						retries++
					}
				}
				if retries != len(test.steps) {
					t.Errorf("%d events of retries", retries)
				}
			})
		})
	}
}

func seconds(list ...int) []time.Duration {
	var out []time.Duration
	for _, n := range list {
		out = append(out, time.Duration(n)*time.Second)
	}
	return out
}

func cut() llmtest.Step {
	s := write()
	s.Fault.Kind = llmtest.Cut
	return s
}

// TestRun_RetryAfterEachTime: a library that looks at headers in the order of a map obeys one time in three.
func TestRun_RetryAfterEachTime(t *testing.T) {
	for _, format := range llmtest.Formats() {
		t.Run(string(format), func(t *testing.T) {
			const tries = 300
			g := newRig(t, way{format, llm.StreamOff}, func(r *llmtest.Request) llmtest.Step {
				if r.N%2 == 0 {
					return llmtest.Refuse(429, busy, "Retry-After", "13", "X-RateLimit-Limit", "9", "Date", "Tue, 01 Dec 2026 12:00:00 GMT", "X-Request-Id", "r")
				}
				return submit()
			})
			for range tries {
				g.run(t)
			}
			if len(g.slept) != tries {
				t.Fatalf("%d waits", len(g.slept))
			}
			for i, d := range g.slept {
				if d != 13*time.Second {
					t.Fatalf("wait %d was %v", i, d)
				}
			}
		})
	}
}

// TestRun_GivesUp: every refusal that is not worth repeating, and every limit of repeating.
func TestRun_GivesUp(t *testing.T) {
	always := func(s llmtest.Step) llmtest.Script { return func(*llmtest.Request) llmtest.Step { return s } }
	for _, test := range []struct {
		name     string
		script   llmtest.Script
		change   func(*llm.Config)
		class    llm.Class
		status   int
		requests int
	}{
		{"429 for ever", always(llmtest.Refuse(429, busy)), nil, llm.ClassRateLimit, 429, 6},
		{"one attempt", always(llmtest.Refuse(429, busy)), func(c *llm.Config) { c.Attempts = 1 }, llm.ClassRateLimit, 429, 1},
		{"later than the budget of waits", always(llmtest.Refuse(429, busy, "Retry-After", "3600")), nil, llm.ClassRateLimit, 429, 1},
		{"401", always(llmtest.Refuse(401, `{"error":{"message":"no","type":"authentication_error"}}`)), nil, llm.ClassAuth, 401, 1},
		{"403", always(llmtest.Refuse(403, `{"error":{"message":"no"}}`)), nil, llm.ClassAuth, 403, 1},
		{"402", always(llmtest.Refuse(402, `{"error":{"message":"This request requires more credits"}}`)), nil, llm.ClassQuota, 402, 1},
		{"429 without credit", always(llmtest.Refuse(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`)), nil, llm.ClassQuota, 429, 1},
		{"400", always(llmtest.Refuse(400, `{"error":{"message":"unknown field"}}`)), nil, llm.ClassInvalidRequest, 400, 1},
		{"404", always(llmtest.Refuse(404, `{"error":{"message":"no such model"}}`)), nil, llm.ClassInvalidRequest, 404, 1},
		{"redirect", always(llmtest.Refuse(307, ``, "Location", "http://127.0.0.1:1/")), nil, llm.ClassInvalidRequest, 307, 1},
		{"content filter", always(llmtest.Refuse(400, `{"error":{"message":"content management policy","code":"content_filter"}}`)), nil, llm.ClassContentFilter, 400, 1},
		{"stopped by a filter", always(llmtest.Step{Finish: llmtest.Filtered}), nil, llm.ClassContentFilter, 0, 1},
		{"empty for ever", always(llmtest.Step{}), nil, llm.ClassEmpty, 0, 3},
		{"cut for ever", always(cut()), nil, llm.ClassNetwork, 0, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				change := test.change
				if change == nil {
					change = func(*llm.Config) {}
				}
				g := newRig(t, w, test.script, change)
				report, err := g.model.Run(t.Context(), g.task())
				var e *llm.Error
				if !errors.As(err, &e) {
					t.Fatalf("error %v", err)
				}
				if e.Class != test.class || e.Status != test.status || len(g.server.Requests()) != test.requests || report.Usage.Requests != test.requests {
					t.Errorf("class %s, status %d, %d requests (%+v): %v", e.Class, e.Status, len(g.server.Requests()), report.Usage, err)
				}
				if e.Hint == "" {
					t.Error("no hint")
				}
			})
		})
	}
}
