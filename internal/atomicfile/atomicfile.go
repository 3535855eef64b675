// Package atomicfile reads and writes files below one directory so that a reader, or the next run after a crash, sees either the old
// bytes of a file or the new ones and never a part.
//
// A [Dir] is a directory opened with [os.Root]: no name, no symbolic link and no race can make it touch anything outside. Names are
// slash-separated and relative to the directory. On top of what os.Root promises, reads and writes refuse symbolic links in every
// component, because a link inside a repository would let one file stand for another (a page for a source file, say). A [Reader] goes
// down the directories by itself, one component at a time and never through a link, which promises the same in fewer system calls.
//
// [Dir.Write] writes a temporary file beside the target, flushes it to the disk and renames it over the target. The temporary file is
// named .<base>.<pid>.<random>.tmp and removed when anything fails. The directory entry itself is not flushed: after a power failure
// the old file may be back, whole.
//
// Every durable step passes a hook that tests install with [Dir.WithHook] to stop a run after any write. The package keeps no other
// state, takes no locks and knows nothing about what the files mean.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Dir is an open directory that files are read from and written to.
// It may be used by several goroutines at once.
type Dir struct {
	root *os.Root
	top  *folder // the same directory, for reading
	path string
	hook func(Step) error
}

// A Step is one durable operation as a hook sees it: once with When "before" and, when it succeeded, once with When "after".
type Step struct {
	When string // "before" or "after"
	Op   string // "write", "remove", "mkdir" or "rename"
	Name string // slash path relative to the Dir; the new name of a rename
}

// The values of [Step].When and [Step].Op.
const (
	Before = "before"
	After  = "after"

	OpWrite  = "write"
	OpRemove = "remove"
	OpMkdir  = "mkdir"
	OpRename = "rename"
)

// Open opens the directory at path. The caller closes it.
func Open(path string) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	top, err := openFolder(root)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", errors.Join(err, root.Close()))
	}
	return &Dir{root: root, top: top, path: abs}, nil
}

// Close closes the directory, also for every Dir made from it by [Dir.WithHook].
func (d *Dir) Close() error { return errors.Join(d.top.close(), d.root.Close()) }

// Path returns the absolute path of the directory.
func (d *Dir) Path() string { return d.path }

// Root returns the open root, for reads that need more than a Dir offers. Durable changes belong into the methods of Dir.
func (d *Dir) Root() *os.Root { return d.root }

// WithHook returns a Dir on the same open directory that reports every durable step to h. An error from the "before" call prevents the
// step; an error from the "after" call is returned although the step was done, as if the process had died just then. Only tests use it.
func (d *Dir) WithHook(h func(Step) error) *Dir {
	return &Dir{root: d.root, top: d.top, path: d.path, hook: h}
}

// step runs op between the two calls of the hook.
func (d *Dir) step(op, name string, do func() error) error {
	if d.hook == nil {
		return do()
	}
	if err := d.hook(Step{When: Before, Op: op, Name: name}); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return d.hook(Step{When: After, Op: op, Name: name})
}

// checkName refuses names that are not clean, relative and local.
func checkName(op, name string) error {
	if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}
