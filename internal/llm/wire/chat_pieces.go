package wire

import (
	"encoding/json"
	"strings"
)

// chatCall is a piece of a tool call, or a whole one.
type chatCall struct {
	Index    *int            `json:"index"`
	ID       string          `json:"id"`
	Extra    json.RawMessage `json:"extra_content"` // Gemini's signatures behind its compatible endpoint
	Function struct {
		Name      string `json:"name"`
		Arguments text   `json:"arguments"`
	} `json:"function"`
}

type openCall struct {
	id, name string
	args     strings.Builder
	extra    json.RawMessage
}

// chatCalls puts tool calls together. The pieces of a call belong together by their index; gateways leave it out, or give the same to all
// calls. Then the id decides, and without an id the order.
type chatCalls struct {
	list    []*openCall
	byIndex map[int]*openCall
}

func (c *chatCalls) add(piece chatCall, whole bool) {
	var call *openCall
	if whole {
		call = c.begin()
	} else {
		call = c.place(piece)
	}
	if call.id == "" {
		call.id = piece.ID
	}
	if call.name == "" {
		call.name = piece.Function.Name
	}
	if !isNull(piece.Extra) {
		call.extra = piece.Extra
	}
	call.args.WriteString(string(piece.Function.Arguments))
}

// place returns the call to which a piece belongs.
func (c *chatCalls) place(p chatCall) *openCall {
	begins := p.Function.Name != ""
	switch {
	case p.Index != nil:
		call := c.byIndex[*p.Index]
		if call == nil || begins && p.ID != "" && call.id != "" && p.ID != call.id {
			call = c.begin()
			if c.byIndex == nil {
				c.byIndex = map[int]*openCall{}
			}
			c.byIndex[*p.Index] = call
		}
		return call
	case p.ID != "":
		for _, call := range c.list {
			if call.id == p.ID {
				return call
			}
		}
		return c.begin()
	case begins || len(c.list) == 0:
		return c.begin()
	}
	return c.list[len(c.list)-1]
}

func (c *chatCalls) begin() *openCall {
	call := &openCall{}
	c.list = append(c.list, call)
	return call
}

// reasoningDetails are OpenRouter's form of reasoning, which goes back as it came: with signatures, or encrypted. In a stream a detail comes
// in pieces of the same type and index, one after the other.
type reasoningDetails struct{ list []object }

func (d *reasoningDetails) add(pieces []json.RawMessage) {
	for _, raw := range pieces {
		var piece object
		if json.Unmarshal(raw, &piece) != nil || piece == nil {
			continue
		}
		if n := len(d.list); n > 0 && piece["index"] != nil && d.list[n-1]["type"] == piece["type"] && d.list[n-1]["index"] == piece["index"] {
			extend(d.list[n-1], piece)
			continue
		}
		d.list = append(d.list, piece)
	}
}

// extend adds a piece to a detail: texts grow, everything else is what was said last.
func extend(detail, piece object) {
	for name, value := range piece {
		before, _ := detail[name].(string)
		more, isText := value.(string)
		switch {
		case isText && (name == "text" || name == "summary" || name == "data"):
			detail[name] = before + more
		case value != nil:
			detail[name] = value
		}
	}
}

func (d *reasoningDetails) encode() json.RawMessage {
	if len(d.list) == 0 {
		return nil
	}
	data, err := encode(d.list)
	if err != nil {
		return nil // values that were decoded from JSON can be encoded
	}
	return data
}
