package publish

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// The same page in two wordings.
var (
	one   = map[string]string{"core.md": "# Core\n\nNew words.\n"}
	other = map[string]string{"core.md": "# Core\n\nOther words.\n"}
)

func wikiWorld(t *testing.T) *world {
	t.Helper()
	return newWorld(t, seedArchive+wikiArchive, githubtest.Options{})
}

// opened is a world with our open pull request 1.
func opened(t *testing.T) *world {
	t.Helper()
	w := wikiWorld(t)
	w.want(w.publish(one), OpCreated, 5)
	return w
}

func TestEmptyDiffClosesOwnPullRequest(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.Push(githubtest.PersonCommit{Branch: "main", Author: "ada", Files: map[string]string{
		"openwiki/core.md": "# Core\n\nNew words.\n", "openwiki/.page-manifest.json": w.file("openwiki/update", "openwiki/.page-manifest.json"),
	}})
	out := w.publish(nil)
	w.want(out, OpClosed, 3)
	pull := w.gh.Pull(1)
	if pull.Open || pull.ClosedBy != bot || len(pull.Comments) != 1 || w.gh.Head("openwiki/update") != "" {
		t.Errorf("after closing: %+v, branch %q", pull, w.gh.Head("openwiki/update"))
	}
	w.want(w.publish(nil), OpNone, 0)
}

func TestEmptyDiffLeavesCommitsOfOthers(t *testing.T) {
	t.Parallel()
	w := opened(t)
	human := w.gh.PushAs("ada", "openwiki/update", map[string]string{"openwiki/core.md": "# Core\n\nAda's words.\n"})
	w.want(w.publish(nil), OpBlocked, 1)
	w.want(w.publish(nil), OpBlocked, 0) // the comment is there
	if pull := w.gh.Pull(1); !pull.Open || len(pull.Comments) != 1 || w.gh.Head("openwiki/update") != human {
		t.Errorf("pull request %+v at %s", pull, w.gh.Head("openwiki/update"))
	}
}

func TestEmptyDiffOfBrokenRunKeepsThePullRequest(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.want(w.publish(nil, state(StateFailed)), OpNone, 0)
	if !w.gh.Pull(1).Open {
		t.Error("a failed run closed the pull request")
	}
}

func TestOrphanBranch(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.Merge(1, "squash") // ada keeps the branch
	w.want(w.publish(nil), OpNone, 1)
	if w.gh.Head("openwiki/update") != "" {
		t.Error("the orphan branch is still there")
	}
}

func TestOwnBranchWithoutPullRequest(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.Merge(1, "squash")
	w.want(w.publish(other), OpCreated, 5)
	if !w.gh.Pull(2).Open {
		t.Error("no second pull request")
	}
}

func TestForeignBranchWithoutPullRequest(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	human := w.gh.PushAs("ada", "openwiki/update", map[string]string{"notes.md": "mine\n"})
	out := w.publish(one)
	w.want(out, OpBlocked, 0)
	if w.gh.Head("openwiki/update") != human || out.Hint == "" {
		t.Errorf("branch moved or no hint: %+v", out)
	}
}

func TestBaseConflictRebuilds(t *testing.T) {
	t.Parallel()
	w := opened(t)
	base := w.gh.PushAs("ada", "main", map[string]string{"openwiki/core.md": "# Core\n\nAda's words.\n"})
	out := w.publish(one)
	w.want(out, OpUpdated, 4)
	if got := w.gh.Commits("openwiki/update", "main"); len(got) != 1 || out.BaseSHA != base {
		t.Errorf("branch is not one commit on the new base: %v", got)
	}
}

