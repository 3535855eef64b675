package generate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// mustFail runs and checks the class of the error, and that nothing changed.
func mustFail(t *testing.T, c *generatetest.Checkout, opt generate.Options, code generate.Code, words ...string) *generate.Error {
	t.Helper()
	before := c.Tree(".")
	_, err := generate.Do(t.Context(), opt)
	var e *generate.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got error %v, want one of class %s", err, code)
	}
	for _, word := range words {
		if !strings.Contains(err.Error()+" "+e.Hint, word) {
			t.Errorf("got %q with hint %q, want it to say %q", err, e.Hint, word)
		}
	}
	if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
	return e
}

// interrupt leaves an init that ended in the page core.
func interrupt(t *testing.T, c *generatetest.Checkout) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("a", "src/b.go"), generatetest.PlanPage("core", "src/a.go")),
		OnPage: map[string]rule{core: func(context.Context, *generate.Page) error {
			cancel()
			return ctx.Err()
		}},
	}
	if _, err := generate.Do(ctx, c.Options(generate.ModeInit, author)); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the cancellation", err)
	}
}

func TestBeginRefuses(t *testing.T) {
	author := &generatetest.Author{}
	t.Run("unknown language", func(t *testing.T) {
		c := generatetest.W0(t)
		opt := c.Options(generate.ModeInit, author)
		opt.Language = "klingon"
		mustFail(t, c, opt, generate.CodeInvalidInput, "klingon")
	})
	t.Run("other mode", func(t *testing.T) {
		c := generatetest.NewRepo(t, generatetest.R0)
		interrupt(t, c)
		mustFail(t, c, c.Options(generate.ModeUpdate, author), generate.CodeConflict, "interrupted init", "wikiwright init", "wikiwright reset")
	})
	t.Run("other language", func(t *testing.T) {
		c := generatetest.NewRepo(t, generatetest.R0)
		interrupt(t, c)
		opt := c.Options(generate.ModeInit, author)
		opt.Language = "de"
		mustFail(t, c, opt, generate.CodeConflict, `"en"`, `"de"`)
	})
	t.Run("foreign run state", func(t *testing.T) {
		c := generatetest.NewRepo(t, generatetest.R0)
		interrupt(t, c)
		c.Write("openwiki/.run.json", strings.Replace(c.Read("openwiki/.run.json"), `"language"`, `"reflections": [],`+"\n  "+`"language"`, 1))
		for _, mode := range []generate.Mode{generate.ModeInit, generate.ModeUpdate} {
			mustFail(t, c, c.Options(mode, author), generate.CodeInvalidState, "openwiki/.run.json:7: reflections", "wikiwright reset")
		}
		if removed, err := generate.Reset(t.Context(), c.Options(generate.ModeInit, nil)); err != nil || !removed {
			t.Fatalf("reset: got %t, %v", removed, err)
		}
		if _, err := os.Lstat(c.Path("openwiki/a.md")); err != nil {
			t.Errorf("finished page after the reset: %v", err)
		}
		mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
	})
	t.Run("malformed manifest", func(t *testing.T) {
		c := generatetest.W0(t)
		c.Write("openwiki/.page-manifest.json", "{\n  \"schemaVersion\": 2, \"pages\": {}}\n")
		mustFail(t, c, c.Options(generate.ModeUpdate, author), generate.CodeInvalidState, ".page-manifest.json:2", "newer")
	})
	t.Run("malformed sidecar", func(t *testing.T) {
		c := generatetest.W0(t)
		c.Write("openwiki/.claims/core.json", "{\n")
		mustFail(t, c, c.Options(generate.ModeUpdate, author), generate.CodeInvalidState, "openwiki/.claims/core.json")
	})
	t.Run("wiki is a link", func(t *testing.T) {
		c := generatetest.NewRepo(t, generatetest.R0)
		c.Symlink("src", "openwiki")
		mustFail(t, c, c.Options(generate.ModeInit, author), generate.CodeInvalidState, "symbolic link")
	})
	t.Run("documents of somebody", func(t *testing.T) {
		c := generatetest.NewRepo(t, generatetest.R0+"-- openwiki/manual.md --\n# Our manual\n-- openwiki/pic.png --\nx\n")
		for _, mode := range []generate.Mode{generate.ModeInit, generate.ModeUpdate} {
			mustFail(t, c, c.Options(mode, author), generate.CodeInvalidInput, "wikiDirectory")
		}
	})
	t.Run("link in place of a page", func(t *testing.T) {
		c := generatetest.W0(t)
		c.Remove("openwiki/core.md")
		c.Symlink("../README.md", "openwiki/core.md")
		mustFail(t, c, c.Options(generate.ModeInit, author), generate.CodeInvalidState, "openwiki/core.md is a symbolic link")
	})
	t.Run("no author", func(t *testing.T) {
		c := generatetest.W0(t)
		opt := c.Options(generate.ModeInit, nil)
		noKey := errors.New("no key")
		opt.NewAuthor = func(context.Context) (generate.Author, error) { return nil, noKey }
		before := c.Tree(".")
		if _, err := generate.Do(t.Context(), opt); !errors.Is(err, noKey) {
			t.Errorf("got %v, want the error of the author", err)
		}
		if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
			t.Errorf("files changed:\n%s", diff)
		}
	})
}

