package action

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
	"github.com/wikiwright/wikiwright/publish"
)

// Where the pages that must not be published cannot be taken out, summary and report tell of none.
func TestFinish_nothingToShow(t *testing.T) {
	source := gittest.FromTxtar(t, "-- a.go --\npackage a\n")
	repo, err := gitrepo.Open(t.Context(), source.Dir)
	if err != nil {
		t.Fatal(err)
	}
	secret := "ghp" + "_x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ"
	temp := t.TempDir()
	env := map[string]string{"RUNNER_TEMP": temp, "GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary.md"), "GITHUB_OUTPUT": filepath.Join(temp, "output")}
	j := newJob(Config{Getenv: func(name string) string { return env[name] }, Out: io.Discard})
	if j.settings, err = app.Resolve(func(string) string { return "" }, nil); err != nil {
		t.Fatal(err)
	}
	j.place = &app.Place{Repo: repo, WikiDir: "openwiki"}
	j.publisher = &publish.Publisher{Repo: repo, Policy: publish.DefaultPolicy()}
	j.bundle = &publish.Bundle{
		WikiDir: "openwiki", BaseRef: "main", BaseSHA: source.Head(), State: publish.StatePartial,
		Files: []publish.File{{Path: "openwiki/a.md", Data: []byte("# A\n\nLog in with " + secret + ".\n")}},
		Pages: []publish.Page{{Path: "/openwiki/a.md", Title: "About " + secret, State: "complete", Change: "new"}},
		Delta: &wikidiff.Delta{Pages: []wikidiff.PageDelta{{Path: "/openwiki/a.md", Title: "About " + secret, Change: wikidiff.ChangeNew, Added: 3}}},
	}
	j.finish()
	for _, name := range []string{"summary.md", "output", "wikiwright-report.json"} {
		text := read(t, filepath.Join(temp, name))
		if strings.Contains(strings.ReplaceAll(text, `\`, ""), secret) || strings.Contains(text, "About") {
			t.Errorf("%s tells of the page:\n%s", name, text)
		}
	}
	if got := j.changedPages(); got != "0" || j.status(t.Context()) != statusDone {
		t.Errorf("%s pages, status %d", got, j.status(t.Context()))
	}
}
