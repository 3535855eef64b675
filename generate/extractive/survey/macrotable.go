package survey

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	macroHead   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^#define (\w+)\(([^)\n]*)\)`) })
	macroCall   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(\w+)\("([a-zA-Z][\w.-]*)",`) })
	plainNumber = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^-?[0-9][0-9.]*$`).MatchString })
	plainName   = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^[A-Z_][A-Z0-9_]{2,}$`).MatchString })
	comparedTo  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`str(?:case)?cmp\([^;"]*"(\w+)"\)`) })
	wordEntry   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\{\s*"([^"]+)"\s*,\s*([^{},]+?)\s*\}`) })
	wordTable   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w\s*]*\b(\w+)\s*\[\s*\]\s*=\s*\{`) })
)

// macroTable reads the entries of a table that a macro with parameters called name and default writes. A default is told as the program
// accepts it: a constructor that names truth values in the words that the file compares its input to, one with a table of words in the word
// of its entry, a named constant by its value. What none of these tells is left out.
func macroTable(name, text string) []ConfigItem {
	defaults, found := map[string]int{}, false // position of the default, -1 for the special ones that have none
	for _, m := range macroHead().FindAllStringSubmatch(text, 500) {
		at := parameter(m[2], "default")
		if parameter(m[2], "name") == 0 && (at > 0 || strings.HasSuffix(m[1], "Config") && strings.Count(m[2], ",") > 2) {
			defaults[m[1]] = at
			found = found || at > 0
		}
	}
	if !found {
		return nil
	}
	lines := newLineIndex([]byte(text))
	tables := wordTables(name, text)
	truth := truthWords(name, text, lines)
	var out []ConfigItem
	for _, m := range macroCall().FindAllStringSubmatchIndex(text, 2000) {
		constructor := text[m[2]:m[3]]
		at, ok := defaults[constructor]
		if !ok {
			continue
		}
		args, end := arguments(text, m[3]+1)
		item := ConfigItem{Kind: "key", Name: text[m[4]:m[5]], Refs: []Ref{{Path: name, Start: lines.at(m[2]), End: lines.at(end - 1)}}}
		if at > 0 && at < len(args) {
			item.defaultWritten(args[at], constructor, args[:at], tables, truth)
		}
		out = append(out, item)
	}
	return out
}

// defaultWritten sets the default of an item from the expression that a constructor is given for it.
func (item *ConfigItem) defaultWritten(value, constructor string, before []string, tables map[string][]worded, truth map[string]worded) {
	for _, arg := range before {
		table, ok := tables[arg]
		if !ok {
			continue
		}
		for _, w := range table {
			if w.value == value {
				item.Default, item.From = w.word, []Ref{w.ref}
				return
			}
		}
		return // a value that the table does not name is none that a user can write
	}
	lower := strings.ToLower(constructor)
	switch number := productOf(value); {
	case strings.Contains(lower, "enum"):
	case strings.Contains(lower, "bool"):
		if w, ok := truth[value]; ok {
			item.Default, item.From = w.word, []Ref{w.ref}
		}
	case literal(value) != "":
		item.Default = literal(value)
	case number != "":
		item.Default = number
	case plainName()(value) && value != "NULL":
		item.Constant = value
	}
}

// A worded value is one that a user writes as a word.
type worded struct {
	word, value string
	ref         Ref
}

// wordTables reads the arrays of a file whose entries are a word and a value: {"always", AOF_FSYNC_ALWAYS}.
func wordTables(name, text string) map[string][]worded {
	out := map[string][]worded{}
	in := ""
	for _, l := range splitLines([]byte(text)) {
		if m := wordTable().FindStringSubmatch(l.text); m != nil {
			in = m[1]
			continue
		}
		if strings.HasPrefix(l.text, "}") {
			in = ""
		}
		if m := wordEntry().FindStringSubmatch(l.text); m != nil && in != "" {
			out[in] = append(out[in], worded{m[1], m[2], Ref{Path: name, Start: l.no, End: l.no}})
		}
	}
	return out
}

// truthWords are the words that a file compares its input to for the values 1 and 0, empty unless it is one pair of words alone.
func truthWords(name, text string, lines lineIndex) map[string]worded {
	seen := map[string]Ref{}
	for _, m := range comparedTo().FindAllStringSubmatchIndex(text, 500) {
		if word := text[m[2]:m[3]]; seen[word].Path == "" {
			seen[word] = Ref{Path: name, Start: lines.at(m[0]), End: lines.at(m[0])}
		}
	}
	var out map[string]worded
	for _, pair := range [][2]string{{"yes", "no"}, {"true", "false"}, {"on", "off"}} {
		yes, no := seen[pair[0]], seen[pair[1]]
		if yes.Path == "" || no.Path == "" {
			continue
		}
		if out != nil {
			return nil
		}
		out = map[string]worded{}
		for _, v := range []string{"1", "true", "TRUE"} {
			out[v] = worded{pair[0], v, yes}
		}
		for _, v := range []string{"0", "false", "FALSE"} {
			out[v] = worded{pair[1], v, no}
		}
	}
	return out
}

// productOf is a number, or the number that a product of whole numbers such as 64*1024*1024 makes; "" for anything else.
func productOf(expr string) string {
	expr = strings.TrimSpace(expr)
	for strings.HasPrefix(expr, "(") && strings.HasSuffix(expr, ")") {
		expr = strings.TrimSpace(expr[1 : len(expr)-1])
	}
	factors := strings.Split(expr, "*")
	if len(factors) == 1 {
		if n := strings.TrimRight(expr, "uUlL"); plainNumber()(n) {
			return n
		}
		return ""
	}
	product := int64(1)
	for _, f := range factors {
		n, err := strconv.ParseInt(strings.TrimRight(strings.TrimSpace(f), "uUlL"), 10, 32)
		if err != nil || product > 1<<31 {
			return ""
		}
		product *= n
	}
	return strconv.FormatInt(product, 10)
}
