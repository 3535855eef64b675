package extractive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// Bounds of what is told about one kind of setting.
const (
	maxSettings = 400 // in a table: a setting that is left out cannot be looked up
	maxBare     = 150 // by name only
)

// configuration is the page about what a user of the repository can set.
func (a *atlas) configuration() *page {
	p := newPage(a.src, path.Join(a.wiki, configurationPage))
	p.kind, p.title = "Reference", "Configuration"
	p.tags = []string{"configuration", "reference"}
	p.purpose = "List what can be configured, by which names, with which defaults, and where it is read."
	p.body = append(p.body, "# Configuration\n\n"...)
	for _, k := range []struct{ kind, title string }{
		{"env", "Environment variables"}, {"flag", "Command-line flags"}, {"key", "Configuration keys"}, {"file", "Configuration files"},
	} {
		p.section(2, k.title, func() { a.settings(p, k.kind) })
	}
	p.section(2, "Defaults in the source", func() {
		var rows []row
		for _, c := range a.byImportance() {
			rows = append(rows, a.defaultRows(p, c, maxSettings-len(rows))...)
		}
		p.table([]string{"Name", "Default", "Table"}, rows)
		p.endsHere(len(rows) == maxSettings, "The table ends here; the source has more defaults.")
	})
	p.section(2, "Settings of the shipped configuration", func() {
		rows := a.sampleRows(p, maxSettings)
		p.table(sampleHeader, rows)
		if len(rows) == maxSettings {
			p.blank()
			p.guide(words("The table ends here; the file may set more."))
			p.paragraph()
		}
	})
	p.paragraph()
	p.description = p.describedBy("What can be set.")
	return p
}

// settings tables the settings of one kind by part and name.
func (a *atlas) settings(p *page, kind string) {
	var all []survey.ConfigItem
	for _, it := range a.repo.Config {
		if it.Kind == kind && a.product(it) {
			all = append(all, it)
		}
	}
	known := func(it survey.ConfigItem) int { // settings with a meaning or a default tell more
		if it.Usage != "" || it.Default != "" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(x, y survey.ConfigItem) int {
		return cmp.Or(cmp.Compare(known(x), known(y)), cmp.Compare(x.Component, y.Component), cmp.Compare(x.Program, y.Program), cmp.Compare(x.Name, y.Name))
	})
	var rows []row
	var bare []text
	var programs []string // of the names in bare, as far as they belong to one
	named := make(map[string][]text)
	for _, it := range all {
		if known(it) > 0 && kind != "env" && kind != "file" || len(rows) >= maxSettings { // a name and a line are all there is to tell
			name := a.settingName(p, it)
			if it.Program != "" && !slices.Contains(programs, it.Program) {
				programs = append(programs, it.Program)
			}
			if it.Program != "" {
				named[it.Program] = append(named[it.Program], name)
			} else if !slices.ContainsFunc(bare, func(t text) bool { return t.plain == name.plain }) {
				bare = append(bare, name)
			}
			continue
		}
		r := a.configRow(p, it)
		r.cells = slices.Delete(r.cells, 1, 2)
		if kind == "env" && it.Usage == "" && len(it.Refs) > 0 {
			a.readIn(p, &r, it.Refs[0])
		}
		part := text{}
		if c := a.byID[it.Component]; c != nil {
			part = a.part(p, c)
		}
		program := text{}
		if it.Program != "" {
			program = label(it.Program)
		}
		r.cells = append(r.cells, program, part)
		rows = append(rows, r)
	}
	p.table([]string{"Name", "Default", "Meaning", "Program or subcommand", "Part"}, rows)
	for _, g := range programs {
		p.blank()
		p.guide(compose("Of {}, by name only: {}.", label(g), some(named[g], maxBare)))
		p.paragraph()
	}
	if len(bare) > 0 {
		p.blank()
		p.guide(compose("By name only: {}.", some(bare, maxBare)))
		p.paragraph()
	}
}

// readIn adds to the row of a variable the documented function that reads it: what the function is for is what the variable is for.
func (a *atlas) readIn(p *page, r *row, at survey.Ref) {
	f := a.repo.Files[at.Path]
	if f == nil {
		return
	}
	in, ok := enclosing(f, at.Start)
	doc := ""
	if ok {
		doc = firstSentence(in.decl.Doc)
	}
	if !usable(doc) || in.decl.Name == "main" || in.decl.End-in.decl.Start > 40 { // a long function does many things
		return
	}
	said := quote(sentence(doc))
	r.cells[2] = compose("read by {}: {}", p.linked(code(in.decl.Name), in.ref()), said)
	r.claim = compose("{} It is read by {}: {}", r.claim, code(in.decl.Name), said)
	r.refs = append(r.refs, a.docRefs(in)...)
}

// product reports whether a setting is read by the product, not only by its tests or examples.
func (a *atlas) product(it survey.ConfigItem) bool {
	if it.Kind == "env" && (strings.Contains(it.Name, ".") || strings.ToUpper(it.Name) != it.Name && strings.ToLower(it.Name) == it.Name) {
		return false // a key of a request environment, not a variable of the process
	}
	if it.Kind == "env" && strings.HasPrefix(it.Name, "CARGO_PKG_") {
		return false // set by the build tool, not by a person
	}
	c := a.byID[it.Component]
	return c == nil || c.Role != "tests" && c.Role != "examples"
}

// settingName is a setting as a person writes it, linked to where it is read or declared.
func (a *atlas) settingName(p *page, it survey.ConfigItem) text {
	name := it.Name
	switch {
	case it.Kind == "flag" && len(it.Name) == 1:
		name = "-" + it.Name
	case it.Kind == "flag":
		name = "--" + it.Name
	}
	if len(it.Refs) == 0 {
		return label(name)
	}
	return p.linked(label(name), a.src.widen(it.Refs[0], it.Name))
}

// configRow is one setting: name, kind, default, meaning.
func (a *atlas) configRow(p *page, it survey.ConfigItem) row {
	if len(it.Refs) == 0 {
		return row{claim: words("no proof")}
	}
	ref := it.Refs[0]
	if len(it.Parts) == 0 {
		ref = a.src.widen(ref, it.Name)
	}
	shown := a.settingName(p, it)
	claim := compose("{} is "+kindWords(it.Kind), text{plain: shown.plain})
	claim.names = code(it.Name).names
	refs := []survey.Ref{ref}
	if len(it.Parts) > 0 { // no line holds the whole name
		claim.names, refs = nil, append(refs, it.Parts...)
	}
	meaning, standard := text{}, text{}
	if it.Default != "" {
		standard, refs = label(it.Default), append(refs, it.From...)
		claim = compose("{} with the default {}", claim, standard)
	}
	switch use := plainMarkup(clean(it.Usage)); {
	case use != "":
		meaning = quoteWhole(sentence(use))
		claim = compose("{}: {}", claim, meaning)
	default:
		claim = compose("{}.", claim)
	}
	return row{cells: []text{shown, words(it.Kind), standard, meaning}, claim: claim, refs: refs}
}

func kindWords(kind string) string {
	switch kind {
	case "env":
		return "an environment variable"
	case "flag":
		return "a command-line flag"
	case "file":
		return "a configuration file"
	}
	return "a configuration key"
}
