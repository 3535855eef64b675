package wire

import (
	"encoding/json"
	"strings"
)

// Anthropic Messages: https://platform.claude.com/docs/en/api/messages

func messagesBody(r Request) object {
	o := object{"messages": messagesTurns(r.Messages), "max_tokens": r.MaxTokens}
	if r.Cloud != "" {
		o["anthropic_version"] = r.Cloud
	} else {
		o["model"] = r.Model
	}
	if r.Stream && !strings.HasPrefix(r.Cloud, "bedrock") { // there, the path says it
		o["stream"] = true
	}
	if r.System != "" {
		o["system"] = []object{marked(object{"type": "text", "text": r.System})}
	}
	if len(r.Tools) > 0 {
		tools := make([]object, len(r.Tools))
		for i, tool := range r.Tools {
			tools[i] = object{"name": tool.Name, "description": tool.Description, "input_schema": tool.Schema}
		}
		marked(tools[len(tools)-1])
		o["tools"] = tools
	}
	if r.Temperature != nil {
		o["temperature"] = *r.Temperature
	}
	if r.Effort != "" && r.Effort != "none" {
		o["thinking"], o["output_config"] = object{"type": "adaptive"}, object{"effort": r.Effort}
	}
	return o
}

// marked puts a mark for the cache on a block. Four are allowed: the tools, the instructions, and the last two messages, so that each step
// reads what the one before has written. Other providers cache equal beginnings by themselves.
func marked(block object) object {
	block["cache_control"] = object{"type": "ephemeral"}
	return block
}

func messagesTurns(messages []Message) []object {
	var turns []object
	var blocks [][]object // of the turns
	for _, m := range messages {
		role := "user"
		if m.Role == Assistant {
			role = "assistant"
		}
		var content []object
		for _, p := range m.Parts {
			if block := messagesBlock(p); block != nil {
				content = append(content, block)
			}
		}
		if len(content) == 0 {
			continue
		}
		if n := len(turns); n > 0 && turns[n-1]["role"] == role {
			blocks[n-1] = append(blocks[n-1], content...)
			continue
		}
		turns, blocks = append(turns, object{"role": role}), append(blocks, content)
	}
	for i := range turns {
		if last := blocks[i][len(blocks[i])-1]; i >= len(turns)-2 && last["thinking"] == nil && last["data"] == nil {
			marked(last)
		}
		turns[i]["content"] = blocks[i]
	}
	return turns
}

// messagesBlock returns a part as it is sent, nil where it cannot be: blank texts and thoughts without a signature are refused.
func messagesBlock(p Part) object {
	switch p.Kind {
	case Text:
		if strings.TrimSpace(p.Text) != "" {
			return object{"type": "text", "text": p.Text}
		}
	case Reasoning:
		var block object
		if json.Unmarshal(p.Opaque, &block) == nil {
			return block
		}
	case Call:
		return object{"type": "tool_use", "id": p.ID, "name": p.Name, "input": json.RawMessage(p.Args)}
	case Result:
		block := object{"type": "tool_result", "tool_use_id": p.ID, "content": p.Text}
		if p.IsError {
			block["is_error"] = true
		}
		return block
	}
	return nil
}

