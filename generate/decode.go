package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// FileError is a durable file of the run that cannot be read as what it must
// be. The file is never dropped or replaced because of it.
type FileError struct {
	Path  string // slash path in the repository
	Line  int    // 0 if unknown
	Field string // as in "plan.pages[2].status"; empty if unknown
	Err   error
	Hint  string
}

// Error names the file, the line and the field.
func (e *FileError) Error() string {
	at := e.Path
	if e.Line > 0 {
		at += ":" + strconv.Itoa(e.Line)
	}
	if e.Field != "" {
		at += ": " + e.Field
	}
	return at + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// maxJSONDepth is far above what the files of a run nest.
const maxJSONDepth = 32

// value is a JSON value that remembers where it stands.
type value struct {
	kind    byte // one of { [ s n b 0
	line    int
	text    string // of a string or number, "true", "false"
	members []member
	items   []*value
}

type member struct {
	key string
	val *value
}

// jsonParser reads a document into values. encoding/json alone would accept
// duplicate keys and could not tell the line of a wrong field.
type jsonParser struct {
	dec  *json.Decoder
	data []byte
	off  int
	line int
}

func parseJSON(data []byte) (*value, int, error) {
	if line := conflictLine(data); line > 0 {
		return nil, line, errors.New("unresolved merge conflict")
	}
	p := &jsonParser{dec: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err != nil {
		return nil, p.errorLine(err), err
	}
	if _, err := p.token(); err != io.ErrUnexpectedEOF {
		if err == nil {
			err = errors.New("there is more after the end of the document")
		}
		return nil, p.errorLine(err), err
	}
	return v, 0, nil
}

// conflictLine returns the first line that git put in for a conflict, or 0. No
// line of JSON starts like it.
func conflictLine(data []byte) int {
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if bytes.HasPrefix(text, []byte("<<<<<<< ")) {
			return line
		}
	}
	return 0
}

// errorLine returns the line to name for err.
func (p *jsonParser) errorLine(err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		end := min(int(syntax.Offset), len(p.data))
		return 1 + bytes.Count(p.data[:end], []byte("\n"))
	}
	return p.line
}

func (p *jsonParser) token() (json.Token, error) {
	tok, err := p.dec.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	end := int(p.dec.InputOffset())
	p.line += bytes.Count(p.data[p.off:end], []byte("\n"))
	p.off = end
	return tok, err
}

func (p *jsonParser) value(depth int) (*value, error) {
	if depth > maxJSONDepth {
		return nil, errors.New("values are nested too deeply")
	}
	tok, err := p.token()
	if err != nil {
		return nil, err
	}
	v := &value{line: p.line}
	switch t := tok.(type) {
	case json.Delim:
		v.kind = byte(t)
		if t == '{' {
			return v, p.members(v, depth)
		}
		return v, p.items(v, depth)
	case string:
		v.kind, v.text = 's', t
	case json.Number:
		v.kind, v.text = 'n', string(t)
	case bool:
		v.kind, v.text = 'b', strconv.FormatBool(t)
	default:
		v.kind = '0'
	}
	return v, nil
}

func (p *jsonParser) members(v *value, depth int) error {
	seen := map[string]bool{}
	for p.dec.More() {
		tok, err := p.token()
		if err != nil {
			return err
		}
		key, _ := tok.(string)
		if seen[key] {
			return fmt.Errorf("key %q appears twice", key)
		}
		seen[key] = true
		val, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.members = append(v.members, member{key, val})
	}
	_, err := p.token()
	return err
}

func (p *jsonParser) items(v *value, depth int) error {
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err := p.token()
	return err
}

// strictDecoder collects the first thing wrong with a document.
type strictDecoder struct {
	path, hint string
	err        error
}

func (d *strictDecoder) fail(line int, field, format string, args ...any) {
	if d.err == nil {
		d.err = &FileError{Path: d.path, Line: line, Field: field, Err: fmt.Errorf(format, args...), Hint: d.hint}
	}
}

// object opens v as an object whose every key must be asked for.
func (d *strictDecoder) object(v *value, field string) *fields {
	f := &fields{d: d, field: field, v: v}
	if v.kind != '{' {
		d.fail(v.line, field, "must be an object")
		f.v = &value{kind: '{', line: v.line}
	}
	f.used = make([]bool, len(f.v.members))
	return f
}

