package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// A reader looks at files below a root one after the other. It keeps the directories of the last file open, since the next one mostly
// lies beside it. One goroutine uses it.
type reader struct {
	root *os.Root
	open []openDir // the directories of the current path, outermost first
}

type openDir struct {
	name string
	root *os.Root
}

func (r *reader) close() {
	for _, dir := range r.open {
		dir.root.Close()
	}
	r.open = nil
}

// enter opens the directory that holds the path and returns it with the last component. A directory that is a symbolic link holds no
// tracked file, as for git: the error then is an [fs.ErrNotExist].
func (r *reader) enter(path string) (*os.Root, string, error) {
	dir, base := r.root, path
	for depth := 0; ; depth++ {
		name, rest, more := strings.Cut(base, "/")
		if !more {
			r.truncate(depth)
			return dir, base, nil
		}
		if depth < len(r.open) && r.open[depth].name == name {
			dir, base = r.open[depth].root, rest
			continue
		}
		r.truncate(depth)
		info, err := dir.Lstat(name)
		if err != nil {
			return nil, "", err
		}
		if !info.IsDir() {
			return nil, "", fs.ErrNotExist
		}
		child, err := dir.OpenRoot(name)
		if err != nil {
			return nil, "", err
		}
		r.open = append(r.open, openDir{name, child})
		dir, base = child, rest
	}
}

func (r *reader) truncate(depth int) {
	for len(r.open) > depth {
		last := len(r.open) - 1
		r.open[last].root.Close()
		r.open = r.open[:last]
	}
}

// lstat returns the stamp of a path: the zero stamp if it is missing.
func (r *reader) lstat(path string) (stamp, error) {
	dir, base, err := r.enter(path)
	if err == nil {
		var info fs.FileInfo
		if info, err = dir.Lstat(base); err == nil {
			return stampOf(info), nil
		}
	}
	if isGone(err) {
		return stamp{}, nil
	}
	return stamp{}, readError(path, err)
}

// fields appends the fields of one file to b. A file too big to hold comes back open with its size; the caller hashes its content, and
// the NUL that ends the field, after b.
func (r *reader) fields(b []byte, file selected) (_ []byte, big *os.File, at stamp, err error) {
	b = appendField(b, "path", file.path)
	dir, base, err := r.enter(file.path)
	var info fs.FileInfo
	if err == nil {
		info, err = dir.Lstat(base)
	}
	switch {
	case isGone(err) && file.tracked:
		return appendField(b, "kind", "tracked-missing"), nil, stamp{}, nil
	case err != nil:
		return nil, nil, stamp{}, readError(file.path, err)
	}
	at = stampOf(info)
	switch {
	case info.Mode().IsRegular():
		b, big, err = regularFields(b, dir, base, info)
	case info.Mode()&fs.ModeSymlink != 0:
		var target string
		if target, err = dir.Readlink(base); err == nil {
			b = appendField(b, "executable", executable(info))
			b = appendField(b, "kind", "symlink")
			b = appendField(b, "target", target)
		}
	case info.IsDir():
		b = appendField(b, "executable", executable(info))
		b = appendField(b, "kind", "directory")
	default:
		err = errors.New("neither a file nor a symbolic link nor a directory")
	}
	if err != nil {
		return nil, nil, stamp{}, readError(file.path, err)
	}
	return b, big, at, nil
}

// regularFields appends the fields of a regular file that was inspected as info.
func regularFields(b []byte, dir *os.Root, base string, info fs.FileInfo) (_ []byte, big *os.File, err error) {
	f, err := dir.Open(base)
	if isGone(err) {
		return nil, nil, ErrChanging
	}
	if err != nil {
		return nil, nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = ErrChanging
	}
	if err == nil {
		b = appendField(b, "executable", executable(opened))
		b = appendField(b, "kind", "file")
		b = appendFieldStart(b, "bytes", opened.Size())
		if opened.Size() > maxBuffered {
			return b, f, nil
		}
		b, err = appendContent(b, f, int(opened.Size()))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, err
	}
	return append(b, 0), nil, nil
}

// appendContent appends the content of f, which must be exactly size bytes.
func appendContent(b []byte, f io.Reader, size int) ([]byte, error) {
	start := len(b)
	// One byte more than expected shows that the file has grown.
	b = slices.Grow(b, size+1)
	into := b[start : start+size+1]
	n := 0
	for n <= size {
		m, err := f.Read(into[n:])
		n += m
		if err == io.EOF || m > 0 && n == size {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if n != size {
		return nil, ErrChanging
	}
	return b[:start+size], nil
}

func executable(info fs.FileInfo) string {
	if info.Mode().Perm()&0o111 != 0 {
		return "yes"
	}
	return "no"
}

// readError names the file once.
func readError(path string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("read source file %q: %w", path, err)
}

// isGone recognises the errors of a path that is not there, also because a file stands where a directory should.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
