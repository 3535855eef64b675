package llmtest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// failures stands for a test, and keeps what it is told.
type failures struct {
	testing.TB
	mu   sync.Mutex
	list []string
}

func (f *failures) Helper()             {}
func (f *failures) Logf(string, ...any) {}
func (f *failures) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// A server must fail the test of who sends what a provider would refuse.
func TestServer_Strict(t *testing.T) {
	const chat, messages, gemini = "/v1/chat/completions", "/v1/messages", "/v1beta/models/m:generateContent"
	for _, test := range []struct {
		name, path, header, body, want string
	}{
		{"right", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, ""},
		{"route", "/v1/completions", "Authorization: Bearer sk-test-key", `{}`, "unknown route POST /v1/completions"},
		{"no key", chat, "X: y", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "the header Authorization is not the configured one"},
		{"other key", chat, "Authorization: Bearer sk-other", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "the header Authorization is not the configured one"},
		{"key of another format", messages, "Authorization: Bearer sk-test-key", `{"model":"m","max_tokens":1,"anthropic_version":"x","messages":[{"role":"user","content":"hi"}]}`, "the header X-Api-Key is not the configured one"},
		{"key not asked for", chat, "Authorization: Bearer sk-test-key", `{"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]}`, "the request has the key temperature"},
		{"setting not asked for", gemini, "X-Goog-Api-Key: sk-test-key", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"temperature":0}}`, "the request has the key temperature"},
		{"no model", chat, "Authorization: Bearer sk-test-key", `{"messages":[{"role":"user","content":"hi"}]}`, "names no model"},
		{"no message", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[]}`, "there is no message"},
		{"content as blocks", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, "does not have the format chat"},
		{"no limit", messages, "X-Api-Key: sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "max_tokens or the version is missing"},
		{"call without result", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"and?"}]}`, "comes before the results of all calls"},
		{"result without call", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"1","content":"x"}]}`, "has a result without a call: 1"},
		{"id twice", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}]}`, "has a call without an id of its own: 1"},
		{"arguments that nobody can read", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"1","content":"x"}]}`, "arguments of a call are not a JSON object"},
		{"the model has the last word", chat, "Authorization: Bearer sk-test-key", `{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"x"}]}`, "the last message is of the assistant"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &failures{TB: t}
			server := llmtest.Serve(f, llmtest.Steps(llmtest.Say("hi")))
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			name, value, _ := strings.Cut(test.header, ": ")
			req.Header.Set(name, value)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := io.ReadAll(resp.Body); err != nil {
				t.Fatal(err)
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			switch {
			case test.want == "" && len(f.list) > 0, test.want != "" && (len(f.list) != 1 || !strings.Contains(f.list[0], test.want)):
				t.Errorf("failures %q, want %q", f.list, test.want)
			case (resp.StatusCode == http.StatusOK) != (test.want == ""):
				t.Errorf("status %d", resp.StatusCode)
			}
		})
	}
}

// A request beyond the script fails the test.
func TestSteps_Beyond(t *testing.T) {
	f := &failures{TB: t}
	server := llmtest.Serve(f, llmtest.Steps())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer sk-test-key")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if len(f.list) != 1 || !strings.Contains(f.list[0], "request 0 was not expected") || resp.StatusCode != http.StatusTeapot {
		t.Errorf("failures %q, status %d", f.list, resp.StatusCode)
	}
}
