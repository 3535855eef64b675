package claims_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestFinalize(t *testing.T) {
	w := finished(t)
	sidecar, err := w.config().Store.Load(core)
	w.check(err)
	if want := (wiki.Event{By: actor, At: day1}); sidecar.Verification == nil || *sidecar.Verification != want {
		t.Errorf("verification %+v, want %+v", sidecar.Verification, want)
	}
	page := w.Read("openwiki/core.md")
	want := "---\ntype: concept\ntitle: Core\nverified:\n  - by: wikiwright/1.0\n    at: " + day1 + "\n---\n\n# Core\n\nText.\n"
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if got := wiki.PageVersion([]byte(page)); sidecar.PageVersion != got {
		t.Errorf("page version %s, want %s", sidecar.PageVersion, got)
	}
	s := w.open()
	w.check(s.Prove(core, "finish"))
	w.check(s.Prove(quickstart, "finish"))
}

// The events of others stay; ours are replaced, whoever of us made them.
func TestFinalize_ForeignEvents(t *testing.T) {
	w := newWorld(t)
	w.Write("openwiki/core.md", "---\ntype: concept\ntitle: Core\nverified:\n  - by: openwiki/0.7.0\n    at: "+day1+
		"\n  - by: ada@example.com\n    at: 2025-05-05T12:00:00.000Z\n    note: read twice\n  - by: wikiwright-extractive/0.1\n    at: "+day1+"\n---\n\n# Core\n")
	s := w.open()
	w.reconcile(s, core, propose("S.", limit))
	w.finalize(s, day2, core)
	got := w.Read("openwiki/core.md")
	for _, part := range []string{"openwiki/0.7.0", "wikiwright-extractive/0.1"} {
		if strings.Contains(got, part) {
			t.Errorf("event of %s stays:\n%s", part, got)
		}
	}
	for _, part := range []string{"ada@example.com", "note: read twice", "by: wikiwright/1.0\n    at: " + day2} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not there:\n%s", part, got)
		}
	}
	// A stamp without justification goes, the other stays.
	w.Append("src/b.go", "x")
	w.Write("src/b.go", strings.Replace(w.Read("src/b.go"), "10", "11", 1))
	s = w.open()
	w.finalize(s, day2)
	got = w.Read("openwiki/core.md")
	if strings.Contains(got, actor) || !strings.Contains(got, "ada@example.com") {
		t.Errorf("stale page:\n%s", got)
	}
	sidecar, err := w.config().Store.Load(core)
	w.check(err)
	if sidecar.Verification == nil || sidecar.PageVersion != wiki.PageVersion([]byte(got)) {
		t.Errorf("sidecar %+v", sidecar)
	}
}

func TestFinalize_KeepEvent(t *testing.T) {
	w := finished(t)
	s := w.open()
	w.reconcile(s, core, claims.Reconciliation{})
	w.reconcile(s, quickstart, claims.Reconciliation{})
	before := w.tree()
	keep := func(page wiki.PagePath) bool { return page == core }
	w.check(s.Finalize(t.Context(), claims.FinalizeOptions{At: day2, Only: []wiki.PagePath{core}, KeepEvent: keep}))
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("kept event, but files changed:\n%s", diff)
	}
	w.check(s.Finalize(t.Context(), claims.FinalizeOptions{At: day2, Only: []wiki.PagePath{quickstart}, KeepEvent: keep}))
	if got := w.Read("openwiki/quickstart.md"); !strings.Contains(got, day2) || strings.Contains(got, day1) {
		t.Errorf("stamp did not move:\n%s", got)
	}
	w.check(errors.Join(s.Prove(core, "finish"), s.Prove(quickstart, "finish")))
}

func TestFinalize_Exclude(t *testing.T) {
	w := finished(t)
	w.Append("openwiki/core.md", "An edit of a person.\n")
	w.Append("openwiki/quickstart.md", "Another.\n")
	side, page := w.Read("openwiki/.claims/core.json"), w.Read("openwiki/core.md")
	w.Write("openwiki/.claims/gone.json", "{}")
	s := w.open()
	w.check(s.Finalize(t.Context(), claims.FinalizeOptions{
		At: day2, Exclude: map[wiki.PagePath]bool{core: true, "/openwiki/gone.md": true},
	}))
	if w.Read("openwiki/.claims/core.json") != side || w.Read("openwiki/core.md") != page || w.Read("openwiki/.claims/gone.json") != "{}" {
		t.Error("an excluded page changed")
	}
	if err := s.Prove(quickstart, "finish"); err != nil {
		t.Errorf("the other page is not refreshed: %v", err)
	}
}

func TestFinalize_Deleted(t *testing.T) {
	w := finished(t)
	s := w.open()
	s.Deleted(core)
	if got := s.Inspect(core); len(got) != 0 || slices.Contains(s.Pages(), core) {
		t.Errorf("deleted page has claims %v", got)
	}
	w.Remove("openwiki/core.md")
	w.finalize(s, day2, core)
	if _, err := os.Lstat(w.Path("openwiki/.claims/core.json")); !os.IsNotExist(err) {
		t.Errorf("sidecar stays: %v", err)
	}
	// Planned anew after all.
	w.Write("openwiki/core.md", pageText("Core"))
	w.reconcile(s, core, propose("S.", limit))
	w.finalize(s, day2, core)
	w.check(s.Prove(core, "finish"))
}

