package source

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// A Snapshot is the state of the source at one time.
type Snapshot struct {
	Fingerprint string // "sha256:" and 64 hexadecimal digits
	GitHead     string // commit of HEAD; empty before the first commit
	Files       int    // files that count
	Untracked   int    // untracked files that would be source if they were tracked
	Unnamed     int    // tracked files left out because their names are not valid UTF-8

	head    gitrepo.Head
	entries []gitrepo.StatusEntry
	files   []selected
	stamps  []stamp
	started time.Time
}

// Snapshot reads every source file and returns the fingerprint of all of them together with HEAD and what git calls changed. A file
// that changes meanwhile is an [ErrChanging]. Where there are no untracked files the fingerprint is that of OpenWiki.
func (s *Source) Snapshot(ctx context.Context) (*Snapshot, error) {
	snapshot := &Snapshot{started: time.Now()}
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error {
		status, err := s.repo.Status(groupCtx, false)
		snapshot.head, snapshot.entries = status.Head, s.selectedEntries(status)
		return err
	})
	group.Go(func() error {
		paths, err := s.Untracked(groupCtx)
		snapshot.Untracked = len(paths)
		return err
	})
	group.Go(func() error {
		l, err := s.relist(groupCtx)
		if err != nil {
			return err
		}
		snapshot.files, err = s.selection(l)
		snapshot.Files, snapshot.Unnamed = len(snapshot.files), l.unnamed
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("take source snapshot: %w", err)
	}
	snapshot.GitHead = snapshot.head.Commit
	var err error
	snapshot.Fingerprint, snapshot.stamps, err = s.fingerprint(ctx, selection{
		head:    headValue(snapshot.head),
		entries: snapshot.entries,
		files:   snapshot.files,
	})
	if err != nil {
		return nil, fmt.Errorf("take source snapshot: %w", err)
	}
	return snapshot, nil
}

// selection returns what is read: the listed files, and the ignore rules even if git does not track them.
func (s *Source) selection(l *listing) ([]selected, error) {
	files := make([]selected, len(l.files), len(l.files)+1)
	for i, file := range l.files {
		files[i] = selected{path: file.Path, tracked: true}
	}
	at, listed := l.find(IgnoreFile)
	if listed {
		return files, nil
	}
	r := s.reader()
	defer r.close()
	there, err := r.lstat(IgnoreFile)
	if err != nil || there == (stamp{}) {
		return files, err
	}
	return slices.Insert(files, at, selected{path: IgnoreFile}), nil
}

// Same tells whether the source still is what the snapshot was taken of. It asks git for HEAD and status and the file system for the
// size and times of every file; only if these differ, or are too recent to tell, it reads the files again, and remembers the times that
// it then found. One goroutine at a time compares a snapshot.
func (s *Source) Same(ctx context.Context, snapshot *Snapshot) (bool, error) {
	status, err := s.repo.Status(ctx, false)
	if err != nil {
		return false, fmt.Errorf("compare source: %w", err)
	}
	if headValue(status.Head) != headValue(snapshot.head) || !slices.Equal(s.selectedEntries(status), snapshot.entries) {
		return false, nil
	}
	untouched, err := s.untouched(snapshot)
	if err != nil {
		return false, fmt.Errorf("compare source: %w", err)
	}
	if untouched {
		return true, nil
	}
	now, err := s.Snapshot(ctx)
	if err != nil {
		return false, err
	}
	if now.Fingerprint != snapshot.Fingerprint {
		return false, nil
	}
	snapshot.files, snapshot.stamps, snapshot.started = now.files, now.stamps, now.started
	return true, nil
}

// untouched tells whether the file system proves that no file was written since the snapshot.
func (s *Source) untouched(snapshot *Snapshot) (bool, error) {
	r := s.reader()
	defer r.close()
	listed := false
	for i, file := range snapshot.files {
		listed = listed || file.path == IgnoreFile
		now, err := r.lstat(file.path)
		if err != nil {
			return false, err
		}
		if now != snapshot.stamps[i] || now.young(snapshot.started) {
			return false, nil
		}
	}
	if listed {
		return true, nil
	}
	// Ignore rules count even if git does not track them, so they may have come since.
	rules, err := r.lstat(IgnoreFile)
	return rules == (stamp{}), err
}
