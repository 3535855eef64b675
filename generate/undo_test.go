package generate_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

var errNoMaterial = errors.New("nothing to write about")

// plannerOf returns an author whose planner does one thing.
func plannerOf(plan func(context.Context, *generate.Planning) error) *generatetest.Author {
	return &generatetest.Author{OnPlan: plan}
}

func noPlan(context.Context, *generate.Planning) error { return errNoMaterial }

// A run that planned nothing leaves nothing behind.
func TestNothingPlanned(t *testing.T) {
	t.Run("no wiki before", func(t *testing.T) {
		for _, mode := range []generate.Mode{generate.ModeInit, generate.ModeUpdate} {
			c := generatetest.NewRepo(t, generatetest.R0)
			before := c.Tree(".")
			out, err := c.Do(mode, plannerOf(noPlan))
			if !errors.Is(err, errNoMaterial) || out.Kind != generate.OutcomeFailed {
				t.Fatalf("%s: got %+v, %v, want a failed run", mode, out, err)
			}
			if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
				t.Errorf("%s: files (-before +after):\n%s", mode, diff)
			}
			if _, err := os.Lstat(c.Path("openwiki")); !os.IsNotExist(err) {
				t.Errorf("%s: directory of the wiki: got %v, want none", mode, err)
			}
			mustDo(t, c, mode, &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"))}, generate.OutcomeComplete)
		}
	})
	t.Run("a wiki before", func(t *testing.T) {
		c := generatetest.W0(t)
		before := c.Tree(".")
		if _, err := c.Do(generate.ModeInit, plannerOf(noPlan)); !errors.Is(err, errNoMaterial) {
			t.Fatalf("got %v, want %v", err, errNoMaterial)
		}
		if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
			t.Errorf("files (-before +after):\n%s", diff)
		}
		mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
	})
	t.Run("stopped", func(t *testing.T) {
		c := generatetest.W0(t)
		before := c.Tree(".")
		ctx, cancel := context.WithCancel(t.Context())
		author := plannerOf(func(context.Context, *generate.Planning) error {
			cancel()
			return ctx.Err()
		})
		if _, err := generate.Do(ctx, c.Options(generate.ModeInit, author)); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want the cancellation", err)
		}
		if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
			t.Errorf("files (-before +after):\n%s", diff)
		}
	})
	t.Run("update of a wiki", func(t *testing.T) {
		c := generatetest.W0(t)
		c.Write("src/a.go", "package a\n")
		if _, err := c.Do(generate.ModeUpdate, plannerOf(noPlan)); !errors.Is(err, errNoMaterial) {
			t.Fatalf("got %v, want %v", err, errNoMaterial)
		}
		report := mustStatus(t, c)
		if report.Run == nil || report.Run.Phase != generate.PhasePlanning || report.Reason != "a run was interrupted" {
			t.Errorf("got %+v, want an interrupted update that goes on", report)
		}
	})
	t.Run("page of somebody", func(t *testing.T) {
		c := generatetest.W0(t)
		author := plannerOf(func(context.Context, *generate.Planning) error {
			c.Write("openwiki/core.md", "# My own\n")
			return errNoMaterial
		})
		out, err := c.Do(generate.ModeInit, author)
		if !errors.Is(err, errNoMaterial) {
			t.Fatalf("got %v, want %v", err, errNoMaterial)
		}
		if got := c.Read("openwiki/core.md"); got != "# My own\n" {
			t.Errorf("got %q, want the text somebody wrote meanwhile", got)
		}
		if want := []string{"openwiki/core.md was written while the wiki was being replaced: it is kept"}; !cmp.Equal(want, out.Notes) {
			t.Errorf("notes: got %q, want %q", out.Notes, want)
		}
	})
}

