package githubtest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		fault   githubtest.Fault
		status  int // 0: no answer
		header  string
		created bool // the label is there all the same
	}{
		{"secondary limit", githubtest.SecondaryLimit(""), 403, "", false},
		{"secondary limit with seconds", githubtest.SecondaryLimit("7"), 403, "7", false},
		{"429 with a date", githubtest.TooManyRequests("Fri, 02 Jan 2026 03:04:05 GMT"), 429, "Fri, 02 Jan 2026 03:04:05 GMT", false},
		{"502", githubtest.Fault{Status: 502}, 502, "", false},
		{"lost", githubtest.Fault{Lost: true}, 0, "", true},
		{"reset", githubtest.Fault{Reset: true}, 0, "", false},
		{"truncated", githubtest.Fault{Truncate: true}, 201, "", true},
		{"slow", githubtest.Fault{Delay: time.Millisecond}, 201, "", true},
	} {
		gh, c := start(t, githubtest.Options{})
		gh.Fault(githubtest.Match{Method: "POST", Path: "labels", Nth: 1}, test.fault)
		_, r, err := c.Issues.CreateLabel(t.Context(), gh.Owner, gh.Name, &github.Label{Name: github.String("x"), Color: github.String("ffffff")})
		if (err == nil) != (test.name == "slow") {
			t.Errorf("%s: error = %v", test.name, err)
		}
		if got := 0; r != nil {
			if got = r.StatusCode; got != test.status || r.Header.Get("Retry-After") != test.header {
				t.Errorf("%s: status = %d, Retry-After = %q", test.name, got, r.Header.Get("Retry-After"))
			}
		} else if test.status != 0 {
			t.Errorf("%s: no answer: %v", test.name, err)
		}
		if test.name == "truncated" && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error = %v", test.name, err)
		}
		calls := gh.Calls()
		if len(calls) != 1 || calls[0].Fault == "" || calls[0].Status != test.status && test.status != 0 {
			t.Errorf("%s: calls = %v", test.name, calls)
		}
		_, r, err = c.Issues.CreateLabel(t.Context(), gh.Owner, gh.Name, &github.Label{Name: github.String("x"), Color: github.String("ffffff")})
		if exists := r != nil && r.StatusCode == http.StatusUnprocessableEntity; exists != test.created {
			t.Errorf("%s: the label exists: %v, %v", test.name, exists, err)
		}
	}
}

func TestFaultsOfGit(t *testing.T) {
	t.Parallel()
	gh, _ := start(t, githubtest.Options{})
	token := gh.Token(githubtest.Grant{})
	clone := gittest.New(t)
	clone.Git("fetch", "--quiet", gh.CloneURL, "main")
	clone.Git("checkout", "--quiet", "-b", "topic", "FETCH_HEAD")
	clone.Write("docs/one.md", "pushed\n")
	commit := clone.Commit("change")
	gh.Fault(githubtest.Match{Kind: "git", Method: "POST", Path: "git-receive-pack", Nth: 1}, githubtest.Fault{Status: 503})
	gh.Fault(githubtest.Match{Kind: "git", Method: "POST", Path: "git-receive-pack", Nth: 1}, githubtest.Fault{Lost: true})
	for _, want := range []string{"", commit} { // the second rule acts on the second push: the first rule took the first
		if _, err := clone.TryGit("", append(authorized(token), "push", gh.CloneURL, "topic")...); err == nil {
			t.Error("the push saw no error")
		}
		if got := gh.Head("topic"); got != want {
			t.Errorf("topic = %q, want %q", got, want)
		}
	}
}

func TestSomebodyIsFaster(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	mine := commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"))
	var theirs string
	gh.Fault(githubtest.Match{Method: "PATCH", Path: "git/refs/**", Nth: 1}, githubtest.Fault{Before: func() {
		theirs = gh.PushAs("ada", "docs/new", map[string]string{"docs/two.md": "person\n"})
	}})
	_, r, err := c.Git.UpdateRef(t.Context(), gh.Owner, gh.Name, &github.Reference{Ref: github.String("refs/heads/docs/new"), Object: &github.GitObject{SHA: mine.SHA}}, false)
	if r.StatusCode != http.StatusUnprocessableEntity || !contains(err, "not a fast forward") || gh.Head("docs/new") != theirs {
		t.Errorf("error = %v, head = %s", err, gh.Head("docs/new"))
	}
}

