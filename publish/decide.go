package publish

import (
	"fmt"
	"slices"
)

// Observed is the state that a decision is made on. It is plain data: [Decide] asks nobody.
type Observed struct {
	Checkpoint bool  // a run that goes on; only the branch is published
	State      State // of the bundle

	// What there is to publish.
	Diff       bool // the wiki differs from that of the base tip in more than run records
	NewWiki    bool // the base has no page yet
	Pages      int  // pages of the base tip
	Vanish     int  // of them, those that the bundle has not
	BaseMoved  []string
	BaseExists bool

	// The branch.
	Branch   string         // its tip; "" when there is none
	Same     bool           // its wiki is the wanted one
	Outdated bool           // the wiki of the base changed since the branch was built
	Foreign  []BranchCommit // its commits of others
	Unlisted bool           // GitHub does not list its commits, so all count as those of others

	// The pull requests from that branch.
	Pull   *Pull  // the open one
	Queued bool   // it is in the merge queue
	Closed []Pull // closed without merging and opened by us, newest first

	// What closed pull requests tell of the pages that would be proposed.
	Silenced int // pages whose inputs were turned down
	Fresh    int // all others
}

// A Pull is a pull request from our branch.
type Pull struct {
	Number     int
	NodeID     string
	URL        string
	Title      string
	Body       string
	BaseRef    string
	HeadSHA    string
	HeadRepo   string // owner/name
	Draft      bool
	AutoMerge  bool
	Merged     bool
	Labels     []string
	Own        bool // our account opened it; marker and controls are read only then
	ClosedByUs bool
	Marker     marker
	Controls   controls // boxes ticked in its text
	Discard    bool     // the box in our comment, to drop commits of others, is ticked
}

func (p *Pull) snoozed() bool { return slices.Contains(p.Labels, LabelSnoozed) }

// A BranchAction is what is done to the branch.
type BranchAction string

// The branch actions. "" leaves it alone.
const (
	BranchCreate  BranchAction = "create"
	BranchRebuild BranchAction = "rebuild" // one commit on the base tip instead of what is there
	BranchAppend  BranchAction = "append"  // one commit on top of what is there
	BranchDelete  BranchAction = "delete"
)

// A PullAction is what is done to the pull request.
type PullAction string

// The pull request actions. "" leaves it alone.
const (
	PullOpen   PullAction = "open"
	PullReopen PullAction = "reopen"
	PullUpdate PullAction = "update" // as far as text, title or state differ
	PullClose  PullAction = "close"
)

// A Decision is what one run does. It is made once, as a whole, before anything is written.
type Decision struct {
	Operation    Operation    `json:"operation"`
	Branch       BranchAction `json:"branch,omitempty"`
	Pull         PullAction   `json:"pull,omitempty"`
	Number       int          `json:"number,omitempty"`       // the pull request that is updated, reopened or closed
	Supersedes   int          `json:"supersedes,omitempty"`   // a closed one that the new one links
	DropSilenced bool         `json:"dropSilenced,omitempty"` // leave out the pages that a closed pull request turned down
	Comment      string       `json:"comment,omitempty"`      // topic of the comment to write or refresh
	Reason       string       `json:"reason,omitempty"`
	Hint         string       `json:"hint,omitempty"`
}

// Topics of comments: a pull request has at most one comment of each.
const (
	topicForeign = "foreign-commits"
	topicClosed  = "closed"
)

// Decide says what to do. Equal arguments give equal decisions.
func Decide(o Observed, p Policy) Decision {
	if d, stop := decideStop(o, p); stop {
		return d
	}
	if !o.Diff {
		return decideEmpty(o, p)
	}
	d := Decision{}
	if o.Pull == nil {
		var stop bool
		if d, stop = decideMemory(o, p); stop {
			return d
		}
	}
	if len(o.Foreign) > 0 {
		return decideForeign(d, o, p)
	}
	return decideOwn(d, o)
}

