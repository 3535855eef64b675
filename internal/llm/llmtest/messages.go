package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// Anthropic Messages: https://platform.claude.com/docs/en/api/messages

func messagesCodec() codec {
	return codec{
		keys: []string{"model", "messages", "system", "tools", "stream", "max_tokens", "anthropic_version"},
		read: readMessages, whole: messagesWhole, events: messagesEvents, auth: "X-Api-Key",
	}
}

// modelInPath is the model where a cloud serves it: /model/ID/invoke at Bedrock, …/models/ID:rawPredict at Vertex AI.
func modelInPath(name string) string {
	if rest, ok := strings.CutPrefix(name, "/model/"); ok {
		return path.Dir(rest)
	}
	model, _, _ := strings.Cut(path.Base(name), ":")
	return model
}

type messagesBlock struct {
	Type         string          `json:"type"`
	Text         string          `json:"text"`
	Thinking     string          `json:"thinking"`
	Signature    string          `json:"signature"`
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Input        json.RawMessage `json:"input"`
	ToolUseID    string          `json:"tool_use_id"`
	Content      json.RawMessage `json:"content"`
	IsError      bool            `json:"is_error"`
	CacheControl *struct {
		Type string `json:"type"`
	} `json:"cache_control"`
}

// blocks reads content that is a text or a list of blocks.
func blocks(raw json.RawMessage) ([]messagesBlock, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []messagesBlock{{Type: "text", Text: text}}, nil
	}
	var list []messagesBlock
	return list, json.Unmarshal(raw, &list)
}

