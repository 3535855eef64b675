package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Reader reads files of a [Dir] under the rules of [Dir.Read]. It keeps the directories of the last name open, since the next one
// mostly lies beside it when many files are read in the order of their names: each directory is opened and looked at only once. One
// goroutine uses it.
type Reader struct {
	top  directory
	open []directory // those of the last name, outermost first
}

// Reader returns a reader, to be closed before the Dir is.
func (d *Dir) Reader() *Reader { return &Reader{top: directory{folder: d.top}} }

// TrackedReader returns a reader that takes every spelling which the file system takes, as git does for the files it tracks.
func (d *Dir) TrackedReader() *Reader { return &Reader{top: directory{folder: d.top, loose: true}} }

// Close closes the directories that are still open.
func (r *Reader) Close() { r.leave(0) }

// Read returns the bytes of the regular file name, as [Dir.Read] does.
func (r *Reader) Read(name string) ([]byte, error) { return r.ReadInto(nil, name) }

// ReadInto is Read into the room that buf has, as far as it goes: what buf held is overwritten.
func (r *Reader) ReadInto(buf []byte, name string) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := f.Stat().Size
	data := slices.Grow(buf[:0], int(size)+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read file: %w", named(name, err))
		}
		if n > 0 && int64(len(data)) == size {
			return data, nil // what somebody appends from now on comes later
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// openTries is how often a file is opened that another process keeps replacing.
const openTries = 10

// Open opens the regular file name for reading.
func (r *Reader) Open(name string) (*File, error) {
	err := errExchanged
	for try := 0; try < openTries && errors.Is(err, errExchanged); try++ {
		var f *File
		if f, err = r.openOnce(name); err == nil {
			return f, nil
		}
		r.leave(0) // what was exchanged may be a directory that is open
	}
	return nil, fmt.Errorf("read file: %w", err)
}

func (r *Reader) openOnce(name string) (*File, error) {
	dir, base, err := r.enter(name)
	if err != nil {
		return nil, err
	}
	return dir.openFile(base, name)
}

// Lstat returns what the file system says of name, which may be of any kind.
func (r *Reader) Lstat(name string) (Stat, error) {
	dir, base, err := r.enter(name)
	if err != nil {
		return Stat{}, err
	}
	at, err := dir.lstat(base)
	if err != nil {
		return Stat{}, named(name, err)
	}
	return at, nil
}

// Readlink returns the target of the symbolic link name.
func (r *Reader) Readlink(name string) (string, error) {
	dir, base, err := r.enter(name)
	if err != nil {
		return "", err
	}
	target, err := dir.readlink(base)
	if err != nil {
		return "", named(name, err)
	}
	return target, nil
}

// enter opens the directory that holds name, unless it is open, and returns it with the last component. It goes down one component at a
// time, so that none is exchanged for a link unnoticed.
func (r *Reader) enter(name string) (dir *directory, base string, err error) {
	if err := checkName("open", name); err != nil {
		return nil, "", err
	}
	dir, base = &r.top, name
	for depth := 0; ; depth++ {
		component, rest, more := strings.Cut(base, "/")
		if !more {
			r.leave(depth)
			return dir, base, nil
		}
		if depth == len(r.open) || r.open[depth].name != component {
			r.leave(depth)
			child, err := dir.enterDir(component, name, name[:len(name)-len(rest)-1])
			if err != nil {
				return nil, "", err
			}
			r.open = append(r.open, child)
		}
		dir, base = &r.open[depth], rest
	}
}

// leave closes the directories from depth on.
func (r *Reader) leave(depth int) {
	for len(r.open) > depth {
		last := len(r.open) - 1
		r.open[last].close()
		r.open = r.open[:last]
	}
}