// decideStop handles what stops a run whatever there is to publish.
func decideStop(o Observed, p Policy) (Decision, bool) {
	switch {
	case !o.BaseExists:
		return Decision{
			Operation: OpRefused, Reason: "the base branch does not exist",
			Hint: "the branch was renamed or removed; run on the present default branch, or set the input base",
		}, true
	case massDeletion(o, p):
		return Decision{
			Operation: OpRefused,
			Reason:    fmt.Sprintf("%d of %d pages would vanish", o.Vanish, o.Pages),
			Hint:      "look at the run; if the pages shall go, set allow-mass-delete",
		}, true
	case o.Queued:
		return Decision{
			Operation: OpDeferred, Number: o.Pull.Number,
			Reason: "the pull request is in the merge queue; a push would throw it out",
		}, true
	case len(o.BaseMoved) > 0:
		return Decision{
			Operation: OpDeferred, Number: o.number(),
			Reason: fmt.Sprintf("the base branch changed %s meanwhile; the next run starts from there", listed(o.BaseMoved)),
		}, true
	case o.Pull != nil && o.Pull.snoozed():
		return Decision{
			Operation: OpSnoozed, Number: o.Pull.Number,
			Reason: "the pull request has the label " + LabelSnoozed, Hint: "remove the label to go on",
		}, true
	case o.Pull != nil && o.Pull.Controls.Stop:
		return Decision{
			Operation: OpSnoozed, Number: o.Pull.Number,
			Reason: "a reviewer stopped updates of the pull request", Hint: "clear the box in its text to go on",
		}, true
	}
	return Decision{}, false
}

// massDeletion is when all pages vanish, or at least three that are more than the allowed share.
func massDeletion(o Observed, p Policy) bool {
	if p.AllowMassDelete || o.Vanish == 0 {
		return false
	}
	return o.Vanish == o.Pages || o.Vanish >= 3 && o.Vanish*100 > o.Pages*p.MassDeletePercent
}

// decideEmpty handles a wiki that is that of the base.
func decideEmpty(o Observed, p Policy) Decision {
	none := Decision{Operation: OpNone, Number: o.number(), Reason: "the wiki of the base branch is up to date"}
	switch {
	case o.Branch == "" && o.Pull == nil:
		return none
	case o.Checkpoint || o.State != StateComplete:
		// What a broken run did not make again may still be on the branch.
		none.Reason = "nothing new, and the run is not complete: what the branch holds stays"
		return none
	case o.Pull != nil && len(o.Foreign) > 0:
		return Decision{
			Operation: OpBlocked, Number: o.Pull.Number, Comment: topicForeign,
			Reason: "nothing is left to publish, but the branch holds commits of " + people(o.Foreign),
			Hint:   "merge or close the pull request by hand",
		}
	case o.Pull != nil && !o.Pull.Own:
		none.Reason = "nothing is left to publish; the pull request is somebody else's"
		return none
	case o.Pull != nil:
		d := Decision{
			Operation: OpClosed, Pull: PullClose, Number: o.Pull.Number, Comment: topicClosed,
			Reason: "the base branch holds all of it now",
		}
		if p.DeleteBranch && o.Branch != "" {
			d.Branch = BranchDelete
		}
		return d
	case len(o.Foreign) > 0:
		none.Reason = "the wiki of the base branch is up to date; the branch is left because it holds commits of " + people(o.Foreign)
		return none
	case p.DeleteBranch:
		none.Branch = BranchDelete
		return none
	}
	return none
}

