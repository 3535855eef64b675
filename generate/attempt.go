package generate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// attemptsDir, in the git directory, names the texts that a run has put into
// the pages it works on. A text that is neither one of them nor the original
// is somebody's who edited the page meanwhile, and is not taken away.
const attemptsDir = "wikiwright/attempts"

// attempts remembers what a run writes, one file for each page, before it is
// written. Pages may be announced at the same time, each by one writer.
type attempts struct {
	git *atomicfile.Dir

	mu    sync.Mutex
	texts map[string][]string // hashes by file, once read
}

func newAttempts(git *atomicfile.Dir) *attempts {
	return &attempts{git: git, texts: map[string][]string{}}
}

// announce makes it durable that the run is about to write text.
func (a *attempts) announce(file string, text []byte) error {
	known, err := a.read(file)
	if err != nil {
		return err
	}
	hash := hashOf(text)
	if slices.Contains(known, hash) {
		return nil
	}
	known = append(slices.Clone(known), hash)
	if err := a.git.Write(file, []byte(strings.Join(known, "\n")+"\n")); err != nil {
		return fmt.Errorf("note what is written: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.texts[file] = known
	return nil
}

// has reports whether the run announced text, in this process or another.
func (a *attempts) has(file string, text []byte) (bool, error) {
	known, err := a.read(file)
	return slices.Contains(known, hashOf(text)), err
}

func (a *attempts) read(file string) ([]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.texts[file]; ok {
		return known, nil
	}
	data, err := a.git.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was written: %w", err)
	}
	a.texts[file] = strings.Fields(string(data))
	return a.texts[file], nil
}

// drop forgets everything.
func (a *attempts) drop() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.texts)
	return a.git.RemoveAll(attemptsDir)
}

func hashOf(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

func (r *Run) attemptPath(p wiki.PagePath) string {
	return attemptsDir + "/" + jobID(r.state.RunID, p)
}

// writePage writes a page that the run works on.
func (r *Run) writePage(p wiki.PagePath, text []byte) error {
	if err := r.attempts.announce(r.attemptPath(p), text); err != nil {
		return err
	}
	return r.wiki.Write(p, text)
}

// announcer announces the texts of an author, who writes one page past
// writePage and without the lock of the run: it must not look at its state.
func (r *Run) announcer(p wiki.PagePath) func(wiki.PagePath, []byte) error {
	path := r.attemptPath(p)
	return func(_ wiki.PagePath, text []byte) error { return r.attempts.announce(path, text) }
}

// isTheirs reports whether somebody has changed a page that the run works on:
// its text is neither that of before nor one that the run announced, nor the
// one with its stamps that the sidecar, written before it, describes.
func (r *Run) isTheirs(o *original) (bool, error) {
	text, err := r.readPage(o.Page)
	if err != nil || text == nil || o.Text != nil && string(text) == string(o.Text) {
		return false, err
	}
	ours, err := r.attempts.has(r.attemptPath(o.Page), text)
	if err != nil || ours {
		return false, err
	}
	side, err := r.loadSidecar(o.Page)
	var broken *claims.FileError
	if err != nil && !errors.As(err, &broken) {
		return false, err
	}
	return side == nil || side.PageVersion != wiki.PageVersion(text), nil
}
