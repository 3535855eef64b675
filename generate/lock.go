package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gofrs/flock"
)

// lockName is the file, in the git directory of the work tree, that a process
// holds while it changes the wiki. Linked work trees have their own.
const lockName = "wikiwright.lock"

// takeLock makes this the only process that changes the wiki of the checkout,
// or fails at once. The operating system releases the lock of a process that
// dies.
func takeLock(gitDir, op string) (*flock.Flock, error) {
	path := filepath.Join(gitDir, lockName)
	lock := flock.New(path, flock.SetPermissions(0o644))
	ok, err := lock.TryLock()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, &Error{Code: CodeInvalidState, Op: op, Err: fmt.Errorf("lock the checkout: %w", err),
			Hint: "the git directory must be writable"}
	case err != nil:
		return nil, fmt.Errorf("%s: lock the checkout: %w", op, err)
	case !ok:
		return nil, &Error{Code: CodeConflict, Op: op, Err: lockedBy(path),
			Hint: "wait until it has ended, or end it; its finished pages are kept"}
	}
	// The number only helps people; on systems where a locked file cannot be
	// written it is missing.
	_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644)
	return lock, nil
}

func lockedBy(path string) error {
	data, _ := os.ReadFile(path)
	if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil {
		return fmt.Errorf("%w (process %d)", ErrLocked, pid)
	}
	return ErrLocked
}

// tempForm matches the names of files that a process which was killed leaves
// beside those it was writing: ".name.pid.random.tmp". The lock says that no process still writes one.
var tempForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\..+\.(json|md)(\.\d+)?\.[A-Za-z0-9-]{10,36}\.tmp$`)
})

// removeTempFiles removes what killed processes left half written in the wiki.
func (r *Run) removeTempFiles() error {
	if !r.wiki.Exists() {
		return nil
	}
	root := r.opt.Files.Root().FS()
	return fs.WalkDir(root, string(r.wiki.Dir()), func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("list wiki: %w", err)
		case entry.Type().IsRegular() && strings.HasSuffix(name, ".tmp") && tempForm().MatchString(entry.Name()):
			return r.opt.Files.Remove(name)
		}
		return nil
	})
}
