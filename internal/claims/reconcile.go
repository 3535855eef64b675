package claims

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Reconcile applies an author's decisions on the Claims of a page, all or none.
// Claims that are not named stay, at the current version of their evidence; one
// the source no longer supports must be named. An error that the author can
// correct is an *InputError.
func (s *Session) Reconcile(ctx context.Context, page wiki.PagePath, in Reconciliation) (Counts, error) {
	st := s.state(page)
	defer st.work.Unlock()
	before := s.snapshot(st)
	d := &decider{session: s, page: page, existing: before.claims, issues: before.issues, owner: s.owner}
	existing, added, problems := d.decide(in)
	if len(problems) > 0 {
		return Counts{}, &InputError{Page: page, Problems: problems}
	}
	a := &application{page: page, before: before.claims}
	if err := a.resolve(ctx, s, existing, added); err != nil {
		return Counts{}, err
	}
	for _, issue := range a.found {
		s.note(st, issue)
	}
	if len(a.problems) > 0 {
		return Counts{}, &InputError{Page: page, Problems: a.problems}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.disown(page, before.claims)
	s.name(page, a.after, before.claims)
	st.claims, st.issues, st.moves = a.after, nil, append(st.moves, a.moves...)
	st.decided, st.deleted = true, false
	return a.counts, nil
}

func (s *Session) owner(id string) (wiki.PagePath, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	page, ok := s.owners[id]
	return page, ok
}

// name gives every new claim its id and records all of them. Ids the page had
// before are not given again. The caller holds mu.
func (s *Session) name(page wiki.PagePath, list, before []Claim) {
	taken := map[string]bool{}
	for _, c := range slices.Concat(before, list) {
		taken[c.ID] = true
	}
	for i := range list {
		c := &list[i]
		for n := 0; c.ID == ""; n++ {
			id := claimID(page, c, n)
			if _, owned := s.owners[id]; !owned && !taken[id] {
				c.ID = id
			}
		}
		taken[c.ID] = true
		s.owners[c.ID] = page
	}
}

const claimPrefix = "claim_"

// claimID derives an id from what the claim was when it was added, so that the
// same run on the same source gives the same bytes.
func claimID(page wiki.PagePath, c *Claim, n int) string {
	digest := sha256.New()
	fmt.Fprintf(digest, "%q %q", page, c.Statement)
	for _, e := range c.Evidence {
		fmt.Fprintf(digest, " %q", e.Resource)
	}
	fmt.Fprintf(digest, " %d", n)
	return claimPrefix + hex.EncodeToString(digest.Sum(nil)[:16])
}

func isClaimID(id string) bool {
	digits, ok := strings.CutPrefix(id, claimPrefix)
	return ok && len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == ""
}

// application resolves the evidence of decided claims and builds the claims as
// they will be.
type application struct {
	page   wiki.PagePath
	before []Claim

	after    []Claim
	moves    []Move
	counts   Counts
	problems []string
	found    []Issue // claims nobody decided about that do not hold any more
}

// resolve asks about all evidence at once, then builds claim by claim.
func (a *application) resolve(ctx context.Context, s *Session, existing, added []decision) error {
	var asked batch
	for i, d := range existing {
		switch {
		case d.action == retract:
		case d.action == revise && !a.sameEvidence(s, i, d):
			asked.fresh(d.cited)
		default:
			asked.claim(s, a.before[i])
		}
	}
	for _, d := range added {
		asked.fresh(d.cited)
	}
	if err := asked.resolve(ctx, s); err != nil {
		return err
	}
	for i, d := range existing {
		switch {
		case d.action == retract:
			a.counts.Retracted++
		case d.action == revise && !a.sameEvidence(s, i, d):
			a.counts.Revised++
			a.cite(d, "claim "+d.id, asked.take(len(d.cited)))
		default:
			a.carry(d, asked.next(a.before[i]))
		}
	}
	for _, d := range added {
		a.counts.Added++
		a.cite(d, fmt.Sprintf("new claim %q", shorten(d.statement)), asked.take(len(d.cited)))
	}
	return nil
}

// sameEvidence reports whether a revision keeps the evidence of its claim.
func (a *application) sameEvidence(s *Session, i int, d decision) bool {
	return claimKey(s, d.statement, a.before[i].Evidence) == contentKey(d.statement, d.cited)
}

// carry keeps a claim with its evidence, at the current version. One that nobody
// decided about must still hold.
func (a *application) carry(d decision, seen observation) {
	issue, open := seen.issue(a.page)
	if open && d.action == keep {
		a.found = append(a.found, issue)
		a.problems = append(a.problems, needsDecision(issue))
		return
	}
	for i, answer := range seen.answers {
		if answer.State == evidence.Missing {
			a.unresolved("claim "+d.id, seen.claim.Evidence[i].Resource, answer)
		}
	}
	claim, moves := seen.settle(a.page, true)
	if d.action == revise {
		claim.Statement = d.statement
		a.counts.Revised++
	} else {
		a.counts.Confirmed++
	}
	a.after = append(a.after, claim)
	a.moves = append(a.moves, moves...)
}

// cite builds a claim on newly cited evidence.
func (a *application) cite(d decision, name string, answers []evidence.Resolution) {
	claim := Claim{ID: d.id, Statement: d.statement}
	for i, answer := range answers {
		if answer.State == evidence.Missing {
			a.unresolved(name, d.cited[i].String(), answer)
			continue
		}
		resource := answer.Resource.String()
		// Through a symbolic link two citations may mean one file.
		if slices.ContainsFunc(claim.Evidence, func(e Evidence) bool { return e.Resource == resource }) {
			continue
		}
		claim.Evidence = append(claim.Evidence, Evidence{Resource: resource, Version: answer.Version})
	}
	a.after = append(a.after, claim)
}

func (a *application) unresolved(name, resource string, answer evidence.Resolution) {
	a.problems = append(a.problems, fmt.Sprintf("%s: %s", name, explain(resource, answer)))
}

// shorten cuts a statement for a message.
func shorten(s string) string {
	const most = 60
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}

// reasonOf returns why a resource was refused, without repeating it.
func reasonOf(err error) string {
	var refused *evidence.ResourceError
	if errors.As(err, &refused) {
		return "it " + refused.Reason
	}
	return err.Error()
}
