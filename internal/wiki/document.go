package wiki

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

const byteOrderMark = "\ufeff"

// Document is a page taken apart into front matter and body. It never changes; edits are functions from bytes to bytes.
type Document struct {
	src    []byte
	open   int    // offset of the opening delimiter line, -1 when there is no block
	head   span   // the YAML between the delimiters
	body   int    // offset of the body
	eol    string // line ending of the block
	line   int    // line number of the first line of head
	root   *yaml.Node
	broken bool // the YAML cannot be used
	loose  bool // the delimiters are not exactly where and what they should be
	issues []Issue
}

// span is a range of byte offsets.
type span struct{ start, end int }

// Issue is one violation of the front matter rules of the OpenWiki format.
type Issue struct {
	Code    string // missing_opening_delimiter, missing_closing_delimiter, invalid_yaml, invalid_yaml_root, missing_type, invalid_<field>
	Line    int    // 1-based line of the file
	Message string
}

// Parse takes a page apart. It never fails: a byte order mark, blank lines before the block, a block that is not closed and YAML that
// cannot be used are all tolerated as far as the text still tells what was meant, and reported by [Document.Issues].
func Parse(b []byte) *Document {
	d := &Document{src: b, open: -1, eol: "\n"}
	start := 0
	if bytes.HasPrefix(b, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	d.body = start
	at, line := start, 1
	for at < len(b) && isBlank(lineAt(b, at)) {
		at = nextLine(b, at)
		line++
	}
	if !isDelimiter(lineAt(b, at)) {
		d.report("missing_opening_delimiter", 1, "the page does not start with a line ---")
		return d
	}
	d.findBlock(at, line)
	if d.open < 0 {
		return d
	}
	if at != 0 || !isExactDelimiter(lineAt(b, at)) {
		d.loose = true
		d.issues = append([]Issue{{Code: "missing_opening_delimiter", Line: 1, Message: "the first line is not exactly ---"}}, d.issues...)
	}
	if !d.broken {
		d.issues = append(d.issues, d.validate()...)
	}
	return d
}

// findBlock fills in the block that opens with the delimiter at offset at, in the given line.
func (d *Document) findBlock(at, line int) {
	headStart := nextLine(d.src, at)
	d.open, d.line = at, line+1
	if bytes.HasSuffix(d.src[:headStart], []byte("\r\n")) {
		d.eol = "\r\n"
	}
	if end, ok := findDelimiter(d.src, headStart); ok {
		d.head = span{headStart, end}
		d.body = nextLine(d.src, end)
		root, err := parseYAML(d.src[headStart:end])
		if err == nil {
			d.root = root
			d.checkClosing(end)
			return
		}
		if !d.closeEarly(headStart) {
			d.refuseBlock(err)
			d.checkClosing(end)
		}
		return
	}
	if !d.closeEarly(headStart) {
		// A thematic break at the top of a page without front matter.
		d.report("missing_closing_delimiter", line, "no later line is ---")
		d.noBlock()
	}
}

// checkClosing reports a closing delimiter with something invisible behind it.
func (d *Document) checkClosing(at int) {
	if d.open >= 0 && !isExactDelimiter(lineAt(d.src, at)) {
		d.loose = true
		d.report("missing_closing_delimiter", d.lineOf(at), "the closing line is not exactly ---")
	}
}

// refuseBlock handles a block whose YAML cannot be used. Text that does not even look like fields is not front matter that broke but
// prose between two thematic breaks; it stays in the body, so that no repair loses it.
func (d *Document) refuseBlock(err *yamlError) {
	d.broken = true
	d.report(err.code, d.line+max(err.line-1, 0), err.message)
	for line := range bytes.Lines(d.src[d.head.start:d.head.end]) {
		if topKey().Match(line) {
			return
		}
	}
	if !isBlank(d.src[d.head.start:d.head.end]) {
		d.noBlock()
	}
}

// noBlock makes everything but a byte order mark the body.
func (d *Document) noBlock() {
	d.open, d.head, d.root, d.broken = -1, span{}, nil, false
	d.body = 0
	if bytes.HasPrefix(d.src, []byte(byteOrderMark)) {
		d.body = len(byteOrderMark)
	}
}

// closeEarly handles a block whose closing delimiter was forgotten: the fields up to the first blank line or heading are the block if
// they are usable YAML with a field of the format, and what follows does not go on with fields.
func (d *Document) closeEarly(headStart int) bool {
	end := headStart
	for end < len(d.src) {
		line := lineAt(d.src, end)
		if isBlank(line) || bytes.HasPrefix(line, []byte("# ")) || bytes.HasPrefix(line, []byte("## ")) {
			break
		}
		end = nextLine(d.src, end)
	}
	rest := end
	for rest < len(d.src) && isBlank(lineAt(d.src, rest)) {
		rest = nextLine(d.src, rest)
	}
	if topKey().Match(lineAt(d.src, rest)) {
		return false
	}
	root, err := parseYAML(d.src[headStart:end])
	if err != nil || root == nil || !hasKnownField(root) {
		return false
	}
	d.head, d.body, d.root, d.loose = span{headStart, end}, end, root, true
	d.report("missing_closing_delimiter", d.lineOf(end), "the block is not closed by a line ---")
	return true
}

func (d *Document) report(code string, line int, message string) {
	d.issues = append(d.issues, Issue{Code: code, Line: line, Message: message})
}

// lineOf returns the 1-based line number of an offset.
func (d *Document) lineOf(offset int) int { return bytes.Count(d.src[:offset], []byte("\n")) + 1 }

// Issues returns what is wrong with the front matter; none means that the page is valid.
func (d *Document) Issues() []Issue { return d.issues }

// Body returns everything after the front matter block, white space included, or the whole page (without a byte order mark) when it
// has no block.
func (d *Document) Body() []byte { return d.src[d.body:] }

// BodyHash returns the hex SHA-256 of the body.
func (d *Document) BodyHash() string {
	sum := sha256.Sum256(d.Body())
	return hex.EncodeToString(sum[:])
}

// hasBlock reports whether there is a block, usable or not.
func (d *Document) hasBlock() bool { return d.open >= 0 }

// headBytes returns the YAML of the block.
func (d *Document) headBytes() []byte { return d.src[d.head.start:d.head.end] }

// lineAt returns the line at an offset, with its terminator.
func lineAt(b []byte, offset int) []byte { return b[offset:nextLine(b, offset)] }

// nextLine returns the offset behind the line at offset.
func nextLine(b []byte, offset int) int {
	if i := bytes.IndexByte(b[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(b)
}

// findDelimiter returns the offset of the first delimiter line at or after offset.
func findDelimiter(b []byte, offset int) (int, bool) {
	for at := offset; at < len(b); at = nextLine(b, at) {
		if isDelimiter(lineAt(b, at)) {
			return at, true
		}
	}
	return 0, false
}

// isDelimiter reports a line --- with nothing visible behind it.
func isDelimiter(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }

// isExactDelimiter reports a line that every reader takes for a delimiter.
func isExactDelimiter(line []byte) bool {
	return string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))) == "---"
}

