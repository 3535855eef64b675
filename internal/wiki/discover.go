package wiki

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// ClashError reports two names in the wiki that are one file or directory on a file system without letter case, or with another
// Unicode normal form. A checkout there would lose one of them.
type ClashError struct{ A, B string }

// Error names both paths.
func (e *ClashError) Error() string {
	return fmt.Sprintf("wiki paths %s and %s differ only in letter case or Unicode form", e.A, e.B)
}

// Hint says what a person can do about it.
func (e *ClashError) Hint() string { return "rename or remove one of them" }

// Pages returns the factual pages of the wiki in collation order: Markdown files that are not hidden and not structural. Symbolic
// links are skipped. Two names that clash are a [*ClashError].
func (w *Wiki) Pages() ([]PagePath, error) {
	var pages []PagePath
	spelling := map[string]string{}
	err := w.walk(func(name string) error {
		p := PagePath("/" + name)
		if !w.isPage(p) {
			return nil
		}
		pages = append(pages, p)
		return noClash(spelling, w.dir, p)
	})
	if err != nil {
		return nil, err
	}
	SortCollated(pages)
	return pages, nil
}

// noClash records the page and the directories above it, and reports one that is there in another spelling.
func noClash(spelling map[string]string, d Dir, p PagePath) error {
	name := p.RepoPath()
	for at := name; at != string(d) && at != "."; at = path.Dir(at) {
		key := fold(at)
		other, ok := spelling[key]
		if ok && other != at {
			return &ClashError{A: "/" + other, B: "/" + at}
		}
		spelling[key] = at
	}
	return nil
}

// isPage reports whether a file found on disk is a factual page: canonical, not hidden, not structural.
func (w *Wiki) isPage(p PagePath) bool {
	if _, err := w.name(p); err != nil {
		return false
	}
	for segment := range strings.SplitSeq(p.below(w.dir), "/") {
		if hidden(segment) {
			return false
		}
	}
	return true
}

// foreign lists the regular files below the wiki directory that are not pages, indexes, sidecars or control files, such as images
// that somebody put there. The paths are repository paths in collation order.
func (w *Wiki) foreign() ([]string, error) {
	var files []string
	err := w.walk(func(name string) error {
		if !w.isPage(PagePath("/"+name)) && !w.isControl(name) {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	SortCollated(files)
	return files, nil
}

// isControl reports files that belong to the wiki without being pages. name is a repository path below the wiki directory.
func (w *Wiki) isControl(name string) bool {
	rel := w.rel(name)
	base := path.Base(rel)
	switch {
	case strings.HasPrefix(rel, claimsDir+"/"):
		return strings.HasSuffix(rel, ".json") || tempFile().MatchString(base)
	case tempFile().MatchString(base), structural(base):
		return true
	}
	switch rel {
	case lastUpdateFile, manifestFile, runFile, ".langsmith.json", ".gitattributes":
		return true
	}
	return false
}

const (
	lastUpdateFile = ".last-update.json"
	manifestFile   = ".page-manifest.json"
	runFile        = ".run.json"
)

// tempFile matches what an interrupted atomic write leaves behind, ours and the reference's.
var tempFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\..+\.tmp$`) })

// LooksOwn reports whether the directory may be treated as a wiki: it is absent or holds no files, it has state files of the OpenWiki
// format, its root index declares okf_version, or every page in it declares a type. Anything else is somebody's own documents, which
// a run must not adopt and rewrite.
func (w *Wiki) LooksOwn() (bool, error) {
	for _, name := range []string{lastUpdateFile, manifestFile, runFile, claimsDir} {
		if _, err := w.files.Root().Lstat(w.Path(name)); err == nil {
			return true, nil
		}
	}
	if index, err := w.files.Read(w.Path(indexFile)); err == nil && Parse(index).String("okf_version") != "" {
		return true, nil
	}
	pages, err := w.Pages()
	if err != nil {
		return false, err
	}
	for _, p := range pages {
		b, err := w.Read(p)
		if err != nil {
			return false, fmt.Errorf("read page: %w", err)
		}
		if Parse(b).String("type") == "" {
			return false, nil
		}
	}
	if len(pages) > 0 {
		return true, nil
	}
	return w.onlyControl()
}

// onlyControl reports whether a directory without pages is meant for a wiki: it has a brief for one, beside which other files such as
// images may stand, or nothing but files the format knows.
func (w *Wiki) onlyControl() (bool, error) {
	foreign, err := w.foreign()
	if err != nil {
		return false, err
	}
	if len(foreign) > 0 {
		if _, err := w.files.Root().Lstat(w.Path(instructionsFile)); err != nil {
			return false, nil
		}
	}
	index, err := w.files.Read(w.Path(indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read index: %w", err)
	}
	return generatedIndex(index), nil
}

// walk calls visit with the repository path of every regular file below the wiki directory, hidden ones included, in the order of
// their bytes. It does not follow symbolic links. A directory or file that disappears meanwhile is skipped.
func (w *Wiki) walk(visit func(name string) error) error {
	if !w.Exists() {
		return nil
	}
	err := fs.WalkDir(w.files.Root().FS(), string(w.dir), func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		return visit(name)
	})
	if err != nil {
		return fmt.Errorf("list wiki: %w", err)
	}
	return nil
}
