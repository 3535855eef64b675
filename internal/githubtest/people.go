package githubtest

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
)

// failed ends a helper that a test called wrongly.
func (s *Server) failed(what string, err error) {
	s.report.Helper()
	s.report.Errorf("githubtest: %s: %v", what, err)
}

// A PersonCommit is a commit that somebody pushes.
type PersonCommit struct {
	Branch            string // made from the default branch when it does not exist
	Author, Committer string // logins; Committer default Author
	Message           string // default "edit"
	Files             map[string]string
	Delete            []string
	Onto              string // parent commit; default the branch's head. Another one is a force push.
}

// PushAs commits files on top of a branch as a person and returns the commit.
func (s *Server) PushAs(login, branch string, files map[string]string) string {
	s.report.Helper()
	return s.Push(PersonCommit{Branch: branch, Author: login, Files: files})
}

// Push makes a commit and moves the branch, past all rules, and returns the commit.
func (s *Server) Push(c PersonCommit) string {
	s.report.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.branchHead(c.Branch)
	parent := or(c.Onto, or(old, s.branchHead(s.DefaultBranch)))
	commit, err := s.writeCommit(c, parent)
	if err == nil {
		err = s.setRef(s.refOf(c.Branch), old, commit)
	}
	if err != nil {
		s.failed("push as "+c.Author, err)
		return ""
	}
	s.moved(RefUpdate{Ref: s.refOf(c.Branch), Old: old, New: commit, By: or(c.Committer, c.Author), Via: "people"})
	return commit
}

func (s *Server) writeCommit(c PersonCommit, parent string) (string, error) {
	before, err := s.commit(parent)
	if err != nil {
		return "", err
	}
	b := s.newBatch()
	var edits []treeEdit
	for _, path := range sortedNames(c.Files) {
		hash, err := b.blob([]byte(c.Files[path]))
		if err != nil {
			return "", err
		}
		edits = append(edits, treeEdit{path, filemode.Regular, hash})
	}
	for _, path := range c.Delete {
		edits = append(edits, treeEdit{path: path})
	}
	tree, err := b.edit(before.TreeHash, edits)
	if err != nil {
		return "", err
	}
	author, err := s.personSignature(c.Author)
	if err != nil {
		return "", err
	}
	committer, err := s.personSignature(or(c.Committer, c.Author))
	if err != nil {
		return "", err
	}
	hash, err := b.encode(&gitobject.Commit{
		Author: author, Committer: committer, Message: or(c.Message, "edit") + "\n", TreeHash: tree, ParentHashes: []plumbing.Hash{plumbing.NewHash(parent)},
	})
	if err != nil {
		return "", err
	}
	return hash.String(), b.flush()
}

func (s *Server) personSignature(login string) (gitobject.Signature, error) {
	u, found := s.user(login)
	if !found {
		return gitobject.Signature{}, fmt.Errorf("no user %q: name it in Options.Users", login)
	}
	return gitobject.Signature{Name: u.Name, Email: u.email(), When: s.now().UTC()}, nil
}

func sortedNames(files map[string]string) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// withPull runs a person's action on a pull request.
func (s *Server) withPull(what string, number int, do func(*pull) error) {
	s.report.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pull(number)
	if p == nil {
		s.failed(what, fmt.Errorf("no pull request %d", number))
		return
	}
	if err := do(p); err != nil {
		s.failed(what, err)
	}
}

// ClosePull closes a pull request as a person.
func (s *Server) ClosePull(number int, login string) {
	s.withPull("close", number, func(p *pull) error { s.closePull(p, login); return nil })
}

// Reopen reopens a pull request as a person.
func (s *Server) Reopen(number int, login string) {
	s.withPull("reopen", number, func(p *pull) error {
		if refused := s.setState(p, "open", login); refused.status != 0 {
			return fmt.Errorf("%v", refused.body)
		}
		return nil
	})
}

// CommentAs comments as a person and returns the id.
func (s *Server) CommentAs(number int, login, body string) (id int64) {
	s.withPull("comment", number, func(p *pull) error { id = s.comment(p, login, body).id; return nil })
	return id
}

// EditBody changes the text of a pull request as a person, such as to tick a box.
func (s *Server) EditBody(number int, edit func(body string) string) {
	s.withPull("edit body", number, func(p *pull) error { p.body, p.updatedAt = edit(p.body), s.now(); return nil })
}

