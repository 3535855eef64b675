package wiki

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// validate returns the issues of a block whose YAML is usable.
func (d *Document) validate() []Issue {
	if d.root == nil {
		return []Issue{{Code: "invalid_yaml_root", Line: d.line, Message: "the block is empty"}}
	}
	var issues []Issue
	if d.value("type") == nil {
		issues = append(issues, Issue{Code: "missing_type", Line: d.line, Message: "the page has no type"})
	}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		key, value := d.root.Content[i], d.root.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			continue
		}
		problem := checkField(key.Value, value)
		if problem == "" && textField(key.Value) {
			problem = d.misread(key, value)
		}
		if problem != "" {
			issues = append(issues, Issue{Code: "invalid_" + key.Value, Line: d.line + key.Line - 1, Message: key.Value + " " + problem})
		}
	}
	return issues
}

// checkField says what is wrong with the value of a field of the format, or "".
func checkField(key string, value *yaml.Node) string {
	switch key {
	case "type", "title", "description", "resource", "timestamp":
		if !isText(value) {
			return "is not a string with text in it"
		}
	case "tags":
		return checkList(value, isText, "a string with text in it")
	case "generated":
		if !isEvent(value) {
			return "is not a mapping of by and an optional ISO date at"
		}
	case "verified":
		if isEvent(value) {
			return ""
		}
		return checkList(value, isEvent, "a mapping of by and an optional ISO date at")
	case "sources":
		return checkList(value, isSource, "a mapping with a resource")
	case "status":
		if v := resolve(value).Value; !isString(value) || v != "draft" && v != "stable" && v != "deprecated" {
			return "is not one of draft, stable, deprecated"
		}
	case "stale_after":
		if !isString(value) || !isDateTime(resolve(value).Value) {
			return "is not an ISO date and time with an offset"
		}
	}
	return ""
}

// checkList checks that the value is a list and every item is acceptable.
func checkList(value *yaml.Node, ok func(*yaml.Node) bool, what string) string {
	value = resolve(value)
	if value.Kind != yaml.SequenceNode {
		return "is not a list"
	}
	for i, item := range value.Content {
		if !ok(item) {
			return fmt.Sprintf("has an entry (%d) that is not %s", i+1, what)
		}
	}
	return ""
}

// textField reports fields whose value is a phrase for people, in which a "#2" or a leading "&" is meant literally.
func textField(key string) bool { return key == "type" || key == "title" || key == "description" }

// misread reports a phrase that YAML reads as something shorter: cut at " #", or with its first word taken for an anchor or a tag.
func (d *Document) misread(key, value *yaml.Node) string {
	raw, ok := d.rawValue(key)
	if !ok || value.Kind != yaml.ScalarNode || value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return ""
	}
	switch {
	case value.Anchor != "" || strings.HasPrefix(raw, "!"):
		return "starts with a character that is special in YAML and is not quoted"
	case cutAtHash(raw) && resolve(value).Line == key.Line:
		return `is cut at " #" because it is not quoted`
	}
	return ""
}

// cutAtHash reports an unquoted " #" that is followed by a word, as in "Update #2". A hash and a space start a comment.
func cutAtHash(raw string) bool {
	for i := 1; i+1 < len(raw); i++ {
		if raw[i] == '#' && (raw[i-1] == ' ' || raw[i-1] == '\t') {
			return raw[i+1] != ' ' && raw[i+1] != '\t' && raw[i+1] != '#'
		}
	}
	return false
}

// rawValue returns what stands behind the colon on the line of a top-level key.
func (d *Document) rawValue(key *yaml.Node) (string, bool) {
	lines := strings.SplitAfter(string(d.headBytes()), "\n")
	if key.Line < 1 || key.Line > len(lines) || key.Column != 1 {
		return "", false
	}
	_, raw, ok := strings.Cut(lines[key.Line-1], ":")
	return strings.TrimSpace(raw), ok
}
