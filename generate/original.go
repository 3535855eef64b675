package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// originalsDir, in the git directory, keeps the pages a run works on as they
// were before, until the run ends: a process that dies with a page half
// rewritten leaves nothing to restore it from in the wiki itself.
const originalsDir = "wikiwright/originals"

// original is a page and its sidecar as they were; nil is absent.
type original struct {
	RunID   string        `json:"runId"`
	Page    wiki.PagePath `json:"page"`
	Text    []byte        `json:"text"`
	Sidecar []byte        `json:"sidecar"`
}

func sidecarPath(w *wiki.Wiki, p wiki.PagePath) string {
	rel := p.RepoPath()[len(w.Dir())+1:]
	return w.Path(".claims/" + rel[:len(rel)-len(".md")] + ".json")
}

func (r *Run) originalPath(p wiki.PagePath) string {
	return originalsDir + "/" + jobID(r.state.RunID, p) + ".json"
}

// readOriginal takes the page as it is on disk.
func (r *Run) readOriginal(p wiki.PagePath) (*original, error) {
	o := &original{RunID: r.state.RunID, Page: p}
	for _, part := range []struct {
		name string
		into *[]byte
	}{{p.RepoPath(), &o.Text}, {sidecarPath(r.wiki, p), &o.Sidecar}} {
		data, err := r.opt.Files.Read(part.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("snapshot page: %w", err)
		}
		*part.into = append([]byte{}, data...)
	}
	return o, nil
}

// keepOriginal takes the page as it is and makes that durable before the page
// is changed. A page that is kept already is left as the run found it.
func (r *Run) keepOriginal(p wiki.PagePath) (*original, error) {
	o, err := r.readOriginal(p)
	if err != nil {
		return nil, err
	}
	if o.Text == nil && o.Sidecar == nil {
		return o, nil
	}
	name := r.originalPath(p)
	if _, err := r.git.Root().Lstat(name); err == nil {
		return o, nil
	}
	data, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("keep page %s: %w", p, err)
	}
	if err := r.git.Write(name, data); err != nil {
		return nil, fmt.Errorf("keep page %s: %w", p, err)
	}
	return o, nil
}

// putBack makes page and sidecar what they were. A page that somebody has
// edited meanwhile keeps its text, which is the original from then on.
func (r *Run) putBack(o *original) error {
	theirs, err := r.isTheirs(o)
	if err != nil {
		return fmt.Errorf("restore page: %w", err)
	}
	if !theirs {
		if err := r.putBackText(o); err != nil {
			return err
		}
	}
	if err := r.putBackSidecar(o); err != nil || !theirs {
		return err
	}
	r.notes = append(r.notes, fmt.Sprintf("%s was edited during the run: the edit is kept", o.Page))
	if err := r.git.Remove(r.originalPath(o.Page)); err != nil {
		return fmt.Errorf("drop kept page: %w", err)
	}
	return nil
}

func (r *Run) putBackText(o *original) error {
	if o.Text == nil {
		if err := r.wiki.Remove(o.Page); err != nil {
			return fmt.Errorf("restore page: %w", err)
		}
	} else if err := r.wiki.Write(o.Page, o.Text); err != nil {
		return fmt.Errorf("restore page: %w", err)
	}
	return nil
}

func (r *Run) putBackSidecar(o *original) error {
	name := sidecarPath(r.wiki, o.Page)
	if o.Sidecar != nil {
		if _, err := r.opt.Files.WriteIfChanged(name, o.Sidecar); err != nil {
			return fmt.Errorf("restore sidecar: %w", err)
		}
		return nil
	}
	if err := r.opt.Files.Remove(name); err != nil {
		return fmt.Errorf("restore sidecar: %w", err)
	}
	if err := r.opt.Files.RemoveEmptyParents(name, string(r.wiki.Dir())); err != nil {
		return fmt.Errorf("restore sidecar: %w", err)
	}
	return nil
}

// putBackUnfinished undoes, when a run is resumed, what the interrupted
// process left half done: every page it worked on without completing it.
func (r *Run) putBackUnfinished() error {
	kept, err := r.keptOriginals()
	if err != nil {
		return err
	}
	complete := map[wiki.PagePath]bool{}
	for _, job := range r.jobs() {
		complete[job.Path] = job.Status == JobComplete
	}
	known := map[wiki.PagePath]bool{}
	for _, o := range kept {
		known[o.Page] = true
		if complete[o.Page] {
			continue
		}
		if done, err := r.finished(o.Page); err != nil {
			return err
		} else if done {
			continue
		}
		if err := r.putBack(o); err != nil {
			return err
		}
	}
	return r.removeHalfPages(complete, known)
}

// removeHalfPages removes pages that are pending, were not there when the run
// began and were not completed by it either: halves of new pages.
func (r *Run) removeHalfPages(complete, known map[wiki.PagePath]bool) error {
	for _, job := range r.jobs() {
		if complete[job.Path] || known[job.Path] || r.initial[job.Path] {
			continue
		}
		done, err := r.finished(job.Path)
		if err != nil {
			return err
		}
		if done {
			continue
		}
		if err := r.putBack(&original{Page: job.Path}); err != nil {
			return err
		}
	}
	return nil
}

// finished reports whether the run completed the page, under this plan or an
// earlier one, and it still is what was completed.
func (r *Run) finished(page wiki.PagePath) (bool, error) {
	entry, ok := r.manifest.Get(page)
	if !ok || entry.CompletedRunID != r.state.RunID {
		return false, nil
	}
	text, err := r.wiki.Read(page)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	side, err := r.loadSidecar(page)
	if err != nil {
		return false, err
	}
	return stateOfPage(text, &entry, side) == pageProven, nil
}

// keptOriginals reads the originals of this run, in the order of their names.
func (r *Run) keptOriginals() ([]*original, error) {
	entries, err := fs.ReadDir(r.git.Root().FS(), originalsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list kept pages: %w", err)
	}
	var kept []*original
	for _, entry := range entries {
		data, err := r.git.Read(originalsDir + "/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read kept page: %w", err)
		}
		var o original
		if json.Unmarshal(data, &o) != nil || o.RunID != r.state.RunID {
			continue // of another run, or a temporary file
		}
		if p, err := r.wiki.Dir().ParsePage(string(o.Page)); err != nil || p != o.Page {
			continue
		}
		kept = append(kept, &o)
	}
	return kept, nil
}

// dropOriginals forgets the pages of before and what was written over them,
// in this order: an original without the texts of the run would look edited.
func (r *Run) dropOriginals() error {
	if err := r.git.RemoveAll(originalsDir); err != nil {
		return err
	}
	return r.attempts.drop()
}
