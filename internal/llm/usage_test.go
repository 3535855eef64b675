package llm_test

import (
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// Input is all input for every provider, whether its API counts what came from the cache or not; the price is that of each part.
func TestRun_UsageAndPrice(t *testing.T) {
	used := llm.Usage{InputTokens: 1_000_000, CachedInputTokens: 600_000, OutputTokens: 10_000, ReasoningTokens: 4_000}
	for _, test := range []struct {
		name, model string
		format      llmtest.Format
		written     int64
		baseURL     string // to know the catalogue by
		want        float64
	}{
		// in 1, out 5, read 0.1, written 1.25: (0.2 + 0.06 + 0.25 + 0.05) USD. The alias stands for the dated id of the catalogue.
		{"anthropic", "claude-haiku-4-5", llmtest.Messages, 200_000, "", 0.56},
		// in 2, out 12, read 0.2: 0.8 + 0.12 + 0.12
		{"openai", "gpt-5.6-terra", llmtest.Responses, 0, "", 1.04},
		// in 2.5, out 10, read 1.25: 1 + 0.75 + 0.1
		{"openai of another time", "gpt-4o", llmtest.Responses, 0, "", 1.85},
		// in 1.5, out 7.5, read 0.15: 0.6 + 0.09 + 0.075
		{"gemini", "gemini-3.6-flash", llmtest.Gemini, 0, "", 0.765},
		// in 0.3, out 2.5; of 0.03 and 2.5 only the first can be a price for reading: 0.12 + 0.018 + 0.025
		{"gemini with the prices of output as cached", "gemini-3.5-flash-lite", llmtest.Gemini, 0, "", 0.163},
		// in 0.435, out 0.87, read 0.003625: 0.174 + 0.002175 + 0.0087
		{"deepseek", "deepseek-v4-pro", llmtest.Chat, 0, "https://api.deepseek.com/v1", 0.184875},
	} {
		for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
			t.Run(test.name+" stream "+string(stream), func(t *testing.T) {
				step := submit()
				usage := used
				usage.CacheWriteTokens = test.written
				step.Usage = &usage
				server := llmtest.Serve(t, llmtest.Steps(step))
				c := server.ConfigFor(test.format)
				c.Stream, c.Model = stream, test.model
				options := llm.Options{}
				if test.baseURL != "" {
					options.Transport = &detour{to: mustURL(t, server.URL)}
					c.BaseURL = test.baseURL
				}
				m, err := llm.Open(t.Context(), c, options)
				if err != nil {
					t.Fatal(err)
				}
				g := &rig{server: server, model: m}
				want := usage
				want.Requests, want.CostUSD, want.Priced = 1, test.want, true
				if test.format == llmtest.Messages {
					want.ReasoningTokens = 0
				}
				if diff := cmp.Diff(want, g.run(t).Usage, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// Requests that fail count, too, also with what a broken answer has reported; unknown models have no price.
func TestRun_UsageOfFailures(t *testing.T) {
	broken := write()
	broken.Fault = llmtest.Fault{Kind: llmtest.StreamError, Body: `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`}
	g := newRig(t, way{llmtest.Messages, llm.StreamOn}, llmtest.Steps(llmtest.Refuse(500, ``), broken, submit()), func(c *llm.Config) { c.Model = "claude-haiku-4-5" })
	task := g.task()
	task.Budget = llm.NewBudget(llm.Limits{}, nil)
	report, err := g.model.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if report.Usage.Requests != 3 || report.Usage.InputTokens != 200 || !report.Usage.Priced {
		t.Errorf("usage %+v", report.Usage)
	}
	if diff := cmp.Diff(report.Usage, task.Budget.Used()); diff != "" {
		t.Errorf("the budget counts differently: %s", diff)
	}
	g = newRig(t, way{llmtest.Messages, llm.StreamOn}, llmtest.Steps(submit()), func(c *llm.Config) { c.Model = "claude-of-tomorrow" })
	if usage := g.run(t).Usage; usage.Priced || usage.CostUSD != 0 {
		t.Errorf("usage %+v", usage)
	}
}

// Anthropic's own default would be 4,096 tokens, too few for a page: there always is a limit, and without a stream one that its client takes.
func TestRun_MaxOutput(t *testing.T) {
	for _, test := range []struct {
		model      string
		configured int64
		stream     llm.StreamMode
		want       int64
	}{
		{"claude-of-tomorrow", 0, llm.StreamOn, 16_384},
		{"claude-opus-5", 0, llm.StreamOn, 32_000},
		{"claude-opus-5", 0, llm.StreamOff, 21_000},
		{"claude-opus-5", 64_000, llm.StreamOn, 64_000},
		{"claude-opus-5", 1000, llm.StreamOff, 1000},
	} {
		g := newRig(t, way{llmtest.Messages, test.stream}, llmtest.Steps(submit()), func(c *llm.Config) { c.Model, c.MaxOutputTokens = test.model, test.configured })
		g.run(t)
		if got := g.server.Requests()[0].MaxOutputTokens; got != test.want {
			t.Errorf("%s, configured %d, stream %s: %d", test.model, test.configured, test.stream, got)
		}
	}
}

// Eight workers share a budget. The number of requests is exact; what is under way is counted in.
func TestBudget_Shared(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits llm.Limits
		most   int
	}{
		{"requests", llm.Limits{Requests: 50}, 50},
		{"input", llm.Limits{InputTokens: 3000}, 37}, // 100 a request, and at most 7 more that began before the first one had ended
		{"output", llm.Limits{OutputTokens: 300}, 37},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := llmtest.Serve(t, func(*llmtest.Request) llmtest.Step { return write() })
			m, err := llm.Open(t.Context(), server.Config(), llm.Options{})
			if err != nil {
				t.Fatal(err)
			}
			budget := llm.NewBudget(test.limits, nil)
			var workers sync.WaitGroup
			for range 8 {
				workers.Go(func() {
					g := &rig{server: server, model: m}
					task := g.task()
					task.Budget, task.MaxSteps = budget, 1000
					_, err := m.Run(t.Context(), task)
					var e *llm.Error
					if !errors.As(err, &e) || e.Class != llm.ClassBudget || !e.EndsRun() {
						t.Errorf("error %v", err)
					}
				})
			}
			workers.Wait()
			sent, used := len(server.Requests()), budget.Used()
			if sent != used.Requests || sent > test.most || sent < test.most-8 {
				t.Errorf("%d requests, the budget counts %d, at most %d", sent, used.Requests, test.most)
			}
		})
	}
}

// The last request that would pass a limit of money is not sent.
func TestBudget_Money(t *testing.T) {
	used := llm.Usage{InputTokens: 100_000, OutputTokens: 0} // 0.1 USD at claude-haiku-4-5
	g := newRig(t, way{llmtest.Messages, llm.StreamOn}, func(*llmtest.Request) llmtest.Step {
		s := write()
		s.Usage = &used
		return s
	}, func(c *llm.Config) { c.Model = "claude-haiku-4-5" })
	task := g.task()
	task.Budget = llm.NewBudget(llm.Limits{CostUSD: 0.55}, func() time.Time { return noon })
	report, err := g.model.Run(t.Context(), task)
	var e *llm.Error
	if !errors.As(err, &e) || e.Class != llm.ClassBudget || len(g.server.Requests()) != 5 || math.Abs(report.Usage.CostUSD-0.5) > 1e-9 {
		t.Errorf("error %v, %d requests, usage %+v", err, len(g.server.Requests()), report.Usage)
	}
}
