package atomicfile

import (
	"errors"
	"fmt"
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

// CheckReal checks that every component of name that exists is a real directory, or for the last one a real file, spelled exactly as
// in name. Components that do not exist yet are fine. Otherwise the error is a [*SymlinkError], a [*CaseError], or that of a component
// which is no directory.
func (d *Dir) CheckReal(name string) error {
	if name == "." {
		return nil
	}
	p, err := d.enter(name)
	if err == nil {
		defer p.close()
		_, err = p.check(name, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A place is where a name is: a component of an open directory.
type place struct {
	dir  *os.Root
	base string
	top  bool // dir is the one of the Dir, which stays open
}

func (p place) close() {
	if !p.top {
		p.dir.Close()
	}
}

// enter opens the directory that holds name. It goes down one component at a time, so that none is exchanged for a link unnoticed.
func (d *Dir) enter(name string) (place, error) {
	if err := checkName("open", name); err != nil {
		return place{}, err
	}
	p := place{dir: d.root, top: true}
	for rest, more := name, true; ; {
		p.base, rest, more = strings.Cut(rest, "/")
		if !more {
			return p, nil
		}
		part := name[:len(name)-len(rest)-1]
		child, err := p.openDir(name, part)
		p.close()
		if err != nil {
			return place{}, err
		}
		p = place{dir: child}
	}
}

// openDir opens the component part of name, which must be a real directory.
func (p place) openDir(name, part string) (*os.Root, error) {
	info, err := p.check(name, part)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: part, Err: syscall.ENOTDIR}
	}
	child, err := p.dir.OpenRoot(p.base)
	if err != nil {
		return nil, named(part, err)
	}
	opened, err := child.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = &fs.PathError{Op: "open", Path: part, Err: errExchanged}
	}
	if err != nil {
		child.Close()
		return nil, err
	}
	return child, nil
}

// check inspects the component part of name at this place.
func (p place) check(name, part string) (fs.FileInfo, error) {
	info, err := p.dir.Lstat(p.base)
	if err != nil {
		return nil, named(part, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, &SymlinkError{Name: name, Link: part}
	}
	return info, p.checkSpelling(name, part, info)
}

// checkSpelling finds out whether the component, which exists, is spelled like that on the disk. Reading the directory is needed only
// where the file system takes another spelling for the same file, which one extra Lstat tells.
func (p place) checkSpelling(name, part string, info fs.FileInfo) error {
	swapped := swapCase(p.base)
	if swapped == p.base {
		return nil
	}
	other, err := p.dir.Lstat(swapped)
	if err != nil || !os.SameFile(info, other) {
		return nil
	}
	entries, err := fs.ReadDir(p.dir.FS(), ".")
	if err != nil {
		return named(path.Dir(part), err)
	}
	if onDisk, ok := spelling(entries, p.base); !ok {
		return &CaseError{Name: name, OnDisk: path.Join(path.Dir(part), onDisk)}
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

// named gives an error that knows only the last component the whole name.
func named(name string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return &fs.PathError{Op: pathErr.Op, Path: name, Err: pathErr.Err}
	}
	return err
}
