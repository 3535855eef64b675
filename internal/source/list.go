package source

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// A listing is the selected part of the index.
type listing struct {
	files   []File // by their code units, as git tracks them
	unnamed int    // tracked files whose names are not valid UTF-8

	looked     sync.Once
	inWorkTree []File // files, with those marked that are missing
	lookErr    error
}

// list returns the listing, reading it the first time.
func (s *Source) list(ctx context.Context) (*listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listing != nil {
		return s.listing, nil
	}
	l, err := s.readListing(ctx)
	if err != nil {
		return nil, err
	}
	s.listing = l
	return l, nil
}

// relist reads the listing anew.
func (s *Source) relist(ctx context.Context) (*listing, error) {
	l, err := s.readListing(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listing = l
	return l, nil
}

// readListing asks git for the index and selects.
func (s *Source) readListing(ctx context.Context) (*listing, error) {
	entries, err := s.repo.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	l := &listing{files: make([]File, 0, len(entries))}
	for _, entry := range entries {
		if !utf8.ValidString(entry.Path) {
			l.unnamed++
			continue
		}
		// A file in conflict has up to three entries.
		if n := len(l.files); n > 0 && l.files[n-1].Path == entry.Path {
			continue
		}
		if !s.Selected(entry.Path, entry.Mode == gitrepo.ModeGitlink) {
			continue
		}
		file := File{Path: entry.Path, Kind: kindOf(entry.Mode), Executable: entry.Mode == gitrepo.ModeExecutable, OID: entry.OID}
		l.files = append(l.files, file)
	}
	// Git sorts by bytes, which is nearly the same order.
	byCodeUnits := func(a, b File) int { return CompareCodeUnits(a.Path, b.Path) }
	if !slices.IsSortedFunc(l.files, byCodeUnits) {
		slices.SortFunc(l.files, byCodeUnits)
	}
	return l, nil
}

func kindOf(mode string) FileKind {
	switch mode {
	case gitrepo.ModeSymlink:
		return Symlink
	case gitrepo.ModeGitlink:
		return Gitlink
	}
	return Regular
}

// Untracked returns the untracked files, by their code units, that would be source if they were tracked. A nested repository appears as
// its directory. They are listed anew with every call.
func (s *Source) Untracked(ctx context.Context) ([]string, error) {
	all, err := s.repo.Untracked(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, path := range all {
		path, isDir := strings.CutSuffix(path, "/")
		if path != IgnoreFile && s.Selected(path, isDir) {
			paths = append(paths, path)
		}
	}
	return sortedUnique(paths), nil
}

// find returns the index of a path.
func (l *listing) find(path string) (int, bool) {
	return slices.BinarySearchFunc(l.files, path, func(file File, path string) int { return CompareCodeUnits(file.Path, path) })
}

func (l *listing) has(path string) bool {
	_, ok := l.find(path)
	return ok
}

// look returns the files with those marked that are not in the work tree.
func (l *listing) look(r reader) ([]File, error) {
	l.looked.Do(func() {
		l.inWorkTree = slices.Clone(l.files)
		for i := range l.inWorkTree {
			at, err := r.lstat(l.inWorkTree[i].Path)
			if err != nil {
				l.lookErr = err
				return
			}
			if at == (stamp{}) {
				l.inWorkTree[i].Kind = Missing
			}
		}
	})
	return l.inWorkTree, l.lookErr
}
