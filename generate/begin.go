package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/language"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// defaultLanguage is that of a wiki that names none.
const defaultLanguage = "en"

// Begin starts a run, or resumes the one that was interrupted. For an update
// that has nothing to do it returns an Outcome and no Run. The caller closes
// the Run.
func Begin(ctx context.Context, opt Options) (_ *Run, _ *Outcome, err error) {
	r, err := open(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(stateError(r.op(), err), r.Close())
		}
	}()
	var proof *noopProof
	if opt.Mode == ModeUpdate && !opt.Force {
		if proof, err = r.proveNoop(ctx); err != nil {
			return nil, nil, err
		}
		if proof.proven() {
			return nil, r.noopOutcome(proof), r.Close()
		}
		r.log.Debug("update has work to do", "reason", proof.reason)
	}
	if r.lock, err = takeLock(opt.Repo.GitDir, r.op()); err != nil {
		return nil, nil, err
	}
	if err := r.removeTempFiles(); err != nil {
		return nil, nil, err
	}
	restored, err := r.recoverReplacement()
	if err != nil {
		return nil, nil, err
	}
	if restored && proof != nil {
		// What was proven before was of a wiki with pieces missing.
		if proof, err = r.proveNoop(ctx); err != nil {
			return nil, nil, err
		}
		if proof.proven() {
			return nil, r.noopOutcome(proof), r.Close()
		}
	}
	state, err := readState(r.wiki)
	if err != nil {
		return nil, nil, err
	}
	if state != nil {
		if err := r.checkOwner(state); err != nil {
			return nil, nil, err
		}
		if err := r.needAuthor(ctx); err != nil {
			return nil, nil, err
		}
		return r, nil, r.resume(ctx, state)
	}
	noop, err := r.beginFresh(ctx, proof)
	if err != nil {
		return nil, nil, err
	}
	if noop != nil {
		return nil, noop, r.Close()
	}
	return r, nil, nil
}

