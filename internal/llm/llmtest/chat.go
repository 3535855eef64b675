package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
)

// OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat

type object = map[string]any

func chatCodec() codec {
	return codec{
		keys: []string{"model", "messages", "tools", "stream", "stream_options", "max_tokens", "max_completion_tokens"},
		read: readChat, whole: chatWhole, events: chatEvents, done: "[DONE]", auth: "Authorization", scheme: "Bearer ",
	}
}

type chatMessage struct {
	Role             string  `json:"role"`
	Content          *string `json:"content"`
	ReasoningContent *string `json:"reasoning_content"`
	ToolCallID       string  `json:"tool_call_id"`
	ToolCalls        []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func readChat(r *Request) error {
	var body struct {
		Model               string        `json:"model"`
		Stream              bool          `json:"stream"`
		MaxTokens           int64         `json:"max_tokens"`
		MaxCompletionTokens int64         `json:"max_completion_tokens"`
		Messages            []chatMessage `json:"messages"`
		Tools               []struct {
			Type     string `json:"type"`
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return err
	}
	r.Model, r.Stream, r.MaxOutputTokens = body.Model, body.Stream, max(body.MaxTokens, body.MaxCompletionTokens)
	for _, tool := range body.Tools {
		if tool.Type != "function" || len(tool.Function.Parameters) == 0 {
			return fmt.Errorf("tool %q has no parameters", tool.Function.Name)
		}
		r.Tools = append(r.Tools, tool.Function.Name)
	}
	for _, m := range body.Messages {
		if err := r.addChat(m); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) addChat(m chatMessage) error {
	out := Message{Role: m.Role, Reasoning: m.ReasoningContent}
	if m.Content != nil {
		out.Text = *m.Content
	}
	switch m.Role {
	case "system":
		r.System += out.Text
		return nil
	case "tool":
		out.Results = []Result{{ID: m.ToolCallID, Text: out.Text}}
		out.Text = ""
	case "assistant", "user":
	default:
		return fmt.Errorf("role %q", m.Role)
	}
	for _, call := range m.ToolCalls {
		if call.Type != "function" {
			return errors.New("a tool call is not of type function")
		}
		out.Calls = append(out.Calls, Call{call.ID, call.Function.Name, call.Function.Arguments})
	}
	r.Messages = append(r.Messages, out)
	return nil
}

func chatFinish(f Finish) string {
	if f == Filtered {
		return "content_filter"
	}
	return string(f)
}

func chatUsage(s Step) object {
	u := s.usage()
	usage := object{
		"prompt_tokens": u.InputTokens, "completion_tokens": u.OutputTokens, "total_tokens": u.InputTokens + u.OutputTokens,
		"prompt_tokens_details":     object{"cached_tokens": u.CachedInputTokens},
		"completion_tokens_details": object{"reasoning_tokens": u.ReasoningTokens},
	}
	if u.CostUSD != 0 {
		usage["cost"] = u.CostUSD // OpenRouter
	}
	return usage
}

func chatWhole(r *Request, s Step) any {
	message := object{"role": "assistant", "content": s.Text}
	if s.Reasoning != "" {
		message["reasoning_content"] = s.Reasoning
	}
	var calls []object
	for _, call := range s.Calls {
		calls = append(calls, object{"id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": call.Args}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": "chatcmpl-" + number(r.N), "object": "chat.completion", "created": 1_790_000_000, "model": r.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": chatFinish(s.finish())}},
		"usage":   chatUsage(s),
	}
}

func chatEvents(r *Request, s Step) []event {
	chunk := func(delta object, finish any) event {
		return event{data: object{
			"id": "chatcmpl-" + number(r.N), "object": "chat.completion.chunk", "created": 1_790_000_000, "model": r.Model,
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
		}}
	}
	var events []event
	if !s.has(NoRole) {
		events = append(events, chunk(object{"role": "assistant", "content": ""}, nil))
	}
	for _, piece := range inPieces(s.Reasoning) {
		events = append(events, chunk(object{"reasoning_content": piece}, nil))
	}
	for _, piece := range inPieces(s.Text) {
		events = append(events, chunk(object{"content": piece}, nil))
	}
	for _, delta := range chatCallDeltas(s) {
		events = append(events, chunk(object{"tool_calls": []object{delta}}, nil))
	}
	usage := event{data: object{"id": "chatcmpl-" + number(r.N), "object": "chat.completion.chunk", "model": r.Model, "choices": []object{}, "usage": chatUsage(s)}}
	if s.has(UsageFirst) {
		return append(events, usage, chunk(object{}, chatFinish(s.finish())))
	}
	return append(events, chunk(object{}, chatFinish(s.finish())), usage)
}

// chatCallDeltas are the pieces of the tool calls, one call after the other, or mixed.
func chatCallDeltas(s Step) []object {
	var perCall [][]object
	for i, call := range s.Calls {
		args := inPieces(call.Args)
		first := ""
		if s.has(FirstBrace) && len(call.Args) > 1 {
			first, args = call.Args[:1], inPieces(call.Args[1:])
		}
		deltas := []object{{"index": i, "id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": first}}}
		for _, piece := range args {
			deltas = append(deltas, object{"index": i, "function": object{"arguments": piece}})
		}
		for j := range deltas {
			switch {
			case s.has(NoIndex):
				delete(deltas[j], "index")
				deltas[j]["id"] = call.ID
			case s.has(SameIndex):
				deltas[j]["index"] = 0
			}
		}
		perCall = append(perCall, deltas)
	}
	return merge(perCall, s.has(Interleaved))
}

// merge lines the lists up, or takes from each in turn.
func merge(lists [][]object, inTurn bool) []object {
	var out []object
	if !inTurn {
		for _, list := range lists {
			out = append(out, list...)
		}
		return out
	}
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) {
				out, more = append(out, list[i]), true
			}
		}
	}
	return out
}

// inPieces cuts a text as models send it: a few bytes at a time, never inside a rune.
func inPieces(text string) []string {
	const size = 12
	var out []string
	piece := ""
	for _, r := range text {
		if piece += string(r); len(piece) >= size {
			out, piece = append(out, piece), ""
		}
	}
	if piece != "" {
		out = append(out, piece)
	}
	return out
}
