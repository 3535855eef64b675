package publish

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// open is our open pull request 7.
func openPull() *Pull { return &Pull{Number: 7, Own: true, HeadSHA: "tip"} }

var stranger = []BranchCommit{{SHA: "c1", Author: Signature{Name: "Ada", Login: "ada", ID: 7}}}

// TestDecide goes through all combinations of diff, branch, pull request and commits that ask for an own decision.
func TestDecide(t *testing.T) {
	t.Parallel()
	complete := func(o Observed) Observed {
		o.BaseExists, o.State = true, StateComplete
		if o.Pages == 0 {
			o.Pages = 10
		}
		return o
	}
	policy := func(change func(*Policy)) Policy {
		p := DefaultPolicy()
		if change != nil {
			change(&p)
		}
		return p
	}
	byPerson := Pull{Number: 5, Own: true, HeadSHA: "old"}
	byUs := Pull{Number: 5, Own: true, HeadSHA: "old", ClosedByUs: true}
	tests := []struct {
		name     string
		observed Observed
		policy   Policy
		want     Decision // without Reason and Hint
	}{
		{"no diff, no branch", Observed{}, policy(nil), Decision{Operation: OpNone}},
		{"no diff, open pull request of ours", Observed{Branch: "tip", Pull: openPull()}, policy(nil),
			Decision{Operation: OpClosed, Pull: PullClose, Branch: BranchDelete, Number: 7, Comment: topicClosed}},
		{"no diff, open pull request, branch is kept", Observed{Branch: "tip", Pull: openPull()}, policy(func(p *Policy) { p.DeleteBranch = false }),
			Decision{Operation: OpClosed, Pull: PullClose, Number: 7, Comment: topicClosed}},
		{"no diff, open pull request, commits of others", Observed{Branch: "tip", Pull: openPull(), Foreign: stranger}, policy(nil),
			Decision{Operation: OpBlocked, Number: 7, Comment: topicForeign}},
		{"no diff, pull request of somebody else", Observed{Branch: "tip", Pull: &Pull{Number: 7}}, policy(nil), Decision{Operation: OpNone, Number: 7}},
		{"no diff, orphan branch", Observed{Branch: "tip"}, policy(nil), Decision{Operation: OpNone, Branch: BranchDelete}},
		{"no diff, orphan branch is kept", Observed{Branch: "tip"}, policy(func(p *Policy) { p.DeleteBranch = false }), Decision{Operation: OpNone}},
		{"no diff, orphan branch of others", Observed{Branch: "tip", Foreign: stranger}, policy(nil), Decision{Operation: OpNone}},
		{"no diff, incomplete run, open pull request", Observed{Branch: "tip", Pull: openPull(), State: StateFailed}, policy(nil),
			Decision{Operation: OpNone, Number: 7}},

		{"diff, nothing there", Observed{Diff: true}, policy(nil), Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen}},
		{"diff, own branch", Observed{Diff: true, Branch: "tip"}, policy(nil), Decision{Operation: OpCreated, Branch: BranchRebuild, Pull: PullOpen}},
		{"diff, own branch that holds it", Observed{Diff: true, Branch: "tip", Same: true}, policy(nil),
			Decision{Operation: OpCreated, Pull: PullOpen}},
		{"diff, branch of others", Observed{Diff: true, Branch: "tip", Foreign: stranger}, policy(nil), Decision{Operation: OpBlocked}},
		{"diff, branch of others, append", Observed{Diff: true, Branch: "tip", Foreign: stranger},
			policy(func(p *Policy) { p.OnForeignCommits = ForeignAppend }), Decision{Operation: OpBlocked}},
		{"diff, branch of others, overwrite", Observed{Diff: true, Branch: "tip", Foreign: stranger},
			policy(func(p *Policy) { p.OnForeignCommits = ForeignOverwrite }), Decision{Operation: OpCreated, Branch: BranchRebuild, Pull: PullOpen}},
		{"same diff, open", Observed{Diff: true, Branch: "tip", Same: true, Pull: openPull()}, policy(nil),
			Decision{Operation: OpNone, Pull: PullUpdate, Number: 7}},
		{"other diff, open", Observed{Diff: true, Branch: "tip", Pull: openPull()}, policy(nil),
			Decision{Operation: OpUpdated, Branch: BranchRebuild, Pull: PullUpdate, Number: 7}},
		{"same diff, open, base conflicts", Observed{Diff: true, Branch: "tip", Same: true, Outdated: true, Pull: openPull()}, policy(nil),
			Decision{Operation: OpUpdated, Branch: BranchRebuild, Pull: PullUpdate, Number: 7}},
		{"open, commits of others, stop", Observed{Diff: true, Branch: "tip", Pull: openPull(), Foreign: stranger}, policy(nil),
			Decision{Operation: OpBlocked, Number: 7, Comment: topicForeign}},
		{"open, commits of others, box ticked", Observed{Diff: true, Branch: "tip", Foreign: stranger,
			Pull: &Pull{Number: 7, Own: true, Discard: true}}, policy(nil),
			Decision{Operation: OpUpdated, Branch: BranchRebuild, Pull: PullUpdate, Number: 7}},
		{"open, commits of others, append", Observed{Diff: true, Branch: "tip", Pull: openPull(), Foreign: stranger},
			policy(func(p *Policy) { p.OnForeignCommits = ForeignAppend }),
			Decision{Operation: OpUpdated, Branch: BranchAppend, Pull: PullUpdate, Number: 7}},
		{"open, commits of others, overwrite", Observed{Diff: true, Branch: "tip", Pull: openPull(), Foreign: stranger},
			policy(func(p *Policy) { p.OnForeignCommits = ForeignOverwrite }),
			Decision{Operation: OpUpdated, Branch: BranchRebuild, Pull: PullUpdate, Number: 7}},
		{"in the merge queue", Observed{Diff: true, Branch: "tip", Pull: openPull(), Queued: true, Foreign: stranger}, policy(nil),
			Decision{Operation: OpDeferred, Number: 7}},
		{"base moved", Observed{Diff: true, BaseMoved: []string{"openwiki/a.md"}}, policy(nil), Decision{Operation: OpDeferred}},
		{"base is gone", Observed{Diff: true, Pages: -1}, policy(nil), Decision{Operation: OpRefused}},

		{"closed by a person, same inputs", Observed{Diff: true, Closed: []Pull{byPerson}, Silenced: 2}, policy(nil), Decision{Operation: OpSnoozed, Number: 5}},
		{"closed by a person, one page is new", Observed{Diff: true, Closed: []Pull{byPerson}, Silenced: 2, Fresh: 1}, policy(nil),
			Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen, Supersedes: 5, DropSilenced: true}},
		{"closed by a person, too few new pages", Observed{Diff: true, Closed: []Pull{byPerson}, Silenced: 2, Fresh: 2},
			policy(func(p *Policy) { p.MinNewPages = 3 }), Decision{Operation: OpSnoozed, Number: 5}},
		{"closed by a person, all new", Observed{Diff: true, Closed: []Pull{byPerson}, Fresh: 3}, policy(nil),
			Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen, Supersedes: 5}},
		{"first wiki closed, one page is new", Observed{Diff: true, NewWiki: true, Closed: []Pull{byPerson}, Silenced: 2, Fresh: 1}, policy(nil),
			Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen, Supersedes: 5}},
		{"closed by a person, recreate", Observed{Diff: true, Closed: []Pull{byPerson}, Silenced: 2},
			policy(func(p *Policy) { p.OnClosed = ClosedRecreate }),
			Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen, Supersedes: 5}},
		{"closed by us, head unchanged", Observed{Diff: true, Branch: "old", Closed: []Pull{byUs}}, policy(nil),
			Decision{Operation: OpCreated, Branch: BranchRebuild, Pull: PullReopen, Number: 5}},
		{"closed by us, head moved", Observed{Diff: true, Branch: "tip", Closed: []Pull{byUs}}, policy(nil),
			Decision{Operation: OpCreated, Branch: BranchRebuild, Pull: PullOpen}},
		{"closed by us, branch gone", Observed{Diff: true, Closed: []Pull{byUs}}, policy(nil),
			Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen}},
		{"closed and snoozed", Observed{Diff: true, Closed: []Pull{{Number: 5, Own: true, Labels: []string{LabelSnoozed}}}, Fresh: 9}, policy(nil),
			Decision{Operation: OpSnoozed, Number: 5}},
		{"open and snoozed", Observed{Diff: true, Branch: "tip", Pull: &Pull{Number: 7, Own: true, Labels: []string{LabelSnoozed}}}, policy(nil),
			Decision{Operation: OpSnoozed, Number: 7}},
		{"open and stopped", Observed{Diff: true, Branch: "tip", Pull: &Pull{Number: 7, Own: true, Controls: controls{Stop: true}}}, policy(nil),
			Decision{Operation: OpSnoozed, Number: 7}},

		{"mass deletion", Observed{Diff: true, Vanish: 6, Branch: "tip", Pull: openPull()}, policy(nil), Decision{Operation: OpRefused}},
		{"few of many vanish", Observed{Diff: true, Vanish: 5}, policy(nil), Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen}},
		{"two of three vanish", Observed{Diff: true, Vanish: 2, Pages: 3}, policy(nil), Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen}},
		{"the only page vanishes", Observed{Diff: true, Vanish: 1, Pages: 1}, policy(nil), Decision{Operation: OpRefused}},
		{"mass deletion allowed", Observed{Diff: true, Vanish: 10}, policy(func(p *Policy) { p.AllowMassDelete = true }),
			Decision{Operation: OpCreated, Branch: BranchCreate, Pull: PullOpen}},

		{"checkpoint, nothing there", Observed{Checkpoint: true, Diff: true, State: StateRunning}, policy(nil),
			Decision{Operation: OpBranchOnly, Branch: BranchCreate}},
		{"checkpoint, open", Observed{Checkpoint: true, Diff: true, State: StateRunning, Branch: "tip", Pull: openPull()}, policy(nil),
			Decision{Operation: OpBranchOnly, Branch: BranchRebuild, Number: 7}},
		{"checkpoint, same", Observed{Checkpoint: true, Diff: true, State: StateRunning, Branch: "tip", Same: true}, policy(nil), Decision{Operation: OpNone}},
		{"checkpoint, commits of others", Observed{Checkpoint: true, Diff: true, State: StateRunning, Branch: "tip", Pull: openPull(), Foreign: stranger}, policy(nil),
			Decision{Operation: OpBlocked, Number: 7}},
		{"checkpoint, no diff, orphan branch", Observed{Checkpoint: true, State: StateRunning, Branch: "tip"}, policy(nil), Decision{Operation: OpNone}},
		{"checkpoint, closed by a person", Observed{Checkpoint: true, Diff: true, State: StateRunning, Closed: []Pull{byPerson}, Silenced: 1}, policy(nil),
			Decision{Operation: OpSnoozed, Number: 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			state := tt.observed.State
			o := complete(tt.observed)
			if state != "" {
				o.State = state
			}
			o.BaseExists = tt.observed.Pages >= 0
			got := Decide(o, tt.policy)
			if got.Operation != OpCreated && got.Operation != OpUpdated && got.Operation != OpBranchOnly && got.Reason == "" {
				t.Errorf("%s gives no reason", got.Operation)
			}
			got.Reason, got.Hint = "", ""
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("decision (-want +got):\n%s", diff)
			}
		})
	}
}
