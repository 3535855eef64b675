package app

import "encoding/json"

// SettingsSchema returns the JSON Schema of the settings file, docs/config.schema.json.
func SettingsSchema() ([]byte, error) {
	type object = map[string]any
	properties := object{}
	for _, s := range AllSettings() {
		if s.InputOnly {
			continue
		}
		property := object{"description": s.Description}
		switch s.Kind {
		case KindText:
			property["type"] = "string"
		case KindBool:
			property["type"] = "boolean"
		case KindChoice:
			property["enum"] = choiceValues(s.Choices)
		case KindNumber:
			property["type"], property["minimum"], property["maximum"] = "integer", s.Min, s.Max
		case KindAmount:
			property["type"], property["minimum"] = "number", 0
		case KindDuration:
			property["type"], property["examples"] = "string", []string{"90s", "15m", "5h"}
		case KindLines:
			property["oneOf"] = []object{{"type": "string"}, {"type": "array", "items": object{"type": "string"}}}
		}
		if s.Default != "" {
			property["default"] = defaultValue(s)
		}
		properties[s.Name] = property
	}
	data, err := json.MarshalIndent(object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "Wikiwright: " + SettingsFile,
		"type":                 "object",
		"additionalProperties": false,
		"properties":           properties,
	}, "", "  ")
	return append(data, '\n'), err
}

// choiceValues are the values as YAML reads them: true and false are no texts there.
func choiceValues(choices []string) []any {
	var values []any
	for _, choice := range choices {
		switch choice {
		case "true", "false":
			values = append(values, choice == "true")
		default:
			values = append(values, choice)
		}
	}
	return values
}

func defaultValue(s Setting) any {
	var value any = s.Default
	if s.Kind == KindBool || s.Kind == KindNumber || s.Kind == KindAmount {
		_ = json.Unmarshal([]byte(s.Default), &value) // the table's defaults are valid, see its test
	}
	return value
}
