package publish

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gogithub "github.com/google/go-github/v62/github"
	"golang.org/x/tools/txtar"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

const bot = "github-actions[bot]"

// seedArchive is a small project without a wiki.
const seedArchive = `
-- README.md --
# demo
-- src/a.go --
package a

// Add sums.
func Add(x, y int) int {
	return x + y
}
-- src/b.go --
package a

const Limit = 10
`

// wikiArchive is its wiki.
const wikiArchive = `
-- openwiki/quickstart.md --
# Quickstart

Read the code.
-- openwiki/core.md --
# Core

Add sums two numbers.
-- openwiki/limits.md --
# Limits

The limit is ten.
-- openwiki/.page-manifest.json --
{"n":1}
`

// A world is a GitHub with one repository, and a publisher that works on checkouts of it.
type world struct {
	t      *testing.T
	gh     *githubtest.Server
	token  string
	tokens github.TokenSource // instead of token
	policy Policy
	setup  func(*Publisher)
	depth  int
	runs   int
	last   *checkout
}

func newWorld(t *testing.T, archive string, o githubtest.Options) *world {
	t.Helper()
	o.Files = map[string]string{}
	for _, file := range txtar.Parse([]byte(archive)).Files {
		o.Files[file.Name] = string(file.Data)
	}
	gh := githubtest.New(t, o)
	t.Cleanup(func() { gh.NeverEqualsBase("openwiki/update", gh.DefaultBranch) })
	return &world{t: t, gh: gh, token: gh.Token(githubtest.Grant{}), policy: DefaultPolicy()}
}

// A checkout is what a run starts with: a clone, and a bundle that is made from it.
type checkout struct {
	w    *world
	repo *gittest.Repo
	open *gitrepo.Repo // as publishers have it, once there was one
	base string
	wiki map[string]string
}

// checkout clones the default branch as it is now.
func (w *world) checkout() *checkout {
	w.t.Helper()
	if w.last != nil && w.last.base == w.gh.Head(w.gh.DefaultBranch) {
		return w.last
	}
	r := gittest.CloneOf(w.t, "file://"+w.gh.Bare, w.gh.DefaultBranch, w.depth)
	c := &checkout{w: w, repo: r, base: w.gh.Head(w.gh.DefaultBranch), wiki: map[string]string{}}
	for _, name := range w.gh.Files(c.base) {
		if strings.HasPrefix(name, "openwiki/") {
			c.wiki[name], _ = w.gh.File(c.base, name)
		}
	}
	w.last = c
	return c
}

// bundle changes pages of the wiki: names below the wiki directory; "" removes one. The inputs of a page are "1" unless said otherwise.
func (c *checkout) bundle(pages map[string]string, change ...func(*Bundle)) *Bundle {
	c.w.t.Helper()
	c.w.runs++
	files := maps.Clone(c.wiki)
	for name, text := range pages {
		name = "openwiki/" + name
		if text == "" {
			delete(files, name)
		} else {
			files[name] = text
		}
	}
	if len(pages) > 0 {
		files["openwiki/.page-manifest.json"] = fmt.Sprintf("{\"n\":%d}\n", c.w.runs+1)
	}
	b := c.bundleOf(files)
	for _, f := range change {
		f(b)
	}
	inputs := map[wiki.PagePath]string{}
	for _, page := range b.Pages {
		inputs[page.Path] = page.Inputs
	}
	b.Without = func(_ context.Context, left []wiki.PagePath, reason string) (*Bundle, error) {
		rest := maps.Clone(files)
		for _, page := range left {
			name := page.RepoPath()
			if old, was := c.wiki[name]; was {
				rest[name] = old
			} else {
				delete(rest, name)
			}
		}
		cut := c.bundleOf(rest)
		cut.State, cut.Run, cut.Without = StatePartial, b.Run, b.Without
		for i, page := range cut.Pages {
			cut.Pages[i].Inputs = inputs[page.Path]
		}
		return cut, nil
	}
	return b
}

