package publish

import (
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// redacted returns the data with redact applied to all text that is not the project's own setting. It must come before the text is made
// Markdown: what is escaped, or cut in the middle, is no longer known for a credential. The bundle itself is not changed.
func (d *bodyData) redacted(redact func(string) string) bodyData {
	r := &redactor{redact: redact}
	if r.data(d); r.unchanged() {
		return *d
	}
	r.apply = true
	return r.data(d)
}

// A redactor goes over all texts twice: first it gathers them, which is enough where there is nothing to hide, as nearly always.
type redactor struct {
	redact func(string) string
	apply  bool
	all    strings.Builder
}

func (r *redactor) unchanged() bool { return r.redact(r.all.String()) == r.all.String() }

func (r *redactor) text(s string) string {
	if r.apply {
		return r.redact(s)
	}
	r.all.WriteString(s + "\n\n")
	return s
}

func (r *redactor) texts(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = r.text(list[i])
	}
	return list
}

func (r *redactor) data(d *bodyData) bodyData {
	out := *d
	bundle := *d.Bundle
	out.Bundle = &bundle
	out.Notices = r.texts(d.Notices)
	out.Settings = slices.Clone(d.Settings)
	for i := range out.Settings {
		out.Settings[i].Value = r.text(out.Settings[i].Value)
	}
	out.Blocked = slices.Clone(d.Blocked)
	for i := range out.Blocked {
		out.Blocked[i].Path, out.Blocked[i].Message = r.text(out.Blocked[i].Path), r.text(out.Blocked[i].Message)
	}
	bundle.Run.Error, bundle.Run.Hint, bundle.Run.Model = r.text(bundle.Run.Error), r.text(bundle.Run.Hint), r.text(bundle.Run.Model)
	bundle.Pages = slices.Clone(bundle.Pages)
	for i := range bundle.Pages {
		bundle.Pages[i].Title, bundle.Pages[i].Reason = r.text(bundle.Pages[i].Title), r.text(bundle.Pages[i].Reason)
	}
	bundle.Findings = slices.Clone(bundle.Findings)
	for i := range bundle.Findings {
		bundle.Findings[i] = r.finding(bundle.Findings[i])
	}
	if bundle.Delta != nil {
		bundle.Delta = r.delta(bundle.Delta)
	}
	return out
}

func (r *redactor) finding(f wiki.Finding) wiki.Finding {
	f.Message = r.text(f.Message)
	return f
}

func (r *redactor) delta(d *wikidiff.Delta) *wikidiff.Delta {
	out := *d
	out.Pages = slices.Clone(d.Pages)
	for i := range out.Pages {
		p := &out.Pages[i]
		p.Title = r.text(p.Title)
		p.Links, p.Commands, p.Addressed = r.texts(p.Links), r.texts(p.Commands), r.texts(p.Addressed)
		p.Claims = slices.Clone(p.Claims)
		for k := range p.Claims {
			p.Claims[k].Before, p.Claims[k].After = r.claim(p.Claims[k].Before), r.claim(p.Claims[k].After)
		}
	}
	out.Moved = slices.Clone(d.Moved)
	for i := range out.Moved {
		out.Moved[i].From, out.Moved[i].To = r.text(out.Moved[i].From), r.text(out.Moved[i].To)
	}
	out.Lost = slices.Clone(d.Lost)
	for i := range out.Lost {
		out.Lost[i].Resource, out.Lost[i].Statement = r.text(out.Lost[i].Resource), r.text(out.Lost[i].Statement)
	}
	return &out
}

func (r *redactor) claim(c *claims.Claim) *claims.Claim {
	if c == nil {
		return nil
	}
	out := *c
	out.Statement = r.text(c.Statement)
	out.Evidence = slices.Clone(c.Evidence)
	for i := range out.Evidence {
		out.Evidence[i].Resource = r.text(out.Evidence[i].Resource)
	}
	return &out
}
