package atomicfile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

const (
	fileMode = 0o644
	dirMode  = 0o755

	// maxTempBase keeps the name of a temporary file below the 255 bytes most file systems allow.
	maxTempBase = 200
)

// Write replaces the file name by data, or creates it and the directories above it. The mode of an existing file is kept; a new file
// gets 0644 less the umask. A symbolic link in any component, or a name that is not a regular file, is an error.
func (d *Dir) Write(name string, data []byte) error {
	if err := d.CheckReal(name); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	mode, err := d.writableMode(name)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if err := d.MkdirAll(path.Dir(name)); err != nil {
		return err
	}
	err = d.step(OpWrite, name, func() error { return d.replace(name, data, mode) })
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return nil
}

// WriteIfChanged writes like [Dir.Write] unless the file already holds exactly data, and tells whether it wrote.
func (d *Dir) WriteIfChanged(name string, data []byte) (bool, error) {
	old, err := d.Read(name)
	switch {
	case err == nil && bytes.Equal(old, data):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if err := d.Write(name, data); err != nil {
		return false, err
	}
	return true, nil
}

// MkdirAll creates the directory name and those above it. Each directory that is really made is one durable step.
func (d *Dir) MkdirAll(name string) error {
	if name == "." {
		return nil
	}
	if err := d.CheckReal(name); err != nil {
		return fmt.Errorf("create directory: %w", err)
	}
	for _, dir := range ancestors(name) {
		info, err := d.root.Lstat(dir)
		if err == nil && info.IsDir() {
			continue
		}
		if err == nil {
			return fmt.Errorf("create directory: %w", &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR})
		}
		err = d.step(OpMkdir, dir, func() error {
			if err := d.root.Mkdir(dir, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("create directory: %w", err)
		}
	}
	return nil
}

// Rename moves the file or directory old to name. The directories above name are created; what stood at name is replaced if it is a file.
func (d *Dir) Rename(old, name string) error {
	for _, n := range []string{old, name} {
		if err := d.CheckReal(n); err != nil {
			return fmt.Errorf("rename: %w", err)
		}
	}
	if err := d.MkdirAll(path.Dir(name)); err != nil {
		return err
	}
	if err := d.step(OpRename, name, func() error { return retry(func() error { return d.root.Rename(old, name) }) }); err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	return nil
}

// Remove removes the file, link or empty directory name. A name that is not there is no error and no step.
func (d *Dir) Remove(name string) error {
	return d.remove(name, d.root.Remove)
}

// RemoveAll removes name and everything below it. A name that is not there is no error and no step.
func (d *Dir) RemoveAll(name string) error {
	return d.remove(name, d.root.RemoveAll)
}

func (d *Dir) remove(name string, how func(string) error) error {
	if err := checkName("remove", name); err != nil {
		return err
	}
	// Only the directories above must be real: a link that stands at name itself is what goes.
	if err := d.CheckReal(path.Dir(name)); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	if _, err := d.root.Lstat(name); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	err := d.step(OpRemove, name, func() error { return retry(func() error { return how(name) }) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove: %w", err)
	}
	return nil
}

// RemoveEmptyParents removes the directories above name that are empty, from the innermost outwards, up to but without stop.
func (d *Dir) RemoveEmptyParents(name, stop string) error {
	if err := checkName("remove", name); err != nil {
		return err
	}
	for dir := path.Dir(name); dir != "." && dir != stop; dir = path.Dir(dir) {
		if stop != "." && !strings.HasPrefix(dir, stop+"/") {
			return nil
		}
		entries, err := fs.ReadDir(d.root.FS(), dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return fmt.Errorf("remove empty directory: %w", err)
		case len(entries) > 0:
			return nil
		}
		if err := d.Remove(dir); err != nil {
			return err
		}
	}
	return nil
}

// writableMode returns the permissions to give the new file and refuses to replace anything but a regular file.
func (d *Dir) writableMode(name string) (fs.FileMode, error) {
	info, err := d.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, notRegular("write", name, info.Mode())
	}
	return info.Mode().Perm(), nil
}

// replace writes data beside name, flushes it and renames it over name. Mode 0 leaves the mode of a new file.
func (d *Dir) replace(name string, data []byte, mode fs.FileMode) (err error) {
	temp := tempName(name)
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			// The first error is what matters; a temporary file that cannot go is harmless.
			_ = d.root.Remove(temp)
		}
	}()
	if err := fill(f, data, mode); err != nil {
		return err
	}
	return retry(func() error { return d.root.Rename(temp, name) })
}

// fill writes, flushes and closes f.
func fill(f *os.File, data []byte, mode fs.FileMode) error {
	_, err := f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func tempName(name string) string {
	base := path.Base(name)
	if len(base) > maxTempBase {
		base = base[:maxTempBase]
	}
	return path.Join(path.Dir(name), fmt.Sprintf(".%s.%d.%s.tmp", base, os.Getpid(), rand.Text()[:10]))
}

// ancestors returns name and the directories above it, outermost first.
func ancestors(name string) []string {
	var dirs []string
	for i := range len(name) {
		if name[i] == '/' {
			dirs = append(dirs, name[:i])
		}
	}
	return append(dirs, name)
}
