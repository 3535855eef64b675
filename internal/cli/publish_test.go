package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestPublish(t *testing.T) {
	gh := githubtest.New(t, githubtest.Options{Seed: gittest.FromTxtar(t, watchedRepository)})
	clone := gittest.New(t)
	clone.Git("remote", "add", "origin", gh.CloneURL)
	clone.Git("fetch", "-q", "file://"+gh.Bare, "main")
	clone.Git("reset", "-q", "--hard", "FETCH_HEAD")
	env := map[string]string{"GITHUB_TOKEN": gh.Token(githubtest.Grant{}), "GITHUB_API_URL": gh.APIURL, "GITHUB_SERVER_URL": gh.ServerURL}
	run := func(args ...string) (status int, out, errs string) {
		var stdout, stderr bytes.Buffer
		status = Main(t.Context(), append(args, "--repo", clone.Dir), Streams{Out: &stdout, Err: &stderr}, func(name string) string { return env[name] })
		return status, stdout.String(), stderr.String()
	}
	if status, out, errs := run("init", "--quiet"); status != 0 {
		t.Fatal(out, errs)
	}
	before := clone.Git("status", "--porcelain")

	status, out, errs := run("publish", "--dry-run", "--json")
	var plan struct {
		Operation string
		Decision  map[string]any
	}
	if err := json.Unmarshal([]byte(out), &plan); err != nil || status != 0 || plan.Operation != "created" || plan.Decision == nil {
		t.Fatalf("status %d, %v\n%s%s", status, err, out, errs)
	}
	if n := gh.Writes(); n != 0 {
		t.Errorf("a dry run wrote %d times", n)
	}
	if status, out, errs = run("publish"); status != 0 || !strings.HasPrefix(out, "created: ") {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	for _, line := range strings.Split(clone.Git("ls-files", "--others"), "\n") {
		want, err := os.ReadFile(clone.Path(line))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := gh.File("openwiki/update", line); !ok || got != string(want) {
			t.Errorf("%s is not published as it is in the work tree", line)
		}
	}
	if status, out, _ = run("publish"); status != 0 || !strings.HasPrefix(out, "none") {
		t.Errorf("again: status %d\n%s", status, out)
	}
	if after := clone.Git("status", "--porcelain"); after != before {
		t.Errorf("the work tree changed:\n%s", after)
	}
	delete(env, "GITHUB_TOKEN")
	if status, _, errs = run("publish"); status != ExitUsage || !strings.Contains(errs, "hint: set GITHUB_TOKEN") {
		t.Errorf("without a token: status %d\n%s", status, errs)
	}
}

func TestHostAndPath(t *testing.T) {
	for _, test := range []struct{ remote, host, path string }{
		{"https://github.com/acme/widgets.git", "github.com", "acme/widgets"},
		{"https://user:secret@ghe.example/acme/widgets", "ghe.example", "acme/widgets"},
		{"http://127.0.0.1:8080/acme/widgets.git", "127.0.0.1:8080", "acme/widgets"},
		{"git@github.com:acme/widgets.git", "github.com", "acme/widgets"},
		{"ssh://git@ghe.example:2222/acme/widgets.git", "ghe.example", "acme/widgets"},
		{"/srv/git/widgets.git", "", ""},
		{"", "", ""},
	} {
		host, path := hostAndPath(test.remote)
		if host != test.host || path != test.path {
			t.Errorf("%q: got %q, %q; want %q, %q", test.remote, host, path, test.host, test.path)
		}
	}
}