// messagesContent is a block of an answer.
type messagesContent struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
	Data      string `json:"data"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	Input     text   `json:"input"`
}

type messagesAnswer struct {
	Content    []*messagesContent `json:"content"`
	StopReason string             `json:"stop_reason"`
	Usage      json.RawMessage    `json:"usage"`
}

// openBlock is a block whose pieces are still coming.
type openBlock struct {
	content         messagesContent
	said, args, sig strings.Builder
}

type messagesDecoder struct {
	blocks map[int]*openBlock
	reason string
	usage  *Usage
}

func (d *messagesDecoder) add(data []byte) error {
	var e struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	switch e.Type {
	case "", "message":
		var whole messagesAnswer
		if err := json.Unmarshal(data, &whole); err != nil {
			return err
		}
		d.message(whole)
	case "message_start":
		var start struct {
			Message messagesAnswer `json:"message"`
		}
		if err := json.Unmarshal(data, &start); err != nil {
			return err
		}
		d.message(start.Message)
	case "message_delta":
		var end struct {
			Delta messagesAnswer  `json:"delta"`
			Usage json.RawMessage `json:"usage"`
		}
		if err := json.Unmarshal(data, &end); err != nil {
			return err
		}
		end.Delta.Usage = end.Usage
		d.message(end.Delta)
	case "content_block_start", "content_block_delta":
		return d.block(data)
	}
	return nil
}

// message takes a message, or what is known of it so far.
func (d *messagesDecoder) message(m messagesAnswer) {
	for i, c := range m.Content {
		if c != nil {
			d.at(i).content = *c
		}
	}
	if m.StopReason != "" {
		d.reason = m.StopReason
	}
	d.count(m.Usage)
}

func (d *messagesDecoder) at(index int) *openBlock {
	if d.blocks == nil {
		d.blocks = map[int]*openBlock{}
	}
	if d.blocks[index] == nil {
		d.blocks[index] = &openBlock{}
	}
	return d.blocks[index]
}

func (d *messagesDecoder) block(data []byte) error {
	var e struct {
		Index int              `json:"index"`
		Block *messagesContent `json:"content_block"`
		Delta struct {
			Text      string `json:"text"`
			Thinking  string `json:"thinking"`
			Signature string `json:"signature"`
			Args      string `json:"partial_json"`
		} `json:"delta"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	b := d.at(e.Index)
	if e.Block != nil {
		b.content = *e.Block
	}
	b.said.WriteString(e.Delta.Text + e.Delta.Thinking)
	b.args.WriteString(e.Delta.Args)
	b.sig.WriteString(e.Delta.Signature)
	return nil
}

// count adds the second of the two reports of a stream, which repeats or completes the first.
func (d *messagesDecoder) count(raw json.RawMessage) {
	if isNull(raw) {
		return
	}
	var u tokenUsage
	_ = json.Unmarshal(raw, &u) // a strange figure must not spoil an answer
	if d.usage == nil {
		d.usage = &Usage{}
	}
	cached, written := max(d.usage.Cached, u.CacheRead), max(d.usage.Written, u.CacheWrite)
	plain := max(d.usage.Input-d.usage.Cached-d.usage.Written, u.InputTokens)
	d.usage = &Usage{Input: plain + cached + written, Cached: cached, Written: written, Output: max(d.usage.Output, u.OutputTokens)}
}

func (d *messagesDecoder) answer() (*Answer, bool) {
	a := &Answer{Usage: d.usage}
	for _, at := range sortedKeys(d.blocks) {
		if p, ok := d.blocks[at].part(); ok {
			a.Parts = append(a.Parts, p)
		}
	}
	switch d.reason {
	case "":
	case "max_tokens", "model_context_window_exceeded":
		a.Finish = Length
	case "refusal":
		a.Finish = Filtered
	default:
		a.Finish = Stop
	}
	return a, d.reason != ""
}

// part returns the block in the terms of no provider; blocks of other types say nothing to us.
func (b *openBlock) part() (Part, bool) {
	c := b.content
	switch c.Type {
	case "text":
		return Part{Kind: Text, Text: c.Text + b.said.String()}, true
	case "thinking":
		p := Part{Kind: Reasoning, Text: c.Thinking + b.said.String()}
		if signature := c.Signature + b.sig.String(); signature != "" {
			p.Opaque, _ = encode(object{"type": "thinking", "thinking": p.Text, "signature": signature}) // strings can be encoded
		}
		return p, true
	case "redacted_thinking":
		p := Part{Kind: Reasoning}
		p.Opaque, _ = encode(object{"type": "redacted_thinking", "data": c.Data}) // strings can be encoded
		return p, true
	case "tool_use":
		args := b.args.String()
		if args == "" {
			args = string(c.Input)
		}
		return Part{Kind: Call, ID: c.ID, Name: c.Name, Args: args}, true
	}
	return Part{}, false
}
