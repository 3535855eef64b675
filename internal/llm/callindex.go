package llm

import (
	"encoding/json"
)

// callIndex gives every tool call of a streamed chat completion an index of its own. The pieces of a call belong together by their index;
// gateways leave it out, or give the same to all calls, and the library would merge what belongs to different ones. Then the id decides,
// and without an id the order.
type callIndex struct {
	ids     []string    // of the calls, by the index given here
	byIndex map[int]int // the call that an index of the gateway means now
}

// deltaCall is what is needed of a piece of a tool call.
type deltaCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// repair returns the event with the right indexes, or nil when they are right.
func (c *callIndex) repair(data []byte) []byte {
	var event map[string]json.RawMessage
	var choices []map[string]json.RawMessage
	if json.Unmarshal(data, &event) != nil || json.Unmarshal(event["choices"], &choices) != nil || len(choices) == 0 {
		return nil
	}
	var delta map[string]json.RawMessage
	var calls []map[string]json.RawMessage
	if json.Unmarshal(choices[0]["delta"], &delta) != nil || json.Unmarshal(delta["tool_calls"], &calls) != nil {
		return nil
	}
	changed := false
	for _, call := range calls {
		var piece deltaCall
		raw, err := json.Marshal(call)
		if err != nil || json.Unmarshal(raw, &piece) != nil {
			return nil
		}
		at := c.place(piece)
		if piece.Index == nil || *piece.Index != at {
			call["index"], changed = mustJSON(at), true
		}
	}
	if !changed {
		return nil
	}
	delta["tool_calls"] = mustJSON(calls)
	choices[0]["delta"] = mustJSON(delta)
	event["choices"] = mustJSON(choices)
	return mustJSON(event)
}

// mustJSON encodes values that were decoded from JSON.
func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}

// place returns the call to which a piece belongs.
func (c *callIndex) place(p deltaCall) int {
	begins := p.Function.Name != ""
	switch {
	case p.Index != nil:
		at, known := c.byIndex[*p.Index]
		other := known && begins && p.ID != "" && c.ids[at] != "" && p.ID != c.ids[at]
		if !known || other {
			at = c.add(p.ID)
			if c.byIndex == nil {
				c.byIndex = map[int]int{}
			}
			c.byIndex[*p.Index] = at
		}
		return at
	case p.ID != "":
		for at, id := range c.ids {
			if id == p.ID {
				return at
			}
		}
		return c.add(p.ID)
	case begins || len(c.ids) == 0:
		return c.add("")
	}
	return len(c.ids) - 1
}

func (c *callIndex) add(id string) int {
	c.ids = append(c.ids, id)
	return len(c.ids) - 1
}
