package generate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// crashCase is a run that is stopped at every durable write.
type crashCase struct {
	name   string
	mode   generate.Mode
	setup  func(t *testing.T) *generatetest.Checkout
	author func() *generatetest.Author
	want   []string // outcomes of the undisturbed run
	// replans says that the run starts by planning anew, so that what was
	// complete before it is not any more.
	replans bool
}

func crashCases() []crashCase {
	rules := map[string]func(context.Context, *generate.Page) error{}
	return []crashCase{
		{
			name:  "init",
			mode:  generate.ModeInit,
			setup: func(t *testing.T) *generatetest.Checkout { return generatetest.NewRepo(t, generatetest.R0) },
			author: func() *generatetest.Author {
				return &generatetest.Author{OnPage: rules, Proposal: proposal(
					generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("guide/a", "src/a.go"), generatetest.PlanPage("guide/b", "src/b.go"))}
			},
			want: []string{"/openwiki/guide/a.md complete new", "/openwiki/guide/b.md complete new", "/openwiki/quickstart.md complete new"},
		},
		{
			name:  "init replaces a wiki",
			mode:  generate.ModeInit,
			setup: func(t *testing.T) *generatetest.Checkout { return bigWiki(t) },
			author: func() *generatetest.Author {
				return &generatetest.Author{OnPage: map[string]func(context.Context, *generate.Page) error{"/openwiki/b.md": generatetest.HalfPage},
					Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("a", "src/a.go"), generatetest.PlanPage("b", "src/b.go"))}
			},
			want: []string{"/openwiki/a.md complete new", "/openwiki/b.md skipped unchanged", "/openwiki/quickstart.md complete new"},
		},
		{
			name:  "update",
			mode:  generate.ModeUpdate,
			setup: func(t *testing.T) *generatetest.Checkout { return changedWiki(t) },
			author: func() *generatetest.Author {
				return &generatetest.Author{
					OnPage: map[string]func(context.Context, *generate.Page) error{
						"/openwiki/skipped.md":    generatetest.HalfPage,
						"/openwiki/newskipped.md": generatetest.HalfPage,
					},
					Proposal: generate.Proposal{
						Pages:       []generate.ProposedPage{generatetest.PlanPage("new", "src/new.go"), generatetest.PlanPage("newskipped", "src/new.go")},
						DeletePages: []string{"/openwiki/deleted.md"},
					},
				}
			},
			want: []string{
				"/openwiki/changed.md complete rewritten", "/openwiki/deleted.md deleted removed", "/openwiki/edited.md kept rewritten",
				"/openwiki/moved.md kept rewritten", "/openwiki/new.md complete new", "/openwiki/newskipped.md skipped unchanged",
				"/openwiki/skipped.md skipped unchanged",
			},
		},
		{
			name:  "update resumed after the source moved",
			mode:  generate.ModeUpdate,
			setup: func(t *testing.T) *generatetest.Checkout { return interruptedWiki(t) },
			author: func() *generatetest.Author {
				return &generatetest.Author{
					Proposal: proposal(generatetest.PlanPage("new", "src/new.go"), generatetest.PlanPage("still", "src/still.go")),
					OnPage:   map[string]func(context.Context, *generate.Page) error{"/openwiki/still.md": generatetest.HalfPage},
				}
			},
			want: []string{
				"/openwiki/edited.md kept rewritten", "/openwiki/moved.md kept rewritten", "/openwiki/new.md complete rewritten",
				"/openwiki/newer.md complete rewritten", "/openwiki/skipped.md complete rewritten", "/openwiki/still.md skipped unchanged",
			},
			replans: true,
		},
	}
}

