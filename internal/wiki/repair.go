package wiki

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/wikiwright/wikiwright/internal/language"
)

// Repair returns the page with valid front matter, and what was wrong with it. A valid page comes back as the same bytes and no notes.
//
// The body is kept, with two exceptions that are no loss: a fence that wraps the whole page or its block is removed, and a byte order
// mark goes. Fields are kept as far as they can be understood; a phrase that YAML misreads keeps its full text; a bad optional field is
// dropped or loses its bad entries; a missing type becomes the fallback of the language and marks the page as openwiki_generated. What
// the format does not let stand in verified and sources, where others sign, is told in the notes word for word.
func Repair(b []byte, p PagePath, lang string) (out []byte, notes []Issue) {
	d := Parse(b)
	if len(d.issues) == 0 {
		return b, nil
	}
	out, unwrapped := unwrapFence(b)
	if unwrapped {
		notes = []Issue{{Code: "missing_opening_delimiter", Line: 1, Message: "the page or its block was wrapped in a code fence"}}
		d = Parse(out)
	}
	notes = append(notes, d.issues...)
	r := repair{page: p, lang: lang}
	d = Parse(r.delimiters(d))
	if d.broken {
		d = Parse(d.withHead(salvage(d)))
	}
	if d.broken || !d.hasBlock() || d.root == nil {
		return r.minimal(d), notes
	}
	dropped := tellDropped(d)
	out = r.fields(d)
	if d = Parse(out); len(d.issues) > 0 {
		out = r.minimal(d)
	}
	return out, append(notes, dropped...)
}

// repair holds what the repair of one page needs to know about it.
type repair struct {
	page PagePath
	lang string
}

// delimiters makes the two delimiter lines exact and the opening one the first line.
func (r repair) delimiters(d *Document) []byte {
	switch {
	case !d.hasBlock():
		return d.Body()
	case !d.loose:
		return d.src
	}
	head := d.headBytes()
	if len(head) > 0 && head[len(head)-1] != '\n' {
		head = append(slices.Clone(head), d.eol...)
	}
	rule := []byte("---" + d.eol)
	return slices.Concat(rule, head, rule, d.Body())
}

// minimal replaces the block by one that says no more than the path and the first heading do.
func (r repair) minimal(d *Document) []byte {
	lines := []string{
		"type: " + quote(language.FallbackType(r.lang)),
		"title: " + quote(r.title(d.Body())),
		"openwiki_generated: true",
	}
	if !d.hasBlock() {
		return d.withNewBlock(lines)
	}
	return slices.Concat([]byte("---"+d.eol+strings.Join(lines, d.eol)+d.eol+"---"+d.eol), d.Body())
}

// fields repairs the fields of a usable block one by one, the type first: a block that has one never becomes empty.
func (r repair) fields(d *Document) []byte {
	if value := d.value("type"); value == nil || !isText(value) && d.phrase(d.root.Content[d.indexOf("type")], value) == "" {
		d = Parse(r.withType(d))
	}
	for i, key := range d.keys() {
		keyNode, value := d.root.Content[2*i], resolve(d.root.Content[2*i+1])
		if checkField(key, value) == "" && (!textField(key) || d.misread(keyNode, value) == "") {
			continue
		}
		edited := d.withField(key, r.field(d, key, value, keyNode))
		if bytes.Equal(edited, d.src) {
			break
		}
		// The positions of the fields that follow have changed.
		return r.fields(Parse(edited))
	}
	return d.src
}

// keys returns the names of the fields; a key that is not a scalar has the name "".
func (d *Document) keys() []string {
	var keys []string
	for i := 0; d.root != nil && i+1 < len(d.root.Content); i += 2 {
		name := ""
		if key := d.root.Content[i]; key.Kind == yaml.ScalarNode {
			name = key.Value
		}
		keys = append(keys, name)
	}
	return keys
}

// field returns the repaired lines of a bad field, or nil to drop it.
func (r repair) field(d *Document, key string, value, keyNode *yaml.Node) []string {
	switch key {
	case "type", "title", "description":
		if phrase := d.phrase(keyNode, value); phrase != "" {
			return []string{key + ": " + quote(phrase)}
		}
		if key == "title" {
			return []string{"title: " + quote(r.title(d.Body()))}
		}
	case "tags":
		return tagLines(value)
	case "verified", "sources":
		return entryLines(key, d.items(key))
	}
	return nil
}

// phrase returns the text a misread or wrongly typed phrase was meant to be, or "".
func (d *Document) phrase(key, value *yaml.Node) string {
	raw, ok := d.rawValue(key)
	single := ok && value.Line == key.Line && (value.Kind != yaml.ScalarNode || value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0)
	if value.Kind == yaml.ScalarNode && (value.ShortTag() == "!!null" || strings.TrimSpace(value.Value) == "") {
		return ""
	}
	if !single || !oneLine(d, key) {
		if value.Kind == yaml.ScalarNode {
			return strings.TrimSpace(value.Value)
		}
		return ""
	}
	return unquoted(raw)
}

