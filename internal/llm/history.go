package llm

import (
	"encoding/json"
	"fmt"

	"charm.land/fantasy"
)

// history is what was said in a conversation, oldest first. It can be sent in every format: each call has an id of its own, arguments that
// are a JSON object, and one result.
type history struct {
	model    *Model
	messages []fantasy.Message
	keep     int64 // estimated tokens
	ids      map[string]bool
}

func newHistory(m *Model, t Task) *history {
	h := &history{model: m, keep: t.KeepTokens, ids: map[string]bool{}}
	if h.keep <= 0 {
		h.keep = DefaultKeepTokens
		if m.window > 0 { // the estimate may be wrong by a tenth
			h.keep = min(h.keep, max(m.window/4, (m.window-m.config.MaxOutputTokens)*9/10))
		}
	}
	if t.System != "" {
		h.messages = append(h.messages, fantasy.NewSystemMessage(t.System))
	}
	h.user(t.Prompt)
	return h
}

func (h *history) user(text string) { h.messages = append(h.messages, fantasy.NewUserMessage(text)) }

func (h *history) assistant(text string) {
	if text != "" {
		h.append(fantasy.MessageRoleAssistant, []fantasy.MessagePart{fantasy.TextPart{Text: text}})
	}
}

// reply adds a reply. It gives the calls ids that were not used before, also in r, and reports which calls came with the id of another one of
// the same reply.
func (h *history) reply(r *reply) (doubled []bool) {
	inReply := map[string]bool{}
	parts := make([]fantasy.MessagePart, 0, len(r.parts))
	n := 0
	for _, part := range r.parts {
		call, ok := part.(fantasy.ToolCallPart)
		if !ok {
			parts = append(parts, part)
			continue
		}
		doubled = append(doubled, call.ToolCallID != "" && inReply[call.ToolCallID])
		inReply[call.ToolCallID] = true
		call.ToolCallID = h.newID(call.ToolCallID)
		r.calls[n].ToolCallID = call.ToolCallID
		n++
		if !isObject(call.Input) {
			call.Input = "{}" // providers refuse a conversation with arguments that they cannot read
		}
		parts = append(parts, call)
	}
	h.append(fantasy.MessageRoleAssistant, parts)
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

func (h *history) results(parts []fantasy.MessagePart) { h.append(fantasy.MessageRoleTool, parts) }

func (h *history) append(role fantasy.MessageRole, parts []fantasy.MessagePart) {
	h.messages = append(h.messages, fantasy.Message{Role: role, Content: parts})
}

// prompt returns what is sent, after dropping what is bulky in old messages while the whole is above the budget. Once something has to go, a
// third of the budget is freed, so that the rest stays the same, and cached, for many steps. The newest calls and results always stay.
func (h *history) prompt() (prompt fantasy.Prompt, dropped int) {
	if h.size() > h.keep {
		dropped = h.prune(h.keep * 2 / 3)
	}
	return h.model.dialect.cacheMessages(h.messages), dropped
}

// squeeze halves the budget, and reports whether that made the conversation shorter.
func (h *history) squeeze() bool {
	h.keep = min(h.keep, h.size()) / 2
	return h.prune(h.keep) > 0
}

// prune returns how many messages it made shorter.
func (h *history) prune(target int64) (dropped int) {
	total := h.size()
	newest := h.lastTool() - 1 // the calls that the last results answer
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
	parts := make([]fantasy.MessagePart, len(h.messages[at].Content))
	for i, part := range h.messages[at].Content {
		switch p := part.(type) {
		case fantasy.ToolResultPart:
			if len(outputText(p.Output)) > bulky {
				p.Output = fantasy.ToolResultOutputContentText{Text: droppedNote}
			}
			part = p
		case fantasy.ToolCallPart:
			p.Input = withoutBulk(p.Input)
			part = p
		}
		parts[i] = part
	}
	h.messages[at].Content = parts
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
	return string(mustJSON(args))
}

func (h *history) lastTool() int {
	for i := len(h.messages) - 1; i >= 0; i-- {
		if h.messages[i].Role == fantasy.MessageRoleTool {
			return i
		}
	}
	return 0
}

func (h *history) size() int64 {
	var total int64
	for _, message := range h.messages {
		total += tokensOf(message)
	}
	return total
}

func tokensOf(m fantasy.Message) int64 {
	var total int64 = 4
	for _, part := range m.Content {
		total += tokensOfPart(part)
	}
	return total
}

// tokensOfPart estimates: about four bytes of source or English a token.
func tokensOfPart(part fantasy.MessagePart) int64 {
	bytes := 0
	switch p := part.(type) {
	case fantasy.TextPart:
		bytes = len(p.Text)
	case fantasy.ReasoningPart:
		bytes = len(p.Text)
	case fantasy.ToolCallPart:
		bytes = len(p.Input) + len(p.ToolName)
	case fantasy.ToolResultPart:
		bytes = len(outputText(p.Output))
	}
	return int64(bytes)/4 + 8
}

func outputText(output fantasy.ToolResultOutputContent) string {
	switch o := output.(type) {
	case fantasy.ToolResultOutputContentText:
		return o.Text
	case fantasy.ToolResultOutputContentError:
		return o.Error.Error()
	}
	return ""
}
