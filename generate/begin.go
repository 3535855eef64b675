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
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// defaultLanguage is that of a wiki that names none.
const defaultLanguage = "en"

// Begin starts a run, or resumes the one that was interrupted. For an update
// that has nothing to do it returns an Outcome and no Run. The caller closes
// the Run.
func Begin(ctx context.Context, opt Options) (*Run, *Outcome, error) {
	r, err := open(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	noop, err := r.begin(ctx)
	if err != nil {
		return nil, nil, errors.Join(stateError(r.op(), err), r.Close())
	}
	if noop != nil {
		return nil, noop, r.Close()
	}
	return r, nil, nil
}

func (r *Run) begin(ctx context.Context) (noop *Outcome, err error) {
	proof, err := r.tryNoop(ctx)
	if err != nil || proof.proven() {
		return r.noopOutcome(proof), err
	}
	r.log.Debug("there is work to do", "reason", proof.reason)
	if r.lock, err = takeLock(r.opt.Repo.GitDir, r.op()); err != nil {
		return nil, err
	}
	restored, err := r.recoverReplacement()
	if err != nil {
		return nil, err
	}
	if restored {
		// What was proven before was of a wiki with pieces missing.
		if proof, err = r.tryNoop(ctx); err != nil || proof.proven() {
			return r.noopOutcome(proof), err
		}
	}
	state, err := readState(r.wiki)
	if err != nil {
		return nil, err
	}
	if state == nil {
		return r.beginFresh(ctx, proof)
	}
	if err := r.checkOwner(state); err != nil {
		return nil, err
	}
	if err := r.needAuthor(ctx); err != nil {
		return nil, err
	}
	if err := r.checkSidecars(); err != nil {
		return nil, err
	}
	if err := r.removeTempFiles(); err != nil {
		return nil, err
	}
	return nil, r.resume(ctx, state)
}

// checkSidecars refuses sidecars that cannot be read before anything of an
// interrupted run is put back or recorded.
func (r *Run) checkSidecars() error {
	pages, err := r.store.Pages()
	if err != nil {
		return err
	}
	for _, page := range pages {
		if _, err := r.loadSidecar(page); err != nil {
			return err
		}
	}
	return nil
}

// tryNoop proves that there is nothing to do if the run may end with that.
func (r *Run) tryNoop(ctx context.Context) (*noopProof, error) {
	if r.opt.Mode != ModeUpdate || r.opt.Force {
		return &noopProof{reason: "a run was asked for"}, nil
	}
	return r.proveNoop(ctx)
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
	if err := r.needSource(ctx); err != nil {
		return nil, err
	}
	others, err := r.refuseIrrecoverable(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.needAuthor(ctx); err != nil {
		return nil, err
	}
	if err := r.removeTempFiles(); err != nil {
		return nil, err
	}
	if err = r.replaceWiki(ctx); err == nil {
		if others > 0 {
			r.note("init replaced what another author wrote (%d of the pages): git has it", others)
		}
		_, err = r.prepare(ctx, last, goal, proof)
	}
	if err != nil && (r.state != nil || r.hasReplaced()) {
		err = errors.Join(err, r.undo())
	}
	return nil, err
}

// needSource refuses to start a wiki of nothing.
func (r *Run) needSource(ctx context.Context) error {
	files, err := r.src.Files(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(files, func(f source.File) bool { return f.Path != source.IgnoreFile }) {
		return nil
	}
	return &Error{Code: CodeInvalidState, Op: r.op(), Err: errors.New("there is no source to describe: git tracks no file that is not ignored"),
		Hint: "add the source with git add, then run init again; .openwikiignore may exclude too much"}
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
	if proof.reason == "" && proof.doubt && len(r.session.Issues()) == 0 && len(r.session.Moved()) == 0 {
		return r.noopOutcome(proof), nil
	}
	if err := r.needAuthor(ctx); err != nil {
		return nil, err
	}
	if err := r.dropOriginals(); err != nil {
		return nil, err
	}
	if r.snapshot = proof.snapshot; r.snapshot == nil {
		if r.snapshot, err = r.takeSnapshot(ctx); err != nil {
			return nil, err
		}
	}
	if r.snapshot.Untracked > 0 {
		r.log.Info("files that git does not track are not source", "files", r.snapshot.Untracked)
	}
	if r.manifest, err = readManifest(r.wiki); err != nil {
		return nil, err
	}
	if err := r.removeTempFiles(); err != nil {
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
		// Renames are a hint. Without its commit, or in a clone that lacks
		// content, nothing says what was renamed since, and Claims about such
		// files may be unresolved.
		renames, err := r.opt.Repo.Renames(ctx, base, "")
		switch {
		case err == nil:
			r.resolver.Renames(renames)
		case ctx.Err() != nil:
			return err
		case !errors.Is(err, gitrepo.ErrUnknownCommit):
			r.log.Warn("git cannot tell what was renamed", "error", err)
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

// markInterrupted records that a run is under way, on the baseline of the
// last complete one.
func (r *Run) markInterrupted() error { return r.markInterruptedIn(r.state.Language) }

// markInterruptedIn records the language in which the wiki is.
func (r *Run) markInterruptedIn(tag string) error {
	return writeLastUpdate(r.wiki, &LastUpdate{
		UpdatedAt: timestamp(r.opt.Now()), Command: r.state.Mode, GitHead: r.state.BaseGitHead,
		Model: r.state.Actor.Model, Status: StatusInterrupted, Language: tag,
	})
}