func TestSecondProcessIsRefused(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
		_, err := c.Do(generate.ModeInit, &generatetest.Author{})
		if !errors.Is(err, generate.ErrLocked) || generate.CodeOf(err) != generate.CodeConflict || !strings.Contains(err.Error(), "process") {
			t.Errorf("second process: got %v, want a conflict that names the process", err)
		}
		return p.Submit(ctx, proposal(generatetest.PlanPage("quickstart", "README.md")))
	}}
	mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
	if _, err := os.Lstat(filepath.Join(c.Dir, ".git", "wikiwright.lock")); err != nil {
		t.Errorf("lock file: %v", err)
	}
}

func TestResumeKeepsCompletePages(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	interrupt(t, c)
	c.Tick()
	author := &generatetest.Author{}
	opt := c.Options(generate.ModeInit, author)
	opt.Actor.Producer = "other/1"
	out, err := generate.Do(t.Context(), opt)
	if err != nil || out.Kind != generate.OutcomeComplete || !out.Resumed {
		t.Fatalf("got %+v, %v, want a resumed complete run", out, err)
	}
	if diff := cmp.Diff([]string{core, quickstart}, author.Written()); diff != "" || author.Plans() != 0 {
		t.Errorf("planned %d times, written (-want +got):\n%s", author.Plans(), diff)
	}
	for page, by := range map[string]string{"openwiki/a.md": "wikiwright/test", "openwiki/core.md": "other/1"} {
		if got := c.Read(page); !strings.Contains(got, `generated: { by: "`+by+`", at: "2026-03-04T05:06:07.000Z" }`) {
			t.Errorf("%s: got %s, want it generated by %s when the run began", page, got, by)
		}
	}
}

func TestResumeAfterTheSourceMovedPlansAnew(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	interrupt(t, c)
	c.Write("src/c.go", "package c\n")
	head := c.Commit("move")
	author := &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("c", "src/c.go"))}
	out := mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
	want := []string{"/openwiki/a.md deleted removed", "/openwiki/c.md complete new", quickstart + " complete new"}
	if diff := cmp.Diff(want, outcomes(out)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if got := lastUpdate(t, c); got.GitHead != head || got.Status != "complete" {
		t.Errorf("metadata: got %+v", got)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

func TestSourceMovesDuringRun(t *testing.T) {
	c := generatetest.W0(t)
	base := lastUpdate(t, c).GitHead
	c.Write("src/b.go", "package a\n\nconst Limit = 11\n")
	c.Commit("limit")
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("limit", "src/b.go")),
		OnPage: map[string]rule{"/openwiki/limit.md": func(ctx context.Context, p *generate.Page) error {
			err := generatetest.Write(ctx, p)
			c.Write("README.md", "# other\n")
			return err
		}},
	}
	out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomePartial)
	if !out.SourceChanged {
		t.Error("got an outcome without sourceChanged")
	}
	if got := lastUpdate(t, c); got.Status != "interrupted" || got.GitHead != base {
		t.Errorf("metadata: got %+v, want interrupted on %s", got, base)
	}
	if _, err := os.Lstat(c.Path("openwiki/.run.json")); !os.IsNotExist(err) {
		t.Errorf("run state: got %v, want it gone", err)
	}
}

