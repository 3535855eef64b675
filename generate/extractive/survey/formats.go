package survey

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads a TOML file into nodes, up to the first error.
func parseTOML(data []byte) *node {
	var p unstable.Parser
	p.Reset(data)
	t := &tomlReader{p: &p, lines: newLineIndex(data)}
	root := &node{line: 1}
	at := root
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			at = t.table(root, e, false)
		case unstable.ArrayTable:
			at = t.table(root, e, true)
		case unstable.KeyValue:
			t.keyValue(at, e)
		}
	}
	return root
}

type tomlReader struct {
	p     *unstable.Parser
	lines lineIndex
}

// lineOf returns the line of a node, 0 where the parser gives no position.
func (t *tomlReader) lineOf(e *unstable.Node) int {
	if e.Raw.Length == 0 {
		return 0
	}
	return t.lines.at(int(e.Raw.Offset))
}

// table finds or makes the table that a header names; for an array of tables it appends a new element.
func (t *tomlReader) table(root *node, e *unstable.Node, array bool) *node {
	at := root
	it := e.Key()
	for it.Next() {
		key := it.Node()
		at = enter(at, string(key.Data), t.lineOf(key))
		if it.IsLast() && array {
			at.items = append(at.items, &node{line: t.lineOf(key), end: t.lineOf(key)})
		}
		if len(at.items) > 0 { // [bin.sub] after [[bin]] belongs to its newest element
			at = at.items[len(at.items)-1]
		}
	}
	return at
}

// enter returns the child under key, made where it is missing.
func enter(at *node, key string, line int) *node {
	next := at.get(key)
	if next == nil {
		next = &node{key: key, line: line, end: line}
		at.entries = append(at.entries, next)
	}
	return next
}

func (t *tomlReader) keyValue(at *node, e *unstable.Node) {
	it := e.Key()
	line := 0
	for it.Next() {
		key := it.Node()
		line = t.lineOf(key)
		if !it.IsLast() {
			at = enter(at, string(key.Data), line)
			continue
		}
		child := t.value(e.Value(), line)
		child.key, child.line = string(key.Data), line
		child.end = max(child.end, line)
		at.entries = append(at.entries, child)
		at.end = max(at.end, child.end)
	}
}

func (t *tomlReader) value(e *unstable.Node, line int) *node {
	if l := t.lineOf(e); l > 0 {
		line = l
	}
	n := &node{line: line, end: line}
	switch e.Kind {
	case unstable.Array:
		for it := e.Children(); it.Next(); {
			if c := it.Node(); c.Kind != unstable.Comment {
				n.items = append(n.items, t.value(c, n.end))
				n.end = max(n.end, n.items[len(n.items)-1].end)
			}
		}
	case unstable.InlineTable:
		for it := e.Children(); it.Next(); {
			if c := it.Node(); c.Kind == unstable.KeyValue {
				t.keyValue(n, c)
			}
		}
	default:
		n.scalar, n.text = true, string(e.Data)
		if e.Kind == unstable.String {
			n.end = line + strings.Count(string(t.p.Raw(e.Raw)), "\n")
		}
	}
	return n
}

// parseINI reads setup.cfg, tox.ini and their like: sections of keys, where indented lines continue a value as list items.
func parseINI(data []byte) *node {
	root := &node{line: 1}
	at := root
	var last *node
	for i, raw := range strings.Split(string(data), "\n") {
		line := strings.TrimRight(raw, "\r \t")
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' || text[0] == ';' {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last != nil {
				last.items = append(last.items, &node{scalar: true, text: stripINIComment(text), line: i + 1, end: i + 1})
				last.end = i + 1
			}
			continue
		}
		last = nil
		if text[0] == '[' && strings.HasSuffix(text, "]") {
			at = enter(root, strings.TrimSpace(text[1:len(text)-1]), i+1)
			continue
		}
		sep := strings.IndexAny(text, "=:")
		if sep <= 0 {
			continue
		}
		last = &node{key: strings.TrimSpace(text[:sep]), line: i + 1, end: i + 1}
		if value := strings.TrimSpace(text[sep+1:]); value != "" {
			last.scalar, last.text = true, stripINIComment(value)
		}
		at.entries = append(at.entries, last)
	}
	return root
}

func stripINIComment(s string) string {
	if at := strings.Index(s, " #"); at >= 0 {
		s = strings.TrimSpace(s[:at])
	}
	return s
}

// parseXML reads an XML file into nodes: elements and attributes are entries, character data is the text. Namespaces are dropped.
func parseXML(data []byte) *node {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Strict = false
	dec.CharsetReader = nil
	root := &node{line: 1}
	stack := []*node{root}
	for {
		line, _ := dec.InputPos()
		tok, err := dec.RawToken()
		if err != nil {
			return root
		}
		top := stack[len(stack)-1]
		switch t := tok.(type) {
		case xml.StartElement:
			if len(stack) > maxDepth {
				return root
			}
			end, _ := dec.InputPos()
			n := &node{key: t.Name.Local, line: line, end: end, scalar: true}
			for _, a := range t.Attr {
				n.entries = append(n.entries, &node{key: a.Name.Local, scalar: true, text: a.Value, line: line, end: end})
			}
			top.entries = append(top.entries, n)
			stack = append(stack, n)
		case xml.EndElement:
			if len(stack) > 1 {
				top.end, _ = dec.InputPos()
				top.text = strings.TrimSpace(top.text)
				stack = stack[:len(stack)-1]
			}
		case xml.CharData:
			if len(top.text) < 10_000 {
				top.text += string(t)
			}
		}
	}
}
