package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// commitSeed holds what a commit of the wiki must leave alone.
const commitSeed = `-- README.md --
readme
-- bin/run (executable) --
run
-- link (symlink) --
README.md
-- openwiki/old.md --
old
-- openwiki/sub/kept.md --
kept
-- openwiki/sub/gone.md --
gone
-- taken --
a file where a directory is wanted
`

// A bench is one committer with the GitHub it talks to.
type bench struct {
	committer
	gh    *githubtest.Server
	base  string
	work  *gittest.Repo
	mu    sync.Mutex
	slept []time.Duration
}

func (b *bench) sleep(ctx context.Context, d time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slept = append(b.slept, d)
	return ctx.Err()
}

// backEnds are the two committers, the API in both of its ways to move a branch.
var backEnds = []string{"api", "api without node", "push"}

func newBench(t testing.TB, kind string, seed *gittest.Repo, checkout func(*gittest.Repo) *gittest.Repo) *bench {
	t.Helper()
	b := &bench{base: seed.Head(), gh: githubtest.New(t, githubtest.Options{Seed: seed, Private: true})}
	b.work = checkout(seed)
	repo, err := gitrepo.Open(t.Context(), b.work.Dir)
	if err != nil {
		t.Fatal(err)
	}
	b.use(t, kind, repo, b.gh.Token(githubtest.Grant{}))
	return b
}

// use makes the committer for a token.
func (b *bench) use(t testing.TB, kind string, repo *gitrepo.Repo, token string) {
	t.Helper()
	remote := gitrepo.Remote{
		URL: b.gh.CloneURL, Credential: func(context.Context) (string, string, error) { return "x-access-token", token, nil }, Pause: b.sleep,
	}
	if kind == "push" {
		b.committer = &pushCommitter{
			repo: repo, remote: remote, who: gitrepo.Identity{Name: "github-actions[bot]", Email: "41898282+github-actions[bot]@users.noreply.github.com"},
			now: time.Now, pause: b.sleep,
		}
		return
	}
	client, err := github.New(github.Config{APIURL: b.gh.APIURL, Tokens: github.Static(token), Sleep: b.sleep})
	if err != nil {
		t.Fatal(err)
	}
	api := &apiCommitter{client: client, owner: b.gh.Owner, name: b.gh.Name, repo: repo, remote: remote}
	if kind == "api" {
		api.nodeID = "R_4242"
	}
	b.committer = api
}

// files lists the tree of a commit: mode, object and path.
func (b *bench) files(t testing.TB, commit string) string {
	t.Helper()
	bare := b.work.Git("--git-dir="+b.gh.Bare, "-c", "core.quotePath=false", "ls-tree", "-r", "--full-tree", commit)
	return bare
}

func (b *bench) request(changes ...Change) CommitRequest {
	return CommitRequest{Parent: b.base, Changes: changes, Message: "docs: update OpenWiki\n\nWikiwright-Run: 1", Branch: "openwiki/update"}
}

func full(r *gittest.Repo) *gittest.Repo    { return r.Clone() }
func shallow(r *gittest.Repo) *gittest.Repo { return r.ShallowClone(1) }

func set(path, text string) Change { return Change{Path: path, Data: []byte(text)} }
func drop(path string) Change      { return Change{Path: path, Delete: true} }

func manyFiles(n int) []Change {
	changes := make([]Change, n)
	for i := range changes {
		changes[i] = set(fmt.Sprintf("openwiki/part-%02d/page-%04d.md", i%40, i), strings.Repeat(fmt.Sprintf("line of page %d\n", i), 60))
	}
	return changes
}