func TestInitReplacesWiki(t *testing.T) {
	setup := func(t *testing.T) *generatetest.Checkout {
		c := generatetest.W0(t)
		c.Write("openwiki/INSTRUCTIONS.md", "Be brief.\n")
		c.Write("openwiki/logo.svg", "<svg/>\n")
		c.Write("openwiki/guide/old.md", "---\ntype: Guide\n---\n\nOld.\n")
		c.Chmod("openwiki/guide/old.md", 0o600)
		c.Commit("a page by hand, which git can bring back")
		return c
	}
	t.Run("done", func(t *testing.T) {
		c := setup(t)
		var goal string
		author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
			goal = p.WikiGoal
			return p.Submit(ctx, proposal(generatetest.PlanPage("quickstart", "README.md")))
		}}
		mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
		var names []string
		for _, name := range []string{"core.md", "guide/old.md", "INSTRUCTIONS.md", "logo.svg", "quickstart.md", ".claims/core.json", ".claims/quickstart.json"} {
			if _, err := os.Lstat(c.Path("openwiki/" + name)); err == nil {
				names = append(names, name)
			}
		}
		if diff := cmp.Diff([]string{"INSTRUCTIONS.md", "logo.svg", "quickstart.md", ".claims/quickstart.json"}, names); diff != "" || goal != "Be brief." {
			t.Errorf("goal %q, files (-want +got):\n%s", goal, diff)
		}
	})
	t.Run("stopped by a signal before it is durable", func(t *testing.T) {
		c := setup(t)
		before := c.Tree(".")
		ctx, cancel := context.WithCancel(t.Context())
		opt := c.Options(generate.ModeInit, &generatetest.Author{})
		now := opt.Now
		opt.Now = func() time.Time { cancel(); return now() }
		if _, err := generate.Do(ctx, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the cancellation", err)
		}
		if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
			t.Errorf("the old wiki did not come back:\n%s", diff)
		}
		if info, err := os.Lstat(c.Path("openwiki/guide/old.md")); err != nil || info.Mode() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("mode of a file that came back: got %v, %v, want 0600", info, err)
		}
		if _, err := os.Lstat(filepath.Join(c.Dir, ".git/wikiwright/replaced.tar")); !os.IsNotExist(err) {
			t.Errorf("saved wiki: got %v, want it gone", err)
		}
	})
}

func TestKilledReplacementIsUndone(t *testing.T) {
	c := generatetest.W0(t)
	before := c.Tree(".")
	for n := 1; ; n++ {
		crash := generatetest.CrashAt(n)
		opt := c.Options(generate.ModeInit, &generatetest.Author{})
		if err := crash.Arm(&opt); err != nil {
			t.Fatal(err)
		}
		if _, err := generate.Do(t.Context(), opt); !errors.Is(err, generatetest.ErrCrash) {
			t.Fatalf("point %d: got %v, want the crash", n, err)
		}
		if _, err := os.Lstat(c.Path("openwiki/.run.json")); err == nil {
			if n < 10 {
				t.Fatalf("the run was durable after %d points already", n)
			}
			return
		}
		// The next process, whatever it does, first brings the wiki back.
		mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
		if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
			t.Fatalf("point %d, %+v: the old wiki did not come back:\n%s", n, crash.Last(), diff)
		}
	}
}