// interruptedWiki is changedWiki in the middle of an update, with its source
// changed once more.
func interruptedWiki(t *testing.T) *generatetest.Checkout {
	t.Helper()
	c := changedWiki(t)
	ctx, cancel := context.WithCancel(t.Context())
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("new", "src/new.go"), generatetest.PlanPage("newer", "src/new.go")),
		OnPage: map[string]func(context.Context, *generate.Page) error{"/openwiki/skipped.md": func(ctx context.Context, p *generate.Page) error {
			err := generatetest.HalfPage(ctx, p)
			cancel()
			return err
		}},
	}
	if _, err := generate.Do(ctx, c.Options(generate.ModeUpdate, author)); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the cancellation", err)
	}
	c.Write("src/new.go", "package fresher\n")
	c.Commit("more changes")
	return c
}

// bigWiki has a finished wiki with a page for each kind of change.
func bigWiki(t *testing.T) *generatetest.Checkout {
	t.Helper()
	c := generatetest.NewRepo(t, generatetest.R0+`-- src/changed.go --
package changed
-- src/skipped.go --
package skipped
-- src/moved.go --
// Package moved moves.
package moved
-- src/still.go --
package still
-- openwiki/INSTRUCTIONS.md --
Write for newcomers.
`)
	author := &generatetest.Author{Proposal: proposal(
		generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("changed", "src/changed.go"), generatetest.PlanPage("skipped", "src/skipped.go"),
		generatetest.PlanPage("moved", "src/moved.go"), generatetest.PlanPage("edited", "src/b.go"), generatetest.PlanPage("deleted", "src/b.go"),
		generatetest.PlanPage("still", "src/still.go"))}
	if out, err := c.Do(generate.ModeInit, author); err != nil || out.Kind != generate.OutcomeComplete {
		t.Fatalf("got %+v, %v", out, err)
	}
	c.Write("openwiki/logo.svg", "<svg/>\n")
	c.Commit("wiki")
	c.Tick()
	return c
}

// changedWiki is bigWiki with its source and one page changed.
func changedWiki(t *testing.T) *generatetest.Checkout {
	t.Helper()
	c := bigWiki(t)
	c.Write("src/changed.go", "package other\n")
	c.Write("src/skipped.go", "package other\n")
	c.Write("src/new.go", "package fresh\n")
	c.Write("src/moved.go", "// Copyright.\n\n"+c.Read("src/moved.go"))
	c.Append("openwiki/edited.md", "\nBy hand.\n")
	c.Commit("changes")
	return c
}

// TestCrashAtEveryWrite stops a run right before and right after each of its
// durable steps and runs again: the wiki must be what the undisturbed run
// makes, and a page the first run completed is not written again.
func TestCrashAtEveryWrite(t *testing.T) {
	for _, test := range crashCases() {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d workers", test.name, workers), func(t *testing.T) {
				t.Parallel()
				testCrash(t, test, workers)
			})
		}
	}
}

