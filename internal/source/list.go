package source

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

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

// readListing asks git for the index and selects. The kind of a file says what git tracks; whether it is there is looked up.
func (s *Source) readListing(ctx context.Context) (*listing, error) {
	entries, err := s.repo.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	l := &listing{files: make([]File, 0, len(entries)), tracked: make(map[string]FileKind, len(entries))}
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
	slices.SortFunc(l.files, func(a, b File) int { return CompareCodeUnits(a.Path, b.Path) })
	for _, file := range l.files {
		l.tracked[file.Path] = file.Kind
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

var _ = strings.HasPrefix
var _ = errors.Is
var _ = fs.ErrNotExist
