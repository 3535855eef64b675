package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// maxLinks is how many symbolic links one path may lead through.
const maxLinks = 40

// An OutsideError says that a path leads out of the repository.
type OutsideError struct {
	Path   string // the path that was asked for
	Link   string // the symbolic link that leads out
	Target string // what it says
}

// Error implements error.
func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s: the symbolic link %s leads outside of the repository, to %s", e.Path, e.Link, e.Target)
}

// ErrLinkLoop means that symbolic links lead in a circle.
var ErrLinkLoop = errors.New("too many symbolic links")

// Resolve follows the symbolic links in a path and returns the path of the file itself. A link that leaves the repository, or is an
// absolute path, is an [*OutsideError]; a file that is not source is an [ErrIgnored]; one that is not there an [fs.ErrNotExist].
func (s *Source) Resolve(name string) (real string, err error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "resolve", Path: name, Err: fs.ErrInvalid}
	}
	rest := strings.Split(name, "/")
	done := "."
	for links := 0; len(rest) > 0; {
		at := path.Join(done, rest[0])
		rest = rest[1:]
		info, err := s.dir.Root().Lstat(at)
		if err != nil {
			return "", fmt.Errorf("resolve %s: %w", name, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = at
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("resolve %s: %w", name, ErrLinkLoop)
		}
		target, err := s.dir.Root().Readlink(at)
		if err != nil {
			return "", fmt.Errorf("resolve %s: %w", name, err)
		}
		full := path.Join(path.Dir(at), target)
		if path.IsAbs(target) || full == ".." || strings.HasPrefix(full, "../") {
			return "", &OutsideError{Path: name, Link: at, Target: target}
		}
		done, rest = ".", append(strings.Split(full, "/"), rest...)
	}
	if !s.Selected(done, false) {
		return "", fmt.Errorf("resolve %s: %w", name, ErrIgnored)
	}
	return done, nil
}
