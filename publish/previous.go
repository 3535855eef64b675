package publish

import (
	"context"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Previous is what earlier runs left on GitHub, as far as a run should know before it starts.
type Previous struct {
	BaseSHA string // tip of the base branch; "" when it does not exist
	Branch  string
	HeadSHA string // tip of the branch; "" when there is none
	Number  int    // of the open pull request; 0 for none
	URL     string

	// Reusable says that all of the branch is ours and that the wiki of the base is still the one it was built on: pages that it holds
	// need not be made again where their inputs are the same. Files is then its whole wiki. Nobody who ticked the box for making all
	// pages anew is answered with old ones.
	Reusable bool
	Files    []File
	State    State // of the run that made the branch, as its commit says; "" when unknown
	Foreign  []BranchCommit

	Quiet      string    // why whatever the run makes would not be published: snoozed, stopped, in the merge queue; "" for no reason
	QuietAs    Operation // what publishing would say then: deferred or snoozed
	Regenerate bool      // a reviewer asks for all pages anew

	silenced pairs
	rejected pairs
}

// TurnedDown tells whether people did not want a page that is made from these inputs: the pull request with it was closed, or its box was
// ticked. Making it again would be for nothing.
func (p *Previous) TurnedDown(page wiki.PagePath, inputs string) bool {
	one := pairOf(page, inputs)
	return p.silenced.has(one) || p.rejected.has(one)
}

// Previous looks at branch and pull requests of a base branch. It writes nothing and needs two or three calls.
func (p *Publisher) Previous(ctx context.Context, base string, dir wiki.Dir) (*Previous, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	s, err := p.look(ctx, base)
	if err != nil {
		return nil, err
	}
	out := &Previous{BaseSHA: s.base, Branch: s.branch, HeadSHA: s.tip, Foreign: s.foreignOnBranch()}
	if s.base == "" {
		return out, nil
	}
	p.recall(s, out)
	if s.pull == nil && p.Policy.OnClosed == ClosedRemember {
		if err := p.recallClosed(ctx, s, out); err != nil {
			return nil, err
		}
	}
	if s.tip == "" {
		return out, nil
	}
	if n := len(s.commits); n > 0 {
		out.State = State(parseTrailers(s.commits[n-1].Message)[trailerState])
	}
	if len(out.Foreign) > 0 || out.Regenerate || s.mergeBase == "" {
		return out, nil
	}
	if err := p.reuse(ctx, s, dir, out); err != nil {
		return nil, fmt.Errorf("look at what the branch holds: %w", err)
	}
	return out, nil
}

// foreignOnBranch is foreign for a branch that may not exist.
func (s *scene) foreignOnBranch() []BranchCommit {
	if s.tip == "" {
		return nil
	}
	return s.foreign()
}

// recall reads the memory of the open pull request, and of rejected pages in all.
func (p *Publisher) recall(s *scene, out *Previous) {
	var rejected []pair
	for _, past := range s.past {
		rejected = append(rejected, past.Marker.Rejected...)
	}
	if pull := s.pull; pull != nil {
		out.Number, out.URL = pull.Number, pull.URL
		out.Regenerate = pull.Controls.Regenerate
		rejected = append(rejected, pull.Marker.Rejected...)
		switch {
		case s.queued():
			out.Quiet, out.QuietAs = "the pull request is in the merge queue", OpDeferred
		case pull.snoozed():
			out.Quiet, out.QuietAs = "the pull request has the label "+LabelSnoozed, OpSnoozed
		case pull.Controls.Stop:
			out.Quiet, out.QuietAs = "a reviewer stopped updates of the pull request", OpSnoozed
		}
	}
	out.rejected = newPairs(rejected...)
}

func (p *Publisher) recallClosed(ctx context.Context, s *scene, out *Previous) error {
	closed, err := p.closed(ctx, s)
	if err != nil {
		return err
	}
	var silenced []pair
	for _, pull := range closed {
		if pull.snoozed() {
			out.Quiet, out.QuietAs = fmt.Sprintf("the closed pull request #%d has the label %s", pull.Number, LabelSnoozed), OpSnoozed
		}
		out.Regenerate = out.Regenerate || pull.Controls.Regenerate && !pull.ClosedByUs
		if !pull.ClosedByUs && !pull.Controls.Regenerate {
			silenced = append(silenced, pull.Marker.Pairs...)
		}
	}
	out.silenced = newPairs(silenced...)
	return nil
}

// reuse reads the wiki of the branch if the base still has the wiki that the branch was built on.
func (p *Publisher) reuse(ctx context.Context, s *scene, dir wiki.Dir, out *Previous) error {
	if err := p.Repo.FetchObjects(ctx, p.headRemote(), s.tip); err != nil {
		return err
	}
	if err := p.Repo.FetchObjects(ctx, p.Remote, s.base, s.mergeBase); err != nil {
		return err
	}
	branch, _, err := p.treeAt(ctx, s.tip, dir)
	if err != nil {
		return err
	}
	built, _, err := p.treeAt(ctx, s.mergeBase, dir)
	if err != nil {
		return err
	}
	now, _, err := p.treeAt(ctx, s.base, dir)
	if err != nil {
		return err
	}
	var names, oids []string
	for _, name := range paths(branch, built, now) {
		if built[name] != now[name] {
			return nil
		}
		if branch[name] != "" && !isRunState(dir, name) && below(dir, name) {
			names, oids = append(names, name), append(oids, branch[name])
		}
	}
	contents, err := p.Repo.Blobs(ctx, oids)
	if err != nil {
		return err
	}
	for i, name := range names {
		out.Files = append(out.Files, File{Path: name, Data: contents[i]})
	}
	out.Reusable = true
	return nil
}
