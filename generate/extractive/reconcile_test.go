package extractive

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wikiwright/wikiwright/generate"
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

// Only what a text states in so many words is a Claim of it.
func TestStatedIn(t *testing.T) {
	page := []byte("---\ntype: Guide\ntitle: Never in the body\n---\n\n# Store\n\n- [`Open`](../store.go#L3-L9) opens the\n  *store* at a path ([store.go:3](../store.go#L3-L9)).\n\nOur own words about limits.\n")
	facts := []claim{
		{"Open opens the store at a path.", []string{"repo://store.go#L3-L9"}},
		{"Open opens the store.", []string{"repo://store.go#L3-L9"}}, // its words stand there too
		{"Close closes the store.", []string{"repo://store.go#L12-L12"}},
		{"Never in the body", []string{"repo://store.go#L1-L1"}},
		{"own word", []string{"repo://store.go#L1-L1"}},
		{"…", []string{"repo://store.go#L1-L1"}},
	}
	if diff := cmp.Diff(facts[:2], statedIn(page, facts)); diff != "" {
		t.Errorf("stated (-want +got):\n%s", diff)
	}
}

// A page that a person edited gets only Claims that its text states; where none is left, it stays as it is and says why.
func TestReprove(t *testing.T) {
	stale := []claims.Inspected{{ID: "old", Statement: "Open reads.", Evidence: []string{"repo://a.go#L1-L1"}, Issue: &claims.InspectedIssue{}}}
	rendered := &page{claims: []claim{
		{"Close closes the store.", []string{"repo://a.go#L4-L4"}},
		{"Open opens the store.", []string{"repo://a.go#L2-L2"}},
	}}
	for _, test := range []struct {
		name, text string
		fresh      *page
		want       claims.Reconciliation
		wantSkip   string
	}{
		{name: "stated", text: "# Store\n\n`Open` opens the store.\n", fresh: rendered, want: claims.Reconciliation{
			Claims:    []claims.Proposal{{Statement: "Open opens the store.", Evidence: evidenceOf("repo://a.go#L2-L2")}},
			Retracted: []string{"old"},
		}},
		{name: "own words", text: "# Store\n\nOur own words.\n", fresh: rendered, wantSkip: unproved},
		{name: "no material", text: "# Store\n\n`Open` opens the store.\n", wantSkip: unproved},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got claims.Reconciliation
			pg := generate.NewPage(generate.Page{Text: []byte(test.text)},
				func(_ context.Context, r claims.Reconciliation) error { got = r; return nil },
				func(context.Context) ([]claims.Inspected, error) { return stale, nil })
			err := reprove(t.Context(), pg, test.fresh)
			var skip *generate.SkipError
			if errors.As(err, &skip) {
				if skip.Reason != test.wantSkip {
					t.Errorf("got skipped because %q, want %q", skip.Reason, test.wantSkip)
				}
			} else if err != nil || test.wantSkip != "" {
				t.Fatalf("got %v, want skipped because %q", err, test.wantSkip)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("submitted (-want +got):\n%s", diff)
			}
		})
	}
}