// The same request gives the same tree in every back end, and git's own import gives it too.
func TestCommit_trees(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, commitSeed)
	kinds := []string{"api", "push", "push"}
	benches := []*bench{newBench(t, "api", seed, shallow), newBench(t, "push", seed, full), newBench(t, "push", seed, shallow)}
	for name, changes := range map[string][]Change{
		"new wiki beside":         {set("docs/wiki/a.md", "a\n"), set("docs/wiki/deep/er/b.md", "b\n")},
		"change and delete":       {set("openwiki/old.md", "new\n"), drop("openwiki/sub/gone.md"), set("openwiki/sub/new.md", "")},
		"delete what is not":      {drop("openwiki/none.md"), drop("no/such/dir.md"), set("openwiki/x.md", "x\n")},
		"the whole wiki goes":     {drop("openwiki/old.md"), drop("openwiki/sub/kept.md"), drop("openwiki/sub/gone.md")},
		"names in many alphabets": {set("openwiki/größe & maß.md", "ß\n"), set("openwiki/概要/はじめに.md", "本文\n"), set("openwiki/emoji 🙂.md", "🙂\r\n")},
		"bytes that are no text":  {{Path: "openwiki/a.bin", Data: []byte{0xff, 0xfe, 0, 1}}, {Path: "openwiki/nul.md", Data: []byte("a\x00b")}, set("openwiki/t.md", "t")},
		"a file in the way":       {set("taken/a.md", "a\n"), set("taken/b/c.md", "c\n")},
		"a file is moved away":    {drop("taken"), set("taken/a.md", "a\n"), drop("openwiki/old.md")},
		"a link in the way":       {set("link/a.md", "a\n")},
		"a directory in the way":  {set("openwiki/sub", "now a file\n")},
		"a directory made a file": {set("openwiki/sub", "now a file\n"), drop("openwiki/sub/kept.md"), drop("openwiki/sub/gone.md")},
		"an executable page":      {set("bin/run", "run\n")},
		"almost a directory":      {set("openwiki/sub.md", "a\n"), set("openwiki/sub-2/a.md", "a\n"), set("openwiki/sub0", "a\n")},
		"many files":              manyFiles(3000),
	} {
		t.Run(name, func(t *testing.T) {
			want := importTree(t, changes)
			for i, b := range benches {
				req := b.request(changes...)
				req.Branch = "openwiki/" + strings.ReplaceAll(name, " ", "-")
				commit, err := b.Commit(t.Context(), req)
				if err != nil {
					t.Fatalf("%s: %v", kinds[i], err)
				}
				if diff := cmp.Diff(want, b.files(t, commit.SHA)); diff != "" {
					t.Errorf("%s: files (-want +got):\n%s", kinds[i], diff)
				}
				if got := b.gh.Head(req.Branch); got != commit.SHA {
					t.Errorf("%s: branch at %s, want %s", kinds[i], got, commit.SHA)
				}
				if commit.Verified != (kinds[i] == "api") {
					t.Errorf("%s: verified is %t", kinds[i], commit.Verified)
				}
				if status := b.work.Git("status", "--porcelain"); status != "" {
					t.Errorf("%s: work tree changed:\n%s", kinds[i], status)
				}
				b.gh.NeverEqualsBase(req.Branch, "main")
			}
		})
	}
}

// importTree lets git itself apply changes to the seed.
func importTree(t *testing.T, changes []Change) string {
	t.Helper()
	r := gittest.FromTxtar(t, commitSeed)
	var in strings.Builder
	fmt.Fprintf(&in, "commit refs/heads/import\ncommitter Ada <ada@example.com> 0 +0000\ndata 0\nfrom %s\n", r.Head())
	for _, change := range changes {
		if change.Delete {
			fmt.Fprintf(&in, "D %s\n", change.Path)
		}
	}
	for _, change := range changes {
		if !change.Delete {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", change.Path, len(change.Data), change.Data)
		}
	}
	if _, err := r.TryGit(in.String(), "fast-import", "--quiet"); err != nil {
		t.Fatal(err)
	}
	return r.Git("-c", "core.quotePath=false", "ls-tree", "-r", "--full-tree", "import")
}

// Submodules elsewhere stay what they are.
func TestCommit_submodule(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, commitSeed)
	seed.Git("submodule", "--quiet", "add", gittest.FromTxtar(t, "-- a --\na\n").Dir, "vendor/sub")
	seed.Commit("add a submodule")
	var trees []string
	for _, kind := range backEnds {
		b := newBench(t, kind, seed, full)
		commit, err := b.Commit(t.Context(), b.request(set("vendor/notes.md", "n\n")))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		trees = append(trees, commit.Tree)
		if got := b.files(t, commit.SHA); !strings.Contains(got, "160000 commit") || !strings.Contains(got, "100755 blob") || !strings.Contains(got, "120000 blob") {
			t.Errorf("%s:\n%s", kind, got)
		}
	}
	if len(slices.Compact(trees)) != 1 {
		t.Errorf("trees %v", trees)
	}
}

