package agent

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/llm"
)

// rejection is what a model reads when a submission is not accepted.
type rejection struct {
	Status  string        `json:"status"`
	Code    generate.Code `json:"code"`
	Message string        `json:"message"`
	Retry   string        `json:"retry"`
}

// answer sorts the errors of the lifecycle: what the model can correct goes back to it, everything else ends the run.
func answer(err error, retry string) llm.ToolResult {
	var input *generate.InputError
	if errors.As(err, &input) {
		return rejected(err, retry)
	}
	return llm.ToolResult{Fatal: err}
}

func rejected(err error, retry string) llm.ToolResult {
	return rejectedFor([]string{err.Error()}, retry)
}

func rejectedFor(problems []string, retry string) llm.ToolResult {
	text, err := json.Marshal(rejection{"rejected", generate.CodeInvalidInput, strings.Join(problems, "\n"), retry})
	if err != nil {
		return llm.ToolResult{Fatal: err}
	}
	return llm.ToolResult{Text: string(text), IsError: true}
}
