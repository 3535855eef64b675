package extractive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// ActorPrefix begins the `generated.by` stamp of pages that this author wrote.
const ActorPrefix = "wikiwright-extractive/"

// needsModel is the reason for leaving a page of another author alone.
const needsModel = "needs a model"

// Options are what an Author needs besides its assignments.
type Options struct {
	// WikiDir is where pages go; "" means the default directory.
	WikiDir wiki.Dir
	// History lists the newest commits with their paths; nil leaves out what history tells.
	History func(context.Context) ([]gitrepo.CommitFiles, error)
	// Concurrency is the number of files read, and of pages rendered, at once; it has no influence on the pages.
	Concurrency int
	// Log may be nil.
	Log *slog.Logger
}

// An Author writes a wiki from what it can read in the source. One Author serves one run; its methods may run at the same time.
type Author struct {
	opts Options

	mu    sync.Mutex
	pages map[string]*page // by repository path; nil until the source has been surveyed
	of    *source.Source   // what pages were rendered from
}

var _ generate.Author = (*Author)(nil)

// New returns an author.
func New(opts Options) *Author { return &Author{opts: opts} }

// render surveys the source once and writes every page in memory.
func (a *Author) render(ctx context.Context, src *source.Source) (map[string]*page, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pages != nil && a.of == src {
		return a.pages, nil
	}
	lines := newLineCache(src.Read)
	repo, err := survey.Read(ctx, survey.Options{Source: src, History: a.opts.History, Concurrency: a.opts.Concurrency, Keep: lines.keep})
	if err != nil {
		return nil, fmt.Errorf("survey the repository: %w", err)
	}
	pages := render(repo, a.root(), lines, a.opts.Concurrency)
	if name := path.Join(a.root(), quickstartPage); pages[name] == nil {
		bare, err := a.bareQuickstart(ctx, src)
		if err != nil {
			return nil, err
		}
		if bare == nil {
			return nil, errNothing
		}
		pages[name] = bare
	}
	a.pages, a.of = pages, src
	return pages, nil
}

// errNothing ends the plan for a repository of which nothing can be said.
var errNothing error = &generate.Error{Code: generate.CodeInvalidState, Op: "read the source", Err: errors.New("no file of the source can be cited"),
	Hint: "add a file that can be read and whose name has no control characters, then run the command again"}

// Plan proposes the pages whose fresh render differs from what is there or that carry issues, and deletes own pages that have no place
// any more.
func (a *Author) Plan(ctx context.Context, p *generate.Planning) error {
	a.noteLanguage(p.Language)
	pages, err := a.render(ctx, p.Source)
	if err != nil {
		return err
	}
	return p.Submit(ctx, propose(p, pages, path.Join(a.root(), quickstartPage)))
}

// root is the repository path of the wiki directory.
func (a *Author) root() string {
	if a.opts.WikiDir == "" {
		return wiki.DefaultDir
	}
	return string(a.opts.WikiDir)
}

// noteLanguage says once that this author writes English.
func (a *Author) noteLanguage(tag string) {
	if primary, _, _ := strings.Cut(tag, "-"); a.opts.Log != nil && primary != "" && primary != "en" {
		a.opts.Log.Warn("the extractive author writes English; labels and prose of its pages are not translated", "language", tag)
	}
}

// propose compares the fresh pages with the wiki. The quickstart is never deleted.
func propose(p *generate.Planning, pages map[string]*page, quickstart string) generate.Proposal {
	existing := make(map[string]generate.ExistingPage, len(p.Existing))
	for _, e := range p.Existing {
		existing[strings.TrimPrefix(string(e.Path), "/")] = e
	}
	foreign := isForeign(p.Existing)
	issues := make(map[string]bool)
	for _, i := range p.Issues {
		issues[strings.TrimPrefix(string(i.Page), "/")] = true
	}
	var out generate.Proposal
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		e, there := existing[name]
		switch {
		case !there && foreign:
			continue // the wiki of another author gets no new pages
		case there && owner(e) == another:
			continue // the driver plans it if it needs work, and WritePage skips it
		case there && !issues[name] && !e.HandEdited && (owner(e) != ours || fresh(e, pages[name], p.Moved)):
			continue
		}
		out.Pages = append(out.Pages, pages[name].proposed())
	}
	if foreign {
		out.Pages = append(out.Pages, unprovable(p)...)
	}
	for _, name := range slices.Sorted(maps.Keys(existing)) {
		if pages[name] == nil && owner(existing[name]) == ours && name != quickstart {
			out.DeletePages = append(out.DeletePages, "/"+name)
		}
	}
	return out
}