func testCrash(t *testing.T, test crashCase, workers int) {
	start := test.setup(t)
	run := func(c *generatetest.Checkout, author *generatetest.Author, crash *generatetest.Crash) (*generate.Outcome, error) {
		opt := c.Options(test.mode, author)
		opt.Concurrency = workers
		if err := crash.Arm(&opt); err != nil {
			t.Fatal(err)
		}
		return generate.Do(t.Context(), opt)
	}
	undisturbed, never := start.Copy(t), generatetest.CrashAt(0)
	out, err := run(undisturbed, test.author(), never)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(test.want, outcomes(out)); diff != "" {
		t.Fatalf("undisturbed run (-want +got):\n%s", diff)
	}
	want, undisturbedKind := undisturbed.Tree("openwiki"), out.Kind
	// The disk is the same after one step and before the next, so with one
	// worker the points before all steps and the last point are every state
	// there is. With more workers the odd stride takes samples of both sides.
	step := 2
	if workers > 1 {
		step = 5
	}
	if testing.Short() {
		step = 14
	}
	points := []int{never.Points()}
	for n := 1; n < never.Points(); n += step {
		points = append(points, n)
	}
	for _, n := range points {
		c, crash := start.Copy(t), generatetest.CrashAt(n)
		_, err := run(c, test.author(), crash)
		if crash.Happened() != errors.Is(err, generatetest.ErrCrash) {
			t.Fatalf("point %d, %+v: got error %v, want the crash", n, crash.Last(), err)
		}
		ended := crash.Last().Name == "openwiki/.run.json" && crash.Last().Op == atomicfile.OpRemove && crash.Last().When == atomicfile.After
		if ended || !crash.Happened() {
			// The run has ended; what follows would be another one. Workers that
			// make the same directory at one time count it twice, so that a run
			// may have fewer points than the undisturbed one.
			if diff := cmp.Diff(want, c.Tree("openwiki")); diff != "" {
				t.Fatalf("point %d, %+v: wiki (-undisturbed +got):\n%s", n, crash.Last(), diff)
			}
			continue
		}
		if crash.Happened() && test.mode == generate.ModeUpdate && lastUpdate(t, c).Status == generate.StatusComplete && undisturbedKind != generate.OutcomeComplete && n > 10 {
			t.Errorf("point %d, %+v: the metadata calls the wiki complete", n, crash.Last())
		}
		finished := completedPages(t, c)
		again := test.author()
		out, err := run(c, again, generatetest.CrashAt(0))
		if err != nil {
			t.Fatalf("point %d, %+v: run again: %v", n, crash.Last(), err)
		}
		if out.Kind != undisturbedKind {
			t.Errorf("point %d, %+v: run again: got outcome %s, want %s", n, crash.Last(), out.Kind, undisturbedKind)
		}
		if diff := cmp.Diff(want, c.Tree("openwiki")); diff != "" {
			t.Fatalf("point %d, %+v: wiki after running again (-undisturbed +got):\n%s", n, crash.Last(), diff)
		}
		for _, page := range again.Written() {
			if finished[page] && !test.replans {
				t.Errorf("point %d, %+v: %s was complete and is written again", n, crash.Last(), page)
			}
		}
	}
}

// completedPages returns the pages that the manifest says the interrupted run
// completed.
func completedPages(t *testing.T, c *generatetest.Checkout) map[string]bool {
	t.Helper()
	tree := c.Tree("openwiki")
	var state struct{ RunID string }
	var manifest struct {
		Pages map[string]struct{ CompletedRunID string }
	}
	if tree["openwiki/.run.json"] == "" || tree["openwiki/.page-manifest.json"] == "" {
		return nil
	}
	for name, into := range map[string]any{"openwiki/.run.json": &state, "openwiki/.page-manifest.json": &manifest} {
		if err := json.Unmarshal([]byte(tree[name]), into); err != nil {
			t.Fatal(err)
		}
	}
	done := map[string]bool{}
	for page, entry := range manifest.Pages {
		done[page] = strings.EqualFold(entry.CompletedRunID, state.RunID)
	}
	return done
}

// TestWriteFailsOnce lets single writes fail, as on a full disk: the run must
// say so, or not have needed the write, and running again must end in the same
// wiki.
func TestWriteFailsOnce(t *testing.T) {
	for _, test := range crashCases() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testFailOnce(t, test)
		})
	}
}

