package llmtest_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// The vendors' own clients must understand the servers: what they read is what the script says.

// heard is what a client has understood of a reply.
type heard struct {
	Text, Tool, ID, Args, Finish string
	Input, Cached, Output        int64
}

func step() llmtest.Step {
	return llmtest.Step{
		Text:  "Grüße aus 世界, in mehr als einem Stück.",
		Calls: []llmtest.Call{{ID: "id_1", Name: "write_file", Args: `{"path":"core.md","content":"größer ✓"}`}},
		Usage: &llm.Usage{InputTokens: 100, CachedInputTokens: 60, OutputTokens: 30},
	}
}

func want(finish string) heard {
	return heard{step().Text, "write_file", "id_1", `{"path":"core.md","content":"größer ✓"}`, finish, 100, 60, 30}
}

// quirks are those that clients have to understand in every format.
var quirks = [][]llmtest.Quirk{nil, {llmtest.CRLF}, {llmtest.SplitRunes}}

func eachQuirk(t *testing.T, f func(t *testing.T, s llmtest.Step)) {
	for _, list := range quirks {
		s := step()
		s.Quirks = list
		f(t, s)
	}
}

func TestOpenAIClient_Chat(t *testing.T) {
	tool := openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "write_file", Parameters: openai.FunctionParameters{"type": "object"}})
	params := openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}, Tools: []openai.ChatCompletionToolUnionParam{tool}}
	read := func(c openai.ChatCompletion) heard {
		call := c.Choices[0].Message.ToolCalls[0]
		return heard{c.Choices[0].Message.Content, call.Function.Name, call.ID, call.Function.Arguments, c.Choices[0].FinishReason, c.Usage.PromptTokens, c.Usage.PromptTokensDetails.CachedTokens, c.Usage.CompletionTokens}
	}
	eachQuirk(t, func(t *testing.T, s llmtest.Step) {
		server := llmtest.Serve(t, llmtest.Steps(s, s))
		client := openai.NewClient(openaioption.WithBaseURL(server.URL+"/v1"), openaioption.WithAPIKey("sk-test-key"), openaioption.WithMaxRetries(0))
		whole, err := client.Chat.Completions.New(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want("tool_calls"), read(*whole)); diff != "" {
			t.Errorf("whole: %s", diff)
		}
		stream := client.Chat.Completions.NewStreaming(t.Context(), params)
		var all openai.ChatCompletionAccumulator
		var usage openai.CompletionUsage
		for stream.Next() {
			if !all.AddChunk(stream.Current()) {
				t.Errorf("the chunk does not fit: %s", stream.Current().RawJSON())
			}
			if u := stream.Current().Usage; u.TotalTokens > 0 {
				usage = u
			}
		}
		if err := stream.Err(); err != nil {
			t.Fatal(err)
		}
		all.Usage = usage
		if diff := cmp.Diff(want("tool_calls"), read(all.ChatCompletion)); diff != "" {
			t.Errorf("streamed: %s", diff)
		}
	})
}

func TestOpenAIClient_Responses(t *testing.T) {
	params := responses.ResponseNewParams{
		Model: "m", Input: responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage("hi", responses.EasyInputMessageRoleUser)}},
		Tools: []responses.ToolUnionParam{responses.ToolParamOfFunction("write_file", map[string]any{"type": "object"}, false)},
	}
	read := func(r responses.Response) heard {
		h := heard{Text: r.OutputText(), Finish: string(r.Status), Input: r.Usage.InputTokens, Cached: r.Usage.InputTokensDetails.CachedTokens, Output: r.Usage.OutputTokens}
		for _, item := range r.Output {
			if call, ok := item.AsAny().(responses.ResponseFunctionToolCall); ok {
				h.Tool, h.ID, h.Args = call.Name, call.CallID, call.Arguments
			}
		}
		return h
	}
	eachQuirk(t, func(t *testing.T, s llmtest.Step) {
		server := llmtest.Serve(t, llmtest.Steps(s, s))
		client := openai.NewClient(openaioption.WithBaseURL(server.URL+"/v1"), openaioption.WithAPIKey("sk-test-key"), openaioption.WithMaxRetries(0))
		whole, err := client.Responses.New(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want("completed"), read(*whole)); diff != "" {
			t.Errorf("whole: %s", diff)
		}
		stream := client.Responses.NewStreaming(t.Context(), params)
		var last responses.Response
		text, args := "", ""
		for stream.Next() {
			switch e := stream.Current().AsAny().(type) {
			case responses.ResponseTextDeltaEvent:
				text += e.Delta
			case responses.ResponseFunctionCallArgumentsDeltaEvent:
				args += e.Delta
			case responses.ResponseCompletedEvent:
				last = e.Response
			}
		}
		if err := stream.Err(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want("completed"), read(last)); diff != "" || text != s.Text || args != s.Calls[0].Args {
			t.Errorf("streamed %q, %q: %s", text, args, diff)
		}
	})
}

