package wiki

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// SetGenerated returns the page with the generated field set to the event, or without it for nil. Like every edit here it returns the
// same bytes when nothing would change in meaning, leaves the lines of other fields byte-identical, makes a block for a page that has
// none, and leaves a page alone whose block cannot be used; such a page needs [Repair] first.
func SetGenerated(b []byte, e *Event) []byte {
	d := Parse(b)
	if e == nil {
		return d.withField("generated", nil)
	}
	if now, ok := d.Generated(); ok && now == *e {
		return b
	}
	line := "generated: { by: " + quote(e.By)
	if e.At != "" {
		line += ", at: " + quote(e.At)
	}
	return d.withField("generated", []string{line + " }"})
}

// RemoveField returns the page without a front matter field.
func RemoveField(b []byte, key string) []byte { return Parse(b).withField(key, nil) }

// withList sets a block list; no items remove the field.
func (d *Document) withList(key string, items []string) []byte {
	if len(items) == 0 {
		return d.withField(key, nil)
	}
	return d.withField(key, append([]string{key + ":"}, items...))
}

// Editable reports whether the setters can change the front matter. They leave a block alone whose YAML cannot be used or that does not
// end; [Repair] makes it one they can change.
func (d *Document) Editable() bool { return !d.broken && (!d.hasBlock() || !d.loose || d.closed()) }

// withField returns the page with the field replaced by the lines, or removed when there are none. A new field goes to the end of the
// block.
func (d *Document) withField(key string, lines []string) []byte {
	switch {
	case !d.Editable():
		return d.src
	case !d.hasBlock() && lines == nil:
		return d.src
	case !d.hasBlock():
		return d.withNewBlock(lines)
	case lines == nil && d.value(key) == nil:
		return d.src
	}
	head, ok := d.splice(key, lines)
	if !ok || !d.sameBut(key, head, lines) {
		if head, ok = d.render(key, lines); !ok {
			return d.src
		}
	}
	return d.withHead(head)
}

// closed reports whether a delimiter follows the block.
func (d *Document) closed() bool { return d.head.end < d.body }

// withNewBlock puts a block with the lines, and a blank line, in front of the page.
func (d *Document) withNewBlock(lines []string) []byte {
	body := d.Body()
	eol := "\n"
	if i := bytes.IndexByte(body, '\n'); i > 0 && body[i-1] == '\r' {
		eol = "\r\n"
	}
	block := "---" + eol + strings.Join(lines, eol) + eol + "---" + eol
	if len(body) > 0 {
		block += eol
	}
	return append([]byte(block), body...)
}

// withHead returns the page with other YAML in its block. A block without fields goes, with the blank line behind it.
func (d *Document) withHead(head []byte) []byte {
	if isBlank(head) {
		body := d.Body()
		if len(body) > 0 && isBlank(lineAt(body, 0)) {
			body = body[nextLine(body, 0):]
		}
		return append(bytes.Clone(d.src[:d.open]), body...)
	}
	return slices.Concat(d.src[:d.head.start], head, d.src[d.head.end:])
}

// splice replaces the lines of one field and keeps all others as they are. It needs a block in which every field starts its own line.
func (d *Document) splice(key string, lines []string) ([]byte, bool) {
	all := strings.SplitAfter(string(d.headBytes()), "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	starts, ok := d.fieldLines()
	if !ok {
		return nil, false
	}
	first, last := len(all), len(all)
	for i, start := range starts {
		if d.root.Content[2*i].Value != key {
			continue
		}
		first, last = start, len(all)
		if i+1 < len(starts) {
			last = starts[i+1]
		}
		for last > first+1 && trailing(all[last-1]) {
			last--
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(all[:first], ""))
	for _, line := range lines {
		b.WriteString(line + d.eol)
	}
	b.WriteString(strings.Join(all[last:], ""))
	return []byte(b.String()), true
}

// trailing reports a line between two fields that belongs to neither.
func trailing(line string) bool { return strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" }

// fieldLines returns the 0-based line each field starts on, or false when the block is laid out so that fields cannot be told apart by
// lines: in flow style, indented, or with line breaks only YAML knows.
func (d *Document) fieldLines() ([]int, bool) {
	if d.root == nil {
		return nil, true
	}
	head := string(d.headBytes())
	if d.root.Style&yaml.FlowStyle != 0 || strings.ContainsAny(strings.ReplaceAll(head, "\r\n", "\n"), "\r\u0085\u2028\u2029") {
		return nil, false
	}
	var starts []int
	for i := 0; i < len(d.root.Content); i += 2 {
		key := d.root.Content[i]
		if key.Kind != yaml.ScalarNode || key.Column != 1 || len(starts) > 0 && key.Line-1 <= starts[len(starts)-1] {
			return nil, false
		}
		starts = append(starts, key.Line-1)
	}
	return starts, true
}

// sameBut reports whether head reads as the fields of the document with key set to what the lines say, or without it.
func (d *Document) sameBut(key string, head []byte, lines []string) bool {
	root, err := parseYAML(head)
	if err != nil {
		return false
	}
	want := d.others(key)
	if lines != nil {
		field, err := parseYAML([]byte(strings.Join(lines, "\n") + "\n"))
		if err != nil || field == nil {
			return false
		}
		if at := d.indexOf(key); at >= 0 {
			want = slices.Insert(want, at, field.Content...)
		} else {
			want = append(want, field.Content...)
		}
	}
	if root == nil {
		return len(want) == 0
	}
	return slices.EqualFunc(root.Content, want, equalNodes)
}

// others returns keys and values of all fields but one.
func (d *Document) others(key string) []*yaml.Node {
	if d.root == nil {
		return nil
	}
	all := slices.Clone(d.root.Content)
	if at := d.indexOf(key); at >= 0 {
		all = slices.Delete(all, at, at+2)
	}
	return all
}

// indexOf returns the index of a key in the content of the mapping, or -1.
func (d *Document) indexOf(key string) int {
	if d.root == nil {
		return -1
	}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if k := d.root.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return i
		}
	}
	return -1
}

// render writes all fields anew in block style, for the rare block whose lines cannot be spliced.
func (d *Document) render(key string, lines []string) ([]byte, bool) {
	var out []string
	at := d.indexOf(key)
	for i := 0; d.root != nil && i+1 < len(d.root.Content); i += 2 {
		if i == at {
			out = append(out, lines...)
			continue
		}
		field, err := encode(&yaml.Node{Kind: yaml.MappingNode, Content: d.root.Content[i : i+2]})
		if err != nil {
			return nil, false
		}
		out = append(out, field...)
	}
	if at < 0 {
		out = append(out, lines...)
	}
	if len(out) == 0 {
		return nil, true
	}
	head := []byte(strings.Join(out, d.eol) + d.eol)
	return head, d.sameBut(key, head, lines)
}
