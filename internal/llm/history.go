package llm

import (
	"charm.land/fantasy"
)

// history is what was said in a conversation, oldest first.
type history struct {
	model    *Model
	messages []fantasy.Message
	keep     int64 // estimated tokens
}

func newHistory(m *Model, t Task) *history {
	h := &history{model: m, keep: t.KeepTokens}
	if h.keep <= 0 {
		h.keep = DefaultKeepTokens
		if m.window > 0 {
			h.keep = m.window * 3 / 4
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

func (h *history) reply(r *reply) { h.append(fantasy.MessageRoleAssistant, r.parts) }

func (h *history) results(parts []fantasy.MessagePart) { h.append(fantasy.MessageRoleTool, parts) }

func (h *history) append(role fantasy.MessageRole, parts []fantasy.MessagePart) {
	h.messages = append(h.messages, fantasy.Message{Role: role, Content: parts})
}

// prompt returns what is sent, after dropping results of old tool calls while the whole is above the budget. Once something has to go, a
// third of the budget is freed, so that the rest stays the same, and cached, for many steps. The newest results always stay.
func (h *history) prompt() (prompt fantasy.Prompt, dropped int) {
	total := h.size()
	if total > h.keep {
		target := h.keep * 2 / 3
		last := h.lastTool()
		for i := range h.messages {
			if total <= target || i >= last {
				break
			}
			saved := h.drop(i)
			total -= saved
			if saved > 0 {
				dropped++
			}
		}
	}
	return h.model.dialect.cacheMessages(h.messages), dropped
}

const droppedNote = "[This result was dropped to save space. Call the tool again if you need it.]"

// drop replaces the results and the bulky arguments in a message by a note, and returns the tokens saved.
func (h *history) drop(at int) int64 {
	before := tokensOf(h.messages[at])
	parts := make([]fantasy.MessagePart, len(h.messages[at].Content))
	for i, part := range h.messages[at].Content {
		if result, ok := part.(fantasy.ToolResultPart); ok && tokensOfPart(result) > 100 {
			result.Output = fantasy.ToolResultOutputContentText{Text: droppedNote}
			part = result
		}
		parts[i] = part
	}
	h.messages[at].Content = parts
	return before - tokensOf(h.messages[at])
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
