// Package impact tells which statements of a wiki a change of the source makes stale, from evidence alone: no model, no key, nothing
// written.
//
// [Check] compares two states of the source. For each Claim of the wiki it asks what became of the cited lines in both. A statement is
// stale because of the change when its evidence still held at the base and no longer holds at the head; what was stale before is
// counted apart, where it cites a changed file at all, and not blamed on the change. Lines that only moved, or whose file was renamed, still hold.
//
// Only files that differ are read, so that the answer costs about what git diff costs. A comparison that cannot be made is an error and
// never "no change". A [Report] is told as text, JSON, SARIF 2.1.0, workflow annotations or Markdown; equal states give equal reports.
package impact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// The states of evidence that no longer holds.
const (
	Changed = "changed" // the cited lines read differently
	Missing = "missing" // the cited lines or their file are gone
)

// A Finding is one place of evidence that the change takes from a Claim.
type Finding struct {
	Claim     string `json:"claim"`
	Statement string `json:"statement"`
	Resource  string `json:"resource" jsonschema:"the evidence as the wiki records it, repo://path#L1-L9"`
	State     string `json:"state" jsonschema:"changed or missing"`
	File      string `json:"file" jsonschema:"where the change is, relative to the repository"`
	Line      int    `json:"line,omitempty" jsonschema:"first changed line at the head; absent when the file is gone"`
}

// A Page is a page with statements that the change makes stale, or that the change itself edits.
type Page struct {
	Path     string    `json:"path"`
	Title    string    `json:"title"`
	Edited   bool      `json:"edited" jsonschema:"the change edits this page too"`
	Findings []Finding `json:"findings"`
}

// A Report is the answer. Pages are in code-unit order, findings in that of the Claims.
type Report struct {
	SchemaVersion int    `json:"schemaVersion"`
	Exists        bool   `json:"exists" jsonschema:"there is a wiki"`
	Base          string `json:"base" jsonschema:"commit the change starts from"`
	Head          string `json:"head" jsonschema:"commit of the change"`
	WorkTree      bool   `json:"workTree" jsonschema:"changes that are not committed are part of it"`
	ChangedFiles  int    `json:"changedFiles" jsonschema:"source files that differ"`
	Pages         []Page `json:"pages"`
	Totals        Totals `json:"totals"`
}

// Totals counts Claims; each once, however much of its evidence is concerned.
type Totals struct {
	Claims      int `json:"claims" jsonschema:"of the whole wiki"`
	Stale       int `json:"stale" jsonschema:"made stale by the change"`
	Moved       int `json:"moved" jsonschema:"evidence that reads the same in another place"`
	StaleBefore int `json:"staleBefore" jsonschema:"stale at the base already, of those that cite changed files; others are not looked at"`
}

// Options of a check.
type Options struct {
	Repo   *gitrepo.Repo
	Source *source.Source
	Wiki   *wiki.Wiki
	Base   string // full object name
	Head   string // full object name; "" is HEAD with the changes that are not committed
}

// Redacted returns the report with change applied to titles, statements and the names of files and resources: what is told of them may hold
// secrets of the source.
func (r *Report) Redacted(change func(string) string) *Report {
	out := *r
	out.Pages = slices.Clone(r.Pages)
	for i := range out.Pages {
		page := &out.Pages[i]
		page.Title = change(page.Title)
		page.Findings = slices.Clone(page.Findings)
		for k := range page.Findings {
			f := &page.Findings[k]
			f.Statement, f.Resource, f.File = change(f.Statement), change(f.Resource), change(f.File)
		}
	}
	return &out
}

// A check is one run of Check.
type check struct {
	Options
	report  *Report
	renames map[string]string         // old path to new
	special map[string]gitrepo.Change // paths that are no file on one of the sides, but a link or a submodule
	files   map[string]*file
}

// A file is a source file that differs, in both states.
type file struct {
	before, after   []byte
	existed, exists bool
	renamed         string // where it is now, if anywhere
	hunks           []gitrepo.Hunk
	compared        bool // hunks are read
}

