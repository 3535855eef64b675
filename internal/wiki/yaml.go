package wiki

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// maxAliases bounds what the aliases of a block may expand to, as the OpenWiki format does.
const maxAliases = 100

// yamlError says why a block cannot be used. line is relative to the block, or 0.
type yamlError struct {
	code    string
	line    int
	message string
}

func (e *yamlError) Error() string { return e.message }

// parseYAML reads a block as one YAML mapping with unique keys. An empty block gives a nil node and no error.
func parseYAML(head []byte) (*yaml.Node, *yamlError) {
	decoder := yaml.NewDecoder(bytes.NewReader(head))
	var document yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, invalidYAML(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &yamlError{code: "invalid_yaml", message: "the block holds more than one YAML document"}
	}
	root := document.Content[0]
	switch {
	case root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" && root.Value == "":
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, &yamlError{code: "invalid_yaml_root", line: root.Line, message: "the block is not a mapping of fields"}
	}
	check := aliasCheck{count: map[*yaml.Node]int{}, open: map[*yaml.Node]bool{}}
	if _, err := check.walk(root); err != nil {
		return nil, err
	}
	return root, nil
}

// invalidYAML takes the line number out of an error of the YAML library, which counts from the start of the block.
func invalidYAML(err error) *yamlError {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	found := yamlLine().FindStringSubmatch(message)
	if found == nil {
		return &yamlError{code: "invalid_yaml", message: clip(message)}
	}
	line, _ := strconv.Atoi(found[1])
	return &yamlError{code: "invalid_yaml", line: line, message: clip(strings.TrimPrefix(message, found[0]))}
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): `) })

// aliasCheck walks a node tree as it would expand: it counts aliases, and finds duplicate keys and anchors that contain themselves.
type aliasCheck struct {
	count map[*yaml.Node]int
	open  map[*yaml.Node]bool
}

func (c *aliasCheck) walk(n *yaml.Node) (int, *yamlError) {
	if count, ok := c.count[n]; ok {
		return count, nil
	}
	if c.open[n] {
		return 0, &yamlError{code: "invalid_yaml", line: n.Line, message: "an anchor contains itself"}
	}
	c.open[n] = true
	defer delete(c.open, n)
	children := n.Content
	count := 0
	if n.Kind == yaml.AliasNode {
		children, count = []*yaml.Node{n.Alias}, 1
	}
	if err := uniqueKeys(n); err != nil {
		return 0, err
	}
	for _, child := range children {
		below, err := c.walk(child)
		if err != nil {
			return 0, err
		}
		if count += below; count > maxAliases {
			return 0, &yamlError{code: "invalid_yaml", line: n.Line, message: "the block has more than 100 aliases"}
		}
	}
	c.count[n] = count
	return count, nil
}

func uniqueKeys(n *yaml.Node) *yamlError {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			continue
		}
		if seen[key.Value] {
			return &yamlError{code: "invalid_yaml", line: key.Line, message: fmt.Sprintf("the key %q is given twice", clip(key.Value))}
		}
		seen[key.Value] = true
	}
	return nil
}

// isString reports a scalar that is a string in the YAML core schema. The library also knows timestamps, merge keys and numbers with
// underscores, which the core schema reads as strings.
func isString(n *yaml.Node) bool {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode {
		return false
	}
	switch n.ShortTag() {
	case "!!null", "!!bool", "!!binary":
		return false
	case "!!int", "!!float":
		return strings.Contains(n.Value, "_")
	}
	return true
}

// isText reports a string with something in it.
func isText(n *yaml.Node) bool { return isString(n) && strings.TrimSpace(resolve(n).Value) != "" }

// quote returns s as a YAML double-quoted scalar. Where both allow it, it is the JSON string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plain returns s unquoted where that reads back as the same string, else quoted.
func plain(s string) string {
	if strings.ContainsAny(s, "\r\n\t") || strings.TrimSpace(s) != s {
		return quote(s)
	}
	root, err := parseYAML([]byte("k: " + s + "\n"))
	if err != nil || root == nil || len(root.Content) != 2 {
		return quote(s)
	}
	value := root.Content[1]
	if value.Kind != yaml.ScalarNode || value.Style != 0 || value.Anchor != "" || value.Value != s || !isString(value) {
		return quote(s)
	}
	return s
}

// equalNodes compares two trees by meaning: kinds, tags and values, with aliases followed, without style, comments and positions.
func equalNodes(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	a, b = resolve(a), resolve(b)
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !equalNodes(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// expand returns a copy of the tree with aliases replaced by what they stand for, in block style and without comments.
func expand(n *yaml.Node) *yaml.Node {
	n = resolve(n)
	copied := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ yaml.FlowStyle}
	for _, child := range n.Content {
		copied.Content = append(copied.Content, expand(child))
	}
	return copied
}

// encode renders a tree as YAML lines without terminators.
func encode(n *yaml.Node) ([]string, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(expand(n)); err != nil {
		return nil, fmt.Errorf("encode front matter: %w", err)
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n"), nil
}
