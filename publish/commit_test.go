package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

// An update that does not descend from the branch: rebuilt on a base that moved on and that the checkout has not got.
func TestCommit_update(t *testing.T) {
	seed := gittest.FromTxtar(t, commitSeed)
	for _, kind := range backEnds {
		for name, checkout := range map[string]func(*gittest.Repo) *gittest.Repo{"full": full, "shallow": shallow} {
			if kind == "api without node" && name == "shallow" {
				continue
			}
			b := newBench(t, kind, seed, checkout)
			b.work.Git("checkout", "--quiet", "--detach")
			first, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n")))
			if err != nil {
				t.Fatal(err)
			}
			b.base = b.gh.PushAs("ada", "main", map[string]string{"src/new.go": "package src\n"})
			req := b.request(set("openwiki/a.md", "2\n"))
			req.Expect = first.SHA
			second, err := b.Commit(t.Context(), req)
			if err != nil {
				t.Fatalf("%s, %s: %v", kind, name, err)
			}
			if diff := cmp.Diff([]string{second.SHA}, b.gh.Commits("openwiki/update", "main")); diff != "" {
				t.Errorf("%s, %s: commits on the branch (-want +got):\n%s", kind, name, diff)
			}
			if text, _ := b.gh.File(second.SHA, "openwiki/a.md"); text != "2\n" {
				t.Errorf("%s, %s: page is %q", kind, name, text)
			}
			// The same request again, as after a crash: nothing moves.
			again, err := b.Commit(t.Context(), req)
			if err != nil || again.SHA != second.SHA {
				t.Errorf("%s, %s: again %v, %v; want %s", kind, name, again, err, second.SHA)
			}
			// A further commit on top of the branch.
			req = CommitRequest{Parent: second.SHA, Changes: []Change{set("openwiki/b.md", "b\n")}, Message: "m", Branch: "openwiki/update", Expect: second.SHA}
			third, err := b.Commit(t.Context(), req)
			if err != nil || b.gh.Head("openwiki/update") != third.SHA {
				t.Errorf("%s, %s: on top: %v, %v", kind, name, third, err)
			}
			b.gh.NeverEqualsBase("openwiki/update", "main")
		}
	}
}

func wantLease(t *testing.T, what string, err error, expected, found string) {
	t.Helper()
	var lease *LeaseError
	if !errors.As(err, &lease) {
		t.Errorf("%s: got %v, want a LeaseError", what, err)
		return
	}
	if diff := cmp.Diff(&LeaseError{Branch: "openwiki/update", Expected: expected, Found: found}, lease); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
	if got := github.Classify(err).Code; got != github.CodeConflict {
		t.Errorf("%s: code %q", what, got)
	}
}

func TestCommit_lease(t *testing.T) {
	seed := gittest.FromTxtar(t, commitSeed)
	for _, kind := range backEnds {
		for name, checkout := range map[string]func(*gittest.Repo) *gittest.Repo{"full": full, "shallow": shallow} {
			if kind == "api without node" && name == "shallow" {
				continue
			}
			b := newBench(t, kind, seed, checkout)
			what := kind + ", " + name
			theirs := b.gh.Push(githubtest.PersonCommit{Author: "ada", Branch: "openwiki/update", Files: map[string]string{"openwiki/a.md": "theirs\n"}})
			_, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "ours\n")))
			wantLease(t, what+": the branch is there", err, "", theirs)
			req := b.request(set("openwiki/a.md", "ours\n"))
			req.Expect = b.base
			_, err = b.Commit(t.Context(), req)
			wantLease(t, what+": the branch is elsewhere", err, b.base, theirs)
			if err := b.DeleteBranch(t.Context(), "openwiki/update", b.base); err == nil {
				t.Errorf("%s: deleted a branch that is elsewhere", what)
			} else {
				wantLease(t, what+": delete", err, b.base, theirs)
			}
			if got := b.gh.Head("openwiki/update"); got != theirs {
				t.Errorf("%s: the branch moved to %s", what, got)
			}
			if err := b.DeleteBranch(t.Context(), "openwiki/update", theirs); err != nil || b.gh.Head("openwiki/update") != "" {
				t.Errorf("%s: delete: %v", what, err)
			}
			if err := b.DeleteBranch(t.Context(), "openwiki/update", theirs); err != nil {
				t.Errorf("%s: delete what is gone: %v", what, err)
			}
			req.Expect = theirs
			_, err = b.Commit(t.Context(), req)
			wantLease(t, what+": the branch is gone", err, theirs, "")
		}
	}
}

