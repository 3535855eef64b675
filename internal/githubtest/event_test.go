package githubtest_test

import (
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

func TestEvents(t *testing.T) {
	t.Parallel()
	gh, _ := start(t, githubtest.Options{Fork: true})
	for _, name := range []string{"push", "workflow_dispatch", "pull_request", "issue_comment", "merge_group"} {
		event, err := github.ParseWebHook(name, gh.Event(name, nil))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var repository string
		switch e := event.(type) {
		case *github.PushEvent:
			repository = e.GetRepo().GetFullName()
			if e.GetAfter() != gh.Head("main") {
				t.Errorf("%s: after = %s", name, e.GetAfter())
			}
		case interface{ GetRepo() *github.Repository }:
			repository = e.GetRepo().GetFullName()
		}
		if repository != "acme/widgets" {
			t.Errorf("%s: repository = %q", name, repository)
		}
	}
	schedule := gh.Event("schedule", func(p map[string]any) { p["schedule"] = "1 2 * * *" })
	var payload struct {
		Schedule   string
		Repository struct{ Fork bool }
	}
	decode(t, schedule, &payload)
	if payload.Schedule != "1 2 * * *" || !payload.Repository.Fork {
		t.Errorf("schedule = %+v", payload)
	}
	if githubtest.Event("nothing") != nil {
		t.Error("an unknown event has a payload")
	}
}