// EditTitle changes the title of a pull request as a person.
func (s *Server) EditTitle(number int, title string) {
	s.withPull("edit title", number, func(p *pull) error { p.title, p.updatedAt = title, s.now(); return nil })
}

// Label adds labels as a person.
func (s *Server) Label(number int, names ...string) {
	s.withPull("label", number, func(p *pull) error { s.addLabels(p, names); return nil })
}

// Unlabel removes a label as a person.
func (s *Server) Unlabel(number int, name string) {
	s.withPull("unlabel", number, func(p *pull) error {
		p.labels = slices.DeleteFunc(p.labels, func(other string) bool { return other == name })
		return nil
	})
}

// SetDraft turns a pull request into a draft or back as a person.
func (s *Server) SetDraft(number int, draft bool) {
	s.withPull("draft", number, func(p *pull) error { p.draft, p.updatedAt = draft, s.now(); return nil })
}

// EnableAutoMerge arms auto-merge as a person.
func (s *Server) EnableAutoMerge(number int, login, method string) {
	s.withPull("enable auto-merge", number, func(p *pull) error { p.autoMerge = &autoMerge{by: login, method: method}; return nil })
}

// OpenPull opens a pull request as a person and returns its number.
func (s *Server) OpenPull(login, head, base, title, body string) (number int) {
	s.report.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if refused := s.pullProblem(title, body, head, base, false); refused.status != 0 {
		s.failed("open pull request", fmt.Errorf("%v", refused.body))
		return 0
	}
	p := &pull{
		number: len(s.pulls) + 1, title: title, body: body, base: base, head: head, baseSHA: s.branchHead(base), headSHA: s.branchHead(head), author: login,
		createdAt: s.now(), updatedAt: s.now(),
	}
	s.pulls = append(s.pulls, p)
	return p.number
}

// Merge merges a pull request as ada, who keeps the branch. method is merge, squash or rebase. It returns the base's new commit.
func (s *Server) Merge(number int, method string) (commit string) {
	s.report.Helper()
	s.withPull("merge", number, func(p *pull) (err error) {
		if p.closed {
			return fmt.Errorf("pull request %d is closed", number)
		}
		switch method {
		case "merge", "squash":
			commit, err = s.mergeCommit(p, method)
		case "rebase":
			commit, err = s.rebase(p)
		default:
			err = fmt.Errorf("unknown method %q", method)
		}
		if err != nil {
			return err
		}
		old := s.branchHead(p.base)
		if err := s.setRef("refs/heads/"+p.base, old, commit); err != nil {
			return err
		}
		s.markMerged(p, commit, "ada")
		s.moved(RefUpdate{Ref: "refs/heads/" + p.base, Old: old, New: commit, By: "ada", Via: "people"})
		return nil
	})
	return commit
}

// mergeCommit makes the commit of a merge or a squash.
func (s *Server) mergeCommit(p *pull, method string) (string, error) {
	base := s.branchHead(p.base)
	tree, err := s.git("", "merge-tree", "--write-tree", base, p.headSHA)
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree, "-p", base}
	message := fmt.Sprintf("%s (#%d)\n", p.title, p.number)
	if method == "merge" {
		args = append(args, "-p", p.headSHA)
		message = fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s\n", p.number, s.Owner, p.head, p.title)
	}
	commit, err := runGitAs(s.Bare, message, s.webEnvironment("ada"), args...)
	if err != nil {
		return "", err
	}
	s.signed[commit] = true
	return commit, nil
}

