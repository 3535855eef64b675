package wire

import (
	"encoding/json"
	"strings"
)

// Google generateContent and streamGenerateContent: https://ai.google.dev/api/generate-content

func geminiBody(r Request) object {
	config := object{"maxOutputTokens": r.MaxTokens}
	if r.Temperature != nil {
		config["temperature"] = *r.Temperature
	}
	if r.Effort != "" && r.Effort != "none" {
		config["thinkingConfig"] = object{"thinkingLevel": strings.ToUpper(r.Effort)}
	}
	system, messages := r.System, r.Messages
	if strings.HasPrefix(strings.ToLower(r.Model), "gemma-") && system != "" { // it has no place for instructions
		messages = append([]Message{{Role: User, Parts: []Part{{Text: system + "\n\n"}}}}, messages...)
		system = ""
	}
	o := object{"contents": geminiContents(messages), "generationConfig": config}
	if system != "" {
		o["systemInstruction"] = object{"parts": []object{{"text": system}}}
	}
	if len(r.Tools) > 0 {
		functions := make([]object, len(r.Tools))
		for i, tool := range r.Tools {
			functions[i] = object{"name": tool.Name, "description": tool.Description, "parametersJsonSchema": tool.Schema}
		}
		o["tools"] = []object{{"functionDeclarations": functions}}
	}
	if r.MustCall {
		o["toolConfig"] = object{"functionCallingConfig": object{"mode": "ANY"}}
	}
	return o
}

func geminiContents(messages []Message) []object {
	var contents []object
	var parts [][]object    // of the contents
	ids := map[string]any{} // those that the provider gave
	for _, m := range messages {
		role := "user"
		if m.Role == Assistant {
			role = "model"
		}
		var list []object
		for _, p := range m.Parts {
			if part := geminiPart(p, ids); part != nil {
				list = append(list, part)
			}
		}
		if len(list) == 0 {
			continue
		}
		if n := len(contents); n > 0 && contents[n-1]["role"] == role {
			parts[n-1] = append(parts[n-1], list...)
			continue
		}
		contents, parts = append(contents, object{"role": role}), append(parts, list)
	}
	for i := range contents {
		contents[i]["parts"] = parts[i]
	}
	return contents
}

// geminiPart returns a part as it is sent, nil for thoughts: only their signatures go back, with the part on which they came.
func geminiPart(p Part, ids map[string]any) object {
	out := object{}
	switch p.Kind {
	case Text:
		if p.Text == "" {
			return nil
		}
		out["text"] = p.Text
	case Call:
		call := object{"name": p.Name, "args": json.RawMessage(p.Args)}
		if !p.Invented {
			call["id"], ids[p.ID] = p.ID, true
		}
		out["functionCall"] = call
	case Result:
		key := "result"
		if p.IsError {
			key = "error"
		}
		response := object{"name": p.Name, "response": object{key: p.Text}}
		if ids[p.ID] != nil {
			response["id"] = p.ID
		}
		out["functionResponse"] = response
	default:
		return nil
	}
	if len(p.Opaque) > 0 {
		out["thoughtSignature"] = p.Opaque
	}
	return out
}

type geminiAnswerPart struct {
	Text      string          `json:"text"`
	Thought   bool            `json:"thought"`
	Signature json.RawMessage `json:"thoughtSignature"`
	Call      *struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Args text   `json:"args"`
	} `json:"functionCall"`
}

type geminiUsage struct {
	Prompt     int64 `json:"promptTokenCount"`
	ToolUse    int64 `json:"toolUsePromptTokenCount"`
	Cached     int64 `json:"cachedContentTokenCount"`
	Candidates int64 `json:"candidatesTokenCount"`
	Thoughts   int64 `json:"thoughtsTokenCount"`
	Total      int64 `json:"totalTokenCount"`
}

// geminiDecoder reads the pieces of a stream, each of which is an answer; a whole answer is the only one.
type geminiDecoder struct {
	parts  []Part
	pieces []*strings.Builder // the texts of the parts
	finish Finish
	usage  *Usage
}

func (d *geminiDecoder) add(data []byte) error {
	var e struct {
		Candidates []struct {
			Content struct {
				Parts []geminiAnswerPart `json:"parts"`
			} `json:"content"`
			FinishReason string `json:"finishReason"`
		} `json:"candidates"`
		Feedback struct {
			BlockReason string `json:"blockReason"`
		} `json:"promptFeedback"`
		Usage json.RawMessage `json:"usageMetadata"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	d.count(e.Usage)
	if e.Feedback.BlockReason != "" {
		d.finish = Filtered
	}
	if len(e.Candidates) == 0 {
		return nil
	}
	for _, p := range e.Candidates[0].Content.Parts {
		d.part(p)
	}
	if finish := geminiFinish(e.Candidates[0].FinishReason); finish != Unknown && d.finish != Filtered {
		d.finish = finish
	}
	return nil
}

// part adds a piece. A signature can come late, with an empty text: it then belongs to the text before.
func (d *geminiDecoder) part(p geminiAnswerPart) {
	next := Part{Kind: Text}
	switch {
	case p.Call != nil:
		next = Part{Kind: Call, ID: p.Call.ID, Name: p.Call.Name, Args: string(p.Call.Args)}
	case p.Thought:
		next.Kind = Reasoning
	}
	if !isNull(p.Signature) {
		next.Opaque = p.Signature
	}
	n := len(d.parts)
	switch {
	case next.Kind == Call:
	case n > 0 && d.parts[n-1].Kind == next.Kind && (len(d.parts[n-1].Opaque) == 0 || p.Text == ""):
		d.pieces[n-1].WriteString(p.Text)
		if len(next.Opaque) > 0 {
			d.parts[n-1].Opaque = next.Opaque
		}
		return
	case p.Text == "":
		return
	}
	d.parts, d.pieces = append(d.parts, next), append(d.pieces, &strings.Builder{})
	d.pieces[n].WriteString(p.Text)
}

func geminiFinish(reason string) Finish {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
		return Unknown
	case "MAX_TOKENS":
		return Length
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
		return Malformed
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE":
		return Filtered
	}
	return Stop
}

// count takes the last report; each repeats those before, grown.
func (d *geminiDecoder) count(raw json.RawMessage) {
	var u geminiUsage
	if isNull(raw) {
		return
	}
	_ = json.Unmarshal(raw, &u) // a strange figure must not spoil an answer
	if u.Prompt+u.Candidates <= 0 {
		return
	}
	output := u.Candidates
	if u.Prompt+u.ToolUse+u.Candidates != u.Total { // else thoughts are counted already
		output += u.Thoughts
	}
	d.usage = &Usage{Input: u.Prompt + u.ToolUse, Cached: u.Cached, Output: output, Reasoning: u.Thoughts}
}

func (d *geminiDecoder) answer() (*Answer, bool) {
	a := &Answer{Parts: d.parts, Finish: d.finish, Usage: d.usage}
	for i := range a.Parts {
		a.Parts[i].Text = d.pieces[i].String()
	}
	return a, d.finish != Unknown
}
