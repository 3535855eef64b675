package gitrepo

import (
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestIgnored(t *testing.T) {
	t.Parallel()
	r := gittest.FromTxtar(t, "-- .gitignore --\nopenwiki/\n!kept.md\n-- kept.md --\nx\n")
	repo, err := Open(t.Context(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"openwiki/core.md": true, "kept.md": false, "absent.md": false} {
		if got, err := repo.Ignored(t.Context(), path); err != nil || got != want {
			t.Errorf("Ignored(%s) = %v, %v; want %v", path, got, err, want)
		}
	}
	if _, err := repo.Ignored(t.Context(), "../outside"); err == nil {
		t.Error("a path outside of the repository has an answer")
	}
}