func testFailOnce(t *testing.T, test crashCase) {
	start := test.setup(t)
	undisturbed, count := start.Copy(t), generatetest.CrashAt(0)
	opt := undisturbed.Options(test.mode, test.author())
	if err := count.Arm(&opt); err != nil {
		t.Fatal(err)
	}
	if _, err := generate.Do(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	want := undisturbed.Tree("openwiki")
	// Odd points are those before a step: a full disk lets nothing happen.
	for n := 1; n <= count.Points(); n += 4 {
		c, fault := start.Copy(t), generatetest.FailAt(n, syscall.ENOSPC)
		opt := c.Options(test.mode, test.author())
		if err := fault.Arm(&opt); err != nil {
			t.Fatal(err)
		}
		before := c.Tree("openwiki")
		out, err := generate.Do(t.Context(), opt)
		ofAuthor := strings.HasSuffix(fault.Last().Name, ".md") || strings.HasPrefix(fault.Last().Name, "wikiwright/attempts") || fault.Last().Op == atomicfile.OpMkdir
		if err == nil && ofAuthor {
			// The author could not write its page; its second attempt could.
			if diff := cmp.Diff(want, c.Tree("openwiki")); diff != "" {
				t.Fatalf("point %d, %+v: wiki (-undisturbed +got):\n%s", n, fault.Last(), diff)
			}
			continue
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("point %d, %+v: got %+v, %v, want the full disk", n, fault.Last(), out, err)
		}
		if _, err := os.Lstat(c.Path("openwiki/.run.json")); err != nil && test.mode == generate.ModeInit && len(before) > 0 {
			if diff := cmp.Diff(before, c.Tree("openwiki")); diff != "" {
				t.Fatalf("point %d, %+v: the old wiki did not come back:\n%s", n, fault.Last(), diff)
			}
		}
		if _, err := c.Do(test.mode, test.author()); err != nil {
			t.Fatalf("point %d, %+v: run again: %v", n, fault.Last(), err)
		}
		if diff := cmp.Diff(want, c.Tree("openwiki")); diff != "" {
			t.Fatalf("point %d, %+v: wiki after running again (-undisturbed +got):\n%s", n, fault.Last(), diff)
		}
	}
}

// TestDiskStaysFull fills the disk at every third step of a run and leaves it
// full until the run has ended. The run must say so and lose nothing: once
// there is room again, the next run ends in the wiki of an undisturbed one.
func TestDiskStaysFull(t *testing.T) {
	for _, test := range crashCases() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testDiskFull(t, test)
		})
	}
}

func testDiskFull(t *testing.T, test crashCase) {
	start := test.setup(t)
	undisturbed, count := start.Copy(t), generatetest.CrashAt(0)
	opt := undisturbed.Options(test.mode, test.author())
	if err := count.Arm(&opt); err != nil {
		t.Fatal(err)
	}
	if _, err := generate.Do(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	want, before := undisturbed.Tree("openwiki"), start.Tree("openwiki")
	for n := 1; n <= count.Points(); n += 6 {
		c, full := start.Copy(t), generatetest.FullAt(n, syscall.ENOSPC)
		opt := c.Options(test.mode, test.author())
		if err := full.Arm(&opt); err != nil {
			t.Fatal(err)
		}
		out, err := generate.Do(t.Context(), opt)
		if full.Happened() && !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full at point %d, %+v: got %+v, %v, want the full disk", n, full.Last(), out, err)
		}
		finished := completedPages(t, c)
		again := test.author()
		if full.Happened() {
			if _, err := c.Do(test.mode, again); err != nil {
				t.Fatalf("full at point %d, %+v: run again: %v", n, full.Last(), err)
			}
		}
		if diff := cmp.Diff(want, c.Tree("openwiki")); diff != "" {
			t.Fatalf("full at point %d, %+v: wiki after running again (-undisturbed +got):\n%s", n, full.Last(), diff)
		}
		for _, page := range again.Written() {
			if finished[page] && !test.replans {
				t.Errorf("full at point %d, %+v: %s was complete and is written again", n, full.Last(), page)
			}
		}
	}
	if test.mode == generate.ModeInit && len(before) > 0 {
		restoredWhenFull(t, start, test, before)
	}
}

// restoredWhenFull fills the disk while an init plans: the wiki of before is
// there again once there is room for it.
func restoredWhenFull(t *testing.T, start *generatetest.Checkout, test crashCase, before map[string]string) {
	t.Helper()
	c, full := start.Copy(t), generatetest.FullAt(math.MaxInt, syscall.ENOSPC)
	opt := c.Options(test.mode, plannerOf(func(ctx context.Context, p *generate.Planning) error {
		full.Now()
		return p.Submit(ctx, test.author().Proposal)
	}))
	if err := full.Arm(&opt); err != nil {
		t.Fatal(err)
	}
	if _, err := generate.Do(t.Context(), opt); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want the full disk", err)
	}
	if _, err := generate.Reset(t.Context(), c.Options(test.mode, nil)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, c.Tree("openwiki")); diff != "" {
		t.Errorf("wiki after the reset (-before +after):\n%s", diff)
	}
}
