package survey

import (
	"bytes"
	"encoding/json"
	"io"
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A node is one value of a configuration file together with the lines it stands on. JSON, YAML, TOML, INI and XML files are all read
// into nodes, so that a manifest reader asks for a value by name and gets its proof for free. The nil node is an absent value: every
// method works on it.
type node struct {
	key     string // name under which the parent holds it
	text    string // value of a scalar, or the character data of an XML element
	scalar  bool
	line    int     // first line: the key's where there is one
	end     int     // last line
	entries []*node // fields of a table in file order, each with its key
	items   []*node // elements of a list
}

// maxDepth bounds the nesting that is read; deeper values are dropped, not an error.
const maxDepth = 64

// get follows keys through tables; where a key is repeated the first entry counts.
func (n *node) get(keys ...string) *node {
	for _, key := range keys {
		if n == nil {
			return nil
		}
		var next *node
		for _, e := range n.entries {
			if e.key == key {
				next = e
				break
			}
		}
		n = next
	}
	return n
}

// all returns every entry under key, for XML elements and TOML arrays of tables.
func (n *node) all(key string) []*node {
	if n == nil {
		return nil
	}
	var out []*node
	for _, e := range n.entries {
		if e.key != key {
			continue
		}
		if len(e.items) > 0 {
			out = append(out, e.items...)
			continue
		}
		out = append(out, e)
	}
	return out
}

// str returns the value of a scalar, cleaned; "" for anything else.
func (n *node) str() string {
	if n == nil || !n.scalar {
		return ""
	}
	return clean(n.text)
}

// strings returns a list of scalars, or the one scalar itself.
func (n *node) strings() []string {
	if n == nil {
		return nil
	}
	if n.scalar {
		return []string{n.str()}
	}
	var out []string
	for _, it := range n.items {
		if it.scalar {
			out = append(out, it.str())
		}
	}
	return out
}

// fields returns the entries of a table, nil for other values.
func (n *node) fields() []*node {
	if n == nil {
		return nil
	}
	return n.entries
}

// list returns the elements of a list, nil for other values.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

// ref returns the lines of n in the file at path.
func (n *node) ref(path string) Ref {
	if n == nil {
		return Ref{}
	}
	return Ref{Path: path, Start: n.line, End: max(n.line, n.end)}
}

// fact returns the scalar value of n with its proof; Text "" where absent.
func (n *node) fact(path string) Fact {
	s := n.str()
	if s == "" {
		return Fact{}
	}
	return Fact{Text: s, Ref: n.ref(path)}
}

// A lineIndex turns byte offsets into 1-based line numbers.
type lineIndex []int

func newLineIndex(data []byte) lineIndex {
	index := lineIndex{0}
	for i, b := range data {
		if b == '\n' {
			index = append(index, i+1)
		}
	}
	return index
}

// at returns the line that holds offset.
func (x lineIndex) at(offset int) int {
	return sort.Search(len(x), func(i int) bool { return x[i] > offset })
}

// parseJSON reads JSON, also with comments and trailing commas as tsconfig.json and deno.jsonc have them. It returns what could be read
// before an error, nil when that is nothing.
func parseJSON(data []byte) *node {
	data = plainJSON(data)
	p := &jsonReader{dec: json.NewDecoder(bytes.NewReader(data)), lines: newLineIndex(data)}
	p.dec.UseNumber()
	tok, err := p.dec.Token()
	if err != nil {
		return nil
	}
	return p.value(tok, 0)
}

type jsonReader struct {
	dec   *json.Decoder
	lines lineIndex
	bad   bool
}

func (p *jsonReader) line() int { return p.lines.at(int(p.dec.InputOffset()) - 1) }

func (p *jsonReader) value(tok json.Token, depth int) *node {
	n := &node{line: p.line()}
	switch t := tok.(type) {
	case json.Delim:
		p.children(n, t, depth)
	case string:
		n.scalar, n.text = true, t
	case json.Number:
		n.scalar, n.text = true, t.String()
	case bool:
		n.scalar, n.text = true, "false"
		if t {
			n.text = "true"
		}
	case nil:
	}
	n.end = p.line()
	return n
}

func (p *jsonReader) children(n *node, open json.Delim, depth int) {
	if depth > maxDepth {
		p.bad = true
	}
	for !p.bad && p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			p.bad = true
			return
		}
		if open == '[' {
			n.items = append(n.items, p.value(tok, depth+1))
			continue
		}
		key, _ := tok.(string)
		line := p.line()
		if tok, err = p.dec.Token(); err != nil {
			p.bad = true
			return
		}
		child := p.value(tok, depth+1)
		child.key, child.line = key, line
		n.entries = append(n.entries, child)
	}
	if _, err := p.dec.Token(); err != nil {
		p.bad = true
	}
}

// plainJSON blanks comments and trailing commas in place of equal length, so that offsets stay true.
func plainJSON(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	out := bytes.Clone(data)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			i = blankComment(out, i)
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return out
}

// blankComment overwrites the comment that starts at i with spaces and returns the offset of its last byte.
func blankComment(out []byte, i int) int {
	stop := []byte("\n")
	if out[i+1] == '*' {
		stop = []byte("*/")
	}
	length := len(out) - i
	if at := bytes.Index(out[i+2:], stop); at >= 0 {
		length = at + 2
		if len(stop) == 2 {
			length += 2
		}
	}
	for j := i; j < i+length; j++ {
		if out[j] != '\n' {
			out[j] = ' '
		}
	}
	return i + length - 1
}

// parseYAML reads the documents of a YAML file up to the first error. Anchors and merge keys are followed to a fixed depth.
func parseYAML(data []byte) []*node {
	if !utf8.Valid(data) {
		return nil
	}
	var docs []*node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(docs) < 200 {
		var root yaml.Node
		if err := dec.Decode(&root); err != nil {
			if err != io.EOF {
				return docs
			}
			break
		}
		if len(root.Content) > 0 {
			budget := 50_000
			docs = append(docs, yamlNode(root.Content[0], 0, &budget))
		}
	}
	return docs
}

// firstYAML returns the first document, nil when there is none.
func firstYAML(data []byte) *node {
	if docs := parseYAML(data); len(docs) > 0 {
		return docs[0]
	}
	return nil
}

// yamlNode converts one value. The budget bounds the size of a document that repeats its anchors.
func yamlNode(y *yaml.Node, depth int, budget *int) *node {
	n := &node{line: y.Line, end: y.Line}
	if *budget--; depth > maxDepth || *budget < 0 {
		return n
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.scalar, n.text = y.Tag != "!!null", y.Value
		if y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			n.end += 1 + strings.Count(strings.TrimRight(y.Value, "\n"), "\n")
		}
	case yaml.AliasNode:
		if y.Alias != nil {
			return yamlNode(y.Alias, depth+1, budget)
		}
	case yaml.SequenceNode:
		for _, c := range y.Content {
			n.items = append(n.items, yamlNode(c, depth+1, budget))
			n.end = max(n.end, n.items[len(n.items)-1].end)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(y.Content); i += 2 {
			child := yamlNode(y.Content[i+1], depth+1, budget)
			if y.Content[i].Value == "<<" {
				n.entries = append(n.entries, child.entries...)
				continue
			}
			child.key, child.line = y.Content[i].Value, y.Content[i].Line
			n.entries = append(n.entries, child)
			if y.Content[i+1].Kind != yaml.AliasNode {
				n.end = max(n.end, child.end)
			} else {
				child.end = child.line
			}
		}
	}
	return n
}
