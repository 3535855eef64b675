package survey

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// isEnvSample reports the sample files that list environment variables.
func isEnvSample(name string) bool {
	switch base := path.Base(name); base {
	case ".env.example", ".env.sample", ".env.template", ".env.dist", "env.example", ".env.defaults", "example.env", "sample.env":
		return true
	default:
		return base == ".env"
	}
}

var envLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#?\s*(?:export\s+)?([A-Z][A-Z0-9_]{2,})=(.*)$`) })

// readEnvSample reads the variables of an environment sample file. Values are shown only when they cannot be secrets.
func readEnvSample(name string, data []byte) []ConfigItem {
	var out []ConfigItem
	comment := ""
	for _, l := range splitLines(data) {
		f := envLine().FindStringSubmatch(l.text)
		if f == nil {
			comment = clean(strings.TrimLeft(l.text, "# "))
			continue
		}
		item := ConfigItem{Kind: "env", Name: f[1], Refs: []Ref{{Path: name, Start: l.no, End: l.no}}}
		if value := clean(unquote(f[2])); path.Base(name) != ".env" && harmless(f[1], value) {
			item.Default = value
		}
		if s := firstSentence(comment); s != "" {
			item.Usage = s
		}
		out = append(out, item)
		comment = ""
	}
	return out
}

