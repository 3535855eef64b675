package githubtest

import (
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const zeroName = "0000000000000000000000000000000000000000"

// A RefUpdate is one change of a ref, by the API, by a push or by people.
type RefUpdate struct {
	Ref      string // such as refs/heads/main
	Old, New string // commit; "" for none
	By       string // login, or "seed"
	Via      string // "api", "push" or "people"
}

// RefLog returns every change of a ref so far, in order.
func (s *Server) RefLog() []RefUpdate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]RefUpdate(nil), s.refLog...)
}

// Head returns the commit of a branch; "" when there is none.
func (s *Server) Head(branch string) string { return s.branchHead(branch) }

// moveRef changes a ref under all rules. refused is the zero answer when it moved. The lock is held.
func (s *Server) moveRef(ref, from, to string, force bool, g Grant) (refused answer) {
	if problem := s.refProblem(ref, from, to, force, g); problem != nil {
		return problem.rest()
	}
	if err := s.setRef(ref, from, to); err != nil {
		return refuse(http.StatusUnprocessableEntity, "Reference update failed")
	}
	s.moved(RefUpdate{Ref: ref, Old: from, New: to, By: g.Login, Via: "api"})
	return answer{}
}

// setRef writes a ref if it still is at from. "" stands for no ref.
func (s *Server) setRef(ref, from, to string) error {
	name, store := plumbing.ReferenceName(ref), s.store()
	if found, _ := s.lookupRef(ref); found.sha != from {
		return fmt.Errorf("%s is at %q, not at %q", ref, found.sha, from)
	}
	if to == "" {
		return store.RemoveReference(name)
	}
	if s.kindOf(to) == plumbing.InvalidObject {
		return fmt.Errorf("no object %q for %s", to, ref)
	}
	return store.SetReference(plumbing.NewHashReference(name, plumbing.NewHash(to)))
}

// moved logs a change and lets the pull requests follow.
func (s *Server) moved(u RefUpdate) {
	s.refLog = append(s.refLog, u)
	s.followRef(u)
}

// refObject is a ref as the API shows it.
func (s *Server) refObject(ref gitRef) object {
	ref.name = strings.TrimPrefix(ref.name, s.forkPrefix())
	return object{
		"ref": ref.name, "node_id": "REF_" + ref.name, "url": s.url("/git/" + ref.name),
		"object": object{"type": ref.kind, "sha": ref.sha, "url": s.url("/git/" + ref.kind + "s/" + ref.sha)},
	}
}

// lookupRef finds a ref by its full name.
func (s *Server) lookupRef(name string) (gitRef, bool) {
	found, err := s.store().Reference(plumbing.ReferenceName(name))
	if err != nil || found.Type() != plumbing.HashReference {
		return gitRef{}, false
	}
	sha := found.Hash().String()
	return gitRef{name, sha, s.kindOf(sha).String()}, true
}

func (s *Server) getRef(r *request) answer {
	ref, found := s.lookupRef(r.ref("refs/" + r.params["ref"]))
	if !found {
		return notFound()
	}
	return ok(s.refObject(ref))
}

func (s *Server) matchingRefs(r *request) answer {
	refs, err := s.allRefs()
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	out := []any{}
	for _, ref := range refs {
		if strings.HasPrefix(ref.name, r.ref("refs/"+r.params["ref"])) {
			out = append(out, s.refObject(ref))
		}
	}
	return ok(out)
}

func (s *Server) createRef(r *request) answer {
	var in struct{ Ref, SHA string }
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if !strings.HasPrefix(in.Ref, "refs/") || strings.Count(in.Ref, "/") < 2 {
		return refuse(http.StatusUnprocessableEntity, "Reference name is not a valid ref name, must start with 'refs/' and have at least two slashes.")
	}
	if err := plumbing.ReferenceName(in.Ref).Validate(); err != nil {
		return refuse(http.StatusUnprocessableEntity, in.Ref+" is not a valid ref name.")
	}
	in.Ref = r.ref(in.Ref)
	if _, exists := s.lookupRef(in.Ref); exists {
		return refuse(http.StatusUnprocessableEntity, "Reference already exists")
	}
	if s.kindOf(in.SHA) == plumbing.InvalidObject {
		return refuse(http.StatusUnprocessableEntity, "Object does not exist")
	}
	if refused := s.moveRef(in.Ref, "", in.SHA, false, r.grant); refused.status != 0 {
		return refused
	}
	ref, _ := s.lookupRef(in.Ref)
	return created(s.refObject(ref))
}

func (s *Server) updateRef(r *request) answer {
	var in struct {
		SHA   string
		Force bool
	}
	if err := r.decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	ref, found := s.lookupRef(r.ref("refs/" + r.params["ref"]))
	if !found {
		return refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if s.kindOf(in.SHA) == plumbing.InvalidObject {
		return refuse(http.StatusUnprocessableEntity, "Object does not exist")
	}
	if !in.Force && !s.isAncestor(ref.sha, in.SHA) {
		return refuse(http.StatusUnprocessableEntity, "Update is not a fast forward")
	}
	if ref.sha != in.SHA {
		if refused := s.moveRef(ref.name, ref.sha, in.SHA, in.Force, r.grant); refused.status != 0 {
			return refused
		}
	}
	ref.sha = in.SHA
	return ok(s.refObject(ref))
}

func (s *Server) deleteRef(r *request) answer {
	ref, found := s.lookupRef(r.ref("refs/" + r.params["ref"]))
	if !found {
		return refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if ref.name == "refs/heads/"+s.DefaultBranch {
		return refuse(http.StatusUnprocessableEntity, "Cannot delete the default branch")
	}
	if refused := s.moveRef(ref.name, ref.sha, "", false, r.grant); refused.status != 0 {
		return refused
	}
	return answer{status: http.StatusNoContent}
}

// globMatch is the pattern of rulesets: one * does not cross a slash, "" and ~ALL match everything.
func globMatch(pattern, branch string) bool {
	if pattern == "" || pattern == "~ALL" {
		return true
	}
	hit, err := path.Match(pattern, branch)
	return err == nil && hit
}
