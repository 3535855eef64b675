package generate_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const (
	core       = "/openwiki/core.md"
	quickstart = "/openwiki/quickstart.md"
)

func proposal(pages ...generate.ProposedPage) generate.Proposal {
	return generate.Proposal{Pages: pages}
}

// outcomes returns "path state change" lines.
func outcomes(out *generate.Outcome) []string {
	var lines []string
	for _, p := range out.Pages {
		lines = append(lines, p.Path+" "+p.State+" "+p.Change)
	}
	return lines
}

func TestInitThenUpdateIsNoop(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("guide/core", "src/a.go"))}
	out, err := c.Do(generate.ModeInit, author)
	if err != nil {
		t.Fatal(err)
	}
	if out.Kind != generate.OutcomeComplete || out.Resumed || out.GitHead != c.Head() || out.Language != "en" || out.Claims.Total != 2 {
		t.Errorf("got outcome %+v, want a complete new run on %s in en with 2 Claims", out, c.Head())
	}
	want := []string{"/openwiki/guide/core.md complete new", "/openwiki/quickstart.md complete new"}
	if diff := cmp.Diff(want, outcomes(out)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	t.Log(c.Read("openwiki/guide/core.md"))
	t.Log(c.Read("openwiki/.page-manifest.json"))
	t.Log(c.Read("openwiki/.last-update.json"))
	if _, err := os.Lstat(c.Path("openwiki/.run.json")); !os.IsNotExist(err) {
		t.Errorf("run state: got %v, want it gone", err)
	}
	before := c.Tree(".")
	c.Tick()
	out, err = c.Do(generate.ModeUpdate, nil)
	if err != nil || out.Kind != generate.OutcomeNoop {
		t.Fatalf("update: got %+v, %v, want a no-op", out, err)
	}
	if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
		t.Errorf("a no-op changed files (-before +after):\n%s", diff)
	}
	c.Commit("wiki")
	out, err = c.Do(generate.ModeUpdate, nil)
	if err != nil || out.Kind != generate.OutcomeNoop || c.Git("status", "--porcelain") != "" {
		t.Errorf("update after the commit: got %+v, %v, status %q, want a no-op", out, err, c.Git("status", "--porcelain"))
	}
}

func lastUpdate(t *testing.T, c *generatetest.Checkout) generate.LastUpdate {
	t.Helper()
	var u generate.LastUpdate
	if err := json.Unmarshal([]byte(c.Read("openwiki/.last-update.json")), &u); err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUpdateRewritesWhatChanged(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	head := c.Commit("swap")
	before := c.Tree("openwiki")
	author := &generatetest.Author{}
	out, err := c.Do(generate.ModeUpdate, author)
	if err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v", out, err)
	}
	if diff := cmp.Diff([]string{core}, author.Written()); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	after := c.Tree("openwiki")
	for name, text := range before {
		switch name {
		case "openwiki/core.md", "openwiki/.claims/core.json", "openwiki/.page-manifest.json", "openwiki/.last-update.json":
			if after[name] == text {
				t.Errorf("%s did not change", name)
			}
		case "openwiki/index.md":
		default:
			if after[name] != text {
				t.Errorf("%s changed:\n%s", name, cmp.Diff(text, after[name]))
			}
		}
	}
	if got := lastUpdate(t, c); got.GitHead != head || got.Status != "complete" || got.Command != "update" {
		t.Errorf("metadata: got %+v", got)
	}
	if out, err := c.Do(generate.ModeUpdate, nil); err != nil || out.Kind != generate.OutcomeNoop {
		t.Errorf("update again: got %+v, %v, want a no-op", out, err)
	}
}

// A page is told of when a kill could not lose it any more: another process
// that resumes right then finds it complete.
func TestOnPage(t *testing.T) {
	for _, workers := range []int{1, 4} {
		c := generatetest.NewRepo(t, generatetest.R0)
		author := &generatetest.Author{
			Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("a", "src/a.go"),
				generatetest.PlanPage("b", "src/b.go"), generatetest.PlanPage("skipped", "src/b.go")),
			OnPage: map[string]rule{"/openwiki/skipped.md": generatetest.Nothing},
		}
		opt := c.Options(generate.ModeInit, author)
		opt.Concurrency = workers
		told := map[string]generate.PageOutcome{}
		var busy atomic.Bool
		opt.OnPage = func(p generate.PageOutcome) {
			if !busy.CompareAndSwap(false, true) {
				t.Error("two calls at a time")
			}
			defer busy.Store(false)
			told[p.Path] = p
			manifest, err := generate.DecodeManifest("manifest", wiki.DefaultDir, []byte(c.Read("openwiki/.page-manifest.json")))
			if err != nil {
				t.Error(err)
				return
			}
			entry, ok := manifest.Get(wiki.PagePath(p.Path))
			if !ok || entry.PageVersion != wiki.PageVersion([]byte(c.Read(p.Path[1:]))) {
				t.Errorf("%s is told of before the manifest records it", p.Path)
			}
		}
		if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomePartial {
			t.Fatalf("got %+v, %v", out, err)
		}
		want := map[string]generate.PageOutcome{}
		for _, page := range []string{"/openwiki/a.md", "/openwiki/b.md", quickstart} {
			want[page] = generate.PageOutcome{Path: page, State: "complete", Change: "new", Attempts: 1, Claims: claims.Counts{Added: 1}}
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("%d workers: told (-want +got):\n%s", workers, diff)
		}
	}
}

// A page costs so many durable writes and no more: a flush of the disk each.
func TestWritesOfAPage(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	author := &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
		text := strings.Replace(string(p.Text), "Add sums", "Add adds", 1)
		if err := p.Workspace.WritePage(p.Job.Path, []byte(text)); err != nil {
			return err
		}
		return p.Submit(ctx, claims.Reconciliation{Confirmed: []string{p.Claims[0].ID}})
	}}}
	opt := c.Options(generate.ModeUpdate, author)
	git, err := atomicfile.Open(opt.Repo.GitDir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	job := regexp.MustCompile(`/[0-9a-f-]{36}(\.json)?$`)
	record := func(s atomicfile.Step) error {
		if s.When == atomicfile.After && s.Op == atomicfile.OpWrite {
			got = append(got, job.ReplaceAllString(s.Name, ""))
		}
		return nil
	}
	opt.Files, opt.GitFiles = opt.Files.WithHook(record), git.WithHook(record)
	if out, err := generate.Do(t.Context(), opt); err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v", out, err)
	}
	want := []string{
		"openwiki/.run.json", "openwiki/.last-update.json", "openwiki/.run.json", // begin and plan
		"wikiwright/originals", "wikiwright/attempts", "openwiki/core.md", // what was, what comes, the author's text
		"openwiki/.claims/core.json", "openwiki/core.md", "openwiki/.page-manifest.json", "openwiki/.run.json", // the submission
		"openwiki/.last-update.json", // the end
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}
