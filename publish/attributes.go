package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/github"
)

// decorate gives a new pull request its labels, assignees, milestone and reviewers. None of these is worth failing for.
func (j *job) decorate(ctx context.Context) {
	request := &gogithub.IssueRequest{}
	if labels := j.labels(nil); len(labels) > 0 {
		request.Labels = &labels
	}
	if len(j.Policy.Assignees) > 0 {
		request.Assignees = &j.Policy.Assignees
	}
	if j.Policy.Milestone != 0 {
		request.Milestone = &j.Policy.Milestone
	}
	if request.Labels != nil || request.Assignees != nil || request.Milestone != nil {
		j.editIssue(ctx, request, "labels, assignees or milestone were not set")
	}
	if len(j.Policy.Reviewers)+len(j.Policy.TeamReviewers) == 0 {
		return
	}
	teams := slices.Clone(j.Policy.TeamReviewers)
	if j.DefaultToken && len(teams) > 0 {
		j.note("teams were not asked for review: the default token may not do that")
		teams = nil
	}
	for i, team := range teams {
		teams[i] = team[strings.LastIndex(team, "/")+1:]
	}
	if len(j.Policy.Reviewers)+len(teams) == 0 {
		return
	}
	_, _, err := j.GitHub.API().PullRequests.RequestReviewers(github.Safe(ctx), j.Repository.Owner, j.Repository.Name, j.pull.Number,
		gogithub.ReviewersRequest{Reviewers: j.Policy.Reviewers, TeamReviewers: teams})
	if err != nil {
		j.tolerate("reviewers were not asked", err)
	}
}

func (j *job) editIssue(ctx context.Context, request *gogithub.IssueRequest, failure string) {
	if _, _, err := j.GitHub.API().Issues.Edit(github.Safe(ctx), j.Repository.Owner, j.Repository.Name, j.pull.Number, request); err != nil {
		j.tolerate(failure, err)
		return
	}
	j.touched()
}

func (j *job) tolerate(what string, err error) {
	j.note(what + ": " + err.Error())
	j.Log.Warn(what, "error", err)
}

// labels returns the labels that the pull request should have: those it has, and ours for its state. A new one gets those of the policy.
func (j *job) labels(present []string) []string {
	labels := slices.Clone(present)
	if present == nil {
		labels = slices.Clone(j.Policy.Labels)
	}
	set := func(label string, wanted bool) {
		has := slices.Contains(labels, label)
		switch {
		case wanted && !has:
			labels = append(labels, label)
		case !wanted && has:
			labels = slices.DeleteFunc(labels, func(l string) bool { return l == label })
		}
	}
	set(LabelPartial, j.bundle.State != StateComplete)
	set(LabelBlocked, slices.ContainsFunc(j.out.Blocked, func(b Blocked) bool { return b.Kind != KindRejected && b.Kind != KindClosed }))
	return labels
}

// syncLabels changes only the labels that tell the state. GitHub makes a label that is not there yet.
func (j *job) syncLabels(ctx context.Context) {
	present := j.pull.Labels
	if present == nil {
		present = []string{}
	}
	if labels := j.labels(present); !slices.Equal(labels, present) {
		j.editIssue(ctx, &gogithub.IssueRequest{Labels: &labels}, "labels were not changed")
	}
}

// wantsDraft tells whether a pull request is opened as a draft.
func (j *job) wantsDraft(opening bool) bool {
	switch j.Policy.Draft {
	case DraftAuto:
		return j.bundle.State != StateComplete
	case DraftOnce:
		return opening
	case DraftAlways:
		return true
	}
	return false
}

// draftChange tells how the open pull request has to change. What a person made of our draft stays until the state of the wiki changes.
func (j *job) draftChange() (toDraft, toReady bool) {
	pull := j.pull
	switch j.Policy.Draft {
	case DraftAuto:
		incomplete := j.bundle.State != StateComplete
		wasComplete := pull.Marker.State == StateComplete || pull.Marker.State == ""
		return incomplete && wasComplete && !pull.Draft, !incomplete && pull.Draft && pull.Marker.Draft
	case DraftAlways:
		return j.pushed && !pull.Draft, false
	case DraftNever:
		return false, pull.Draft && pull.Marker.Draft
	}
	return false, false
}