// A diff that fails is never "nothing changed".
func TestUnknownBaseline(t *testing.T) {
	c := generatetest.W0(t)
	gone := strings.Repeat("1", 40)
	known := lastUpdate(t, c).GitHead
	for _, name := range []string{"openwiki/.last-update.json", "openwiki/.page-manifest.json"} {
		c.Write(name, strings.ReplaceAll(c.Read(name), known, gone))
	}
	c.Commit("rewritten history")
	var windows []generate.Window
	author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
		windows = p.Windows
		return p.Submit(ctx, generate.Proposal{})
	}}
	out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	want := []generate.Window{{BaseGitHead: gone, Pages: []wiki.PagePath{core, quickstart}, FullReview: true}}
	if diff := cmp.Diff(want, windows); diff != "" {
		t.Errorf("windows (-want +got):\n%s", diff)
	}
	if len(out.Notes) == 0 || !strings.Contains(out.Notes[0], gone) {
		t.Errorf("notes: got %q, want one that names %s", out.Notes, gone)
	}
}

// After a squash the recorded commit is there, and no ancestor: what changed is the difference of the two trees, and nothing else.
func TestBaselineThatIsNoAncestor(t *testing.T) {
	c := generatetest.W0(t)
	base := lastUpdate(t, c).GitHead
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Git("checkout", "-q", "--orphan", "squashed")
	c.Commit("everything at once")
	var windows []generate.Window
	author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
		windows = p.Windows
		return p.Submit(ctx, generate.Proposal{})
	}, OnPage: map[string]rule{core: generatetest.WriteCore}}
	mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	want := []generate.Window{{BaseGitHead: base, Pages: []wiki.PagePath{core, quickstart}, ChangedPaths: []string{"src/a.go"}}}
	if diff := cmp.Diff(want, windows); diff != "" {
		t.Errorf("windows (-want +got):\n%s", diff)
	}
}

func TestWindows(t *testing.T) {
	c := generatetest.W0(t)
	base := lastUpdate(t, c).GitHead
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	head := c.Commit("swap")
	skip := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md")),
		OnPage:   map[string]rule{core: generatetest.Nothing},
	}
	mustDo(t, c, generate.ModeUpdate, skip, generate.OutcomePartial)
	c.Write("openwiki/new.md", "---\ntype: Reference\n---\n\nBy hand.\n")
	c.Write("untracked.txt", "x\n")
	var windows []generate.Window
	var issues []claims.Issue
	author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
		windows, issues = p.Windows, p.Issues
		return p.Submit(ctx, generate.Proposal{})
	}, OnPage: map[string]rule{core: generatetest.WriteCore}}
	mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	want := []generate.Window{
		{Pages: []wiki.PagePath{"/openwiki/new.md"}, FullReview: true},
		{BaseGitHead: base, Pages: []wiki.PagePath{core}, ChangedPaths: []string{"src/a.go"}},
		{BaseGitHead: head, Pages: []wiki.PagePath{quickstart}},
	}
	less := want[1:]
	if less[0].BaseGitHead > less[1].BaseGitHead {
		less[0], less[1] = less[1], less[0]
	}
	if diff := cmp.Diff(want, windows); diff != "" {
		t.Errorf("windows (-want +got):\n%s", diff)
	}
	if len(issues) != 1 || issues[0].Page != core || issues[0].Kind != claims.Stale {
		t.Errorf("issues: got %+v, want one stale Claim of %s", issues, core)
	}
}

