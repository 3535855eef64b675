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
	"time"

	"github.com/gofrs/flock"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// lockName is the file, in the git directory of the work tree, that a process
// holds while it changes the wiki. Linked work trees have their own.
const lockName = "wikiwright.lock"

// A status command looks at the lock for a moment; whoever finds it taken
// tries a few times more before it believes that.
const (
	lockTries = 4
	lockPause = 10 * time.Millisecond
)

// runLock makes one process the only one that changes the wiki of a checkout.
// The operating system releases the lock of a process that dies.
type runLock struct {
	*flock.Flock
	mu   sync.Mutex
	told string // what the file says
}

// takeLock takes the lock of a checkout, or fails.
func takeLock(gitDir, op string) (*runLock, error) {
	path := filepath.Join(gitDir, lockName)
	lock := flock.New(path, flock.SetPermissions(0o644))
	ok, err := lock.TryLock()
	for try := 1; err == nil && !ok && try < lockTries; try++ {
		time.Sleep(lockPause)
		ok, err = lock.TryLock()
	}
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
	l := &runLock{Flock: lock}
	l.tell(nil)
	return l, nil
}

// tell writes into the lock file, for people, which process holds it and which
// pages it works on. It is overwritten in place, past atomicfile: a file that
// is renamed over the lock file would not be locked, and what it says need not
// outlive the process. On systems where a locked file cannot be written it
// says nothing.
func (l *runLock) tell(pages []wiki.PagePath) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strconv.Itoa(os.Getpid()) + "\n"
	for _, page := range pages {
		text += string(page) + "\n"
	}
	if text != l.told && os.WriteFile(l.Path(), []byte(text), 0o644) == nil {
		l.told = text
	}
}

// A Process is one that is changing the wiki.
type Process struct {
	ID    int             // 0 if it is not known
	Pages []wiki.PagePath // in work
}

// runningProcess returns the process that holds the lock of a checkout, nil
// when none does. It creates nothing.
func runningProcess(gitDir string) *Process {
	path := filepath.Join(gitDir, lockName)
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	ok, err := lock.TryRLock()
	if ok {
		_ = lock.Unlock() // the file is closed with it, whatever the system says
		return nil
	}
	if err != nil {
		return nil // there is no lock file, or nobody may look
	}
	return holder(path)
}

// holder reads what the process that holds a lock says of itself.
func holder(path string) *Process {
	p := &Process{}
	data, _ := os.ReadFile(path)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i == 0 {
			p.ID, _ = strconv.Atoi(line)
			continue
		}
		p.Pages = append(p.Pages, wiki.PagePath(line))
	}
	return p
}

func lockedBy(path string) error {
	if p := holder(path); p.ID != 0 {
		return fmt.Errorf("%w (process %d)", ErrLocked, p.ID)
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