// isForeign reports whether the wiki is that of another author: it has pages of one, or pages and none of ours.
func isForeign(existing []generate.ExistingPage) bool {
	own := len(existing) == 0
	for _, e := range existing {
		switch owner(e) {
		case another:
			return true
		case ours:
			own = true
		}
	}
	return !own
}

// unprovable proposes the pages of another author that no Claim ties to the source, where the source changed: whether they still are
// true takes a model to tell, and until one has, the wiki must not pass for up to date. WritePage skips them.
func unprovable(p *generate.Planning) []generate.ProposedPage {
	changed := make(map[wiki.PagePath]bool)
	for _, w := range p.Windows {
		for _, page := range w.Pages {
			changed[page] = w.FullReview || len(w.ChangedPaths) > 0
		}
	}
	var out []generate.ProposedPage
	for _, e := range p.Existing {
		if owner(e) != ours && len(e.Claims) == 0 && changed[e.Path] {
			title := strings.TrimSpace(wiki.Parse(e.Text).String("title"))
			if title == "" {
				title = path.Base(string(e.Path))
			}
			out = append(out, generate.ProposedPage{Path: string(e.Path), Title: title, Purpose: "Review the page against the source."})
		}
	}
	return out
}

// The owners of a page, as far as this author is concerned.
type ownership int

const (
	ours    ownership = iota
	person            // edited or written by hand: its text stays
	another           // written by another author
)

func owner(e generate.ExistingPage) ownership {
	by := e.GeneratedBy
	if by == "" {
		if event, ok := wiki.Parse(e.Text).Generated(); ok {
			by = event.By
		}
	}
	// On a page older than stamps, or whose front matter an edit broke, the Claims still tell whose it is.
	whose := by
	if whose == "" {
		whose = e.VerifiedBy
	}
	switch {
	case whose != "" && !strings.HasPrefix(whose, ActorPrefix):
		return another
	case e.HandEdited || by == "":
		return person
	}
	return ours
}

// proposed is the page as the plan describes it.
func (p *page) proposed() generate.ProposedPage {
	related := make([]string, len(p.related))
	for i, r := range p.related {
		related[i] = "/" + r
	}
	seeds := slices.DeleteFunc(slices.Clone(p.seeds), func(s string) bool { return s == "" || s == "." })
	return generate.ProposedPage{Path: "/" + p.path, Title: p.title, Purpose: p.purpose, SeedPaths: seeds, RelatedPages: related}
}

// fresh reports whether a page on disk says what the fresh render says. Lines that only moved are compared at their new place, and what
// history tells does not count: it moves with every commit and is refreshed when the page is written for another reason.
func fresh(e generate.ExistingPage, p *page, moved []claims.Move) bool {
	moves := make(map[string]string)
	for _, m := range moved {
		if m.Page == e.Path {
			moves[m.From] = m.To
		}
	}
	old := wiki.Relocate(e.Text, e.Path, sourceMoves(moves))
	return bytes.Equal(withoutHistory(normal(old, e.Path)), withoutHistory(normal(p.merge(old), e.Path))) && sameClaims(e.Claims, p.claims, moves)
}

// normal is a page as the lifecycle leaves it: a valid front matter, checked diagrams, line feeds whatever the checkout made of them and
// one of them at the end.
func normal(b []byte, p wiki.PagePath) []byte {
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	b, _ = wiki.Repair(b, p, "")
	b, _ = wiki.CheckMermaid(b)
	return append(bytes.TrimRight(b, "\n"), '\n')
}

// sourceMoves turns moved resources into the paths that links use.
func sourceMoves(moves map[string]string) map[string]string {
	out := make(map[string]string, len(moves))
	for from, to := range moves {
		out[strings.TrimPrefix(from, "repo://")] = strings.TrimPrefix(to, "repo://")
	}
	return out
}

const historyHeading = "## Where change happens\n"

// withoutHistory drops the section that comes from history.
func withoutHistory(b []byte) []byte {
	start := bytes.Index(b, []byte("\n"+historyHeading))
	if start < 0 {
		return b
	}
	rest := b[start+1+len(historyHeading):]
	end := bytes.Index(rest, []byte("\n## "))
	if end < 0 {
		return bytes.TrimRight(b[:start+1], "\n")
	}
	return slices.Concat(b[:start+1], rest[end+1:])
}

