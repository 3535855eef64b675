package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// OpenAI Responses: https://platform.openai.com/docs/api-reference/responses

func responsesCodec() codec {
	return codec{
		keys: []string{"model", "input", "tools", "tool_choice", "stream", "max_output_tokens", "store", "include"},
		read: readResponses, whole: responsesWhole, events: responsesEvents, auth: "Authorization", scheme: "Bearer ",
	}
}

type responsesItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    string          `json:"output"`
	Encrypted string          `json:"encrypted_content"`
}

func readResponses(r *Request) error {
	var body struct {
		Model           string          `json:"model"`
		Stream          bool            `json:"stream"`
		MaxOutputTokens int64           `json:"max_output_tokens"`
		Input           []responsesItem `json:"input"`
		Tools           []struct {
			Type       string          `json:"type"`
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return err
	}
	r.Model, r.Stream, r.MaxOutputTokens = body.Model, body.Stream, body.MaxOutputTokens
	for _, tool := range body.Tools {
		if tool.Type != "function" || len(tool.Parameters) == 0 {
			return fmt.Errorf("tool %q has no parameters", tool.Name)
		}
		r.Tools = append(r.Tools, tool.Name)
	}
	for _, item := range body.Input {
		if err := r.addResponses(item); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) addResponses(item responsesItem) error {
	switch item.Type {
	case "", "message":
	case "function_call":
		r.extend(Message{Role: "assistant", Calls: []Call{{item.CallID, item.Name, item.Arguments}}})
		return nil
	case "function_call_output":
		r.extend(Message{Role: "tool", Results: []Result{{ID: item.CallID, Text: item.Output}}})
		return nil
	case "reasoning":
		if item.Encrypted == "" { // nothing is stored: it cannot be found by its id
			return errors.New("reasoning that is not encrypted")
		}
		r.extend(Message{Role: "assistant", Reasoning: &item.Encrypted})
		return nil
	default:
		return fmt.Errorf("an item of type %q", item.Type)
	}
	parts, err := blocks(item.Content)
	if err != nil {
		return err
	}
	text := ""
	for _, part := range parts {
		text += part.Text
	}
	switch item.Role {
	case "system", "developer":
		r.System += text
	case "user":
		r.Messages = append(r.Messages, Message{Role: "user", Text: text})
	case "assistant":
		r.extend(Message{Role: "assistant", Text: text})
	default:
		return fmt.Errorf("role %q", item.Role)
	}
	return nil
}

// extend adds to the last message when it has the same role: items of one turn come one by one.
func (r *Request) extend(m Message) {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == m.Role {
		last := &r.Messages[n-1]
		last.Text += m.Text
		if m.Reasoning != nil {
			last.Reasoning = m.Reasoning
		}
		last.Calls = append(last.Calls, m.Calls...)
		last.Results = append(last.Results, m.Results...)
		return
	}
	r.Messages = append(r.Messages, m)
}

func responsesUsage(s Step) object {
	u := s.usage()
	return object{
		"input_tokens": u.InputTokens, "input_tokens_details": object{"cached_tokens": u.CachedInputTokens},
		"output_tokens": u.OutputTokens, "output_tokens_details": object{"reasoning_tokens": u.ReasoningTokens},
		"total_tokens": u.InputTokens + u.OutputTokens,
	}
}

// responsesObject is the response with what is known of it so far.
func responsesObject(r *Request, status string, output []object, s *Step) object {
	o := object{
		"id": "resp_" + number(r.N), "object": "response", "created_at": 1_790_000_000, "model": r.Model, "status": status,
		"output": output, "error": nil, "incomplete_details": nil, "parallel_tool_calls": true, "tool_choice": "auto", "tools": []object{},
	}
	if s != nil {
		o["usage"] = responsesUsage(*s)
		switch s.finish() {
		case Length:
			o["status"], o["incomplete_details"] = "incomplete", object{"reason": "max_output_tokens"}
		case Filtered:
			o["status"], o["incomplete_details"] = "incomplete", object{"reason": "content_filter"}
		}
	}
	return o
}

func responsesItems(r *Request, s Step) []object {
	items := []object{}
	if s.Reasoning != "" {
		item := object{"type": "reasoning", "id": "rs_" + number(r.N), "summary": []object{{"type": "summary_text", "text": s.Reasoning}}}
		if strings.Contains(string(r.Keys()["include"]), "reasoning.encrypted_content") {
			item["encrypted_content"] = "c2lnbmF0dXJl"
		}
		items = append(items, item)
	}
	if s.Text != "" {
		items = append(items, object{
			"type": "message", "id": "msg_" + number(r.N), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": s.Text, "annotations": []object{}}},
		})
	}
	for i, call := range s.Calls {
		items = append(items, object{
			"type": "function_call", "id": "fc_" + number(r.N) + "_" + number(i), "call_id": call.ID, "name": call.Name, "arguments": call.Args, "status": "completed",
		})
	}
	return items
}

func responsesWhole(r *Request, s Step) any {
	return responsesObject(r, "completed", responsesItems(r, s), &s)
}

func responsesEvents(r *Request, s Step) []event {
	var events []event
	emit := func(kind string, data object) {
		data["type"], data["sequence_number"] = kind, len(events)
		events = append(events, event{kind, data})
	}
	items := responsesItems(r, s)
	emit("response.created", object{"response": responsesObject(r, "in_progress", []object{}, nil)})
	for i, item := range items {
		responsesItemEvents(emit, i, item, s)
	}
	last := responsesObject(r, "completed", items, &s)
	if last["status"] == "incomplete" {
		emit("response.incomplete", object{"response": last})
	} else {
		emit("response.completed", object{"response": last})
	}
	return events
}

func responsesItemEvents(emit func(string, object), index int, item object, s Step) {
	id := item["id"]
	at := func(more object) object {
		more["output_index"], more["item_id"] = index, id
		return more
	}
	switch item["type"] {
	case "reasoning":
		emit("response.output_item.added", object{"output_index": index, "item": object{"type": "reasoning", "id": id, "summary": []object{}}})
		emit("response.reasoning_summary_part.added", at(object{"summary_index": 0, "part": object{"type": "summary_text", "text": ""}}))
		for _, piece := range inPieces(s.Reasoning) {
			emit("response.reasoning_summary_text.delta", at(object{"summary_index": 0, "delta": piece}))
		}
	case "message":
		emit("response.output_item.added", object{"output_index": index, "item": object{"type": "message", "id": id, "role": "assistant", "status": "in_progress", "content": []object{}}})
		emit("response.content_part.added", at(object{"content_index": 0, "part": object{"type": "output_text", "text": "", "annotations": []object{}}}))
		for _, piece := range inPieces(s.Text) {
			emit("response.output_text.delta", at(object{"content_index": 0, "delta": piece}))
		}
		emit("response.output_text.done", at(object{"content_index": 0, "text": s.Text}))
	case "function_call":
		emit("response.output_item.added", object{"output_index": index, "item": object{
			"type": "function_call", "id": id, "call_id": item["call_id"], "name": item["name"], "arguments": "", "status": "in_progress",
		}})
		args, _ := item["arguments"].(string)
		for _, piece := range inPieces(args) {
			emit("response.function_call_arguments.delta", at(object{"delta": piece}))
		}
		emit("response.function_call_arguments.done", at(object{"arguments": args, "name": item["name"]}))
	}
	emit("response.output_item.done", object{"output_index": index, "item": item})
}
