package wire

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat, https://openrouter.ai/docs/api-reference/overview

func chatBody(r Request, openRouter bool) object {
	o := object{"model": r.Model, "messages": chatMessages(r, openRouter), limitKey(r.Model, openRouter): r.MaxTokens}
	if len(r.Tools) > 0 {
		tools := make([]object, len(r.Tools))
		for i, tool := range r.Tools {
			tools[i] = object{"type": "function", "function": object{"name": tool.Name, "description": tool.Description, "parameters": tool.Schema}}
		}
		o["tools"] = tools
	}
	if r.MustCall {
		o["tool_choice"] = "required"
	}
	if r.Stream {
		o["stream"], o["stream_options"] = true, object{"include_usage": true}
	}
	if r.Temperature != nil {
		o["temperature"] = *r.Temperature
	}
	if !openRouter {
		if r.Effort != "" {
			o["reasoning_effort"] = r.Effort
		}
		return o
	}
	o["usage"] = object{"include": true}
	if r.Effort != "" {
		o["reasoning"] = object{"effort": r.Effort}
	}
	if len(r.Upstreams) > 0 {
		o["provider"] = object{"only": r.Upstreams}
	}
	return o
}

// OpenAI's models that reason refuse max_tokens, under whatever prefix they are served; of other models, many endpoints know only that.
var reasoningModel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:o[1-9]|gpt-[5-9]|codex)`) })

func limitKey(model string, openRouter bool) string {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	if !openRouter && reasoningModel().MatchString(name) && !strings.Contains(name, "-chat") {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func chatMessages(r Request, openRouter bool) []object {
	var out []object
	if r.System != "" {
		out = append(out, object{"role": "system", "content": r.System})
	}
	for _, m := range r.Messages {
		switch m.Role {
		case User:
			out = append(out, object{"role": "user", "content": textOf(m)})
		case Assistant:
			out = append(out, chatReply(m, r.History, openRouter))
		case Results:
			for _, p := range m.Parts {
				out = append(out, object{"role": "tool", "tool_call_id": p.ID, "content": p.Text})
			}
		}
	}
	return out
}

// textOf joins the texts of a message: lists of parts are not known to every endpoint.
func textOf(m Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if p.Kind == Text {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// chatReply is a former reply. Its content is null where there is none, as in OpenAI's own answers: some endpoints miss it otherwise.
func chatReply(m Message, history History, openRouter bool) object {
	o := object{"role": "assistant", "content": nil}
	if text := textOf(m); text != "" {
		o["content"] = text
	}
	var calls []object
	var reasoning []string
	var details []json.RawMessage
	for _, p := range m.Parts {
		switch p.Kind {
		case Reasoning:
			reasoning = append(reasoning, p.Text)
			if len(p.Opaque) > 0 {
				details = append(details, p.Opaque)
			}
		case Call:
			call := object{"id": p.ID, "type": "function", "function": object{"name": p.Name, "arguments": p.Args}}
			if len(p.Opaque) > 0 {
				call["extra_content"] = p.Opaque
			}
			calls = append(calls, call)
		}
	}
	if calls != nil {
		o["tool_calls"] = calls
	}
	given := len(reasoning) > 0
	switch {
	case history == Never, !given && (history == AsGiven || calls == nil):
	case openRouter && details != nil:
		o["reasoning_details"] = details[0]
	case openRouter:
		o["reasoning"] = strings.Join(reasoning, "\n")
	default:
		o["reasoning_content"] = strings.Join(reasoning, "\n")
	}
	return o
}

type chatDelta struct {
	Content          text              `json:"content"`
	ReasoningContent text              `json:"reasoning_content"`
	Reasoning        text              `json:"reasoning"`
	Details          []json.RawMessage `json:"reasoning_details"`
	Refusal          text              `json:"refusal"`
	ToolCalls        []chatCall        `json:"tool_calls"`
}

// chatDecoder reads chunks. A whole answer is a chunk, too, that has a message where others have a delta.
type chatDecoder struct {
	text, reasoning, refusal strings.Builder
	details                  reasoningDetails
	calls                    chatCalls
	finish                   string
	usage                    *Usage
}

func (d *chatDecoder) add(data []byte) error {
	var chunk struct {
		Choices []struct {
			Delta        chatDelta `json:"delta"`
			Message      chatDelta `json:"message"`
			FinishReason string    `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(data, &chunk); err != nil {
		return err
	}
	d.usage = usageOf(chunk.Usage, d.usage)
	if len(chunk.Choices) == 0 {
		return nil
	}
	choice := chunk.Choices[0]
	if choice.FinishReason != "" {
		d.finish = choice.FinishReason
	}
	for i, delta := range []chatDelta{choice.Delta, choice.Message} {
		d.text.WriteString(string(delta.Content))
		d.refusal.WriteString(string(delta.Refusal))
		if delta.ReasoningContent != "" { // some give both names
			d.reasoning.WriteString(string(delta.ReasoningContent))
		} else {
			d.reasoning.WriteString(string(delta.Reasoning))
		}
		d.details.add(delta.Details)
		for _, call := range delta.ToolCalls {
			d.calls.add(call, i == 1)
		}
	}
	return nil
}

func (d *chatDecoder) answer() (*Answer, bool) {
	a := &Answer{Usage: d.usage, Finish: chatFinish(d.finish)}
	if d.reasoning.Len() > 0 || len(d.details.list) > 0 {
		a.Parts = append(a.Parts, Part{Kind: Reasoning, Text: d.reasoning.String(), Opaque: d.details.encode()})
	}
	if d.text.Len() > 0 {
		a.Parts = append(a.Parts, Part{Kind: Text, Text: d.text.String()})
	}
	for _, c := range d.calls.list {
		a.Parts = append(a.Parts, Part{Kind: Call, ID: c.id, Name: c.name, Args: c.args.String(), Opaque: c.extra})
	}
	if d.refusal.Len() > 0 && d.text.Len() == 0 && len(d.calls.list) == 0 {
		a.Finish = Filtered
	}
	return a, d.finish != ""
}

func chatFinish(reason string) Finish {
	switch reason {
	case "":
		return Unknown
	case "length", "max_tokens":
		return Length
	case "content_filter":
		return Filtered
	case "error", "insufficient_system_resource":
		return Failed
	}
	return Stop
}
