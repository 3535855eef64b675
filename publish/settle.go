package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// decide brings together what was observed and asks [Decide].
func (j *job) decide(ctx context.Context) (Decision, error) {
	if err := j.keepOut(ctx); err != nil {
		return Decision{}, err
	}
	o, err := j.observed(ctx)
	if err != nil {
		return Decision{}, err
	}
	d := Decide(o, j.Policy)
	if d.DropSilenced {
		if err := j.dropSilenced(ctx, o.Closed, j.silencedPairs(o.Closed, j.changedPages())); err != nil {
			return Decision{}, err
		}
		if len(j.changes) == 0 {
			return Decision{Operation: OpSnoozed, Number: d.Supersedes, Reason: "all pages with other inputs were left out"}, nil
		}
		j.measureBranch(&o)
		again := Decide(o, j.Policy)
		again.DropSilenced = true
		return again, nil
	}
	return d, nil
}

func (j *job) observed(ctx context.Context) (Observed, error) {
	o := Observed{
		Checkpoint: j.mode == modeCheckpoint, State: j.bundle.State, BaseExists: j.base != "",
		Diff: len(j.changes) > 0, BaseMoved: j.moved, Branch: j.tip, Pull: j.pull,
	}
	if j.base == "" {
		return o, nil
	}
	o.Queued = j.queued()
	after := j.tipTree.with(j.changes)
	for name := range j.tipTree {
		if page := pageOf(j.bundle.WikiDir, name); page.RepoPath() == name {
			o.Pages++
			if after[name] == "" {
				o.Vanish++
			}
		}
	}
	o.NewWiki = o.Pages == 0
	if j.tip != "" {
		if err := j.observeBranch(ctx, &o); err != nil {
			return o, err
		}
	}
	if j.pull == nil && o.Diff {
		closed, err := j.closed(ctx, j.scene)
		if err != nil {
			return o, err
		}
		o.Closed = closed
		o.Silenced, o.Fresh = j.silenced(closed)
	}
	return o, nil
}

// observeBranch tells whose the branch is and what it holds.
func (j *job) observeBranch(ctx context.Context, o *Observed) error {
	o.Foreign, o.Unlisted = j.foreign(), j.unknown
	if len(o.Foreign) > 0 && j.pull != nil {
		if err := j.readForeignComment(ctx); err != nil {
			return err
		}
		if j.Policy.OnForeignCommits == ForeignAppend && !j.pull.Discard && !j.unknown {
			if err := j.mergeInto(ctx, o.Foreign); err != nil {
				return err
			}
		}
	}
	if j.mergeBase != "" && j.mergeBase != j.base && len(j.changes) > 0 {
		outdated, err := j.outdated(ctx)
		if err != nil {
			return err
		}
		o.Outdated = outdated
	}
	j.measureBranch(o)
	return nil
}

// measureBranch tells whether the branch holds what is wanted.
func (j *job) measureBranch(o *Observed) {
	switch {
	case j.tip == "":
	case len(o.Foreign) > 0 && j.Policy.OnForeignCommits == ForeignAppend && !o.Unlisted && j.pull != nil && !j.pull.Discard:
		o.Same = len(j.append) == 0
	default:
		o.Same = j.branchT.same(j.bundle.WikiDir, j.tipTree.with(j.changes))
	}
}

// outdated tells whether the base changed, since the branch left it, what the branch changes: the pull request would not merge.
func (j *job) outdated(ctx context.Context) (bool, error) {
	if err := j.Repo.FetchObjects(ctx, j.Remote, j.mergeBase); err != nil {
		return false, fmt.Errorf("get the commit that the branch was built on: %w", err)
	}
	old, _, err := j.treeAt(ctx, j.mergeBase, j.bundle.WikiDir)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(j.changes, func(c Change) bool { return old[c.Path] != j.tipTree[c.Path] }), nil
}