func TestForeignCommitsStop(t *testing.T) {
	t.Parallel()
	for name, push := range map[string]func(w *world){
		"author only":    func(w *world) { w.push("ada", bot, "") },
		"committer only": func(w *world) { w.push(bot, "ada", "Wikiwright-Run: x") },
		"in the middle":  func(w *world) { w.push("ada", "ada", ""); w.push(bot, bot, "Wikiwright-Run: x") },
		"merge of the base by the web page": func(w *world) {
			w.gh.PushAs("ada", "main", map[string]string{"x.txt": "x\n"})
			w.gh.UpdateBranch(1, "ada")
		},
		"co-author":                    func(w *world) { w.push(bot, bot, "Wikiwright-Run: x\nCo-authored-by: Ada <ada@example.com>") },
		"other workflow, same account": func(w *world) { w.push(bot, bot, "") },
	} {
		t.Run(name, func(t *testing.T) {
			w := opened(t)
			push(w)
			head := w.gh.Head("openwiki/update")
			out := w.publish(other)
			w.want(out, OpBlocked, 1)
			if w.gh.Head("openwiki/update") != head || len(w.gh.Pull(1).Comments) != 1 || out.Hint == "" {
				t.Errorf("moved to %s, comments %v", w.gh.Head("openwiki/update"), w.gh.Pull(1).Comments)
			}
			w.want(w.publish(other), OpBlocked, 0)
			w.gh.NoLostCommits(bot)
		})
	}
}

// push adds a commit to the branch.
func (w *world) push(author, committer, trailers string) {
	message := "edit"
	if trailers != "" {
		message += "\n\n" + trailers
	}
	w.gh.Push(githubtest.PersonCommit{
		Branch: "openwiki/update", Author: author, Committer: committer, Message: message,
		Files: map[string]string{"openwiki/limits.md": "# Limits\n\nBy hand.\n"},
	})
}

func TestForeignCommitsAppend(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.policy.OnForeignCommits = ForeignAppend
	w.push("ada", "ada", "")
	both := map[string]string{"core.md": "# Core\n\nOther words.\n", "limits.md": "# Limits\n\nOurs.\n"}
	w.want(w.publish(both), OpUpdated, 4)
	if core, limits := w.file("openwiki/update", "openwiki/core.md"), w.file("openwiki/update", "openwiki/limits.md"); core != both["core.md"] || limits != "# Limits\n\nBy hand.\n" {
		t.Errorf("core %q, limits %q", core, limits)
	}
	w.want(w.publish(both), OpNone, 0)
	both["core.md"] = "# Core\n\nThird words.\n"
	w.want(w.publish(both), OpUpdated, 4)
	if limits := w.file("openwiki/update", "openwiki/limits.md"); limits != "# Limits\n\nBy hand.\n" {
		t.Errorf("the second append took Ada's page: %q", limits)
	}
	w.gh.NoLostCommits(bot)
}

func TestForeignCommitsOverwrite(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.policy.OnForeignCommits = ForeignOverwrite
	w.push("ada", "ada", "")
	w.want(w.publish(other), OpUpdated, 4)
	if got := w.gh.Commits("openwiki/update", "main"); len(got) != 1 {
		t.Errorf("%d commits on the branch", len(got))
	}
}

func TestDiscardBox(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.push("ada", "ada", "")
	w.want(w.publish(other), OpBlocked, 1)
	comment := w.gh.Pull(1).Comments[0]
	ticked := strings.Replace(comment.Body, "- [ ]", "- [x]", 1)
	w.editComment(comment.ID, ticked)
	w.push("ada", "ada", "") // a commit after the tick is not covered by it
	w.want(w.publish(other), OpBlocked, 1)
	w.editComment(comment.ID, strings.Replace(w.gh.Pull(1).Comments[0].Body, "- [ ]", "- [x]", 1))
	w.want(w.publish(other), OpUpdated, 4)
	if got := w.gh.Commits("openwiki/update", "main"); len(got) != 1 {
		t.Errorf("%d commits on the branch", len(got))
	}
}

func TestMergeQueueDefers(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.Enqueue(1)
	w.want(w.publish(other), OpDeferred, 0)
	w.gh.Dequeue(1)
	w.want(w.publish(other), OpUpdated, 4)
}

func TestClosedByPersonIsRemembered(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.ClosePull(1, "ada")
	out := w.publish(other) // other text from the same inputs
	w.want(out, OpSnoozed, 0)
	if out.Number != 1 {
		t.Errorf("outcome %+v names no pull request", out)
	}
	two := map[string]string{"core.md": "# Core\n\nOther words.\n", "limits.md": "# Limits\n\nNew limits.\n"}
	w.policy.MinNewPages = 2
	w.want(w.publish(two), OpSnoozed, 0)
	w.policy.MinNewPages = 1
	out = w.publish(two)
	w.want(out, OpCreated, 5)
	if out.Number != 2 {
		t.Errorf("outcome %+v", out)
	}
	if core := w.file("openwiki/update", "openwiki/core.md"); strings.Contains(core, "Other") {
		t.Error("the page that was turned down is back")
	}
	w.want(w.publish(two), OpNone, 0) // nor does it come back by the next run
	if limits := w.file("openwiki/update", "openwiki/limits.md"); limits != two["limits.md"] {
		t.Errorf("limits.md: %q", limits)
	}
}

