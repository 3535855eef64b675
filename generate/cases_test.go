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
	"github.com/wikiwright/wikiwright/internal/claims"
)

type rule = func(context.Context, *generate.Page) error

func mustDo(t *testing.T, c *generatetest.Checkout, mode generate.Mode, author *generatetest.Author, kind string) *generate.Outcome {
	t.Helper()
	out, err := c.Do(mode, author)
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	if out.Kind != kind {
		t.Fatalf("%s: got outcome %+v, want %s", mode, out, kind)
	}
	return out
}

// A worker that ends without a submission gets one fresh attempt; when that
// fails too, the page is kept as it was and only it is planned the next time
// (langchain-ai/openwiki#850).
func TestUnsubmittedAttempt(t *testing.T) {
	swapped := func(t *testing.T) *generatetest.Checkout {
		c := generatetest.W0(t)
		c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
		c.Commit("swap")
		return c
	}
	t.Run("retried", func(t *testing.T) {
		c, calls := swapped(t), 0
		author := &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
			if calls++; calls == 1 {
				return generatetest.HalfPage(ctx, p)
			}
			if !strings.Contains(string(p.Text), "# Core") {
				t.Errorf("second attempt: got text %q, want the page as it was", p.Text)
			}
			return generatetest.WriteCore(ctx, p)
		}}}
		out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
		if out.Pages[0].Attempts != 2 {
			t.Errorf("got %d attempts, want 2", out.Pages[0].Attempts)
		}
		mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
	})
	t.Run("skipped", func(t *testing.T) {
		c := swapped(t)
		before := c.Tree("openwiki")
		head := lastUpdate(t, c).GitHead
		author := &generatetest.Author{
			Proposal: proposal(generatetest.PlanPage("extra", "src/b.go")),
			OnPage:   map[string]rule{core: generatetest.HalfPage},
		}
		out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomePartial)
		if diff := cmp.Diff([]string{core + " skipped unchanged", "/openwiki/extra.md complete new"}, outcomes(out)); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		after := c.Tree("openwiki")
		for _, name := range []string{"openwiki/core.md", "openwiki/.claims/core.json"} {
			if after[name] != before[name] {
				t.Errorf("%s changed:\n%s", name, cmp.Diff(before[name], after[name]))
			}
		}
		if got := lastUpdate(t, c); got.Status != "interrupted" || got.GitHead != head {
			t.Errorf("metadata: got %+v, want interrupted on %s", got, head)
		}
		again := &generatetest.Author{OnPage: map[string]rule{core: generatetest.WriteCore}}
		mustDo(t, c, generate.ModeUpdate, again, generate.OutcomeComplete)
		if diff := cmp.Diff([]string{core}, again.Written()); diff != "" || again.Plans() != 1 {
			t.Errorf("next run planned %d times, wrote (-want +got):\n%s", again.Plans(), diff)
		}
	})
	t.Run("all skipped", func(t *testing.T) {
		c := swapped(t)
		mustDo(t, c, generate.ModeUpdate, &generatetest.Author{OnPage: map[string]rule{core: generatetest.Nothing}}, generate.OutcomeFailed)
	})
}

func TestSkipErrorSkipsAtOnce(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go")),
		OnPage:   map[string]rule{core: func(context.Context, *generate.Page) error { return &generate.SkipError{Reason: "needs a model"} }},
	}
	out := mustDo(t, c, generate.ModeInit, author, generate.OutcomePartial)
	want := generate.PageOutcome{Path: core, State: "skipped", Change: "unchanged", Reason: "needs a model", Attempts: 1}
	if diff := cmp.Diff(want, out.Pages[0]); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{core, quickstart}, author.Written()); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