// sameClaims compares what a page claims with what it would claim, moved evidence at its new place.
func sameClaims(have []claims.Inspected, want []claim, moves map[string]string) bool {
	keys := make(map[string]int)
	for _, c := range want {
		keys[c.key()]++
	}
	for _, c := range have {
		if c.Issue != nil {
			return false
		}
		keys[inspected(c, moves).key()]--
	}
	for _, n := range keys {
		if n != 0 {
			return false
		}
	}
	return true
}

// inspected is a stored claim in the form of a fresh one.
func inspected(c claims.Inspected, moves map[string]string) claim {
	out := claim{Statement: c.Statement, Evidence: slices.Clone(c.Evidence)}
	for i, r := range out.Evidence {
		if to, ok := moves[r]; ok {
			out.Evidence[i] = to
		}
	}
	slices.Sort(out.Evidence)
	return out
}

// WritePage writes one page from the survey and reconciles its Claims. It works without Plan, as after a resume.
func (a *Author) WritePage(ctx context.Context, pg *generate.Page) error {
	state := ours
	if pg.Existing {
		state = owner(generate.ExistingPage{GeneratedBy: pg.GeneratedBy, VerifiedBy: pg.VerifiedBy, HandEdited: pg.HandEdited, Text: pg.Text})
	}
	if state == another {
		return &generate.SkipError{Reason: needsModel}
	}
	name := strings.TrimPrefix(string(pg.Job.Path), "/")
	pages, err := a.render(ctx, pg.Source)
	if err != nil {
		return err
	}
	p := pages[name]
	if state == person {
		return reprove(ctx, pg, p)
	}
	if p == nil {
		return &generate.SkipError{Reason: "the source has no material for this page any more"}
	}
	if err := pg.Workspace.WritePage(pg.Job.Path, p.merge(pg.Text)); err != nil {
		return fmt.Errorf("write %s: %w", pg.Job.Path, err)
	}
	have, err := pg.InspectClaims(ctx)
	if err != nil {
		return fmt.Errorf("inspect the claims of %s: %w", pg.Job.Path, err)
	}
	return pg.Submit(ctx, reconcile(have, p.claims))
}

// unproved is the reason for leaving a page that a person edited as it is, with Claims that no longer hold.
const unproved = "the page was edited by hand, and the source proves nothing that it says any more: correct it, or delete it to have it written anew"

// reprove keeps the text of a page that a person edited and decides only about Claims with an issue: those that the fresh facts prove
// stay, the others are retracted. A page needs a Claim; where none is left, the fresh facts become Claims that its text still states.
func reprove(ctx context.Context, pg *generate.Page, p *page) error {
	have, err := pg.InspectClaims(ctx)
	if err != nil {
		return fmt.Errorf("inspect the claims of %s: %w", pg.Job.Path, err)
	}
	if len(have) == 0 {
		// What this author could state is not what the page says.
		return &generate.SkipError{Reason: needsModel}
	}
	var facts []claim
	if p != nil {
		facts = p.claims
	}
	r, left := confirmProven(have, facts)
	if left == 0 {
		stated := statedIn(pg.Text, facts)
		if len(stated) == 0 {
			return &generate.SkipError{Reason: unproved}
		}
		for _, c := range stated {
			r.Claims = append(r.Claims, c.proposal(""))
		}
	}
	err = pg.Submit(ctx, r)
	var input *generate.InputError
	if errors.As(err, &input) {
		return &generate.SkipError{Reason: "the page was edited by hand and its claims cannot be proved: " + input.Error()}
	}
	return err
}

// merge returns the page with the front matter fields that others keep in it.
func (p *page) merge(old []byte) []byte {
	if len(old) == 0 {
		return p.text("")
	}
	for _, key := range []string{"type", "title", "description", "tags", "openwiki_generated"} {
		old = wiki.RemoveField(old, key)
	}
	return p.text(keptLines(old))
}

// keptLines are the lines of a front matter block.
func keptLines(b []byte) string {
	s := strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return ""
	}
	if strings.HasPrefix(rest, "---\n") {
		return ""
	}
	lines, _, ok := strings.Cut(rest, "\n---\n")
	if !ok || strings.TrimSpace(lines) == "" {
		return ""
	}
	return lines + "\n"
}
