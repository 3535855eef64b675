package llm

import (
	"fmt"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// reasoningPolicy is how the reasoning of former replies is sent back in OpenAI's formats: some endpoints refuse a conversation with it, others
// one without it. It is sent as the model gave it until an endpoint refuses that, and then the other way for the rest of the run. It is safe
// for concurrent use.
type reasoningPolicy struct {
	mu   sync.Mutex
	mode wire.History
}

func (p *reasoningPolicy) current() wire.History {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode
}

// adapt changes the policy when a refusal is about it, once, and reports whether the same conversation is worth sending again. Anthropic and
// Gemini demand what they gave, and Responses takes what is encrypted or nothing.
func (p *reasoningPolicy) adapt(e *Error, format wire.Format, messages []wire.Message) bool {
	if format == wire.Messages || format == wire.Gemini {
		return false
	}
	text := strings.ToLower(fmt.Sprint(e.Err))
	if !mentions(text, "reasoning", "thinking", "encrypted") {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode != wire.AsGiven {
		return false
	}
	p.mode = wire.Never
	demanded := mentions(text, "missing", "must be", "required", "absent", "must contain") || !hasReasoning(messages)
	if demanded && format != wire.Responses {
		p.mode = wire.Always
	}
	return true
}

func hasReasoning(messages []wire.Message) bool {
	for _, message := range messages {
		for _, part := range message.Parts {
			if part.Kind == wire.Reasoning {
				return true
			}
		}
	}
	return false
}
