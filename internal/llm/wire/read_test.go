package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/google/go-cmp/cmp"
)

// events writes server-sent events, one a line of data.
func events(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// frame writes one frame of Amazon's event stream.
func frame(t testing.TB, headers map[string]string, payload string) []byte {
	t.Helper()
	m := eventstream.Message{Payload: []byte(payload)}
	for _, name := range []string{":message-type", ":event-type", ":exception-type"} {
		if value, ok := headers[name]; ok {
			m.Headers = append(m.Headers, eventstream.Header{Name: name, Value: eventstream.StringValue(value)})
		}
	}
	var b bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func chunk(t testing.TB, event string) []byte {
	t.Helper()
	payload, err := json.Marshal(map[string][]byte{"bytes": []byte(event)})
	if err != nil {
		t.Fatal(err)
	}
	return frame(t, map[string]string{":message-type": "event", ":event-type": "chunk"}, string(payload))
}

type readCase struct {
	name   string
	format Format
	body   string
	want   Answer
	err    error // nil, or what errors.Is finds
}

func call(id, name, args string) Part { return Part{Kind: Call, ID: id, Name: name, Args: args} }

func chatCases() []readCase {
	return []readCase{
		{"whole", Chat, `{"choices":[{"message":{"content":"hi","reasoning_content":"hm","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"a","function":{"name":"g","arguments":{"x":1}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":5}}}`,
			Answer{Finish: Stop, Usage: &Usage{Input: 9, Cached: 5, Output: 4}, Parts: []Part{{Kind: Reasoning, Text: "hm"}, {Text: "hi"}, call("a", "f", "{}"), call("a", "g", `{"x":1}`)}}, nil},
		{"whole without a reason", Chat, ` {"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, Answer{Parts: []Part{{Text: "ab"}}}, nil},
		{"reasoning beside the completion", Chat, `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":35,"completion_tokens_details":{"reasoning_tokens":20}}}`,
			Answer{Finish: Stop, Usage: &Usage{Input: 10, Output: 25, Reasoning: 20}, Parts: []Part{{Text: "a"}}}, nil},
		{"refused", Chat, `{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}`, Answer{Finish: Filtered}, nil},
		{"calls without an index", Chat, events(`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":1}"}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"g","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, `[DONE]`), Answer{Finish: Stop, Parts: []Part{call("a", "f", `{"x":1}`), call("", "g", "{}")}}, nil},
		{"done without a reason", Chat, events(`{"choices":[{"delta":{"content":"a"}}]}`, `[DONE]`), Answer{Parts: []Part{{Text: "a"}}}, nil},
		{"no empty line at the end", Chat, ": ping\n\ndata: " + `{"choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}`, Answer{Finish: Length, Parts: []Part{{Text: "a"}}}, nil},
		{"usage of nothing at the end", Chat, events(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`, `{"choices":[],"usage":{"prompt_tokens":0}}`),
			Answer{Finish: Stop, Usage: &Usage{Input: 3, Output: 1}, Parts: []Part{{Text: "a"}}}, nil},
		{"no end", Chat, events(`{"choices":[{"delta":{"content":"a"}}]}`), Answer{Parts: []Part{{Text: "a"}}}, ErrCut},
		{"only a mark", Chat, events(`[DONE]`), Answer{}, ErrEmpty},
		{"only comments", Chat, ": ping\n\n: ping\n\n", Answer{}, ErrEmpty},
		{"nothing", Chat, " \n", Answer{}, ErrEmpty},
		{"a signature of Gemini", Chat, `{"choices":[{"message":{"tool_calls":[{"id":"a","extra_content":{"google":{"thought_signature":"s"}},"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			Answer{Finish: Stop, Parts: []Part{{Kind: Call, ID: "a", Name: "f", Args: "{}", Opaque: json.RawMessage(`{"google":{"thought_signature":"s"}}`)}}}, nil},
		{"details in pieces", OpenRouter, events(`{"choices":[{"delta":{"reasoning":"Le","reasoning_details":[{"type":"reasoning.text","text":"Le","index":0}]}}]}`,
			`{"choices":[{"delta":{"reasoning":"t","reasoning_details":[{"type":"reasoning.text","text":"t","signature":"s","index":0},{"type":"reasoning.encrypted","data":"x","index":1}]}}]}`, `{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`),
			Answer{Finish: Stop, Parts: []Part{{Kind: Reasoning, Text: "Let", Opaque: json.RawMessage(`[{"index":0,"signature":"s","text":"Let","type":"reasoning.text"},{"data":"x","index":1,"type":"reasoning.encrypted"}]`)}, {Text: "a"}}}, nil},
	}
}

func responsesCases() []readCase {
	const item = `{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e"}`
	opaque := json.RawMessage(`{"encrypted_content":"e","id":"rs","summary":[{"text":"hm","type":"summary_text"}],"type":"reasoning"}`)
	return []readCase{
		{"whole", Responses, `{"object":"response","status":"completed","error":null,"output":[` + item + `,{"type":"message","content":[{"type":"output_text","text":"hi"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}],"usage":{"input_tokens":7,"output_tokens":3,"output_tokens_details":{"reasoning_tokens":2}}}`,
			Answer{Finish: Stop, Usage: &Usage{Input: 7, Output: 3, Reasoning: 2}, Parts: []Part{{Kind: Reasoning, Text: "hm", Opaque: opaque}, {Text: "hi"}, call("c", "f", "{}")}}, nil},
		{"a last event without output", Responses, events(`{"type":"response.created","response":{"status":"in_progress","output":[]}}`, `{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{}"}`, `{"type":"response.output_item.added","output_index":0,"item":{"type":"message"}}`, `{"type":"response.output_text.delta","output_index":0,"delta":"hi"}`,
			`{"type":"response.of_tomorrow","response":7}`, `{"type":"response.completed","response":{"status":"completed"}}`), Answer{Finish: Stop, Parts: []Part{{Text: "hi"}, call("c", "f", "{}")}}, nil},
		{"incomplete", Responses, `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`, Answer{Finish: Length}, nil},
		{"filtered", Responses, `{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}`, Answer{Finish: Filtered}, nil},
		{"refused", Responses, `{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}`, Answer{Finish: Filtered}, nil},
		{"no end", Responses, events(`{"type":"response.created","response":{"status":"in_progress"}}`), Answer{}, ErrCut},
	}
}

func messagesCases() []readCase {
	thinking := Part{Kind: Reasoning, Text: "hm", Opaque: json.RawMessage(`{"signature":"s","thinking":"hm","type":"thinking"}`)}
	redacted := Part{Kind: Reasoning, Opaque: json.RawMessage(`{"data":"r","type":"redacted_thinking"}`)}
	return []readCase{
		{"whole", Messages, `{"type":"message","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"r"},{"type":"text","text":"hi"},{"type":"of_tomorrow"},{"type":"tool_use","id":"t","name":"f","input":{"x":1}},{"type":"tool_use","id":"u","name":"f","input":"{"}],"stop_reason":"tool_use","usage":{"input_tokens":1,"cache_read_input_tokens":2,"cache_creation_input_tokens":3,"output_tokens":4}}`,
			Answer{Finish: Stop, Usage: &Usage{Input: 6, Cached: 2, Written: 3, Output: 4}, Parts: []Part{thinking, redacted, {Text: "hi"}, call("t", "f", `{"x":1}`), call("u", "f", "{")}}, nil},
		{"stream", Messages, events(`{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1,"cache_read_input_tokens":2,"output_tokens":1}}}`, `{"type":"ping"}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"r"}}`, `{"type":"content_block_stop","index":1}`, `{"type":"of_tomorrow","delta":9}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`, `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`, `{"type":"message_stop"}`),
			Answer{Finish: Stop, Usage: &Usage{Input: 3, Cached: 2, Output: 9}, Parts: []Part{thinking, redacted, call("t", "f", `{"x":1}`)}}, nil},
		{"full context", Messages, `{"content":[{"type":"text","text":"a"}],"stop_reason":"model_context_window_exceeded"}`, Answer{Finish: Length, Parts: []Part{{Text: "a"}}}, nil},
		{"refused", Messages, `{"content":[],"stop_reason":"refusal"}`, Answer{Finish: Filtered}, nil},
		{"no end", Messages, events(`{"type":"message_start","message":{"usage":{"input_tokens":5}}}`), Answer{Usage: &Usage{Input: 5}}, ErrCut},
	}
}

func geminiCases() []readCase {
	return []readCase{
		{"stream", Gemini, events(`{"candidates":[{"content":{"parts":[{"text":"h","thought":true}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1,"totalTokenCount":6}}`, `{"candidates":[{"content":{"parts":[{"text":"m","thought":true}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"h"},{"text":"i"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"x":1}},"thoughtSignature":"t"},{"functionCall":{"id":"1","name":"g"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"cachedContentTokenCount":2,"candidatesTokenCount":3,"thoughtsTokenCount":4,"totalTokenCount":12}}`),
			Answer{Finish: Stop, Usage: &Usage{Input: 5, Cached: 2, Output: 7, Reasoning: 4}, Parts: []Part{
				{Kind: Reasoning, Text: "hm"}, {Text: "hi", Opaque: json.RawMessage(`"s"`)}, {Kind: Call, Name: "f", Args: `{"x":1}`, Opaque: json.RawMessage(`"t"`)}, call("1", "g", ""),
			}}, nil},
		{"a list", Gemini, `[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},{"candidates":[{"finishReason":"MAX_TOKENS"}]}]`, Answer{Finish: Length, Parts: []Part{{Text: "a"}}}, nil},
		{"an unreadable call", Gemini, `{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}`, Answer{Finish: Malformed}, nil},
		{"a blocked prompt", Gemini, `{"promptFeedback":{"blockReason":"SAFETY"}}`, Answer{Finish: Filtered}, nil},
		{"no end", Gemini, events(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`), Answer{Parts: []Part{{Text: "a"}}}, ErrCut},
	}
}

func allCases() (cases []readCase) {
	for _, list := range [][]readCase{chatCases(), responsesCases(), messagesCases(), geminiCases()} {
		cases = append(cases, list...)
	}
	return cases
}

func TestFormat_Read(t *testing.T) {
	for _, test := range allCases() {
		for name, body := range map[string]io.Reader{"at once": strings.NewReader(test.body), "byte by byte": iotest.OneByteReader(strings.NewReader(test.body))} {
			got, err := test.format.Read(body, "")
			if diff := cmp.Diff(&test.want, got); diff != "" || !errors.Is(err, test.err) || test.err == nil && err != nil {
				t.Errorf("format %d, %s, %s: error %v, %s", test.format, test.name, name, err, diff)
			}
		}
	}
}

// An error in an ordinary answer, and one in the middle of a stream, comes out as providers answer with an error status.
func TestFormat_ReadRefusal(t *testing.T) {
	const object = `{"error":{"message":"no"}}`
	for _, test := range []struct {
		format     Format
		body, want string
	}{
		{Chat, object, object},
		{Chat, events(`{"choices":[]}`, object), object},
		{Chat, "event: error\ndata: out of order\n\n", "out of order"},
		{Chat, "event: error\ndata: {\"message\":\"no\"}\n\n", object},
		{Responses, events(`{"type":"error","code":"x","message":"no"}`, `{}`), `{"error":{"type":"error","code":"x","message":"no"}}`},
		{Responses, events(`{"type":"response.failed","response":{"status":"failed","error":{"message":"no"}}}`), object},
		{Messages, events(`{"type":"error","error":{"message":"no"}}`), `{"type":"error","error":{"message":"no"}}`},
		{Gemini, `[` + object + `]`, object},
	} {
		a, err := test.format.Read(strings.NewReader(test.body), "")
		var refusal *Refusal
		if !errors.As(err, &refusal) || string(refusal.Body) != test.want || a == nil {
			t.Errorf("%s: %v %+v", test.body, err, refusal)
		}
	}
}

// Bedrock's frames carry the events of Anthropic, and its own errors.
func TestFormat_ReadFrames(t *testing.T) {
	const kind = "application/vnd.amazon.eventstream"
	start, end := chunk(t, `{"type":"message_start","message":{"content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":5}}}`), chunk(t, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`)
	other := frame(t, map[string]string{":message-type": "event", ":event-type": "ofTomorrow"}, `{}`)
	a, err := Messages.Read(bytes.NewReader(bytes.Join([][]byte{start, other, end}, nil)), kind)
	if diff := cmp.Diff(&Answer{Finish: Stop, Usage: &Usage{Input: 5}, Parts: []Part{{Text: "hi"}}}, a); diff != "" || err != nil {
		t.Errorf("error %v, %s", err, diff)
	}
	failed := frame(t, map[string]string{":message-type": "exception", ":exception-type": "throttlingException"}, `{"message":"later"}`)
	a, err = Messages.Read(bytes.NewReader(append(start, failed...)), kind)
	var refusal *Refusal
	if !errors.As(err, &refusal) || string(refusal.Body) != `{"error":{"message":"later","type":"throttlingException"}}` || a.Usage.Input != 5 {
		t.Errorf("error %v %+v", err, refusal)
	}
	if _, err = Messages.Read(bytes.NewReader(start[:len(start)-3]), kind); err == nil {
		t.Error("a frame without its end is read")
	}
}

// What is no answer is an error, also when it is endless; what happens after the end of a reply is not.
func TestFormat_ReadStrange(t *testing.T) {
	for _, body := range []string{"<html>no</html>", `{"choices":`, events(`{"choices":[{"delta":7}]}`), "\x00\x01"} {
		if a, err := Chat.Read(strings.NewReader(body), ""); err == nil || a == nil {
			t.Errorf("%q is read", body)
		}
	}
	endless := io.MultiReader(strings.NewReader(`{"x":"`), zeros{})
	if _, err := Chat.Read(endless, ""); err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("an endless answer: %v", err)
	}
	if _, err := Chat.Read(io.MultiReader(strings.NewReader("data: "), zeros{}), ""); err == nil {
		t.Error("an endless event is read")
	}
	late := io.MultiReader(strings.NewReader(events(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`)), iotest.ErrReader(io.ErrUnexpectedEOF))
	if a, err := Chat.Read(late, ""); err != nil || len(a.Parts) != 1 {
		t.Errorf("%+v, error %v", a, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// FuzzRead holds that any answer, in any form, is read without a panic, and that what was read can be sent back.
func FuzzRead(f *testing.F) {
	for _, test := range allCases() {
		f.Add(uint8(test.format), false, []byte(test.body))
	}
	f.Add(uint8(Messages), true, append(chunk(f, `{"type":"message_start"}`), frame(f, map[string]string{":message-type": "exception"}, `{}`)...))
	f.Fuzz(func(t *testing.T, number uint8, frames bool, body []byte) {
		format, kind := Format(number%5), ""
		if frames {
			kind = "application/vnd.amazon.eventstream"
		}
		a, err := format.Read(bytes.NewReader(body), kind)
		if a == nil {
			t.Fatalf("no answer, error %v", err)
		}
		for i := range a.Parts {
			if a.Parts[i].Kind == Call {
				a.Parts[i].Args = "{}" // the loop answers arguments that are no object
			}
		}
		if _, err := format.Encode(Request{Messages: []Message{{Role: Assistant, Parts: a.Parts}}}); err != nil {
			t.Errorf("send back %+v: %v", a.Parts, err)
		}
	})
}