func TestCommit_refused(t *testing.T) {
	t.Parallel()
	for _, kind := range backEnds {
		b := newBench(t, kind, gittest.FromTxtar(t, commitSeed), shallow)
		for name, test := range map[string]struct {
			changes []Change
			want    error
		}{
			"no change":            {nil, ErrNothing},
			"same content":         {[]Change{set("openwiki/old.md", "old\n"), drop("none")}, ErrNothing},
			"twice":                {[]Change{set("a", "1"), set("a", "2")}, gitrepo.ErrEdit},
			"file and directory":   {[]Change{set("a", "1"), set("a/b", "2")}, gitrepo.ErrEdit},
			"delete a directory":   {[]Change{drop("openwiki/sub")}, gitrepo.ErrEdit},
			"path out of the tree": {[]Change{set("openwiki/../x", "1")}, gitrepo.ErrEdit},
			"absolute path":        {[]Change{set("/x", "1")}, gitrepo.ErrEdit},
			"git directory":        {[]Change{set("openwiki/.GIT/config", "1")}, gitrepo.ErrEdit},
			"name that is no text": {[]Change{set("openwiki/\xff.md", "1")}, gitrepo.ErrEdit},
			"empty path":           {[]Change{set("", "1")}, gitrepo.ErrEdit},
		} {
			_, err := b.Commit(t.Context(), b.request(test.changes...))
			if !errors.Is(err, test.want) {
				t.Errorf("%s, %s: got %v, want %v", kind, name, err, test.want)
			}
		}
		if calls := b.gh.Calls(); slices.ContainsFunc(calls, githubtest.Call.Writes) {
			t.Errorf("%s: wrote: %v", kind, calls)
		}
	}
}

// Refusals keep their reason, and the branch does not move.
func TestCommit_rules(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, commitSeed)
	for kind, checkouts := range map[string][]func(*gittest.Repo) *gittest.Repo{"api": {full}, "push": {full, shallow}} {
		for i, checkout := range checkouts {
			b := newBench(t, kind, seed, checkout)
			for name, test := range map[string]struct {
				rules githubtest.Rules
				code  github.Code
				text  string
			}{
				"creation": {githubtest.Rules{NoCreation: true}, github.CodeRuleset, "creations being restricted"},
				"name":     {githubtest.Rules{NamePattern: "^feature/"}, github.CodeRuleset, "^feature/"},
				"path":     {githubtest.Rules{RestrictedPaths: []string{"openwiki/**"}}, github.CodeRuleset, "openwiki/a.md"},
				"hook":     {githubtest.Rules{PreReceive: "no pushes on Fridays"}, github.CodeHook, "no pushes on Fridays"},
				"signed":   {githubtest.Rules{RequiredSignatures: true}, github.CodeSignature, "verified signatures"},
			} {
				b.gh.SetRules(test.rules)
				req := b.request(set("openwiki/a.md", name))
				req.Branch = "openwiki/" + name
				_, err := b.Commit(t.Context(), req)
				if kind == "api" && name == "signed" {
					if err != nil {
						t.Errorf("GitHub signs: %v", err)
					}
					continue
				}
				code := github.Classify(err).Code
				if kind == "api" && name == "hook" {
					code = test.code // REST says no more than the text
				}
				if err == nil || code != test.code || !strings.Contains(err.Error(), test.text) {
					t.Errorf("%s %d, %s: %q of %v, want %q", kind, i, name, code, err, test.code)
				}
				if b.gh.Head(req.Branch) != "" {
					t.Errorf("%s %d, %s: the branch was made", kind, i, name)
				}
			}
		}
	}
}

func TestCommit_token(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, commitSeed)
	for _, kind := range backEnds {
		for name, checkout := range map[string]func(*gittest.Repo) *gittest.Repo{"full": full, "shallow": shallow} {
			if kind == "api without node" && name == "shallow" {
				continue
			}
			b := newBench(t, kind, seed, checkout)
			repo, err := gitrepo.Open(t.Context(), b.work.Dir)
			if err != nil {
				t.Fatal(err)
			}
			b.gh.Allow(githubtest.BadToken, githubtest.NoPermission)
			for what, test := range map[string]struct {
				token string
				code  github.Code
			}{
				"expired":   {b.gh.Token(githubtest.Grant{Expires: time.Unix(1, 0)}), github.CodeTokenExpired},
				"read only": {b.gh.Token(githubtest.Grant{Permissions: map[string]string{"contents": "read"}}), github.CodePermission},
			} {
				b.use(t, kind, repo, test.token)
				_, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n")))
				if got := github.Classify(err).Code; got != test.code {
					t.Errorf("%s, %s, %s: %q of %v, want %q", kind, name, what, got, err, test.code)
				}
				if err != nil && strings.Contains(err.Error(), test.token) {
					t.Errorf("%s, %s, %s: the error holds the token: %v", kind, name, what, err)
				}
			}
		}
	}
}
