package survey

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/scan"
)

// readOptions finds settings that a file defines by means of its own, where the literal names stand in the file: functions that pass a name
// on to a flag parser, tables of a macro with parameters called name and default, options as values, and types that answer their name.
func readOptions(f *scan.File, data []byte) []ConfigItem {
	if f.IsTest || f.Generated {
		return nil
	}
	switch f.Language {
	case "Go":
		if bytes.Contains(data, []byte(".Flag(")) {
			return wrappedFlags(f.Path, string(data))
		}
	case "C", "C++":
		if bytes.Contains(data, []byte("#define")) && bytes.Contains(data, []byte("default")) {
			return macroTable(f.Path, string(data))
		}
	case "Python":
		if bytes.Contains(data, []byte("Option(")) && bytes.Contains(data, []byte("click")) {
			return optionValues(f.Path, string(data))
		}
	case "Rust":
		if bytes.Contains(data, []byte("fn name_long")) && bytes.Contains(data, []byte("fn doc_short")) {
			return flagTypes(f.Path, data)
		}
	}
	return nil
}

var (
	goFunction  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^func (\w+)\(([^)]*)\)[^{\n]*\{$`) })
	flagOf      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.Flag\((\w+),`) })
	flagDefault = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.\s*Default\(("(?:[^"\\]|\\.)*")\)`) })
)

// wrappedFlags reads the calls of functions of the file that hand one of their parameters on as the name of a flag.
func wrappedFlags(name, text string) []ConfigItem {
	var out []ConfigItem
	lines := newLineIndex([]byte(text))
	for _, m := range goFunction().FindAllStringSubmatchIndex(text, 200) {
		body := text[m[1]:]
		if end := strings.Index(body, "\n}"); end >= 0 {
			body = body[:end]
		}
		f := flagOf().FindStringSubmatch(body)
		if f == nil {
			continue
		}
		at := parameter(text[m[4]:m[5]], f[1])
		if at < 0 {
			continue
		}
		function := text[m[2]:m[3]]
		for from := m[1]; ; {
			i := strings.Index(text[from:], function+"(")
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(function) + 1
			args, end := arguments(text, from)
			if start > 0 && isWordByte(text[start-1]) || at >= len(args) || literal(args[at]) == "" {
				continue
			}
			item := ConfigItem{Kind: "flag", Name: literal(args[at])}
			if at+1 < len(args) {
				item.Usage = cut(literal(args[at+1]), maxText)
			}
			chain := end
			for strings.HasPrefix(text[chain:], ".") { // the clauses that follow the call
				open := strings.IndexByte(text[chain:], '(')
				if open < 0 {
					break
				}
				_, next := arguments(text, chain+open+1)
				chain = next
			}
			if d := flagDefault().FindStringSubmatch(text[end:chain]); d != nil {
				item.Default = literal(d[1])
			}
			item.Refs = []Ref{{Path: name, Start: lines.at(start), End: lines.at(chain - 1)}}
			out = append(out, item)
		}
	}
	return out
}

// parameter returns the position of a parameter in a list, -1 where it is none.
func parameter(list, name string) int {
	for i, p := range strings.Split(list, ",") {
		if word, _, _ := strings.Cut(strings.TrimSpace(p), " "); word == name {
			return i
		}
	}
	return -1
}

// maxCall bounds the text of one call: what does not end within it is broken, or no call.
const maxCall = 8 << 10

// arguments splits the arguments of a call that starts after its bracket, and returns the offset after the closing one.
func arguments(text string, from int) (args []string, end int) {
	depth, start := 0, from
	text = text[:min(len(text), from+maxCall)]
	for i := from; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' && c != '`' {
					i++
				}
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return append(args, strings.TrimSpace(text[start:i])), i + 1
			}
			depth--
		case ',':
			if depth == 0 {
				args, start = append(args, strings.TrimSpace(text[start:i])), i+1
			}
		}
		if len(args) > 60 {
			break
		}
	}
	return args, len(text)
}

// literal returns the value of one plain string literal, "" for anything else.
func literal(s string) string {
	s = strings.TrimSpace(s)
	if joined, ok := joinedLiterals(s); ok {
		return clean(joined)
	}
	if len(s) < 2 || s[0] != '"' && s[0] != '`' && s[0] != '\'' || s[len(s)-1] != s[0] || strings.IndexByte(s[1:len(s)-1], s[0]) >= 0 {
		return ""
	}
	return clean(s[1 : len(s)-1])
}