func TestRandomFaultsRepeat(t *testing.T) {
	t.Parallel()
	run := func() (faults string) {
		gh, c := start(t, githubtest.Options{})
		gh.RandomFaults(7, 0.5)
		for range 40 {
			_, _, err := c.Git.GetRef(t.Context(), gh.Owner, gh.Name, "heads/main")
			var limited *github.AbuseRateLimitError
			if errors.As(err, &limited) { // go-github would refuse to ask again before the time is over
				c = client(t, gh, gh.Token(githubtest.Grant{}))
			}
		}
		for _, call := range gh.Calls() {
			faults += call.Fault + "\n"
		}
		return faults
	}
	first := run()
	if strings.Trim(first, "\n") == "" || !strings.Contains(first, "\n\n") {
		t.Errorf("faults = %q", first)
	}
	if second := run(); first != second {
		t.Errorf("the same seed gave\n%s\nand\n%s", first, second)
	}
}

func TestPrimaryLimit(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	gh.LimitCalls(1, time.Now().Add(time.Hour))
	_, r, err := c.Git.GetRef(t.Context(), gh.Owner, gh.Name, "heads/main")
	if err != nil || r.Rate.Remaining != 0 {
		t.Errorf("first call: %v, remaining %d", err, r.Rate.Remaining)
	}
	var limited *github.RateLimitError
	if _, _, err = client(t, gh, gh.Token(githubtest.Grant{})).Git.GetRef(t.Context(), gh.Owner, gh.Name, "heads/main"); !errors.As(err, &limited) {
		t.Errorf("second call: %v", err)
	}
}

// A notebook keeps what the server reports, so that a test can see that it would fail.
type notebook struct {
	mu    sync.Mutex
	lines []string
}

func (n *notebook) Helper() {}
func (n *notebook) Errorf(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, fmt.Sprintf(format, args...))
}

func (n *notebook) take() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := strings.Join(n.lines, "\n")
	n.lines = nil
	return text
}

func TestViolationsFailTheTest(t *testing.T) {
	t.Parallel()
	notes := &notebook{}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var mu sync.Mutex
	gh, err := githubtest.Start(notes, t.TempDir(), githubtest.Options{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer gh.Close()
	good := gh.Token(githubtest.Grant{Expires: now.Add(time.Hour)})
	readonly := gh.Token(githubtest.Grant{Permissions: map[string]string{}})
	revoked := gh.Token(githubtest.Grant{})
	gh.Revoke(revoked)
	send := func(method, path, body, token string, change func(http.Header)) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, gh.APIURL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "application/vnd.github+json")
		r.Header.Set("X-GitHub-Api-Version", "2022-11-28")
		r.Header.Set("User-Agent", "test")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		if change != nil {
			change(r.Header)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.Header.Get("X-RateLimit-Remaining") == "" {
			t.Error("no rate limit headers")
		}
		return answer.StatusCode
	}
	const pulls = "/repos/acme/widgets/pulls"
	for _, test := range []struct {
		name, method, path, body, token string
		change                          func(http.Header)
		status                          int
		want                            string
	}{
		{name: "all well", method: "GET", path: pulls, token: good, status: 200},
		{name: "route", method: "GET", path: "/repos/acme/widgets/milestones", token: good, status: 404, want: "unknown route"},
		{name: "repository", method: "GET", path: "/repos/acme/other", token: good, status: 404, want: "unknown route"},
		{name: "no token", method: "GET", path: pulls, change: func(h http.Header) { h.Del("Authorization") }, status: 401, want: "bad token"},
		{name: "revoked", method: "GET", path: pulls, token: revoked, status: 401, want: "bad token"},
		{name: "permission", method: "POST", path: pulls, body: `{"title":"t","head":"x","base":"main"}`, token: readonly, status: 403, want: "no permission"},
		{name: "user agent", method: "GET", path: pulls, token: good, change: func(h http.Header) { h.Set("User-Agent", "") }, status: 403, want: "missing header"},
		{name: "version", method: "GET", path: pulls, token: good, change: func(h http.Header) { h.Del("X-GitHub-Api-Version") }, status: 200, want: "missing header"},
		{name: "accept", method: "GET", path: pulls, token: good, change: func(h http.Header) { h.Set("Accept", "*/*") }, status: 200, want: "missing header"},
		{name: "parameter", method: "GET", path: pulls + "?colour=red", token: good, status: 422, want: `query parameter "colour" is not described`},
		{name: "value", method: "GET", path: pulls + "?state=odd", token: good, status: 422, want: "state"},
		{name: "head without owner", method: "GET", path: pulls + "?head=x", token: good, status: 200, want: "has no owner"},
		{name: "field", method: "POST", path: pulls, body: `{"title":"t","head":"x","base":"main","reviewers":[]}`, token: good, status: 422, want: `field "reviewers" is not described`},
		{name: "missing field", method: "POST", path: pulls, body: `{"title":"t","head":"x"}`, token: good, status: 422, want: "base"},
		{name: "type", method: "POST", path: pulls, body: `{"title":"t","head":"x","base":1}`, token: good, status: 422, want: "at /base"},
	} {
		if got := send(test.method, test.path, test.body, test.token, test.change); got != test.status {
			t.Errorf("%s: status = %d, want %d", test.name, got, test.status)
		}
		if got := notes.take(); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: reported %q, want %q", test.name, got, test.want)
		}
	}
	mu.Lock()
	now = now.Add(time.Hour)
	mu.Unlock()
	gh.Allow(githubtest.BadToken)
	if got := send("GET", pulls, "", good, nil); got != http.StatusUnauthorized || notes.take() != "" {
		t.Errorf("expired token: status = %d", got)
	}
	gh.Archive()
	if got := send("POST", pulls, `{"title":"t","head":"x","base":"main"}`, gh.Token(githubtest.Grant{}), nil); got != http.StatusForbidden {
		t.Errorf("archived: status = %d", got)
	}
}

