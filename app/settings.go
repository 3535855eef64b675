package app

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SettingsFile is the repository's own configuration, read from its default branch.
const SettingsFile = ".github/wikiwright.yml"

// The origins of a setting's value, in falling precedence. A value of the file names its line behind the name.
const (
	OriginInput   = "input"
	OriginFile    = SettingsFile
	OriginBuiltIn = "built-in"
)

// A Kind is the form of a setting's text.
type Kind string

// The kinds of settings.
const (
	KindText     Kind = "text"     // one line
	KindBool     Kind = "bool"     // true or false
	KindChoice   Kind = "choice"   // one of Choices
	KindLines    Kind = "lines"    // names, separated by commas or line breaks
	KindNumber   Kind = "number"   // whole, from Min to Max
	KindAmount   Kind = "amount"   // decimal, 0 or more
	KindDuration Kind = "duration" // 90s, 15m, 5h; "off" where Off is set
)

// A Setting is one thing that a person may decide about a maintenance run. The table of all of them is [AllSettings].
type Setting struct {
	Name        string // as an input of the Action and as a key of the file
	Kind        Kind
	Default     string
	Choices     []string
	Min, Max    int
	Off         bool   // a duration may be "off"
	Secret      bool   // never shown
	InputOnly   bool   // not in the file: belongs to one workflow or one job, or must not come from a repository
	Description string // one sentence without the default
}

// Settings are the values in effect, each with its origin.
type Settings struct {
	values map[string]settingValue
}

type settingValue struct{ text, origin string }

// A FileValue is a value that the file gives, and where.
type FileValue struct {
	Text string
	Line int
}

// Resolve takes for each setting the input if it is not empty, else the value of the file, else what is built in. It reports all unusable
// values together as a *ConfigError.
func Resolve(input func(name string) string, file map[string]FileValue) (*Settings, error) {
	s := &Settings{values: map[string]settingValue{}}
	var problems []error
	for _, setting := range AllSettings() {
		value := settingValue{setting.Default, OriginBuiltIn}
		if v := file[setting.Name]; v.Text != "" {
			value = settingValue{v.Text, fmt.Sprintf("%s:%d", OriginFile, v.Line)}
		}
		if text := strings.TrimSpace(input(setting.Name)); text != "" {
			value = settingValue{text, OriginInput}
		}
		if err := setting.check(value.text); err != nil {
			problems = append(problems, fmt.Errorf("%s (%s): %w", setting.Name, value.origin, err))
		}
		s.values[setting.Name] = value
	}
	if len(problems) > 0 {
		return nil, &ConfigError{Name: "settings", Err: errors.Join(problems...), Next: "docs/action.md lists every setting with its values"}
	}
	return s, nil
}

// check validates a text. The error does not repeat a secret.
func (s Setting) check(text string) error {
	if s.Secret || text == "" {
		return nil
	}
	switch s.Kind {
	case KindText:
		if strings.ContainsAny(text, "\r\n") {
			return errors.New("must be one line")
		}
	case KindBool:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
	case KindChoice:
		if !slices.Contains(s.Choices, text) {
			return fmt.Errorf("%q is none of %s", text, strings.Join(s.Choices, ", "))
		}
	case KindNumber:
		if n, err := strconv.Atoi(text); err != nil || n < s.Min || n > s.Max {
			return fmt.Errorf("%q is not a number from %d to %d", text, s.Min, s.Max)
		}
	case KindAmount:
		if n, err := strconv.ParseFloat(text, 64); err != nil || n < 0 || n > 1e6 {
			return fmt.Errorf("%q is not an amount such as 2.50", text)
		}
	case KindDuration:
		if s.Off && text == "off" {
			return nil
		}
		if d, err := time.ParseDuration(text); err != nil || d < 0 {
			return fmt.Errorf("%q is not a duration such as 90s, 15m or 5h", text)
		}
	}
	return nil
}

// Text returns the value of a setting. Asking for a name that is not in the table returns "".
func (s *Settings) Text(name string) string { return s.values[name].text }

// Bool reports whether the value is "true".
func (s *Settings) Bool(name string) bool { return s.Text(name) == "true" }

// Number returns the value of a number; 0 when it is empty.
func (s *Settings) Number(name string) int {
	n, _ := strconv.Atoi(s.Text(name)) // checked by Resolve
	return n
}

// Amount returns the value of an amount; 0 when it is empty.
func (s *Settings) Amount(name string) float64 {
	n, _ := strconv.ParseFloat(s.Text(name), 64) // checked by Resolve
	return n
}

// Duration returns the value of a duration and whether there is one: it may be empty or "off".
func (s *Settings) Duration(name string) (time.Duration, bool) {
	d, err := time.ParseDuration(s.Text(name))
	return d, err == nil
}

// Lines returns the names of a list, without blank ones.
func (s *Settings) Lines(name string) []string {
	var list []string
	for _, part := range strings.FieldsFunc(s.Text(name), func(r rune) bool { return r == ',' || r == '\n' }) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Given reports whether somebody set the value.
func (s *Settings) Given(name string) bool { return s.values[name].origin != OriginBuiltIn }

// An EffectiveValue is one row of what is in effect, to be shown.
type EffectiveValue struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin" jsonschema:"input, the file with its line, or built-in"`
}

// Effective lists all settings in the order of the table. Of a secret it tells only whether it is set.
func (s *Settings) Effective() []EffectiveValue {
	var list []EffectiveValue
	for _, setting := range AllSettings() {
		value := s.values[setting.Name]
		if setting.Secret && value.text != "" {
			value.text = "(set)"
		}
		list = append(list, EffectiveValue{setting.Name, value.text, value.origin})
	}
	return list
}
