package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace"
)

// pageWork is what the run remembers of a page while an author works on it.
type pageWork struct {
	before *original // to put back when the page is skipped
	given  []byte    // what the author was given; nil when there was no page
}

// StartPage returns the assignment of a pending page. What the page is now is
// kept, so that it can be put back, also by another process; links to lines
// that merely moved are corrected before the author sees the page.
func (r *Run) StartPage(ctx context.Context, id string) (*Page, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	const op = "start page"
	i, err := r.pendingJob(op, id)
	if err != nil {
		return nil, err
	}
	job := r.state.Plan.Pages[i]
	before, err := r.keepOriginal(job.Path)
	if err != nil {
		return nil, stateError(op, err)
	}
	work := &pageWork{before: before, given: before.Text}
	r.work[id] = work
	r.worksOn(job.Path, true)
	if err := r.giveMoved(job.Path, work); err != nil {
		return nil, stateError(op, err)
	}
	return r.assignment(job, work), nil
}

// giveMoved writes the page with the links corrected that its Claims prove to
// have moved.
func (r *Run) giveMoved(page wiki.PagePath, work *pageWork) error {
	moves := r.movesOf(page)
	if work.before.Text == nil || len(moves) == 0 {
		return nil
	}
	work.given = wiki.Relocate(work.before.Text, page, moves)
	return r.writePage(page, work.given)
}

// movesOf returns what moved under a page, as its links spell it. Two Claims
// that disagree about where the same lines went leave the links alone.
func (r *Run) movesOf(page wiki.PagePath) map[string]string {
	moves := map[string]string{}
	for _, m := range r.session.MovedOf(page) {
		from, to := linkTarget(m.From, r.wiki.Dir()), linkTarget(m.To, r.wiki.Dir())
		if known, ok := moves[from]; ok && known != to {
			moves[from] = ""
		} else if from != "" && to != "" {
			moves[from] = to
		}
	}
	for from, to := range moves {
		if to == "" {
			delete(moves, from)
		}
	}
	return moves
}

func linkTarget(resource string, dir wiki.Dir) string {
	res, err := evidence.Parse(resource, string(dir))
	if err != nil {
		return ""
	}
	if res.Start == 0 {
		return res.Path
	}
	return fmt.Sprintf("%s#L%d-L%d", res.Path, res.Start, res.End)
}

func (r *Run) assignment(job PageJob, work *pageWork) *Page {
	p := &Page{
		Job: job, Mode: r.state.Mode, Language: r.state.Language, LanguageChanged: r.state.LanguageChanged,
		Existing: work.given != nil, Text: work.given, HandEdited: r.edited[job.Path],
		GeneratedBy: r.generatedBy(job.Path, work.given), VerifiedBy: r.session.VerifiedBy(job.Path),
		Claims: r.session.Inspect(job.Path), Source: r.src,
		Workspace: workspace.New(r.src, r.wiki, workspace.Grant{Write: []wiki.PagePath{job.Path}, BeforeWrite: r.announcer(job.Path)}),
	}
	for _, c := range p.Claims {
		if c.Issue != nil {
			p.Required = append(p.Required, c)
		}
	}
	if job.Path == r.quickstart() {
		p.PageMap = r.pageMap()
	}
	id := job.ID
	p.submit = func(ctx context.Context, rec claims.Reconciliation) error { return r.SubmitPage(ctx, id, rec) }
	p.check = func() ([]wiki.Finding, error) { return r.checkPage(job.Path) }
	p.inspect = func(ctx context.Context) ([]claims.Inspected, error) { return r.InspectClaims(ctx, id) }
	return p
}

// checkPage looks at a page as a reader would. It needs no lock: the page has
// one author, and what links may lead to does not change during the run.
func (r *Run) checkPage(page wiki.PagePath) ([]wiki.Finding, error) {
	text, err := r.readPage(page)
	if err != nil || text == nil {
		return nil, err
	}
	var planned []wiki.PagePath
	for name := range r.linkTree().files {
		if planPage, err := r.wiki.Dir().ParsePage("/" + name); err == nil && planPage.RepoPath() == name {
			planned = append(planned, planPage)
		}
	}
	findings, err := wiki.CheckPage(r.wiki, page, text, planned, r.exists)
	if err != nil {
		return nil, fmt.Errorf("check page %s: %w", page, err)
	}
	_, diagrams := wiki.CheckMermaid(text)
	for _, f := range diagrams {
		f.Page = string(page)
		findings = append(findings, f)
	}
	return findings, nil
}

