package extractive

import (
	"slices"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// A claim is one statement of a page with the resources that prove it, sorted and without duplicates.
type claim struct {
	Statement string
	Evidence  []string
}

// key identifies a claim by what it says and what proves it.
func (c claim) key() string { return c.Statement + "\x00" + strings.Join(c.Evidence, "\x00") }

// newClaim builds the claim of a sentence, or reports that there is no proof for it: no lines at all, or lines that do not contain the
// names that the sentence shows as code. A sentence without a claim is not written.
func newClaim(src *lineCache, t text, refs []survey.Ref) (claim, bool) {
	statement := strings.TrimSpace(clean(t.plain))
	if statement == "" || len(refs) == 0 {
		return claim{}, false
	}
	evidence := make([]string, 0, len(refs))
	for _, r := range refs {
		if r.Path == "" {
			return claim{}, false
		}
		evidence = append(evidence, resource(r))
	}
	if !src.contain(refs, t.names) {
		return claim{}, false
	}
	slices.Sort(evidence)
	return claim{Statement: statement, Evidence: slices.Compact(evidence)}, true
}

// A lineCache holds the cited source files, so that every sentence can be checked against the lines it cites. It is safe for
// concurrent use.
type lineCache struct {
	read func(path string) ([]byte, error)

	mu    sync.Mutex
	files map[string]*citedFile
	kept  int // bytes of files that were handed to keep
}

// A citedFile is one file of a lineCache. It is read, and split, when it is first asked for.
type citedFile struct {
	read  sync.Once
	whole string // "" when the file cannot be read
	split sync.Once
	lines []string // without their terminators; nil when the file cannot be read
}

func newLineCache(read func(string) ([]byte, error)) *lineCache {
	return &lineCache{read: read, files: make(map[string]*citedFile)}
}

const (
	// maxCitedFile bounds what is read to check a citation. Nobody follows a link into a larger file.
	maxCitedFile = 4 << 20
	// maxKept bounds the bytes of files that are kept after the survey read them. To read a file again takes longer than to split it.
	maxKept = 64 << 20
)

// keep hands over the text of a file, so that it is not read again. Beyond maxKept it does nothing.
func (c *lineCache) keep(path, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept+len(text) <= maxKept && c.files[path] == nil {
		c.kept += len(text)
		c.files[path] = &citedFile{whole: text}
	}
}

func (c *lineCache) file(path string) *citedFile {
	c.mu.Lock()
	f := c.files[path]
	if f == nil {
		f = &citedFile{}
		c.files[path] = f
	}
	c.mu.Unlock()
	f.read.Do(func() {
		if f.whole != "" {
			return // it was kept
		}
		if data, err := c.read(path); err == nil && len(data) <= maxCitedFile {
			f.whole = string(data)
		}
	})
	return f
}

func (c *lineCache) lines(path string) []string {
	f := c.file(path)
	f.split.Do(func() {
		if f.whole != "" {
			f.lines = strings.Split(strings.TrimSuffix(f.whole, "\n"), "\n")
		}
	})
	return f.lines
}

// whole is the text of a file, for a search in all of its lines at once.
func (c *lineCache) whole(path string) string { return c.file(path).whole }

// text returns the lines of a reference, or false when the file does not have them.
func (c *lineCache) text(r survey.Ref) (string, bool) {
	lines := c.lines(r.Path)
	if lines == nil {
		return "", false
	}
	if r.Start <= 0 {
		return strings.Join(lines, "\n"), true
	}
	end := max(r.Start, r.End)
	if end > len(lines) {
		return "", false
	}
	return strings.Join(lines[r.Start-1:end], "\n"), true
}

// contain reports whether every reference exists and every name occurs in the cited lines or in the path of a cited file.
func (c *lineCache) contain(refs []survey.Ref, names []string) bool {
	var b strings.Builder
	for _, r := range refs {
		s, ok := c.text(r)
		if !ok {
			return false
		}
		b.WriteString(r.Path)
		b.WriteByte('\n')
		b.WriteString(s)
		b.WriteByte('\n')
	}
	all := b.String()
	folded := ""
	for _, name := range names {
		if strings.Contains(all, name) {
			continue
		}
		if folded == "" {
			folded = clean(all) // a name with a blank may be broken over two lines
		}
		if !strings.Contains(folded, name) {
			return false
		}
	}
	return true
}

// widen extends a reference by up to four lines until its lines contain a name: an option declared over several lines is reported at
// its first.
func (c *lineCache) widen(r survey.Ref, name string) survey.Ref {
	if r.Start <= 0 || c.contain([]survey.Ref{r}, []string{name}) {
		return r
	}
	wide := survey.Ref{Path: r.Path, Start: r.Start, End: max(r.Start, r.End)}
	for range 4 {
		wide.End++
		if c.contain([]survey.Ref{wide}, []string{name}) {
			return wide
		}
	}
	return r
}
