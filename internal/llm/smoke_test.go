package llm_test

import (
	"os"
	"testing"

	"github.com/wikiwright/wikiwright/internal/llm"
)

// TestSmoke asks the real provider that the environment configures for one small piece of work. It spends money, and runs only when asked to:
// WIKIWRIGHT_SMOKE=1 beside the variables of docs/models.md.
func TestSmoke(t *testing.T) {
	if os.Getenv("WIKIWRIGHT_SMOKE") == "" {
		t.Skip("WIKIWRIGHT_SMOKE is not set: no provider is asked")
	}
	for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
		c, err := llm.Resolve(os.Getenv, llm.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		c.Stream = stream
		m, err := llm.Open(t.Context(), c, llm.Options{UserAgent: "wikiwright/smoke"})
		if err != nil {
			t.Fatal(err)
		}
		g := &rig{model: m}
		task := g.task()
		task.Prompt = "Call write_file once, with the path core.md and the content # Core, then call submit_page."
		task.MaxSteps, task.Budget = 6, llm.NewBudget(llm.Limits{Requests: 10}, nil)
		report, err := m.Run(t.Context(), task)
		if err != nil {
			t.Fatalf("stream %s: %v", stream, err)
		}
		if report.End != llm.EndDone || len(g.wrote) == 0 || report.Usage.InputTokens == 0 || report.Usage.OutputTokens == 0 {
			t.Errorf("stream %s: %+v, wrote %q", stream, report, g.wrote)
		}
	}
}
