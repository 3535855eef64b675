package publish

import (
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

func TestNothingToPublish(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{})
	w.want(w.publish(nil), OpNone, 0)
	w.want(w.publish(map[string]string{".page-manifest.json": "{\"n\":2}\n"}), OpNone, 0)
}

func TestCreateUpdateAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive, githubtest.Options{})
	out := w.publish(map[string]string{"core.md": "# Core\n\nNew words.\n"})
	if calls := w.gh.APICalls(); calls > 6 {
		t.Errorf("a new pull request took %d API calls: %v", calls, w.gh.Calls())
	}
	w.want(out, OpCreated, 5)
	pull := w.gh.Pull(1)
	if !pull.Open || pull.Draft || pull.Title != "docs: update OpenWiki" || pull.Author != bot || !out.Verified || out.Number != 1 {
		t.Errorf("pull request %+v, outcome %+v", pull, out)
	}
	if got := w.file("openwiki/update", "openwiki/core.md"); got != "# Core\n\nNew words.\n" {
		t.Errorf("core.md on the branch: %q", got)
	}

	w.want(w.publish(map[string]string{"core.md": "# Core\n\nNew words.\n"}), OpNone, 0)

	out = w.publish(map[string]string{"core.md": "# Core\n\nOther words.\n"})
	if calls := w.gh.APICalls(); calls > 6 {
		t.Errorf("an update took %d API calls: %v", calls, w.gh.Calls())
	}
	w.want(out, OpUpdated, 4)
	if got := len(w.gh.Commits("openwiki/update", "main")); got != 1 {
		t.Errorf("%d commits on the branch, want 1", got)
	}
	w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
}