// stateError gives errors about files that are not what they must be their
// class and hint.
func stateError(op string, err error) error {
	var known *Error
	if errors.As(err, &known) || CodeOf(err) != "" {
		return err
	}
	var file *FileError
	if errors.As(err, &file) {
		return &Error{Code: CodeInvalidState, Op: op, Err: err, Hint: file.Hint}
	}
	var sidecar *claims.FileError
	if errors.As(err, &sidecar) {
		return &Error{Code: CodeInvalidState, Op: op, Err: err, Hint: sidecar.Hint}
	}
	if hint := hintOf(err); hint != "" {
		return &Error{Code: CodeInvalidState, Op: op, Err: err, Hint: hint}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// beginFresh makes a new run durable, or finds that there is nothing to do.
func (r *Run) beginFresh(ctx context.Context, proof *noopProof) (*Outcome, error) {
	if err := r.checkOwn(); err != nil {
		return nil, err
	}
	last, err := readLastUpdate(r.wiki)
	if err != nil {
		return nil, err
	}
	goal, err := r.readGoal()
	if err != nil {
		return nil, err
	}
	if r.opt.Mode == ModeUpdate {
		return r.prepare(ctx, last, goal, proof)
	}
	if err := r.needAuthor(ctx); err != nil {
		return nil, err
	}
	if err = r.replaceWiki(ctx); err == nil {
		_, err = r.prepare(ctx, last, goal, nil)
	}
	if err != nil {
		return nil, r.rollBack(err)
	}
	return nil, r.commitReplacement()
}

// checkOwn refuses a directory that holds somebody's own documents.
func (r *Run) checkOwn() error {
	own, err := r.wiki.LooksOwn()
	if err != nil {
		return err
	}
	if !own {
		return &Error{Code: CodeInvalidInput, Op: r.op(),
			Err:  fmt.Errorf("%s holds files that no wiki run made", r.wiki.Dir()),
			Hint: "choose another directory with wikiDirectory in .openwiki.json, or move the files away"}
	}
	return nil
}

// readGoal returns the brief of the wiki's owner.
func (r *Run) readGoal() (string, error) {
	data, err := r.opt.Files.Read(r.wiki.Path(goalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the brief of the wiki: %w", err)
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD")), nil
}

// prepare looks at wiki and source and writes the state of the new run. A
// proof in doubt is settled here.
func (r *Run) prepare(ctx context.Context, last *LastUpdate, goal string, proof *noopProof) (*Outcome, error) {
	state := &State{SchemaVersion: 1, Mode: r.opt.Mode, Phase: PhasePlanning, PreviousLastUpdate: last, WikiGoal: goal}
	if last != nil {
		state.BaseGitHead = last.GitHead
	}
	pages, err := r.wiki.Pages()
	if err != nil {
		return nil, err
	}
	if err := r.openSession(ctx, state.BaseGitHead, r.opt.Mode == ModeInit); err != nil {
		return nil, err
	}
	if proof != nil && proof.reason == "" && proof.doubt && len(r.session.Issues()) == 0 && len(r.session.Moved()) == 0 {
		return r.noopOutcome(proof), nil
	}
	if err := r.needAuthor(ctx); err != nil {
		return nil, err
	}
	if err := r.dropOriginals(); err != nil {
		return nil, err
	}
	if r.snapshot, err = r.src.Snapshot(ctx); err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	if r.snapshot.Untracked > 0 {
		r.log.Info("files that git does not track are not source", "files", r.snapshot.Untracked)
	}
	if r.manifest, err = readManifest(r.wiki); err != nil {
		return nil, err
	}
	if state.BeforeContent, err = r.wiki.ContentSnapshot(); err != nil {
		return nil, err
	}
	r.fillState(state, pages)
	state.RunID = runID(state.Mode, state.SourceFingerprint, state.Language, r.manifest.Encode(), r.contentKey(state.BeforeContent))
	if err := r.lookAtPages(ctx, state, pages, true); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := r.saveState(state); err != nil {
		return nil, err
	}
	return nil, r.markInterrupted()
}

// contentKey is the content snapshot for the id of the run. An empty
// directory, which is all that an interrupted begin may have made, counts as
// none.
func (r *Run) contentKey(snapshot string) string {
	entries, err := fs.ReadDir(r.opt.Files.Root().FS(), string(r.wiki.Dir()))
	if err != nil || len(entries) == 0 {
		return ""
	}
	return snapshot
}

// fillState sets what follows from the options and from what was read.
func (r *Run) fillState(s *State, pages []wiki.PagePath) {
	s.StartedAt = timestamp(r.opt.Now())
	s.Language, s.LanguageChanged = r.runLanguage(s.PreviousLastUpdate)
	s.InitialPages = append([]wiki.PagePath{}, pages...)
	s.RequiredRewritePages = []wiki.PagePath{}
	if s.Mode == ModeUpdate && s.LanguageChanged {
		s.RequiredRewritePages = append(s.RequiredRewritePages, pages...)
	}
	s.SourceFingerprint, s.TargetGitHead = r.snapshot.Fingerprint, r.snapshot.GitHead
	s.PlanningContext = strings.TrimSpace(r.opt.PlanningContext)
	s.Actor = stateActor{Producer: r.opt.Actor.Producer, Model: r.opt.Actor.Model}
}

// runLanguage is the language asked for, else that of the last update.
func (r *Run) runLanguage(last *LastUpdate) (tag string, changed bool) {
	var before string
	if last != nil {
		before = last.Language
	}
	switch {
	case r.language != "":
		return r.language, language.Primary(r.language) != language.Primary(before)
	case before != "":
		return before, false
	}
	return defaultLanguage, false
}

// openSession loads the Claims and compares them with the source. fresh means
// that the wiki was emptied and there are none.
func (r *Run) openSession(ctx context.Context, base string, fresh bool) error {
	r.resolver.Reset()
	if base != "" && !fresh {
		renames, err := r.opt.Repo.Renames(ctx, base)
		switch {
		case err == nil:
			r.resolver.Renames(renames)
		case errors.Is(err, gitrepo.ErrUnknownCommit):
			// Without its commit nothing says what was renamed since; Claims
			// about such files are unresolved.
		default:
			return err
		}
	}
	session, err := claims.Open(ctx, claims.Config{
		Wiki: r.wiki, Store: r.store, Resolver: r.resolver, Actor: r.opt.Actor.Producer, Concurrency: noopWorkers,
	}, fresh)
	if err != nil {
		return err
	}
	r.session = session
	return nil
}

// lookAtPages compares the pages with their records: who edited what, which
// coverage can be taken over, and, for a new run, what every page is before
// it. Everything is computed in memory; it is written with the first page.
func (r *Run) lookAtPages(ctx context.Context, s *State, pages []wiki.PagePath, fresh bool) error {
	r.edited, r.unproven = map[wiki.PagePath]bool{}, map[wiki.PagePath]bool{}
	var seedable []wiki.PagePath
	proven := map[wiki.PagePath]bool{}
	for _, page := range pages {
		text, err := r.wiki.Read(page)
		if err != nil {
			return err
		}
		if fresh {
			s.Prepared.Provenance = append(s.Prepared.Provenance, provenanceOf(page, text))
		}
		side, err := r.loadSidecar(page)
		if err != nil {
			return err
		}
		var entry *ManifestEntry
		if e, ok := r.manifest.Get(page); ok {
			entry = &e
		}
		switch stateOfPage(text, entry, side) {
		case pageEdited:
			r.edited[page] = true
			r.manifest.Delete(page)
		case pageUnproven:
			r.unproven[page] = true
		case pageProven:
			proven[page] = true
			if entry == nil {
				seedable = append(seedable, page)
				r.seed(s, page, side.PageVersion)
			}
		}
	}
	if fresh {
		slices.SortFunc(s.Prepared.Provenance, func(a, b provenance) int { return comparePages(a.Page, b.Page) })
		if s.Prepared.Provenance == nil {
			s.Prepared.Provenance = []provenance{}
		}
	}
	r.initial, r.prepared = map[wiki.PagePath]bool{}, map[wiki.PagePath]provenance{}
	for _, page := range s.InitialPages {
		r.initial[page] = true
	}
	for _, p := range s.Prepared.Provenance {
		r.prepared[p.Page] = p
	}
	if len(r.edited) > 0 {
		r.note("%d pages were edited since they were recorded: %s", len(r.edited), joinPages(sortedPages(r.edited)))
	}
	if len(seedable) > 0 {
		r.log.Debug("coverage taken over from the last update", "pages", len(seedable))
	}
	if s.Mode == ModeUpdate {
		return r.cover(ctx, s, proven)
	}
	return nil
}

// seed takes the coverage of a page over from a complete last update.
func (r *Run) seed(s *State, page wiki.PagePath, version string) {
	last := s.PreviousLastUpdate
	if s.Mode == ModeUpdate && last != nil && last.GitHead != "" && last.Status == StatusComplete {
		r.manifest.Set(page, ManifestEntry{PageVersion: version, GitHead: last.GitHead})
	}
}

func provenanceOf(page wiki.PagePath, text []byte) provenance {
	doc := wiki.Parse(text)
	p := provenance{Page: page, BodyHash: doc.BodyHash()}
	if e, ok := doc.Generated(); ok {
		p.Generated = &e
	}
	return p
}

func sortedPages(set map[wiki.PagePath]bool) []wiki.PagePath {
	var pages []wiki.PagePath
	for page, in := range set {
		if in {
			pages = append(pages, page)
		}
	}
	slices.SortFunc(pages, comparePages)
	return pages
}

// markInterrupted records that a run is under way, on the baseline of the
// last complete one.
func (r *Run) markInterrupted() error {
	return writeLastUpdate(r.wiki, &LastUpdate{
		UpdatedAt: timestamp(r.opt.Now()), Command: r.state.Mode, GitHead: r.state.BaseGitHead,
		Model: r.state.Actor.Model, Status: StatusInterrupted, Language: r.state.Language,
	})
}