// The same plan again is acknowledged, another one refused; the run goes on
// with the first (langchain-ai/openwiki#787, #890).
func TestPlanSubmittedTwice(t *testing.T) {
	first := proposal(generatetest.PlanPage("quickstart", "README.md"))
	for _, test := range []struct {
		name    string
		second  generate.Proposal
		refused bool
	}{
		{"identical", first, false},
		{"spelled differently", proposal(generate.ProposedPage{Path: "/openwiki/quickstart.md", Title: " About quickstart ", Purpose: "Tell about quickstart", SeedPaths: []string{"/README.md"}}), false},
		{"another page", proposal(first.Pages[0], generatetest.PlanPage("extra")), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := generatetest.NewRepo(t, generatetest.R0)
			author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
				if err := p.Submit(ctx, first); err != nil {
					return err
				}
				before := c.Read("openwiki/.run.json")
				err := p.Submit(ctx, test.second)
				var input *generate.InputError
				if test.refused != errors.As(err, &input) {
					t.Errorf("second plan: got %v, want refused: %t", err, test.refused)
				}
				if after := c.Read("openwiki/.run.json"); after != before {
					t.Errorf("run state changed:\n%s", cmp.Diff(before, after))
				}
				return err
			}}
			out := mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
			if diff := cmp.Diff([]string{quickstart + " complete new"}, outcomes(out)); diff != "" {
				t.Errorf("pages (-want +got):\n%s", diff)
			}
		})
	}
}

// Skipping a new page succeeds whether or not its file was written
// (langchain-ai/openwiki#765).
func TestSkipNewPage(t *testing.T) {
	for name, rule := range map[string]rule{"not written": generatetest.Nothing, "half written": generatetest.HalfPage} {
		t.Run(name, func(t *testing.T) {
			c := generatetest.NewRepo(t, generatetest.R0)
			author := &generatetest.Author{
				Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("sub/new", "src/a.go")),
				OnPage:   map[string]func(context.Context, *generate.Page) error{"/openwiki/sub/new.md": rule},
			}
			mustDo(t, c, generate.ModeInit, author, generate.OutcomePartial)
			if _, err := os.Lstat(c.Path("openwiki/sub")); !os.IsNotExist(err) {
				t.Errorf("folder of the skipped page: got %v, want it gone", err)
			}
			if got := lastUpdate(t, c); got.GitHead != "" || got.Status != "interrupted" {
				t.Errorf("metadata: got %+v, want interrupted without a commit", got)
			}
		})
	}
}

// A run that died halfway never counts as documented
// (langchain-ai/openwiki#364).
func TestPartialInitIsCompletedLater(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	ctx, cancel := context.WithCancel(t.Context())
	plan := proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("a", "src/a.go"), generatetest.PlanPage("b", "src/b.go"), generatetest.PlanPage("c", "src/b.go"))
	author := &generatetest.Author{Proposal: plan, OnPage: map[string]rule{"/openwiki/c.md": func(ctx context.Context, p *generate.Page) error {
		err := generatetest.HalfPage(ctx, p)
		cancel()
		return err
	}}}
	out, err := generate.Do(ctx, c.Options(generate.ModeInit, author))
	if !errors.Is(err, context.Canceled) || out.Kind != generate.OutcomePartial {
		t.Fatalf("got %+v, %v, want a partial outcome and the cancellation", out, err)
	}
	want := []string{"/openwiki/a.md complete new", "/openwiki/b.md complete new", "/openwiki/c.md pending unchanged", quickstart + " pending unchanged"}
	if diff := cmp.Diff(want, outcomes(out)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if _, err := os.Lstat(c.Path("openwiki/c.md")); !os.IsNotExist(err) {
		t.Errorf("page in work: got %v, want it put back", err)
	}
	if removed, err := generate.Reset(t.Context(), c.Options(generate.ModeInit, nil)); err != nil || !removed {
		t.Fatalf("reset: got %t, %v", removed, err)
	}
	c.Commit("partial wiki")
	again := &generatetest.Author{Proposal: proposal(plan.Pages[0], plan.Pages[3])}
	mustDo(t, c, generate.ModeUpdate, again, generate.OutcomeComplete)
	if diff := cmp.Diff([]string{"/openwiki/c.md", quickstart}, again.Written()); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

// The number of workers changes neither bytes nor what is written once
// (langchain-ai/openwiki#891).
func TestWorkersMakeTheSameBytes(t *testing.T) {
	var want map[string]string
	for _, workers := range []int{1, 4, 8} {
		c := generatetest.NewRepo(t, generatetest.R0)
		author := &generatetest.Author{Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("a", "src/a.go"),
			generatetest.PlanPage("b", "src/b.go"), generatetest.PlanPage("c/d", "src/a.go", "src/b.go"), generatetest.PlanPage("c/e", "README.md"))}
		opt := c.Options(generate.ModeInit, author)
		opt.Concurrency = workers
		if _, err := generate.Do(t.Context(), opt); err != nil {
			t.Fatal(err)
		}
		written := author.Written()
		if len(written) != 5 || written[4] != quickstart {
			t.Errorf("%d workers: got %v, want five pages with the quickstart last", workers, written)
		}
		if got := c.Tree("openwiki"); want == nil {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers (-one +got):\n%s", workers, diff)
		}
	}
}