// joinedLiterals returns the value of one literal of Go, or of several that + puts together, with their escapes resolved.
func joinedLiterals(s string) (string, bool) {
	out := ""
	for n := 0; n < 40; n++ {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil || quoted[0] == '\'' {
			return "", false
		}
		v, err := strconv.Unquote(quoted)
		if err != nil {
			return "", false
		}
		out += v
		if s = strings.TrimSpace(s[len(quoted):]); s == "" {
			return out, true
		}
		if !strings.HasPrefix(s, "+") {
			return "", false
		}
		s = strings.TrimSpace(s[1:])
	}
	return "", false
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var (
	clickOption = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bOption\(\s*\[`) })
	longOption  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']--([\w-]+)`) })
	pyString    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\(?\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)?$`) })
)

// optionValues reads options that are values and no decorators: click.Option(["-A", "--app"], help="…").
func optionValues(name, text string) []ConfigItem {
	lines := newLineIndex([]byte(text))
	var out []ConfigItem
	for _, m := range clickOption().FindAllStringIndex(text, 200) {
		open := strings.IndexByte(text[m[0]:], '(') + m[0] + 1
		args, end := arguments(text, open)
		if len(args) == 0 {
			continue
		}
		long := longOption().FindStringSubmatch(args[0])
		if long == nil {
			continue
		}
		item := ConfigItem{Kind: "flag", Name: long[1], Refs: []Ref{{Path: name, Start: lines.at(m[0]), End: lines.at(end - 1)}}}
		for _, arg := range args[1:] {
			key, value, _ := strings.Cut(arg, "=")
			switch key {
			case "help":
				if s := pyString().FindStringSubmatch(value); s != nil {
					item.Usage = cut(joinLiterals(s[1]), 200)
				}
			case "default":
				item.Default = literal(value)
			}
		}
		out = append(out, item)
	}
	return out
}

var adjacent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"\s*"`) })

// joinLiterals joins adjacent string literals as Python does.
func joinLiterals(s string) string {
	return clean(strings.ReplaceAll(strings.Trim(adjacent().ReplaceAllString(strings.TrimSpace(s), ""), `"`), `\"`, `"`))
}

var rustLiteral = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:r?"((?:[^"\\]|\\.)*)"|r#"(.*)"#)$`) })

// otherName is the value of a method that answers another name of a flag: Some(b'A'), Some("no-color").
var otherName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Some\((?:b'([A-Za-z0-9.])'|"([\w-]+)")\)$`) })

// flagTypes reads flags that are types with methods for their name and their words: name_long and doc_short.
func flagTypes(name string, data []byte) []ConfigItem {
	var out []ConfigItem
	var item ConfigItem
	var also []string      // other names
	method, start := "", 0 // start is the line of a name before the long one
	for _, l := range splitLines(data) {
		text := strings.TrimSpace(l.text)
		switch {
		case strings.HasPrefix(l.text, "impl "):
			item, method, also, start = ConfigItem{Kind: "flag"}, "", nil, 0
		case strings.HasPrefix(text, "fn "):
			method, _, _ = strings.Cut(strings.TrimPrefix(text, "fn "), "(")
		case l.text == "}":
			if item.Name != "" {
				if len(also) > 0 {
					item.Usage = strings.TrimSpace(item.Usage + " (" + strings.Join(also, ", ") + ")")
				}
				out = append(out, item)
			}
			item, method = ConfigItem{}, ""
		}
		if other := otherName().FindStringSubmatch(text); other != nil && item.Kind != "" {
			switch method {
			case "name_short":
				also = append(also, "short -"+other[1])
			case "name_negated":
				also = append(also, "negated by --"+other[2])
			default:
				continue
			}
			if len(item.Refs) > 0 {
				item.Refs[0].End = max(item.Refs[0].End, l.no)
			} else {
				start = l.no
			}
		}
		value := rustLiteral().FindStringSubmatch(text)
		if value == nil || item.Kind == "" {
			continue
		}
		switch method {
		case "name_long":
			item.Name, item.Refs = value[1]+value[2], []Ref{{Path: name, Start: l.no, End: l.no}}
			if start > 0 {
				item.Refs[0].Start = start
			}
		case "doc_short":
			item.Usage = clean(value[1] + value[2])
			if item.Name != "" && l.no > item.Refs[0].Start {
				item.Refs[0].End = l.no
			}
		}
	}
	return out
}
