package wire

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// OpenAI Responses: https://platform.openai.com/docs/api-reference/responses

// Nothing is stored at the provider: reasoning comes encrypted and goes back so.
func responsesBody(r Request) object {
	o := object{"model": r.Model, "input": responsesInput(r), "max_output_tokens": r.MaxTokens, "store": false}
	if r.History != Never && !plainModel().MatchString(strings.ToLower(r.Model)) {
		o["include"] = []string{"reasoning.encrypted_content"}
	}
	if len(r.Tools) > 0 {
		tools := make([]object, len(r.Tools))
		for i, tool := range r.Tools { // strict is the default here, and needs schemas of another kind
			tools[i] = object{"type": "function", "name": tool.Name, "description": tool.Description, "parameters": tool.Schema, "strict": false}
		}
		o["tools"] = tools
	}
	if r.MustCall {
		o["tool_choice"] = "required"
	}
	if r.Stream {
		o["stream"] = true
	}
	if r.Effort != "" {
		o["reasoning"] = object{"effort": r.Effort}
	}
	if r.Temperature != nil {
		o["temperature"] = *r.Temperature
	}
	return o
}

// OpenAI's models that do not reason refuse the request for encrypted reasoning. Others that do are found out by their refusal.
var plainModel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:gpt-[34]|chatgpt)|-chat`) })

func responsesInput(r Request) []any {
	var input []any
	if r.System != "" {
		input = append(input, object{"role": "system", "content": r.System})
	}
	for _, m := range r.Messages {
		if m.Role == User {
			input = append(input, object{"role": "user", "content": textOf(m)})
			continue
		}
		for _, p := range m.Parts {
			switch {
			case p.Kind == Text:
				input = append(input, object{"role": "assistant", "content": p.Text})
			case p.Kind == Reasoning && len(p.Opaque) > 0 && r.History != Never:
				input = append(input, p.Opaque)
			case p.Kind == Call:
				input = append(input, object{"type": "function_call", "call_id": p.ID, "name": p.Name, "arguments": p.Args})
			case p.Kind == Result:
				input = append(input, object{"type": "function_call_output", "call_id": p.ID, "output": p.Text})
			}
		}
	}
	return input
}

// responsesItem is one item of the output.
type responsesItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments text            `json:"arguments"`
	Summary   []responsesText `json:"summary"`
	Content   []responsesText `json:"content"`
	Encrypted string          `json:"encrypted_content"`

	said, args strings.Builder // what has come in pieces
}

type responsesText struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

type responsesObject struct {
	Status     string           `json:"status"`
	Output     []*responsesItem `json:"output"`
	Usage      json.RawMessage  `json:"usage"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

// responsesDecoder reads events. The last one has the whole response; items are kept as well, for gateways whose last one has no output.
type responsesDecoder struct {
	items map[int]*responsesItem
	last  responsesObject
}

func (d *responsesDecoder) add(data []byte) error {
	var e struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	switch e.Type {
	case "", "response": // a whole answer
		return json.Unmarshal(data, &d.last)
	case "response.created", "response.in_progress", "response.completed", "response.incomplete", "response.failed":
		var whole struct {
			Response responsesObject `json:"response"`
		}
		if err := json.Unmarshal(data, &whole); err != nil {
			return err
		}
		d.last = whole.Response
	case "response.output_item.added", "response.output_item.done":
		return d.item(data)
	case "response.output_text.delta", "response.function_call_arguments.delta", "response.refusal.delta":
		return d.piece(e.Type, data)
	}
	return nil
}

func (d *responsesDecoder) item(data []byte) error {
	var e struct {
		Index int            `json:"output_index"`
		Item  *responsesItem `json:"item"`
	}
	if err := json.Unmarshal(data, &e); err != nil || e.Item == nil {
		return err
	}
	if d.items == nil {
		d.items = map[int]*responsesItem{}
	}
	d.items[e.Index] = e.Item
	return nil
}

func (d *responsesDecoder) piece(kind string, data []byte) error {
	var e struct {
		Index int    `json:"output_index"`
		Delta string `json:"delta"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	item := d.items[e.Index]
	switch {
	case item == nil:
	case kind == "response.function_call_arguments.delta":
		item.args.WriteString(e.Delta)
	case kind == "response.output_text.delta":
		item.said.WriteString(e.Delta)
	}
	return nil
}

func (d *responsesDecoder) answer() (*Answer, bool) {
	a := &Answer{Usage: usageOf(d.last.Usage, nil)}
	output := d.last.Output
	if len(output) == 0 {
		for _, at := range sortedKeys(d.items) {
			output = append(output, d.items[at])
		}
	}
	refused := false
	for _, item := range output {
		if item != nil {
			refused = item.appendTo(a) || refused
		}
	}
	ended := true
	switch d.last.Status {
	case "completed":
		a.Finish = Stop
	case "incomplete":
		a.Finish = Length
		if d.last.Incomplete.Reason == "content_filter" {
			a.Finish = Filtered
		}
	case "failed", "cancelled":
		a.Finish = Failed
	default:
		ended = false
	}
	if refused && a.Finish == Stop && !slices.ContainsFunc(a.Parts, func(p Part) bool { return p.Kind != Reasoning }) {
		a.Finish = Filtered
	}
	return a, ended
}

// appendTo adds what the item says, and reports that it is a refusal.
func (i *responsesItem) appendTo(a *Answer) (refused bool) {
	switch i.Type {
	case "message":
		said := ""
		for _, c := range i.Content {
			said += c.Text
			refused = refused || c.Refusal != ""
		}
		if said == "" {
			said = i.said.String()
		}
		if said != "" {
			a.Parts = append(a.Parts, Part{Kind: Text, Text: said})
		}
	case "function_call":
		args := string(i.Arguments)
		if args == "" {
			args = i.args.String()
		}
		a.Parts = append(a.Parts, Part{Kind: Call, ID: i.CallID, Name: i.Name, Args: args})
	case "reasoning":
		a.Parts = append(a.Parts, i.reasoning())
	}
	return refused
}

// reasoning goes back only when it is encrypted: the provider does not know it by its id.
func (i *responsesItem) reasoning() Part {
	p := Part{Kind: Reasoning}
	summary := []object{}
	for _, s := range i.Summary {
		p.Text += s.Text
		summary = append(summary, object{"type": "summary_text", "text": s.Text})
	}
	if i.Encrypted == "" {
		return p
	}
	item := object{"type": "reasoning", "summary": summary, "encrypted_content": i.Encrypted}
	if i.ID != "" {
		item["id"] = i.ID
	}
	if data, err := encode(item); err == nil {
		p.Opaque = data
	}
	return p
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
