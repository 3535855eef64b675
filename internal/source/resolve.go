package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
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
	real, err = s.follow(name)
	if err == nil && !(s.Selected(name, false) && s.Selected(real, false)) {
		err = ErrIgnored
	}
	var outside *OutsideError
	if err != nil && !errors.As(err, &outside) {
		err = fmt.Errorf("resolve %s: %w", name, err)
	}
	if err != nil {
		return "", err
	}
	return real, nil
}

// follow walks a path component by component, starting again at the top behind every link, and returns the way to a regular file.
func (s *Source) follow(name string) (string, error) {
	rest := strings.Split(name, "/")
	done := "."
	for links := 0; ; {
		at := path.Join(done, rest[0])
		rest = rest[1:]
		info, err := s.dir.Root().Lstat(at)
		if err != nil {
			return "", err
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return "", ErrLinkLoop
			}
			to, err := s.target(name, at)
			if err != nil {
				return "", err
			}
			done, rest = ".", append(strings.Split(to, "/"), rest...)
		case len(rest) > 0:
			done = at
		case !info.Mode().IsRegular():
			return "", errors.New("not a regular file")
		default:
			return at, nil
		}
	}
}

// target returns the path that the link at points to.
func (s *Source) target(name, at string) (string, error) {
	text, err := s.dir.Root().Readlink(at)
	if err != nil {
		return "", err
	}
	text = filepath.ToSlash(text)
	to := path.Join(path.Dir(at), text)
	if path.IsAbs(text) || filepath.VolumeName(text) != "" || to == ".." || strings.HasPrefix(to, "../") {
		return "", &OutsideError{Path: name, Link: at, Target: text}
	}
	return to, nil
}
