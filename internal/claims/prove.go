package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Prove checks on the disk that a page and the session's Claims of it are
// durable and belong together. Otherwise it returns a *ProofError that names op
// as what to repeat.
func (s *Session) Prove(page wiki.PagePath, op string) error {
	st := s.state(page)
	defer st.work.Unlock()
	now := s.snapshot(st)
	fail := func(format string, args ...any) error {
		return &ProofError{Page: page, Op: op, Reason: fmt.Sprintf(format, args...)}
	}
	text, err := s.readPage(page)
	if err != nil {
		return err
	}
	if text == nil {
		return fail("it does not exist")
	}
	sidecar, err := s.cfg.Store.Load(page)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail("it has no sidecar")
	case err != nil:
		return err
	case sidecar.PageVersion != wiki.PageVersion(text):
		return fail("its text is not the one the sidecar describes")
	case sidecar.Verification == nil:
		return fail("its sidecar has no verification")
	case !stamped(text, *sidecar.Verification):
		return fail("its front matter lacks the verification of the sidecar")
	case len(sidecar.Claims) != len(now.claims):
		return fail("its sidecar has %d claims, not %d", len(sidecar.Claims), len(now.claims))
	}
	for _, c := range now.claims {
		i := slices.IndexFunc(sidecar.Claims, func(other Claim) bool { return other.ID == c.ID })
		if i < 0 || !sameClaim(sidecar.Claims[i], c) {
			return fail("claim %s is not in its sidecar as decided", c.ID)
		}
	}
	return nil
}

// sameClaim reports whether two claims state the same on the same places.
func sameClaim(a, b Claim) bool {
	return a.Statement == b.Statement &&
		slices.Equal(slices.Sorted(slices.Values(a.resources())), slices.Sorted(slices.Values(b.resources())))
}
