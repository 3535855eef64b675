package claims

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Config is what a Session works with. All fields but Concurrency are required.
type Config struct {
	Wiki        *wiki.Wiki
	Store       *Store
	Resolver    *evidence.Resolver
	Actor       string // who verifies: the `by` of the stamps
	Concurrency int    // sidecars and cited files read at once; 0 means 4
}

const defaultConcurrency = 4

// Session holds the Claims of a wiki during one run.
type Session struct {
	cfg Config

	mu      sync.Mutex
	pages   map[wiki.PagePath]*pageState
	owners  map[string]wiki.PagePath // by claim id, over all pages
	orphans map[wiki.PagePath]bool   // sidecars without a page, to be removed
}

// pageState is what is known of one page. Session.mu guards all fields but work.
type pageState struct {
	work sync.Mutex // held while one operation on the page goes on; taken before Session.mu

	claims  []Claim          // as they are to be written
	issues  map[string]Issue // by claim id
	moves   []Move
	stored  *PageClaims // the sidecar as it is on disk, nil when there is none
	decided bool        // the author's decisions are not durable yet
	deleted bool        // the run removes the page
}

// represented reports whether there is anything to keep for the page.
func (st *pageState) represented() bool {
	return !st.deleted && (st.stored != nil || st.decided)
}

// Open returns the session of a run. A fresh run begins without Claims and
// removes every sidecar it finds; another loads them all and compares their
// evidence with the source.
func Open(ctx context.Context, cfg Config, fresh bool) (*Session, error) {
	if cfg.Concurrency <= 0 {
		cfg.Concurrency = defaultConcurrency
	}
	s := &Session{
		cfg:     cfg,
		pages:   map[wiki.PagePath]*pageState{},
		owners:  map[string]wiki.PagePath{},
		orphans: map[wiki.PagePath]bool{},
	}
	pages, err := cfg.Store.Pages()
	if err != nil {
		return nil, err
	}
	var load []wiki.PagePath
	for _, page := range pages {
		switch there, err := s.isPage(page); {
		case err != nil:
			return nil, err
		case there && !fresh:
			load = append(load, page)
		default:
			s.orphans[page] = true
		}
	}
	sidecars, err := s.loadAll(ctx, load)
	if err != nil {
		return nil, err
	}
	for i, page := range load {
		if err := s.own(page, sidecars[i].Claims); err != nil {
			return nil, err
		}
	}
	states, err := s.preflight(ctx, load, sidecars)
	if err != nil {
		return nil, err
	}
	for i, page := range load {
		s.pages[page] = states[i]
	}
	return s, nil
}

// isPage reports whether the page is there as a regular file.
func (s *Session) isPage(page wiki.PagePath) (bool, error) {
	info, err := s.cfg.Wiki.Files().Root().Lstat(page.RepoPath())
	switch {
	case err == nil:
		return info.Mode().IsRegular(), nil
	case isGone(err):
		return false, nil
	}
	return false, &PersistError{Page: page, Op: "read", Err: err}
}

func (s *Session) loadAll(ctx context.Context, pages []wiki.PagePath) ([]*PageClaims, error) {
	sidecars := make([]*PageClaims, len(pages))
	errs := make([]error, len(pages))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.cfg.Concurrency)
	for i, page := range pages {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			sidecars[i], errs[i] = s.cfg.Store.Load(page)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	// Every unreadable sidecar is named at once, in the order of the pages.
	return sidecars, errors.Join(errs...)
}

// own records that the Claims belong to the page. An id that another page has
// too is an error of the page's sidecar.
func (s *Session) own(page wiki.PagePath, list []Claim) error {
	for _, c := range list {
		if other, taken := s.owners[c.ID]; taken && other != page {
			return &FileError{
				Path: s.cfg.Store.Path(page),
				Err:  fmt.Errorf("claim id %s is also in %s", c.ID, s.cfg.Store.Path(other)),
				Hint: restoreHint,
			}
		}
		s.owners[c.ID] = page
	}
	return nil
}

// disown forgets which Claims belong to the page.
func (s *Session) disown(page wiki.PagePath, list []Claim) {
	for _, c := range list {
		if s.owners[c.ID] == page {
			delete(s.owners, c.ID)
		}
	}
}

// state returns the state of a page, making it if need be, with its work lock
// held. The caller unlocks it.
func (s *Session) state(page wiki.PagePath) *pageState {
	s.mu.Lock()
	st := s.pages[page]
	if st == nil {
		st = &pageState{}
		s.pages[page] = st
	}
	s.mu.Unlock()
	st.work.Lock()
	return st
}

// Reload replaces what is known of a page by what is on disk, after the page and
// its sidecar were restored.
func (s *Session) Reload(ctx context.Context, page wiki.PagePath) error {
	st := s.state(page)
	defer st.work.Unlock()
	loaded := &pageState{}
	sidecar, err := s.onDisk(page)
	if err != nil {
		return err
	}
	if sidecar != nil {
		states, err := s.preflight(ctx, []wiki.PagePath{page}, []*PageClaims{sidecar})
		if err != nil {
			return err
		}
		loaded = states[0]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.disown(page, st.claims)
	if err := s.own(page, loaded.claims); err != nil {
		return errors.Join(err, s.own(page, st.claims))
	}
	st.claims, st.issues, st.moves = loaded.claims, loaded.issues, loaded.moves
	st.stored, st.decided, st.deleted = loaded.stored, false, false
	return nil
}

// onDisk returns the sidecar of a page that is there, nil when there is none. A
// sidecar that is only waiting to be removed counts as none.
func (s *Session) onDisk(page wiki.PagePath) (*PageClaims, error) {
	s.mu.Lock()
	orphan := s.orphans[page]
	s.mu.Unlock()
	there, err := s.isPage(page)
	if err != nil || !there || orphan {
		return nil, err
	}
	sidecar, err := s.cfg.Store.Load(page)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return sidecar, err
}

// Deleted says that the run removes the page. Its sidecar goes with the next
// [Session.Finalize] that covers it.
func (s *Session) Deleted(page wiki.PagePath) {
	st := s.state(page)
	defer st.work.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.disown(page, st.claims)
	st.claims, st.issues, st.moves, st.decided, st.deleted = nil, nil, nil, false, true
}

func (s *Session) parse(resource string) (evidence.Resource, error) {
	return evidence.Parse(resource, string(s.cfg.Wiki.Dir()))
}

// snapshot returns a copy of a state that does not change any more.
func (s *Session) snapshot(st *pageState) *pageState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &pageState{
		claims: cloneClaims(st.claims), moves: slices.Clone(st.moves), stored: st.stored,
		decided: st.decided, deleted: st.deleted, issues: maps.Clone(st.issues),
	}
}
