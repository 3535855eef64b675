package claims_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestReconcile_Decisions(t *testing.T) {
	w := finished(t)
	base := ids(w.open(), core)
	add, lim := base[0], base[1]
	type claim struct {
		id, statement string
		evidence      []string
	}
	keptAdd := claim{add, "Add returns the sum.", []string{addFunc}}
	keptLimit := claim{lim, "The limit is ten.", []string{limit}}
	tests := []struct {
		name string
		in   claims.Reconciliation
		want claims.Counts
		left []claim
	}{
		{"nothing", claims.Reconciliation{}, claims.Counts{Confirmed: 2}, []claim{keptAdd, keptLimit}},
		{"confirm", claims.Reconciliation{Confirmed: []string{" " + lim + " "}}, claims.Counts{Confirmed: 2}, []claim{keptAdd, keptLimit}},
		{
			"same again without id",
			claims.Reconciliation{Claims: []claims.Proposal{proposal("", " The limit is ten. ", " "+limit, limit)}},
			claims.Counts{Confirmed: 2},
			[]claim{keptAdd, keptLimit},
		},
		{
			"same again with id, other spelling of the place",
			claims.Reconciliation{Claims: []claims.Proposal{proposal(lim, "The limit is ten.", "repo://src/b.go#L3")}},
			claims.Counts{Confirmed: 2},
			[]claim{keptAdd, keptLimit},
		},
		{
			"new statement",
			claims.Reconciliation{Claims: []claims.Proposal{proposal(add, "Add adds.", addFunc)}},
			claims.Counts{Confirmed: 1, Revised: 1},
			[]claim{{add, "Add adds.", []string{addFunc}}, keptLimit},
		},
		{
			"new evidence",
			claims.Reconciliation{Claims: []claims.Proposal{proposal(add, "Add returns the sum.", "repo://src/b.go", addFunc)}},
			claims.Counts{Confirmed: 1, Revised: 1},
			[]claim{{add, "Add returns the sum.", []string{addFunc, "repo://src/b.go"}}, keptLimit},
		},
		{
			"retract",
			claims.Reconciliation{Retracted: []string{add, "claim_00000000000000000000000000000000", "gone long ago"}},
			claims.Counts{Confirmed: 1, Retracted: 1},
			[]claim{keptLimit},
		},
		{
			"add",
			propose("Two.", "repo://README.md#L1"),
			claims.Counts{Confirmed: 2, Added: 1},
			[]claim{keptAdd, keptLimit, {"", "Two.", []string{"repo://README.md#L1-L1"}}},
		},
		{
			"replace all",
			claims.Reconciliation{Claims: []claims.Proposal{proposal("", "Two.", limit)}, Retracted: []string{add, lim}},
			claims.Counts{Added: 1, Retracted: 2},
			[]claim{{"", "Two.", []string{limit}}},
		},
		{
			"ids an author made up", // C11
			claims.Reconciliation{Claims: []claims.Proposal{proposal("c1", "One.", limit), proposal("c1", "Two.", limit)}},
			claims.Counts{Confirmed: 2, Added: 2},
			[]claim{keptAdd, keptLimit, {"", "One.", []string{limit}}, {"", "Two.", []string{limit}}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := w.open()
			got, err := s.Reconcile(t.Context(), core, test.in)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("counts %+v, want %+v", got, test.want)
			}
			left := s.Inspect(core)
			if len(left) != len(test.left) {
				t.Fatalf("%d claims left, want %d: %+v", len(left), len(test.left), left)
			}
			for i, want := range test.left {
				c := left[i]
				if want.id == "" {
					want.id = c.ID
					if slices.Contains(base, c.ID) || !strings.HasPrefix(c.ID, "claim_") || len(c.ID) != len("claim_")+32 {
						t.Errorf("new claim has id %q", c.ID)
					}
				}
				if c.ID != want.id || c.Statement != want.statement || !slices.Equal(c.Evidence, want.evidence) {
					t.Errorf("claim %d = %+v, want %+v", i, c, want)
				}
			}
		})
	}
}

