package agent_test

import (
	"testing"

	"github.com/wikiwright/wikiwright/generate/agent/agenttest"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

type (
	request = agenttest.Request
	args    = agenttest.Args
)

func view(r *llmtest.Request) request { return agenttest.View(r) }

func pageOf(r request) string { return r.Page() }

func claimsInPrompt(r request) []string { return r.Required() }

func toolCall(name string, a any) llmtest.Call { return agenttest.ToolCall(name, a) }

func call(name string, a any) llmtest.Step { return agenttest.Call(name, a) }

func serve(t testing.TB, script func(request) llmtest.Step) *llmtest.Server {
	t.Helper()
	return llmtest.ServeWith(t, func(r *llmtest.Request) llmtest.Step { return script(view(r)) }, llmtest.Settings{Key: testKey})
}

const testKey = "sk-test-key-0123456789"