// webEnvironment lets git commit as a person on the web: GitHub is the committer.
func (s *Server) webEnvironment(login string) []string {
	u, _ := s.user(login)
	date := s.now().UTC().Format(time.RFC3339)
	return []string{"GIT_AUTHOR_NAME=" + u.Name, "GIT_AUTHOR_EMAIL=" + u.email(), "GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}
}

// rebase picks the commits of a pull request onto its base in a work tree that is thrown away.
func (s *Server) rebase(p *pull) (string, error) {
	dir, err := os.MkdirTemp("", "githubtest")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if _, err := runGit(dir, "", "clone", "--quiet", "--shared", "--no-checkout", s.Bare, dir); err != nil {
		return "", err
	}
	if _, err := runGit(dir, "", "checkout", "--quiet", "--detach", s.branchHead(p.base)); err != nil {
		return "", err
	}
	if _, err := runGit(dir, "", "cherry-pick", p.baseSHA+".."+p.headSHA); err != nil {
		return "", err
	}
	commit, err := runGit(dir, "", "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	_, err = s.git("", "fetch", "--quiet", dir, commit)
	return commit, err
}

// UpdateBranch is the button "Update branch": GitHub merges the base into the head, authored by the person. It returns the merge.
func (s *Server) UpdateBranch(number int, login string) (commit string) {
	s.report.Helper()
	s.withPull("update branch", number, func(p *pull) error {
		base := s.branchHead(p.base)
		tree, err := s.git("", "merge-tree", "--write-tree", p.headSHA, base)
		if err != nil {
			return err
		}
		message := fmt.Sprintf("Merge branch '%s' into %s\n", p.base, p.head)
		if commit, err = runGitAs(s.Bare, message, s.webEnvironment(login), "commit-tree", tree, "-p", p.headSHA, "-p", base); err != nil {
			return err
		}
		old := p.headSHA
		if err := s.setRef(s.refOf(p.head), old, commit); err != nil {
			return err
		}
		s.signed[commit] = true
		s.moved(RefUpdate{Ref: s.refOf(p.head), Old: old, New: commit, By: login, Via: "people"})
		return nil
	})
	return commit
}

// Enqueue puts a pull request into the merge queue: a ref gh-readonly-queue/<base>/pr-<n>-<base commit> appears.
func (s *Server) Enqueue(number int) {
	s.report.Helper()
	s.withPull("enqueue", number, func(p *pull) error {
		commit, err := s.mergeCommit(p, "merge")
		if err != nil {
			return err
		}
		ref := fmt.Sprintf("refs/heads/gh-readonly-queue/%s/pr-%d-%s", p.base, p.number, s.branchHead(p.base))
		if err := s.setRef(ref, "", commit); err != nil {
			return err
		}
		s.queue[p.number] = ref
		s.refLog = append(s.refLog, RefUpdate{Ref: ref, New: commit, By: webFlowLogin, Via: "people"})
		return nil
	})
}

// Dequeue takes a pull request out of the merge queue.
func (s *Server) Dequeue(number int) {
	s.withPull("dequeue", number, func(p *pull) error { s.leaveQueue(p.number); return nil })
}

func (s *Server) leaveQueue(number int) {
	ref := s.queue[number]
	if ref == "" {
		return
	}
	delete(s.queue, number)
	if err := s.setRef(ref, s.head(ref), ""); err != nil {
		s.failed("leave the merge queue", err)
	}
}

// DeleteBranch removes a branch as a person.
func (s *Server) DeleteBranch(branch, login string) {
	s.report.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.branchHead(branch)
	if err := s.setRef(s.refOf(branch), old, ""); err != nil {
		s.failed("delete branch", err)
		return
	}
	s.moved(RefUpdate{Ref: s.refOf(branch), Old: old, By: login, Via: "people"})
}

// Commits lists the commits of a branch that base does not have, oldest first.
func (s *Server) Commits(branch, base string) []string {
	s.report.Helper()
	commits, err := s.revList(s.branchHead(base), s.branchHead(branch))
	if err != nil {
		s.failed("list commits", err)
	}
	return commits
}

// File returns a file of a commit or branch; found is false when it is not there.
func (s *Server) File(rev, path string) (content string, found bool) {
	sha := s.resolve(rev)
	if sha == "" {
		return "", false
	}
	commit, err := s.commit(sha)
	if err != nil {
		return "", false
	}
	file, err := commit.File(path)
	if err != nil {
		return "", false
	}
	content, err = file.Contents()
	return content, err == nil
}

// Files lists the paths of a commit or branch.
func (s *Server) Files(rev string) []string {
	commit, err := s.commit(s.resolve(rev))
	if err != nil {
		return nil
	}
	tree, err := commit.Tree()
	if err != nil {
		return nil
	}
	var names []string
	walk := gitobject.NewTreeWalker(tree, true, nil)
	defer walk.Close()
	for {
		name, entry, err := walk.Next()
		if err != nil {
			break
		}
		if entry.Mode != filemode.Dir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Changed is the number of files in which a branch differs from its merge base with base.
func (s *Server) Changed(branch, base string) int {
	s.report.Helper()
	files, err := s.diffFromBase(branch, base)
	if err != nil {
		s.failed("compare with "+base, err)
	}
	return len(files)
}

func (s *Server) diffFromBase(branch, base string) ([]object, error) {
	head := s.branchHead(branch)
	mergeBase, err := s.mergeBase(head, s.branchHead(base))
	if err != nil {
		return nil, err
	}
	return s.diffEntries(mergeBase, head)
}