// decideMemory handles what closed pull requests tell. Without a stop, the decision carries what the new pull request needs of it.
func decideMemory(o Observed, p Policy) (Decision, bool) {
	if len(o.Closed) == 0 {
		return Decision{}, false
	}
	for i := range o.Closed {
		if o.Closed[i].snoozed() {
			return Decision{
				Operation: OpSnoozed, Number: o.Closed[i].Number,
				Reason: fmt.Sprintf("the closed pull request #%d has the label %s", o.Closed[i].Number, LabelSnoozed),
				Hint:   "remove the label to go on",
			}, true
		}
	}
	newest := o.Closed[0]
	if newest.ClosedByUs {
		if newest.HeadSHA == o.Branch && o.Branch != "" && len(o.Foreign) == 0 && !o.Checkpoint {
			return Decision{Pull: PullReopen, Number: newest.Number}, false
		}
		return Decision{}, false
	}
	if p.OnClosed == ClosedRecreate {
		return Decision{Supersedes: newest.Number}, false
	}
	if o.Silenced > 0 && o.Fresh < max(p.MinNewPages, 1) {
		return Decision{
			Operation: OpSnoozed, Number: newest.Number,
			Reason: fmt.Sprintf("pull request #%d with the same inputs was closed; %d pages are new since", newest.Number, o.Fresh),
			Hint:   "reopen it, or set on-closed to recreate, to see the pages again",
		}, true
	}
	return Decision{Supersedes: newest.Number, DropSilenced: o.Silenced > 0 && !o.NewWiki}, false
}

// decideForeign handles a branch with commits of others.
func decideForeign(d Decision, o Observed, p Policy) Decision {
	d.Number = o.number()
	mode := p.OnForeignCommits
	if o.Unlisted && mode == ForeignAppend {
		mode = ForeignStop // which pages people touched is not known
	}
	if o.Pull != nil && o.Pull.Discard {
		mode = ForeignOverwrite
	}
	switch {
	case mode == ForeignOverwrite:
		return decideOwn(d, o)
	case mode == ForeignAppend && o.Pull != nil:
		d.Operation, d.Branch, d.Pull = OpUpdated, BranchAppend, PullUpdate
		d.Reason = "added to the branch beside the commits of " + people(o.Foreign)
		if o.Same {
			d.Operation, d.Branch = OpNone, "" // becomes updated when text or state of the pull request differ
		}
		if o.Checkpoint {
			d.Pull = ""
		}
		return d
	case o.Pull == nil:
		return Decision{
			Operation: OpBlocked,
			Reason:    "the branch holds commits of " + people(o.Foreign) + " and has no pull request",
			Hint:      "remove or rename the branch, or set the input branch to another name",
		}
	}
	d = Decision{
		Operation: OpBlocked, Number: o.Pull.Number, Comment: topicForeign,
		Reason: "the branch holds commits of " + people(o.Foreign),
		Hint:   "merge the pull request, tick the box in the comment to drop these commits, or set on-foreign-commits to append",
	}
	if o.Checkpoint {
		d.Comment = "" // the end of the run says it once
	}
	return d
}

// decideOwn handles a branch that is ours to move, or that is not there yet.
func decideOwn(d Decision, o Observed) Decision {
	switch {
	case o.Branch == "":
		d.Branch = BranchCreate
	case !o.Same || o.Outdated || len(o.Foreign) > 0:
		d.Branch = BranchRebuild
	}
	switch {
	case o.Checkpoint:
		d.Operation, d.Number = OpBranchOnly, o.number()
		if d.Branch == "" {
			d.Operation, d.Reason = OpNone, "the branch holds this wiki already"
		}
		d.Supersedes = 0
		return d
	case o.Pull != nil:
		d.Operation, d.Pull, d.Number = OpUpdated, PullUpdate, o.Pull.Number
		if d.Branch == "" {
			d.Operation = OpNone // becomes updated when text or state of the pull request differ
			d.Reason = "the branch holds this wiki already"
		}
		return d
	case d.Pull == PullReopen:
		d.Operation = OpCreated
		return d
	}
	d.Operation, d.Pull = OpCreated, PullOpen
	return d
}

// number of the open pull request; 0 for none.
func (o Observed) number() int {
	if o.Pull == nil {
		return 0
	}
	return o.Pull.Number
}

// listed names up to three paths.
func listed(paths []string) string {
	switch n := len(paths); n {
	case 1:
		return paths[0]
	case 2:
		return paths[0] + " and " + paths[1]
	default:
		return fmt.Sprintf("%s and %d other files", paths[0], n-1)
	}
}
