// Package gittest makes real Git repositories for tests, from files in a txtar archive, with the same object names on every machine and
// in every run.
//
// A [Repo] is a work tree in a temporary directory of the test. Its methods write files and run git; every failure ends the test. Author,
// committer, dates, branch name and settings are fixed: the first commit is made at 2026-01-02 03:04:05 UTC and each further one a minute
// later. The configuration of the user and of the system is not read. Only tests import this package.
package gittest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// Branch is the name of the first branch.
const Branch = "main"

// A Repo is a repository with a work tree at Dir.
type Repo struct {
	Dir string

	t       testing.TB
	commits int
}

// New returns a repository without a commit.
func New(t testing.TB) *Repo {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repo{Dir: dir, t: t}
	r.Git("init", "--quiet", "--template=", "--initial-branch="+Branch)
	return r
}

// FromTxtar returns a repository with one commit of the files in a txtar archive. A mark after a name gives it another kind:
// "bin/run (executable)", or "link (symlink)" for a link to the first line of its text.
func FromTxtar(t testing.TB, archive string) *Repo {
	t.Helper()
	r := New(t)
	r.WriteTxtar(archive)
	r.Commit("initial commit")
	return r
}

// WriteTxtar writes the files of an archive into the work tree.
func (r *Repo) WriteTxtar(archive string) {
	r.t.Helper()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		if name, ok := strings.CutSuffix(file.Name, " (symlink)"); ok {
			r.Symlink(strings.TrimSuffix(string(file.Data), "\n"), name)
			continue
		}
		name, executable := strings.CutSuffix(file.Name, " (executable)")
		r.Write(name, string(file.Data))
		if executable {
			r.Chmod(name, 0o755)
		}
	}
}

// Path returns the place of a file on the disk.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write writes a file, mode 0644 if it is new, and the directories above it.
func (r *Repo) Write(name, content string) {
	r.t.Helper()
	r.check(os.MkdirAll(filepath.Dir(r.Path(name)), 0o755))
	r.check(os.WriteFile(r.Path(name), []byte(content), 0o644))
}

// Append adds to the end of a file.
func (r *Repo) Append(name, content string) {
	r.t.Helper()
	old, err := os.ReadFile(r.Path(name))
	r.check(err)
	r.Write(name, string(old)+content)
}

// Read returns the content of a file.
func (r *Repo) Read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(r.Path(name))
	r.check(err)
	return string(data)
}

// Remove removes a file or a directory with all it holds.
func (r *Repo) Remove(name string) {
	r.t.Helper()
	r.check(os.RemoveAll(r.Path(name)))
}

// Rename moves a file or a directory.
func (r *Repo) Rename(from, to string) {
	r.t.Helper()
	r.check(os.MkdirAll(filepath.Dir(r.Path(to)), 0o755))
	r.check(os.Rename(r.Path(from), r.Path(to)))
}

// Symlink makes a symbolic link. The test is skipped where the system does not let it.
func (r *Repo) Symlink(target, name string) {
	r.t.Helper()
	r.check(os.MkdirAll(filepath.Dir(r.Path(name)), 0o755))
	err := os.Symlink(target, r.Path(name))
	if err != nil && runtime.GOOS == "windows" {
		r.t.Skip("no symbolic links: ", err)
	}
	r.check(err)
}

// Chmod changes the mode of a file.
func (r *Repo) Chmod(name string, mode os.FileMode) {
	r.t.Helper()
	r.check(os.Chmod(r.Path(name), mode))
}

// Commit stages everything in the work tree, deletions and new files too, and returns the name of the new commit, which may be empty.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.Git("add", "--all")
	return r.CommitStaged(message)
}

// CommitStaged commits what is staged.
func (r *Repo) CommitStaged(message string) string {
	r.t.Helper()
	r.Git("commit", "--quiet", "--allow-empty", "--no-verify", "--message="+message)
	r.commits++
	return r.Head()
}

// Head returns the commit of HEAD.
func (r *Repo) Head() string {
	r.t.Helper()
	return r.Git("rev-parse", "HEAD")
}

// Clone returns a clone with the full history.
func (r *Repo) Clone() *Repo {
	r.t.Helper()
	return r.clone()
}

// ShallowClone returns a clone of the newest commits. Its remote origin serves single commits to those who ask by name, as GitHub does.
func (r *Repo) ShallowClone(depth int) *Repo {
	r.t.Helper()
	r.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	return r.clone(fmt.Sprintf("--depth=%d", depth))
}

// Bare returns a bare clone, such as a server has. Its Dir is the git directory.
func (r *Repo) Bare() *Repo {
	r.t.Helper()
	return r.clone("--bare")
}

// CloneOf returns a clone of one branch of another repository; depth 0 means the whole history.
func CloneOf(t testing.TB, url, branch string, depth int) *Repo {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repo{Dir: dir, t: t}
	args := []string{"clone", "--quiet", "--template=", "--no-tags", "--single-branch", "--branch=" + branch}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth))
	}
	r.Git(append(args, url, ".")...)
	return r
}

func (r *Repo) clone(options ...string) *Repo {
	r.t.Helper()
	dir, err := filepath.EvalSymlinks(r.t.TempDir())
	r.check(err)
	clone := &Repo{Dir: filepath.Join(dir, "clone"), t: r.t, commits: r.commits}
	args := append([]string{"clone", "--quiet", "--template="}, options...)
	// Only a URL makes git honour the depth of a local clone.
	r.Git(append(args, "file://"+filepath.ToSlash(r.Dir), clone.Dir)...)
	return clone
}

// Git runs git in the work tree and returns what it printed, without the last line break.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.TryGit("", args...)
	r.check(err)
	return out
}

// TryGit is Git with text on the standard input, for a command that may fail. The error wraps an [*exec.ExitError] and holds what git said.
func (r *Repo) TryGit(input string, args ...string) (string, error) {
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir = r.Dir
	cmd.Env = r.environment()
	cmd.Stdin = strings.NewReader(input)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// environment fixes all that goes into an object name or depends on the machine.
func (r *Repo) environment() []string {
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(r.commits) * time.Minute).Format(time.RFC3339)
	env := []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=" + date,
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "HOME=" + r.Dir,
		// Local clones and submodules, and trees of another user.
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		"GIT_CONFIG_KEY_1=safe.directory", "GIT_CONFIG_VALUE_1=*",
		"GIT_CONFIG_KEY_2=gc.auto", "GIT_CONFIG_VALUE_2=0",
	}
	for _, name := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "PATHEXT"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func (r *Repo) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}
