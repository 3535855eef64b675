//go:build linux || darwin || freebsd || netbsd || openbsd

package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A folder is an open directory. Names in it are single components, and none is followed if it is a link. The system is asked directly:
// what is opened here are many small files and directories, and an os.Root takes several times as many calls for each.
type folder struct {
	fd  int
	top *os.File // holds fd open where it came from an os.Root
}

// openFolder opens the directory of root once more.
func openFolder(root *os.Root) (*folder, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &folder{fd: int(f.Fd()), top: f}, nil
}

func (d *folder) close() error {
	if d.top != nil {
		return d.top.Close()
	}
	return unix.Close(d.fd)
}

func (d *folder) lstat(name string) (Stat, error) {
	var st unix.Stat_t
	err := restarted(func() error { return unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return Stat{}, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return statOf(&st), nil
}

func (d *folder) enter(name string) (*folder, error) {
	fd, err := d.openat(name, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &folder{fd: fd}, nil
}

// open opens a file for reading, of whatever kind it is: a pipe does not make it wait.
func (d *folder) open(name string) (*File, error) {
	fd, err := d.openat(name, unix.O_NONBLOCK)
	if errors.Is(err, unix.EAGAIN) { // somebody holds a lease on the file, which is worth waiting for
		fd, err = d.openat(name, 0)
	}
	if err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err := restarted(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return nil, errors.Join(&fs.PathError{Op: "stat", Path: name, Err: err}, unix.Close(fd))
	}
	return &File{handle: handle(fd), stat: statOf(&st)}, nil
}

func (d *folder) openat(name string, flags int) (fd int, err error) {
	err = restarted(func() (err error) {
		fd, err = unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags, 0)
		return err
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return fd, nil
}

func (d *folder) entries() ([]fs.DirEntry, error) {
	fd, err := d.openat(".", unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	return f.ReadDir(-1)
}

func (d *folder) readlink(name string) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		var n int
		err := restarted(func() (err error) {
			n, err = unix.Readlinkat(d.fd, name, buf)
			return err
		})
		if err != nil {
			return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

// A handle is the descriptor of a File.
type handle int

func (h handle) Read(p []byte) (n int, err error) {
	err = restarted(func() (err error) {
		n, err = unix.Read(int(h), p)
		return err
	})
	switch {
	case err != nil:
		return 0, &fs.PathError{Op: "read", Err: err}
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (h handle) Close() error { return unix.Close(int(h)) }

// restarted repeats a call that a signal interrupted.
func restarted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func statOf(st *unix.Stat_t) Stat {
	return Stat{
		Mode: fileModeOf(uint32(st.Mode)), Size: st.Size, Dev: uint64(st.Dev), Ino: uint64(st.Ino),
		Mtime: time.Unix(st.Mtim.Unix()).UnixNano(), Ctime: time.Unix(st.Ctim.Unix()).UnixNano(),
	}
}

func fileModeOf(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFREG:
	default:
		mode |= fs.ModeIrregular
	}
	return mode
}