// Check compares. The wiki is that of the work tree.
func Check(ctx context.Context, opt Options) (*Report, error) {
	c := &check{Options: opt, special: map[string]gitrepo.Change{}, files: map[string]*file{}, report: &Report{
		SchemaVersion: 1, Exists: opt.Wiki.Exists(), Base: opt.Base, Head: opt.Head, Pages: []Page{},
	}}
	if opt.Head == "" {
		head, dirty, err := opt.Source.Clean(ctx)
		if err != nil {
			return nil, err
		}
		c.report.Head, c.report.WorkTree = head.Commit, len(dirty) > 0
	}
	changed, err := c.changes(ctx)
	if err != nil || !c.report.Exists {
		return c.report, err
	}
	store := claims.NewStore(opt.Wiki)
	pages, err := c.pages(store, changed)
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		if err := c.page(ctx, store, page, changed); err != nil {
			return nil, err
		}
	}
	return c.report, nil
}

// pages returns the pages that have Claims and those that the change edits or removes, in code-unit order. Generated lists of pages
// are none.
func (c *check) pages(store *claims.Store, changed map[string]bool) ([]wiki.PagePath, error) {
	pages, err := store.Pages()
	if err != nil {
		return nil, err
	}
	for file := range changed { // sorted below
		if !strings.HasPrefix(file, string(c.Wiki.Dir())+"/") {
			continue
		}
		page, err := c.Wiki.Dir().ParsePage("/" + file)
		if err == nil && page.RepoPath() == file && !strings.Contains(file[len(c.Wiki.Dir()):], "/.") {
			pages = append(pages, page)
		}
	}
	slices.SortFunc(pages, func(a, b wiki.PagePath) int { return source.CompareCodeUnits(string(a), string(b)) })
	return slices.Compact(pages), nil
}

