package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

type object = map[string]any

// encode is json.Marshal without the escapes for HTML, of which source code would need many. Keys are in a fixed order, so that what is sent
// again is the same and providers find it in their caches.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// text is a string in most answers. Some gateways send null, a list of parts with texts, or, for arguments, the object itself.
type text string

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (t *text) UnmarshalJSON(data []byte) error {
	var plain string
	var parts []struct {
		Text string `json:"text"`
	}
	switch {
	case string(data) == "null":
	case json.Unmarshal(data, &plain) == nil:
		*t = text(plain)
	case data[0] == '[' && json.Unmarshal(data, &parts) == nil && len(parts) > 0 && parts[0].Text != "":
		var b strings.Builder
		for _, part := range parts {
			b.WriteString(part.Text)
		}
		*t = text(b.String())
	default:
		*t = text(data)
	}
	return nil
}

// tokenUsage is the usage of OpenAI's and Anthropic's formats: the former count what was cached as input, the latter beside it.
type tokenUsage struct {
	PromptTokens     int64       `json:"prompt_tokens"`
	CompletionTokens int64       `json:"completion_tokens"`
	PromptDetails    tokenDetail `json:"prompt_tokens_details"`
	OutputDetails    tokenDetail `json:"completion_tokens_details"`
	TotalTokens      int64       `json:"total_tokens"`
	CacheHit         int64       `json:"prompt_cache_hit_tokens"` // DeepSeek
	Cost             float64     `json:"cost"`                    // OpenRouter

	InputTokens         int64       `json:"input_tokens"`
	OutputTokens        int64       `json:"output_tokens"`
	InputTokensDetails  tokenDetail `json:"input_tokens_details"`
	OutputTokensDetails tokenDetail `json:"output_tokens_details"`

	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
}

type tokenDetail struct {
	Cached     int64 `json:"cached_tokens"`
	CacheWrite int64 `json:"cache_write_tokens"`
	Reasoning  int64 `json:"reasoning_tokens"`
}

// usageOf reads OpenAI's usage; the last one that says something counts.
func usageOf(raw json.RawMessage, before *Usage) *Usage {
	var u tokenUsage
	if isNull(raw) {
		return before
	}
	_ = json.Unmarshal(raw, &u) // a strange figure must not spoil an answer
	counted := &Usage{
		Input: u.PromptTokens + u.InputTokens, Output: u.CompletionTokens + u.OutputTokens, CostUSD: u.Cost,
		Cached: max(u.PromptDetails.Cached, u.InputTokensDetails.Cached, u.CacheHit), Written: u.PromptDetails.CacheWrite,
		Reasoning: max(u.OutputDetails.Reasoning, u.OutputTokensDetails.Reasoning),
	}
	// Some count reasoning beside the completion: then the total is the sum of the three.
	if counted.Reasoning > 0 && u.TotalTokens == counted.Input+counted.Output+counted.Reasoning {
		counted.Output += counted.Reasoning
	}
	if counted.Input+counted.Output == 0 && before != nil {
		return before
	}
	return counted
}
