package extractive

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A setting is one entry of a table of defaults in the source.
type setting struct {
	name    string
	within  string     // the keys of the tables around it, "" at the first level
	literal string     // what a named value stands for, "" where it is none
	said    survey.Ref // the declaration of that value
	user    string     // the name that a user writes, from the tag of the field; "" where there is none
	tag     survey.Ref // of that tag
	value   string
	ref     survey.Ref
	table   symbol
}

// defaultTables finds the variables and constants of a part that hold defaults by their name, such as DefaultConfig or default_config,
// and reads their entries.
func (a *atlas) defaultTables(c *survey.Component) []setting {
	var out []setting
	for _, s := range a.symbols(c, func(d *scan.Decl) bool {
		return (d.Kind == scan.KindVariable || d.Kind == scan.KindConstant || d.Kind == scan.KindField) && d.End-d.Start >= 2 && d.End-d.Start < 400 && defaultsName(d.Name)
	}) {
		out = append(out, a.entries(s)...)
	}
	return out
}

func defaultsName(name string) bool {
	lower := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if lower == "defaults" || lower == "staticconfigs" || lower == "configtable" || lower == "configs" {
		return true
	}
	if !strings.Contains(lower, "default") {
		return false
	}
	for _, s := range []string{"config", "setting", "option", "pref"} {
		if strings.Contains(lower, s) {
			return true
		}
	}
	return false
}

// entries reads the lines "name: value," and "name" => value of a literal, at its first level only.
func (a *atlas) entries(s symbol) []setting {
	lines := a.src.lines(s.file.Path)
	var out []setting
	depth, first := 0, -1
	var inside []string // the keys of the tables of a script that a line stands in: "server" of server.port
	for n := s.decl.Start; n <= min(s.decl.End, len(lines)); n++ {
		line := lines[n-1]
		trimmed := strings.TrimSpace(line)
		name, value, ok := entry(trimmed)
		if !ok {
			name, ok = calledEntry(trimmed)
		}
		if len(inside) > 0 && first >= 0 && depth == first+len(inside) && strings.HasPrefix(trimmed, "}") {
			inside = inside[:len(inside)-1]
		}
		if m := nestedTable()(trimmed); m != nil && script(s.file) && n > s.decl.Start && (first < 0 || depth == first+len(inside)) {
			if first < 0 {
				first = depth
			}
			inside = append(inside, m[1])
		}
		if ok && n > s.decl.Start && (first < 0 || depth == first+len(inside)) {
			if first < 0 {
				first = depth
			}
			e := setting{name: name, value: value, ref: survey.Ref{Path: s.file.Path, Start: n, End: n}, table: s}
			e.within = strings.Join(inside, ".")
			e.user, e.tag = a.userName(s, name)
			e.literal, e.said = a.valueOf(s.file, value)
			out = append(out, e)
		}
		if !strings.HasPrefix(trimmed, "//") && !strings.HasPrefix(trimmed, "#") {
			depth += strings.Count(line, "{") + strings.Count(line, "(") + strings.Count(line, "[") - strings.Count(line, "}") - strings.Count(line, ")") - strings.Count(line, "]")
		}
	}
	return out
}

var nestedTable = sync.OnceValue(func() func(string) []string {
	return regexp.MustCompile(`^["']?([A-Za-z_$][\w$-]*)["']?:\s*\{$`).FindStringSubmatch
})

func script(f *scan.File) bool { return f.Language == "JavaScript" || f.Language == "TypeScript" }

// standsFor says behind a named value what it stands for.
func (a *atlas) standsFor(p *page, d setting) text {
	if d.literal == "" {
		return text{}
	}
	return compose(" = {}", p.linked(label(d.literal), d.said))
}

// valueOf is the literal that a plain name stands for, where one constant or variable of the language alone has it.
func (a *atlas) valueOf(f *scan.File, name string) (string, survey.Ref) {
	if !constantName()(name) {
		return "", survey.Ref{}
	}
	a.filled.constantsOnce.Do(func() {
		a.filled.constants = make(map[string][]symbol)
		for _, p := range a.paths {
			g := a.repo.Files[p]
			for i := range g.Decls {
				if d := &g.Decls[i]; !g.IsTest && d.Parent == "" && (d.Kind == scan.KindConstant || d.Kind == scan.KindVariable) {
					a.filled.constants[d.Name] = append(a.filled.constants[d.Name], symbol{d, g})
				}
			}
		}
	})
	var all []symbol
	for _, s := range a.filled.constants[name] {
		if s.file.Language == f.Language || script(s.file) && script(f) {
			all = append(all, s)
		}
	}
	if len(all) != 1 || all[0].decl.Value == "" {
		return "", survey.Ref{}
	}
	return all[0].decl.Value, all[0].ref()
}