func (c *checkout) bundleOf(files map[string]string) *Bundle {
	b := &Bundle{
		WikiDir: "openwiki", BaseRef: c.w.gh.DefaultBranch, BaseSHA: c.base, State: StateComplete,
		Run: RunInfo{ID: fmt.Sprintf("run-%d", c.w.runs), Mode: "update", Author: "extractive", Version: "0.1.0"},
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.Files = append(b.Files, File{Path: name, Data: []byte(files[name])})
	}
	all := maps.Clone(files)
	for name := range c.wiki {
		all[name] += ""
	}
	b.Delta = &wikidiff.Delta{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		page := wiki.PagePath("/" + name)
		if pageOf("openwiki", name) != page {
			continue
		}
		now, is := files[name]
		was, had := c.wiki[name]
		change := "rewritten"
		switch {
		case !had:
			change = "new"
		case !is:
			change = "removed"
		case now == was:
			continue
		}
		b.Pages = append(b.Pages, Page{Path: page, Title: strings.TrimPrefix(name, "openwiki/"), State: "complete", Change: change, Inputs: "1"})
		b.Delta.Pages = append(b.Delta.Pages, wikidiff.PageDelta{Path: page, Title: string(page), Change: change, Added: 1})
	}
	return b
}

// inputs sets the digest of the inputs of a page.
func inputs(name, digest string) func(*Bundle) {
	return func(b *Bundle) {
		for i, page := range b.Pages {
			if page.Path == wiki.PagePath("/openwiki/"+name) {
				b.Pages[i].Inputs = digest
			}
		}
	}
}

func state(s State) func(*Bundle) { return func(b *Bundle) { b.State = s } }

// publisher is what a process of a run has.
func (c *checkout) publisher() *Publisher {
	c.w.t.Helper()
	if c.open == nil {
		repo, err := gitrepo.Open(c.w.t.Context(), c.repo.Dir)
		if err != nil {
			c.w.t.Fatal(err)
		}
		c.open = repo
	}
	tokens := c.w.tokens
	if tokens == nil {
		tokens = github.Static(c.w.token)
	}
	client, err := github.New(github.Config{
		APIURL: c.w.gh.APIURL, ServerURL: c.w.gh.ServerURL, Tokens: tokens,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, MaxWait: time.Hour,
	})
	if err != nil {
		c.w.t.Fatal(err)
	}
	p := &Publisher{
		Repo: c.open, GitHub: client, Repository: Repository{c.w.gh.Owner, c.w.gh.Name}, DefaultBranch: c.w.gh.DefaultBranch,
		Remote: gitrepo.Remote{URL: c.w.gh.CloneURL, Credential: func(ctx context.Context) (string, string, error) {
			token, err := client.Token(ctx)
			return "x-access-token", token, err
		}},
		Identity: ActionsIdentity(), Policy: c.w.policy,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	}
	if c.w.setup != nil {
		c.w.setup(p)
	}
	return p
}

// publish runs once on a fresh checkout and wants no error.
func (w *world) publish(pages map[string]string, change ...func(*Bundle)) *Outcome {
	w.t.Helper()
	c := w.checkout()
	return c.publish(c.bundle(pages, change...))
}

func (c *checkout) publish(b *Bundle) *Outcome {
	c.w.t.Helper()
	before := c.w.gh.Writes()
	out, err := c.publisher().Publish(c.w.t.Context(), b)
	if err != nil {
		c.w.t.Fatalf("publish: %v", err)
	}
	if writes := c.w.gh.Writes() - before; writes > 7 {
		c.w.t.Errorf("%d writes: %v", writes, c.w.gh.Calls())
	}
	return out
}

// want checks the operation and the number of writing and of all API calls since the last Forget.
func (w *world) want(out *Outcome, op Operation, writes int) {
	w.t.Helper()
	if out.Operation != op {
		w.t.Errorf("operation %s (%s; %v), want %s", out.Operation, out.Reason, out.Notes, op)
	}
	if got := w.gh.Writes(); got != writes {
		w.t.Errorf("%d writes, want %d: %v", got, writes, w.gh.Calls())
	}
	w.gh.Forget()
}

// file returns a file of a branch, "" when it is not there.
func (w *world) file(branch, name string) string {
	text, _ := w.gh.File(branch, name)
	return text
}

// editComment changes a comment as ada.
func (w *world) editComment(id int64, body string) {
	w.t.Helper()
	client, err := github.New(github.Config{APIURL: w.gh.APIURL, Tokens: github.Static(w.gh.Token(githubtest.Grant{Kind: githubtest.PAT}))})
	if err != nil {
		w.t.Fatal(err)
	}
	_, _, err = client.API().Issues.EditComment(w.t.Context(), w.gh.Owner, w.gh.Name, id, &gogithub.IssueComment{Body: &body})
	if err != nil {
		w.t.Fatal(err)
	}
	w.gh.Forget()
}
