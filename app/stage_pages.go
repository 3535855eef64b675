package app

import (
	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/version"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
	"github.com/wikiwright/wikiwright/publish"
)

// The state of a page that was left out of a bundle.
const pageBlocked = "blocked"

// pages tells what became of each page there is something to say about: those of the result, or of the queue while the run goes on, those
// that differ, and those left out.
func (s *staging) pages(files map[string][]byte, delta *wikidiff.Delta, inputs map[wiki.PagePath]string) []publish.Page {
	known := map[wiki.PagePath]*publish.Page{}
	page := func(p wiki.PagePath) *publish.Page {
		if known[p] == nil {
			known[p] = &publish.Page{Path: p, State: generate.PageComplete, Change: generate.ChangeUnchanged}
		}
		return known[p]
	}
	for _, d := range delta.Pages {
		if d.Index() {
			continue
		}
		switch p := page(d.Path); d.Change {
		case wikidiff.ChangeNew:
			p.Change = generate.ChangeNew
		case wikidiff.ChangeRemoved:
			p.State, p.Change = generate.PageDeleted, generate.ChangeRemoved
		case wikidiff.ChangeRewritten:
			p.Change = generate.ChangeRewritten
		}
	}
	s.addResult(page)
	for p, reason := range s.left {
		entry := page(p)
		entry.State, entry.Reason, entry.Change = pageBlocked, reason, generate.ChangeUnchanged
	}
	set := map[wiki.PagePath]bool{}
	for p := range known {
		set[p] = true
	}
	var list []publish.Page
	for _, p := range sortedPages(set) {
		entry := known[p]
		entry.Inputs = inputs[p]
		entry.Title = s.title(p, files)
		list = append(list, *entry)
	}
	return list
}

// addResult adds what the result says, or the queue of the run under way.
func (s *staging) addResult(page func(wiki.PagePath) *publish.Page) {
	if s.told != nil {
		for _, from := range s.told.Pages {
			p := page(from.Path)
			if p.Change == generate.ChangeUnchanged && from.State != generate.PageComplete {
				p.Change = from.Change
			}
			p.State, p.Reason, p.Attempts, p.Usage = from.State, from.Reason, from.Attempts, from.Usage
		}
		return
	}
	if r := s.opt.Result; r != nil {
		for _, from := range r.Pages {
			p := page(wiki.PagePath(from.Path))
			// A page of a resumed run may be complete and unchanged in the result, and new against the analysed commit.
			if p.Change == generate.ChangeUnchanged && from.State != generate.PageComplete {
				p.Change = from.Change
			}
			p.State, p.Reason, p.Attempts, p.Usage = from.State, from.Reason, from.Attempts, publish.Usage(from.Usage)
		}
		return
	}
	if s.work.run == nil || s.work.run.Plan == nil {
		return
	}
	for _, job := range s.work.run.Plan.Pages {
		p := page(job.Path)
		switch {
		case job.Status == generate.JobSkipped:
			p.State = generate.PageSkipped
		case job.Status == generate.JobPending && !s.recorded(job.Path):
			p.State = generate.PagePending
		}
	}
}

// recorded reports whether the run has completed a page, which the manifest knows before the queue does.
func (s *staging) recorded(p wiki.PagePath) bool {
	entry, ok := s.work.manifest.Get(p)
	return ok && entry.CompletedRunID == s.work.run.RunID && s.work.done(p)
}

// title is that of the page as it shall be, or as it was.
func (s *staging) title(p wiki.PagePath, files map[string][]byte) string {
	text, ok := files[p.RepoPath()]
	if !ok {
		text, ok = s.base.files[p.RepoPath()]
	}
	if ok {
		if title := wiki.Parse(text).String("title"); title != "" {
			return title
		}
	}
	return string(p)
}

// runInfo identifies the run.
func (s *staging) runInfo(inputs map[wiki.PagePath]string) publish.RunInfo {
	info := publish.RunInfo{
		Version: version.Version, Language: s.language(), LogURL: s.opt.LogURL, Inputs: wikidiff.AllInputs(inputs),
		Fingerprint: s.fingerprint(),
	}
	if run := s.work.run; run != nil {
		info.ID, info.Mode = run.RunID, string(run.Mode)
		info.Model = run.Actor.Model
	}
	if r := s.opt.Result; r != nil {
		info.ID, info.Mode, info.Author, info.Model = r.RunID, r.Mode, r.Author, r.Model
		info.Claims, info.Usage = publish.ClaimTotals(r.Claims), publish.Usage(r.Usage)
		if r.Error != nil {
			info.Error, info.Hint = r.Error.Message, r.Error.Hint
		}
	}
	return info
}

// fingerprint is that of the source as the run saw it: a finished run left it in the records of the pages it completed.
func (s *staging) fingerprint() string {
	if s.work.run != nil {
		return s.work.run.SourceFingerprint
	}
	for _, page := range s.work.manifest.Pages() {
		if entry, _ := s.work.manifest.Get(page); entry.GitHead == s.opt.BaseSHA && entry.SourceFingerprint != "" {
			return entry.SourceFingerprint
		}
	}
	return ""
}