func readMessages(r *Request) error {
	var body struct {
		Model     string          `json:"model"`
		Stream    bool            `json:"stream"`
		MaxTokens int64           `json:"max_tokens"`
		Version   string          `json:"anthropic_version"` // of the clouds
		System    json.RawMessage `json:"system"`
		Messages  []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"input_schema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return err
	}
	if body.MaxTokens <= 0 || r.Header.Get("Anthropic-Version") == "" && body.Version == "" {
		return errors.New("max_tokens or the version is missing")
	}
	r.Model, r.MaxOutputTokens = body.Model, body.MaxTokens
	r.Stream = r.Stream || body.Stream
	if body.Version != "" {
		r.Model = modelInPath(r.Path)
	}
	if len(body.System) > 0 {
		list, err := blocks(body.System)
		if err != nil {
			return fmt.Errorf("system: %w", err)
		}
		for _, b := range list {
			r.System += b.Text
		}
	}
	for _, tool := range body.Tools {
		if len(tool.InputSchema) == 0 {
			return fmt.Errorf("tool %q has no schema", tool.Name)
		}
		r.Tools = append(r.Tools, tool.Name)
	}
	for _, m := range body.Messages {
		if err := r.addMessages(m.Role, m.Content); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) addMessages(role string, content json.RawMessage) error {
	list, err := blocks(content)
	if err != nil {
		return err
	}
	if role != "user" && role != "assistant" || len(list) == 0 {
		return fmt.Errorf("a message of role %q with %d blocks", role, len(list))
	}
	out, results := Message{Role: role}, Message{Role: "tool"}
	for _, b := range list {
		switch {
		case b.Type == "text" && b.Text != "":
			out.Text += b.Text
		case b.Type == "thinking" && role == "assistant":
			if b.Signature == "" {
				return errors.New("a thinking block without its signature")
			}
			text := b.Thinking
			out.Reasoning = &text
		case b.Type == "tool_use" && role == "assistant":
			var input map[string]any
			if json.Unmarshal(b.Input, &input) != nil {
				return fmt.Errorf("the input of a call is not an object: %s", b.Input)
			}
			out.Calls = append(out.Calls, Call{b.ID, b.Name, string(b.Input)})
		case b.Type == "tool_result" && role == "user" && out.Text == "":
			inner, err := blocks(b.Content)
			if err != nil {
				return err
			}
			result := Result{ID: b.ToolUseID, IsError: b.IsError}
			for _, t := range inner {
				result.Text += t.Text
			}
			results.Results = append(results.Results, result)
		default:
			return fmt.Errorf("a %s block in a message of the %s", b.Type, role)
		}
	}
	if len(results.Results) > 0 {
		r.Messages = append(r.Messages, results)
	}
	if out.Text != "" || len(out.Calls) > 0 || out.Reasoning != nil {
		r.Messages = append(r.Messages, out)
	}
	return nil
}

func messagesFinish(f Finish) string {
	switch f {
	case ToolCalls:
		return "tool_use"
	case Length:
		return "max_tokens"
	case Filtered:
		return "refusal"
	}
	return "end_turn"
}

func messagesUsage(s Step) object {
	u := s.usage()
	return object{
		"input_tokens":            u.InputTokens - u.CachedInputTokens - u.CacheWriteTokens,
		"cache_read_input_tokens": u.CachedInputTokens, "cache_creation_input_tokens": u.CacheWriteTokens, "output_tokens": u.OutputTokens,
	}
}

// input is the arguments as the format carries them in a whole answer: text that is not JSON becomes a string, as gateways do it.
func input(args string) any {
	if json.Valid([]byte(args)) {
		return json.RawMessage(args)
	}
	return args
}

func messagesContent(s Step) []object {
	content := []object{}
	if s.Reasoning != "" {
		content = append(content, object{"type": "thinking", "thinking": s.Reasoning, "signature": "c2lnbmF0dXJl"})
	}
	if s.Text != "" {
		content = append(content, object{"type": "text", "text": s.Text})
	}
	for _, call := range s.Calls {
		content = append(content, object{"type": "tool_use", "id": call.ID, "name": call.Name, "input": input(call.Args)})
	}
	return content
}

func messagesWhole(r *Request, s Step) any {
	return object{
		"id": "msg_" + number(r.N), "type": "message", "role": "assistant", "model": r.Model, "content": messagesContent(s),
		"stop_reason": messagesFinish(s.finish()), "stop_sequence": nil, "usage": messagesUsage(s),
	}
}

func messagesEvents(r *Request, s Step) []event {
	start := object{
		"id": "msg_" + number(r.N), "type": "message", "role": "assistant", "model": r.Model, "content": []object{},
		"stop_reason": nil, "stop_sequence": nil, "usage": messagesUsage(s),
	}
	events := []event{{"message_start", object{"type": "message_start", "message": start}}, {"ping", object{"type": "ping"}}}
	index := 0
	block := func(first object, deltas ...object) {
		events = append(events, event{"content_block_start", object{"type": "content_block_start", "index": index, "content_block": first}})
		for _, delta := range deltas {
			events = append(events, event{"content_block_delta", object{"type": "content_block_delta", "index": index, "delta": delta}})
		}
		events = append(events, event{"content_block_stop", object{"type": "content_block_stop", "index": index}})
		index++
	}
	if s.Reasoning != "" {
		deltas := append(deltasOf(s.Reasoning, "thinking_delta", "thinking"), object{"type": "signature_delta", "signature": "c2lnbmF0dXJl"})
		block(object{"type": "thinking", "thinking": "", "signature": ""}, deltas...)
	}
	if s.Text != "" {
		block(object{"type": "text", "text": ""}, deltasOf(s.Text, "text_delta", "text")...)
	}
	for _, call := range s.Calls {
		block(object{"type": "tool_use", "id": call.ID, "name": call.Name, "input": object{}}, deltasOf(call.Args, "input_json_delta", "partial_json")...)
	}
	end := object{"type": "message_delta", "delta": object{"stop_reason": messagesFinish(s.finish()), "stop_sequence": nil}, "usage": object{"output_tokens": s.usage().OutputTokens}}
	return append(events, event{"message_delta", end}, event{"message_stop", object{"type": "message_stop"}})
}

func deltasOf(text, kind, key string) []object {
	var deltas []object
	for _, piece := range inPieces(text) {
		deltas = append(deltas, object{"type": kind, key: piece})
	}
	return deltas
}
