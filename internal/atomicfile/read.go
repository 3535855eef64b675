package atomicfile

import (
	"errors"
	"io/fs"
	"os"
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

// Open opens the regular file name for reading under the rules of [Dir.Read].
func (d *Dir) Open(name string) (*os.File, fs.FileInfo, error) {
	r := d.Reader()
	defer r.Close()
	return r.Open(name)
}

var errExchanged = errors.New("file was exchanged while it was being opened")

func notRegular(op, name string, info fs.FileInfo) error {
	if info.IsDir() {
		return &fs.PathError{Op: op, Path: name, Err: syscall.EISDIR}
	}
	return &fs.PathError{Op: op, Path: name, Err: ErrNotRegular}
}
