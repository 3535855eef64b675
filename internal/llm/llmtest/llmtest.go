// Package llmtest stands in for model providers: a server on loopback that speaks their wire formats over HTTP and plays a script.
//
// [Serve] starts a [Server]; a [Script] says what the model answers, as a [Step] that is the same for every format: OpenAI chat completions,
// OpenAI Responses, Anthropic Messages and Gemini. The server answers in the format, and streamed or whole, as the request asks. A Step can
// carry a [Fault] instead of a reply, or [Quirks] of gateways in how its stream is written.
//
// It is strict, as the providers are: a route it does not know, a missing or an additional credential, a key of the request that was not
// configured, a tool call without a result or a result without a call fail the test. It checks the shape of requests, not what they say:
// that is for the test, with [Server.Requests].
package llmtest

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/wikiwright/wikiwright/internal/llm"
)

// A Format is a wire format.
type Format string

// The formats.
const (
	Chat      Format = "chat"      // OpenAI chat completions
	Responses Format = "responses" // OpenAI Responses
	Messages  Format = "messages"  // Anthropic Messages
	Gemini    Format = "gemini"    // Google generateContent
)

// Formats returns all formats.
func Formats() []Format { return []Format{Chat, Responses, Messages, Gemini} }

// A Script returns what the model answers to a request. It may be called by several requests at once.
type Script func(r *Request) Step

// Steps is the script that answers the first request with the first step, and so on. A request beyond the last fails the test.
func Steps(steps ...Step) Script {
	return func(r *Request) Step {
		if r.N >= len(steps) {
			return Step{Fault: Fault{Kind: Unexpected}}
		}
		return steps[r.N]
	}
}

// A Step is one answer. The zero Step is a reply without content.
type Step struct {
	Text      string
	Reasoning string
	Calls     []Call
	// Finish is Stop, or ToolCalls when there are Calls, unless it is set.
	Finish Finish
	// Usage is what the answer reports, in the terms of llm.Usage; nil reports 100 tokens of input and 10 of output.
	Usage  *llm.Usage
	Fault  Fault
	Quirks []Quirk
}

// A Call is a tool call of the model. Args is text, so that it can be broken; ID "" becomes one that is unique on the server.
type Call struct{ ID, Name, Args string }

// Say is a reply in prose.
func Say(text string) Step { return Step{Text: text} }

// Do is a reply with one tool call.
func Do(name, args string) Step { return Step{Calls: []Call{{Name: name, Args: args}}} }

// Finish says why a reply ended.
type Finish string

// The reasons.
const (
	Stop      Finish = "stop"
	ToolCalls Finish = "tool_calls"
	Length    Finish = "length" // cut at the output limit
	Filtered  Finish = "filtered"
)

func (s Step) finish() Finish {
	switch {
	case s.Finish != "":
		return s.Finish
	case len(s.Calls) > 0:
		return ToolCalls
	}
	return Stop
}

func (s Step) usage() llm.Usage {
	if s.Usage != nil {
		return *s.Usage
	}
	return llm.Usage{InputTokens: 100, OutputTokens: 10}
}

func (s Step) has(q Quirk) bool {
	for _, quirk := range s.Quirks {
		if quirk == q {
			return true
		}
	}
	return false
}

// Settings are what a server demands beside its script. The zero Settings demand the key "sk-test-key" as the format carries it.
type Settings struct {
	Key string
	// Auth are the headers that carry credentials, and their values, instead of the format's own one. Not nil but empty: there must be none.
	Auth map[string]string
	// Keys are top-level keys of requests that are allowed beside the usual ones, such as "temperature".
	Keys []string
	// AnyAuth leaves credentials unchecked: the test looks at them itself.
	AnyAuth bool
}

// A Server is a stand-in for a provider.
type Server struct {
	// URL is the address, without a path.
	URL string

	t        testing.TB
	script   Script
	settings Settings
	closed   chan struct{}

	mu       sync.Mutex
	requests []*Request
}

// Serve starts a server that plays the script until the test ends.
func Serve(t testing.TB, script Script) *Server { return ServeWith(t, script, Settings{}) }

// Config returns the configuration of a model at the server, in chat completions.
func (s *Server) Config() llm.Config { return s.ConfigFor(Chat) }

// ConfigFor returns the configuration of a model at the server, in the format.
func (s *Server) ConfigFor(f Format) llm.Config {
	c := llm.Config{Model: "test-model", Key: llm.Secret(s.settings.Key), KeyName: "TEST_API_KEY"}
	switch f {
	case Responses:
		c.Provider, c.BaseURL = "openai", s.URL+"/v1"
	case Messages:
		c.Provider, c.BaseURL = "anthropic", s.URL
	case Gemini:
		c.Provider, c.BaseURL = "gemini", s.URL
	default:
		c.Provider, c.BaseURL = "openai-compatible", s.URL+"/v1"
	}
	return c
}

// Requests returns the requests so far, in the order in which they came.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

func (s *Server) record(r *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.N = len(s.requests)
	s.requests = append(s.requests, r)
}

// fail reports what a provider would refuse, and refuses it.
func (s *Server) fail(w http.ResponseWriter, status int, format string, args ...any) {
	s.t.Helper()
	text := fmt.Sprintf(format, args...)
	s.t.Errorf("llmtest: %s", text)
	http.Error(w, fmt.Sprintf(`{"error":{"message":%q,"type":"llmtest"}}`, text), status)
}
