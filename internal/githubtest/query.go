package githubtest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// An operation is a parsed GraphQL document of one operation: the part of the language that clients of these few operations need.
type operation struct {
	kind      string            // query or mutation
	variables map[string]string // declared: name to type
	fields    []field
}

// A field with its arguments and selection. An inline fragment is a field named "...".
type field struct {
	alias, name string
	on          string         // of an inline fragment: the type
	arguments   map[string]any // constants, lists, objects, and variable for $name
	fields      []field
}

type variable string

// An enumValue is a constant without quotes.
type enumValue string

// name is what [Call.Operation] shows.
func (o operation) name() string {
	var names []string
	for _, f := range o.fields {
		names = append(names, f.name)
	}
	if o.kind == "mutation" {
		return "mutation " + strings.Join(names, ",")
	}
	return strings.Join(names, ",")
}

func upper(s string) string { return strings.ToUpper(s) }
func lower(s string) string { return strings.ToLower(s) }

// value is an argument with variables filled in.
func (e *execution) value(f field, name string) any { return e.fill(f.arguments[name]) }

func (e *execution) fill(value any) any {
	switch v := value.(type) {
	case variable:
		return e.variables[string(v)]
	case enumValue:
		return string(v)
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = e.fill(inner)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v {
			out[name] = e.fill(inner)
		}
		return out
	}
	return value
}

func (e *execution) argument(f field, name string) string {
	text, _ := e.value(f, name).(string)
	return text
}

// parseQuery reads a document.
func parseQuery(text string) (operation, error) {
	p := &queryParser{tokens: tokenize(text)}
	op := operation{kind: "query"}
	if p.peek() == "query" || p.peek() == "mutation" {
		op.kind = p.next()
		if p.peek() != "{" && p.peek() != "(" {
			p.next() // name of the operation
		}
		if p.peek() == "(" {
			op.variables = p.declarations()
		}
	}
	op.fields = p.selection()
	if p.err == nil && p.peek() != "" {
		p.err = fmt.Errorf("unexpected %q after the operation", p.peek())
	}
	return op, p.err
}

type queryParser struct {
	tokens []string
	err    error
}

func (p *queryParser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *queryParser) next() string {
	token := p.peek()
	if token == "" {
		p.err = errors.Join(p.err, errors.New("the document ends too early"))
		return ""
	}
	p.tokens = p.tokens[1:]
	return token
}

func (p *queryParser) expect(want string) {
	if got := p.next(); got != want && p.err == nil {
		p.err = fmt.Errorf("expected %q, found %q", want, got)
	}
}

// declarations reads the variables of an operation. Defaults are none of what this package knows.
func (p *queryParser) declarations() map[string]string {
	out := map[string]string{}
	p.expect("(")
	for p.err == nil && p.peek() != ")" {
		p.expect("$")
		name := p.next()
		p.expect(":")
		for p.err == nil && p.peek() != "$" && p.peek() != ")" {
			out[name] += p.next()
		}
	}
	p.expect(")")
	return out
}

func (p *queryParser) selection() []field {
	p.expect("{")
	var out []field
	for p.err == nil && p.peek() != "}" {
		f := field{name: p.next()}
		if f.name == "..." {
			p.expect("on")
			f.on = p.next()
			f.fields = p.selection()
			out = append(out, f)
			continue
		}
		if p.peek() == ":" {
			p.next()
			f.alias, f.name = f.name, p.next()
		}
		if p.peek() == "(" {
			f.arguments = p.pairs("(", ")")
		}
		if p.peek() == "{" {
			f.fields = p.selection()
		}
		out = append(out, f)
	}
	p.expect("}")
	return out
}

// pairs reads arguments or the fields of an input object.
func (p *queryParser) pairs(open, end string) map[string]any {
	p.expect(open)
	out := map[string]any{}
	for p.err == nil && p.peek() != end {
		name := p.next()
		p.expect(":")
		out[name] = p.constant()
	}
	p.expect(end)
	return out
}

func (p *queryParser) constant() any {
	if p.peek() == "{" {
		return p.pairs("{", "}")
	}
	if p.peek() == "[" {
		return p.list()
	}
	token := p.next()
	switch {
	case token == "$":
		return variable(p.next())
	case token == "true" || token == "false":
		return token == "true"
	case token == "null":
		return nil
	case strings.HasPrefix(token, `"`):
		text, err := strconv.Unquote(token)
		p.err = errors.Join(p.err, err)
		return text
	}
	if n, err := strconv.ParseFloat(token, 64); err == nil {
		return n
	}
	return enumValue(token)
}

func (p *queryParser) list() []any {
	p.expect("[")
	out := []any{}
	for p.err == nil && p.peek() != "]" {
		out = append(out, p.constant())
	}
	p.expect("]")
	return out
}

// tokenize splits a document; commas and comments are white space.
func tokenize(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		c := rune(text[i])
		switch {
		case unicode.IsSpace(c) || c == ',':
			i++
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "..."):
			out, i = append(out, "..."), i+3
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out, i = append(out, text[i:end]), end
		case isNameByte(text[i]) || c == '-':
			end := i + 1
			for end < len(text) && (isNameByte(text[end]) || text[end] == '.') {
				end++
			}
			out, i = append(out, text[i:end]), end
		default:
			out, i = append(out, string(c)), i+1
		}
	}
	return out
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