func isBlank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// topKey matches a line that starts a top-level field.
var topKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*[ \t]*:(?:[ \t]|\r?\n|$)`)
})

// knownFields are the fields the OpenWiki format gives a meaning.
func knownField(key string) bool {
	switch key {
	case "type", "title", "description", "resource", "timestamp", "tags", "generated", "verified", "sources", "status", "stale_after",
		"okf_version", "openwiki_generated", "openwiki_translation_pending":
		return true
	}
	return false
}

func hasKnownField(root *yaml.Node) bool {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if knownField(root.Content[i].Value) {
			return true
		}
	}
	return false
}

// String returns the value of a scalar field, or "".
func (d *Document) String(field string) string {
	value := d.value(field)
	if value == nil || value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null" {
		return ""
	}
	return value.Value
}

// Strings returns the non-blank strings of a list field, such as tags.
func (d *Document) Strings(field string) []string {
	value := d.value(field)
	if value == nil || value.Kind != yaml.SequenceNode {
		return nil
	}
	var list []string
	for _, item := range value.Content {
		if isText(item) {
			list = append(list, resolve(item).Value)
		}
	}
	return list
}

// value returns the value node of a top-level field with aliases followed, or nil.
func (d *Document) value(field string) *yaml.Node {
	if d.root == nil {
		return nil
	}
	return mappingValue(d.root, field)
}

// mappingValue returns the value of a key of a mapping, or nil.
func mappingValue(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if k := mapping.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return resolve(mapping.Content[i+1])
		}
	}
	return nil
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// clip shortens a message that quotes a value.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}
