package extractive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// proposal is a claim as a submission carries it; an id makes it a revision.
func (c claim) proposal(id string) claims.Proposal {
	out := claims.Proposal{ID: id, Statement: c.Statement}
	for _, r := range c.Evidence {
		out.Evidence = append(out.Evidence, claims.ProposedEvidence{Resource: r})
	}
	return out
}

// reconcile decides what becomes of the stored claims of a page when it says the fresh ones. Equal claims stay; a claim that says the
// same about other lines, or something else about the same lines, is revised and keeps its id; the rest is retracted; new ones are added.
func reconcile(have []claims.Inspected, want []claim) claims.Reconciliation {
	var out claims.Reconciliation
	open := slices.Clone(want)
	take := func(match func(claim) bool) (claim, bool) {
		i := slices.IndexFunc(open, match)
		if i < 0 {
			return claim{}, false
		}
		c := open[i]
		open = slices.Delete(open, i, i+1)
		return c, true
	}
	rest := have[:0:0]
	for _, h := range have {
		key := inspected(h, nil).key()
		if _, ok := take(func(c claim) bool { return c.key() == key }); !ok {
			rest = append(rest, h)
		} else if h.Issue != nil {
			out.Confirmed = append(out.Confirmed, h.ID)
		}
	}
	for _, pass := range []func(h, c claim) bool{
		func(h, c claim) bool { return c.Statement == h.Statement },
		func(h, c claim) bool { return slices.Equal(c.Evidence, h.Evidence) },
	} {
		var left []claims.Inspected
		for _, h := range rest {
			old := inspected(h, nil)
			if c, ok := take(func(c claim) bool { return pass(old, c) }); ok {
				out.Claims = append(out.Claims, c.proposal(h.ID))
			} else {
				left = append(left, h)
			}
		}
		rest = left
	}
	for _, h := range rest {
		out.Retracted = append(out.Retracted, h.ID)
	}
	for _, c := range open {
		out.Claims = append(out.Claims, c.proposal(""))
	}
	return out
}

// confirmProven decides about the claims with an issue of a page whose text stays: confirmed or moved to other lines where a fresh fact
// says the same, else retracted. It also returns how many claims the page is left with.
func confirmProven(have []claims.Inspected, facts []claim) (claims.Reconciliation, int) {
	var out claims.Reconciliation
	left := len(have)
	for _, h := range have {
		if h.Issue == nil {
			continue
		}
		old := inspected(h, nil)
		i := slices.IndexFunc(facts, func(c claim) bool { return c.Statement == old.Statement })
		switch {
		case i < 0:
			out.Retracted = append(out.Retracted, h.ID)
			left--
		case facts[i].key() == old.key():
			out.Confirmed = append(out.Confirmed, h.ID)
		default:
			out.Claims = append(out.Claims, facts[i].proposal(h.ID))
		}
	}
	return out, left
}

// statedIn returns the facts that a text states: whose words it holds in a row, whatever links, code marks and punctuation are between
// them. What a text does not say is no Claim of its page, however true.
func statedIn(page []byte, facts []claim) []claim {
	said := bareWords(string(wiki.Parse(page).Body()))
	var stated []claim
	for _, c := range facts {
		if words := bareWords(c.Statement); words != " " && strings.Contains(said, words) {
			stated = append(stated, c)
		}
	}
	return stated
}

// bareWords are the words of a text in small letters, each between blanks, without the targets of Markdown links.
func bareWords(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for len(s) > 0 {
		if rest, ok := strings.CutPrefix(s, "]("); ok {
			if end := strings.IndexAny(rest, ")\n"); end >= 0 {
				s = rest[end:]
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case !strings.HasSuffix(b.String(), " "):
			b.WriteByte(' ')
		}
	}
	if !strings.HasSuffix(b.String(), " ") {
		b.WriteByte(' ')
	}
	return b.String()
}
