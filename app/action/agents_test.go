package action_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

const agentsInput = "extra-paths=AGENTS.md\nCLAUDE.md"

// The block that tells agents of the wiki is written on request only, and nothing else of those files.
func TestRun_agentsFile(t *testing.T) {
	t.Parallel()
	owner := strings.Repeat("A line of the owner.\n", 40)
	w := newWorld(t, githubtest.Options{Seed: gittest.FromTxtar(t, project+"-- AGENTS.md --\n"+owner+"-- CLAUDE.md --\nMine.\n")})
	d := w.run("checkpoints=off")
	d.want(t, 0, "created")
	for name, want := range map[string]string{"AGENTS.md": owner, "CLAUDE.md": "Mine.\n"} {
		if got, _ := w.gh.File("openwiki/update", name); got != want {
			t.Errorf("%s was changed without being asked for: %q", name, got)
		}
	}
	w.checkout()
	d = w.run("checkpoints=off", agentsInput)
	d.want(t, 0, "updated")
	agents, _ := w.gh.File("openwiki/update", "AGENTS.md")
	if !strings.HasPrefix(agents, owner+"\n<!-- OPENWIKI:START -->\n## OpenWiki\n") || !strings.HasSuffix(agents, "\n<!-- OPENWIKI:END -->\n") {
		t.Errorf("AGENTS.md is\n%s", agents)
	}
	if claude, _ := w.gh.File("openwiki/update", "CLAUDE.md"); claude != "Mine.\n\n<!-- OPENWIKI:START -->\n## OpenWiki\n\n@AGENTS.md\n<!-- OPENWIKI:END -->\n" {
		t.Errorf("CLAUDE.md is %q", claude)
	}
	const told = "Also brings the block that tells agents of the wiki up to date in AGENTS.md and CLAUDE.md."
	if !strings.Contains(w.gh.Pull(1).Body, told) || !strings.Contains(d.summary, told) {
		t.Errorf("a reviewer is not told:\n%s", w.gh.Pull(1).Body)
	}
	w.gh.Merge(1, "squash")
	w.checkout()
	d = w.run("checkpoints=off", agentsInput)
	d.want(t, 0, "none")
	if d.outputs["outcome"] != "noop" {
		t.Errorf("the merge of the block made a run that is %s", d.outputs["outcome"])
	}

	// An owner who took the block out is left alone with keep and none, and gets it again with update.
	w.gh.PushAs("ada", "main", map[string]string{"AGENTS.md": owner, "CLAUDE.md": "Mine.\n"})
	for _, mode := range []string{"keep", "none"} {
		w.checkout()
		w.run("checkpoints=off", agentsInput, "agents-file="+mode).want(t, 0, "none")
	}
	w.checkout()
	w.run("checkpoints=off", agentsInput).want(t, 0, "created")
	changed := w.gh.Files("openwiki/update")
	if _, ok := w.gh.File("openwiki/update", "AGENTS.md"); !ok || !slices.Contains(changed, "CLAUDE.md") {
		t.Errorf("files %v", changed)
	}
}

// Marks that do not pair, or a link, keep nobody from the wiki.
func TestRun_agentsFileMarks(t *testing.T) {
	t.Parallel()
	broken := "# Mine\n<!-- OPENWIKI:START -->\nno end\n"
	w := newWorld(t, githubtest.Options{Seed: gittest.FromTxtar(t, project+"-- AGENTS.md --\n"+broken)})
	d := w.run("checkpoints=off", agentsInput)
	d.want(t, 0, "created")
	const want = "AGENTS.md has marks of a block that are not one pair on lines of their own, so it is left alone"
	if !strings.Contains(d.log, "::warning::"+want) || !strings.Contains(d.summary, "AGENTS.md has marks") {
		t.Errorf("nobody is told:\n%s\n%s", d.log, d.summary)
	}
	if got, _ := w.gh.File("openwiki/update", "AGENTS.md"); got != broken {
		t.Errorf("AGENTS.md is %q", got)
	}
	w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
	if d := w.run("extra-paths=README.md"); d.status != 2 || !strings.Contains(d.log, "is neither AGENTS.md nor CLAUDE.md") {
		t.Errorf("README.md: status %d\n%s", d.status, d.log)
	}
}

// In two jobs the block comes from the program of the second one, and not from the bundle.
func TestRun_agentsFileTwoJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{})
	d := w.run("bundle-path=bundle")
	w.run("mode=publish", "bundle-path=bundle", "bundle-digest="+d.outputs["bundle-digest"], agentsInput).want(t, 0, "created")
	if got, _ := w.gh.File("openwiki/update", "AGENTS.md"); !strings.HasPrefix(got, "<!-- OPENWIKI:START -->\n## OpenWiki\n") {
		t.Errorf("AGENTS.md is %q", got)
	}
	if got, ok := w.gh.File("openwiki/update", "CLAUDE.md"); ok {
		t.Errorf("CLAUDE.md was made: %q", got)
	}
}
