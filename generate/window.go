package generate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// cover advances the coverage of proven pages over commits that changed no
// source, and groups the pages of an update into windows by the commit they
// were last proven at. That git cannot compare a commit never counts as no
// change.
func (r *Run) cover(ctx context.Context, s *State, proven map[wiki.PagePath]bool) error {
	bases := map[string][]wiki.PagePath{}
	for _, page := range s.InitialPages {
		entry, _ := r.manifest.Get(page)
		bases[entry.GitHead] = append(bases[entry.GitHead], page)
	}
	changes := map[string]*baseChanges{}
	for _, base := range sortedKeys(bases) {
		c, err := r.changes(ctx, base)
		if err != nil {
			return err
		}
		changes[base] = c
		if base != "" && base != s.TargetGitHead && s.TargetGitHead != "" && !c.unknown && len(c.paths) == 0 {
			r.advance(s, bases[base], proven)
		}
	}
	r.windows = r.groupWindows(s, changes)
	return nil
}

type baseChanges struct {
	paths   []string
	unknown bool // the commit is not here
}

func (r *Run) changes(ctx context.Context, base string) (*baseChanges, error) {
	paths, err := r.src.ChangedSince(ctx, base)
	if errors.Is(err, gitrepo.ErrUnknownCommit) {
		r.note("commit %s is not in this clone: its pages are reviewed in full", base)
		paths, err = r.src.ChangedSince(ctx, "")
		return &baseChanges{paths: paths, unknown: true}, err
	}
	return &baseChanges{paths: paths}, err
}

// advance moves the coverage of the pages that are proven to the checkpoint
// of the run. Who completed them stays.
func (r *Run) advance(s *State, pages []wiki.PagePath, proven map[wiki.PagePath]bool) {
	for _, page := range pages {
		entry, ok := r.manifest.Get(page)
		if !ok || !proven[page] {
			continue
		}
		entry.GitHead, entry.SourceFingerprint = s.TargetGitHead, s.SourceFingerprint
		r.manifest.Set(page, entry)
	}
}

func (r *Run) groupWindows(s *State, changes map[string]*baseChanges) []Window {
	groups := map[string]*Window{}
	for _, page := range s.InitialPages {
		entry, _ := r.manifest.Get(page)
		w := groups[entry.GitHead]
		if w == nil {
			w = &Window{BaseGitHead: entry.GitHead, FullReview: entry.GitHead == ""}
			if c := changes[entry.GitHead]; c != nil {
				w.ChangedPaths, w.FullReview = c.paths, w.FullReview || c.unknown
			}
			groups[entry.GitHead] = w
		}
		w.Pages = append(w.Pages, page)
	}
	var windows []Window
	for _, base := range sortedKeys(groups) {
		slices.SortFunc(groups[base].Pages, comparePages)
		windows = append(windows, *groups[base])
	}
	return windows
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