// mergeInto finds what to add on top of commits of others: everything but the files of pages that they touched.
func (j *job) mergeInto(ctx context.Context, others []BranchCommit) error {
	theirs := map[string]bool{}
	dir := j.bundle.WikiDir
	for _, c := range others {
		if len(c.Parents) == 0 {
			continue // the first commit of another history; what it holds is not in the way of a page
		}
		if err := j.Repo.FetchObjects(ctx, j.headRemote(), c.SHA, c.Parents[0]); err != nil {
			return fmt.Errorf("get commits of the branch: %w", err)
		}
		changed, err := j.Repo.Changed(ctx, c.Parents[0], c.SHA)
		if err != nil {
			return fmt.Errorf("look at commits of the branch: %w", err)
		}
		for _, name := range changed {
			theirs[name] = true
			if page := pageOf(dir, name); page != "" {
				theirs[page.RepoPath()], theirs[sidecarPath(dir, page)] = true, true
			}
		}
	}
	j.append = j.wanted.onTop(j.branchT, j.tipTree, j.changes, func(name string) bool { return theirs[name] })
	if !slices.ContainsFunc(j.append, func(c Change) bool { return !isRecord(dir, c.Path) }) {
		j.append = nil
	}
	return nil
}

// silencedPairs are the inputs that closed pull requests proposed. One whose box for making its pages anew is ticked keeps nobody quiet.
func (j *job) silencedPairs(closed []Pull, pages []wiki.PagePath) pairs {
	var all []pair
	for _, pull := range closed {
		if pull.ClosedByUs || pull.Controls.Regenerate {
			continue
		}
		all = append(all, pull.Marker.Pairs...)
		// Too many to list: then only the same whole is recognised.
		if mine := j.pairsOf(pages); len(pull.Marker.Pairs) == 0 && pull.Marker.InputFP == mine.digest() {
			all = append(all, mine...)
		}
	}
	return newPairs(all...)
}

func (j *job) silenced(closed []Pull) (silenced, fresh int) {
	pages := j.changedPages()
	known := j.silencedPairs(closed, pages)
	for _, one := range j.pairsOf(pages) {
		if known.has(one) {
			silenced++
		} else {
			fresh++
		}
	}
	return silenced, fresh
}

// keepOut leaves out of an open pull request the pages that were turned down before it was opened, unless it has them all the same.
func (j *job) keepOut(ctx context.Context) error {
	if j.pull == nil || !j.pull.Own || j.Policy.OnClosed != ClosedRemember || len(j.changes) == 0 || j.pagesAtBase() == 0 {
		return nil
	}
	var before []Pull
	for _, past := range j.past {
		if !past.Merged && past.Marker.Closed == "" && past.Number < j.pull.Number {
			before = append(before, past)
		}
	}
	if len(before) == 0 || len(j.pull.Marker.Pairs) == 0 {
		return nil
	}
	var known []pair
	for _, one := range j.silencedPairs(before, j.changedPages()) {
		if !j.pull.Marker.Pairs.has(one) {
			known = append(known, one)
		}
	}
	return j.dropSilenced(ctx, before, newPairs(known...))
}

// pagesAtBase counts the pages of the base.
func (j *job) pagesAtBase() int {
	n := 0
	for name := range j.tipTree {
		if pageOf(j.bundle.WikiDir, name).RepoPath() == name {
			n++
		}
	}
	return n
}

// dropSilenced leaves out the pages whose inputs are known from closed pull requests, newest first.
func (j *job) dropSilenced(ctx context.Context, closed []Pull, known pairs) error {
	var blocked []Blocked
	for _, page := range j.changedPages() {
		if known.has(j.pairsOf([]wiki.PagePath{page})[0]) {
			blocked = append(blocked, Blocked{
				Page: page, Path: page.RepoPath(), Kind: KindClosed,
				Message: fmt.Sprintf("a closed pull request (#%d) proposed the page from the same sources", closed[0].Number),
			})
		}
	}
	if len(blocked) == 0 {
		return nil
	}
	if err := j.leaveOut(ctx, blocked); err != nil {
		return err
	}
	j.compare()
	j.onlyRecords()
	return nil
}

// rejectedPairs are the inputs of the pages that reviewers rejected.
func (j *job) rejectedPairs() pairs {
	var list []pair
	for _, b := range j.out.Blocked {
		if b.Kind == KindRejected {
			list = append(list, pairOf(b.Page, j.inputs[b.Page]))
		}
	}
	return newPairs(list...)
}

// treeDigest identifies the wiki that is proposed.
func (j *job) treeDigest() string {
	var all strings.Builder
	after := j.tipTree.with(j.changes)
	for _, name := range paths(after) {
		if !isRecord(j.bundle.WikiDir, name) {
			fmt.Fprintf(&all, "%s %s\n", after[name], name)
		}
	}
	return textHash(all.String())
}
