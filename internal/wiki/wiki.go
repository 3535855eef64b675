package wiki

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// Wiki is the wiki directory of an open checkout. It holds no state but the names; several goroutines may use it.
type Wiki struct {
	files *atomicfile.Dir
	dir   Dir
}

// NotDirectoryError reports that something other than a directory stands where the wiki directory should be, or above it.
type NotDirectoryError struct {
	Path string // relative to the repository
	What string // "a symbolic link", "a file", …
}

// Error names the path and what it is.
func (e *NotDirectoryError) Error() string {
	return fmt.Sprintf("wiki directory %s: it is %s, not a directory", e.Path, e.What)
}

// Hint says what a person can do about it.
func (e *NotDirectoryError) Hint() string {
	return "remove or rename " + e.Path + ", or choose another directory with wikiDirectory in .openwiki.json"
}

// Open returns the wiki in directory d of the checkout files. A directory that does not exist yet is fine.
func Open(files *atomicfile.Dir, d Dir) (*Wiki, error) {
	for _, part := range append(parents(string(d)), string(d)) {
		info, err := files.Root().Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &Wiki{files: files, dir: d}, nil
		case err != nil:
			return nil, fmt.Errorf("open wiki directory: %w", err)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, &NotDirectoryError{Path: part, What: "a symbolic link"}
		case info.Mode().IsRegular():
			return nil, &NotDirectoryError{Path: part, What: "a file"}
		case !info.IsDir():
			return nil, &NotDirectoryError{Path: part, What: "a special file"}
		}
	}
	if err := files.CheckReal(string(d)); err != nil {
		return nil, fmt.Errorf("open wiki directory: %w", err)
	}
	return &Wiki{files: files, dir: d}, nil
}

// Dir returns the wiki directory.
func (w *Wiki) Dir() Dir { return w.dir }

// Files returns the checkout the wiki is in.
func (w *Wiki) Files() *atomicfile.Dir { return w.files }

// Path returns the repository path of a name inside the wiki: Path(".claims") is "openwiki/.claims".
func (w *Wiki) Path(name string) string { return string(w.dir) + "/" + name }

// rel returns the path of a file of the wiki relative to the wiki directory.
func (w *Wiki) rel(repoPath string) string { return strings.TrimPrefix(repoPath, string(w.dir)+"/") }

// Exists reports whether the wiki directory is there.
func (w *Wiki) Exists() bool {
	info, err := w.files.Root().Lstat(string(w.dir))
	return err == nil && info.IsDir()
}

// Read returns the exact bytes of a page. A page that is not there gives an error that is fs.ErrNotExist.
func (w *Wiki) Read(p PagePath) ([]byte, error) {
	name, err := w.name(p)
	if err != nil {
		return nil, err
	}
	return w.files.Read(name)
}

// Write replaces a page, unless it already holds exactly these bytes.
func (w *Wiki) Write(p PagePath, b []byte) error {
	name, err := w.name(p)
	if err != nil {
		return err
	}
	_, err = w.files.WriteIfChanged(name, b)
	return err
}

// Remove removes a page and the directories that become empty by it. An absent page is fine.
func (w *Wiki) Remove(p PagePath) error {
	name, err := w.name(p)
	if err != nil {
		return err
	}
	if err := w.files.Remove(name); err != nil {
		return err
	}
	return w.files.RemoveEmptyParents(name, string(w.dir))
}

// name returns the repository path of a page after checking that it is a page of this wiki: the path may come from a file.
func (w *Wiki) name(p PagePath) (string, error) {
	canonical, err := w.dir.ParsePage(string(p))
	if err != nil {
		return "", err
	}
	if canonical != p {
		return "", &PathError{What: "page path", Value: string(p), Reason: "is not canonical"}
	}
	return p.RepoPath(), nil
}

// parents returns the directories above a slash path, outermost first, without the root.
func parents(name string) []string {
	var dirs []string
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}
	return dirs
}

// hidden reports a name that a listing does not show.
func hidden(name string) bool { return strings.HasPrefix(name, ".") }