// A Claim the source does not support blocks the no-op even on a clean tree.
func TestStaleClaimOnCleanTree(t *testing.T) {
	c := generatetest.W0(t)
	const name = "openwiki/.claims/core.json"
	text := c.Read(name)
	at := strings.Index(text, "repo-lines-v1:sha256:") + len("repo-lines-v1:sha256:")
	digit := "0"
	if text[at] == '0' {
		digit = "1"
	}
	c.Write(name, text[:at]+digit+text[at+1:])
	c.Commit("tamper")
	author := &generatetest.Author{OnPage: map[string]rule{core: generatetest.WriteCore}}
	mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	if diff := cmp.Diff([]string{core}, author.Written()); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

func TestLanguageChangeRewritesAllPages(t *testing.T) {
	c := generatetest.W0(t)
	opt := c.Options(generate.ModeUpdate, nil)
	author := &generatetest.Author{}
	opt.NewAuthor, opt.Language = author.New, "de"
	out, err := generate.Do(t.Context(), opt)
	if err != nil || out.Kind != generate.OutcomeComplete || out.Language != "de" {
		t.Fatalf("got %+v, %v", out, err)
	}
	if diff := cmp.Diff([]string{core, quickstart}, author.Written()); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	if got := lastUpdate(t, c); got.Language != "de" {
		t.Errorf("metadata: got %+v", got)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

// An error of status or reset does not speak of beginning a run.
func TestErrorsNameWhatWasDone(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0+"-- openwiki --\na file\n")
	if _, err := generate.Status(t.Context(), c.Options(generate.ModeUpdate, nil)); err == nil || !strings.HasPrefix(err.Error(), "status: ") {
		t.Errorf("status: got %v", err)
	}
	if _, err := generate.Reset(t.Context(), c.Options(generate.ModeUpdate, nil)); err == nil || !strings.HasPrefix(err.Error(), "reset: ") {
		t.Errorf("reset: got %v", err)
	}
}

func TestUnbornBranch(t *testing.T) {
	c := generatetest.NewEmptyRepo(t)
	c.Write("README.md", "# demo\n")
	c.Git("add", "README.md")
	out := mustDo(t, c, generate.ModeInit, &generatetest.Author{}, generate.OutcomeComplete)
	if out.GitHead != "" || lastUpdate(t, c).GitHead != "" {
		t.Errorf("got head %q, metadata %+v, want none", out.GitHead, lastUpdate(t, c))
	}
}

func TestStatus(t *testing.T) {
	c := generatetest.W0(t)
	before := c.Tree(".git")
	report, err := generate.Status(t.Context(), c.Options(generate.ModeUpdate, nil))
	if err != nil || !report.Exists || !report.UpToDate || report.Run != nil || len(report.Pages) != 2 || report.Claims.Total != 2 {
		t.Errorf("got %+v, %v, want a wiki of two pages that is up to date", report, err)
	}
	c.Write("src/a.go", "package a\n")
	c.Append("openwiki/quickstart.md", "More.\n")
	report, err = generate.Status(t.Context(), c.Options(generate.ModeUpdate, nil))
	if err != nil || report.UpToDate || report.Reason == "" || report.Claims.Stale+report.Claims.Unresolved != 1 {
		t.Errorf("got %+v, %v, want one Claim that does not hold", report, err)
	}
	if !report.Pages[1].HandEdited || report.Pages[0].HandEdited || !report.Pages[0].Covered {
		t.Errorf("pages: got %+v, want the second one edited", report.Pages)
	}
	if diff := cmp.Diff(before, c.Tree(".git")); diff != "" {
		t.Errorf("status wrote into the git directory:\n%s", diff)
	}
	other := generatetest.NewRepo(t, generatetest.R0)
	interrupt(t, other)
	report, err = generate.Status(t.Context(), other.Options(generate.ModeUpdate, nil))
	if err != nil || report.Run == nil || report.Run.Complete != 1 || report.Run.Pending != 2 || report.Run.Mode != generate.ModeInit {
		t.Errorf("got %+v, %v, want an interrupted init with one of three pages", report, err)
	}
}

// A clone that lacks the content of old files cannot tell what was renamed.
// That is a hint less, and no reason to fail.
func TestMissingBlob(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("src/long.go", "package a\n\nconst One = 1\n\nconst Two = 2\n\nconst Three = 3\n")
	c.Commit("long")
	mustDo(t, c, generate.ModeUpdate, &generatetest.Author{}, generate.OutcomeComplete)
	c.Commit("wiki")
	object := c.Git("rev-parse", "HEAD:src/long.go")
	c.Git("mv", "src/long.go", "src/longer.go")
	c.Append("src/longer.go", "\nconst Four = 4\n")
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Commit("rename")
	if err := os.Remove(c.Path(".git/objects/" + object[:2] + "/" + object[2:])); err != nil {
		t.Fatal(err)
	}
	author := &generatetest.Author{OnPage: map[string]rule{core: generatetest.WriteCore}}
	mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
}
