package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// facts are what an answer says and the libraries do not pass on, or read wrongly: usage where it is repeated, the output limit beside tool
// calls, arguments that were no JSON, and that there was no content at all.
type facts struct {
	usage     *wireUsage
	data      bool // something was sent
	ended     bool // the answer came to its end
	broke     error
	otherWay  bool // whole though a stream was asked for, or a stream though it was not
	truncated bool
	filtered  bool
	malformed bool // a tool call that could not be read, which Gemini reports without showing it
}

// wireUsage is usage in the terms of Usage.
type wireUsage struct {
	input, cached, written, output, reasoning int64
	cost                                      float64
}

// answerFacts are the parts of answers, in any format, that hold facts.
type answerFacts struct {
	Type    string          `json:"type"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // Anthropic's start holds usage, and a text in the errors of Responses
	Usage   json.RawMessage `json:"usage"`

	Response *struct {
		Error json.RawMessage `json:"error"`
		Usage json.RawMessage `json:"usage"`
	} `json:"response"`

	UsageMetadata *geminiUsage `json:"usageMetadata"`
	Candidates    []struct {
		FinishReason string `json:"finishReason"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
}

type geminiUsage struct {
	Prompt     int64 `json:"promptTokenCount"`
	ToolUse    int64 `json:"toolUsePromptTokenCount"`
	Cached     int64 `json:"cachedContentTokenCount"`
	Candidates int64 `json:"candidatesTokenCount"`
	Thoughts   int64 `json:"thoughtsTokenCount"`
	Total      int64 `json:"totalTokenCount"`
}

// objectUsage is the usage of the other three: chat completions and Responses count what was cached as input, Anthropic counts it beside.
type objectUsage struct {
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

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// whole learns from an answer that is not streamed.
func (x *exchange) whole(wire wireFormat, kind string, data []byte) {
	streamed := kind == "text/event-stream"
	x.learn(func(f *facts) {
		f.data, f.ended = len(bytes.TrimSpace(data)) > 0, true
		f.otherWay = f.data && (streamed || x.stream)
	}, nil)
	if !streamed {
		x.look(wire, data)
	}
}

// look learns from one event, or a whole answer. It returns the error in it, nil when there is none.
func (x *exchange) look(wire wireFormat, data []byte) {
	var a answerFacts
	if json.Unmarshal(data, &a) != nil {
		return // the library says what is wrong with it
	}
	var failure []byte
	switch {
	case !isNull(a.Error):
		failure = data
	case a.Response != nil && !isNull(a.Response.Error):
		failure = []byte(`{"error":` + string(a.Response.Error) + `}`)
	case wire == wireResponses && a.Type == "error":
		failure = []byte(`{"error":` + string(data) + `}`)
	}
	x.learn(func(f *facts) {
		f.gemini(a)
		f.count(wire, a)
	}, failure)
}

func (f *facts) gemini(a answerFacts) {
	if a.PromptFeedback.BlockReason != "" {
		f.filtered = true
	}
	if len(a.Candidates) > 0 {
		switch a.Candidates[0].FinishReason {
		case "MAX_TOKENS":
			f.truncated = true
		case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
			f.malformed = true
		case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII":
			f.filtered = true
		}
	}
	if u := a.UsageMetadata; u != nil && u.Prompt+u.Candidates > 0 {
		output := u.Candidates
		if u.Prompt+u.ToolUse+u.Candidates != u.Total { // else thoughts are counted already
			output += u.Thoughts
		}
		f.usage = &wireUsage{input: u.Prompt + u.ToolUse, cached: u.Cached, output: output, reasoning: u.Thoughts}
	}
}

func (f *facts) count(wire wireFormat, a answerFacts) {
	raw := a.Usage
	switch {
	case a.Response != nil:
		raw = a.Response.Usage
	case a.Type == "message_start":
		var start struct {
			Usage json.RawMessage `json:"usage"`
		}
		_ = json.Unmarshal(a.Message, &start) // without usage nothing is counted
		raw = start.Usage
	}
	var u objectUsage
	if isNull(raw) || json.Unmarshal(raw, &u) != nil {
		return
	}
	if wire == wireAnthropic {
		f.countAnthropic(u)
		return
	}
	counted := &wireUsage{
		input: u.PromptTokens + u.InputTokens, output: u.CompletionTokens + u.OutputTokens, cost: u.Cost,
		cached: max(u.PromptDetails.Cached, u.InputTokensDetails.Cached, u.CacheHit), written: u.PromptDetails.CacheWrite,
		reasoning: max(u.OutputDetails.Reasoning, u.OutputTokensDetails.Reasoning),
	}
	// Some count reasoning beside the completion: then the total is the sum of the three.
	if counted.reasoning > 0 && u.TotalTokens == counted.input+counted.output+counted.reasoning {
		counted.output += counted.reasoning
	}
	f.usage = counted
}

// countAnthropic adds the second of the two reports of a stream, which repeats or completes the first.
func (f *facts) countAnthropic(u objectUsage) {
	if f.usage == nil {
		f.usage = &wireUsage{}
	}
	cached, written := max(f.usage.cached, u.CacheRead), max(f.usage.written, u.CacheWrite)
	plain := max(f.usage.input-f.usage.cached-f.usage.written, u.InputTokens)
	f.usage = &wireUsage{input: plain + cached + written, cached: cached, written: written, output: max(f.usage.output, u.OutputTokens)}
}

// tap passes a stream of events on, line by line, and learns from it. On the way comments are left out, with which gateways keep connections
// alive and which not every library expects, and tool calls of chat completions are repaired.
type tap struct {
	body   io.ReadCloser
	lines  *bufio.Reader
	x      *exchange
	wire   wireFormat
	calls  callIndex
	open   bool // an event has begun
	ready  []byte
	failed error
}

func newTap(body io.ReadCloser, x *exchange, wire wireFormat) *tap {
	return &tap{body: body, lines: bufio.NewReaderSize(body, 32<<10), x: x, wire: wire}
}

func (t *tap) Read(p []byte) (int, error) {
	for len(t.ready) == 0 {
		if t.failed != nil {
			return 0, t.failed
		}
		line, err := t.lines.ReadBytes('\n')
		t.failed = err
		t.ready = t.line(line)
		switch {
		case err == io.EOF:
			t.x.learn(func(f *facts) { f.ended = true }, nil)
		case err != nil:
			t.x.learn(func(f *facts) { f.broke = err }, nil)
		}
	}
	n := copy(p, t.ready)
	t.ready = t.ready[n:]
	return n, nil
}

func (t *tap) Close() error { return t.body.Close() }

// line looks at one line and returns it as it is passed on.
func (t *tap) line(line []byte) []byte {
	text := bytes.TrimRight(line, "\r\n")
	switch {
	case len(text) == 0 && !t.open, len(text) > 0 && text[0] == ':':
		return nil
	case len(text) == 0:
		t.open = false
		return line
	}
	t.open = true
	data, ok := bytes.CutPrefix(text, []byte("data:"))
	if !ok {
		return line
	}
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return line
	}
	t.x.learn(func(f *facts) { f.data = true }, nil)
	if t.wire == wireGemini || bytes.Contains(data, []byte(`"usage"`)) || bytes.Contains(data, []byte(`"error"`)) {
		t.x.look(t.wire, data)
	}
	if (t.wire == wireChat || t.wire == wireOpenRouter) && bytes.Contains(data, []byte(`"tool_calls"`)) {
		if repaired := t.calls.repair(data); repaired != nil {
			return append(append([]byte("data: "), repaired...), '\n')
		}
	}
	return line
}
