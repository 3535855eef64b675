package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Proposal is a Claim as its author wants it: a new one, or with ID a new form
// of an existing one.
type Proposal struct {
	ID        string             `json:"id,omitempty"`
	Statement string             `json:"statement"`
	Evidence  []ProposedEvidence `json:"evidence"`
}

// ProposedEvidence is a place an author cites.
type ProposedEvidence struct {
	Resource string `json:"resource"`
}

// Reconciliation is an author's decisions on the Claims of a page. Claims that
// it does not name stay as they are.
type Reconciliation struct {
	Confirmed []string   `json:"confirmedClaimIds"`
	Claims    []Proposal `json:"claims"`
	Retracted []string   `json:"retractedClaimIds"`
}

// Counts says what a reconciliation did.
type Counts struct {
	Added, Revised, Confirmed, Retracted int
}

// action is what becomes of one claim.
type action int

const (
	undecided action = iota
	confirm          // as it is, at the current version of its evidence
	keep             // the same without the author having said so
	revise
	retract
)

// decision is what an author wants of an existing claim, or with an empty id a
// new claim.
type decision struct {
	action    action
	id        string
	statement string
	cited     []evidence.Resource // nil keeps the evidence
}

// decider turns a reconciliation into decisions and collects what is wrong with
// it.
type decider struct {
	session  *Session
	page     wiki.PagePath
	existing []Claim
	issues   map[string]Issue
	owner    func(id string) (wiki.PagePath, bool)

	keys     map[string]string   // content key of an existing claim, by id
	ids      map[string]string   // the reverse; of equal claims the first
	decided  map[string]decision // by id of an existing claim
	added    []decision
	problems []string
}

// decide returns a decision on every existing claim, in their order, and the new
// claims; or all that is wrong.
func (d *decider) decide(in Reconciliation) (existing, added []decision, problems []string) {
	d.decided = map[string]decision{}
	d.keys, d.ids = map[string]string{}, map[string]string{}
	for _, c := range d.existing {
		key := claimKey(d.session, c.Statement, c.Evidence)
		d.keys[c.ID] = key
		if _, taken := d.ids[key]; !taken {
			d.ids[key] = c.ID
		}
	}
	for _, id := range in.Confirmed {
		id = strings.TrimSpace(id)
		if d.known(id) {
			d.set(decision{action: confirm, id: id})
		}
	}
	d.proposals(in.Claims)
	for _, id := range in.Retracted {
		d.retract(strings.TrimSpace(id))
	}
	retracted := 0
	for _, c := range d.existing {
		decision := d.decided[c.ID]
		if issue, open := d.issues[c.ID]; open && decision.action == undecided {
			d.problem("%s", needsDecision(issue))
		}
		if decision.action == undecided {
			decision.action, decision.id = keep, c.ID
		}
		if decision.action == retract {
			retracted++
		}
		existing = append(existing, decision)
	}
	if len(d.problems) == 0 && len(d.existing)-retracted+len(d.added) < 1 {
		d.problem("a page needs at least one claim")
	}
	return existing, d.added, d.problems
}

func (d *decider) problem(format string, args ...any) {
	d.problems = append(d.problems, fmt.Sprintf(format, args...))
}

// set records a decision; a claim takes only one.
func (d *decider) set(next decision) {
	if d.decided[next.id].action != undecided {
		d.problem("claim %s is decided twice", next.id)
		return
	}
	d.decided[next.id] = next
}

// known reports whether the page has the claim, and notes the problem if not.
func (d *decider) known(id string) bool {
	if d.has(id) {
		return true
	}
	if page, ok := d.owner(id); ok && page != d.page {
		d.problem("claim %s belongs to %s", id, page)
	} else {
		d.problem("claim %q does not exist", id)
	}
	return false
}

// has reports whether the page has the claim.
func (d *decider) has(id string) bool {
	_, ok := d.keys[id]
	return ok
}