func TestReconcile_Error(t *testing.T) {
	w := finished(t)
	add, lim := ids(w.open(), core)[0], ids(w.open(), core)[1]
	foreign := ids(w.open(), quickstart)[0]
	tests := []struct {
		name string
		in   claims.Reconciliation
		want []string
	}{
		{
			"unknown ids", claims.Reconciliation{
				Confirmed: []string{"x"},
				Claims:    []claims.Proposal{proposal("claim_0123456789abcdef0123456789abcdef", "S.", limit)},
			},
			[]string{`claim "x" does not exist`, `claim "claim_0123456789abcdef0123456789abcdef" does not exist`},
		},
		{
			"ids of another page",
			claims.Reconciliation{Confirmed: []string{foreign}, Claims: []claims.Proposal{proposal(foreign, "S.", limit)}, Retracted: []string{foreign}},
			[]string{
				"claim " + foreign + " belongs to /openwiki/quickstart.md", "claim " + foreign + " belongs to /openwiki/quickstart.md",
				"claim " + foreign + " belongs to /openwiki/quickstart.md",
			},
		},
		{
			"two decisions",
			claims.Reconciliation{Confirmed: []string{add}, Claims: []claims.Proposal{proposal(lim, "S.", limit)}, Retracted: []string{add, lim}},
			[]string{"claim " + add + " is decided twice", "claim " + lim + " is decided twice"},
		},
		{
			"same id confirmed twice", claims.Reconciliation{Confirmed: []string{add, add}},
			[]string{"claim " + add + " is decided twice"},
		},
		{
			"confirmed and proposed as it is",
			claims.Reconciliation{Confirmed: []string{lim}, Claims: []claims.Proposal{proposal("", "The limit is ten.", limit)}},
			[]string{"claim " + lim + " is decided twice"},
		},
		{
			"empty", claims.Reconciliation{Claims: []claims.Proposal{proposal("", " ", limit), proposal("", "S.")}},
			[]string{"claims[0]: the statement is empty", "claims[1]: no evidence"},
		},
		{
			"same proposal twice", propose("S.", "repo://src/b.go#L3", "S. ", limit),
			[]string{"claims[1]: the same claim is proposed twice"},
		},
		{
			"same place twice",
			claims.Reconciliation{Claims: []claims.Proposal{proposal("", "S.", "repo://src/b.go#L3", limit)}},
			[]string{"claims[0]: evidence repo://src/b.go#L3 and repo://src/b.go#L3-L3 are the same place"},
		},
		{
			"bad evidence", propose("S.", "src/b.go", "T.", "repo://openwiki/core.md"),
			[]string{
				`claims[0]: evidence "src/b.go": must start with repo://`,
				`claims[1]: evidence "repo://openwiki/core.md": lies in the wiki itself; cite source files`,
			},
		},
		{
			"unresolvable evidence", propose("Some statement.", "repo://src/b.go#L9", "T.", "repo://src/none.go"),
			[]string{
				`new claim "Some statement.": repo://src/b.go#L9-L9: the file has 3 lines`,
				`new claim "T.": repo://src/none.go: the file does not exist`,
			},
		},
		{"nothing left", claims.Reconciliation{Retracted: []string{add, lim}}, []string{"a page needs at least one claim"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := w.open()
			before := s.Inspect(core)
			_, err := s.Reconcile(t.Context(), core, test.in)
			var input *claims.InputError
			if !errors.As(err, &input) {
				t.Fatalf("error %v, want *InputError", err)
			}
			if diff := cmp.Diff(test.want, input.Problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, s.Inspect(core)); diff != "" {
				t.Errorf("the claims changed:\n%s", diff)
			}
		})
	}
	s := w.open()
	_, err := s.Reconcile(t.Context(), "/openwiki/new.md", claims.Reconciliation{})
	if err == nil || err.Error() != "claims of /openwiki/new.md: a page needs at least one claim" {
		t.Errorf("new page without claims: %v", err)
	}
	if slices.Contains(s.Pages(), "/openwiki/new.md") {
		t.Error("a refused page is represented")
	}
}

