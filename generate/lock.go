package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
