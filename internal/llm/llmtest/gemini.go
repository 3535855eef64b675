package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// Google generateContent and streamGenerateContent: https://ai.google.dev/api/generate-content

func geminiCodec() codec {
	return codec{
		keys: []string{"contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "maxOutputTokens"},
		read: readGemini, whole: geminiWhole, events: geminiEvents, auth: "X-Goog-Api-Key",
	}
}

type geminiPart struct {
	Text         string `json:"text"`
	FunctionCall *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Response struct {
			Result string `json:"result"`
			Error  string `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

func readGemini(r *Request) error {
	var body struct {
		SystemInstruction geminiContent   `json:"systemInstruction"`
		Contents          []geminiContent `json:"contents"`
		GenerationConfig  struct {
			MaxOutputTokens int64 `json:"maxOutputTokens"`
		} `json:"generationConfig"`
		Tools []struct {
			FunctionDeclarations []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return err
	}
	if r.Stream && r.Query != "alt=sse" {
		return errors.New("a stream is asked for without alt=sse")
	}
	r.Model, _, _ = strings.Cut(path.Base(r.Path), ":")
	r.MaxOutputTokens = body.GenerationConfig.MaxOutputTokens
	for _, part := range body.SystemInstruction.Parts {
		r.System += part.Text
	}
	for _, tool := range body.Tools {
		for _, f := range tool.FunctionDeclarations {
			r.Tools = append(r.Tools, f.Name)
		}
	}
	for _, content := range body.Contents {
		if err := r.addGemini(content); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) addGemini(content geminiContent) error {
	role := map[string]string{"user": "user", "model": "assistant"}[content.Role]
	if role == "" || len(content.Parts) == 0 {
		return fmt.Errorf("a content of role %q with %d parts", content.Role, len(content.Parts))
	}
	out, results := Message{Role: role}, Message{Role: "tool"}
	for _, part := range content.Parts {
		switch {
		case part.FunctionCall != nil && role == "assistant":
			id := part.FunctionCall.ID
			if id == "" {
				id = fmt.Sprintf("%s@%d.%d", part.FunctionCall.Name, len(r.Messages), len(out.Calls))
			}
			args := string(part.FunctionCall.Args)
			if args == "" {
				args = "{}" // optional in this format: clients leave out an empty object
			}
			out.Calls = append(out.Calls, Call{id, part.FunctionCall.Name, args})
		case part.FunctionResponse != nil && role == "user":
			f := part.FunctionResponse
			result := Result{ID: f.ID, Text: f.Response.Result + f.Response.Error, IsError: f.Response.Error != ""}
			if f.Name == "" {
				return errors.New("a function response without a name")
			}
			if result.ID == "" {
				result.ID = r.callOf(f.Name, len(results.Results))
			}
			results.Results = append(results.Results, result)
		case part.Text != "":
			out.Text += part.Text
		default:
			return errors.New("an empty part")
		}
	}
	if len(results.Results) > 0 {
		r.Messages = append(r.Messages, results)
	}
	if out.Text != "" || len(out.Calls) > 0 {
		r.Messages = append(r.Messages, out)
	}
	return nil
}

// callOf returns the id of the nth call of the last turn, when it has the name: without ids results are matched by their order.
func (r *Request) callOf(name string, n int) string {
	if len(r.Messages) == 0 {
		return ""
	}
	calls := r.Messages[len(r.Messages)-1].Calls
	if n >= len(calls) || calls[n].Name != name {
		return ""
	}
	return calls[n].ID
}

func geminiUsage(s Step) object {
	u := s.usage()
	return object{
		"promptTokenCount": u.InputTokens, "cachedContentTokenCount": u.CachedInputTokens, "candidatesTokenCount": u.OutputTokens - u.ReasoningTokens,
		"thoughtsTokenCount": u.ReasoningTokens, "totalTokenCount": u.InputTokens + u.OutputTokens,
	}
}

// geminiFinish is also how Gemini reports arguments that are no JSON object: it never shows them.
func geminiFinish(s Step) string {
	for _, call := range s.Calls {
		if !isObject(call.Args) && s.finish() == ToolCalls {
			return "MALFORMED_FUNCTION_CALL"
		}
	}
	switch s.finish() {
	case Length:
		return "MAX_TOKENS"
	case Filtered:
		return "SAFETY"
	}
	return "STOP"
}

func isObject(text string) bool {
	var o map[string]any
	return json.Unmarshal([]byte(text), &o) == nil && o != nil
}

func geminiParts(s Step, text func(string) []string) []object {
	parts := []object{}
	for _, piece := range text(s.Reasoning) {
		parts = append(parts, object{"text": piece, "thought": true})
	}
	for _, piece := range text(s.Text) {
		parts = append(parts, object{"text": piece})
	}
	for _, call := range s.Calls {
		if !isObject(call.Args) {
			continue
		}
		function := object{"name": call.Name, "args": json.RawMessage(call.Args)}
		if !strings.HasPrefix(call.ID, "call_") {
			function["id"] = call.ID // the API leaves it out, mostly
		}
		part := object{"functionCall": function}
		if s.Reasoning != "" {
			part["thoughtSignature"] = "c2lnbmF0dXJl"
		}
		parts = append(parts, part)
	}
	return parts
}

func geminiAnswer(r *Request, s Step, parts []object, finish string) object {
	candidate := object{"index": 0}
	if len(parts) > 0 {
		candidate["content"] = object{"role": "model", "parts": parts}
	}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	return object{"candidates": []object{candidate}, "usageMetadata": geminiUsage(s), "modelVersion": r.Model, "responseId": "r" + number(r.N)}
}

func geminiWhole(r *Request, s Step) any {
	whole := func(text string) []string {
		if text == "" {
			return nil
		}
		return []string{text}
	}
	return geminiAnswer(r, s, geminiParts(s, whole), geminiFinish(s))
}

// geminiEvents repeats the usage in every event, growing, as the API does.
func geminiEvents(r *Request, s Step) []event {
	var events []event
	for _, part := range geminiParts(s, inPieces) {
		events = append(events, event{data: geminiAnswer(r, s, []object{part}, "")})
	}
	return append(events, event{data: geminiAnswer(r, s, []object{{"text": ""}}, geminiFinish(s))})
}