// A deleted source needs a decision, which may be to retract. C05
func TestReconcile_IssueNeedsDecision(t *testing.T) {
	w := finished(t)
	lim := ids(w.open(), core)[1]
	w.Git("rm", "--quiet", "src/b.go")
	w.CommitStaged("remove b")

	s := w.open()
	wantIssues := []claims.Issue{{
		Page: core, Kind: claims.Unresolved, ClaimID: lim, Resources: []string{limit},
		Hints: []string{limit + ": the file does not exist"},
	}}
	if diff := cmp.Diff(wantIssues, s.Issues()); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
	_, err := s.Reconcile(t.Context(), core, claims.Reconciliation{})
	var input *claims.InputError
	if !errors.As(err, &input) || len(input.Problems) != 1 || !strings.Contains(input.Problems[0], lim+" needs a decision (unresolved: "+limit+")") {
		t.Fatalf("submission without decision: %v", err)
	}
	// Confirming what is gone is no way out.
	_, err = s.Reconcile(t.Context(), core, claims.Reconciliation{Confirmed: []string{lim}})
	if !errors.As(err, &input) || input.Problems[0] != "claim "+lim+": "+limit+": the file does not exist" {
		t.Fatalf("confirming: %v", err)
	}
	counts := w.reconcile(s, core, claims.Reconciliation{Retracted: []string{lim}})
	if counts != (claims.Counts{Confirmed: 1, Retracted: 1}) || len(s.Issues()) != 0 {
		t.Errorf("counts %+v, issues %+v", counts, s.Issues())
	}
	w.finalize(s, day2)
	w.check(s.Prove(core, "submit_page"))
	if issues := w.open().Issues(); len(issues) != 0 {
		t.Errorf("the next run has issues: %+v", issues)
	}
	// Retracting again is what a retry does.
	w.reconcile(s, core, claims.Reconciliation{Retracted: []string{lim}})
}

// Untouched claims keep their bytes, ids and order. C04
func TestReconcile_SparseDecisions(t *testing.T) {
	w := newWorld(t)
	var source strings.Builder
	var pairs []string
	for i := range 25 {
		fmt.Fprintf(&source, "const C%d = %d\n", i, i)
		pairs = append(pairs, fmt.Sprintf("C%d is %d.", i, i), fmt.Sprintf("repo://src/c.go#L%d", i+1))
	}
	w.Write("src/c.go", source.String())
	w.Write("openwiki/core.md", pageText("Core"))
	w.Commit("source")
	s := w.open()
	w.reconcile(s, core, propose(pairs...))
	w.finalize(s, day1)
	before := strings.Split(w.Read("openwiki/.claims/core.json"), "\n    {\n")

	text := source.String()
	changed := []int{2, 7, 11, 18, 24}
	for _, i := range changed {
		text = strings.Replace(text, fmt.Sprintf("= %d\n", i), fmt.Sprintf("= %d00\n", i), 1)
	}
	w.Write("src/c.go", text)
	s = w.open()
	if got := len(s.Issues()); got != 5 {
		t.Fatalf("%d stale claims, want 5", got)
	}
	var in claims.Reconciliation
	all := ids(s, core)
	for _, i := range changed {
		in.Claims = append(in.Claims, proposal(all[i], fmt.Sprintf("C%d is %d00.", i, i), fmt.Sprintf("repo://src/c.go#L%d", i+1)))
	}
	if counts := w.reconcile(s, core, in); counts != (claims.Counts{Revised: 5, Confirmed: 20}) {
		t.Errorf("counts %+v", counts)
	}
	if diff := cmp.Diff(all, ids(s, core)); diff != "" {
		t.Errorf("ids changed:\n%s", diff)
	}
	w.check(s.Finalize(t.Context(), claims.FinalizeOptions{
		At: day2, Only: []wiki.PagePath{core}, KeepEvent: func(wiki.PagePath) bool { return true },
	}))
	after := strings.Split(w.Read("openwiki/.claims/core.json"), "\n    {\n")
	if len(before) != 26 || len(after) != 26 {
		t.Fatalf("sidecars have %d and %d parts, want 26", len(before), len(after))
	}
	var differ []int
	for i := range before[1:] {
		if before[i+1] != after[i+1] {
			differ = append(differ, i)
		}
	}
	if !slices.Equal(differ, changed) || before[0] != after[0] {
		t.Errorf("entries %v differ, want %v; head the same: %v", differ, changed, before[0] == after[0])
	}
}