func TestFinalize_Error(t *testing.T) {
	w := finished(t)
	s := w.open()
	add := ids(s, core)[0]
	w.reconcile(s, core, claims.Reconciliation{Claims: []claims.Proposal{proposal(add, "Adds.", addFunc)}})
	w.reconcile(s, quickstart, claims.Reconciliation{Claims: []claims.Proposal{proposal("", "More.", limit)}})
	w.reconcile(s, "/openwiki/new.md", propose("New.", limit))
	w.Write("src/a.go", strings.Replace(w.Read("src/a.go"), "x + y", "y + x", 1))

	side := w.Read("openwiki/.claims/core.json")
	err := s.Finalize(t.Context(), claims.FinalizeOptions{At: day2})
	var input *claims.InputError
	var missing *claims.PageMissingError
	if !errors.As(err, &input) || input.Page != core || !strings.HasPrefix(input.Problems[0], "the source changed meanwhile: claim "+add) {
		t.Errorf("changed source: %v", err)
	}
	if !errors.As(err, &missing) || missing.Page != "/openwiki/new.md" {
		t.Errorf("page that was never written: %v", err)
	}
	if w.Read("openwiki/.claims/core.json") != side {
		t.Error("the failed page was written")
	}
	// One bad page keeps no other back.
	w.check(s.Prove(quickstart, "finish"))

	if got := s.IssuesOf(core); len(got) != 1 || got[0].ClaimID != add {
		t.Errorf("issues %+v", got)
	}
	w.reconcile(s, core, claims.Reconciliation{Confirmed: []string{add}})
	w.Write("openwiki/new.md", pageText("New"))
	w.finalize(s, day2)
	for _, page := range []wiki.PagePath{core, quickstart, "/openwiki/new.md"} {
		w.check(s.Prove(page, "finish"))
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Finalize(ctx, claims.FinalizeOptions{At: day2}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// Lines that move between decision and finalizing are followed.
func TestFinalize_MovedMeanwhile(t *testing.T) {
	w := finished(t)
	s := w.open()
	w.reconcile(s, core, claims.Reconciliation{})
	w.Write("src/a.go", "// new\n"+w.Read("src/a.go"))
	w.finalize(s, day2, core)
	w.check(s.Prove(core, "submit_page"))
	const now = "repo://src/a.go#L5-L7"
	if got := s.Inspect(core)[0].Evidence[0]; got != now || len(s.MovedOf(core)) != 1 {
		t.Errorf("evidence %s, want %s; moves %v", got, now, s.MovedOf(core))
	}
}

func TestFinalize_SecurityErrorEndsAtOnce(t *testing.T) {
	w := finished(t)
	s := w.open()
	w.reconcile(s, core, claims.Reconciliation{})
	w.reconcile(s, quickstart, claims.Reconciliation{})
	before := w.Read("openwiki/quickstart.md")
	w.Rename("openwiki/core.md", "target.md")
	w.Symlink("../target.md", "openwiki/core.md")
	var security *claims.SecurityError
	if err := s.Finalize(t.Context(), claims.FinalizeOptions{At: day2}); !errors.As(err, &security) {
		t.Errorf("error %v", err)
	}
	if w.Read("openwiki/quickstart.md") != before {
		t.Error("finalizing went on")
	}
}

func TestProve_Error(t *testing.T) {
	tests := []struct {
		name   string
		break_ func(w *world)
		want   string
	}{
		{"page gone", func(w *world) { w.Remove("openwiki/core.md") }, "it does not exist"},
		{"sidecar gone", func(w *world) { w.Remove("openwiki/.claims/core.json") }, "it has no sidecar"},
		{"page edited", func(w *world) { w.Append("openwiki/core.md", "x\n") }, "its text is not the one the sidecar describes"},
		{"no verification", func(w *world) {
			text := w.Read("openwiki/.claims/core.json")
			i := strings.Index(text, ",\n  \"verification\"")
			w.Write("openwiki/.claims/core.json", text[:i]+"\n}\n")
		}, "its sidecar has no verification"},
		{"other stamp", func(w *world) {
			text := w.Read("openwiki/.claims/core.json")
			w.Write("openwiki/.claims/core.json", strings.Replace(text, day1, day2, 1))
		}, "its front matter lacks the verification of the sidecar"},
		{"other statement", func(w *world) {
			text := w.Read("openwiki/.claims/core.json")
			w.Write("openwiki/.claims/core.json", strings.Replace(text, "The limit is ten.", "No.", 1))
		}, "claim claim_"},
		{"other evidence", func(w *world) {
			text := w.Read("openwiki/.claims/core.json")
			w.Write("openwiki/.claims/core.json", strings.Replace(text, limit, "repo://src/b.go#L1-L1", 1))
		}, "claim claim_"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := finished(t)
			s := w.open()
			w.check(s.Prove(core, "submit_page"))
			test.break_(w)
			err := s.Prove(core, "submit_page")
			var proof *claims.ProofError
			if !errors.As(err, &proof) || proof.Op != "submit_page" || !strings.HasPrefix(proof.Reason, test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
	w := finished(t)
	s := w.open()
	w.reconcile(s, core, propose("Not yet written.", limit))
	var proof *claims.ProofError
	if err := s.Prove(core, "finish"); !errors.As(err, &proof) || proof.Reason != "its sidecar has 2 claims, not 3" {
		t.Errorf("undurable decisions: %v", err)
	}
	w.Write("openwiki/.claims/core.json", "{")
	var file *claims.FileError
	if err := s.Prove(core, "finish"); !errors.As(err, &file) {
		t.Errorf("unreadable sidecar: %v", err)
	}
}

var errStopped = errors.New("stopped")

// stopAt returns a hook that fails at the n-th call and counts all.
func stopAt(n int, calls *int) func(atomicfile.Step) error {
	return func(step atomicfile.Step) error {
		*calls++
		if *calls == n {
			return fmt.Errorf("%s %s %s: %w", step.When, step.Op, step.Name, errStopped)
		}
		return nil
	}
}

// stopping is a finalize that is stopped and repeated: of one changed, one new,
// one deleted page and one orphan. It begins from the wiki in saved.
func (w *world) stopping(saved string, stop int, restart bool) (tree string, calls int) {
	w.t.Helper()
	w.Remove("openwiki")
	w.check(os.CopyFS(w.Path("openwiki"), os.DirFS(saved)))
	const added = wiki.PagePath("/openwiki/new/page.md")
	decide := func(s *claims.Session) {
		w.reconcile(s, core, claims.Reconciliation{Claims: []claims.Proposal{
			proposal(ids(s, core)[0], "Adds.", addFunc), proposal("", "More.", limit),
		}})
		w.reconcile(s, added, propose("New.", limit))
		s.Deleted(quickstart)
	}
	s := openWith(w, stopAt(stop, &calls))
	decide(s)
	w.Remove("openwiki/quickstart.md")
	err := s.Finalize(w.t.Context(), claims.FinalizeOptions{At: day2})
	if (err != nil) != (calls >= stop) || err != nil && !errors.Is(err, errStopped) {
		w.t.Fatalf("stop %d, %d calls: %v", stop, calls, err)
	}
	if restart {
		// What a new process reads is complete, old or new.
		s = w.open()
		decide(s)
	}
	w.finalize(s, day2)
	w.check(s.Prove(core, "finish"))
	w.check(s.Prove(added, "finish"))
	return w.tree(), calls
}

func openWith(w *world, hook func(atomicfile.Step) error) *claims.Session {
	w.t.Helper()
	w.hook = hook
	defer func() { w.hook = nil }()
	return w.open()
}

// Whatever write a run stops at, repeating it gives the same bytes.
func TestFinalize_StoppedAtEveryWrite(t *testing.T) {
	w := finished(t)
	w.Write("openwiki/new/page.md", pageText("New"))
	w.Write("openwiki/.claims/old/orphan.json", "{}")
	saved := t.TempDir()
	w.check(os.CopyFS(saved, os.DirFS(w.Path("openwiki"))))
	want, steps := w.stopping(saved, 1<<30, false)
	if steps < 10 {
		t.Fatalf("only %d steps", steps)
	}
	if !strings.Contains(want, "openwiki/.claims/new/page.json") || strings.Contains(want, "orphan") || strings.Contains(want, "quickstart") {
		t.Fatalf("tree:\n%s", want)
	}
	for stop := 1; stop <= steps; stop++ {
		for _, restart := range []bool{false, true} {
			got, _ := w.stopping(saved, stop, restart)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("stopped at %d of %d, restart %v (-want +got):\n%s", stop, steps, restart, diff)
			}
		}
	}
}

// Finishing one page reads and writes that page alone.
func TestFinalize_OnlyTouchesItsPage(t *testing.T) {
	w := large(t, 30, 2)
	var steps []string
	s := openWith(w, func(step atomicfile.Step) error {
		if step.When == atomicfile.After {
			steps = append(steps, step.Op+" "+step.Name)
		}
		return nil
	})
	// Every other page is unreadable from now on: touching one would fail.
	for p := 1; p < 30; p++ {
		w.Remove(fmt.Sprintf("openwiki/p%d.md", p))
		w.Write(fmt.Sprintf("openwiki/p%d.md/x", p), "")
		w.Write(fmt.Sprintf("openwiki/.claims/p%d.json", p), "unreadable")
	}
	const page = wiki.PagePath("/openwiki/p0.md")
	w.reconcile(s, page, propose("More.", limit))
	w.finalize(s, day2, page)
	w.check(s.Prove(page, "submit_page"))
	if want := []string{"write openwiki/.claims/p0.json", "write openwiki/p0.md"}; !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}