// Somebody pushes between our last look and our move. Without GraphQL's compare-and-swap REST cannot tell; everything else must.
func TestCommit_race(t *testing.T) {
	for _, kind := range []string{"api", "push"} {
		b := newBench(t, kind, gittest.FromTxtar(t, commitSeed), full)
		first, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n")))
		if err != nil {
			t.Fatal(err)
		}
		var theirs string
		faster := githubtest.Fault{Before: func() {
			theirs = b.gh.PushAs("ada", "openwiki/update", map[string]string{"openwiki/a.md": "theirs\n"})
		}}
		b.gh.Fault(githubtest.Match{Kind: "graphql", Nth: 1}, faster)
		b.gh.Fault(githubtest.Match{Kind: "git", Path: "git-receive-pack", Nth: 1}, faster)
		b.base = b.gh.PushAs("ada", "main", map[string]string{"src/new.go": "package src\n"})
		req := b.request(set("openwiki/a.md", "2\n"))
		req.Expect = first.SHA
		_, err = b.Commit(t.Context(), req)
		wantLease(t, kind, err, first.SHA, theirs)
		if got := b.gh.Head("openwiki/update"); got != theirs || theirs == "" {
			t.Errorf("%s: branch at %s, want %s", kind, got, theirs)
		}
	}
}

// Every single request of a commit fails once, in each way, and the commit succeeds all the same, once.
func TestCommit_lostAnswers(t *testing.T) {
	faults := map[string]githubtest.Fault{
		"lost": {Lost: true}, "reset": {Reset: true}, "half": {Truncate: true}, "502": {Status: http.StatusBadGateway},
	}
	seed := gittest.FromTxtar(t, commitSeed)
	for _, kind := range backEnds {
		for name, fault := range faults {
			b := newBench(t, kind, seed, full)
			first, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "0\n")))
			if err != nil {
				t.Fatal(err)
			}
			at := first.SHA
			for nth := 1; nth < 20; nth++ {
				b.base = b.gh.PushAs("ada", "main", map[string]string{"src/new.go": fmt.Sprint(nth)})
				b.gh.ClearFaults()
				b.gh.Forget()
				b.gh.Fault(githubtest.Match{Nth: nth}, fault)
				req := b.request(set("openwiki/a.md", fmt.Sprint(nth)))
				req.Expect = at
				commit, err := b.Commit(t.Context(), req)
				what := fmt.Sprintf("%s, %s of request %d", kind, name, nth)
				if err != nil || b.gh.Head("openwiki/update") != commit.SHA {
					t.Fatalf("%s: %v", what, err)
				}
				if diff := cmp.Diff([]string{commit.SHA}, b.gh.Commits("openwiki/update", "main")); diff != "" {
					t.Errorf("%s: commits (-want +got):\n%s", what, diff)
				}
				if moves := branchMoves(b.gh); moves != nth+1 {
					t.Fatalf("%s: the branch moved %d times, want %d: %+v", what, moves, nth+1, b.gh.RefLog())
				}
				at = commit.SHA
				if !slices.ContainsFunc(b.gh.Calls(), func(c githubtest.Call) bool { return c.Fault != "" }) {
					break // the request has no more calls than that
				}
			}
		}
	}
}

func branchMoves(gh *githubtest.Server) int {
	n := 0
	for _, update := range gh.RefLog() {
		if update.Ref == "refs/heads/openwiki/update" {
			n++
		}
	}
	return n
}

// GitHub's copies of a repository do not know a new object at once.
func TestCommitAPI_momentary(t *testing.T) {
	for name, test := range map[string]struct{ path, message string }{
		"tree":   {"git/commits", "Tree SHA does not exist"},
		"object": {"git/refs", "Object does not exist"},
		"ref":    {"git/refs", "Reference update failed"},
	} {
		b := newBench(t, "api", gittest.FromTxtar(t, commitSeed), full)
		b.gh.Fault(githubtest.Match{Path: test.path, Times: 3}, githubtest.Fault{
			Status: http.StatusUnprocessableEntity, Body: `{"message":"` + test.message + `","documentation_url":"https://docs.github.com/rest","status":"422"}`,
		})
		if _, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n"))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(b.slept) != 3 || slices.Min(b.slept) < time.Second || slices.Max(b.slept) >= 2*time.Second {
			t.Errorf("%s: waits %v, want three of one to two seconds", name, b.slept)
		}
	}
	b := newBench(t, "api", gittest.FromTxtar(t, commitSeed), full)
	b.gh.Fault(githubtest.Match{Path: "git/refs"}, githubtest.Fault{Status: http.StatusUnprocessableEntity,
		Body: `{"message":"Reference update failed","documentation_url":"https://docs.github.com/rest","status":"422"}`})
	if _, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n"))); err == nil || len(b.slept) != moveAttempts-1 {
		t.Errorf("for ever: %v after %d waits", err, len(b.slept))
	}
}