func TestClosedByPersonNewInputs(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.ClosePull(1, "ada")
	w.want(w.publish(other, inputs("core.md", "2")), OpCreated, 5)
	if body := w.gh.Pull(2).Body; !strings.Contains(body, "\n\nFollows #1, which was closed.\n") {
		t.Errorf("the new pull request does not name the closed one:\n%s", body)
	}
}

func TestClosedRecreate(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.policy.OnClosed = ClosedRecreate
	w.gh.ClosePull(1, "ada")
	w.want(w.publish(other), OpCreated, 5)
}

func TestSnoozeLabel(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.ClosePull(1, "ada")
	w.gh.Label(1, LabelSnoozed)
	w.want(w.publish(other, inputs("core.md", "2")), OpSnoozed, 0)
	w.gh.Unlabel(1, LabelSnoozed)
	w.want(w.publish(other, inputs("core.md", "2")), OpCreated, 5)
	w.gh.Label(2, LabelSnoozed)
	w.want(w.publish(one, inputs("core.md", "2")), OpSnoozed, 0)
}

func TestClosedByUsReopens(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.policy.DeleteBranch = false
	w.want(w.publish(nil), OpClosed, 2)
	if w.gh.Head("openwiki/update") == "" {
		t.Fatal("the branch is gone")
	}
	out := w.publish(other)
	w.want(out, OpCreated, 5)
	if !w.gh.Pull(1).Open || len(w.gh.Pulls()) != 1 {
		t.Errorf("not reopened: %+v", w.gh.Pulls())
	}
	w.want(w.publish(other), OpNone, 0)
}

func TestClosedByUsOpensAnother(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.want(w.publish(nil), OpClosed, 3)
	w.want(w.publish(other), OpCreated, 5)
	if w.gh.Pull(1).Open || !w.gh.Pull(2).Open {
		t.Errorf("pull requests %+v", w.gh.Pulls())
	}
}

func TestMassDeletionIsRefused(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	gone := map[string]string{"core.md": "", "limits.md": "", "quickstart.md": ""}
	out := w.publish(gone)
	w.want(out, OpRefused, 0)
	if !strings.Contains(out.Reason, "3 of 3") || !strings.Contains(out.Hint, "allow-mass-delete") {
		t.Errorf("reason %q, hint %q", out.Reason, out.Hint)
	}
	w.policy.AllowMassDelete = true
	w.want(w.publish(gone), OpCreated, 5)
	if files := w.gh.Files("openwiki/update"); slices.Contains(files, "openwiki/core.md") {
		t.Errorf("files %v", files)
	}
}

func TestMergedIsBaseline(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"squash", "rebase", "merge"} {
		t.Run(method, func(t *testing.T) {
			w := opened(t)
			w.gh.Merge(1, method)
			w.gh.DeleteBranch("openwiki/update", "ada")
			w.want(w.publish(nil), OpNone, 0)
			w.want(w.publish(one), OpNone, 0)
		})
	}
}

func TestMergedSinceStart(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	w.want(w.publish(one), OpCreated, 5)
	w.gh.Merge(1, "squash")
	same := c.bundle(one)
	same.Files[0].Data = []byte(w.file("main", "openwiki/.page-manifest.json")) // the run made the same records
	w.want(c.publish(same), OpNone, 1)                                          // and removes the orphan branch
	w.want(c.publish(c.bundle(other)), OpDeferred, 0)                           // another text of a page that has just changed
}

func TestBaseMovedElsewhere(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	tip := w.gh.PushAs("ada", "main", map[string]string{"openwiki/limits.md": "# Limits\n\nAda's.\n", "src/b.go": "package a\n"})
	out := c.publish(c.bundle(one))
	w.want(out, OpCreated, 5)
	if got := w.file("openwiki/update", "openwiki/limits.md"); got != "# Limits\n\nAda's.\n" || out.BaseSHA != tip {
		t.Errorf("the base's page became %q", got)
	}
	w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
}
