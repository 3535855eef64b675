package githubtest

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
)

// maxWalk is how long a history may be to be walked here. Git is asked about longer ones: it is quicker there, and slower where the start
// of a process is most of the work.
const maxWalk = 500

// ancestors are the commits that can be reached from one, itself among them. ok is false when they are too many or cannot be read.
func (s *Server) ancestors(sha string) (all map[string]bool, ok bool) {
	all = map[string]bool{sha: true}
	for next := []string{sha}; len(next) > 0; next = next[1:] {
		parents, err := s.parents(next[0])
		if err != nil || len(all) > maxWalk {
			return nil, false
		}
		for _, parent := range parents {
			if !all[parent] {
				all[parent] = true
				next = append(next, parent)
			}
		}
	}
	return all, true
}

func (s *Server) parents(sha string) ([]string, error) {
	key := "parents\x00" + sha
	if known, found := s.known.Load(key); found {
		return known.([]string), nil
	}
	commit, err := gitobject.GetCommit(s.store(), plumbing.NewHash(sha))
	if err != nil {
		return nil, err
	}
	parents := []string{}
	for _, hash := range commit.ParentHashes {
		parents = append(parents, hash.String())
	}
	s.known.Store(key, parents)
	return parents, nil
}

// isAncestor says whether a commit is the other one or comes before it.
func (s *Server) isAncestor(older, newer string) bool {
	older, newer = s.resolve(older), s.resolve(newer)
	if older == "" || newer == "" {
		return false
	}
	if all, ok := s.ancestors(newer); ok {
		return all[older]
	}
	only, err := s.fixed("rev-list", "--max-count=1", older, "^"+newer)
	return err == nil && only == ""
}

// mergeBase is the best common ancestor of two commits, given by their full names.
func (s *Server) mergeBase(a, b string) (string, error) {
	switch {
	case s.isAncestor(a, b):
		return a, nil
	case s.isAncestor(b, a):
		return b, nil
	}
	return s.fixed("merge-base", a, b)
}

// revList lists the commits of head that base has not, oldest first. Both are full object names.
func (s *Server) revList(base, head string) ([]string, error) {
	if line, ok := s.line(base, head); ok {
		return line, nil
	}
	out, err := s.fixed("rev-list", "--reverse", "--topo-order", head, "^"+base)
	return strings.Fields(out), err
}

// line is revList where it is easy: no merge among the commits.
func (s *Server) line(base, head string) (commits []string, ok bool) {
	known, ok := s.ancestors(base)
	for sha := head; ok && !known[sha]; {
		parents, err := s.parents(sha)
		if err != nil || len(parents) != 1 || len(commits) > maxWalk {
			return nil, false
		}
		commits, sha = append(commits, sha), parents[0]
	}
	slices.Reverse(commits)
	return commits, ok
}

// fresh lists the commits that no ref holds yet, and the paths that those which are no merges change, sorted. ok is false where git must
// tell.
func (s *Server) fresh(to string) (commits, paths []string, ok bool) {
	commits, ok = s.unheld(to)
	if !ok {
		return nil, nil, false
	}
	for _, sha := range commits {
		changed, err := s.changedBy(sha)
		if err != nil {
			return nil, nil, false
		}
		paths = append(paths, changed...)
	}
	slices.Sort(paths)
	return commits, slices.Compact(paths), true
}

// unheld lists what can be reached from commits and from no ref, sorted.
func (s *Server) unheld(from ...string) (commits []string, ok bool) {
	all := map[string]bool{}
	for _, sha := range from {
		some, ok := s.ancestors(sha)
		if !ok {
			return nil, false
		}
		maps.Copy(all, some)
	}
	refs, err := s.allRefs()
	if err != nil {
		return nil, false
	}
	for _, ref := range refs {
		held, ok := s.ancestors(ref.sha)
		if !ok {
			return nil, false
		}
		maps.DeleteFunc(all, func(sha string, _ bool) bool { return held[sha] })
	}
	return slices.Sorted(maps.Keys(all)), true
}

// changedBy lists the paths that a commit changed in its parent; those of a merge are none.
func (s *Server) changedBy(sha string) ([]string, error) {
	commit, err := s.commit(sha)
	if err != nil || commit.NumParents() > 1 {
		return nil, err
	}
	now, err := commit.Tree()
	if err != nil {
		return nil, err
	}
	before := &gitobject.Tree{}
	if commit.NumParents() == 1 {
		parent, err := commit.Parent(0)
		if err != nil {
			return nil, err
		}
		if before, err = parent.Tree(); err != nil {
			return nil, err
		}
	}
	changes, err := gitobject.DiffTree(before, now)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, change := range changes {
		paths = append(paths, or(change.To.Name, change.From.Name))
	}
	return paths, nil
}
