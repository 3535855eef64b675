//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// A folder is an open directory. Names in it are single components, and none is followed if it is a link.
type folder struct{ root *os.Root }

// openFolder opens the directory of root once more.
func openFolder(root *os.Root) (*folder, error) {
	again, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &folder{root: again}, nil
}

func (d *folder) close() error { return d.root.Close() }

func (d *folder) lstat(name string) (Stat, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return Stat{}, err
	}
	return statOf(info), nil
}

func (d *folder) enter(name string) (*folder, error) {
	info, err := d.real(name)
	if err != nil {
		return nil, err
	}
	child, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := child.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = &fs.PathError{Op: "open", Path: name, Err: errExchanged}
	}
	if err != nil {
		child.Close()
		return nil, err
	}
	return &folder{root: child}, nil
}

func (d *folder) open(name string) (*File, error) {
	info, err := d.real(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = &fs.PathError{Op: "open", Path: name, Err: errExchanged}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{handle: f, stat: statOf(opened)}, nil
}

// real inspects a name that is no link.
func (d *folder) real(name string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		err = &fs.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
	}
	return info, err
}

func (d *folder) entries() ([]fs.DirEntry, error) { return fs.ReadDir(d.root.FS(), ".") }

func (d *folder) readlink(name string) (string, error) { return d.root.Readlink(name) }

// A handle is the open file of a File.
type handle = *os.File

func statOf(info fs.FileInfo) Stat {
	return Stat{Mode: info.Mode(), Size: info.Size(), Mtime: info.ModTime().UnixNano(), info: info}
}
