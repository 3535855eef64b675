package atomicfile

import (
	"errors"
	"io/fs"
	"syscall"
)

// ErrNotRegular is the cause of refusing a device, a pipe or a socket.
var ErrNotRegular = errors.New("not a regular file")

// Read returns the bytes of the regular file name. It refuses a symbolic link in any component, a file that is spelled differently on
// the disk, and a file that is exchanged while it is being opened. A missing file satisfies errors.Is(err, fs.ErrNotExist).
// [Dir.Reader] reads many files faster.
func (d *Dir) Read(name string) ([]byte, error) {
	r := d.Reader()
	defer r.Close()
	return r.Read(name)
}

var errExchanged = errors.New("file was exchanged while it was being opened")

func notRegular(op, name string, mode fs.FileMode) error {
	if mode.IsDir() {
		return &fs.PathError{Op: op, Path: name, Err: syscall.EISDIR}
	}
	return &fs.PathError{Op: op, Path: name, Err: ErrNotRegular}
}
