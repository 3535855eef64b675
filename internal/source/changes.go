package source

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// Clean returns HEAD and the selected tracked paths that differ from it, by their code units. No path means that the work tree holds
// the source of the commit head. The block that the set-up of a wiki keeps in AGENTS.md and CLAUDE.md, and its workflow file, are not
// looked at here and in the lists of changes.
func (s *Source) Clean(ctx context.Context) (head gitrepo.Head, dirty []string, err error) {
	status, err := s.repo.Status(ctx, false)
	if err != nil {
		return gitrepo.Head{}, nil, err
	}
	for _, entry := range s.selectedEntries(status) {
		dirty = append(dirty, entry.Path)
	}
	if !status.Head.Unborn() {
		if dirty, err = s.dropManaged(ctx, status.Head.Commit, dirty); err != nil {
			return gitrepo.Head{}, nil, err
		}
	}
	return status.Head, sortedUnique(dirty), nil
}

// selectedEntries returns the entries of a status whose paths are source.
func (s *Source) selectedEntries(status gitrepo.Status) []gitrepo.StatusEntry {
	var entries []gitrepo.StatusEntry
	for _, entry := range status.Entries {
		if entry.Code != "??" && s.Selected(entry.Path, entry.Submodule) {
			entries = append(entries, entry)
		}
	}
	return entries
}

// ChangedSince returns the selected paths that differ between the commit base and HEAD, or between HEAD and the work tree, by their
// code units. An empty base asks for the work tree alone. In a shallow clone a missing base is fetched once; one that stays unknown is
// a [gitrepo.ErrUnknownCommit].
func (s *Source) ChangedSince(ctx context.Context, base string) ([]string, error) {
	var dirty, commits []string
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		_, dirty, err = s.Clean(groupCtx)
		return err
	})
	if base != "" {
		group.Go(func() (err error) {
			commits, err = s.CommittedSince(groupCtx, base)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return sortedUnique(append(commits, dirty...)), nil
}

// CommittedSince is [Source.ChangedSince] without the work tree.
func (s *Source) CommittedSince(ctx context.Context, base string) ([]string, error) {
	changes, err := s.repo.Changes(ctx, base, "HEAD")
	if errors.Is(err, gitrepo.ErrUnknownCommit) && s.repo.Shallow {
		if fetchErr := s.repo.FetchCommit(ctx, base); fetchErr != nil {
			return nil, errors.Join(err, fetchErr)
		}
		changes, err = s.repo.Changes(ctx, base, "HEAD")
	}
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, change := range changes {
		if s.Selected(change.Path, change.Gitlink) {
			paths = append(paths, change.Path)
		}
	}
	paths, err = s.dropManaged(ctx, base, paths)
	if err != nil {
		return nil, err
	}
	return sortedUnique(paths), nil
}

func sortedUnique(paths []string) []string {
	slices.SortFunc(paths, CompareCodeUnits)
	return slices.Compact(paths)
}
