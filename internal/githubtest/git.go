package githubtest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// git runs git on the bare repository.
func (s *Server) git(input string, args ...string) (string, error) {
	return runGit(s.Bare, input, args...)
}

// runGit runs git without the configuration of the machine and returns what it printed, without the last line break.
func runGit(dir, input string, args ...string) (string, error) {
	return runGitAs(dir, input, nil, args...)
}

func runGitAs(dir, input string, env []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(gitEnvironment(), env...)
	cmd.Stdin = strings.NewReader(input)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

func gitEnvironment() []string {
	env := []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "HOME=" + os.TempDir(),
		"GIT_AUTHOR_NAME=GitHub", "GIT_AUTHOR_EMAIL=" + webFlowEmail, "GIT_COMMITTER_NAME=GitHub", "GIT_COMMITTER_EMAIL=" + webFlowEmail,
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*", "GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always",
	}
	for _, name := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "PATHEXT"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// store opens the objects as they are now: packs that a push added are seen by a new one only.
func (s *Server) store() *filesystem.Storage {
	return filesystem.NewStorage(osfs.New(s.Bare), cache.NewObjectLRUDefault())
}

// A gitRef is a ref of the repository.
type gitRef struct{ name, sha, kind string }

// allRefs lists the refs, sorted.
func (s *Server) allRefs() ([]gitRef, error) {
	out, err := s.git("", "for-each-ref", "--format=%(refname) %(objectname) %(objecttype)")
	if err != nil {
		return nil, err
	}
	var refs []gitRef
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		refs = append(refs, gitRef{fields[0], fields[1], fields[2]})
	}
	return refs, nil
}

// head is where a ref points; "" when there is none.
func (s *Server) head(ref string) string {
	sha, err := s.git("", "rev-parse", "--verify", "--quiet", ref+"^{}")
	if err != nil {
		return ""
	}
	return sha
}

// branchHead is the commit of a branch; "" when there is none.
func (s *Server) branchHead(branch string) string { return s.head("refs/heads/" + branch) }

// resolve finds the commit a name stands for: a branch, a tag or an object name.
func (s *Server) resolve(name string) string {
	if isObjectName(name) && s.kindOf(name) == plumbing.CommitObject {
		return name
	}
	for _, prefix := range []string{"refs/heads/", "refs/tags/", ""} {
		if prefix == "" && !strings.HasPrefix(name, "refs/") && name != "HEAD" {
			break
		}
		if sha, err := s.git("", "rev-parse", "--verify", "--quiet", "--end-of-options", prefix+name+"^{commit}"); err == nil {
			return sha
		}
	}
	return ""
}

func isObjectName(name string) bool {
	return len(name) == 40 && strings.Trim(name, "0123456789abcdef") == ""
}

// kindOf is the kind of an object; InvalidObject when there is none.
func (s *Server) kindOf(sha string) plumbing.ObjectType {
	if !isObjectName(sha) {
		return plumbing.InvalidObject
	}
	found, err := s.store().EncodedObject(plumbing.AnyObject, plumbing.NewHash(sha))
	if err != nil {
		return plumbing.InvalidObject
	}
	return found.Type()
}

// isAncestor says whether a commit is the other one or comes before it.
func (s *Server) isAncestor(older, newer string) bool {
	_, err := s.git("", "merge-base", "--is-ancestor", older, newer)
	return err == nil
}

// revList lists commits, oldest first.
func (s *Server) revList(args ...string) ([]string, error) {
	out, err := s.git("", append([]string{"rev-list", "--reverse", "--topo-order"}, args...)...)
	return strings.Fields(out), err
}
