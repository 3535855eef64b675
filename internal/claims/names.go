package claims

import (
	"regexp"
	"strings"
	"sync"
)

// names are the code spans of a statement that look like identifiers.
var names = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`\n]{2,80})`") })

// MissingNames returns the names that a statement spells in backticks when the text, the lines it cites, holds not one of them; else "". A
// name may be spelled with what surrounds it, as in Store.Open() for Open.
func MissingNames(statement, text string) string {
	var all []string
	for _, match := range names().FindAllStringSubmatch(statement, -1) {
		name := match[1]
		all = append(all, "`"+name+"`")
		if strings.Contains(text, name) || strings.Contains(text, lastName(name)) {
			return ""
		}
	}
	return strings.Join(all, ", ")
}

// lastName is the last identifier of a qualified name or call.
func lastName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	fields := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:/>-# ", r) })
	if len(fields) == 0 {
		return name
	}
	return fields[len(fields)-1]
}
