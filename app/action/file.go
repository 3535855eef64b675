package action

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// writeFile writes a file that an input names and returns where it is. A relative name is below the workspace and cannot leave it.
//
// What is checked out may come from anybody: a symbolic link in it must not decide which file of the runner is written. So no part of the
// name below workspace or checkout may be one, however the name is spelled. Elsewhere only the last part must not be one: directories
// of the runner, such as /tmp of macOS, often are.
func (j *job) writeFile(setting, name string, data []byte) (string, error) {
	full, err := j.outputPath(setting, name)
	if err != nil {
		return "", err
	}
	top, below := j.untrusted(full)
	if top == "" {
		top, below = filepath.Dir(full), filepath.Base(full)
		if real, err := filepath.EvalSymlinks(top); err == nil {
			if in, _ := j.untrusted(filepath.Join(real, below)); in != "" {
				return "", fileError(setting, full, &atomicfile.SymlinkError{Name: full, Link: top})
			}
		}
	}
	dir, err := atomicfile.Open(top)
	if err != nil {
		return "", fileError(setting, full, err)
	}
	err = errors.Join(dir.Write(filepath.ToSlash(below), data), dir.Close())
	return full, fileError(setting, full, err)
}

// makeDirectory makes a directory that an input names, under the rules of writeFile, and returns where it is.
func (j *job) makeDirectory(setting, name string) (string, error) {
	full, err := j.outputPath(setting, name)
	if err != nil {
		return "", err
	}
	top, below := j.untrusted(full)
	if top == "" {
		return full, fileError(setting, full, os.MkdirAll(full, 0o755))
	}
	dir, err := atomicfile.Open(top)
	if err != nil {
		return "", fileError(setting, full, err)
	}
	err = errors.Join(dir.MkdirAll(path.Clean(filepath.ToSlash(below))), dir.Close())
	return full, fileError(setting, full, err)
}

// outputPath returns the whole name of what an input names.
func (j *job) outputPath(setting, name string) (string, error) {
	workspace := j.workspace()
	switch {
	case filepath.IsAbs(name):
		return filepath.Clean(name), nil
	case !filepath.IsLocal(name):
		return "", &app.ConfigError{Name: setting, Err: fmt.Errorf("%q leads out of the workspace", name),
			Next: "give a name below the workspace, or an absolute one such as ${{ runner.temp }}/wiki.json"}
	}
	full, err := filepath.Abs(filepath.Join(workspace, name))
	if err != nil {
		return "", fileError(setting, name, err)
	}
	return full, nil
}

// untrusted returns the directory of what is checked out that full lies in, and the rest of the name; "" where it lies elsewhere. It
// compares directories and not names, since there may be several ways to one.
func (j *job) untrusted(full string) (top, below string) {
	var tops []fs.FileInfo
	for _, dir := range []string{j.workspace(), j.dir} {
		if info, err := os.Stat(dir); err == nil {
			tops = append(tops, info)
		}
	}
	for dir := filepath.Dir(full); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		for _, known := range tops {
			if err == nil && os.SameFile(info, known) {
				// The outermost wins: from there on every part is looked at.
				if rest, err := filepath.Rel(dir, full); err == nil {
					top, below = dir, rest
				}
			}
		}
		if dir == filepath.Dir(dir) {
			return top, below
		}
	}
}

// workspace is where the runner puts checkouts.
func (j *job) workspace() string {
	if workspace := j.cfg.Getenv("GITHUB_WORKSPACE"); workspace != "" {
		return workspace
	}
	return "."
}

// fileError tells why a file could not be written, and blames the setting where that names what cannot be one.
func fileError(setting, name string, err error) error {
	var link *atomicfile.SymlinkError
	var spelling *atomicfile.CaseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &link), errors.As(err, &spelling):
		return &app.ConfigError{Name: setting, Err: fmt.Errorf("write %s: %w", name, err), Next: "name one that is no link, or an absolute one outside the checkout such as ${{ runner.temp }}/wiki.json"}
	case errors.Is(err, atomicfile.ErrNotRegular), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return &app.ConfigError{Name: setting, Err: fmt.Errorf("write %s: %w", name, err), Next: "name a file, in a directory"}
	}
	return fmt.Errorf("%s: write %s: %w", setting, name, err)
}