func (r *Run) quickstart() wiki.PagePath {
	return wiki.PagePath("/" + string(r.wiki.Dir()) + "/" + quickstartName)
}

// pageMap lists the pages the wiki will have but for the quickstart, which is
// what a quickstart routes to.
func (r *Run) pageMap() []PageRef {
	refs := map[wiki.PagePath]PageRef{}
	for page := range r.initial {
		text, err := r.wiki.Read(page)
		if err != nil {
			continue
		}
		doc := wiki.Parse(text)
		refs[page] = PageRef{Path: page, Title: doc.String("title"), Purpose: doc.String("description")}
	}
	for _, page := range r.state.Plan.DeletePages {
		delete(refs, page)
	}
	for _, job := range r.jobs() {
		refs[job.Path] = PageRef{Path: job.Path, Title: job.Title, Purpose: job.Purpose}
	}
	delete(refs, r.quickstart())
	var list []PageRef
	for _, key := range sortedPages(keySet(refs)) {
		list = append(list, refs[key])
	}
	return list
}

func keySet[V any](m map[wiki.PagePath]V) map[wiki.PagePath]bool {
	set := make(map[wiki.PagePath]bool, len(m))
	for key := range m {
		set[key] = true
	}
	return set
}

// InspectClaims returns the Claims of a pending page.
func (r *Run) InspectClaims(_ context.Context, id string) ([]claims.Inspected, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, err := r.pendingJob("inspect claims", id)
	if err != nil {
		return nil, err
	}
	return r.session.Inspect(r.state.Plan.Pages[i].Path), nil
}

// exists reports whether a link target is there: a file of the source, or a
// page the wiki has or will have. It does not depend on how far the run is,
// so that pages do not depend on the order in which they are written.
func (r *Run) exists(name string) (file, dir bool) {
	tree := r.linkTree()
	if tree.files[name] || tree.dirs[name] {
		return tree.files[name], tree.dirs[name]
	}
	if tree.deleted[name] {
		return false, false
	}
	inWiki := strings.HasPrefix(name, string(r.wiki.Dir())+"/")
	if !inWiki && !r.src.Ignored(name, false) {
		return false, false
	}
	if inWiki && path.Base(name) == "index.md" {
		return tree.dirs[path.Dir(name)], false
	}
	info, err := r.opt.Files.Root().Lstat(name)
	if err != nil {
		return false, false
	}
	return !info.IsDir(), info.IsDir()
}

// linkTree is what links may point to.
type linkTree struct {
	files, dirs, deleted map[string]bool
}

func (r *Run) linkTree() *linkTree {
	r.treeOnce.Do(func() {
		t := &linkTree{files: map[string]bool{}, dirs: map[string]bool{".": true, "": true}, deleted: map[string]bool{}}
		add := func(name string) {
			t.files[name] = true
			for dir := path.Dir(name); !t.dirs[dir]; dir = path.Dir(dir) {
				t.dirs[dir] = true
			}
		}
		// A listing that cannot be read makes links look broken, no more.
		files, _ := r.src.Files(context.Background())
		for _, f := range files {
			add(f.Path)
		}
		deleted := map[wiki.PagePath]bool{}
		if r.state.Plan != nil {
			for _, page := range r.state.Plan.DeletePages {
				t.deleted[page.RepoPath()], deleted[page] = true, true
			}
		}
		for page := range r.initial {
			if !deleted[page] {
				add(page.RepoPath())
			}
		}
		for _, job := range r.jobs() {
			add(job.Path.RepoPath())
		}
		r.tree = t
	})
	return r.tree
}

// readPage returns nil for a page that is not there.
func (r *Run) readPage(page wiki.PagePath) ([]byte, error) {
	text, err := r.wiki.Read(page)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
