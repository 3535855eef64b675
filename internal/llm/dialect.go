package llm

import (
	"strings"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/google"
	"charm.land/fantasy/providers/openai"
	"charm.land/fantasy/providers/openaicompat"
	"charm.land/fantasy/providers/openrouter"
)

// dialect is what a wire format wants said in its own way: reasoning effort and marks for the cache.
type dialect struct {
	wire     wireFormat
	name     string // the key of the provider's options
	effort   string
	upstream []string
}

func newDialect(c Config, known provider) dialect {
	d := dialect{wire: known.wire, name: known.id, effort: c.ReasoningEffort, upstream: c.Upstreams}
	switch {
	case known.id == "gemini-enterprise" && (strings.Contains(c.Model, "claude") || strings.Contains(c.Model, "anthropic")):
		d.wire = wireAnthropic
	case known.id == "gemini-enterprise" && c.openModelOnVertex():
		d.wire = wireChat
	case known.wire == wireChat && (c.Responses || known.id == "copilot" && strings.HasPrefix(c.Model, "gpt-5")):
		d.wire = wireResponses
	}
	return d
}

// options returns what goes with every request.
func (d dialect) options() fantasy.ProviderOptions {
	switch d.wire {
	case wireAnthropic:
		o := &anthropic.ProviderOptions{}
		if d.effort != "" && d.effort != "none" {
			effort := anthropic.Effort(d.effort)
			o.Effort = &effort
		}
		return fantasy.ProviderOptions{anthropic.Name: o}
	case wireGemini:
		o := &google.ProviderOptions{}
		if d.effort != "" && d.effort != "none" {
			level := google.ThinkingLevel(strings.ToUpper(d.effort))
			o.ThinkingConfig = &google.ThinkingConfig{ThinkingLevel: &level}
		}
		return fantasy.ProviderOptions{google.Name: o}
	case wireResponses:
		o := &openai.ResponsesProviderOptions{}
		if d.effort != "" {
			effort := openai.ReasoningEffort(d.effort)
			o.ReasoningEffort = &effort
		}
		return fantasy.ProviderOptions{openai.Name: o}
	case wireOpenRouter:
		o := &openrouter.ProviderOptions{}
		if d.effort != "" {
			effort := openrouter.ReasoningEffort(d.effort)
			o.Reasoning = &openrouter.ReasoningOptions{Effort: &effort}
		}
		if len(d.upstream) > 0 {
			o.Provider = &openrouter.Provider{Only: d.upstream}
		}
		return fantasy.ProviderOptions{openrouter.Name: o}
	}
	o := &openaicompat.ProviderOptions{}
	if d.effort != "" {
		effort := openai.ReasoningEffort(d.effort)
		o.ReasoningEffort = &effort
	}
	return fantasy.ProviderOptions{d.name: o}
}

func ephemeral() fantasy.ProviderOptions {
	return anthropic.NewProviderCacheControlOptions(&anthropic.ProviderCacheControlOptions{CacheControl: anthropic.CacheControl{Type: "ephemeral"}})
}

// cacheTools marks the end of the tools, which are the same for all pages, for Anthropic's cache. Others cache equal beginnings by themselves.
func (d dialect) cacheTools(tools []fantasy.Tool) {
	if d.wire != wireAnthropic || len(tools) == 0 {
		return
	}
	last := tools[len(tools)-1].(fantasy.FunctionTool)
	last.ProviderOptions = ephemeral()
	tools[len(tools)-1] = last
}

// cacheMessages returns the messages with marks on the instructions and on the last two messages, so that each step reads what the one
// before has written. Four marks are allowed, with that of the tools.
func (d dialect) cacheMessages(messages []fantasy.Message) fantasy.Prompt {
	prompt := append(fantasy.Prompt(nil), messages...)
	if d.wire != wireAnthropic {
		return prompt
	}
	for i := range prompt {
		if prompt[i].Role == fantasy.MessageRoleSystem || i >= len(prompt)-2 {
			prompt[i].ProviderOptions = ephemeral()
		}
	}
	return prompt
}

// maxUnstreamed is what Anthropic's client lets through without a stream: more may take longer than connections live.
const maxUnstreamed = 21_000

// call returns the request for a question.
func (m *Model) call(q question, stream bool) fantasy.Call {
	prompt := q.prompt
	if m.dialect.wire == wireChat {
		prompt = m.reasoning.apply(prompt)
	}
	call := fantasy.Call{Prompt: prompt, Tools: q.tools, Temperature: m.config.Temperature, ProviderOptions: m.dialect.options()}
	most := m.config.MaxOutputTokens
	if m.dialect.wire == wireAnthropic && !stream {
		most = min(most, maxUnstreamed)
	}
	call.MaxOutputTokens = &most
	if q.mustCall && m.dialect.canRequire() {
		required := fantasy.ToolChoiceRequired
		call.ToolChoice = &required
	}
	return call
}

// canRequire reports that a tool call can be demanded. Compatible endpoints differ in that, Anthropic refuses it of a model that thinks, and
// OpenRouter has both behind it.
func (d dialect) canRequire() bool { return d.wire == wireResponses || d.wire == wireGemini }
