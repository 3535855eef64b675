package claims

import (
	"cmp"
	"maps"
	"slices"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// The kinds of issue.
const (
	Stale      = "stale"      // cited content changed
	Unresolved = "unresolved" // cited content is gone or may not be cited
)

// Issue is a Claim that the source no longer supports as recorded.
type Issue struct {
	Page      wiki.PagePath
	Kind      string // Stale or Unresolved
	ClaimID   string
	Resources []string // the evidence concerned, sorted
	Hints     []string // what is known about it
}

// Move is evidence whose content is unchanged at another place, or whose new
// place an author confirmed.
type Move struct {
	Page    wiki.PagePath
	ClaimID string
	From    string // resource as it was recorded
	To      string
}

// Inspected is a Claim as authors see it.
type Inspected struct {
	ID        string          `json:"id"`
	Statement string          `json:"statement"`
	Evidence  []string        `json:"evidence"`
	Issue     *InspectedIssue `json:"issue,omitempty"`
}

// InspectedIssue says why a Claim needs a decision.
type InspectedIssue struct {
	Kind      string   `json:"kind"`
	Resources []string `json:"resources"`
	Hints     []string `json:"hints,omitempty"`
}

// Issues returns the open issues of all pages, ordered by page, kind and id.
func (s *Session) Issues() []Issue {
	var all []Issue
	for _, page := range s.Pages() {
		all = append(all, s.IssuesOf(page)...)
	}
	return all
}

// IssuesOf returns the open issues of a page.
func (s *Session) IssuesOf(page wiki.PagePath) []Issue {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.pages[page]
	if st == nil {
		return nil
	}
	issues := slices.Collect(maps.Values(st.issues))
	slices.SortFunc(issues, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ClaimID, b.ClaimID))
	})
	for i := range issues {
		issues[i].Resources = slices.Clone(issues[i].Resources)
		issues[i].Hints = slices.Clone(issues[i].Hints)
	}
	return issues
}

// Moved returns what moved in all pages since their sidecars were written, by
// page and in the order of the Claims.
func (s *Session) Moved() []Move {
	var all []Move
	for _, page := range s.Pages() {
		all = append(all, s.MovedOf(page)...)
	}
	return all
}

// MovedOf returns what moved in a page. Authors of the page text use it to
// correct links to source lines.
func (s *Session) MovedOf(page wiki.PagePath) []Move {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.pages[page]; st != nil {
		return slices.Clone(st.moves)
	}
	return nil
}

// Inspect returns the Claims of a page in their order, none for a page without.
func (s *Session) Inspect(page wiki.PagePath) []Inspected {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.pages[page]
	if st == nil {
		return []Inspected{}
	}
	out := make([]Inspected, len(st.claims))
	for i, c := range st.claims {
		out[i] = Inspected{ID: c.ID, Statement: c.Statement, Evidence: c.resources()}
		if issue, ok := st.issues[c.ID]; ok {
			out[i].Issue = &InspectedIssue{
				Kind:      issue.Kind,
				Resources: slices.Clone(issue.Resources),
				Hints:     slices.Clone(issue.Hints),
			}
		}
	}
	return out
}

// Count returns the number of Claims of a page.
func (s *Session) Count(page wiki.PagePath) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.pages[page]; st != nil {
		return len(st.claims)
	}
	return 0
}

// VerifiedBy returns the actor that verified the Claims of a page last, empty
// when nobody has.
func (s *Session) VerifiedBy(page wiki.PagePath) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.pages[page]; st != nil && st.stored != nil && st.stored.Verification != nil {
		return st.stored.Verification.By
	}
	return ""
}

// Pages returns the pages that have Claims or a sidecar, in collation order.
func (s *Session) Pages() []wiki.PagePath {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pages []wiki.PagePath
	for page, st := range s.pages {
		if st.represented() {
			pages = append(pages, page)
		}
	}
	wiki.SortCollated(pages)
	return pages
}

// EvidencePaths returns the files a page cites, as canonical whole-file
// resources in code-unit order, each once.
func (s *Session) EvidencePaths(page wiki.PagePath) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.pages[page]
	if st == nil {
		return nil
	}
	var files []string
	for _, c := range st.claims {
		for _, e := range c.Evidence {
			// Evidence that does not parse names no file; it is an issue of its Claim.
			if res, err := s.parse(e.Resource); err == nil {
				files = append(files, res.File().String())
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
