// Package workspace is the confined view of a checkout that an author works in.
//
// A Workspace reads the source (tracked files that .openwikiignore does not exclude) and the pages of the wiki, and writes only the
// pages its Grant names. The git directory, ignored and untracked files, Claims sidecars, run state and files that usually hold
// secrets are out of reach by read, list, glob and grep alike; no symlink leads out, because every open goes through os.Root and
// links are never followed. There is no shell, no network and no way to delete.
//
// Paths are virtual: "/" is the repository root, "/openwiki/quickstart.md" a page. A path that climbs above the root is refused,
// not clamped, so that an author that tries learns it.
package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A Grant says what an author may write. The zero Grant is read-only.
type Grant struct {
	Write []wiki.PagePath
	// BeforeWrite is told what is about to be written and may refuse it; it may be nil.
	BeforeWrite func(p wiki.PagePath, data []byte) error
}

// A Workspace is safe for concurrent reads; each page has one writer.
type Workspace struct {
	src   *source.Source
	wiki  *wiki.Wiki
	grant Grant
}

// New confines an author to src and w under grant.
func New(src *source.Source, w *wiki.Wiki, grant Grant) *Workspace {
	return &Workspace{src: src, wiki: w, grant: Grant{Write: slices.Clone(grant.Write), BeforeWrite: grant.BeforeWrite}}
}

// An AccessError refuses a path. The author can correct it by asking for another path.
type AccessError struct {
	Path   string
	Reason string
}

// Error implements error.
func (e *AccessError) Error() string {
	return fmt.Sprintf("access to %q refused: %s", e.Path, e.Reason)
}

// ReadFile returns the bytes of a source file or of a wiki page. Errors: *AccessError for what is out of reach, and an error that
// matches fs.ErrNotExist for what is not there.
func (w *Workspace) ReadFile(name string) ([]byte, error) {
	rel, err := w.clean(name)
	if err != nil {
		return nil, err
	}
	if w.inWiki(rel) {
		page, err := w.page(rel)
		if err != nil {
			return nil, err
		}
		return w.wiki.Read(page)
	}
	if err := w.readable(rel); err != nil {
		return nil, err
	}
	return w.src.Read(rel)
}

// WritePage stores one granted page atomically. Any other path is refused.
func (w *Workspace) WritePage(p wiki.PagePath, data []byte) error {
	if !slices.Contains(w.grant.Write, p) {
		return &AccessError{Path: string(p), Reason: "this author may write only " + grantText(w.grant)}
	}
	if w.grant.BeforeWrite != nil {
		if err := w.grant.BeforeWrite(p, data); err != nil {
			return err
		}
	}
	return w.wiki.Write(p, data)
}

// Write is WritePage for a path as an author gives it.
func (w *Workspace) Write(name string, data []byte) error {
	rel, err := w.clean(name)
	if err != nil {
		return err
	}
	if !w.inWiki(rel) {
		return &AccessError{Path: name, Reason: "only wiki pages can be written"}
	}
	page, err := w.page(rel)
	if err != nil {
		return err
	}
	return w.WritePage(page, data)
}

// Files lists every readable path, source first, then pages, each in order.
func (w *Workspace) Files(ctx context.Context) ([]string, error) {
	files, err := w.src.Files(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if f.Kind == source.Regular && !sensitive(f.Path) {
			names = append(names, f.Path)
		}
	}
	pages, err := w.wiki.Pages()
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		names = append(names, p.RepoPath())
	}
	return names, nil
}

// clean turns a virtual path into a slash path below the root; "" is the root itself.
func (w *Workspace) clean(name string) (string, error) {
	slashed := strings.ReplaceAll(strings.TrimSpace(name), `\`, "/")
	if strings.ContainsRune(slashed, 0) {
		return "", &AccessError{Path: name, Reason: "the path holds a NUL byte"}
	}
	rel := path.Clean(strings.TrimLeft(slashed, "/"))
	switch {
	case rel == ".":
		return "", nil
	case rel == "..", strings.HasPrefix(rel, "../"):
		return "", &AccessError{Path: name, Reason: "it leads out of the repository"}
	}
	return rel, nil
}

// readable refuses what is no source. A path that is simply absent passes, so that the read reports it as absent.
func (w *Workspace) readable(rel string) error {
	switch {
	case hasSegment(rel, ".git"):
		return &AccessError{Path: "/" + rel, Reason: "git's own files are out of reach"}
	case w.src.Ignored(rel, false):
		return &AccessError{Path: "/" + rel, Reason: "excluded by .openwikiignore"}
	case sensitive(rel):
		return &AccessError{Path: "/" + rel, Reason: "the file usually holds secrets"}
	case !w.src.Tracked(rel):
		return fmt.Errorf("read /%s: not a file that git tracks: %w", rel, fs.ErrNotExist)
	}
	return nil
}

func (w *Workspace) inWiki(rel string) bool {
	dir := strings.ToLower(string(w.wiki.Dir()))
	lower := strings.ToLower(rel)
	return lower == dir || strings.HasPrefix(lower, dir+"/")
}

func (w *Workspace) page(rel string) (wiki.PagePath, error) {
	page, err := w.wiki.Dir().ParsePage("/" + rel)
	if err != nil || page.RepoPath() != rel {
		return "", &AccessError{Path: "/" + rel, Reason: "below the wiki directory only pages are within reach"}
	}
	return page, nil
}

// sensitive names files that hold secrets by convention; examples and templates of them stay readable.
func sensitive(rel string) bool {
	base := strings.ToLower(path.Base(rel))
	for _, harmless := range []string{".example", ".sample", ".template", ".dist", ".md"} {
		if strings.HasSuffix(base, harmless) {
			return false
		}
	}
	switch {
	case base == ".env", strings.HasPrefix(base, ".env."), base == ".netrc", base == ".npmrc", base == ".pypirc":
		return true
	case strings.HasSuffix(base, ".pem"), strings.HasSuffix(base, ".p12"), strings.HasSuffix(base, ".pfx"):
		return true
	}
	return slices.Contains([]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"}, base)
}

func hasSegment(rel, segment string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if strings.EqualFold(part, segment) {
			return true
		}
	}
	return false
}

func grantText(g Grant) string {
	if len(g.Write) == 0 {
		return "nothing"
	}
	names := make([]string, len(g.Write))
	for i, p := range g.Write {
		names[i] = string(p)
	}
	return strings.Join(names, ", ")
}
