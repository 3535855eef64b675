package publish

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

func TestAttributesOfANewPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{
		Users: []githubtest.User{{Login: "grace", ID: 11}}, Teams: []string{"docs"}, Milestones: []string{"1.0"},
	})
	w.token = w.gh.Token(githubtest.Grant{Kind: githubtest.App}) // the default token may not ask teams
	w.setup = func(p *Publisher) { p.Identity = Identity{Login: "wikiwright[bot]", ID: 9001} }
	w.policy.Labels = []string{"documentation", LabelWiki}
	w.policy.Assignees, w.policy.Reviewers, w.policy.TeamReviewers = []string{"ada"}, []string{"grace"}, []string{"acme/docs"}
	w.policy.Milestone, w.policy.AutoMerge = 1, "squash"
	out := w.publish(one)
	w.want(out, OpCreated, 7)
	pull := w.gh.Pull(1)
	if !slices.Equal(pull.Labels, []string{"documentation", LabelWiki}) || !slices.Equal(pull.Assignees, []string{"ada"}) || pull.Milestone != 1 ||
		!slices.Equal(pull.Reviewers, []string{"grace"}) || !slices.Equal(pull.Teams, []string{"docs"}) || pull.AutoMerge == "" || !pull.MaintainerCanModify {
		t.Errorf("pull request %+v, notes %v", pull, out.Notes)
	}
	// Reviewers are asked once, and a label that a person took away stays away.
	w.gh.Unlabel(1, "documentation")
	w.want(w.publish(other), OpUpdated, 4)
	if labels := w.gh.Pull(1).Labels; slices.Contains(labels, "documentation") {
		t.Errorf("labels %v", labels)
	}
}

func TestAttributesAreNotWorthFailingFor(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.Allow(githubtest.NoPermission)
	w.policy.Reviewers = []string{"nobody-of-this-name"}
	w.policy.Milestone = 7
	out := w.publish(one)
	w.want(out, OpCreated, 6)
	if len(out.Notes) != 2 {
		t.Errorf("notes %v", out.Notes)
	}
}

func TestDraftFollowsTheState(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.want(w.publish(one, state(StatePartial)), OpCreated, 5)
	if pull := w.gh.Pull(1); !pull.Draft || !slices.Contains(pull.Labels, LabelPartial) {
		t.Errorf("after a partial run: %+v", pull)
	}
	w.want(w.publish(other), OpUpdated, 6) // tree, commit, ref, text, ready, labels
	if pull := w.gh.Pull(1); pull.Draft || slices.Contains(pull.Labels, LabelPartial) {
		t.Errorf("after a complete run: %+v", pull)
	}
	w.want(w.publish(one, state(StatePartial)), OpUpdated, 6)
	if pull := w.gh.Pull(1); !pull.Draft {
		t.Errorf("after the next partial run: %+v", pull)
	}
	w.gh.SetDraft(1, false) // a person says it is ready all the same
	w.want(w.publish(other, state(StatePartial)), OpUpdated, 4)
	if pull := w.gh.Pull(1); pull.Draft {
		t.Error("what the person decided was undone")
	}
}

func TestDraftOfAPersonStays(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.SetDraft(1, true)
	w.want(w.publish(other), OpUpdated, 4)
	if !w.gh.Pull(1).Draft {
		t.Error("the draft of a person was made ready")
	}
}

func TestDraftModes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mode                  DraftMode
		opened, again, stayed bool // a draft when opened; after a person made it ready and an update; before that
	}{{DraftOnce, true, false, true}, {DraftAlways, true, true, true}, {DraftNever, false, false, false}} {
		t.Run(string(tt.mode), func(t *testing.T) {
			w := wikiWorld(t)
			w.policy.Draft = tt.mode
			w.publish(one)
			if got := w.gh.Pull(1).Draft; got != tt.opened {
				t.Errorf("opened as draft: %v", got)
			}
			w.gh.SetDraft(1, false)
			w.publish(other)
			if got := w.gh.Pull(1).Draft; got != tt.again {
				t.Errorf("draft after an update: %v", got)
			}
		})
	}
}

func TestNoDraftsOnThisPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{NoDrafts: true})
	out := w.publish(one, state(StatePartial))
	w.want(out, OpCreated, 6)
	if pull := w.gh.Pull(1); pull.Draft || !slices.Contains(pull.Labels, LabelPartial) || len(out.Notes) != 1 {
		t.Errorf("%+v, notes %v", pull, out.Notes)
	}
	w.want(w.publish(one, state(StatePartial)), OpNone, 0)
}

func TestAutoMergeIsDisarmed(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.EnableAutoMerge(1, "ada", "squash")
	w.want(w.publish(other, state(StatePartial)), OpUpdated, 7)
	if got := w.gh.Pull(1).AutoMerge; got != "" {
		t.Errorf("auto-merge is %q after a partial run", got)
	}
}

