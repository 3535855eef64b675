package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wikiwright/wikiwright/internal/claims"
)

func evidenceOf(resources ...string) []claims.ProposedEvidence {
	var out []claims.ProposedEvidence
	for _, r := range resources {
		out = append(out, claims.ProposedEvidence{Resource: r})
	}
	return out
}

func TestReconcile(t *testing.T) {
	stale := &claims.InspectedIssue{}
	have := []claims.Inspected{
		{ID: "same", Statement: "A.", Evidence: []string{"repo://a.go#L1-L1"}},
		{ID: "flagged", Statement: "B.", Evidence: []string{"repo://a.go#L2-L2"}, Issue: stale},
		{ID: "moved", Statement: "C.", Evidence: []string{"repo://a.go#L3-L3"}, Issue: stale},
		{ID: "reworded", Statement: "D.", Evidence: []string{"repo://a.go#L4-L4"}},
		{ID: "gone", Statement: "E.", Evidence: []string{"repo://a.go#L5-L5"}},
	}
	want := []claim{
		{"A.", []string{"repo://a.go#L1-L1"}}, {"B.", []string{"repo://a.go#L2-L2"}}, {"C.", []string{"repo://a.go#L9-L9"}},
		{"D, now.", []string{"repo://a.go#L4-L4"}}, {"F.", []string{"repo://b.go#L1-L1"}},
	}
	got := reconcile(have, want)
	if diff := cmp.Diff(claims.Reconciliation{
		Confirmed: []string{"flagged"},
		Claims: []claims.Proposal{
			{ID: "moved", Statement: "C.", Evidence: evidenceOf("repo://a.go#L9-L9")},
			{ID: "reworded", Statement: "D, now.", Evidence: evidenceOf("repo://a.go#L4-L4")},
			{Statement: "F.", Evidence: evidenceOf("repo://b.go#L1-L1")},
		},
		Retracted: []string{"gone"},
	}, got); diff != "" {
		t.Errorf("reconcile (-want +got):\n%s", diff)
	}
}

func TestConfirmProven(t *testing.T) {
	stale := &claims.InspectedIssue{}
	have := []claims.Inspected{
		{ID: "fine", Statement: "A.", Evidence: []string{"repo://a.go#L1-L1"}},
		{ID: "proved", Statement: "B.", Evidence: []string{"repo://a.go#L2-L2"}, Issue: stale},
		{ID: "elsewhere", Statement: "C.", Evidence: []string{"repo://a.go#L3-L3"}, Issue: stale},
		{ID: "lost", Statement: "D.", Evidence: []string{"repo://a.go#L4-L4"}, Issue: stale},
	}
	got, left := confirmProven(have, []claim{{"B.", []string{"repo://a.go#L2-L2"}}, {"C.", []string{"repo://a.go#L7-L7"}}})
	want := claims.Reconciliation{
		Confirmed: []string{"proved"},
		Claims:    []claims.Proposal{{ID: "elsewhere", Statement: "C.", Evidence: evidenceOf("repo://a.go#L7-L7")}},
		Retracted: []string{"lost"},
	}
	if diff := cmp.Diff(want, got); diff != "" || left != 3 {
		t.Errorf("confirmProven left %d (-want +got):\n%s", left, diff)
	}
}
