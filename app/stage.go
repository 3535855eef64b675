package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/publish"
)

// Names of the records of a wiki, below its directory.
const (
	runStateName   = ".run.json"
	manifestName   = ".page-manifest.json"
	lastUpdateName = ".last-update.json"
	claimsDirName  = ".claims"
)

// StageOptions say of which run a bundle is made.
type StageOptions struct {
	Dir     string // any directory in the checkout
	WikiDir string // as in Job
	BaseRef string // name of the base branch
	BaseSHA string // the analysed commit; "" is HEAD
	Result  *Result
	// Running makes a checkpoint of a run that goes on: the Result is not known yet. Pages in work are left out.
	Running bool
	LogURL  string         // where the run can be read
	Extra   []publish.File // of ManagedFiles
}

// Stage makes the bundle of what a run has finished, be it over or under way: the wiki of the analysed commit with the pages that are
// done, their Claims and records, and indexes that agree. The work tree is only read. A page that was being written at this moment
// counts as not done. For a complete run the bundle is the wiki of the work tree, byte for byte, but for files that the run does not know.
func Stage(ctx context.Context, opt StageOptions) (*publish.Bundle, error) {
	checkout, err := openCheckout(ctx, opt.Dir, opt.WikiDir)
	if err != nil {
		return nil, err
	}
	bundle, err := stageCheckout(ctx, checkout, opt)
	if err = errors.Join(err, checkout.close()); err != nil {
		return nil, err
	}
	return bundle, nil
}

func stageCheckout(ctx context.Context, c *checkout, opt StageOptions) (*publish.Bundle, error) {
	if opt.BaseSHA == "" {
		head, err := c.repo.Head(ctx)
		if err != nil {
			return nil, err
		}
		opt.BaseSHA = head.Commit
	}
	base, err := readCommitted(ctx, c.repo, opt.BaseSHA, c.wikiDir)
	if err != nil {
		return nil, err
	}
	work, err := readWork(c)
	if err != nil {
		return nil, err
	}
	s := &staging{
		opt: opt, dir: c.wikiDir, base: base, work: work, left: map[wiki.PagePath]string{},
		state: stateOf(opt, work),
	}
	return s.bundle()
}

// stateOf tells how far the run came. What stopped because its time was over, or a limit of it was reached, is incomplete and did not fail.
func stateOf(opt StageOptions, work *workWiki) publish.State {
	r := opt.Result
	switch {
	case opt.Running:
		return publish.StateRunning
	case r != nil && r.Error != nil && r.Error.Code != CodeStopped && r.Error.Code != CodeLimit:
		return publish.StateFailed
	case work.run != nil, work.update == nil, work.update.Status != generate.StatusComplete:
		return publish.StatePartial
	case r != nil && r.Outcome != generate.OutcomeComplete && r.Outcome != generate.OutcomeNoop:
		return publish.StatePartial
	}
	return publish.StateComplete
}

// A workWiki is the wiki of the work tree as the records of the run tell it.
type workWiki struct {
	wiki     *wiki.Wiki
	run      *generate.State // nil when no run is under way
	update   *generate.LastUpdate
	manifest *generate.Manifest
	files    map[string][]byte // pages, sidecars and .last-update.json, by repository path
	pages    []wiki.PagePath
}

// readWork reads the wiki of a work tree in which a run may be going on. The records are read before the pages: a record is written after
// the page it is about, so that a page which agrees with it is whole.
func readWork(c *checkout) (*workWiki, error) {
	w, err := wiki.Open(c.files, c.wikiDir)
	if err != nil {
		return nil, err
	}
	work := &workWiki{wiki: w, manifest: generate.NewManifest(), files: map[string][]byte{}}
	if data, err := work.read(w.Path(runStateName)); err != nil {
		return nil, err
	} else if data != nil {
		if work.run, err = generate.DecodeState(w.Path(runStateName), data); err != nil {
			return nil, err
		}
	}
	if data, err := work.read(w.Path(manifestName)); err != nil {
		return nil, err
	} else if data != nil {
		if work.manifest, err = generate.DecodeManifest(w.Path(manifestName), c.wikiDir, data); err != nil {
			return nil, err
		}
	}
	if data, err := work.read(w.Path(lastUpdateName)); err != nil {
		return nil, err
	} else if data != nil {
		work.update = generate.DecodeLastUpdate(data)
	}
	return work, work.readPages()
}

// workOf is the wiki that a bundle holds.
func workOf(dir wiki.Dir, files map[string][]byte) (*workWiki, error) {
	work := &workWiki{manifest: generate.NewManifest(), files: files}
	name := string(dir) + "/" + manifestName
	if data, ok := files[name]; ok {
		manifest, err := generate.DecodeManifest(name, dir, data)
		if err != nil {
			return nil, err
		}
		work.manifest = manifest
	}
	work.update = generate.DecodeLastUpdate(files[string(dir)+"/"+lastUpdateName])
	for path := range files {
		if page, ok := pageAt(dir, path); ok {
			work.pages = append(work.pages, page)
		}
	}
	return work, nil
}

// pageAt returns the page that a file of the wiki is, if it is one.
func pageAt(dir wiki.Dir, name string) (wiki.PagePath, bool) {
	page, err := dir.ParsePage("/" + name)
	if err != nil || page.RepoPath() != name || hiddenBelow(dir, name) {
		return "", false
	}
	return page, true
}

func (w *workWiki) readPages() (err error) {
	if !w.wiki.Exists() {
		return nil
	}
	if w.pages, err = w.wiki.Pages(); err != nil {
		return err
	}
	store := claims.NewStore(w.wiki)
	for _, page := range w.pages {
		for _, name := range []string{page.RepoPath(), store.Path(page)} {
			if _, err := w.read(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// read keeps the bytes of a file that is there.
func (w *workWiki) read(name string) ([]byte, error) {
	data, err := w.wiki.Files().Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if data == nil {
		data = []byte{}
	}
	w.files[name] = data
	return data, nil
}

// done reports whether a page of the work tree is finished: page, sidecar and record agree. While a run is under way only such pages are
// taken; after its end every page is what the run left on purpose.
func (w *workWiki) done(page wiki.PagePath) bool {
	if w.run == nil {
		return true
	}
	entry, recorded := w.manifest.Get(page)
	text := w.files[page.RepoPath()]
	if !recorded || wiki.PageVersion(text) != entry.PageVersion {
		return false
	}
	data := w.files[claims.NewStore(w.wiki).Path(page)]
	if data == nil {
		return true
	}
	side, err := claims.Decode(claims.NewStore(w.wiki).Path(page), data)
	return err == nil && side.Describes(text)
}

func sortedPages(set map[wiki.PagePath]bool) []wiki.PagePath {
	pages := make([]wiki.PagePath, 0, len(set))
	for page := range set {
		pages = append(pages, page)
	}
	slices.SortFunc(pages, func(a, b wiki.PagePath) int { return source.CompareCodeUnits(string(a), string(b)) })
	return pages
}