const (
	mutationDraft = `mutation($id: ID!) { convertPullRequestToDraft(input: {pullRequestId: $id}) { clientMutationId } }`
	mutationReady = `mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }`
	mutationArm   = `mutation($id: ID!, $method: PullRequestMergeMethod!, $head: GitObjectID!) { enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: $method, expectedHeadOid: $head}) { clientMutationId } }`
	mutationSafe  = `mutation($id: ID!) { disablePullRequestAutoMerge(input: {pullRequestId: $id}) { clientMutationId } }`
)

func (j *job) changeDraft(ctx context.Context, toDraft, toReady bool) {
	mutation := mutationReady
	switch {
	case toDraft:
		mutation = mutationDraft
	case !toReady:
		return
	}
	if err := j.GitHub.GraphQL(github.Safe(ctx), mutation, map[string]any{"id": j.pull.NodeID}, nil); err != nil {
		j.tolerate("the draft state was not changed", err)
		return
	}
	j.pull.Draft, j.out.Draft = toDraft, toDraft
	j.touched()
}

// disarm turns off auto-merge of an open pull request before anything incomplete can be merged by it. Auto-merge that people turned on is
// left alone where only commits of others are in the way: then it is their wish for these commits.
func (j *job) disarm(ctx context.Context) error {
	if j.pull == nil || !j.pull.AutoMerge || j.pull.NodeID == "" || j.queued() {
		return nil
	}
	incomplete := j.bundle.State != StateComplete
	others := len(j.foreign()) > 0 && j.pull.Marker.AutoMerge
	if !incomplete && !others && len(j.out.Blocked) == 0 {
		return nil
	}
	if err := j.GitHub.GraphQL(github.Safe(ctx), mutationSafe, map[string]any{"id": j.pull.NodeID}, nil); err != nil {
		return fmt.Errorf("turn off auto-merge of pull request #%d: %w", j.pull.Number, err)
	}
	j.pull.AutoMerge = false
	j.note("auto-merge was turned off: what it would merge is not complete or not ours alone")
	return nil
}

// mayAutoMerge tells whether the policy and the run allow that GitHub merges by itself.
func (j *job) mayAutoMerge() bool {
	return j.Policy.AutoMerge != "" && j.mode == modePublish && j.bundle.State == StateComplete && len(j.out.Blocked) == 0 &&
		(len(j.foreign()) == 0 || j.pushedOver)
}

// arm turns on auto-merge once, for exactly the commit that was published. A person who turns it off is not overruled.
func (j *job) arm(ctx context.Context) {
	if !j.mayAutoMerge() || j.pull.AutoMerge || j.pull.Draft || j.pull.Marker.AutoMerge && j.out.Operation != OpCreated && !j.pushed {
		return
	}
	pr, _, err := j.GitHub.API().PullRequests.Get(ctx, j.Repository.Owner, j.Repository.Name, j.pull.Number)
	if err != nil {
		j.tolerate("auto-merge was not turned on", err)
		return
	}
	if pr.GetNumber() != j.pull.Number || pr.GetState() != "open" || pr.GetBase().GetRef() != j.baseRef ||
		!j.isHead(pr) || pr.GetHead().GetRef() != j.branch || pr.GetHead().GetSHA() != j.tip {
		j.note("auto-merge was not turned on: the pull request is not the one that was published")
		return
	}
	if pr.AutoMerge != nil {
		return
	}
	err = j.GitHub.GraphQL(ctx, mutationArm, map[string]any{
		"id": pr.GetNodeID(), "method": strings.ToUpper(j.Policy.AutoMerge), "head": j.tip,
	}, nil)
	if err != nil {
		j.tolerate("auto-merge was not turned on", err)
		return
	}
	j.touched()
}