// fields reads the members of one object.
type fields struct {
	d     *strictDecoder
	field string
	v     *value
	used  []bool
}

func (f *fields) name(key string) string {
	if f.field == "" {
		return key
	}
	return f.field + "." + key
}

// get returns a member, or nil when it is absent.
func (f *fields) get(key string) *value {
	for i := range f.v.members {
		if f.v.members[i].key == key {
			f.used[i] = true
			return f.v.members[i].val
		}
	}
	return nil
}

func (f *fields) need(key string) *value {
	v := f.get(key)
	if v == nil {
		f.d.fail(f.v.line, f.name(key), "is missing")
	}
	return v
}

// check says what is wrong with a string, or "".
type check func(string) string

func anyText(string) string { return "" }

func filled(s string) string {
	if s == "" {
		return "must not be empty"
	}
	return ""
}

func trimmed(s string) string {
	if s == "" || s != strings.TrimSpace(s) {
		return "must be text without blanks around it"
	}
	return ""
}

var digestForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^sha256:[a-f0-9]{64}$`) })

func digest(s string) string {
	if !digestForm().MatchString(s) {
		return `must be "sha256:" and 64 lower-case hex digits`
	}
	return ""
}

var uuidForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

func uuid(s string) string {
	if !uuidForm().MatchString(s) {
		return "must be a UUID"
	}
	return ""
}

func oneOf(choices ...string) check {
	return func(s string) string {
		for _, c := range choices {
			if s == c {
				return ""
			}
		}
		return fmt.Sprintf("is %q, must be one of %s", s, strings.Join(choices, ", "))
	}
}

func (f *fields) textOf(v *value, name string, ok check) string {
	if v == nil {
		return ""
	}
	if v.kind != 's' {
		f.d.fail(v.line, name, "must be a string")
		return ""
	}
	if problem := ok(v.text); problem != "" {
		f.d.fail(v.line, name, "%s", problem)
	}
	return v.text
}

// text reads a required string.
func (f *fields) text(key string, ok check) string { return f.textOf(f.need(key), f.name(key), ok) }

// optional reads a string that may be absent.
func (f *fields) optional(key string, ok check) string {
	return f.textOf(f.get(key), f.name(key), ok)
}

func (f *fields) boolean(key string) bool {
	v := f.need(key)
	if v == nil {
		return false
	}
	if v.kind != 'b' {
		f.d.fail(v.line, f.name(key), "must be true or false")
	}
	return v.text == "true"
}

// list returns the items of a required array.
func (f *fields) list(key string) []*value {
	v := f.need(key)
	if v == nil {
		return nil
	}
	if v.kind != '[' {
		f.d.fail(v.line, f.name(key), "must be an array")
		return nil
	}
	return v.items
}

// texts reads a required array of strings.
func (f *fields) texts(key string, ok check) []string {
	items := f.list(key)
	out := make([]string, 0, len(items))
	for i, item := range items {
		out = append(out, f.textOf(item, f.name(key)+"["+strconv.Itoa(i)+"]", ok))
	}
	return out
}

// version refuses every schema version but 1, a newer one with its own hint.
func (f *fields) version() {
	v := f.need("schemaVersion")
	switch {
	case v == nil || v.kind == 'n' && v.text == "1":
	case v.kind == 'n' && isNewer(v.text):
		f.d.hint = "the file was written by a newer version of wikiwright or OpenWiki: use that version"
		f.d.fail(v.line, f.name("schemaVersion"), "is %s, newer than the supported version 1", v.text)
	default:
		f.d.fail(v.line, f.name("schemaVersion"), "must be 1")
	}
}

func isNewer(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 1
}

// done reports the first key nobody asked for.
func (f *fields) done() {
	for i, m := range f.v.members {
		if !f.used[i] {
			f.d.fail(m.val.line, f.name(m.key), "is not a known key")
			return
		}
	}
}

// encodeJSON returns v indented by two blanks, lines after the first prefixed
// by indent, without HTML escapes and without a final newline.
func encodeJSON(v any, indent string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	// The types given here hold strings, numbers, booleans and slices of
	// them, for which Encode cannot fail.
	if err := enc.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(buf.Bytes(), "\n")
}
