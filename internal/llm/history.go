package llm

import (
	"encoding/json"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// history is what was said in a conversation, oldest first. It can be sent in every format: each call has an id of its own, arguments that
// are a JSON object, and one result.
type history struct {
	messages []wire.Message
	system   int64 // estimated tokens of the instructions
	keep     int64 // estimated tokens
	ids      map[string]bool
}

func newHistory(m *Model, t Task) *history {
	h := &history{keep: t.KeepTokens, ids: map[string]bool{}}
	if h.keep <= 0 {
		h.keep = DefaultKeepTokens
		if m.window > 0 { // the estimate may be wrong by a tenth
			h.keep = min(h.keep, max(m.window/4, (m.window-m.config.MaxOutputTokens)*9/10))
		}
	}
	h.system = tokensOf(wire.Message{Parts: []wire.Part{{Text: t.System}}})
	h.user(t.Prompt)
	return h
}

func (h *history) user(text string) { h.append(wire.User, []wire.Part{{Kind: wire.Text, Text: text}}) }

func (h *history) assistant(text string) {
	if text != "" {
		h.append(wire.Assistant, []wire.Part{{Kind: wire.Text, Text: text}})
	}
}

// reply adds a reply. It gives the calls ids that were not used before, also in r, and reports which calls came with the id of another one of
// the same reply.
func (h *history) reply(r *reply) (doubled []bool) {
	inReply := map[string]bool{}
	parts := make([]wire.Part, len(r.parts))
	for i, part := range r.parts {
		parts[i] = part
		if part.Kind != wire.Call {
			continue
		}
		n := len(doubled)
		doubled = append(doubled, part.ID != "" && inReply[part.ID])
		inReply[part.ID] = true
		parts[i].ID, parts[i].Invented = h.newID(part.ID), part.ID == ""
		r.calls[n].ID = parts[i].ID
		if !isObject(part.Args) {
			parts[i].Args = "{}" // providers refuse a conversation with arguments that they cannot read
		}
	}
	h.append(wire.Assistant, parts)
	return doubled
}

func (h *history) newID(id string) string {
	if id == "" {
		id = "call"
	}
	unique := id
	for n := 2; h.ids[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", id, n)
	}
	h.ids[unique] = true
	return unique
}

func isObject(text string) bool {
	var o map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &o) == nil && o != nil
}

func (h *history) results(parts []wire.Part) { h.append(wire.Results, parts) }

func (h *history) append(role wire.Role, parts []wire.Part) {
	h.messages = append(h.messages, wire.Message{Role: role, Parts: parts})
}

// prompt returns what is sent, after dropping what is bulky in old messages while the whole is above the budget. Once something has to go, a
// third of the budget is freed, so that the rest stays the same, and cached, for many steps. The newest calls and results always stay.
func (h *history) prompt() (messages []wire.Message, dropped int) {
	if h.size() > h.keep {
		dropped = h.prune(h.keep * 2 / 3)
	}
	return h.messages, dropped
}

// squeeze halves the budget, and reports whether that made the conversation shorter.
func (h *history) squeeze() bool {
	h.keep = min(h.keep, h.size()) / 2
	return h.prune(h.keep) > 0
}

// prune returns how many messages it made shorter.
func (h *history) prune(target int64) (dropped int) {
	total := h.size()
	newest := h.lastResults() - 1 // the calls that the last results answer
	for i := range h.messages {
		if total <= target || i >= newest {
			break
		}
		saved := h.drop(i)
		total -= saved
		if saved > 0 {
			dropped++
		}
	}
	return dropped
}

const (
	droppedNote = "[This result was dropped to save space. Call the tool again if you need it.]"
	droppedText = "[dropped to save space]"
	bulky       = 400 // bytes
)

// drop replaces bulky results, and bulky texts in arguments, in a message by a note, and returns the tokens saved.
func (h *history) drop(at int) int64 {
	before := tokensOf(h.messages[at])
	parts := make([]wire.Part, len(h.messages[at].Parts))
	for i, part := range h.messages[at].Parts {
		switch {
		case part.Kind == wire.Result && len(part.Text) > bulky:
			part.Text, part.IsError = droppedNote, false
		case part.Kind == wire.Call:
			part.Args = withoutBulk(part.Args)
		}
		parts[i] = part
	}
	h.messages[at].Parts = parts
	return before - tokensOf(h.messages[at])
}

// withoutBulk shortens the texts in arguments; they stay an object with the same keys.
func withoutBulk(input string) string {
	if len(input) <= bulky {
		return input
	}
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &args) != nil {
		return "{}"
	}
	for name, value := range args {
		if len(value) > bulky/2 {
			args[name] = json.RawMessage(`"` + droppedText + `"`)
		}
	}
	short, err := json.Marshal(args)
	if err != nil {
		return "{}"
	}
	return string(short)
}

func (h *history) lastResults() int {
	for i := len(h.messages) - 1; i >= 0; i-- {
		if h.messages[i].Role == wire.Results {
			return i
		}
	}
	return 0
}

func (h *history) size() int64 {
	total := h.system
	for _, message := range h.messages {
		total += tokensOf(message)
	}
	return total
}

// tokensOf estimates: about four bytes of source or English a token. Signatures and encrypted reasoning are not counted as input.
func tokensOf(m wire.Message) int64 {
	var total int64 = 4
	for _, p := range m.Parts {
		bytes := len(p.Text) + len(p.Args)
		if p.Kind == wire.Call {
			bytes += len(p.Name)
		}
		total += int64(bytes)/4 + 8
	}
	return total
}