var secretName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)secret|token|passw|api_?key|private|credential|_key$|salt|_dsn$|auth`)
})

// harmless reports values that may be shown: short, and not of a variable that names a secret.
func harmless(name, value string) bool {
	return len(value) < 60 && !secretName().MatchString(name) && !strings.Contains(value, "@")
}

// configuration merges everything a user can set by kind and name. Tests and samples set nothing for a user.
func (s *surveyor) configuration(repo *Repository) []ConfigItem {
	m := &configMerger{items: map[string]*ConfigItem{}, torn: map[string]bool{}, mixed: map[string]bool{}, owner: componentOwners(repo)}
	programs, defined := map[string]string{}, definitions(repo)
	for _, p := range repo.Programs {
		stem := strings.TrimSuffix(path.Base(p.Entry.Path), path.Ext(p.Entry.Path))
		if have := programs[p.Entry.Path]; have == "" || !strings.HasSuffix(have, stem) && strings.HasSuffix(p.Name, stem) {
			programs[p.Entry.Path] = p.Name // of several names of one program, that after which its file is called
		}
	}
	for i := range s.facts {
		f := &s.facts[i]
		for _, item := range f.config {
			m.add(item, f.path)
		}
		if f.manifest != nil && f.foreign == "" {
			if role, _ := roleOf(path.Dir(f.path), ""); role == "" && buildsProduct(path.Dir(f.path)) {
				for _, item := range f.manifest.config {
					m.add(item, f.path)
				}
			}
		}
		if f.scan == nil || f.scan.IsTest || f.scan.Generated {
			continue
		}
		if role, _ := roleOf(path.Dir(f.path), f.scan.Language); role != "" || inDotDir(path.Dir(f.path)) || isBuildScript(f.path) {
			continue
		}
		for _, e := range f.scan.Env {
			var parts []Ref
			if e.Name == "" && f.scan.Language == "Go" {
				e.Name, parts = constants(repo, path.Dir(f.path), e.Const, 0)
			} else if e.Name == "" {
				e.Name, parts = defined.value(e.Const)
			}
			if !envName().MatchString(e.Name) || systemVariable(e.Name) {
				continue
			}
			m.add(ConfigItem{Kind: "env", Name: e.Name, Default: e.Default, Refs: []Ref{{Path: f.path, Start: e.Line, End: e.Line}}, Parts: parts}, f.path)
		}
		program := programs[f.path]
		if program == "" && len(f.scan.Entries) > 0 {
			program = path.Base(f.path)
		}
		for _, item := range f.options {
			if item.Kind == "flag" {
				item.Program = program
			}
			if item.Constant != "" {
				item.Default, item.From = defined.value(item.Constant)
			}
			m.add(item, f.path)
		}
		for _, e := range f.scan.Flags {
			told := func(item ConfigItem) bool { return item.Kind == "flag" && item.Name == e.Name }
			if !flagName().MatchString(e.Name) || slices.ContainsFunc(f.options, told) {
				continue
			}
			usage := cut(clean(e.Usage), maxText)
			ref := Ref{Path: f.path, Start: e.Line, End: e.Line}
			m.add(ConfigItem{Kind: "flag", Name: e.Name, Default: e.Default, Usage: usage, Program: strings.TrimSpace(program + " " + e.Command), Refs: []Ref{ref}}, f.path)
		}
	}
	for _, f := range s.files {
		if isConfigSample(f.path) && s.layout.foreign(f.path) == "" {
			m.add(ConfigItem{Kind: "file", Name: f.path, Refs: []Ref{{Path: f.path}}}, f.path)
		}
	}
	return m.sorted()
}

// isConfigSample reports shipped configuration files: at the root or in a directory for them, by an extension that only configuration has.
func isConfigSample(name string) bool {
	dir, base := path.Dir(name), path.Base(name)
	if strings.HasPrefix(base, ".") {
		return false
	}
	inPlace := dir == "." || dir == "config" || dir == "conf" || dir == "etc"
	if inPlace && (strings.HasSuffix(base, ".conf") || strings.HasSuffix(base, ".cfg") && base != "setup.cfg") {
		return true
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	return inPlace && (strings.HasSuffix(stem, ".example") || strings.HasSuffix(stem, ".sample") || path.Ext(base) == ".example" || path.Ext(base) == ".sample")
}

// Names that begin with an underscore are private by custom, and a single digit is a guess of the scanner.
var (
	envName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`) })
	flagName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.:-]*$`) })
)

// systemVariable reports variables that the system sets: reading them is no setting of the product.
func systemVariable(name string) bool {
	switch strings.ToUpper(name) {
	case "PATH", "PATHEXT", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "TERM", "COLORTERM", "TERM_PROGRAM", "TERMINAL_EMULATOR", "COLUMNS", "LINES",
		"LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TMP", "TEMP", "HOMEDRIVE", "HOMEPATH", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
		"PROGRAMFILES", "SYSTEMROOT", "WINDIR", "COMSPEC", "OSTYPE", "MSYSTEM", "ANSICON", "ANSICON_VER", "CONEMUANSI", "DISPLAY", "HOSTNAME", "EDITOR",
		"KONSOLE_VERSION", "WT_SESSION", "SYSTEMDRIVE", "PROCESSOR_ARCHITECTURE":
		return true
	}
	return false
}

type configMerger struct {
	items map[string]*ConfigItem
	torn  map[string]bool // items with more than one default
	mixed map[string]bool // options of several commands that mean different things
	owner func(file string) string
}

func (m *configMerger) add(item ConfigItem, file string) {
	if item.Name = clean(item.Name); item.Name == "" || len(item.Name) > maxName {
		return
	}
	item.Default, item.Usage = cut(clean(item.Default), 100), clean(item.Usage)
	owner := m.owner(file)
	if item.Kind == "file" && path.Dir(file) == "." {
		owner = "" // it configures the whole
	}
	key := item.Kind + " " + item.Name
	if item.Kind == "flag" || item.Kind == "key" {
		key += " " + owner + " " + item.Program // programs have flags of the same name that mean different things
	}
	have := m.items[key]
	if have == nil {
		item.Component = owner
		m.items[key] = &item
		return
	}
	have.Refs = append(have.Refs, item.Refs...)
	if item.Kind == "flag" && (item.Default != have.Default || item.Usage != have.Usage) {
		m.mixed[key] = true // subcommands share the name, not the meaning: what one says must not be told of another
	}
	if have.Default == "" {
		have.Default, have.From = item.Default, item.From
	} else if item.Default != "" && item.Default != have.Default {
		m.torn[key] = true // two defaults: which one holds depends on the place
	}
	if have.Usage == "" {
		have.Usage = item.Usage
	}
	if have.Component != owner {
		have.Component = ""
	}
}

func (m *configMerger) sorted() []ConfigItem {
	out := make([]ConfigItem, 0, len(m.items))
	for _, key := range sortedKeys(m.items) {
		item := *m.items[key]
		if m.torn[key] || m.mixed[key] {
			item.Default, item.From = "", nil
		}
		if m.mixed[key] {
			item.Usage = ""
		}
		sortRefs(item.Refs)
		out = append(out, item)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Kind != out[j].Kind {
			return out[i].Kind < out[j].Kind
		}
		if out[i].Program != out[j].Program && out[i].Kind == "flag" {
			return out[i].Program < out[j].Program
		}
		return out[i].Name < out[j].Name
	})
	return out
}

func sortRefs(refs []Ref) {
	sort.Slice(refs, func(i, j int) bool {
		if refs[i].Path != refs[j].Path {
			return refs[i].Path < refs[j].Path
		}
		return refs[i].Start < refs[j].Start
	})
}
