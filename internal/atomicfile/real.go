package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
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
	r := d.Reader()
	defer r.Close()
	dir, base, err := r.enter(name)
	if err == nil {
		_, err = dir.check(base, name, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A directory is an open directory, known to be real.
type directory struct {
	*folder
	name  string // its last component
	loose bool   // any spelling will do
	exact bool   // it was seen to tell upper from lower case
}

// enterDir opens the directory base in d. It is the component part of name, for errors.
func (d *directory) enterDir(base, name, part string) (directory, error) {
	child, err := d.enter(base)
	if err != nil {
		return directory{}, d.explain(err, base, name, part)
	}
	if err := d.checkSpelling(base, name, part); err != nil {
		child.close()
		return directory{}, err
	}
	return directory{folder: child, name: base, loose: d.loose}, nil
}

// openFile opens the regular file base in d, which is called name as a whole.
func (d *directory) openFile(base, name string) (*File, error) {
	f, err := d.open(base)
	if err != nil {
		return nil, d.explain(err, base, name, name)
	}
	err = d.checkSpelling(base, name, name)
	if mode := f.Stat().Mode; err == nil && !mode.IsRegular() {
		err = notRegular("open", name, mode)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// explain says why base could not be opened: what it is matters more than what the system said.
func (d *directory) explain(err error, base, name, part string) error {
	at, checkErr := d.check(base, name, part)
	switch {
	case checkErr != nil:
		return checkErr
	case !at.Mode.IsRegular() && !at.Mode.IsDir():
		return notRegular("open", name, at.Mode)
	}
	return named(part, err)
}

// check inspects base in d, the component part of name.
func (d *directory) check(base, name, part string) (Stat, error) {
	at, err := d.lstat(base)
	if err != nil {
		return Stat{}, named(part, err)
	}
	if at.Mode&fs.ModeSymlink != 0 {
		return Stat{}, &SymlinkError{Name: name, Link: part}
	}
	return at, d.checkSpelling(base, name, part)
}

// checkSpelling finds out whether base, which exists, is spelled like that on the disk. Reading the directory is needed only where the
// file system takes another spelling for the same file, which one extra lstat tells. A directory in which the other spelling is not
// there tells upper from lower case in every name.
func (d *directory) checkSpelling(base, name, part string) error {
	if d.loose || d.exact {
		return nil
	}
	swapped := swapCase(base)
	if swapped == base {
		return nil
	}
	other, err := d.lstat(swapped)
	if err != nil {
		d.exact = errors.Is(err, fs.ErrNotExist) && hasLetter(base)
		return nil
	}
	if this, err := d.lstat(base); err != nil || !sameFile(this, other) {
		return nil
	}
	entries, err := d.entries()
	if err != nil {
		return named(path.Dir(part), err)
	}
	if onDisk, ok := spelling(entries, base); !ok {
		return &CaseError{Name: name, OnDisk: path.Join(path.Dir(part), onDisk)}
	}
	return nil
}

// hasLetter tells whether the other spelling differs in an ASCII letter, which every file system without case folds.
func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' })
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