type rateLimit struct{}

func (rateLimit) Error() string     { return "slow down" }
func (rateLimit) RateLimited() bool { return true }

func TestRateLimitSkipsAndSlowsDown(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := &generatetest.Author{
		Proposal: proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go"), generatetest.PlanPage("z", "src/b.go")),
		OnPage:   map[string]rule{core: func(context.Context, *generate.Page) error { return rateLimit{} }},
	}
	opt := c.Options(generate.ModeInit, author)
	opt.Concurrency = 2
	var texts []string
	opt.OnEvent = func(e generate.Event) {
		if strings.HasPrefix(e.Text, "rate limit") {
			texts = append(texts, e.Text)
		}
	}
	out, err := generate.Do(t.Context(), opt)
	if err != nil || out.Kind != generate.OutcomePartial || out.Pages[0].Attempts != 1 {
		t.Errorf("got %+v, %v, want a partial run that tried %s once", out, err, core)
	}
	if diff := cmp.Diff([]string{"rate limit: going on with 1 pages at once"}, texts); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// Evidence that moved is followed in Claims and links without an author
// (langchain-ai/openwiki#899).
func TestMovedEvidenceIsFollowed(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("src/a.go", strings.Repeat("// Comment.\n", 10)+c.Read("src/a.go"))
	c.Commit("comments")
	author := &generatetest.Author{}
	out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	if len(author.Written()) != 0 {
		t.Errorf("written: got %v, want nothing", author.Written())
	}
	if got := c.Read("openwiki/.claims/core.json"); !strings.Contains(got, `"repo://src/a.go#L14-L16"`) {
		t.Errorf("sidecar: got %s, want lines 14 to 16", got)
	}
	if got := c.Read("openwiki/core.md"); !strings.Contains(got, "(../src/a.go#L14-L16)") || !strings.Contains(got, `at: "2026-03-04`) {
		t.Errorf("page: got %s, want the link on lines 14 to 16 and the stamps as they were", got)
	}
	if diff := cmp.Diff([]string{core + " kept rewritten"}, outcomes(out)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

// Claims without evidence need a decision, and never make an endless job
// (langchain-ai/openwiki#638).
func TestDeletedEvidence(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	plan := proposal(generatetest.PlanPage("quickstart", "README.md"), generatetest.PlanPage("core", "src/a.go", "src/b.go"))
	mustDo(t, c, generate.ModeInit, &generatetest.Author{Proposal: plan}, generate.OutcomeComplete)
	c.Remove("src/b.go")
	c.Commit("remove b")
	var refused error
	author := &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
		if len(p.Required) != 1 || p.Required[0].Issue.Kind != claims.Unresolved {
			t.Errorf("required: got %+v, want one unresolved Claim", p.Required)
		}
		refused = p.Submit(ctx, claims.Reconciliation{})
		var input *generate.InputError
		if !errors.As(refused, &input) || !strings.Contains(refused.Error(), p.Required[0].ID) {
			t.Errorf("submission without a decision: got %v, want an input error naming %s", refused, p.Required[0].ID)
		}
		return generatetest.Write(ctx, p)
	}}}
	out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	if got := out.Pages[0].Claims; got != (claims.Counts{Confirmed: 1, Retracted: 1}) {
		t.Errorf("claims: got %+v", got)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

func TestHandEditedPageIsKept(t *testing.T) {
	c := generatetest.W0(t)
	c.Append("openwiki/core.md", "\nMind the overflow.\n")
	c.Commit("edit")
	author := &generatetest.Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
		for _, e := range p.Existing {
			if want := e.Path == core; e.HandEdited != want || (e.GeneratedBy == "") != want {
				t.Errorf("%s: got hand-edited %t, generated by %q", e.Path, e.HandEdited, e.GeneratedBy)
			}
		}
		return p.Submit(ctx, generate.Proposal{})
	}}
	out := mustDo(t, c, generate.ModeUpdate, author, generate.OutcomeComplete)
	got := c.Read("openwiki/core.md")
	if !strings.Contains(got, "Mind the overflow.") || strings.Contains(got, "generated:") {
		t.Errorf("page: got %s, want the edit kept and our stamp gone", got)
	}
	if diff := cmp.Diff([]string{core + " kept rewritten"}, outcomes(out)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

func TestLineEndingsAreNoEdit(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"CRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"byte order mark":  func(s string) string { return "\uFEFF" + s },
		"no final newline": func(s string) string { return strings.TrimRight(s, "\n") },
	} {
		t.Run(name, func(t *testing.T) {
			c := generatetest.W0(t)
			c.Write("openwiki/core.md", change(c.Read("openwiki/core.md")))
			before := c.Tree(".")
			mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
			if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
				t.Errorf("changed:\n%s", diff)
			}
		})
	}
}

