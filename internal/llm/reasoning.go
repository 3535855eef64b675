package llm

import (
	"fmt"
	"strings"
	"sync"

	"charm.land/fantasy"
)

// reasoningPolicy is how the reasoning of former replies is sent back in chat completions, as the field reasoning_content: some endpoints
// refuse a conversation with it, others one without it. It is sent as the model gave it until an endpoint refuses that, and then the other
// way for the rest of the run. It is safe for concurrent use.
type reasoningPolicy struct {
	mu   sync.Mutex
	mode reasoningMode
}

type reasoningMode int

const (
	reasoningAsGiven reasoningMode = iota
	reasoningNever
	reasoningAlways // with every tool call, empty where there was none
)

func (p *reasoningPolicy) current() reasoningMode {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode
}

// adapt changes the policy when a refusal is about it, once, and reports whether the same conversation is worth sending again.
func (p *reasoningPolicy) adapt(e *Error, prompt fantasy.Prompt) bool {
	text := strings.ToLower(fmt.Sprint(e.Err))
	if !strings.Contains(text, "reasoning") && !strings.Contains(text, "thinking") {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode != reasoningAsGiven {
		return false
	}
	p.mode = reasoningNever
	if mentions(text, "missing", "must be", "required", "absent", "must contain") || !hasReasoning(prompt) {
		p.mode = reasoningAlways
	}
	return true
}

func hasReasoning(prompt fantasy.Prompt) bool {
	for _, message := range prompt {
		for _, part := range message.Content {
			if _, ok := part.(fantasy.ReasoningPart); ok {
				return true
			}
		}
	}
	return false
}

// apply returns the conversation as the endpoint wants it.
func (p *reasoningPolicy) apply(prompt fantasy.Prompt) fantasy.Prompt {
	mode := p.current()
	if mode == reasoningAsGiven {
		return prompt
	}
	out := make(fantasy.Prompt, len(prompt))
	for i, message := range prompt {
		if message.Role == fantasy.MessageRoleAssistant {
			message.Content = withReasoning(message.Content, mode)
		}
		out[i] = message
	}
	return out
}

func withReasoning(parts []fantasy.MessagePart, mode reasoningMode) []fantasy.MessagePart {
	var out []fantasy.MessagePart
	given, calls := false, false
	for _, part := range parts {
		switch part.(type) {
		case fantasy.ReasoningPart:
			if mode == reasoningNever {
				continue
			}
			given = true
		case fantasy.ToolCallPart:
			calls = true
		}
		out = append(out, part)
	}
	if mode == reasoningAlways && calls && !given {
		out = append([]fantasy.MessagePart{fantasy.ReasoningPart{}}, out...)
	}
	return out
}