func TestAutoMergeIsDisarmedByARunWithNothing(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.EnableAutoMerge(1, "ada", "squash")
	w.want(w.publish(nil, state(StateFailed)), OpNone, 1)
	if got := w.gh.Pull(1).AutoMerge; got != "" {
		t.Errorf("auto-merge is %q after a failed run", got)
	}
}

func TestAutoMergeOfAPersonStays(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.push("ada", "ada", "")
	w.gh.EnableAutoMerge(1, "ada", "squash")
	w.want(w.publish(other), OpBlocked, 1)
	if got := w.gh.Pull(1).AutoMerge; got == "" {
		t.Error("the auto-merge of a person is off")
	}
}

func TestWordsOfPeopleStay(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.EditBody(1, func(body string) string {
		return "Please look at this before Friday.\r\n\r\n" + strings.ReplaceAll(body, "\n", "\r\n") + "\r\n\r\nThanks! Ada"
	})
	w.gh.EditTitle(1, "docs: better words")
	w.want(w.publish(one), OpNone, 0)
	w.want(w.publish(other), OpUpdated, 4)
	pull := w.gh.Pull(1)
	if !strings.HasPrefix(pull.Body, "Please look at this before Friday.\n") || !strings.HasSuffix(pull.Body, "Thanks! Ada") || strings.Count(pull.Body, regionBegin) != 1 {
		t.Errorf("body:\n%s", pull.Body)
	}
	if pull.Title != "docs: better words" {
		t.Errorf("title %q", pull.Title)
	}
	w.gh.EditBody(1, func(body string) string { return strings.Replace(body, "wikiwright:begin", "wikiwright:gone", 1) })
	w.want(w.publish(other), OpUpdated, 1)
	if body := w.gh.Pull(1).Body; strings.Count(body, regionBegin) != 1 || !strings.Contains(body, "Please look") {
		t.Errorf("body without a mark became:\n%s", body)
	}
}

func TestTitleFollowsThePolicy(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.policy.Title = "docs: refresh the wiki"
	w.want(w.publish(one), OpUpdated, 1)
	if got := w.gh.Pull(1).Title; got != "docs: refresh the wiki" {
		t.Errorf("title %q", got)
	}
}

func TestForgedMarker(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	m := marker{Pairs: newPairs(pairOf("/openwiki/core.md", "1")), Closed: "x"}
	w.gh.PushAs("ada", "openwiki/update", map[string]string{"notes.md": "mine\n"})
	w.gh.OpenPull("ada", "openwiki/update", "main", "docs: update OpenWiki", regionBegin+"\n"+box(controlStop, true, "stop")+m.encode()+"\n"+regionEnd)
	w.gh.ClosePull(1, "ada")
	w.gh.DeleteBranch("openwiki/update", "ada")
	w.want(w.publish(one), OpCreated, 5)
}

func TestPullRequestOfAPersonFromOurBranch(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.AllowActionsPulls(false)
	w.want(w.publish(one), OpBranchOnly, 4)
	w.gh.OpenPull("ada", "openwiki/update", "main", "Wiki", "Mine.")
	w.want(w.publish(other), OpUpdated, 3)
	if pull := w.gh.Pull(1); pull.Body != "Mine." || pull.Title != "Wiki" {
		t.Errorf("the words of the person are gone: %+v", pull)
	}
	w.want(w.publish(other), OpNone, 0)
}

func TestNotPermittedToOpen(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.AllowActionsPulls(false)
	out := w.publish(one)
	w.want(out, OpBranchOnly, 4)
	if out.Code != "not_permitted_pull_requests" || !strings.Contains(out.Hint, "organisation") || !strings.Contains(out.Hint, "Settings") ||
		out.CompareURL != w.gh.ServerURL+"/acme/widgets/compare/main...openwiki/update" || out.Number != 0 || out.Branch != "openwiki/update" {
		t.Errorf("outcome %+v", out)
	}
	head := w.gh.Head("openwiki/update")
	w.gh.AllowActionsPulls(true)
	w.want(w.publish(one), OpCreated, 2) // the pull request and its label: the branch is there
	if w.gh.Head("openwiki/update") != head {
		t.Error("the branch was built anew")
	}
}

