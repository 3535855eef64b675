package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// A Request is what a client sent, read into terms that are the same for every format.
type Request struct {
	// N counts the requests to the server, from 0.
	N      int
	Format Format
	Stream bool
	Method string
	Path   string
	Query  string
	Header http.Header
	Body   json.RawMessage

	Model           string
	MaxOutputTokens int64
	System          string
	Messages        []Message
	Tools           []string
}

// A Message is one turn of the conversation: Role is user, assistant or tool.
type Message struct {
	Role string
	Text string
	// Reasoning is nil when the message has no such field.
	Reasoning *string
	Calls     []Call
	Results   []Result
}

// A Result is what a tool returned.
type Result struct {
	ID, Text string
	IsError  bool
}

// Results returns the results that the last message brings.
func (r *Request) Results() []Result {
	var results []Result
	for i := len(r.Messages) - 1; i >= 0 && r.Messages[i].Role == "tool"; i-- {
		results = append(append([]Result(nil), r.Messages[i].Results...), results...)
	}
	return results
}

// LastText returns the text of the last message of the user.
func (r *Request) LastText() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Text
		}
	}
	return ""
}

// Keys returns the keys at the top of the body, and those of Gemini's generationConfig.
func (r *Request) Keys() map[string]json.RawMessage {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(r.Body, &keys) // the server has read it before
	if config, ok := keys["generationConfig"]; ok && r.Format == Gemini {
		_ = json.Unmarshal(config, &keys) // adds its keys
	}
	return keys
}

// route finds the format that a path belongs to.
func route(path string) (f Format, stream *bool, ok bool) {
	yes, no := true, false
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return Chat, nil, true
	case strings.HasSuffix(path, "/responses"):
		return Responses, nil, true
	case strings.HasSuffix(path, "/v1/messages"):
		return Messages, nil, true
	case strings.HasSuffix(path, "/invoke"), strings.HasSuffix(path, ":rawPredict"): // Bedrock, Vertex AI
		return Messages, &no, true
	case strings.HasSuffix(path, "/invoke-with-response-stream"), strings.HasSuffix(path, ":streamRawPredict"):
		return Messages, &yes, true
	case strings.HasSuffix(path, ":generateContent"):
		return Gemini, &no, true
	case strings.HasSuffix(path, ":streamGenerateContent"):
		return Gemini, &yes, true
	}
	return "", nil, false
}

// conversationProblem says what is wrong with the order of a conversation: every call must have one result, directly after it.
func conversationProblem(messages []Message) string {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role != "tool" && len(open) > 0 {
			return "message " + number(i) + " comes before the results of all calls"
		}
		if m.Role == "assistant" && m.Text == "" && len(m.Calls) == 0 {
			return "message " + number(i) + " of the assistant is empty"
		}
		for _, call := range m.Calls {
			if call.ID == "" || open[call.ID] {
				return "message " + number(i) + " has a call without an id of its own: " + call.ID
			}
			if !isObject(call.Args) {
				return "message " + number(i) + ": the arguments of a call are not a JSON object: " + call.Args
			}
			open[call.ID] = true
		}
		for _, result := range m.Results {
			if !open[result.ID] {
				return "message " + number(i) + " has a result without a call: " + result.ID
			}
			delete(open, result.ID)
		}
	}
	switch {
	case len(open) > 0:
		return "the last calls have no results"
	case len(messages) == 0:
		return "there is no message"
	case messages[len(messages)-1].Role == "assistant":
		return "the last message is of the assistant"
	}
	return ""
}
