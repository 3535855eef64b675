package app

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

const settingsHint = "docs/action.md lists the keys; docs/config.schema.json describes the file to editors"

// ParseSettingsFile reads the repository's configuration. What it does not know is an error with the line: a setting that is misspelt
// must not be without effect unnoticed. The error is a *ConfigError.
func ParseSettingsFile(data []byte) (map[string]FileValue, error) {
	fail := func(err error) (map[string]FileValue, error) {
		return nil, &ConfigError{Name: SettingsFile, Err: err, Next: settingsHint}
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(data)))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return map[string]FileValue{}, nil
	case err != nil:
		return fail(errors.New(strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	var more yaml.Node
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return fail(errors.New("the file holds more than one document"))
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return map[string]FileValue{}, nil
	}
	if root.Kind != yaml.MappingNode {
		return fail(fmt.Errorf("line %d: the file is not a list of keys and values", root.Line))
	}
	values := map[string]FileValue{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if err := addFileValue(values, key, value); err != nil {
			return fail(fmt.Errorf("line %d: %w", key.Line, err))
		}
	}
	return values, nil
}

func addFileValue(values map[string]FileValue, key, value *yaml.Node) error {
	setting, ok := findSetting(key.Value)
	switch {
	case !ok:
		return fmt.Errorf("unknown key %q", key.Value)
	case setting.InputOnly:
		return fmt.Errorf("%s can be given in the workflow only", key.Value)
	}
	if _, twice := values[key.Value]; twice {
		return fmt.Errorf("%s is given twice", key.Value)
	}
	text, err := fileText(setting, value)
	if err != nil {
		return fmt.Errorf("%s: %w", key.Value, err)
	}
	values[key.Value] = FileValue{Text: text, Line: key.Line}
	return nil
}

// fileText returns the text of a value as the input of that name would have it.
func fileText(setting Setting, value *yaml.Node) (string, error) {
	if value.Kind == yaml.SequenceNode {
		if setting.Kind != KindLines {
			return "", errors.New("must be one value, not a list")
		}
		var parts []string
		for _, item := range value.Content {
			if item.Kind != yaml.ScalarNode {
				return "", fmt.Errorf("line %d: must be a text", item.Line)
			}
			parts = append(parts, item.Value)
		}
		return strings.Join(parts, "\n"), nil
	}
	if value.Kind != yaml.ScalarNode {
		return "", errors.New("must be one value")
	}
	if value.Tag == "!!null" {
		return "", nil
	}
	text := strings.TrimSpace(value.Value)
	return text, setting.check(text)
}
