package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// checkedTool is a Tool whose arguments are held against its schema.
type checkedTool struct {
	Tool
	resolved *jsonschema.Resolved
}

func newCheckedTool(t Tool) (*checkedTool, error) {
	var parsed jsonschema.Schema
	if err := json.Unmarshal(t.Schema, &parsed); err != nil {
		return nil, fmt.Errorf("read its schema: %w", err)
	}
	resolved, err := parsed.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("resolve its schema: %w", err)
	}
	return &checkedTool{Tool: t, resolved: resolved}, nil
}

func (t *checkedTool) declaration() wire.Tool {
	return wire.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
}

// check says, for the model, what is wrong with the arguments.
func (t *checkedTool) check(args json.RawMessage) error {
	var value any
	if err := json.Unmarshal(args, &value); err != nil {
		return fmt.Errorf("they are not JSON (%w); the tool takes one JSON object", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return errors.New("they are not a JSON object")
	}
	if err := t.resolved.Validate(value); err != nil {
		return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return nil
}

// leakedCall returns the name of a tool whose call a model has written as text, as models do that were not trained on the interface, or "".
func leakedCall(text string, tools map[string]*checkedTool) string {
	marked := strings.Contains(text, "<tool_call") || strings.Contains(text, "<function") || strings.Contains(text, "<|tool") ||
		strings.Contains(text, "```json") || strings.Contains(text, `"arguments"`) || strings.Contains(text, `"tool"`) || strings.Contains(text, "<invoke")
	if !marked {
		return ""
	}
	found := ""
	for name := range tools {
		if strings.Contains(text, name) && (found == "" || name < found) {
			found = name
		}
	}
	return found
}
