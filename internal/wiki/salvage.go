package wiki

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// salvage rebuilds the YAML of a broken block from the fields that can be read one by one. A field that cannot be read but has a phrase
// for a value, as in "title: Auth: tokens #2", gets the phrase quoted in full. The first of two fields with one name stays.
func salvage(d *Document) []byte {
	var out strings.Builder
	seen := map[string]bool{}
	for _, chunk := range chunks(stripFence(string(d.headBytes()))) {
		key, _, isField := strings.Cut(chunk, ":")
		key = strings.TrimSpace(key)
		if !topKey().MatchString(chunk) {
			isField = false
		}
		if !isField {
			if onlyComments(chunk) {
				out.WriteString(chunk)
			}
			continue
		}
		if seen[key] {
			continue
		}
		if text, ok := salvageField(key, chunk, d.eol); ok {
			seen[key] = true
			out.WriteString(text)
		}
	}
	return []byte(out.String())
}

// salvageField returns a field as it is when it reads alone, or with its value quoted.
func salvageField(key, chunk, eol string) (string, bool) {
	if !strings.HasSuffix(chunk, "\n") {
		chunk += eol
	}
	if root, err := parseYAML([]byte(chunk)); err == nil && root != nil && len(root.Content) == 2 && root.Content[0].Kind == yaml.ScalarNode {
		return chunk, true
	}
	if knownField(key) && !textField(key) && key != "resource" && key != "timestamp" {
		return "", false
	}
	_, value, _ := strings.Cut(chunk, ":")
	if value = unquoted(value); value == "" {
		return "", false
	}
	return key + ": " + quote(value) + eol, true
}

// chunks cuts a block before every line that starts a field.
func chunks(head string) []string {
	var list []string
	for line := range strings.Lines(head) {
		if len(list) == 0 || topKey().MatchString(line) {
			list = append(list, line)
			continue
		}
		list[len(list)-1] += line
	}
	return list
}

// onlyComments reports text in which every line is blank or a comment.
func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "#") {
			return false
		}
	}
	return validYAMLText(text)
}

// validYAMLText reports text without bytes that YAML refuses anywhere.
func validYAMLText(text string) bool {
	_, err := parseYAML([]byte(text))
	return err == nil
}

// stripFence removes the lines of a fence that stands inside the block, around its fields.
func stripFence(head string) string {
	lines := strings.SplitAfter(strings.TrimRight(head, "\r\n"), "\n")
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "```") || strings.TrimSpace(lines[len(lines)-1]) != "```" {
		return head
	}
	return strings.Join(lines[1:len(lines)-1], "")
}