// Pages that people add carry no Claims and prove nothing; they neither block
// the no-op nor are they changed.
func TestForeignPage(t *testing.T) {
	c := generatetest.W0(t)
	c.Write("openwiki/notes.md", "# Notes\n")
	out := mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
	if len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "/openwiki/notes.md") {
		t.Errorf("notes: got %q, want one that names the page", out.Notes)
	}
	c.Write("src/a.go", "package a\n")
	c.Commit("change")
	mustDo(t, c, generate.ModeUpdate, &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
		if err := p.Workspace.WritePage(p.Job.Path, []byte("# Core\n\nEmpty.\n")); err != nil {
			return err
		}
		return p.Submit(ctx, claims.Reconciliation{Retracted: []string{p.Claims[0].ID}, Claims: []claims.Proposal{{
			Statement: "The package is empty", Evidence: []claims.ProposedEvidence{{Resource: "repo://src/a.go"}}}}})
	}}}, generate.OutcomeComplete)
	if got := c.Read("openwiki/notes.md"); got != "# Notes\n" {
		t.Errorf("page of a person: got %q, want it as it was", got)
	}
	mustDo(t, c, generate.ModeUpdate, nil, generate.OutcomeNoop)
}

// A page that a checkout has given other line endings is not another page
// when its author writes the same text.
func TestSameTextWithOtherLineEndings(t *testing.T) {
	c := generatetest.W0(t)
	page := c.Read("openwiki/core.md")
	c.Write("openwiki/core.md", strings.ReplaceAll(page, "\n", "\r\n"))
	c.Write("src/a.go", strings.Replace(c.Read("src/a.go"), "x + y", "y + x", 1))
	c.Commit("convert, swap")
	out := mustDo(t, c, generate.ModeUpdate, &generatetest.Author{OnPage: map[string]rule{core: func(ctx context.Context, p *generate.Page) error {
		text := strings.ReplaceAll(string(p.Text), "\r\n", "\n")
		if err := p.Workspace.WritePage(p.Job.Path, []byte(text)); err != nil {
			return err
		}
		return p.Submit(ctx, claims.Reconciliation{Confirmed: []string{p.Claims[0].ID}})
	}}}, generate.OutcomeComplete)
	if diff := cmp.Diff([]string{core + " complete unchanged"}, outcomes(out)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(page, c.Read("openwiki/core.md")); diff != "" {
		t.Errorf("page (-before +after):\n%s", diff)
	}
}
