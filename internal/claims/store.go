package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Store reads and writes the sidecars of a wiki. It keeps nothing in memory.
type Store struct{ wiki *wiki.Wiki }

// NewStore returns the sidecars of w.
func NewStore(w *wiki.Wiki) *Store { return &Store{wiki: w} }

const (
	claimsDir = ".claims"
	pageExt   = ".md"
	sideExt   = ".json"
)

// Path returns the repository path of the sidecar of a page:
// "openwiki/.claims/a/b.json" for "/openwiki/a/b.md".
func (s *Store) Path(page wiki.PagePath) string {
	rel := strings.TrimPrefix(page.RepoPath(), string(s.wiki.Dir())+"/")
	return s.wiki.Path(path.Join(claimsDir, strings.TrimSuffix(rel, pageExt)+sideExt))
}

// Load reads the sidecar of a page. One that is not there is fs.ErrNotExist, one
// that is not valid a *FileError, one behind a symbolic link a *SecurityError.
func (s *Store) Load(page wiki.PagePath) (*PageClaims, error) {
	name := s.Path(page)
	data, err := s.wiki.Files().Read(name)
	if err != nil {
		if isGone(err) {
			return nil, fmt.Errorf("read claims of %s: %w", page, fs.ErrNotExist)
		}
		return nil, fileFailure(page, "read", name, err)
	}
	return decode(name, data)
}

// Save writes the sidecar of a page, unless it already holds the same bytes.
func (s *Store) Save(page wiki.PagePath, p PageClaims) error {
	data, err := encode(p)
	if err != nil {
		return &PersistError{Page: page, Op: "write", Err: err}
	}
	name := s.Path(page)
	if _, err := s.wiki.Files().WriteIfChanged(name, data); err != nil {
		return fileFailure(page, "write", name, err)
	}
	return nil
}

// Delete removes the sidecar of a page and the directories that it leaves empty.
// An absent one is fine.
func (s *Store) Delete(page wiki.PagePath) error {
	name := s.Path(page)
	err := s.wiki.Files().Remove(name)
	if err == nil {
		err = s.wiki.Files().RemoveEmptyParents(name, string(s.wiki.Dir()))
	}
	if err != nil {
		return fileFailure(page, "remove", name, err)
	}
	return nil
}

// Pages returns the pages that have a sidecar, in collation order, whether the
// page exists or not. Other files are skipped; a symbolic link is a
// *SecurityError, because it could make one page's Claims count for another.
func (s *Store) Pages() ([]wiki.PagePath, error) {
	root := s.wiki.Path(claimsDir)
	if err := s.wiki.Files().CheckReal(root); err != nil && !isGone(err) {
		return nil, fileFailure(wiki.PagePath(root), "read", root, err)
	}
	var pages []wiki.PagePath
	err := fs.WalkDir(s.wiki.Files().Root().FS(), root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && isGone(err):
			return nil
		case err != nil:
			return err
		case entry.Type()&fs.ModeSymlink != 0:
			return &SecurityError{Path: name, Err: errors.New("it is a symbolic link")}
		case entry.Type().IsRegular():
			if page, ok := s.page(strings.TrimPrefix(name, root+"/")); ok {
				pages = append(pages, page)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list claims: %w", err)
	}
	wiki.SortCollated(pages)
	return slices.Clip(pages), nil
}

// page returns the page of a sidecar, by its name below the sidecar directory.
func (s *Store) page(rel string) (wiki.PagePath, bool) {
	stem, ok := strings.CutSuffix(rel, sideExt)
	if !ok || strings.HasPrefix(path.Base(rel), ".") {
		return "", false
	}
	want := wiki.PagePath("/" + s.wiki.Path(stem+pageExt))
	page, err := s.wiki.Dir().ParsePage(string(want))
	return page, err == nil && page == want
}

// isGone recognises the errors of a path that is not there, also because a file
// stands where a directory should.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