func TestAssertionsSeeHarm(t *testing.T) {
	t.Parallel()
	notes := &notebook{}
	gh, err := githubtest.Start(notes, t.TempDir(), githubtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gh.Close()
	c := client(t, gh, gh.Token(githubtest.Grant{}))
	commit := commitFiles(t, gh, c, "docs/new", inline("docs/one.md", "changed\n"), inline("other.txt", "outside\n"))
	gh.NeverEqualsBase("docs/new", "main")
	gh.NoLostCommits("github-actions[bot]")
	if got := notes.take(); got != "" {
		t.Errorf("reported without harm: %s", got)
	}
	gh.OnlyBelow("docs/new", "main", "docs")
	if got := notes.take(); !strings.Contains(got, "other.txt") {
		t.Errorf("OnlyBelow reported %q", got)
	}
	lost := gh.PushAs("ada", "docs/new", map[string]string{"docs/two.md": "person\n"})
	ref := &github.Reference{Ref: github.String("refs/heads/docs/new"), Object: &github.GitObject{SHA: commit.SHA}}
	must[*github.Reference](t)(c.Git.UpdateRef(t.Context(), gh.Owner, gh.Name, ref, true))
	gh.NoLostCommits("github-actions[bot]")
	if got := notes.take(); !strings.Contains(got, lost) {
		t.Errorf("NoLostCommits reported %q, want %s", got, lost)
	}
	ref.Object.SHA = github.String(gh.Head("main"))
	must[*github.Reference](t)(c.Git.UpdateRef(t.Context(), gh.Owner, gh.Name, ref, true))
	gh.NeverEqualsBase("docs/new", "main")
	if got := notes.take(); !strings.Contains(got, "was moved to") {
		t.Errorf("NeverEqualsBase reported %q", got)
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	gh, c := start(t, githubtest.Options{})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			branch := fmt.Sprintf("topic-%d", i)
			commitFiles(t, gh, c, branch, inline("docs/one.md", branch))
			openPull(t, gh, c, branch)
			gh.Calls()
			gh.Pulls()
		})
	}
	group.Wait()
	if got := len(gh.Pulls()); got != 8 {
		t.Errorf("%d pull requests, want 8", got)
	}
}

func BenchmarkTree3000(b *testing.B) {
	gh := githubtest.New(b, githubtest.Options{})
	c, err := github.NewClient(nil).WithAuthToken(gh.Token(githubtest.Grant{})).WithEnterpriseURLs(gh.APIURL, gh.APIURL)
	if err != nil {
		b.Fatal(err)
	}
	for round := 0; b.Loop(); round++ {
		var entries []*github.TreeEntry
		for i := range 3000 {
			entries = append(entries, inline(fmt.Sprintf("wiki/%d/page-%d.md", i%50, i), strings.Repeat(fmt.Sprintf("round %d line %d\n", round, i), 40)))
		}
		if _, _, err := c.Git.CreateTree(b.Context(), gh.Owner, gh.Name, gh.Head("main"), entries); err != nil {
			b.Fatal(err)
		}
	}
}