// changes finds the paths that differ.
func (c *check) changes(ctx context.Context) (map[string]bool, error) {
	list, err := c.Repo.Changes(ctx, c.Base, c.Head)
	if err != nil {
		return nil, fmt.Errorf("find what changed: %w", err)
	}
	changed := map[string]bool{}
	gone := false
	for _, change := range list {
		changed[change.Path] = true
		if change.Gitlink || change.WasLink || change.IsLink {
			c.special[change.Path] = change
		}
		if !change.Gitlink && c.Source.Selected(change.Path, false) {
			c.report.ChangedFiles++
			gone = gone || change.Status == "D"
		}
	}
	if gone {
		if c.renames, err = c.Repo.Renames(ctx, c.Base, c.Head); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// page looks at the Claims of one page.
func (c *check) page(ctx context.Context, store *claims.Store, at wiki.PagePath, changed map[string]bool) error {
	sidecar, err := store.Load(at)
	if errors.Is(err, fs.ErrNotExist) {
		sidecar, err = &claims.PageClaims{}, nil
	}
	if err != nil {
		return err
	}
	c.report.Totals.Claims += len(sidecar.Claims)
	page := Page{Path: string(at), Edited: changed[at.RepoPath()] || changed[store.Path(at)], Findings: []Finding{}}
	for _, claim := range sidecar.Claims {
		found, err := c.claim(ctx, claim, changed)
		if err != nil {
			return err
		}
		page.Findings = append(page.Findings, found...)
	}
	if len(page.Findings) == 0 && !page.Edited {
		return nil
	}
	page.Title = strings.TrimPrefix(at.RepoPath(), string(c.Wiki.Dir())+"/")
	if text, err := c.Wiki.Read(at); err == nil {
		if title := wiki.Parse(text).String("title"); title != "" {
			page.Title = title
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.report.Pages = append(c.report.Pages, page)
	return nil
}

// claim returns the evidence that the change takes from a Claim.
func (c *check) claim(ctx context.Context, claim claims.Claim, changed map[string]bool) ([]Finding, error) {
	var found []Finding
	before := false
	for _, e := range claim.Evidence {
		res, err := evidence.Parse(e.Resource, string(c.Wiki.Dir()))
		if err != nil || !changed[res.Path] {
			continue // evidence that is wrong in itself is not the change's doing
		}
		f, err := c.file(ctx, res.Path)
		if err != nil {
			return nil, err
		}
		state, now := f.at(res, e.Version)
		switch {
		case state == evidence.Current:
		case state == evidence.Moved:
			c.report.Totals.Moved++
		case !f.held(res, e.Version):
			before = true
		default:
			line, err := c.line(ctx, f, res, e.Version, now)
			if err != nil {
				return nil, err
			}
			finding := Finding{Claim: claim.ID, Statement: claim.Statement, Resource: e.Resource, State: Changed, File: res.Path, Line: line}
			if state == evidence.Missing {
				finding.State = Missing
			}
			found = append(found, finding)
		}
	}
	switch {
	case len(found) > 0:
		c.report.Totals.Stale++
	case before:
		c.report.Totals.StaleBefore++
	}
	return found, nil
}

// file reads both states of a file, once.
func (c *check) file(ctx context.Context, path string) (*file, error) {
	if f := c.files[path]; f != nil {
		return f, nil
	}
	f := &file{}
	var err error
	special := c.special[path]
	if !special.Gitlink && !special.WasLink {
		if f.before, f.existed, err = c.read(ctx, c.Base, path); err != nil {
			return nil, err
		}
	}
	if !special.Gitlink && !special.IsLink {
		if f.after, f.exists, err = c.read(ctx, c.Head, path); err != nil {
			return nil, err
		}
	}
	if next := c.renames[path]; !f.exists && next != "" {
		data, ok, err := c.read(ctx, c.Head, next)
		if err != nil {
			return nil, err
		}
		if ok {
			f.after, f.renamed = data, next
		}
	}
	c.files[path] = f
	return f, nil
}

// read returns a file of a commit, or of the work tree when commit is empty. What is not source there is not there.
func (c *check) read(ctx context.Context, commit, path string) ([]byte, bool, error) {
	if !c.Source.Selected(path, false) {
		return nil, false, nil
	}
	var data []byte
	var err error
	if commit == "" {
		data, err = c.Source.Read(path)
	} else {
		data, err = c.Repo.Blob(ctx, commit, path)
	}
	var link *atomicfile.SymlinkError
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrUntracked) || errors.Is(err, source.ErrIgnored) || errors.As(err, &link) {
		return nil, false, nil // not there, or nothing that can be cited any more
	}
	return data, err == nil, err
}

// at says what became of evidence at the head. A file that was renamed proves it by its content.
func (f *file) at(res evidence.Resource, version string) (evidence.State, evidence.Resource) {
	switch {
	case f.exists:
		answer := evidence.In(f.after, res, version)
		return answer.State, answer.Resource
	case f.renamed != "":
		answer := evidence.In(f.after, res, version)
		if answer.State == evidence.Current || answer.State == evidence.Moved {
			return evidence.Moved, answer.Resource
		}
	}
	return evidence.Missing, res
}

// held tells whether evidence still held at the base.
func (f *file) held(res evidence.Resource, version string) bool {
	if !f.existed {
		return false
	}
	state := evidence.In(f.before, res, version).State
	return state == evidence.Current || state == evidence.Moved
}

// line finds the changed line to show: the first in the cited lines, else where these were; 0 when the file is gone or has no lines.
func (c *check) line(ctx context.Context, f *file, res evidence.Resource, version string, now evidence.Resource) (int, error) {
	if !f.exists {
		return 0, nil
	}
	if !f.compared {
		hunks, err := c.Repo.Hunks(ctx, c.Base, c.Head, res.Path)
		if err != nil {
			return 0, err
		}
		f.hunks, f.compared = hunks, true
	}
	if len(f.hunks) == 0 {
		return 0, nil // binary
	}
	was := evidence.In(f.before, res, version).Resource
	for _, h := range f.hunks {
		if was.Start == 0 || h.OldStart <= was.End && h.OldStart+max(h.OldCount, 1) > was.Start {
			return max(1, h.NewStart), nil
		}
	}
	return max(1, now.Start), nil
}
