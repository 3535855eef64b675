package githubtest

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed testdata/schema.graphql
var schemaText string

// A typeDef is a type of GitHub's schema: the fields it has, or the values of an enum.
type typeDef struct {
	kind   string // type, input, interface or enum
	fields map[string]fieldDef
}

// A fieldDef is a field: its type, and the types of its arguments.
type fieldDef struct {
	typ       string
	arguments map[string]string
}

// loadSchema reads the cut of the schema, one field a line. A default makes an argument one that may be left out, which its type says too.
var loadSchema = sync.OnceValue(func() map[string]typeDef {
	types := map[string]typeDef{}
	var current typeDef
	for line := range strings.Lines(schemaText) {
		words := strings.Fields(line)
		switch {
		case len(words) == 3 && words[2] == "{":
			current = typeDef{words[0], map[string]fieldDef{}}
			types[words[1]] = current
		case words[0] != "}":
			name, definition := fieldLine(strings.TrimSpace(line))
			current.fields[name] = definition
		}
	}
	return types
})

func fieldLine(line string) (string, fieldDef) {
	if !strings.Contains(line, "(") {
		line, _, _ = strings.Cut(line, " =") // the default of an input
	}
	head, typ, _ := cutLast(line, ": ")
	name, rest, hasArguments := strings.Cut(head, "(")
	if !hasArguments {
		return or(name, line), fieldDef{typ: typ}
	}
	definition := fieldDef{typ: typ, arguments: map[string]string{}}
	for argument := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		name, typ, _ := strings.Cut(argument, ": ")
		typ, _, _ = strings.Cut(typ, " = ")
		definition.arguments[name] = typ
	}
	return name, definition
}

func cutLast(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}

// A checker holds an operation against the schema.
type checker struct {
	types    map[string]typeDef
	declared map[string]string // variables
}

// check says what GitHub would refuse in an operation and its variables.
func (o operation) check(variables map[string]any) error {
	c := checker{loadSchema(), o.variables}
	for _, name := range slices.Sorted(maps.Keys(o.variables)) {
		if err := c.value("$"+name, o.variables[name], variables[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if _, declared := o.variables[name]; !declared {
			return fmt.Errorf("variable $%s is not declared", name)
		}
	}
	return c.selection(map[string]string{"query": "Query", "mutation": "Mutation"}[o.kind], o.fields)
}

func (c checker) selection(on string, fields []field) error {
	if len(fields) == 0 {
		return fmt.Errorf("field must have selections (%s)", on)
	}
	for _, f := range fields {
		if f.name == "..." {
			if err := c.selection(f.on, f.fields); err != nil {
				return err
			}
			continue
		}
		if err := c.field(on, f); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) field(on string, f field) error {
	if f.name == "__typename" {
		return nil
	}
	definition, known := c.types[on].fields[f.name]
	if !known {
		return fmt.Errorf("field '%s' doesn't exist on type '%s'", f.name, on)
	}
	if err := c.object(f.name, definition.arguments, f.arguments); err != nil {
		return err
	}
	result := bare(definition.typ)
	if kind := c.types[result].kind; kind == "type" || kind == "interface" || result == "Node" {
		return c.selection(result, f.fields)
	}
	if len(f.fields) > 0 {
		return fmt.Errorf("field '%s' of type %s has no fields", f.name, definition.typ)
	}
	return nil
}

// object checks arguments, or the fields of an input.
func (c checker) object(where string, types map[string]string, given map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := types[name]; !known {
			return fmt.Errorf("'%s' doesn't accept '%s'", where, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if err := c.value(where+"."+name, types[name], given[name]); err != nil {
			return err
		}
	}
	return nil
}

// value checks a constant or the value of a variable against a type.
func (c checker) value(where, typ string, value any) error {
	wrong := func() error { return fmt.Errorf("%s of type %s was provided invalid value", where, typ) }
	if name, isVariable := value.(variable); isVariable {
		declared := c.declared[string(name)]
		if declared != typ && strings.TrimSuffix(declared, "!") != typ {
			return fmt.Errorf("type mismatch on variable $%s (%s / %s)", name, declared, typ)
		}
		return nil
	}
	inner, required := strings.CutSuffix(typ, "!")
	if value == nil {
		if required {
			return wrong()
		}
		return nil
	}
	if element, isList := strings.CutPrefix(inner, "["); isList {
		list, ok := value.([]any)
		if !ok {
			return wrong()
		}
		for _, one := range list {
			if err := c.value(where, strings.TrimSuffix(element, "]"), one); err != nil {
				return err
			}
		}
		return nil
	}
	switch definition := c.types[inner]; definition.kind {
	case "input":
		object, ok := value.(map[string]any)
		if !ok {
			return wrong()
		}
		types := map[string]string{}
		for name, f := range definition.fields {
			types[name] = f.typ
		}
		return c.object(where, types, object)
	case "enum":
		if _, known := definition.fields[fmt.Sprint(value)]; !known {
			return wrong()
		}
		return nil
	}
	if !scalar(inner, value) {
		return wrong()
	}
	return nil
}

func scalar(typ string, value any) bool {
	switch typ {
	case "Int":
		n, ok := value.(float64)
		return ok && n == float64(int(n))
	case "Boolean":
		_, ok := value.(bool)
		return ok
	}
	text, ok := value.(string)
	switch typ {
	case "GitObjectID":
		return ok && isObjectName(text)
	case "GitRefname":
		return ok && strings.HasPrefix(text, "refs/")
	}
	return ok // ID, String and the like
}

// bare is a type without list and non-null marks.
func bare(typ string) string { return strings.Trim(typ, "[]!") }
