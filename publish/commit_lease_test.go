package publish

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// An update that does not descend from the branch: rebuilt on a base that moved on and that the checkout has not got.
func TestCommit_update(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
	faults := map[string]githubtest.Fault{
		"lost": {Lost: true}, "reset": {Reset: true}, "half": {Truncate: true}, "502": {Status: http.StatusBadGateway},
	}
	seed := gittest.FromTxtar(t, commitSeed)
	for _, kind := range backEnds {
		for name, fault := range faults {
			if kind == "api without node" && name != "lost" {
				continue // its requests are those of the others
			}
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

// A bad day of GitHub: every seventh request fails in some way.
func TestCommit_badDay(t *testing.T) {
	t.Parallel()
	repository := gittest.FromTxtar(t, commitSeed)
	for _, kind := range []string{"api", "push"} {
		for _, checkout := range []func(*gittest.Repo) *gittest.Repo{full, shallow} {
			b := newBench(t, kind, repository, checkout)
			at := ""
			for day := range uint64(6) {
				b.base = b.gh.PushAs("ada", "main", map[string]string{"src/new.go": fmt.Sprint(day)})
				req := b.request(set("openwiki/a.md", fmt.Sprint(day)))
				req.Expect = at
				b.gh.RandomFaults(day, 0.15)
				commit, err := b.Commit(t.Context(), req)
				b.gh.ClearFaults()
				if err != nil {
					t.Fatalf("%s, day %d: %v", kind, day, err)
				}
				if moves := branchMoves(b.gh); b.gh.Head("openwiki/update") != commit.SHA || moves != int(day)+1 {
					t.Fatalf("%s, day %d: the branch moved %d times", kind, day, moves)
				}
				at = commit.SHA
			}
			b.gh.NeverEqualsBase("openwiki/update", "main")
		}
	}
}
