package claims

import (
	"context"
	"slices"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// preflight compares the evidence of whole pages with the source. All questions
// are asked together, so that a file many Claims cite is read once.
func (s *Session) preflight(ctx context.Context, pages []wiki.PagePath, sidecars []*PageClaims) ([]*pageState, error) {
	var asked batch
	for _, sidecar := range sidecars {
		for _, c := range sidecar.Claims {
			asked.claim(s, c)
		}
	}
	if err := asked.resolve(ctx, s); err != nil {
		return nil, err
	}
	states := make([]*pageState, len(pages))
	for i, page := range pages {
		st := &pageState{stored: sidecars[i], issues: map[string]Issue{}}
		for _, c := range sidecars[i].Claims {
			seen := asked.next(c)
			if issue, ok := seen.issue(page); ok {
				st.issues[c.ID] = issue
			}
			claim, moves := seen.settle(page, false)
			st.claims = append(st.claims, claim)
			st.moves = append(st.moves, moves...)
		}
		states[i] = st
	}
	return states, nil
}

// note records an issue found after the preflight. One that is there already
// and as grave stays.
func (s *Session) note(st *pageState, issue Issue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.issues == nil {
		st.issues = map[string]Issue{}
	}
	if old, ok := st.issues[issue.ClaimID]; !ok || old.Kind != Unresolved {
		st.issues[issue.ClaimID] = issue
	}
}

// batch collects questions about evidence, asks them at once, and hands the
// answers out claim by claim in the same order.
type batch struct {
	queries []evidence.Query
	bad     map[int]string // why a resource cannot be asked about, by question
	answers []evidence.Resolution
	taken   int
}

// claim asks about the recorded evidence of a claim.
func (b *batch) claim(s *Session, c Claim) {
	for _, e := range c.Evidence {
		res, err := s.parse(e.Resource)
		if err != nil {
			if b.bad == nil {
				b.bad = map[int]string{}
			}
			b.bad[len(b.queries)] = reasonOf(err)
		}
		b.queries = append(b.queries, evidence.Query{Resource: res, Previous: e.Version})
	}
}

// fresh asks about places that are newly cited.
func (b *batch) fresh(resources []evidence.Resource) {
	for _, res := range resources {
		b.queries = append(b.queries, evidence.Query{Resource: res})
	}
}

func (b *batch) resolve(ctx context.Context, s *Session) error {
	var which []int
	var ask []evidence.Query
	for i, q := range b.queries {
		if _, bad := b.bad[i]; !bad {
			which = append(which, i)
			ask = append(ask, q)
		}
	}
	answers, err := s.cfg.Resolver.ResolveAll(ctx, ask, s.cfg.Concurrency)
	if err != nil {
		return err
	}
	b.answers = make([]evidence.Resolution, len(b.queries))
	for i, at := range which {
		b.answers[at] = answers[i]
	}
	for i, reason := range b.bad {
		b.answers[i] = evidence.Resolution{State: evidence.Missing, Reason: reason}
	}
	return nil
}

// take returns the next n answers.
func (b *batch) take(n int) []evidence.Resolution {
	answers := b.answers[b.taken : b.taken+n]
	b.taken += n
	return answers
}

// next returns what was found about the recorded evidence of the next claim.
func (b *batch) next(c Claim) observation {
	asked := b.queries[b.taken : b.taken+len(c.Evidence)]
	return observation{claim: c, asked: asked, answers: b.take(len(c.Evidence))}
}

// observation is a claim and what became of each of its evidence.
type observation struct {
	claim   Claim
	asked   []evidence.Query
	answers []evidence.Resolution
}

// issue says what is wrong with the claim. Evidence that is gone outweighs
// evidence that changed.
func (o observation) issue(page wiki.PagePath) (Issue, bool) {
	for _, kind := range []struct {
		name  string
		state evidence.State
	}{{Unresolved, evidence.Missing}, {Stale, evidence.Changed}} {
		issue := Issue{Page: page, Kind: kind.name, ClaimID: o.claim.ID}
		for i, answer := range o.answers {
			if answer.State != kind.state {
				continue
			}
			resource := o.claim.Evidence[i].Resource
			issue.Resources = append(issue.Resources, resource)
			if hint := explain(resource, answer); hint != "" {
				issue.Hints = append(issue.Hints, hint)
			}
		}
		if len(issue.Resources) > 0 {
			slices.Sort(issue.Resources)
			slices.Sort(issue.Hints)
			return issue, true
		}
	}
	return Issue{}, false
}

// settle returns the claim with its evidence where it is now: where only the
// place changed, and with refresh also where the content did.
func (o observation) settle(page wiki.PagePath, refresh bool) (Claim, []Move) {
	claim := Claim{ID: o.claim.ID, Statement: o.claim.Statement, Evidence: make([]Evidence, 0, len(o.claim.Evidence))}
	var moves []Move
	for i, e := range o.claim.Evidence {
		answer := o.answers[i]
		now := e
		if answer.State == evidence.Moved || refresh && answer.State == evidence.Changed {
			now.Version = answer.Version
			// A place that did not change keeps its spelling.
			if answer.Resource != o.asked[i].Resource {
				now.Resource = answer.Resource.String()
				moves = append(moves, Move{Page: page, ClaimID: claim.ID, From: e.Resource, To: now.Resource})
			}
		}
		// Two ranges may have become one. The first stands for both.
		if slices.ContainsFunc(claim.Evidence, func(other Evidence) bool { return other.Resource == now.Resource }) {
			continue
		}
		claim.Evidence = append(claim.Evidence, now)
	}
	return claim, moves
}

// explain puts into words what is known about evidence that does not hold.
func explain(resource string, answer evidence.Resolution) string {
	text := answer.Reason
	if answer.State == evidence.Changed && answer.Resource.Start > 0 && answer.Resource.String() != resource {
		text = "the content changed and is now at " + answer.Resource.String()
	}
	if text == "" {
		return ""
	}
	if answer.Hint != "" {
		text += "; " + answer.Hint
	}
	return resource + ": " + text
}