var constantName = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^[A-Z][A-Za-z0-9_]{3,}$`).MatchString })

var fieldTag = sync.OnceValue(func() func(string) []string {
	return regexp.MustCompile(`(?:yaml|toml|mapstructure|json|hcl):"([\w.-]+)`).FindStringSubmatch
})

// userName is the name under which a user sets a field of Go, by the tag of the field in the struct of a table: Interval `yaml:"interval"`.
func (a *atlas) userName(table symbol, field string) (string, survey.Ref) {
	lines := a.src.lines(table.file.Path)
	if table.file.Language != "Go" || table.decl.Start < 1 || table.decl.Start > len(lines) {
		return "", survey.Ref{}
	}
	_, made, ok := strings.Cut(lines[table.decl.Start-1], "= ")
	kind, open := strings.CutSuffix(strings.TrimPrefix(strings.TrimSpace(made), "&"), "{")
	p := a.ofFile[table.file.Path]
	if !ok || !open || p == nil || strings.ContainsAny(kind, ".[]() ") {
		return "", survey.Ref{}
	}
	for _, name := range p.Files {
		f := a.repo.Files[name]
		for i := range f.Decls {
			d := &f.Decls[i]
			if d.Kind != scan.KindField || d.Parent != kind || d.Name != field {
				continue
			}
			ref := survey.Ref{Path: name, Start: d.Start, End: d.Start}
			if line, ok := a.src.text(ref); ok {
				if m := fieldTag()(line); m != nil {
					return m[1], ref
				}
			}
		}
	}
	return "", survey.Ref{}
}

// entry reads one line of a literal table.
func entry(line string) (name, value string, ok bool) {
	if i := strings.Index(line, " // "); i >= 0 {
		line = strings.TrimSpace(line[:i])
	}
	line, ok = strings.CutSuffix(line, ",")
	if !ok {
		return "", "", false
	}
	sep := ":"
	if strings.Contains(line, "=>") {
		sep = "=>"
	}
	name, value, ok = strings.Cut(line, sep)
	name, value = strings.Trim(strings.TrimSpace(name), `"'`), strings.TrimSpace(value)
	if !ok || name == "" || value == "" || strings.ContainsAny(name, " (){}[]\"'.*/&") || strings.ContainsAny(value[len(value)-1:], "{[(") {
		return "", "", false
	}
	return name, value, true
}

// calledEntry reads an entry that a macro or function makes, as in createBoolConfig("name", …): the name is its first argument.
func calledEntry(line string) (string, bool) {
	fn, rest, ok := strings.Cut(line, `("`)
	name, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed || name == "" || strings.ContainsAny(fn, " .=\"'") || strings.ContainsAny(name, " %/") || !strings.Contains(strings.ToLower(fn), "config") {
		return "", false
	}
	return name, true
}

// defaultRows tables the entries with the table they stand in.
func (a *atlas) defaultRows(p *page, c *survey.Component, limit int) []row {
	var rows []row
	for _, d := range a.defaultTables(c) {
		if len(rows) == limit {
			break
		}
		name, plain := code(d.name), code(d.name)
		if d.within != "" {
			name = label(d.within + "." + d.name)
			plain = text{plain: name.plain, names: plain.names}
		}
		value, refs := label(d.value), []survey.Ref{d.ref}
		if d.literal != "" {
			value = compose("{} ({})", p.linked(label(d.literal), d.said), label(d.value))
			refs = append(refs, d.said)
		}
		if d.value == "" {
			rows = append(rows, row{
				cells: []text{p.linked(code(d.name), d.ref), {}, compose("{} in {}", p.linked(label(d.table.decl.Name), d.table.ref()), label(path.Base(d.table.file.Path)))},
				claim: compose("{} is a setting of {}.", code(d.name), label(d.table.decl.Name)), refs: []survey.Ref{d.ref},
			})
			continue
		}
		if d.user != "" {
			rows = append(rows, row{
				cells: []text{p.linked(label(d.user), d.tag), compose("{}{}", p.linked(label(d.value), d.ref), a.standsFor(p, d)), compose("{} of {} in {}", code(d.name), p.linked(label(d.table.decl.Name), d.table.ref()), label(path.Base(d.table.file.Path)))},
				claim: compose("The default of {}, which {} sets as {}, is {}.", label(d.user), label(d.table.decl.Name), code(d.name), code(d.value)), refs: append(refs, d.tag),
			})
			continue
		}
		rows = append(rows, row{
			cells: []text{p.linked(name, d.ref), value, compose("{} in {}", p.linked(label(d.table.decl.Name), d.table.ref()), label(path.Base(d.table.file.Path)))},
			claim: compose("The default of {} in {} is {}.", plain, label(d.table.decl.Name), text{plain: value.plain, names: code(d.value).names}), refs: refs,
		})
	}
	return rows
}