// oneLine reports whether the field ends on the line it starts on.
func oneLine(d *Document, key *yaml.Node) bool {
	lines := strings.Split(string(d.headBytes()), "\n")
	if key.Line >= len(lines) {
		return true
	}
	next := lines[key.Line]
	return strings.TrimSpace(next) == "" || next[0] != ' ' && next[0] != '\t' && next[0] != '-'
}

// unquoted cleans a phrase that was written with quotes that YAML could not read.
func unquoted(raw string) string {
	raw = cleanText(raw)
	if len(raw) >= 2 && raw[0] == raw[len(raw)-1] && (raw[0] == '"' || raw[0] == '\'') {
		raw = strings.TrimSpace(raw[1 : len(raw)-1])
	}
	return raw
}

// cleanText returns valid text on one line without control characters.
func cleanText(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Join(strings.Fields(s), " ")
}

// tagLines keeps the valid tags; a string of tags separated by commas becomes a list.
func tagLines(value *yaml.Node) []string {
	var tags []string
	if value.Kind == yaml.SequenceNode {
		for _, item := range value.Content {
			if isText(item) {
				tags = append(tags, plain(resolve(item).Value))
			}
		}
	} else if isText(value) {
		for tag := range strings.SplitSeq(value.Value, ",") {
			if tag = cleanText(tag); tag != "" {
				tags = append(tags, plain(tag))
			}
		}
	}
	if len(tags) == 0 {
		return nil
	}
	lines := []string{"tags:"}
	for _, tag := range tags {
		lines = append(lines, "  - "+tag)
	}
	return lines
}

// tellDropped returns the entries of verified and sources that are no such thing, which the repaired fields do not hold.
func tellDropped(d *Document) []Issue {
	var dropped []Issue
	for _, key := range []string{"verified", "sources"} {
		items := d.items(key)
		if value := d.value(key); value != nil && value.Kind == yaml.ScalarNode && value.ShortTag() != "!!null" {
			items = []*yaml.Node{value}
		}
		for _, item := range items {
			if !validEntry(key, item) {
				dropped = append(dropped, Issue{
					Code: "dropped_" + key, Line: d.line + item.Line - 1,
					Message: fmt.Sprintf("%s loses an entry that the format does not allow: %s", key, oneLineOf(item)),
				})
			}
		}
	}
	return dropped
}

func validEntry(key string, item *yaml.Node) bool {
	return key == "verified" && isEvent(item) || key == "sources" && isSource(item)
}

// oneLineOf is the text of a node, cut where nobody reads on.
func oneLineOf(n *yaml.Node) string {
	const most = 200
	lines, err := encode(n)
	if err != nil {
		return "what cannot be read"
	}
	runes := []rune(cleanText(strings.Join(lines, ", ")))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// entryLines keeps the valid entries of verified or sources, each with all its keys.
func entryLines(key string, items []*yaml.Node) []string {
	var lines []string
	for _, item := range items {
		if !validEntry(key, item) {
			continue
		}
		if pairs, err := encode(item); err == nil {
			lines = append(lines, listItem(pairs)...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{key + ":"}, lines...)
}

// withType gives the page the fallback type, and a title when it has none.
func (r repair) withType(d *Document) []byte {
	out := d.withField("type", []string{"type: " + quote(language.FallbackType(r.lang))})
	if d.value("title") == nil {
		out = Parse(out).withField("title", []string{"title: " + quote(r.title(d.Body()))})
	}
	return Parse(out).withField("openwiki_generated", []string{"openwiki_generated: true"})
}

// title derives a title from the first heading of the body, else from the name of the file.
func (r repair) title(body []byte) string {
	if heading := firstHeading(string(body)); heading != "" {
		return heading
	}
	name := strings.TrimSuffix(path.Base(string(r.page)), ".md")
	name = cleanText(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	if name == "" {
		return language.FallbackType(r.lang)
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// firstHeading returns the text of the first "# " heading outside code fences.
func firstHeading(body string) string {
	var fences fenceState
	for line := range strings.Lines(body) {
		if fences.feed(line) {
			continue
		}
		rest, ok := strings.CutPrefix(line, "# ")
		if !ok {
			continue
		}
		text := strings.TrimSpace(rest)
		if trimmed := strings.TrimRight(text, "#"); trimmed == "" || strings.HasSuffix(trimmed, " ") {
			text = trimmed
		}
		if text = cleanText(strings.NewReplacer("`", "", "**", "").Replace(text)); text != "" {
			return text
		}
	}
	return ""
}
