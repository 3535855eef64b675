package wikidiff

import (
	"bytes"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Compare returns what changed from before to after, which are states of one wiki directory. The error names a sidecar that cannot be
// read.
func Compare(before, after State) (*Delta, error) {
	c := comparison{before: before, after: after, delta: &Delta{}}
	if err := c.pages(); err != nil {
		return nil, err
	}
	c.others()
	c.newInWiki()
	return c.delta, nil
}

type comparison struct {
	before, after State
	delta         *Delta
}

// pagesOf returns the pages that are in one of the states or have a sidecar there, in code-unit order.
func pagesOf(states ...State) []wiki.PagePath {
	var pages []wiki.PagePath
	for _, s := range states {
		for name := range s.Files {
			if p, ok := s.pageOf(name); ok {
				pages = append(pages, p)
			}
		}
	}
	slices.Sort(pages)
	return slices.Compact(pages)
}

// pageOf returns the page that a file of the wiki is or belongs to.
func (s State) pageOf(name string) (wiki.PagePath, bool) {
	rel, ok := strings.CutPrefix(name, string(s.Dir)+"/")
	if !ok {
		return "", false
	}
	if stem, ok := strings.CutPrefix(rel, sidecars); ok {
		if stem, ok = strings.CutSuffix(stem, ".json"); ok {
			return wiki.PagePath("/" + string(s.Dir) + "/" + stem + ".md"), true
		}
		return "", false
	}
	switch base := path.Base(rel); {
	case !strings.HasSuffix(base, ".md"), base == "INSTRUCTIONS.md", base == "log.md":
		return "", false
	case strings.HasPrefix(rel, "."), strings.Contains(rel, "/."):
		return "", false
	}
	return wiki.PagePath("/" + name), true
}

const sidecars = ".claims/"

// sidecar returns the path of the sidecar of a page.
func (s State) sidecar(p wiki.PagePath) string {
	rel := strings.TrimPrefix(p.RepoPath(), string(s.Dir)+"/")
	return string(s.Dir) + "/" + sidecars + strings.TrimSuffix(rel, ".md") + ".json"
}

// claims returns the statements of a page.
func (s State) claims(p wiki.PagePath) ([]claims.Claim, error) {
	name := s.sidecar(p)
	data, ok := s.Files[name]
	if !ok {
		return nil, nil
	}
	sidecar, err := claims.Decode(name, data)
	if err != nil {
		return nil, fmt.Errorf("compare wikis: %w", err)
	}
	return sidecar.Claims, nil
}

// pages compares all pages, several at a time, and puts their differences together in their order.
func (c *comparison) pages() error {
	pages := pagesOf(c.before, c.after)
	each, problems := make([]Delta, len(pages)), make([]error, len(pages))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range pages {
		group.Go(func() error {
			one := comparison{before: c.before, after: c.after, delta: &each[i]}
			problems[i] = one.page(p)
			return nil
		})
	}
	_ = group.Wait() // the first error by page is returned, not the first by time
	for i := range pages {
		if problems[i] != nil {
			return problems[i]
		}
		c.delta.add(&each[i])
	}
	return nil
}

// page compares one page and its statements.
func (c *comparison) page(p wiki.PagePath) error {
	before, had := c.before.Files[p.RepoPath()]
	after, has := c.after.Files[p.RepoPath()]
	oldSidecar, hadSidecar := c.before.Files[c.before.sidecar(p)]
	newSidecar, hasSidecar := c.after.Files[c.after.sidecar(p)]
	if had == has && hadSidecar == hasSidecar && bytes.Equal(before, after) && bytes.Equal(oldSidecar, newSidecar) {
		return nil // most pages of most runs
	}
	oldClaims, err := c.before.claims(p)
	if err != nil {
		return err
	}
	newClaims, err := c.after.claims(p)
	if err != nil {
		return err
	}
	d := PageDelta{Path: p, Title: title(p, before, after)}
	c.statements(&d, oldClaims, newClaims)
	oldText, newText := content(before), content(after)
	for _, h := range Lines(oldText, newText) {
		d.Removed += h.FromEnd - h.FromStart
		d.Added += h.ToEnd - h.ToStart
	}
	switch {
	case !had && has:
		d.Change = ChangeNew
	case had && !has:
		d.Change = ChangeRemoved
	case !bytes.Equal(oldText, newText):
		d.Change = ChangeRewritten
	case len(d.Claims) > 0 || d.Proved > 0:
		d.Change = ChangeClaims
	}
	if d.Change != "" {
		c.delta.Pages = append(c.delta.Pages, d)
	}
	if !bytes.Equal(before, after) && bytes.Equal(oldText, newText) {
		c.delta.Metadata = true
	}
	if name := c.after.sidecar(p); d.Change == "" && !bytes.Equal(c.before.Files[c.before.sidecar(p)], c.after.Files[name]) {
		c.delta.Metadata = true
	}
	return nil
}

// title returns the title of a page, of the newer text where there is one.
func title(p wiki.PagePath, before, after []byte) string {
	for _, b := range [][]byte{after, before} {
		if t := wiki.Parse(b).String("title"); t != "" {
			return t
		}
	}
	return strings.TrimSuffix(path.Base(string(p)), ".md")
}

// content returns the text of a page without stamps, with plain line ends.
func content(page []byte) []byte {
	if len(page) == 0 {
		return nil
	}
	page = bytes.TrimPrefix(page, []byte("\ufeff"))
	page = bytes.ReplaceAll(page, []byte("\r\n"), []byte("\n"))
	for _, field := range []string{"generated", "verified", "sources", "timestamp"} {
		page = wiki.RemoveField(page, field)
	}
	return append(bytes.TrimRight(page, "\n"), '\n')
}

// others compares the files that are no pages and no sidecars.
func (c *comparison) others() {
	var names []string
	for _, s := range []State{c.before, c.after} {
		for name := range s.Files {
			if _, ok := s.pageOf(name); !ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		before, had := c.before.Files[name]
		after, has := c.after.Files[name]
		switch {
		case had == has && bytes.Equal(before, after):
		case isRecord(strings.TrimPrefix(name, string(c.after.Dir)+"/")):
			c.delta.Metadata = true
		default:
			c.delta.Files = append(c.delta.Files, name)
		}
	}
}

// isRecord reports files that only tell about runs.
func isRecord(rel string) bool {
	return rel == ".last-update.json" || rel == ".page-manifest.json" || rel == ".run.json" || rel == ".langsmith.json"
}

// A notable is what reviewers of a page should see when it is new.
type notable struct{ links, commands, addressed []string }

func (n notable) none() bool { return len(n.links)+len(n.commands)+len(n.addressed) == 0 }

// notables looks at the pages side by side: to read Markdown is what takes long here.
func notables(pages [][]byte) []notable {
	found := make([]notable, len(pages))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, page := range pages {
		group.Go(func() error {
			read := safetext.Read(page)
			found[i] = notable{read.Addresses(), read.Commands(), safetext.Addressed(page)}
			return nil
		})
	}
	_ = group.Wait() // no page has an error
	return found
}

// newInWiki finds links, commands and orders that stand nowhere in the old wiki, which is read only if there are any.
func (c *comparison) newInWiki() {
	var changed, old [][]byte
	for _, d := range c.delta.Pages {
		changed = append(changed, c.after.Files[d.Path.RepoPath()])
	}
	now := notables(changed)
	if !slices.ContainsFunc(now, func(n notable) bool { return !n.none() }) {
		return
	}
	for _, p := range pagesOf(c.before) {
		old = append(old, c.before.Files[p.RepoPath()])
	}
	links, commands, lines := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range notables(old) {
		mark(links, n.links)
		mark(commands, n.commands)
		mark(lines, n.addressed)
	}
	for i, n := range now {
		d := &c.delta.Pages[i]
		d.Links, d.Commands, d.Addressed = unmarked(links, n.links), unmarked(commands, n.commands), unmarked(lines, n.addressed)
	}
}

func mark(set map[string]bool, list []string) {
	for _, s := range list {
		set[s] = true
	}
}

func unmarked(set map[string]bool, list []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return set[s] })
}
