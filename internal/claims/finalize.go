package claims

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// FinalizeOptions says what to make durable.
type FinalizeOptions struct {
	At        string                        // time of the verification event
	Only      []wiki.PagePath               // nil means every page of the wiki
	Exclude   map[wiki.PagePath]bool        // pages to leave alone
	KeepEvent func(page wiki.PagePath) bool // whether the page keeps its earlier event; nil means never
	Text      map[wiki.PagePath][]byte      // what pages are to be instead of what is on disk
}

// Finalize makes the decisions on pages durable: it writes their sidecars and
// stamps the pages as verified. A page without Claims, or with open issues,
// loses the stamps that are ours. Over the whole wiki it also removes the
// sidecars of pages that are gone.
//
// The sidecar is written first and describes the page as it will be with its
// stamp. A page that cannot be finished does not keep others from it; all errors
// are returned together, and Finalize can be called again. A *SecurityError ends
// it at once.
func (s *Session) Finalize(ctx context.Context, opt FinalizeOptions) error {
	pages := opt.Only
	if pages == nil {
		all, err := s.everyPage()
		if err != nil {
			return err
		}
		pages = all
	}
	var errs []error
	for _, page := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if opt.Exclude[page] {
			continue
		}
		err := s.finalizePage(ctx, page, opt)
		var security *SecurityError
		if errors.As(err, &security) || err != nil && ctx.Err() != nil {
			return err
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// everyPage returns the pages on disk and those the session knows of.
func (s *Session) everyPage() ([]wiki.PagePath, error) {
	pages, err := s.cfg.Wiki.Pages()
	if err != nil {
		return nil, fmt.Errorf("finalize claims: %w", err)
	}
	s.mu.Lock()
	for page, st := range s.pages {
		if st.stored != nil || st.decided {
			pages = append(pages, page)
		}
	}
	for page := range s.orphans {
		pages = append(pages, page)
	}
	s.mu.Unlock()
	wiki.SortCollated(pages)
	return slices.Compact(pages), nil
}

func (s *Session) finalizePage(ctx context.Context, page wiki.PagePath, opt FinalizeOptions) error {
	st := s.state(page)
	defer st.work.Unlock()
	now := s.snapshot(st)
	onDisk, err := s.readPage(page)
	if err != nil {
		return err
	}
	text := onDisk
	if given, ok := opt.Text[page]; ok && onDisk != nil {
		text = given
	}
	if text == nil && now.decided {
		return &PageMissingError{Page: page}
	}
	if text == nil || !now.represented() {
		if err := s.removeSidecar(page, st); err != nil || text == nil {
			return err
		}
		return s.writePage(page, onDisk, project(text, nil))
	}
	if now.decided {
		if now.claims, err = s.verify(ctx, page, st, now.claims); err != nil {
			return err
		}
	}
	sidecar, event := s.next(page, now, opt)
	stampedText := project(text, event)
	sidecar.PageVersion = wiki.PageVersion(stampedText)
	if err := s.cfg.Store.Save(page, sidecar); err != nil {
		return err
	}
	if err := s.writePage(page, onDisk, stampedText); err != nil {
		return err
	}
	s.wrote(page, st, sidecar)
	return nil
}

// next returns the sidecar to write, without the version of the page, and the
// event the page is to be stamped with.
func (s *Session) next(page wiki.PagePath, now *pageState, opt FinalizeOptions) (PageClaims, *wiki.Event) {
	sidecar := PageClaims{SchemaVersion: schemaVersion, Claims: now.claims}
	if now.stored != nil {
		sidecar.Verification = now.stored.Verification
	}
	if now.decided && !(sidecar.Verification != nil && opt.KeepEvent != nil && opt.KeepEvent(page)) {
		sidecar.Verification = &wiki.Event{By: s.cfg.Actor, At: opt.At}
	}
	if now.decided && len(now.claims) == 0 {
		sidecar.Verification = nil
	}
	if len(now.claims) == 0 || len(now.issues) > 0 {
		return sidecar, nil
	}
	return sidecar, sidecar.Verification
}

// verify checks that the source still is what was decided about, and returns the
// claims with evidence that moved meanwhile at its new place. A claim whose
// evidence changed becomes an issue again.
func (s *Session) verify(ctx context.Context, page wiki.PagePath, st *pageState, list []Claim) ([]Claim, error) {
	var asked batch
	for _, c := range list {
		asked.claim(s, c)
	}
	if err := asked.resolve(ctx, s); err != nil {
		return nil, err
	}
	var problems []string
	var moves []Move
	settled := make([]Claim, len(list))
	for i, c := range list {
		seen := asked.next(c)
		if issue, open := seen.issue(page); open {
			s.note(st, issue)
			problems = append(problems, "the source changed meanwhile: "+needsDecision(issue))
		}
		var moved []Move
		settled[i], moved = seen.settle(page, false)
		moves = append(moves, moved...)
	}
	if len(problems) > 0 {
		return nil, &InputError{Page: page, Problems: problems}
	}
	if len(moves) > 0 {
		s.mu.Lock()
		st.claims, st.moves = cloneClaims(settled), append(st.moves, moves...)
		s.mu.Unlock()
	}
	return settled, nil
}

// wrote records that the sidecar and its page are durable. From now on the
// sidecar is not one that waits to be removed.
func (s *Session) wrote(page wiki.PagePath, st *pageState, sidecar PageClaims) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sidecar.Claims = cloneClaims(sidecar.Claims)
	st.stored, st.decided = &sidecar, false
	delete(s.orphans, page)
}

// removeSidecar removes the sidecar of a page that is gone, or that never had
// Claims in this run.
func (s *Session) removeSidecar(page wiki.PagePath, st *pageState) error {
	s.mu.Lock()
	known := st.stored != nil || s.orphans[page]
	s.mu.Unlock()
	if known {
		if err := s.cfg.Store.Delete(page); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.disown(page, st.claims)
	delete(s.orphans, page)
	st.claims, st.issues, st.moves, st.stored = nil, nil, nil, nil
	return nil
}

// readPage returns the bytes of a page, nil when it is not there.
func (s *Session) readPage(page wiki.PagePath) ([]byte, error) {
	text, err := s.cfg.Wiki.Read(page)
	switch {
	case err == nil && text == nil:
		return []byte{}, nil
	case err == nil:
		return text, nil
	case isGone(err):
		return nil, nil
	}
	return nil, fileFailure(page, "read", page.RepoPath(), err)
}

func (s *Session) writePage(page wiki.PagePath, before, after []byte) error {
	if string(before) == string(after) {
		return nil
	}
	if err := s.cfg.Wiki.Write(page, after); err != nil {
		return fileFailure(page, "write", page.RepoPath(), err)
	}
	return nil
}
