package publish

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// GitHub's copies of a repository do not know a new object at once.
func TestCommitAPI_momentary(t *testing.T) {
	t.Parallel()
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

// GitHub says that someone was faster while git still shows the old state.
func TestCommitAPI_conflict(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, commitSeed)
	for _, fault := range []githubtest.Fault{
		{Status: http.StatusUnprocessableEntity, Body: `{"message":"Reference already exists","documentation_url":"https://docs.github.com/rest","status":"422"}`},
		{Status: http.StatusUnprocessableEntity, Body: `{"message":"Update is not a fast forward","documentation_url":"https://docs.github.com/rest","status":"422"}`},
		{Status: http.StatusConflict},
	} {
		b := newBench(t, "api", seed, full)
		b.gh.Fault(githubtest.Match{Path: "git/refs"}, fault)
		_, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n")))
		wantLease(t, fault.Body, err, "", "")
	}
}

// What GitHub made is compared with what was asked for before anything points to it.
func TestCommitAPI_otherTree(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, commitSeed)
	other := seed.Git("rev-parse", "HEAD^{tree}")
	for path, body := range map[string]string{
		"git/trees":   `{"sha":"` + other + `","url":"https://x","truncated":false,"tree":[]}`,
		"git/commits": `{"sha":"` + seed.Head() + `","tree":{"sha":"` + other + `"}}`,
	} {
		b := newBench(t, "api", seed, full)
		b.gh.Fault(githubtest.Match{Path: path}, githubtest.Fault{Status: http.StatusCreated, Body: body})
		if _, err := b.Commit(t.Context(), b.request(set("openwiki/a.md", "1\n"))); err == nil || !strings.Contains(err.Error(), "was asked for") {
			t.Errorf("%s: %v", path, err)
		}
		if got := b.gh.Head("openwiki/update"); got != "" {
			t.Errorf("%s: the branch was made at %s", path, got)
		}
	}
}

// A GitHub, or a token, without the mutation: REST moves the branch.
func TestCommitAPI_noMutation(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
