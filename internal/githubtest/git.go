package githubtest

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
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

// fixed runs git for a question about objects alone. Every argument that names one is a full object name, so that the answer stays the
// same and git is asked once: processes are what the time of tests goes into.
func (s *Server) fixed(args ...string) (string, error) {
	key := strings.Join(args, "\x00")
	if known, ok := s.known.Load(key); ok {
		return known.(string), nil
	}
	out, err := s.git("", args...)
	if err == nil {
		s.known.Store(key, out)
	}
	return out, err
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
	iter, err := s.store().IterReferences()
	if err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	defer iter.Close()
	var refs []gitRef
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if name := ref.Name().String(); ref.Type() == plumbing.HashReference && strings.HasPrefix(name, "refs/") {
			refs = append(refs, gitRef{name, ref.Hash().String(), s.kindOf(ref.Hash().String()).String()})
		}
		return nil
	})
	slices.SortFunc(refs, func(a, b gitRef) int { return strings.Compare(a.name, b.name) })
	return refs, err
}

// head is where a ref points; "" when there is none.
func (s *Server) head(ref string) string {
	found, ok := s.lookupRef(ref)
	if !ok || found.kind != "tag" {
		return found.sha
	}
	sha, err := s.git("", "rev-parse", "--verify", "--quiet", ref+"^{}")
	if err != nil {
		return ""
	}
	return sha
}

// branchHead is the commit of a branch; "" when there is none.
func (s *Server) branchHead(branch string) string { return s.head(s.refOf(branch)) }

// resolve finds the commit a name stands for: a branch, a tag or an object name.
func (s *Server) resolve(name string) string {
	if isObjectName(name) && s.kindOf(name) == plumbing.CommitObject {
		return name
	}
	if head := s.branchHead(name); head != "" {
		return head
	}
	for _, prefix := range []string{"refs/tags/", ""} {
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
	key := "kind\x00" + sha
	if known, ok := s.known.Load(key); ok {
		return known.(plumbing.ObjectType)
	}
	found, err := s.store().EncodedObject(plumbing.AnyObject, plumbing.NewHash(sha))
	if err != nil {
		return plumbing.InvalidObject
	}
	s.known.Store(key, found.Type())
	return found.Type()
}
