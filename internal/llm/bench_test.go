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

// BenchmarkRun measures what a request costs beside the model: a conversation of 20 steps, each with a result of 8 kB, at a server that
// answers at once and in the same process, whose time is in the figures.
func BenchmarkRun(b *testing.B) {
	const steps = 20
	result := strings.Repeat("func f(x int) int { return x }\n", 260)
	for _, format := range llmtest.Formats() {
		for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
			b.Run(fmt.Sprintf("%s/stream-%s", format, stream), func(b *testing.B) {
				server := llmtest.Serve(b, func(r *llmtest.Request) llmtest.Step {
					if len(r.Messages) >= 2*steps-1 {
						return submit()
					}
					return write()
				})
				c := server.ConfigFor(format)
				c.Stream = stream
				m, err := llm.Open(b.Context(), c, llm.Options{})
				if err != nil {
					b.Fatal(err)
				}
				g := &rig{server: server, model: m}
				task := g.task()
				task.Observe = nil
				task.Tools[0].Call = func(context.Context, json.RawMessage) llm.ToolResult { return llm.ToolResult{Text: result} }
				b.ReportAllocs()
				for b.Loop() {
					report, err := m.Run(b.Context(), task)
					if err != nil || report.Steps != steps {
						b.Fatalf("report %+v, error %v", report, err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*steps), "µs/request")
			})
		}
	}
}

// BenchmarkOpen measures making a model ready, most of which is the catalogue of prices.
func BenchmarkOpen(b *testing.B) {
	c := llm.Config{Provider: "anthropic", Model: "claude-haiku-4-5", Key: "sk-test-key"}
	for b.Loop() {
		if _, err := llm.Open(b.Context(), c, llm.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
