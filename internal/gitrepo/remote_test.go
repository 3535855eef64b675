package gitrepo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

const twoFiles = "-- a.txt --\na\n-- dir/b.txt --\nb\n"

func TestRemote_url(t *testing.T) {
	t.Parallel()
	r := open(t, gittest.FromTxtar(t, twoFiles).Dir)
	for _, url := range []string{
		"", "origin", "-u", "--upload-pack=x", "ext::sh -c x", "git@github.com:o/r.git", "ssh://git@github.com/o/r", "https://", "file:",
		"https://user:secret@github.com/o/r", "https://secret@github.com/o/r", "https://github.com/o/r?x=secret", "https://github.com/o/r\n", "https://git hub/secret",
	} {
		_, err := r.LsRemote(t.Context(), Remote{URL: url}, "refs/heads/main")
		if !errors.Is(err, ErrRemoteURL) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v", url, err)
		}
	}
}

func TestLsRemote(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	head := source.Head()
	for _, branch := range []string{"openwiki/update", "gh-readonly-queue/main/pr-7-" + head, "x/refs/heads/main", "mainly"} {
		source.Git("branch", branch)
	}
	source.Git("tag", "-m", "t", "v1")
	s := serve(t, source.Bare(), token)
	r := open(t, source.Dir)
	ref := func(name string) Ref { return Ref{Name: name, OID: head} }
	for name, test := range map[string]struct {
		patterns []string
		want     []Ref
	}{
		"one":      {[]string{"refs/heads/main"}, []Ref{ref("refs/heads/main")}},
		"several":  {[]string{"refs/heads/openwiki/update", "refs/heads/main", "refs/heads/none"}, []Ref{ref("refs/heads/main"), ref("refs/heads/openwiki/update")}},
		"queue":    {[]string{"refs/heads/gh-readonly-queue/main/pr-7-*"}, []Ref{ref("refs/heads/gh-readonly-queue/main/pr-7-" + head)}},
		"none":     {[]string{"refs/heads/none"}, nil},
		"a folder": {[]string{"refs/heads/openwiki", "refs/heads/openwiki/*"}, []Ref{ref("refs/heads/openwiki/update")}},
		"a tag":    {[]string{"refs/tags/v1"}, []Ref{{Name: "refs/tags/v1", OID: source.Git("rev-parse", "v1")}}},
	} {
		got, err := r.LsRemote(t.Context(), s.remote(), test.patterns...)
		if diff := cmp.Diff(test.want, append([]Ref(nil), got...)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestFetchObjects(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	first := source.Head()
	for _, text := range []string{"2", "3"} {
		source.Write("a.txt", text)
		source.Commit(text)
	}
	s := serve(t, source.Bare(), token)
	for name, depth := range map[string]int{"full": 0, "shallow": 1} {
		work := source.Clone()
		if depth > 0 {
			work = source.ShallowClone(depth)
		}
		before := snapshot(t, work)
		r := open(t, work.Dir)
		// Two commits the checkout has not got, in a line.
		middle := s.bare.Git("commit-tree", "-p", first, "-m", "m", first+"^{tree}")
		tip := s.bare.Git("commit-tree", "-p", middle, "-m", "t", first+"^{tree}")
		s.bare.Git("update-ref", "refs/heads/other", tip)
		if err := r.FetchObjects(t.Context(), s.remote(), tip, work.Head()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := r.Blob(t.Context(), tip, "a.txt"); string(got) != "a\n" || err != nil {
			t.Errorf("%s: file of the fetched commit %q, %v", name, got, err)
		}
		_, err := work.TryGit("", "cat-file", "-e", middle)
		if (err == nil) != (depth == 0) {
			t.Errorf("%s: history of the fetched commit: %v", name, err)
		}
		if diff := cmp.Diff(before, snapshot(t, work)); diff != "" {
			t.Errorf("%s: the checkout changed (-before +after):\n%s", name, diff)
		}
		if err := r.FetchObjects(t.Context(), s.remote(), "refs/heads/other"); err != nil {
			t.Errorf("%s: by name: %v", name, err)
		}
		for _, wanted := range []string{"main", "--upload-pack=x", "refs/heads/../x", "HEAD", strings.Repeat("0", 40)} {
			if err := r.FetchObjects(t.Context(), s.remote(), wanted); err == nil {
				t.Errorf("%s: fetched %s", name, wanted)
			}
		}
	}
}

// snapshot is all of a checkout that must not change: refs, HEAD, FETCH_HEAD, the bytes of the index and the work tree.
func snapshot(t *testing.T, work *gittest.Repo) map[string]string {
	t.Helper()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(work.Dir, work.Git("rev-parse", "--git-path", name)))
		if errors.Is(err, os.ErrNotExist) {
			return "none"
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	index := read("index")
	return map[string]string{
		"index": index, "FETCH_HEAD": read("FETCH_HEAD"), "HEAD": read("HEAD"), "config": read("config"),
		"refs": work.Git("for-each-ref"), "status": work.Git("--no-optional-locks", "status", "--porcelain", "--ignored"),
	}
}

// What actions/checkout and users leave in the configuration neither adds a second header nor leads elsewhere.
func TestRemote_configuration(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	work := source.ShallowClone(1)
	included := filepath.Join(t.TempDir(), "credentials.config")
	if err := os.WriteFile(included, []byte("[http \""+s.URL+"/\"]\n\textraheader = AUTHORIZATION: basic b2xkOm9sZA==\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, setting := range [][]string{
		{"http." + s.URL + "/.extraheader", "AUTHORIZATION: basic b2xkOm9sZA=="},
		{"http.extraheader", "Authorization: Bearer old"},
		{"includeIf.gitdir:" + work.Path(".git") + ".path", included},
		{"url.https://elsewhere.invalid/.insteadOf", s.URL + "/"},
		{"url.https://elsewhere.invalid/.pushInsteadOf", s.URL + "/o/"},
		{"credential.helper", "!touch " + work.Path("asked") + " #"},
		{"core.hooksPath", work.Path("hooks")},
		{"core.askPass", work.Path("hooks/ask")},
	} {
		work.Git("config", "--add", setting[0], setting[1])
	}
	work.Write("hooks/pre-push", "#!/bin/sh\nexit 1\n")
	work.Chmod("hooks/pre-push", 0o755)
	work.Write("hooks/ask", "#!/bin/sh\ntouch "+work.Path("asked")+"\n")
	work.Chmod("hooks/ask", 0o755)
	for _, shallow := range []bool{true, false} {
		r := open(t, work.Dir)
		r.Shallow = shallow // the other way to push, from the same checkout
		if refs, err := r.LsRemote(t.Context(), s.remote(), "refs/heads/main"); err != nil || len(refs) != 1 {
			t.Errorf("refs %v, %v", refs, err)
		}
		commit := commitOf(t, r, work.Head(), "m", Edit{Path: "x", Data: []byte{byte(len(s.seen()))}})
		branch := map[bool]string{true: "by-go-git", false: "by-git"}[shallow]
		if err := r.Push(t.Context(), s.remote(), commit, branch, ""); err != nil {
			t.Errorf("push %s: %v", branch, err)
		}
		if err := r.DeleteBranch(t.Context(), s.remote(), branch, commit.SHA); err != nil {
			t.Errorf("delete %s: %v", branch, err)
		}
	}
	s.accept("another")
	if _, err := open(t, work.Dir).LsRemote(t.Context(), s.remote(), "refs/heads/main"); !errors.Is(err, ErrAuthentication) {
		t.Errorf("with a bad token: %v", err)
	}
	for _, header := range s.seen() {
		if got := header.Values("Authorization"); len(got) > 1 {
			t.Errorf("a request with the headers %q", got)
		}
	}
	if _, err := os.Stat(work.Path("asked")); err == nil {
		t.Error("a credential helper or a program that asks was run")
	}
}

// The token is in no argument of git, in no error and in no file of the checkout.
func TestRemote_secret(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the wrapper is a shell script")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	full, shallow := source.Clone(), source.ShallowClone(1)
	bin := t.TempDir()
	record := filepath.Join(bin, "arguments")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'" + record + "'\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var texts []string
	for _, dir := range []string{full.Dir, shallow.Dir} {
		r := open(t, dir)
		commit := commitOf(t, r, source.Head(), "m", Edit{Path: "x", Data: []byte("x")})
		for _, serverToken := range []string{token, "another"} {
			s.accept(serverToken)
			remote := s.remote()
			_, lsErr := r.LsRemote(t.Context(), remote, "refs/heads/main")
			fetchErr := r.FetchObjects(t.Context(), remote, "refs/heads/main")
			pushErr := r.Push(t.Context(), remote, commit, "b", "")
			deleteErr := r.DeleteBranch(t.Context(), remote, "b", commit.SHA)
			for what, err := range map[string]error{"ls-remote": lsErr, "fetch": fetchErr, "push": pushErr, "delete": deleteErr} {
				if serverToken == token && err != nil {
					t.Errorf("%s: %v", what, err)
				}
				if serverToken != token && !errors.Is(err, ErrAuthentication) {
					t.Errorf("%s with a bad token: %v", what, err)
				}
				if err != nil {
					texts = append(texts, err.Error())
				}
			}
		}
	}
	arguments, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(arguments), "--force-with-lease=refs/heads/b:") {
		t.Errorf("the arguments were not recorded:\n%s", arguments)
	}
	texts = append(texts, string(arguments), full.Read(".git/config"), shallow.Read(".git/config"))
	encoded := (&login{"x-access-token", token}).basic()
	for _, text := range texts {
		if strings.Contains(text, token) || strings.Contains(text, encoded) {
			t.Errorf("holds the token: %s", text)
		}
	}
}

// A credential that was refused is asked for again, once.
func TestRemote_renewed(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	for _, work := range []*gittest.Repo{source.Clone(), source.ShallowClone(1)} {
		r := open(t, work.Dir)
		asked := 0
		remote := Remote{URL: s.remote().URL, Credential: func(context.Context) (string, string, error) {
			asked++
			if asked == 1 {
				return "x-access-token", "expired", nil
			}
			return "x-access-token", token, nil
		}}
		commit := commitOf(t, r, source.Head(), "m", Edit{Path: "x", Data: []byte("x")})
		if err := r.Push(t.Context(), remote, commit, "b"+work.Dir[len(work.Dir)-9:len(work.Dir)-6], ""); err != nil || asked != 2 {
			t.Errorf("%v after %d questions", err, asked)
		}
	}
	failing := Remote{URL: s.remote().URL, Credential: func(context.Context) (string, string, error) { return "", "", errors.New("no key") }}
	if _, err := open(t, source.Dir).LsRemote(t.Context(), failing, "refs/heads/main"); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("got %v", err)
	}
}

func TestRemote_canceled(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	for _, work := range []*gittest.Repo{source.Clone(), source.ShallowClone(1)} {
		r := open(t, work.Dir)
		commit := commitOf(t, r, source.Head(), "m", Edit{Path: "x", Data: []byte("x")})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Push(ctx, s.remote(), commit, "b", ""); !errors.Is(err, context.Canceled) {
			t.Errorf("push: %v", err)
		}
		if _, err := r.NewTree(ctx, source.Head(), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("tree: %v", err)
		}
	}
}
