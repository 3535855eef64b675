package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// conversation has everything that can go back.
func conversation() Request {
	half := 0.5
	return Request{
		Model: "m", System: "Be <brief>.", MaxTokens: 100, Effort: "low", Temperature: &half, MustCall: true, Stream: true,
		Tools: []Tool{{Name: "f", Description: "does", Schema: raw(`{"type":"object"}`)}},
		Messages: []Message{
			{Role: User, Parts: []Part{{Text: "Go."}}},
			{Role: Assistant, Parts: []Part{{Kind: Reasoning, Text: "hm"}, {Text: "Yes."}, {Kind: Call, ID: "a", Name: "f", Args: `{"x":"<"}`}, {Kind: Call, ID: "b", Name: "f", Args: `{}`, Invented: true}}},
			{Role: Results, Parts: []Part{{Kind: Result, ID: "a", Name: "f", Text: "one"}, {Kind: Result, ID: "b", Name: "f", Text: "two", IsError: true}}},
			{Role: User, Parts: []Part{{Text: "On."}}},
		},
	}
}

// withOpaque gives the parts of the reply what a provider wants back with them.
func withOpaque(r Request, reasoning, text, call string) Request {
	parts := r.Messages[1].Parts
	for i, opaque := range []string{reasoning, text, call} {
		if opaque != "" {
			parts[i].Opaque = raw(opaque)
		}
	}
	return r
}

func TestFormat_Encode(t *testing.T) {
	const tool = `{"description":"does","name":"f","parameters":{"type":"object"}}`
	bedrock := withOpaque(conversation(), `{"type":"thinking","thinking":"hm","signature":"s"}`, "", "")
	bedrock.Cloud = "bedrock-2023-05-31"
	claude := withOpaque(conversation(), `{"type":"redacted_thinking","data":"d"}`, "", "")
	never := conversation()
	never.History = Never
	router := withOpaque(conversation(), `[{"type":"reasoning.text"}]`, "", "")
	router.Upstreams = []string{"x"}
	const turns = `{"content":[{"text":"Go.","type":"text"}],"role":"user"},{"content":[THINKING,{"text":"Yes.","type":"text"},{"id":"a","input":{"x":"<"},"name":"f","type":"tool_use"},{"cache_control":{"type":"ephemeral"},"id":"b","input":{},"name":"f","type":"tool_use"}],"role":"assistant"},` +
		`{"content":[{"content":"one","tool_use_id":"a","type":"tool_result"},{"content":"two","is_error":true,"tool_use_id":"b","type":"tool_result"},{"cache_control":{"type":"ephemeral"},"text":"On.","type":"text"}],"role":"user"}`
	const claudeRest = `"output_config":{"effort":"low"},STREAM"system":[{"cache_control":{"type":"ephemeral"},"text":"Be <brief>.","type":"text"}],"temperature":0.5,"thinking":{"type":"adaptive"},"tools":[{"cache_control":{"type":"ephemeral"},"description":"does","input_schema":{"type":"object"},"name":"f"}]}`
	const chat = `{"max_tokens":100,"messages":[{"content":"Be <brief>.","role":"system"},{"content":"Go.","role":"user"},{"content":"Yes.",REASONING"role":"assistant","tool_calls":[{"function":{"arguments":"{\"x\":\"<\"}","name":"f"},"id":"a","type":"function"},{"function":{"arguments":"{}","name":"f"},"id":"b","type":"function"}]},` +
		`{"content":"one","role":"tool","tool_call_id":"a"},{"content":"two","role":"tool","tool_call_id":"b"},{"content":"On.","role":"user"}],"model":"m",EFFORT"stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"tool_choice":"required","tools":[{"function":` + tool + `,"type":"function"}]USAGE}`
	for _, test := range []struct {
		name    string
		format  Format
		request Request
		want    string
	}{
		{"chat", Chat, conversation(), strings.NewReplacer("REASONING", `"reasoning_content":"hm",`, "EFFORT", `"reasoning_effort":"low",`, "USAGE", "").Replace(chat)},
		{"chat without reasoning", Chat, never, strings.NewReplacer("REASONING", "", "EFFORT", `"reasoning_effort":"low",`, "USAGE", "").Replace(chat)},
		{"OpenRouter", OpenRouter, router, strings.NewReplacer("REASONING", `"reasoning_details":[{"type":"reasoning.text"}],`, "EFFORT", `"provider":{"only":["x"]},"reasoning":{"effort":"low"},`, "USAGE", `,"usage":{"include":true}`).Replace(chat)},
		{"Responses", Responses, withOpaque(conversation(), `{"type":"reasoning","encrypted_content":"e"}`, "", ""), `{"include":["reasoning.encrypted_content"],"input":[{"content":"Be <brief>.","role":"system"},{"content":"Go.","role":"user"},{"type":"reasoning","encrypted_content":"e"},` +
			`{"content":"Yes.","role":"assistant"},{"arguments":"{\"x\":\"<\"}","call_id":"a","name":"f","type":"function_call"},{"arguments":"{}","call_id":"b","name":"f","type":"function_call"},{"call_id":"a","output":"one","type":"function_call_output"},` +
			`{"call_id":"b","output":"two","type":"function_call_output"},{"content":"On.","role":"user"}],"max_output_tokens":100,"model":"m","reasoning":{"effort":"low"},"store":false,"stream":true,"temperature":0.5,"tool_choice":"required",` +
			`"tools":[{"description":"does","name":"f","parameters":{"type":"object"},"strict":false,"type":"function"}]}`},
		{"Anthropic", Messages, claude, `{"max_tokens":100,"messages":[` + strings.Replace(turns, "THINKING", `{"data":"d","type":"redacted_thinking"}`, 1) + `],"model":"m",` + strings.Replace(claudeRest, "STREAM", `"stream":true,`, 1)},
		{"Bedrock", Messages, bedrock, `{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,"messages":[` + strings.Replace(turns, "THINKING", `{"signature":"s","thinking":"hm","type":"thinking"}`, 1) + `],` + strings.Replace(claudeRest, "STREAM", "", 1)},
		{"Gemini", Gemini, withOpaque(conversation(), "", `"s"`, `"t"`), `{"contents":[{"parts":[{"text":"Go."}],"role":"user"},{"parts":[{"text":"Yes.","thoughtSignature":"s"},{"functionCall":{"args":{"x":"<"},"id":"a","name":"f"},"thoughtSignature":"t"},{"functionCall":{"args":{},"name":"f"}}],"role":"model"},` +
			`{"parts":[{"functionResponse":{"id":"a","name":"f","response":{"result":"one"}}},{"functionResponse":{"name":"f","response":{"error":"two"}}},{"text":"On."}],"role":"user"}],"generationConfig":{"maxOutputTokens":100,"temperature":0.5,"thinkingConfig":{"thinkingLevel":"LOW"}},` +
			`"systemInstruction":{"parts":[{"text":"Be <brief>."}]},"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"tools":[{"functionDeclarations":[{"description":"does","name":"f","parametersJsonSchema":{"type":"object"}}]}]}`},
	} {
		got, err := test.format.Encode(test.request)
		if diff := cmp.Diff(test.want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: error %v, %s", test.name, err, diff)
		}
	}
}