func mustStatus(t *testing.T, c *generatetest.Checkout) *generate.StatusReport {
	t.Helper()
	report, err := generate.Status(t.Context(), c.Options(generate.ModeUpdate, nil))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// killed ends an init of W0 like a kill, when its planner begins.
func killed(t *testing.T) (c *generatetest.Checkout, old map[string]string) {
	t.Helper()
	c, crash := generatetest.W0(t), generatetest.CrashAt(0)
	old = c.Tree("openwiki")
	opt := c.Options(generate.ModeInit, plannerOf(func(context.Context, *generate.Planning) error {
		crash.Now()
		return errNoMaterial
	}))
	if err := crash.Arm(&opt); err != nil {
		t.Fatal(err)
	}
	if _, err := generate.Do(t.Context(), opt); !errors.Is(err, generatetest.ErrCrash) {
		t.Fatalf("got %v, want the crash", err)
	}
	return c, old
}

// An init that is killed while it plans keeps the wiki it replaces, says so,
// and can be gone on with or undone.
func TestKilledWhilePlanning(t *testing.T) {
	t.Run("status", func(t *testing.T) {
		c, _ := killed(t)
		report := mustStatus(t, c)
		if !report.Replaced || report.Running != nil || report.Run == nil || report.Run.Phase != generate.PhasePlanning {
			t.Errorf("got %+v, want an init interrupted while planning and the old wiki kept", report)
		}
		mustFail(t, c, c.Options(generate.ModeUpdate, &generatetest.Author{}), generate.CodeConflict,
			"an interrupted init is in the way", "or drop the run with `wikiwright reset`, which brings the wiki back that it is replacing")
	})
	t.Run("reset", func(t *testing.T) {
		c, old := killed(t)
		removed, err := generate.Reset(t.Context(), c.Options(generate.ModeInit, nil))
		if err != nil || !removed {
			t.Fatalf("got %t, %v, want the run dropped", removed, err)
		}
		if diff := cmp.Diff(old, c.Tree("openwiki")); diff != "" {
			t.Errorf("wiki (-old +after the reset):\n%s", diff)
		}
		if mustStatus(t, c).Replaced {
			t.Error("the old wiki is still said to be kept")
		}
	})
	t.Run("gone on with", func(t *testing.T) {
		c, _ := killed(t)
		out := mustDo(t, c, generate.ModeInit, &generatetest.Author{}, generate.OutcomeComplete)
		if diff := cmp.Diff([]string{quickstart + " complete new"}, outcomes(out)); diff != "" || !out.Resumed {
			t.Errorf("resumed %t, pages (-want +got):\n%s", out.Resumed, diff)
		}
		if mustStatus(t, c).Replaced {
			t.Error("the old wiki is still kept after the plan")
		}
	})
}

// While a run is under way status says so, and which page it is at.
func TestStatusOfRunInProgress(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	look := func() *generate.StatusReport { return mustStatus(t, c) }
	var planning, writing *generate.StatusReport
	author := &generatetest.Author{
		OnPlan: func(ctx context.Context, p *generate.Planning) error {
			planning = look()
			return p.Submit(ctx, proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go")))
		},
		OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
			writing = look()
			return generatetest.WriteCore(ctx, p)
		}},
	}
	mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
	id := os.Getpid()
	for _, test := range []struct {
		name   string
		report *generate.StatusReport
		want   generate.Process
	}{
		{"planning", planning, generate.Process{ID: id}},
		{"writing", writing, generate.Process{ID: id, Pages: []wiki.PagePath{core}}},
	} {
		if test.report.Running == nil || test.report.Run == nil || test.report.Reason != "a run is in progress" || test.report.UpToDate {
			t.Fatalf("%s: got %+v, want a run in progress", test.name, test.report)
		}
		if diff := cmp.Diff(test.want, *test.report.Running); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if report := look(); report.Running != nil || report.Run != nil || !report.UpToDate {
		t.Errorf("got %+v, want no run", report)
	}
}

// A run that skipped pages has ended: what is left to do is said, and nothing
// is called interrupted.
func TestStatusAfterSkippedPages(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go")),
		OnPage:   map[string]rule{core: generatetest.Nothing},
	}
	mustDo(t, c, generate.ModeInit, author, generate.OutcomePartial)
	report := mustStatus(t, c)
	if report.Run != nil || report.UpToDate || strings.Contains(report.Reason, "interrupted") || report.Reason != "the last run left pages out" {
		t.Errorf("got %+v, want pages that were left out", report)
	}
}

// An update of uncommitted source that changes no page leaves every byte as it
// was, however often it runs.
func TestUpdateThatWritesNothing(t *testing.T) {
	c := generatetest.W0(t)
	c.Append("src/b.go", "\nconst Other = 1\n")
	before := c.Tree(".")
	for range 2 {
		c.Tick()
		out := mustDo(t, c, generate.ModeUpdate, &generatetest.Author{}, generate.OutcomeComplete)
		if len(out.Pages) != 0 {
			t.Errorf("pages: got %+v, want none", out.Pages)
		}
		if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
			t.Errorf("files (-before +after):\n%s", diff)
		}
	}
	// A commit moves the baseline, which is worth a record.
	c.Commit("other")
	mustDo(t, c, generate.ModeUpdate, &generatetest.Author{}, generate.OutcomeComplete)
	if got := lastUpdate(t, c); got.GitHead != c.Git("rev-parse", "HEAD") {
		t.Errorf("metadata: got %+v, want the new commit", got)
	}
}
