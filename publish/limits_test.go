package publish

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/safetext"
)

func TestTwoMegabytesInSixCalls(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	pages := map[string]string{}
	for i := range 190 {
		pages[fmt.Sprintf("page-%03d.md", i)] = fmt.Sprintf("# Page %d\n\n", i) + strings.Repeat("Words of ten\n", 770)
	}
	out := w.publish(pages)
	if calls := w.gh.APICalls(); out.Operation != OpCreated || calls > 6 || out.Calls != calls {
		t.Errorf("%s in %d calls (outcome says %d): %v", out.Operation, calls, out.Calls, w.gh.Calls())
	}
	w.gh.Forget()
	for name := range pages {
		pages[name] += "More.\n"
	}
	out = w.publish(pages)
	if calls := w.gh.APICalls(); out.Operation != OpUpdated || calls > 6 {
		t.Errorf("%s in %d calls: %v", out.Operation, calls, w.gh.Calls())
	}
}

// TestCallsBySize holds the number of API calls to six for two megabytes of text and one more for each further two, for an account that has
// to be found out too.
func TestCallsBySize(t *testing.T) {
	t.Parallel()
	for megabytes, most := range map[int]int{2: 6, 4: 7, 6: 8} {
		t.Run(fmt.Sprint(megabytes, " MB"), func(t *testing.T) {
			t.Parallel()
			w := wikiWorld(t)
			w.setup = func(p *Publisher) { p.Identity, p.DefaultToken = ActionsIdentity(), true }
			pages := map[string]string{}
			for i := range 10 * megabytes {
				pages[fmt.Sprintf("page-%03d.md", i)] = fmt.Sprintf("# Page %d\n\n", i) + strings.Repeat("Words of ten\n", 7_680)
			}
			for _, want := range []Operation{OpCreated, OpUpdated} {
				out := w.publish(pages)
				if calls := w.gh.APICalls(); out.Operation != want || calls > most {
					t.Errorf("%s in %d calls, want %s in at most %d: %v", out.Operation, calls, want, most, w.gh.Calls())
				}
				w.gh.Forget()
				for name := range pages {
					pages[name] += "More.\n"
				}
			}
		})
	}
}

func TestLongTextOfPeople(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	pages := map[string]string{}
	for i := range 900 {
		pages[fmt.Sprintf("page-%03d.md", i)] = fmt.Sprintf("# Page %d\n", i)
	}
	if out := w.publish(pages); out.Operation != OpCreated {
		t.Fatalf("%+v", out)
	}
	words := strings.Repeat("Words of Ada. ", 3000)
	w.gh.EditBody(1, func(body string) string {
		inner, _ := region(body)
		return words + "\n\n" + regionBegin + "\n" + inner[strings.LastIndex(inner, markerStart):] + "\n" + regionEnd
	})
	pages["page-000.md"] = "# Other\n"
	if out := w.publish(pages); out.Operation != OpUpdated {
		t.Fatalf("%+v", out)
	}
	body := w.gh.Pull(1).Body
	if n := safetext.Units(body); n > 65_536 || !strings.HasPrefix(body, words) {
		t.Errorf("the text has %d units", n)
	}
	if m, ok := parseMarker(body); !ok || len(m.Pairs) != 900 {
		t.Errorf("marker read: %v, %d pairs", ok, len(m.Pairs))
	}
}

func TestManyPagesAreRememberedByDigest(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	pages := map[string]string{}
	for i := range maxPairs + 1 {
		pages[fmt.Sprintf("page-%04d.md", i)] = fmt.Sprintf("# Page %d\n", i)
	}
	if out := w.publish(pages); out.Operation != OpCreated {
		t.Fatalf("%+v", out)
	}
	w.gh.ClosePull(1, "ada")
	for name := range pages {
		pages[name] += "Other words.\n"
	}
	if out := w.publish(pages); out.Operation != OpSnoozed {
		t.Errorf("%+v", out)
	}
}

func TestAutoMergeOnlyOfWhatWasPublished(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	w.policy.AutoMerge = "squash"
	w.gh.Fault(githubtest.Match{Method: "GET", Path: "pulls/1", Nth: 1}, githubtest.Fault{Before: func() {
		w.gh.PushAs("ada", "openwiki/update", map[string]string{"x": "y"})
	}})
	out := w.publish(one)
	if out.Operation != OpCreated || w.gh.Pull(1).AutoMerge != "" || len(out.Notes) != 1 {
		t.Errorf("auto-merge %q, %+v", w.gh.Pull(1).AutoMerge, out)
	}
	out = w.publish(other)
	if out.Operation != OpBlocked || w.gh.Pull(1).AutoMerge != "" {
		t.Errorf("auto-merge %q with commits of others, %+v", w.gh.Pull(1).AutoMerge, out)
	}
}

func TestAutoMergeOffInTheSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{NoAutoMerge: true})
	w.policy.AutoMerge = "squash"
	if out := w.publish(one); out.Operation != OpCreated || len(out.Notes) != 1 {
		t.Errorf("%+v", out)
	}
	w.gh.Forget()
	w.want(w.publish(one), OpNone, 0) // not asked for again until there is something new
}

func TestCommentAnswerLost(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.push("ada", "ada", "")
	w.gh.Fault(githubtest.Match{Method: "POST", Path: "issues/1/comments", Nth: 1}, githubtest.Fault{Lost: true})
	w.want(w.publish(other), OpBlocked, 1)
	w.want(w.publish(other), OpBlocked, 0)
	if comments := w.gh.Pull(1).Comments; len(comments) != 1 {
		t.Errorf("%d comments", len(comments))
	}
}

func TestCommentOfSomebodyElseIsNotOurs(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.push("ada", "ada", "")
	head := w.gh.Head("openwiki/update")
	w.gh.CommentAs(1, "ada", topicLine(topicForeign, head)+"\n"+box(controlDiscard, true, " drop"))
	w.want(w.publish(other), OpBlocked, 1)
	if w.gh.Head("openwiki/update") != head {
		t.Error("a forged comment dropped the commits")
	}
}

func TestCommentNamesAreHarmless(t *testing.T) {
	t.Parallel()
	w := opened(t)
	w.gh.Push(githubtest.PersonCommit{
		Branch: "openwiki/update", Author: "ada", Message: "fixes #1 @acme/team <!-- x --> `a` | b", Files: map[string]string{"x": "y"},
	})
	w.want(w.publish(other), OpBlocked, 1)
	body := w.gh.Pull(1).Comments[0].Body
	for _, bad := range []string{"fixes #1", "@acme", "<!-- x"} {
		if strings.Contains(body, bad) {
			t.Errorf("comment contains %q:\n%s", bad, body)
		}
	}
}

// TestMergingAgainAndAgain holds that merging our pull request gives the next run nothing to do.
func TestMergingAgainAndAgain(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	for i := range 5 {
		text := map[string]string{"core.md": fmt.Sprintf("# Core\n\nRound %d.\n", i)}
		if out := w.publish(text); out.Operation != OpCreated {
			t.Fatalf("round %d: %+v", i, out)
		}
		w.gh.Merge(i+1, "squash")
		w.gh.DeleteBranch("openwiki/update", "ada")
		w.gh.Forget()
		w.want(w.publish(nil), OpNone, 0)
	}
	if open := slices.DeleteFunc(w.gh.Pulls(), func(p githubtest.Pull) bool { return !p.Open }); len(open) != 0 {
		t.Errorf("open: %+v", open)
	}
}