// A GitHub, or a token, without the mutation: REST moves the branch.
func TestCommitAPI_noMutation(t *testing.T) {
	seed := gittest.FromTxtar(t, commitSeed)
	for name, fault := range map[string]githubtest.Fault{
		"unknown":    {Status: http.StatusOK, Body: `{"errors":[{"message":"Field 'updateRefs' doesn't exist on type 'Mutation'"}]}`},
		"forbidden":  {Status: http.StatusOK, Body: `{"data":{"updateRefs":null},"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}`},
		"no GraphQL": {Status: http.StatusNotFound},
	} {
		b := newBench(t, "api", seed, full)
		first, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n")))
		if err != nil {
			t.Fatal(err)
		}
		b.gh.Fault(githubtest.Match{Kind: "graphql"}, fault)
		req := b.request(set("openwiki/a.md", "2\n"))
		req.Expect = first.SHA
		second, err := b.Commit(t.Context(), req)
		if err != nil || b.gh.Head("openwiki/update") != second.SHA {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// GitHub gives up on large requests: halves go through.
func TestCommitAPI_split(t *testing.T) {
	b := newBench(t, "api", gittest.FromTxtar(t, commitSeed), full)
	b.gh.Fault(githubtest.Match{Path: "git/trees", Times: 6}, githubtest.Fault{Status: http.StatusBadGateway})
	changes := manyFiles(100)
	commit, err := b.Commit(t.Context(), b.request(changes...))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.files(t, commit.SHA), "openwiki/part-"); got != 100 {
		t.Errorf("%d files, want 100", got)
	}
	trees := 0
	for _, call := range b.gh.Calls() {
		if call.String() == "POST git/trees" && call.Fault == "" {
			trees++
		}
	}
	if trees != 2 {
		t.Errorf("%d trees, want 2", trees)
	}
}

// The number of requests depends on the size, not on the number of files.
func TestCommitAPI_calls(t *testing.T) {
	text := strings.Repeat("a line of text with an ä\n", 40)
	for name, test := range map[string]struct {
		changes []Change
		want    []string
	}{
		"3,000 files of 1.3 MB": {manyFiles(3000)[:1500], []string{"POST git/trees", "POST git/commits", "POST git/refs"}},
		"5 MB": {[]Change{set("openwiki/a.md", strings.Repeat(text, 1500)), set("openwiki/b.md", strings.Repeat(text, 1500)), set("openwiki/c.md", strings.Repeat(text, 1500)), set("openwiki/d.md", text)},
			[]string{"POST git/trees", "POST git/trees", "POST git/trees", "POST git/commits", "POST git/refs"}},
		"a binary file":      {[]Change{{Path: "openwiki/a.png", Data: []byte{0x89, 'P', 0xff}}}, []string{"POST git/blobs", "POST git/trees", "POST git/commits", "POST git/refs"}},
		"only what differs":  {[]Change{set("openwiki/old.md", "old\n"), set("README.md", "readme\n"), set("openwiki/a.md", "a\n")}, []string{"POST git/trees", "POST git/commits", "POST git/refs"}},
		"a file in the way":  {[]Change{set("taken/a.md", "a\n")}, []string{"POST git/trees", "POST git/trees", "POST git/commits", "POST git/refs"}},
		"nothing to publish": {[]Change{set("openwiki/old.md", "old\n")}, nil},
	} {
		b := newBench(t, "api", gittest.FromTxtar(t, commitSeed), full)
		if _, err := b.Commit(t.Context(), b.request(test.changes...)); err != nil && !errors.Is(err, ErrNothing) {
			t.Fatalf("%s: %v", name, err)
		}
		var calls []string
		for _, call := range b.gh.Calls() {
			if call.Kind != "git" {
				calls = append(calls, call.String())
			}
			if limit := maxTreeText * 5 / 4; len(call.Body) > limit {
				t.Errorf("%s: a request of %d bytes", name, len(call.Body))
			}
			if strings.Contains(string(call.Body), `"author"`) || strings.Contains(string(call.Body), `"committer"`) {
				t.Errorf("%s: names an author: GitHub would not sign", name)
			}
		}
		if diff := cmp.Diff(test.want, calls); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Refusals keep their reason, and the branch does not move.
func TestCommit_rules(t *testing.T) {
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
