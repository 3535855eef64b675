package atomicfile

import (
	"errors"
	"syscall"
	"time"
)

const (
	errAccessDenied     = syscall.Errno(5)
	errSharingViolation = syscall.Errno(32)
)

// retry repeats an operation that fails because another process, often a virus scanner or an editor, holds the file for a moment.
func retry(do func() error) error {
	err := do()
	for wait := 10 * time.Millisecond; wait <= 640*time.Millisecond; wait *= 2 {
		if !errors.Is(err, errAccessDenied) && !errors.Is(err, errSharingViolation) {
			return err
		}
		time.Sleep(wait)
		err = do()
	}
	return err
}
