package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
func (d *Dir) Reader() *Reader { return &Reader{top: directory{root: d.root}} }

// Close closes the directories that are still open.
func (r *Reader) Close() { r.leave(0) }

// Read returns the bytes of the regular file name, as [Dir.Read] does.
func (r *Reader) Read(name string) ([]byte, error) { return r.ReadInto(nil, name) }

// ReadInto is Read into the room that buf has, as far as it goes: what buf held is overwritten.
func (r *Reader) ReadInto(buf []byte, name string) ([]byte, error) {
	f, info, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := slices.Grow(buf[:0], int(info.Size())+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		if n > 0 && int64(len(data)) == info.Size() {
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
func (r *Reader) Open(name string) (*os.File, fs.FileInfo, error) {
	err := errExchanged
	for try := 0; try < openTries && errors.Is(err, errExchanged); try++ {
		var f *os.File
		var info fs.FileInfo
		if f, info, err = r.openOnce(name); err == nil {
			return f, info, nil
		}
		r.leave(0) // what was exchanged may be a directory that is open
	}
	return nil, nil, fmt.Errorf("read file: %w", err)
}

// openOnce opens the file and makes sure that it is the one that was inspected.
func (r *Reader) openOnce(name string) (*os.File, fs.FileInfo, error) {
	dir, base, err := r.enter(name)
	if err != nil {
		return nil, nil, err
	}
	before, err := dir.check(base, name, name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, notRegular("open", name, before)
	}
	f, err := dir.root.Open(base)
	if err != nil {
		return nil, nil, named(name, err)
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = &fs.PathError{Op: "open", Path: name, Err: errExchanged}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
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
			child, err := dir.enter(component, name, name[:len(name)-len(rest)-1])
			if err != nil {
				return nil, "", err
			}
			r.open = append(r.open, directory{name: component, root: child})
		}
		dir, base = &r.open[depth], rest
	}
}

// leave closes the directories from depth on.
func (r *Reader) leave(depth int) {
	for len(r.open) > depth {
		last := len(r.open) - 1
		r.open[last].root.Close()
		r.open = r.open[:last]
	}
}