// OpenAI's models that reason take another name for the limit, and those that do not refuse the request for encrypted reasoning.
func TestFormat_EncodeModels(t *testing.T) {
	for _, test := range []struct {
		format            Format
		model, key, other string
	}{
		{Chat, "gpt-5.6-terra", `"max_completion_tokens":9`, `"max_tokens"`},
		{Chat, "openai/o4-mini", `"max_completion_tokens":9`, `"max_tokens"`},
		{Chat, "gpt-4o", `"max_tokens":9`, `"max_completion_tokens"`},
		{Chat, "gpt-5-chat-latest", `"max_tokens":9`, `"max_completion_tokens"`},
		{Chat, "openai/gpt-oss-120b", `"max_tokens":9`, `"max_completion_tokens"`},
		{OpenRouter, "openai/gpt-5.6-terra", `"max_tokens":9`, `"max_completion_tokens"`},
		{Responses, "our-deployment", `"include"`, `"max_tokens"`},
		{Responses, "gpt-4o", `"max_output_tokens":9`, `"include"`},
		{Gemini, "gemma-4", `"text":"You are x.\n\n"`, `"systemInstruction"`},
	} {
		body, err := test.format.Encode(Request{Model: test.model, MaxTokens: 9, System: "You are x."})
		if err != nil || !bytes.Contains(body, []byte(test.key)) || bytes.Contains(body, []byte(test.other)) {
			t.Errorf("%s: %s, error %v", test.model, body, err)
		}
	}
}

// The field for reasoning is demanded by some, with every call.
func TestFormat_EncodeAlways(t *testing.T) {
	r := Request{History: Always, Messages: []Message{{Role: Assistant, Parts: []Part{{Kind: Call, ID: "a", Name: "f", Args: "{}"}}}, {Role: Assistant, Parts: []Part{{Text: "x"}}}}}
	body, err := Chat.Encode(r)
	want := `{"max_tokens":0,"messages":[{"content":null,"reasoning_content":"","role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"f"},"id":"a","type":"function"}]},{"content":"x","role":"assistant"}],"model":""}`
	if diff := cmp.Diff(want, string(body)); diff != "" || err != nil {
		t.Errorf("error %v, %s", err, diff)
	}
}