func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		match githubtest.Match
		fault githubtest.Fault
	}{
		{"pull request, connection lost", githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.Fault{Lost: true}},
		{"pull request, connection reset", githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.Fault{Reset: true}},
		{"pull request, 502", githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.Fault{Status: 502}},
		{"pull request, answer cut", githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.Fault{Truncate: true}},
		{"pull request, secondary limit twice", githubtest.Match{Method: "POST", Path: "pulls", Times: 2}, githubtest.SecondaryLimit("")},
		{"ref, connection lost", githubtest.Match{Method: "POST", Path: "git/refs", Nth: 1}, githubtest.Fault{Lost: true}},
		{"ref, 502", githubtest.Match{Method: "POST", Path: "git/refs", Nth: 1}, githubtest.Fault{Status: 502}},
		{"tree, connection lost", githubtest.Match{Method: "POST", Path: "git/trees", Nth: 1}, githubtest.Fault{Lost: true}},
		{"labels, connection lost", githubtest.Match{Method: "PATCH", Path: "issues/1", Nth: 1}, githubtest.Fault{Lost: true}},
		{"429 with a date", githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.TooManyRequests("Wed, 21 Oct 2026 07:28:00 GMT")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := wikiWorld(t)
			w.gh.Fault(tt.match, tt.fault)
			out := w.publish(one)
			if out.Operation != OpCreated || out.Number != 1 || len(w.gh.Pulls()) != 1 {
				t.Errorf("outcome %+v, %d pull requests", out, len(w.gh.Pulls()))
			}
			if labels := w.gh.Pull(1).Labels; !slices.Contains(labels, LabelWiki) {
				t.Errorf("labels %v, notes %v", labels, out.Notes)
			}
			w.gh.Forget()
			w.want(w.publish(one), OpNone, 0)
		})
	}
}

func TestSomebodyOpensItFirst(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.gh.Fault(githubtest.Match{Method: "POST", Path: "pulls", Nth: 1}, githubtest.Fault{Before: func() {
		w.gh.OpenPull(bot, "openwiki/update", "main", "docs: update OpenWiki", "")
	}})
	out := w.publish(one)
	if out.Operation != OpCreated || len(w.gh.Pulls()) != 1 || !strings.Contains(w.gh.Pull(1).Body, markerStart) {
		t.Errorf("outcome %+v, pull requests %+v", out, w.gh.Pulls())
	}
}

func TestLease(t *testing.T) {
	t.Parallel()
	w := opened(t)
	moved := 0
	race := func() {
		moved++
		w.gh.PushAs("ada", "openwiki/update", map[string]string{fmt.Sprintf("notes-%d.md", moved): "mine\n"})
	}
	w.gh.Fault(githubtest.Match{Method: "POST", Path: "git/commits", Nth: 1}, githubtest.Fault{Before: race})
	out := w.publish(other)
	if out.Operation != OpBlocked { // looked again: commits of others
		t.Errorf("outcome %+v", out)
	}
	w.gh.NoLostCommits(bot)
}

func TestLeaseTwice(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.policy.OnForeignCommits = ForeignAppend
	moved := 0
	w.gh.Fault(githubtest.Match{Method: "POST", Path: "git/commits"}, githubtest.Fault{Before: func() {
		moved++
		w.gh.PushAs("ada", "openwiki/update", map[string]string{fmt.Sprintf("notes-%d.md", moved): "mine\n"})
	}})
	out := w.publish(other)
	if out.Operation != OpDeferred || moved != 2 {
		t.Errorf("outcome %+v after %d races", out, moved)
	}
	w.gh.NoLostCommits(bot)
	w.gh.ClearFaults()
	if out := w.publish(other); out.Operation != OpUpdated {
		t.Errorf("the next run: %+v", out)
	}
}

func TestReject(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	two := map[string]string{"core.md": "# Core\n\nOther words.\n", "limits.md": "# Limits\n\nNew limits.\n"}
	w.want(w.publish(two), OpCreated, 5)
	id := rejectID("/openwiki/limits.md")
	if !strings.Contains(w.gh.Pull(1).Body, "wikiwright:"+id) {
		w.gh.EditBody(1, func(body string) string {
			return strings.Replace(body, regionEnd, box(id, false, " reject")+regionEnd, 1)
		})
	}
	w.gh.EditBody(1, func(body string) string {
		return strings.Replace(body, "- [ ] <!-- wikiwright:"+id, "- [x] <!-- wikiwright:"+id, 1)
	})
	w.want(w.publish(two), OpUpdated, 4)
	if got := w.file("openwiki/update", "openwiki/limits.md"); got != "# Limits\n\nThe limit is ten.\n" {
		t.Errorf("limits.md is %q", got)
	}
	if w.gh.Pull(1).Draft {
		t.Error("what a reviewer rejected made a draft")
	}
	w.want(w.publish(two), OpNone, 0)
	// The choice outlives the pull request.
	w.gh.Merge(1, "squash")
	w.want(w.publish(map[string]string{"limits.md": "# Limits\n\nThird words.\n"}), OpNone, 1) // removes the orphan branch
	// New sources are a new page.
	w.want(w.publish(map[string]string{"limits.md": "# Limits\n\nThird words.\n"}, inputs("limits.md", "2")), OpCreated, 5)
}

func TestStopBox(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.EditBody(1, func(body string) string {
		return strings.Replace(body, regionEnd, box(controlStop, true, " stop")+regionEnd, 1)
	})
	w.want(w.publish(other), OpSnoozed, 0)
}

func TestNoSkipCI(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.publish(other)
	for _, call := range w.gh.Calls() {
		if strings.Contains(strings.ToLower(string(call.Body)), "skip ci") || strings.Contains(string(call.Body), "ci skip") {
			t.Errorf("%s skips checks", call)
		}
	}
}
