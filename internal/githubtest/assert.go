package githubtest

import (
	"strings"
)

// NeverEqualsBase fails the test when the branch was ever, at any change of a ref, where its base was: GitHub closes the pull request then.
// A branch that people merged into is not looked at after that.
func (s *Server) NeverEqualsBase(branch, base string) {
	s.report.Helper()
	heads := map[string]string{}
	for _, u := range s.RefLog() {
		heads[u.Ref] = u.New
		head, tip := heads[s.refOf(branch)], heads[s.refOf(base)]
		if u.Via != "people" && head != "" && (head == tip || s.isAncestor(head, tip)) && u.Ref == s.refOf(branch) {
			s.report.Errorf("githubtest: %s was moved to %s, which its base %s already has, by %s", branch, head, base, u.By)
		}
	}
}

// NoLostCommits fails the test when a commit of somebody else was on a branch and can no longer be reached from any ref. own are the
// logins whose commits may go. Deleted refs count as lost; merges keep only what they contain.
func (s *Server) NoLostCommits(own ...string) {
	s.report.Helper()
	where := map[string]string{} // commit → branch that once was there
	var were []string
	for _, u := range s.RefLog() {
		if u.New == "" || where[u.New] != "" || s.branchOf(u.Ref) == "" || strings.HasPrefix(u.Ref, "refs/heads/gh-readonly-queue/") {
			continue
		}
		where[u.New] = u.Ref
		were = append(were, u.New)
	}
	lost, ok := s.unheld(were...)
	if !ok {
		out, err := s.git("", append(append([]string{"rev-list"}, were...), "--not", "--all")...)
		if err != nil {
			s.failed("look for lost commits", err)
			return
		}
		lost = strings.Fields(out)
	}
	for _, sha := range lost {
		if s.foreign(sha, own) {
			s.report.Errorf("githubtest: commit %s, once on %s, is lost", sha, or(where[sha], "a branch"))
		}
	}
}

// foreign says whether somebody but own had a hand in a commit. GitHub as committer is nobody.
func (s *Server) foreign(sha string, own []string) bool {
	c, err := s.commit(sha)
	if err != nil {
		return true
	}
	for _, email := range []string{c.Author.Email, c.Committer.Email} {
		u, known := s.byEmail(email)
		if known && u.Login == webFlowLogin {
			continue
		}
		mine := false
		for _, login := range own {
			mine = mine || known && strings.EqualFold(u.Login, login)
		}
		if !mine {
			return true
		}
	}
	return false
}

// OnlyBelow fails the test when a branch differs from its merge base with base in a path that is not below one of dirs (or is not one of
// them itself).
func (s *Server) OnlyBelow(branch, base string, dirs ...string) {
	s.report.Helper()
	files, err := s.diffFromBase(branch, base)
	if err != nil {
		s.failed("compare with "+base, err)
		return
	}
	for _, file := range files {
		path, below := file["filename"].(string), false
		for _, dir := range dirs {
			below = below || path == dir || strings.HasPrefix(path, dir+"/")
		}
		if !below {
			s.report.Errorf("githubtest: %s changes %s, which is outside of %v", branch, path, dirs)
		}
	}
}
