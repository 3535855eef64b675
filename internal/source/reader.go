package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"syscall"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// A reader looks at files of the repository one after the other, as git tracks them: a directory that is a symbolic link holds none. One
// goroutine uses it.
type reader struct{ files *atomicfile.Reader }

func (s *Source) reader() reader { return reader{s.dir.TrackedReader()} }

func (r reader) close() { r.files.Close() }

// lstat returns the stamp of a path: the zero stamp if it is missing.
func (r reader) lstat(path string) (stamp, error) {
	at, err := r.files.Lstat(path)
	if isGone(path, err) {
		return stamp{}, nil
	}
	if err != nil {
		return stamp{}, readError(path, err)
	}
	return stampOf(at), nil
}

// fields appends the fields of one file to b. A file too big to hold comes back open with its size; the caller hashes its content, and
// the NUL that ends the field, after b.
func (r reader) fields(b []byte, file selected) (_ []byte, big *atomicfile.File, at stamp, err error) {
	b = appendField(b, "path", file.path)
	f, err := r.files.Open(file.path)
	switch {
	case err == nil:
		at = stampOf(f.Stat())
		b, big, err = regularFields(b, f)
	case isGone(file.path, err) && file.tracked:
		return appendField(b, "kind", "tracked-missing"), nil, stamp{}, nil
	case !isGone(file.path, err):
		b, at, err = r.otherFields(b, file.path, err)
	}
	if err != nil {
		return nil, nil, stamp{}, readError(file.path, err)
	}
	return b, big, at, nil
}

// otherFields appends the fields of what could not be opened as a regular file.
func (r reader) otherFields(b []byte, path string, opened error) ([]byte, stamp, error) {
	at, err := r.files.Lstat(path)
	if err != nil {
		return nil, stamp{}, err
	}
	var link *atomicfile.SymlinkError
	switch {
	case at.Mode.IsRegular() && errors.As(opened, &link):
		return nil, stamp{}, ErrChanging
	case at.Mode.IsRegular():
		return nil, stamp{}, opened
	case at.Mode&fs.ModeSymlink != 0:
		target, err := r.files.Readlink(path)
		if err != nil {
			return nil, stamp{}, err
		}
		b = appendField(b, "executable", executable(at.Mode))
		b = appendField(b, "kind", "symlink")
		b = appendField(b, "target", target)
	case at.Mode.IsDir():
		b = appendField(b, "executable", executable(at.Mode))
		b = appendField(b, "kind", "directory")
	default:
		return nil, stamp{}, errors.New("neither a file nor a symbolic link nor a directory")
	}
	return b, stampOf(at), nil
}

// regularFields appends the fields of an open file, and closes it unless it is too big to hold.
func regularFields(b []byte, f *atomicfile.File) (_ []byte, big *atomicfile.File, err error) {
	at := f.Stat()
	b = appendField(b, "executable", executable(at.Mode))
	b = appendField(b, "kind", "file")
	b = appendFieldStart(b, "bytes", at.Size)
	if at.Size > maxBuffered {
		return b, f, nil
	}
	b, err = appendContent(b, f, int(at.Size))
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

func executable(mode fs.FileMode) string {
	if mode.Perm()&0o111 != 0 {
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

// isGone recognises the errors of a path that is not there, also because a file or a link stands where a directory should.
func isGone(path string, err error) bool {
	var link *atomicfile.SymlinkError
	if errors.As(err, &link) {
		return link.Link != path
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
