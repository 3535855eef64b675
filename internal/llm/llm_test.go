package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// chatServer answers chat completions with the given bodies, one after the other.
func chatServer(t *testing.T, answers ...string) (*httptest.Server, *[]string) {
	t.Helper()
	var requests []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := new(strings.Builder)
		if _, err := fmt.Fprint(body, readAll(r)); err != nil {
			t.Error(err)
		}
		requests = append(requests, body.String())
		if r.Header.Get("Authorization") != "Bearer sk-test-key" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		if len(requests) > len(answers) {
			t.Errorf("request %d was not expected", len(requests))
			http.Error(w, "done", http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := answers[len(requests)-1]
		if status, rest, ok := strings.Cut(answer, "|"); ok {
			var code int
			fmt.Sscan(status, &code)
			w.WriteHeader(code)
			answer = rest
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	return server, &requests
}

func readAll(r *http.Request) string {
	var raw json.RawMessage
	if json.NewDecoder(r.Body).Decode(&raw) != nil {
		return ""
	}
	return string(raw)
}

func toolCall(name, args string) string {
	quoted, _ := json.Marshal(args)
	return `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"` +
		name + `","arguments":` + string(quoted) + `}}]}}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`
}

func TestModel_Run(t *testing.T) {
	server, requests := chatServer(t, `429|{"error":{"message":"slow down","type":"rate_limit"}}`, toolCall("submit", `{}`), toolCall("submit", `{"n":1}`))
	var slept []time.Duration
	m, err := Open(t.Context(), Config{Provider: "openai-compatible", Model: "m", BaseURL: server.URL + "/v1", Key: "sk-test-key", Stream: StreamOff}, Options{
		Sleep:  func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil },
		Random: func() float64 { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	report, err := m.Run(t.Context(), Task{Name: "x", System: "be good", Prompt: "go", Tools: []Tool{{
		Name: "submit", Description: "hands in", Schema: json.RawMessage(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}},"additionalProperties":false}`),
		Call: func(_ context.Context, args json.RawMessage) ToolResult {
			got = string(args)
			return ToolResult{Text: "ok", Done: true}
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if got != `{"n":1}` || report.End != EndDone || report.Steps != 2 || len(*requests) != 3 {
		t.Errorf("got %s, report %+v, %d requests", got, report, len(*requests))
	}
	if len(slept) != 1 || slept[0] != time.Second {
		t.Errorf("slept %v", slept)
	}
	if report.Usage.InputTokens != 20 || report.Usage.OutputTokens != 10 || report.Usage.Requests != 2 {
		t.Errorf("usage %+v", report.Usage)
	}
	if !strings.Contains((*requests)[2], "missing") && !strings.Contains((*requests)[2], "required") {
		t.Errorf("the refusal is not told: %s", (*requests)[2])
	}
}