// retract drops a claim. One that nobody has was dropped before: retracting is
// repeated when an author retries.
func (d *decider) retract(id string) {
	if d.has(id) {
		d.set(decision{action: retract, id: id})
	} else if page, ok := d.owner(id); ok {
		d.problem("claim %s belongs to %s", id, page)
	}
}

func (d *decider) proposals(list []Proposal) {
	seen := map[string]bool{}
	for i, p := range list {
		name := fmt.Sprintf("claims[%d]", i)
		statement := strings.TrimSpace(p.Statement)
		cited, ok := d.cited(name, p.Evidence)
		if statement == "" {
			d.problem("%s: the statement is empty", name)
			continue
		}
		if !ok {
			continue
		}
		key := contentKey(statement, cited)
		if seen[key] {
			d.problem("%s: the same claim is proposed twice", name)
			continue
		}
		seen[key] = true
		d.proposal(decision{id: strings.TrimSpace(p.ID), statement: statement, cited: cited}, key)
	}
}

// proposal decides whether a proposal confirms, revises or adds. Ids are made
// here: one that an author made up is ignored. One in the form of ours must
// exist, because it was meant to name a claim.
func (d *decider) proposal(p decision, key string) {
	if p.id != "" && (d.has(p.id) || d.owned(p.id) || isClaimID(p.id)) {
		if !d.known(p.id) {
			return
		}
		p.action = revise
		if d.keys[p.id] == key {
			p.action = confirm
		}
		d.set(p)
		return
	}
	if id, ok := d.ids[key]; ok {
		d.set(decision{action: confirm, id: id})
		return
	}
	p.id = ""
	d.added = append(d.added, p)
}

func (d *decider) owned(id string) bool {
	_, ok := d.owner(id)
	return ok
}

// cited parses the evidence of a proposal, in canonical order.
func (d *decider) cited(name string, list []ProposedEvidence) ([]evidence.Resource, bool) {
	if len(list) == 0 {
		d.problem("%s: no evidence", name)
		return nil, false
	}
	ok := true
	given := map[string]bool{}
	canonical := map[evidence.Resource]string{}
	var cited []evidence.Resource
	for _, e := range list {
		text := strings.TrimSpace(e.Resource)
		if given[text] {
			continue
		}
		given[text] = true
		res, err := d.session.parse(text)
		if err != nil {
			d.problem("%s: %v", name, err)
			ok = false
			continue
		}
		if other, twice := canonical[res]; twice {
			d.problem("%s: evidence %s and %s are the same place", name, other, text)
			ok = false
			continue
		}
		canonical[res] = text
		cited = append(cited, res)
	}
	slices.SortFunc(cited, compareResources)
	return cited, ok
}

// claimKey returns what makes two claims the same, whatever the order and
// spelling of their evidence.
func claimKey(s *Session, statement string, list []Evidence) string {
	var cited []evidence.Resource
	for _, e := range list {
		res, err := s.parse(e.Resource)
		if err != nil {
			return "" // no proposal can cite it
		}
		cited = append(cited, res)
	}
	slices.SortFunc(cited, compareResources)
	return contentKey(statement, cited)
}

func compareResources(a, b evidence.Resource) int { return cmp.Compare(a.String(), b.String()) }

// contentKey joins statement and evidence so that no content of one can pass for
// a part of the other.
func contentKey(statement string, cited []evidence.Resource) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", statement)
	for _, res := range cited {
		fmt.Fprintf(&b, " %s", res)
	}
	return b.String()
}

func needsDecision(issue Issue) string {
	text := fmt.Sprintf("claim %s needs a decision (%s: %s): confirm, revise or retract it",
		issue.ClaimID, issue.Kind, strings.Join(issue.Resources, ", "))
	if len(issue.Hints) > 0 {
		text += " [" + strings.Join(issue.Hints, "] [") + "]"
	}
	return text
}
