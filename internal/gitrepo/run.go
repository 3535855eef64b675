package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// An Error is a git process that ended with a failure.
type Error struct {
	Args   []string // the arguments, without the settings every call gets
	Stderr string   // what git said, trimmed to a few lines
	Err    error    // how it ended
}

// Error implements error.
func (e *Error) Error() string {
	what := "git " + e.Args[0]
	if e.Stderr == "" {
		return fmt.Sprintf("%s: %v", what, e.Err)
	}
	return fmt.Sprintf("%s: %s", what, e.Stderr)
}

// Unwrap returns how the process ended.
func (e *Error) Unwrap() error { return e.Err }

const (
	maxStderr = 2000
	// killDelay is how long a cancelled git may take to end before its pipes are closed.
	killDelay = 2 * time.Second
)

// passed are the variables of the caller that git and what it starts may need: to find programs, the user's configuration, keys,
// proxies and certificates. No variable that begins with GIT_ is among them.
var passed = [...]string{
	"PATH", "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "TMP",
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
	"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
	"PROGRAMFILES",
}

// A setting is a git setting for one process. One with the same name that comes later wins, or adds to the list.
type setting struct{ key, value string }

// standing are the settings of every process. Settings given in the environment reach the processes git starts for submodules too, unlike
// a repository's own. A work tree that belongs to another user is the normal case in a container.
var standing = [...]setting{
	{"safe.directory", "*"},
	{"core.fsmonitor", "false"}, // starts no daemon and runs no hook
	{"core.quotePath", "false"},
}

// environment returns what git processes see.
func environment(settings ...setting) []string {
	env := []string{
		"LANG=C", "LC_ALL=C", // messages are matched and shown in English
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_LITERAL_PATHSPECS=1",
		"GIT_PAGER=cat",
	}
	all := append(standing[:len(standing):len(standing)], settings...)
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(all)))
	for i, one := range all {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+one.key, "GIT_CONFIG_VALUE_"+n+"="+one.value)
	}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func lookGit() (string, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return "", ErrNoGit
	}
	return git, nil
}

// run runs git in the top directory of the work tree.
func (r *Repo) run(ctx context.Context, args ...string) ([]byte, error) {
	return run(ctx, r.git, r.Root, args...)
}

// command returns a git process in a directory that is still to be started.
func command(ctx context.Context, git, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, git, args...)
	cmd.Dir = dir
	cmd.Env = environment()
	cmd.WaitDelay = killDelay
	return cmd
}

// run returns the standard output of git; it is returned also with an [*Error].
func run(ctx context.Context, git, dir string, args ...string) ([]byte, error) {
	return runWith(ctx, process{git: git, dir: dir}, args...)
}

// A process is how git is run when it needs more than arguments.
type process struct {
	git, dir string
	settings []setting
	stdin    io.Reader
}

func runWith(ctx context.Context, p process, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := command(ctx, p.git, p.dir, args...)
	if p.settings != nil {
		cmd.Env = environment(p.settings...)
	}
	cmd.Stdin = p.stdin
	cmd.Stdout = &stdout
	cmd.Stderr = &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		return stdout.Bytes(), nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil, fmt.Errorf("run git: %w", err)
	}
	return stdout.Bytes(), &Error{Args: args, Stderr: tidy(stderr.String()), Err: err}
}

// tidy makes what git printed fit for an error message: one line, without progress and without the words "fatal:" and "error:".
func tidy(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: ")
		if line != "" && !strings.HasPrefix(line, "hint:") {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "; ")
	if len(text) > maxStderr {
		text = strings.ToValidUTF8(text[:maxStderr], "") + "…"
	}
	return text
}

// records splits NUL-terminated output.
func records(out []byte) ([]string, error) {
	if len(out) == 0 {
		return nil, nil
	}
	if out[len(out)-1] != 0 {
		return nil, errors.New("git output ends in the middle of a record")
	}
	return strings.Split(string(out[:len(out)-1]), "\x00"), nil
}
