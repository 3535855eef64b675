package extractive

import (
	"path"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// operations is the page about what runs around the code: CI, container images and services, releases.
func (a *atlas) operations() *page {
	p := newPage(a.src, path.Join(a.wiki, operationsPage))
	p.kind, p.title = "Operations", "Operations"
	p.tags = []string{"operations", "ci"}
	p.purpose = "Say what CI runs and when, what is containerised, and how releases are made."
	p.body = append(p.body, "# Operations\n\n"...)
	p.section(2, "CI workflows", func() { a.workflows(p) })
	p.section(2, "Containers", func() { a.containers(p) })
	p.section(2, "Release and upkeep", func() {
		p.table([]string{"To", "Command", "Defined by"}, a.commandRows(p, []string{"format", "generate", "docs", "release", "bench", "debug", "update", "clean"}, 5))
	})
	p.paragraph()
	p.description = p.describedBy("How the repository is run and released.")
	return p
}

// workflows tables the workflows with their events and jobs.
func (a *atlas) workflows(p *page) {
	var rows []row
	for _, w := range a.repo.Workflows {
		if len(rows) == 25 {
			break
		}
		var events, jobs []text
		for _, e := range w.On {
			events = append(events, label(e))
		}
		refs := append([]survey.Ref{w.Ref}, a.triggers(w)...)
		for _, j := range w.Jobs {
			if len(jobs) == 8 {
				jobs = append(jobs, words("others"))
				break
			}
			name, _, _ := strings.Cut(clean(j.Text), ": ")
			jobs = append(jobs, p.linked(quote(shorten(name, 60)), j.Ref))
			refs = append(refs, j.Ref)
		}
		name := w.Name
		if clean(name) == "" {
			name = path.Base(w.File)
		}
		claim := compose("The workflow {}", quote(name))
		if len(events) > 0 {
			claim = compose("{} runs on {}", claim, some(events, 6))
		}
		if len(jobs) > 0 {
			claim = compose("{} with the jobs {}", claim, listPlain(jobs))
		}
		claim.names = nil
		rows = append(rows, row{
			cells: []text{p.linked(quote(name), w.Ref), some(events, 6), list(jobs)},
			claim: compose("{}.", claim), refs: refs,
		})
	}
	p.table([]string{"Workflow", "Runs on", "Jobs"}, rows)
}

// triggers are the lines that say when a workflow runs.
func (a *atlas) triggers(w survey.Workflow) []survey.Ref {
	lines := a.src.lines(w.File)
	for i, line := range lines {
		if !strings.HasPrefix(strings.Trim(line, "\"'"), "on") || !strings.Contains(line, ":") || indent(line) > 0 {
			continue
		}
		end := i + 1
		for end < len(lines) && end < i+40 && (strings.TrimSpace(lines[end]) == "" || indent(lines[end]) > 0) {
			end++
		}
		return []survey.Ref{{Path: w.File, Start: i + 1, End: end}}
	}
	return nil
}

// listPlain is a list for statements, in which items may contain commas.
func listPlain(items []text) text {
	var names []string
	for _, t := range items {
		names = append(names, t.plain)
	}
	return words(strings.Join(names, "; "))
}

// containers tables images and services with what their definitions say.
func (a *atlas) containers(p *page) {
	var rows []row
	for _, c := range a.repo.Containers {
		if len(rows) == 20 {
			break
		}
		var facts []text
		refs := []survey.Ref{c.Ref}
		for _, f := range c.Facts {
			if len(facts) == 6 {
				break
			}
			facts = append(facts, p.linked(label(f.Text), f.Ref))
			refs = append(refs, f.Ref)
		}
		claim := compose("{} is defined in {}", label(c.Name), label(c.File))
		base := text{}
		if c.Base != "" {
			base = label(c.Base)
			claim = compose("{} on the base {}", claim, base)
		}
		if len(facts) > 0 {
			claim = compose("{}: {}", claim, listPlain(facts))
		}
		rows = append(rows, row{cells: []text{p.linked(label(c.Name), c.Ref), base, list(facts)}, claim: compose("{}.", claim), refs: refs})
	}
	p.table([]string{"Image or service", "Base", "Says"}, rows)
}
