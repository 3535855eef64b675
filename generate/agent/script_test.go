package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// request is what a scripted model decides by.
type request struct {
	First string // the assignment
	Last  string // the last results of tools, or what the user said last
	Turns int    // replies before this one
	Tools []string
}

func view(r *llmtest.Request) request {
	v := request{Tools: r.Tools}
	for _, m := range r.Messages {
		switch m.Role {
		case "assistant":
			v.Turns++
			continue
		case "user":
			v.Last = m.Text
		case "tool":
			v.Last = ""
			for _, result := range m.Results {
				v.Last += result.Text
			}
		}
		if v.First == "" {
			v.First = v.Last
		}
	}
	return v
}

// Has reports whether a tool is offered.
func (r request) Has(tool string) bool {
	for _, name := range r.Tools {
		if name == tool {
			return true
		}
	}
	return false
}

func serve(t testing.TB, script func(request) llmtest.Step) *llmtest.Server {
	t.Helper()
	return llmtest.ServeWith(t, func(r *llmtest.Request) llmtest.Step { return script(view(r)) }, llmtest.Settings{Key: testKey})
}

const testKey = "sk-test-key-0123456789"

type args = map[string]any

func toolCall(name string, a any) llmtest.Call {
	data, err := json.Marshal(a)
	if err != nil {
		panic(err) // a mistake of the test
	}
	return llmtest.Call{Name: name, Args: string(data)}
}

func call(name string, a any) llmtest.Step {
	return llmtest.Step{Calls: []llmtest.Call{toolCall(name, a)}, Usage: &llm.Usage{InputTokens: 1000, CachedInputTokens: 600, OutputTokens: 50}}
}
