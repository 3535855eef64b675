package githubtest

import "strings"

// A fork is a second repository, [Options.ForkOwner]/Name, to which branches can be pushed. As on GitHub it shares its objects with the
// repository that it is a fork of; its refs are a git namespace of the same bare repository. Its branches are called "owner:branch", in the
// API and in the methods of [Server].
const forkID = repositoryID + 1

// forkPrefix begins the refs of the fork.
func (s *Server) forkPrefix() string { return "refs/namespaces/" + s.opts.ForkOwner + "/" }

// ForkURL is where git finds the fork.
func (s *Server) ForkURL() string {
	return s.ServerURL + "/" + s.opts.ForkOwner + "/" + s.Name + ".git"
}

// refOf is the ref of a branch, also of one of the fork.
func (s *Server) refOf(branch string) string {
	if own, ok := strings.CutPrefix(branch, s.opts.ForkOwner+":"); ok && s.opts.ForkOwner != "" {
		return s.forkPrefix() + "refs/heads/" + own
	}
	return "refs/heads/" + branch
}

// branchOf is the branch a ref is; "" for other refs.
func (s *Server) branchOf(ref string) string {
	if own, ok := strings.CutPrefix(ref, s.forkPrefix()+"refs/heads/"); ok {
		return s.opts.ForkOwner + ":" + own
	}
	branch, _ := strings.CutPrefix(ref, "refs/heads/")
	if branch == ref {
		return ""
	}
	return branch
}

// ofFork tells whether a branch is one of the fork.
func ofFork(branch string) bool { return strings.Contains(branch, ":") }

// forkObject is the fork as it stands in pull requests.
func (s *Server) forkObject() object {
	out := s.repositoryObject(false)
	owner := s.userObject(User{Login: s.opts.ForkOwner, ID: 78})
	owner["type"] = "Organization"
	name := s.opts.ForkOwner + "/" + s.Name
	out["id"], out["node_id"], out["full_name"], out["owner"], out["fork"] = forkID, "R_fork", name, owner, true
	out["url"], out["html_url"], out["clone_url"] = s.APIURL+"/repos/"+name, s.ServerURL+"/"+name, s.ForkURL()
	return out
}
