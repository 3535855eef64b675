package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Reset drops the state of an interrupted run, also one that cannot be read,
// and reports whether there was one. Pages, Claims and manifest stay; the next
// run starts anew from them. An init that was interrupted before its plan was
// durable is undone: the wiki that it was replacing comes back.
func Reset(ctx context.Context, opt Options) (removed bool, err error) {
	const op = "reset"
	opt.op = op
	r, err := open(ctx, opt)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if r.lock, err = takeLock(opt.Repo.GitDir, op); err != nil {
		return false, err
	}
	path := r.wiki.Path(stateFile)
	_, err = opt.Files.Root().Lstat(path)
	switch {
	case err == nil:
		removed = true
		if err := r.undoHalfPages(); err != nil {
			return false, fmt.Errorf("%s: %w", op, err)
		}
		if err := opt.Files.Remove(path); err != nil {
			return false, fmt.Errorf("%s: remove run state: %w", op, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%s: %w", op, err)
	}
	restored, err := r.restoreReplaced()
	if err != nil {
		return removed, err
	}
	return removed || restored, r.dropOriginals()
}

// undoHalfPages puts back what the run left half done, if its state can be
// read at all.
func (r *Run) undoHalfPages() error {
	state, err := readState(r.wiki)
	if err != nil || state == nil {
		return nil
	}
	if r.manifest, err = readManifest(r.wiki); err != nil {
		return nil
	}
	r.adopt(state)
	return r.putBackUnfinished()
}
