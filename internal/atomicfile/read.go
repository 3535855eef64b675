package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Read returns the bytes of the regular file name. It refuses a symbolic link in any component, a file that is spelled differently on
// the disk, and a file that is exchanged while it is being opened. A missing file satisfies errors.Is(err, fs.ErrNotExist).
func (d *Dir) Read(name string) ([]byte, error) {
	f, info, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// openTries is how often a file is opened that another process keeps replacing.
const openTries = 10

// Open opens the regular file name for reading under the rules of [Dir.Read].
func (d *Dir) Open(name string) (*os.File, fs.FileInfo, error) {
	err := errExchanged
	for try := 0; try < openTries && errors.Is(err, errExchanged); try++ {
		var f *os.File
		var info fs.FileInfo
		if f, info, err = d.openOnce(name); err == nil {
			return f, info, nil
		}
	}
	return nil, nil, fmt.Errorf("read file: %w", err)
}

// openOnce opens the file and makes sure that it is the one that was inspected.
func (d *Dir) openOnce(name string) (*os.File, fs.FileInfo, error) {
	p, err := d.enter(name)
	if err != nil {
		return nil, nil, err
	}
	defer p.close()
	before, err := p.check(name, name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, notRegular("open", name, before)
	}
	f, err := p.dir.Open(p.base)
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

var errExchanged = errors.New("file was exchanged while it was being opened")

func notRegular(op, name string, info fs.FileInfo) error {
	if info.IsDir() {
		return &fs.PathError{Op: op, Path: name, Err: syscall.EISDIR}
	}
	return &fs.PathError{Op: op, Path: name, Err: errors.New("not a regular file")}
}