func TestAnthropicClient(t *testing.T) {
	params := anthropic.MessageNewParams{
		Model: "m", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hi"))},
		Tools: []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{Properties: map[string]any{}}, "write_file")},
	}
	read := func(m anthropic.Message) heard {
		h := heard{Finish: string(m.StopReason), Input: m.Usage.InputTokens + m.Usage.CacheReadInputTokens, Cached: m.Usage.CacheReadInputTokens, Output: m.Usage.OutputTokens}
		for _, block := range m.Content {
			switch b := block.AsAny().(type) {
			case anthropic.TextBlock:
				h.Text = b.Text
			case anthropic.ToolUseBlock:
				h.Tool, h.ID, h.Args = b.Name, b.ID, string(b.Input)
			}
		}
		return h
	}
	eachQuirk(t, func(t *testing.T, s llmtest.Step) {
		server := llmtest.Serve(t, llmtest.Steps(s, s))
		client := anthropic.NewClient(anthropicoption.WithBaseURL(server.URL), anthropicoption.WithAPIKey("sk-test-key"), anthropicoption.WithMaxRetries(0))
		whole, err := client.Messages.New(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want("tool_use"), read(*whole)); diff != "" {
			t.Errorf("whole: %s", diff)
		}
		stream := client.Messages.NewStreaming(t.Context(), params)
		var all anthropic.Message
		for stream.Next() {
			if err := all.Accumulate(stream.Current()); err != nil {
				t.Errorf("the event does not fit: %v", err)
			}
		}
		if err := stream.Err(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want("tool_use"), read(all)); diff != "" {
			t.Errorf("streamed: %s", diff)
		}
	})
}

func TestGoogleClient(t *testing.T) {
	contents := []*genai.Content{genai.NewContentFromText("hi", genai.RoleUser)}
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "write_file"}}}}}
	read := func(h *heard, r *genai.GenerateContentResponse) {
		for _, part := range r.Candidates[0].Content.Parts {
			h.Text += part.Text
			if call := part.FunctionCall; call != nil {
				path, _ := call.Args["path"].(string)
				content, _ := call.Args["content"].(string)
				h.Tool, h.ID, h.Args = call.Name, call.ID, `{"path":"`+path+`","content":"`+content+`"}`
			}
		}
		if reason := r.Candidates[0].FinishReason; reason != "" {
			h.Finish = string(reason)
		}
		h.Input, h.Cached, h.Output = int64(r.UsageMetadata.PromptTokenCount), int64(r.UsageMetadata.CachedContentTokenCount), int64(r.UsageMetadata.CandidatesTokenCount)
	}
	eachQuirk(t, func(t *testing.T, s llmtest.Step) {
		server := llmtest.Serve(t, llmtest.Steps(s, s))
		client, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: "sk-test-key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: server.URL}})
		if err != nil {
			t.Fatal(err)
		}
		var whole, streamed heard
		r, err := client.Models.GenerateContent(t.Context(), "m", contents, config)
		if err != nil {
			t.Fatal(err)
		}
		read(&whole, r)
		if diff := cmp.Diff(want("STOP"), whole); diff != "" {
			t.Errorf("whole: %s", diff)
		}
		for r, err := range client.Models.GenerateContentStream(t.Context(), "m", contents, config) {
			if err != nil {
				t.Fatal(err)
			}
			read(&streamed, r)
		}
		if diff := cmp.Diff(want("STOP"), streamed); diff != "" {
			t.Errorf("streamed: %s", diff)
		}
	})
}

// A refusal is an error of the clients' own types.
func TestClients_Refusal(t *testing.T) {
	server := llmtest.Serve(t, func(*llmtest.Request) llmtest.Step {
		return llmtest.Refuse(http.StatusTooManyRequests, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, "Retry-After", "1")
	})
	ours := openai.NewClient(openaioption.WithBaseURL(server.URL+"/v1"), openaioption.WithAPIKey("sk-test-key"), openaioption.WithMaxRetries(0))
	_, err := ours.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}})
	var openaiError *openai.Error
	if !errors.As(err, &openaiError) || openaiError.StatusCode != 429 || !strings.Contains(openaiError.Message, "slow down") {
		t.Errorf("OpenAI's client: %v", err)
	}
	theirs := anthropic.NewClient(anthropicoption.WithBaseURL(server.URL), anthropicoption.WithAPIKey("sk-test-key"), anthropicoption.WithMaxRetries(0))
	_, err = theirs.Messages.New(t.Context(), anthropic.MessageNewParams{Model: "m", MaxTokens: 10, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hi"))}})
	var anthropicError *anthropic.Error
	if !errors.As(err, &anthropicError) || anthropicError.StatusCode != 429 || anthropicError.Type() != "rate_limit_error" {
		t.Errorf("Anthropic's client: %v", err)
	}
}
