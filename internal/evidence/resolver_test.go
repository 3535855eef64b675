package evidence_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/source"
)

// demo is the small repository of most tests.
const demo = `-- README.md --
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

const addFunc = "repo://src/a.go#L4-L6"

// resolver opens the repository as it is now.
func resolver(t *testing.T, repo *gittest.Repo) *evidence.Resolver {
	t.Helper()
	git, err := gitrepo.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := atomicfile.Open(repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	src, err := source.Open(t.Context(), git, dir, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	return evidence.NewResolver(src)
}

func parse(t *testing.T, s string) evidence.Resource {
	t.Helper()
	res, err := evidence.Parse(s, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func resolve(t *testing.T, r *evidence.Resolver, resource, previous string) evidence.Resolution {
	t.Helper()
	answer, err := r.Resolve(t.Context(), parse(t, resource), previous)
	if err != nil {
		t.Fatalf("resolve %s: %v", resource, err)
	}
	return answer
}

// recorded returns the version of a place as the repository is now.
func recorded(t *testing.T, repo *gittest.Repo, resource string) string {
	t.Helper()
	answer := resolve(t, resolver(t, repo), resource, "")
	if answer.State != evidence.Current || answer.Version == "" {
		t.Fatalf("%s cannot be cited: %+v", resource, answer)
	}
	return answer.Version
}

func TestResolve_Fresh(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	r := resolver(t, repo)
	lines, _ := evidence.LineVersion([]byte(repo.Read("src/a.go")), 4, 6)
	tests := []struct {
		resource string
		want     evidence.Resolution
	}{
		{addFunc, evidence.Resolution{
			Resource: evidence.Resource{Path: "src/a.go", Start: 4, End: 6}, Version: lines, State: evidence.Current,
		}},
		{"repo://src/b.go", evidence.Resolution{
			Resource: evidence.Resource{Path: "src/b.go"}, State: evidence.Current,
			Version: evidence.FileVersion([]byte("package a\n\nconst Limit = 10\n")),
		}},
		{"repo://src/a.go#L6-L7", evidence.Resolution{
			Resource: evidence.Resource{Path: "src/a.go", Start: 6, End: 7}, State: evidence.Missing,
			Reason: "the file has 6 lines",
		}},
		{"repo://a.go", evidence.Resolution{
			Resource: evidence.Resource{Path: "a.go"}, State: evidence.Missing,
			Reason: "the file does not exist", Hint: "a file of that name is src/a.go",
		}},
		{"repo://nothing.txt", evidence.Resolution{
			Resource: evidence.Resource{Path: "nothing.txt"}, State: evidence.Missing,
			Reason: "the file does not exist",
		}},
		{"repo://README.md/x", evidence.Resolution{
			Resource: evidence.Resource{Path: "README.md/x"}, State: evidence.Missing,
			Reason: "the file does not exist",
		}},
		{"repo://src", evidence.Resolution{
			Resource: evidence.Resource{Path: "src"}, State: evidence.Missing,
			Reason: "it is a directory", Hint: "cite a file",
		}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, resolve(t, r, test.resource, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.resource, diff)
		}
	}
}

// Each edit of the repository is made after the evidence was recorded.
func TestResolve_AfterEdit(t *testing.T) {
	const whole = "repo://src/b.go"
	tests := []struct {
		name     string
		resource string
		edit     func(*gittest.Repo)
		state    evidence.State
		place    string
		reason   string
		hint     string
	}{
		{"nothing", addFunc, func(*gittest.Repo) {}, evidence.Current, addFunc, "", ""},
		{"nothing, whole file", whole, func(*gittest.Repo) {}, evidence.Current, whole, "", ""},
		{"ten lines above", addFunc, func(r *gittest.Repo) {
			r.Write("src/a.go", strings.Repeat("// x\n", 10)+r.Read("src/a.go"))
		}, evidence.Moved, "repo://src/a.go#L14-L16", "", ""},
		{"ten lines above and one inside", addFunc, func(r *gittest.Repo) {
			text := strings.Replace(r.Read("src/a.go"), "\treturn", "\tx++\n\treturn", 1)
			r.Write("src/a.go", strings.Repeat("// x\n", 10)+text)
		}, evidence.Changed, "repo://src/a.go#L14-L17", "", ""},
		{"edit outside", addFunc, func(r *gittest.Repo) {
			r.Write("src/a.go", strings.Replace(r.Read("src/a.go"), "sums", "adds", 1))
		}, evidence.Current, addFunc, "", ""},
		{"edit of the whole file", whole, func(r *gittest.Repo) { r.Append("src/b.go", "// x\n") }, evidence.Changed, whole, "", ""},
		{"lines gone", addFunc, func(r *gittest.Repo) { r.Write("src/a.go", "package a\n") },
			evidence.Missing, addFunc, "the cited lines are gone, or can no longer be told apart from other lines", ""},
		{"lines in another file", addFunc, func(r *gittest.Repo) {
			r.Write("src/c.go", r.Read("src/a.go"))
			r.Write("src/a.go", "package a\n")
			r.Commit("split")
		}, evidence.Missing, addFunc, "the cited lines are gone, or can no longer be told apart from other lines",
			"the same lines are in src/c.go#L4-L6"},
		{"CRLF", addFunc, func(r *gittest.Repo) {
			r.Write("src/a.go", strings.ReplaceAll(r.Read("src/a.go"), "\n", "\r\n"))
		}, evidence.Current, addFunc, "", ""},
		{"CRLF, whole file", whole, func(r *gittest.Repo) {
			r.Write("src/b.go", strings.ReplaceAll(r.Read("src/b.go"), "\n", "\r\n"))
		}, evidence.Current, whole, "", ""},
		{"file deleted", addFunc, func(r *gittest.Repo) { r.Remove("src/a.go") },
			evidence.Missing, addFunc, "the file does not exist", ""},
		{"file moved", addFunc, func(r *gittest.Repo) {
			r.Rename("src/a.go", "src/core/a.go")
			r.Commit("move")
		}, evidence.Moved, "repo://src/core/a.go#L4-L6", "", ""},
		{"whole file moved and renamed", whole, func(r *gittest.Repo) {
			r.Rename("src/b.go", "lib/limits.go")
			r.Commit("move")
		}, evidence.Moved, "repo://lib/limits.go", "", ""},
		{"moved, not yet tracked", addFunc, func(r *gittest.Repo) { r.Rename("src/a.go", "src/core/a.go") },
			evidence.Missing, addFunc, "the file does not exist", ""},
		{"two copies", whole, func(r *gittest.Repo) {
			r.Write("x/c.go", r.Read("src/b.go"))
			r.Write("x/d.go", r.Read("src/b.go"))
			r.Remove("src/b.go")
			r.Commit("copy")
		}, evidence.Missing, whole, "the file does not exist", "the same content is in x/c.go, x/d.go"},
		{"two copies, one of that name", whole, func(r *gittest.Repo) {
			r.Write("x/b.go", r.Read("src/b.go"))
			r.Write("x/d.go", r.Read("src/b.go"))
			r.Remove("src/b.go")
			r.Commit("copy")
		}, evidence.Moved, "repo://x/b.go", "", ""},
		{"ignored", addFunc, func(r *gittest.Repo) { r.Write(".openwikiignore", "src/a.go\n") },
			evidence.Missing, addFunc, "the file is excluded by .openwikiignore", ""},
		{"untracked", addFunc, func(r *gittest.Repo) { r.Git("rm", "--cached", "--quiet", "src/a.go") },
			evidence.Missing, addFunc, "the file is not tracked by git", "add it to git, or cite a tracked file"},
		{"directory now", addFunc, func(r *gittest.Repo) {
			r.Remove("src/a.go")
			r.Write("src/a.go/x", "x")
		}, evidence.Missing, addFunc, "it is a directory", "cite a file"},
		{"symbolic link inside", addFunc, func(r *gittest.Repo) {
			r.Rename("src/a.go", "src/real.go")
			r.Symlink("real.go", "src/a.go")
			r.Commit("link")
		}, evidence.Moved, "repo://src/real.go#L4-L6", "", ""},
		{"directory linked", addFunc, func(r *gittest.Repo) {
			r.Rename("src", "lib")
			r.Symlink("lib", "src")
			r.Commit("link")
		}, evidence.Moved, "repo://lib/a.go#L4-L6", "", ""},
		{"symbolic link to an ignored file", addFunc, func(r *gittest.Repo) {
			r.Write(".openwikiignore", "secret\n")
			r.Write("secret", r.Read("src/a.go"))
			r.Remove("src/a.go")
			r.Symlink("../secret", "src/a.go")
			r.Commit("link")
		}, evidence.Missing, addFunc, "it leads to a file that is not source", ""},
		{"symbolic link outside", addFunc, func(r *gittest.Repo) {
			r.Remove("src/a.go")
			r.Symlink("../../outside.go", "src/a.go")
			r.Commit("link")
		}, evidence.Missing, addFunc, "the symbolic link src/a.go leads outside of the repository, to ../../outside.go", ""},
		{"symbolic link loop", addFunc, func(r *gittest.Repo) {
			r.Remove("src/a.go")
			r.Symlink("a.go", "src/a.go")
		}, evidence.Missing, addFunc, "too many symbolic links", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			repo := gittest.FromTxtar(t, demo)
			version := recorded(t, repo, test.resource)
			test.edit(repo)
			got := resolve(t, resolver(t, repo), test.resource, version)
			if got.State != test.state || got.Resource != parse(t, test.place) || got.Reason != test.reason || got.Hint != test.hint {
				t.Errorf("got %s at %s, %q, %q\nwant %s at %s, %q, %q",
					got.State, got.Resource, got.Reason, got.Hint, test.state, test.place, test.reason, test.hint)
			}
			same := got.Version == version
			if want := got.State == evidence.Current || got.State == evidence.Moved; same != want {
				t.Errorf("%s, but the version is the same: %v", got.State, same)
			}
			if got.State == evidence.Missing && got.Version != "" {
				t.Errorf("missing evidence has version %s", got.Version)
			}
		})
	}
}

// A confirmed change counts the lines it cites: 4 of them, not 3.
func TestResolve_ChangedLengthAgreesWithReference(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	version := recorded(t, repo, addFunc)
	text := strings.Replace(repo.Read("src/a.go"), "\treturn", "\tx++\n\treturn", 1)
	repo.Write("src/a.go", strings.Repeat("// x\n", 10)+text)
	got := resolve(t, resolver(t, repo), addFunc, version)
	want, _ := evidence.LineVersion([]byte(repo.Read("src/a.go")), 14, 17)
	if got.Version != want || got.Resource.Lines() != 4 {
		t.Errorf("got %s with %d lines, want %s with 4", got.Version, got.Resource.Lines(), want)
	}
}

// Evidence recorded in a checkout with CRLF holds in one with LF, and the other
// way round, for ranges and whole files.
func TestResolve_LineEndsOfCheckout(t *testing.T) {
	for _, resource := range []string{addFunc, "repo://src/a.go"} {
		repo := gittest.FromTxtar(t, demo)
		lf := repo.Read("src/a.go")
		crlf := strings.ReplaceAll(lf, "\n", "\r\n")
		fromLF := recorded(t, repo, resource)
		repo.Write("src/a.go", crlf)
		fromCRLF := recorded(t, repo, resource)
		if fromLF == fromCRLF {
			t.Fatal("versions do not depend on line ends; the test shows nothing")
		}
		for _, now := range []string{lf, crlf} {
			repo.Write("src/a.go", now)
			for _, version := range []string{fromLF, fromCRLF} {
				got := resolve(t, resolver(t, repo), resource, version)
				if got.State != evidence.Current || got.Version != version {
					t.Errorf("%s, text %q: got %s %s, want current %s", resource, now[:12], got.State, got.Version, version)
				}
			}
		}
	}
}

func TestResolve_Renames(t *testing.T) {
	const two = "repo://src/a.go#L5-L5"
	repo := gittest.FromTxtar(t, demo)
	version := recorded(t, repo, two)
	repo.Write("src/sum.go", "package a\n\nfunc Sum(x, y int) int {\n\treturn x + y\n}\n")
	repo.Remove("src/a.go")
	repo.Commit("rename")

	r := resolver(t, repo)
	// One line without its surroundings proves nothing by itself.
	if got := resolve(t, r, two, version); got.State != evidence.Missing {
		t.Errorf("without renames: %+v", got)
	}
	r.Renames(map[string]string{"src/a.go": "src/sum.go"})
	got := resolve(t, r, two, version)
	if got.State != evidence.Moved || got.Resource.String() != "repo://src/sum.go#L4-L4" || got.Version != version {
		t.Errorf("with renames: %+v", got)
	}
	// A rename alone is no proof either.
	got = resolve(t, r, addFunc, recordedIn(t, demo, addFunc))
	want := "it may be src/sum.go now, where the cited content differs"
	if got.State != evidence.Missing || got.Hint != want {
		t.Errorf("renamed with other content: %+v, want hint %q", got, want)
	}
}

func recordedIn(t *testing.T, archive, resource string) string {
	t.Helper()
	return recorded(t, gittest.FromTxtar(t, archive), resource)
}

// Empty files have the same content everywhere; that says nothing.
func TestResolve_EmptyFileIsNotFollowed(t *testing.T) {
	repo := gittest.FromTxtar(t, "-- a/__init__.py --\n-- b/other.py --\n")
	version := recorded(t, repo, "repo://a/__init__.py")
	repo.Remove("a/__init__.py")
	repo.Commit("remove")
	if got := resolve(t, resolver(t, repo), "repo://a/__init__.py", version); got.State != evidence.Missing {
		t.Errorf("got %+v", got)
	}
}

func TestResolve_UnknownVersion(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	r := resolver(t, repo)
	for _, previous := range []string{
		"repo-lines-v2:abc",
		"repo-lines-v1:sha256:00:e30",
		recorded(t, repo, "repo://src/a.go"),
	} {
		got := resolve(t, r, addFunc, previous)
		if got.State != evidence.Changed || got.Resource != parse(t, addFunc) || got.Version != recorded(t, repo, addFunc) {
			t.Errorf("previous %s: %+v", previous, got)
		}
		if got := resolve(t, r, "repo://src/a.go#L9-L9", previous); got.State != evidence.Missing {
			t.Errorf("previous %s, out of range: %+v", previous, got)
		}
	}
}

// Secrets are hidden from authors, never from hashes.
func TestResolve_HashesRawBytes(t *testing.T) {
	const text = "a: 1\ntoken = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\nb: 2\n"
	repo := gittest.FromTxtar(t, "-- config.ini --\n"+text)
	want, _ := evidence.LineVersion([]byte(text), 2, 2)
	if got := recorded(t, repo, "repo://config.ini#L2"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	repo.Write("config.ini", strings.Replace(text, "b: 2", "b: 3", 1))
	if got := resolve(t, resolver(t, repo), "repo://config.ini#L2", want); got.State != evidence.Current {
		t.Errorf("after an unrelated edit: %+v", got)
	}
}

func TestResolve_BinaryFile(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	repo.Write("logo.png", "\x89PNG\r\n\x1a\n\x00\xff\xfe")
	repo.Commit("logo")
	version := recorded(t, repo, "repo://logo.png")
	if got := resolve(t, resolver(t, repo), "repo://logo.png", version); got.State != evidence.Current {
		t.Errorf("got %+v", got)
	}
	if want := evidence.FileVersion([]byte("\ufffdPNG\r\n\x1a\n\x00\ufffd\ufffd")); version != want {
		t.Errorf("got %s, want %s", version, want)
	}
}

func TestResolveAll_OrderAndConcurrency(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	r := resolver(t, repo)
	var queries []evidence.Query
	for range 50 {
		for _, resource := range []string{addFunc, "repo://src/b.go", "repo://gone", "repo://src/a.go", "repo://README.md#L1"} {
			queries = append(queries, evidence.Query{Resource: parse(t, resource)})
		}
	}
	one, err := r.ResolveAll(t.Context(), queries, 1)
	if err != nil {
		t.Fatal(err)
	}
	many, err := r.ResolveAll(t.Context(), queries, 8)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, many); diff != "" {
		t.Errorf("concurrency changes answers (-1 +8):\n%s", diff)
	}
	for i, q := range queries {
		if one[i].Resource != q.Resource {
			t.Fatalf("answer %d is about %s, want %s", i, one[i].Resource, q.Resource)
		}
	}
}

func TestResolve_Error(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	r := resolver(t, repo)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Resolve(ctx, parse(t, addFunc), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	repo.Remove("src/a.go")
	repo.Pipe("src/a.go")
	if _, err := r.Resolve(t.Context(), parse(t, addFunc), ""); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: got %v, want that it cannot be read", err)
	}
}

// An answer tells nothing about a file that git does not track: not its lines, not whether they are what somebody guesses.
func TestResolve_UntrackedSecret(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	repo.Write(".env", "TOKEN=swordfish\n")
	guess, _ := evidence.LineVersion([]byte("TOKEN=swordfish\n"), 1, 1)
	for _, test := range []struct{ resource, version string }{
		{"repo://.env", ""}, {"repo://.env#L1", ""}, {"repo://.env#L7", ""}, {"repo://.env#L1", guess}, {"repo://.env#L2-L2", guess},
		{"repo://.env", evidence.FileVersion([]byte("TOKEN=swordfish\n"))},
	} {
		want := evidence.Resolution{
			Resource: parse(t, test.resource), State: evidence.Missing,
			Reason: "the file is not tracked by git", Hint: "add it to git, or cite a tracked file",
		}
		if diff := cmp.Diff(want, resolve(t, resolver(t, repo), test.resource, test.version)); diff != "" {
			t.Errorf("%s at %q (-want +got):\n%s", test.resource, test.version, diff)
		}
	}
}
