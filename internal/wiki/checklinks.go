package wiki

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Finding is a problem in the text of a page that a person or the next run should look at. It never fails a run.
type Finding struct {
	Kind    string `json:"kind"` // one of the Kind constants, or one a caller adds
	Page    string `json:"page"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// The kinds of findings this package makes.
const (
	KindBrokenLink = "broken_link" // a link or image that leads nowhere
	KindDeadPath   = "dead_path"   // a code span that looks like a repository path and is none
	KindStaleStamp = "stale_stamp" // a mark another tool left in the text
	KindMermaid    = "mermaid"     // a diagram that cannot be drawn
)

// CheckLinks reports the links, images and path mentions of the pages that lead nowhere, page by page in the given order and by line
// within a page. Targets inside the wiki are looked up in the wiki; exists answers for the rest of the repository, and nil means what
// is on disk. Anchors are checked on Markdown targets only, by GitHub's rules.
func CheckLinks(w *Wiki, pages []PagePath, exists func(repoPath string) (file, dir bool)) ([]Finding, error) {
	c, err := newChecker(w, exists)
	if err != nil {
		return nil, err
	}
	scans, err := scanAll(w, pages)
	if err != nil {
		return nil, err
	}
	for i, p := range pages {
		if scans[i] != nil {
			c.marks[p.RepoPath()] = scans[i].marks
		}
	}
	var findings []Finding
	for i, p := range pages {
		if scans[i] != nil {
			findings = append(findings, c.page(p, scans[i])...)
		}
	}
	return findings, nil
}

// CheckPage is CheckLinks for the text of one page while the wiki is being written: planned pages count as there. Links written with
// repo:// or from the root of the repository are no findings, for [NormalizeLinks] makes them work.
func CheckPage(w *Wiki, p PagePath, text []byte, planned []PagePath, exists func(repoPath string) (file, dir bool)) ([]Finding, error) {
	c, err := newChecker(w, exists)
	if err != nil {
		return nil, err
	}
	for _, page := range planned {
		name := page.RepoPath()
		if _, there := c.files[name]; !there {
			c.files[name], c.marks[name] = false, nil
		}
		for dir := path.Dir(name); dir != "." && !c.files[dir]; dir = path.Dir(dir) {
			c.files[dir] = true
		}
	}
	s := scanPage(NormalizeLinks(text, p, func(name string) (bool, bool) { return c.lookup(name) }))
	c.marks[p.RepoPath()] = s.marks
	return c.page(p, s), nil
}

// scanAll scans the pages in parallel. A page that is gone has a nil scan.
func scanAll(w *Wiki, pages []PagePath) ([]*scan, error) {
	scans := make([]*scan, len(pages))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range pages {
		group.Go(func() error {
			b, err := w.Read(p)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("check links: %w", err)
			}
			scans[i] = scanPage(b)
			return nil
		})
	}
	return scans, group.Wait()
}

// checker knows what links can lead to.
type checker struct {
	wiki   *Wiki
	exists func(repoPath string) (file, dir bool)
	files  map[string]bool // repository paths of everything below the wiki directory; true for directories
	marks  map[string]anchorSet
	disk   map[string]entryKind // what onDisk found
}

// entryKind is what stands at a path.
type entryKind int

const (
	nothing entryKind = iota
	aFile
	aDir
)

func newChecker(w *Wiki, exists func(string) (file, dir bool)) (*checker, error) {
	c := &checker{wiki: w, exists: exists, files: map[string]bool{}, marks: map[string]anchorSet{}, disk: map[string]entryKind{}}
	if exists == nil {
		c.exists = c.onDisk
	}
	err := w.walk(func(name string) error {
		c.files[name] = false
		for dir := path.Dir(name); dir != "." && !c.files[dir]; dir = path.Dir(dir) {
			c.files[dir] = true
		}
		return nil
	})
	return c, err
}

// onDisk says what is in the work tree, source or not. Pages mention the same paths again and again, so answers are kept.
func (c *checker) onDisk(repoPath string) (file, dir bool) {
	kind, known := c.disk[repoPath]
	if !known {
		info, err := c.wiki.files.Root().Stat(path.Join(".", repoPath))
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			kind = aFile
		case info.IsDir():
			kind = aDir
		}
		c.disk[repoPath] = kind
	}
	return kind == aFile, kind == aDir
}

// lookup says what is at a repository path.
func (c *checker) lookup(repoPath string) (file, dir bool) {
	if repoPath == "" {
		return false, true
	}
	if isDir, ok := c.files[repoPath]; ok {
		return !isDir, isDir
	}
	if c.wiki.dir.contains(repoPath) && repoPath != string(c.wiki.dir) {
		return false, false
	}
	return c.exists(repoPath)
}

func (c *checker) page(p PagePath, s *scan) []Finding {
	var findings []Finding
	report := func(kind string, line int, format string, args ...any) {
		findings = append(findings, Finding{Kind: kind, Page: string(p), Line: line, Message: fmt.Sprintf(format, args...)})
	}
	for _, link := range s.links {
		if reason := c.broken(p, s, link); reason != "" {
			report(KindBrokenLink, link.line, "%s %s: %s", link.noun(), clip(link.dest), reason)
		}
	}
	for _, dead := range c.deadPaths(p, s) {
		report(KindDeadPath, dead.line, "%s is not in the repository", clip(dead.text))
	}
	for _, line := range stampLines(s.src) {
		report(KindStaleStamp, line, "a broken-link comment of an earlier tool is left in the text")
	}
	sortByLine(findings)
	return findings
}

func (l mdLink) noun() string {
	if l.kind == imageLink {
		return "image"
	}
	return "link"
}

// broken says why a link leads nowhere, or "".
func (c *checker) broken(p PagePath, s *scan, link mdLink) string {
	t := resolveDest(p, link.dest)
	switch {
	case t.repoURI:
		return "repo:// is not a link GitHub opens"
	case t.external || link.kind == autoLink:
		return ""
	case t.raw == "" && !t.absolute:
		if t.hasHash && !s.marks.has(t.fragment) {
			return "this page has no heading #" + t.fragment
		}
		return ""
	case t.outside:
		return "it leads out of the repository"
	}
	file, dir := c.lookup(t.path)
	if !file && !dir {
		// A name may really contain a percent sign.
		literal, outside := cleanPath(path.Dir(p.RepoPath()), t.raw)
		if literal == t.path || outside || t.absolute {
			return "there is no " + clip(t.path)
		}
		if file, dir = c.lookup(literal); !file && !dir {
			return "there is no " + clip(t.path)
		}
	}
	switch {
	case t.slash && !dir:
		return clip(t.path) + " is not a directory"
	case link.kind == imageLink && !file:
		return clip(t.path) + " is a directory"
	case file && t.hasHash && isMarkdown(t.path) && !lineAnchor().MatchString(t.fragment) && !c.anchors(t.path).has(t.fragment):
		return path.Base(t.path) + " has no heading #" + t.fragment
	}
	return ""
}

func isMarkdown(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".md") }

// maxAnchorFile bounds the size of a Markdown file outside the checked pages that is read for its headings.
const maxAnchorFile = 4 << 20

// anchors returns the anchors of a Markdown file. A file that cannot be read accepts every anchor.
func (c *checker) anchors(repoPath string) anchorAnswer {
	set, ok := c.marks[repoPath]
	if !ok {
		if info, err := c.wiki.files.Root().Lstat(repoPath); err == nil && info.Size() <= maxAnchorFile {
			if b, err := c.wiki.files.Read(repoPath); err == nil {
				set = scanPage(b).marks
			}
		}
		c.marks[repoPath] = set
	}
	return anchorAnswer{set}
}

// anchorAnswer is an anchor set in which an absent set has everything.
type anchorAnswer struct{ set anchorSet }

func (a anchorAnswer) has(fragment string) bool { return a.set == nil || a.set.has(fragment) }
