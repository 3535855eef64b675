package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode"
)

// A SymlinkError says that a component of a name is a symbolic link.
type SymlinkError struct {
	Name string // the name that was asked for
	Link string // its component that is the link
}

// Error implements error.
func (e *SymlinkError) Error() string {
	if e.Name == e.Link {
		return e.Name + " is a symbolic link"
	}
	return fmt.Sprintf("%s: %s is a symbolic link", e.Name, e.Link)
}

// A CaseError says that a component of a name is spelled differently on the disk, on a file system that takes both spellings for one.
type CaseError struct {
	Name   string // the name that was asked for
	OnDisk string // how its component is spelled on the disk
}

// Error implements error.
func (e *CaseError) Error() string {
	return fmt.Sprintf("%s is spelled %s on the disk", e.Name, e.OnDisk)
}

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
	if err := d.CheckReal(name); err != nil {
		return nil, nil, err
	}
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, notRegular("open", name, before)
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, nil, err
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

// CheckReal checks that every component of name that exists is a real directory, or for the last one a real file, spelled exactly as
// in name. Components that do not exist yet are fine. It returns a [*SymlinkError] or a [*CaseError] (wrapped in nothing) otherwise.
func (d *Dir) CheckReal(name string) error {
	if err := checkName("check", name); err != nil {
		return err
	}
	if name == "." {
		return nil
	}
	for _, part := range ancestors(name) {
		info, err := d.root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return &SymlinkError{Name: name, Link: part}
		case part != name && !info.IsDir():
			return &fs.PathError{Op: "check", Path: part, Err: syscall.ENOTDIR}
		}
		if err := d.checkSpelling(name, part, info); err != nil {
			return err
		}
	}
	return nil
}

// checkSpelling finds out whether part, which exists, is spelled like that on the disk. Reading the directory is needed only where the
// file system takes another spelling for the same file, which one extra Lstat tells.
func (d *Dir) checkSpelling(name, part string, info fs.FileInfo) error {
	dir, base := path.Dir(part), path.Base(part)
	swapped := swapCase(base)
	if swapped == base {
		return nil
	}
	other, err := d.root.Lstat(path.Join(dir, swapped))
	if err != nil || !os.SameFile(info, other) {
		return nil
	}
	entries, err := fs.ReadDir(d.root.FS(), dir)
	if err != nil {
		return err
	}
	if onDisk, ok := spelling(entries, base); !ok {
		return &CaseError{Name: name, OnDisk: path.Join(dir, onDisk)}
	}
	return nil
}

// spelling looks for base among the entries: exactly, or else without regard to case.
func spelling(entries []fs.DirEntry, base string) (onDisk string, exact bool) {
	onDisk = base
	for _, entry := range entries {
		if entry.Name() == base {
			return base, true
		}
		if strings.EqualFold(entry.Name(), base) {
			onDisk = entry.Name()
		}
	}
	return onDisk, false
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func notRegular(op, name string, info fs.FileInfo) error {
	if info.IsDir() {
		return &fs.PathError{Op: op, Path: name, Err: syscall.EISDIR}
	}
	return &fs.PathError{Op: op, Path: name, Err: errors.New("not a regular file")}
}
