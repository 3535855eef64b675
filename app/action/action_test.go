package action_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// A first run opens the pull request, the same again does nothing, a change of the source updates it, the merge ends it.
func TestRun_life(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	d := w.run("checkpoints=off")
	d.want(t, 0, "created")
	if d.outputs["pull-request-number"] != "1" || d.outputs["state"] != "complete" || d.outputs["branch"] != "openwiki/update" {
		t.Errorf("outputs %v", d.outputs)
	}
	if head := w.gh.Head("openwiki/update"); d.outputs["head-sha"] != head {
		t.Errorf("head-sha %q, want %q", d.outputs["head-sha"], head)
	}
	if _, ok := w.gh.File("openwiki/update", "openwiki/.last-update.json"); !ok {
		t.Error("a complete wiki has no baseline")
	}
	if !strings.Contains(strings.ToLower(d.summary), "complete") {
		t.Errorf("the summary does not tell the state:\n%s", d.summary)
	}
	w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
	links := regexp.MustCompile(`\]\(`+regexp.QuoteMeta(w.gh.ServerURL+"/"+w.env["GITHUB_REPOSITORY"]+"/blob/"+w.gh.Head("main")+"/")+`([^)#]+)`).FindAllStringSubmatch(d.summary, -1)
	if len(links) < 3 {
		t.Errorf("the summary links to %d places of evidence:\n%s", len(links), d.summary)
	}
	for _, link := range links {
		if _, ok := w.gh.File("main", link[1]); !ok {
			t.Errorf("the summary links to %s, which is not there", link[1])
		}
	}

	// The report has all of what the summary may have to cut.
	changes, _ := d.report["changes"].([]any)
	if strconv.Itoa(len(changes)) != d.outputs["pages-changed"] || len(changes) != 3 {
		t.Fatalf("the report tells %d pages, the output %s", len(changes), d.outputs["pages-changed"])
	}
	want := map[string]any{"change": "new", "statement": "Sum adds two numbers.", "evidence": []any{"repo://store/store.go#L7-L8"}}
	found := false
	for _, page := range changes {
		for _, s := range page.(map[string]any)["statements"].([]any) {
			found = found || cmp.Equal(want, s)
		}
	}
	if !found {
		t.Errorf("the report does not tell %v:\n%v", want, changes)
	}

	w.checkout()
	w.gh.Forget()
	w.run("checkpoints=off").want(t, 0, "none")
	if n := w.gh.Writes(); n != 0 {
		t.Errorf("%d writes for the same again", n)
	}

	w.gh.PushAs("ada", "main", map[string]string{"store/more.go": "package store\n\n// Twice doubles.\nfunc Twice(x int) int { return 2 * x }\n"})
	w.checkout()
	w.run("checkpoints=off").want(t, 0, "updated")

	// Whatever way it is merged, the push that it causes starts a run that does nothing.
	w.gh.Merge(1, "squash")
	w.event("push", nil)
	w.gh.Forget()
	for range 5 {
		w.checkout()
		d := w.run("checkpoints=off")
		d.want(t, 0, "none")
		if d.outputs["outcome"] != "noop" {
			t.Errorf("outcome %q, want noop", d.outputs["outcome"])
		}
	}
	w.gh.NeverEqualsBase("openwiki/update", "main")
}