// The author sees no issue, but the source changed after the preflight.
func TestReconcile_ChangedSincePreflight(t *testing.T) {
	w := finished(t)
	s := w.open()
	add := ids(s, core)[0]
	w.Write("src/a.go", strings.Replace(w.Read("src/a.go"), "x + y", "y + x", 1))
	_, err := s.Reconcile(t.Context(), core, claims.Reconciliation{})
	var input *claims.InputError
	if !errors.As(err, &input) || len(input.Problems) != 1 || !strings.Contains(input.Problems[0], add+" needs a decision (stale") {
		t.Fatalf("error %v", err)
	}
	if got := s.IssuesOf(core); len(got) != 1 || got[0].Kind != claims.Stale || got[0].ClaimID != add {
		t.Errorf("the change is not an issue now: %+v", got)
	}
	counts := w.reconcile(s, core, claims.Reconciliation{Confirmed: []string{add}})
	if counts != (claims.Counts{Confirmed: 2}) || len(s.Issues()) != 0 {
		t.Errorf("counts %+v, issues %+v", counts, s.Issues())
	}
}

// Ids depend on nothing but the decisions.
func TestReconcile_IDs(t *testing.T) {
	var first []string
	for range 2 {
		w := newWorld(t)
		s := w.open()
		w.reconcile(s, core, propose("S.", limit, "T.", limit))
		got := ids(s, core)
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("ids differ between runs:\n%s", diff)
		}
		// The same claim on another page has another id.
		w.reconcile(s, quickstart, propose("S.", limit))
		if ids(s, quickstart)[0] == got[0] {
			t.Errorf("two pages share id %s", got[0])
		}
		// An id of a claim that became another one is not given again.
		w.reconcile(s, core, claims.Reconciliation{Claims: []claims.Proposal{proposal(got[0], "U.", limit)}})
		w.reconcile(s, core, propose("S.", limit))
		if now := ids(s, core); len(now) != 3 || now[2] == got[0] || now[0] != got[0] {
			t.Errorf("ids %v after %v", now, got)
		}
	}
	want := []string{"claim_7ae7957dafa229507a687f331cdfc6dd", "claim_d65fe9a18a7ef6ef6aa39023201546c8"}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("ids differ from those of earlier versions (-want +got):\n%s", diff)
	}
}

func TestReconcile_Concurrent(t *testing.T) {
	w := newWorld(t)
	s := w.open()
	var group sync.WaitGroup
	const workers = 8
	errs := make([]error, 2*workers)
	for i := range 2 * workers {
		page := wiki.PagePath(fmt.Sprintf("/openwiki/p%d.md", i%workers))
		w.Write(page.RepoPath(), pageText("P"))
		group.Go(func() {
			_, err := s.Reconcile(t.Context(), page, propose(fmt.Sprintf("Statement %d.", i), addFunc, "Common.", limit))
			if err == nil {
				err = s.Finalize(t.Context(), claims.FinalizeOptions{At: day1, Only: []wiki.PagePath{page}})
			}
			s.Issues()
			s.Moved()
			s.Count(page)
			s.EvidencePaths(page)
			errs[i] = err
		})
	}
	group.Wait()
	w.check(errors.Join(errs...))
	seen := map[string]bool{}
	for _, page := range s.Pages() {
		// Only now: two workers share each page, and one's decision may come between the other's sidecar and its proof.
		w.check(s.Prove(page, "submit_page"))
		if got := s.Count(page); got != 3 {
			t.Errorf("%s has %d claims, want 3", page, got)
		}
		for _, id := range ids(s, page) {
			if seen[id] {
				t.Errorf("id %s is given twice", id)
			}
			seen[id] = true
		}
	}
	if len(seen) != 3*workers {
		t.Errorf("%d ids, want %d", len(seen), 3*workers)
	}
}
