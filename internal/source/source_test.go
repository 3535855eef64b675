package source

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

const demo = `
-- .gitignore --
*.o
-- .openwikiignore --
secret/
*.pem
-- README.md --
# demo
-- Zebra --
z
-- bin/run (executable) --
#!/bin/sh
-- key.PEM --
k
-- link (symlink) --
src/a.go
-- openwiki/quickstart.md --
# wiki
-- openwiki2/x --
no wiki
-- secret/k.go --
s
-- src/a.go --
package a
`

func TestFiles(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	inner := gittest.FromTxtar(t, "-- x --\n")
	r.Git("submodule", "--quiet", "add", inner.Dir, "sub")
	r.Git("submodule", "--quiet", "add", inner.Dir, "secret2/sub")
	r.Write("gone", "g\n")
	r.Append(".openwikiignore", "/secret2/sub/\n")
	r.Commit("more")
	r.Remove("gone")
	r.Write("untracked.go", "u\n")
	r.Write("x.o", "o\n")
	s := openRepo(t, r)
	files, err := s.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range files {
		line := file.Path + " " + string(file.Kind)
		if file.Executable {
			line += " executable"
		}
		if len(file.OID) != 40 {
			t.Errorf("%s has the object name %q", file.Path, file.OID)
		}
		got = append(got, line)
	}
	want := []string{
		".gitignore file", ".gitmodules file", ".openwikiignore file", "README.md file", "Zebra file", "bin/run file executable",
		"gone missing", "link symlink", "openwiki2/x file", "src/a.go file", "sub gitlink",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for path, want := range map[string]bool{
		"src/a.go": true, "gone": true, "link": true, "sub": true, "untracked.go": false, "secret/k.go": false, "openwiki/quickstart.md": false, "src": false, "": false,
	} {
		if got := s.Tracked(path); got != want {
			t.Errorf("tracked(%q) = %v, want %v", path, got, want)
		}
	}
}

// Files of a conflict are listed once, and what a sparse checkout leaves out is missing without being a change.
func TestFiles_shapes(t *testing.T) {
	t.Run("conflict", func(t *testing.T) {
		r := gittest.FromTxtar(t, "-- a --\n1\n-- b --\n1\n")
		r.Git("checkout", "--quiet", "-b", "other")
		r.Write("a", "2\n")
		r.Commit("theirs")
		r.Git("checkout", "--quiet", "main")
		r.Write("a", "3\n")
		r.Commit("ours")
		if _, err := r.TryGit("", "merge", "other"); err == nil {
			t.Fatal("the merge does not conflict")
		}
		s := openRepo(t, r)
		files, err := s.Files(t.Context())
		if err != nil || len(files) != 2 || files[0].Path != "a" || files[1].Path != "b" {
			t.Errorf("got %+v, %v; want a and b", files, err)
		}
		if _, err := s.Snapshot(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("sparse checkout", func(t *testing.T) {
		r := gittest.FromTxtar(t, "-- in/a --\n-- out/b --\n")
		base := r.Head()
		r.Git("sparse-checkout", "set", "--cone", "in")
		s := openRepo(t, r)
		files, err := s.Files(t.Context())
		if err != nil || len(files) != 2 || files[0].Kind != Regular || files[1].Kind != Missing {
			t.Errorf("got %+v, %v; want in/a and out/b, which is missing", files, err)
		}
		changed, err := s.ChangedSince(t.Context(), base)
		if err != nil || len(changed) != 0 {
			t.Errorf("changed %q, %v; want nothing", changed, err)
		}
	})
	t.Run("names that are not UTF-8", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("names that other systems refuse")
		}
		r := gittest.New(t)
		r.Write("a", "a\n")
		r.Write("d\xff/b", "b\n")
		base := r.Commit("first")
		r.Write("d\xff/b", "c\n")
		s := openRepo(t, r)
		files, err := s.Files(t.Context())
		if err != nil || len(files) != 1 || files[0].Path != "a" {
			t.Errorf("got %+v, %v; want a alone", files, err)
		}
		snapshot, err := s.Snapshot(t.Context())
		if err != nil || snapshot.Files != 1 || snapshot.Unnamed != 1 {
			t.Errorf("snapshot %+v, %v; want one file and one without a name", snapshot, err)
		}
		if changed, err := s.ChangedSince(t.Context(), base); err != nil || len(changed) != 0 {
			t.Errorf("changed %q, %v; want nothing", changed, err)
		}
	})
	t.Run("no commit", func(t *testing.T) {
		r := gittest.New(t)
		if files, err := openRepo(t, r).Files(t.Context()); err != nil || len(files) != 0 {
			t.Errorf("got %+v, %v; want nothing", files, err)
		}
	})
}

func TestSelected(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	for path, want := range map[string]bool{
		"src/a.go": true, "src": true, ".openwikiignore": true, "./.openwikiignore": true, ".gitignore": true, ".github/workflows/x.yml": true,
		"openwiki": false, "openwiki/a": false, "/openwiki/a": false, "openwiki2/a": true, "x/openwiki/a": true, "src/../openwiki/a": false,
		".git": false, ".git/config": false, "sub/.git": false, "sub/.GIT/x": false, ".gitx": true, "x.git/a": true,
		"secret/k.go": false, "SECRET/k.go": false, "a/Secret/b/c": false, "src/../secret/k.go": false, "//secret//k.go": false, "secret/./k.go": false,
		"../secret/k.go": false, "key.PEM": false, "key.pem": false, "\xff": false, "a/\xff/../../secret/x": false,
	} {
		if got := s.Selected(path, false); got != want {
			t.Errorf("selected(%q) = %v, want %v", path, got, want)
		}
	}
	if s.Selected("secret", true) || !s.Selected("secret", false) {
		t.Error("secret/ must hide the directory and not a file of that name")
	}
	if !s.Ignored("secret/\xff", false) || s.Ignored("openwiki/a", false) || s.Ignored(".openwikiignore", false) {
		t.Error("only the rules decide what is ignored")
	}
}

func TestOpen_rules(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(r *gittest.Repo)
		ignored bool
		wantErr bool
	}{
		{"none", func(r *gittest.Repo) {}, false, false},
		{"a file", func(r *gittest.Repo) { r.Write(IgnoreFile, "x") }, true, false},
		{"itself", func(r *gittest.Repo) { r.Write(IgnoreFile, "x\n.openwikiignore\n*\n") }, true, false},
		{"a link inside", func(r *gittest.Repo) { r.Write("etc/rules", "x"); r.Symlink("etc/rules", IgnoreFile) }, true, false},
		{"a link outside", func(r *gittest.Repo) { r.Symlink(filepath.Join(filepath.Dir(r.Dir), "other"), IgnoreFile) }, false, true},
		{"a link to nothing", func(r *gittest.Repo) { r.Symlink("nothing", IgnoreFile) }, false, true},
		{"a directory", func(r *gittest.Repo) { r.Write(IgnoreFile+"/x", "x") }, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gittest.New(t)
			test.prepare(r)
			repo, err := gitrepo.Open(t.Context(), r.Dir)
			if err != nil {
				t.Fatal(err)
			}
			dir, err := atomicfile.Open(r.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Close()
			s, err := Open(t.Context(), repo, dir, "openwiki")
			if (err != nil) != test.wantErr {
				t.Fatalf("got the error %v, want one: %v", err, test.wantErr)
			}
			if err == nil && (s.Ignored("x", false) != test.ignored || s.Ignored(IgnoreFile, false)) {
				t.Errorf("x is ignored: %v, want %v; the file itself: %v, want false", s.Ignored("x", false), test.ignored, s.Ignored(IgnoreFile, false))
			}
		})
	}
}

func TestClean(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	head, dirty, err := s.Clean(t.Context())
	if err != nil || head.Commit != r.Head() || len(dirty) != 0 {
		t.Errorf("got %+v, %q, %v; want a clean %s", head, dirty, err, r.Head())
	}
	r.Write("untracked", "x")
	r.Append("openwiki/quickstart.md", "x")
	r.Append("secret/k.go", "x")
	r.Append("src/a.go", "x")
	r.Rename("Zebra", "Yak")
	r.Git("add", "Yak", "Zebra")
	r.Remove("README.md")
	_, dirty, err = s.Clean(t.Context())
	if diff := cmp.Diff([]string{"README.md", "Yak", "Zebra", "src/a.go"}, dirty); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestChangedSince(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	first := r.Head()
	r.Append("openwiki/quickstart.md", "x\n")
	wiki := r.Commit("wiki only")
	r.Append("secret/k.go", "x\n")
	r.Append("src/a.go", "x\n")
	r.Rename("Zebra", "Yak")
	source := r.Commit("source")
	r.Append("README.md", "x\n")
	r.Write("untracked", "x")
	s := openRepo(t, r)
	for _, test := range []struct {
		base string
		want []string
	}{
		{first, []string{"README.md", "Yak", "Zebra", "src/a.go"}},
		{wiki, []string{"README.md", "Yak", "Zebra", "src/a.go"}},
		{source, []string{"README.md"}},
		{"", []string{"README.md"}},
	} {
		got, err := s.ChangedSince(t.Context(), test.base)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("since %q: %v (-want +got):\n%s", test.base, err, diff)
		}
	}
	r.Write("README.md", "# demo\n")
	if got, err := s.ChangedSince(t.Context(), source); err != nil || len(got) != 0 {
		t.Errorf("nothing changed: got %q, %v", got, err)
	}
	for _, base := range []string{strings.Repeat("0", 40), "not a commit", "--output=x"} {
		if got, err := s.ChangedSince(t.Context(), base); !errors.Is(err, gitrepo.ErrUnknownCommit) || got != nil {
			t.Errorf("since %q: got %q, %v; want %v", base, got, err, gitrepo.ErrUnknownCommit)
		}
	}
}

func TestChangedSince_unborn(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "a")
	r.Git("add", "a")
	s := openRepo(t, r)
	if got, err := s.ChangedSince(t.Context(), ""); err != nil || !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q, %v; want a", got, err)
	}
	if got, err := s.ChangedSince(t.Context(), strings.Repeat("0", 40)); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("got %q, %v; want %v", got, err, gitrepo.ErrUnknownCommit)
	}
}

func TestChangedSince_shallow(t *testing.T) {
	origin := gittest.FromTxtar(t, demo)
	base := origin.Head()
	origin.Append("README.md", "2\n")
	origin.Commit("second")
	origin.Append("src/a.go", "3\n")
	origin.Commit("third")

	s := openRepo(t, origin.ShallowClone(1))
	got, err := s.ChangedSince(t.Context(), base)
	if diff := cmp.Diff([]string{"README.md", "src/a.go"}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := s.ChangedSince(t.Context(), strings.Repeat("1", 40)); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("a commit that is nowhere: got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
	cut := openRepo(t, func() *gittest.Repo {
		clone := origin.ShallowClone(1)
		clone.Git("remote", "remove", "origin")
		return clone
	}())
	if got, err := cut.ChangedSince(t.Context(), base); !errors.Is(err, gitrepo.ErrUnknownCommit) || got != nil {
		t.Errorf("without a remote: got %q, %v; want %v", got, err, gitrepo.ErrUnknownCommit)
	}
}

// A git that fails is never an answer.
func TestSource_gitFails(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	base := r.Head()
	s := openRepo(t, r)
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.Write(".git/index", "broken")
	s = openRepo(t, r)
	_, filesErr := s.Files(t.Context())
	_, snapshotErr := s.Snapshot(t.Context())
	same, sameErr := s.Same(t.Context(), snapshot)
	_, _, cleanErr := s.Clean(t.Context())
	changed, changedErr := s.ChangedSince(t.Context(), base)
	for name, err := range map[string]error{"files": filesErr, "snapshot": snapshotErr, "same": sameErr, "clean": cleanErr, "changed": changedErr} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if same || changed != nil || s.Tracked("src/a.go") {
		t.Error("a failure was taken for an answer")
	}
}

func TestRead(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	if got, err := s.Read("src/a.go"); err != nil || string(got) != "package a\n" {
		t.Errorf("got %q, %v", got, err)
	}
	for path, want := range map[string]error{
		"secret/k.go": ErrIgnored, "Secret/k.go": ErrIgnored, "openwiki/quickstart.md": ErrIgnored, ".git/config": ErrIgnored,
		"missing": fs.ErrNotExist, "src/../secret/k.go": ErrIgnored, "src/../README.md": fs.ErrInvalid, "../x": fs.ErrInvalid, "/README.md": fs.ErrInvalid,
	} {
		if got, err := s.Read(path); !errors.Is(err, want) || got != nil {
			t.Errorf("%s: got %q, %v; want %v", path, got, err, want)
		}
	}
	var link *atomicfile.SymlinkError
	if _, err := s.Read("link"); !errors.As(err, &link) {
		t.Errorf("link: got %v, want a SymlinkError", err)
	}
}

func TestResolve(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	for name, target := range map[string]string{
		"to/dir": "../src", "to/link": "../link", "to/up": "../../outside", "to/abs": r.Path("src/a.go"), "to/self": "self", "to/a": "b", "to/b": "a",
		"to/loop": "..", "to/secret": "../secret/k.go", "to/nothing": "nowhere", "to/wiki": "../openwiki", "to/etc": "/etc/passwd", "secret/out": "../README.md",
	} {
		r.Symlink(target, name)
	}
	s := openRepo(t, r)
	for name, want := range map[string]string{
		"src/a.go": "src/a.go", "link": "src/a.go", "to/dir/a.go": "src/a.go", "to/link": "src/a.go", "to/loop/to/loop/README.md": "README.md",
	} {
		if got, err := s.Resolve(name); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %s", name, got, err, want)
		}
	}
	for name, want := range map[string]error{
		"to/self": ErrLinkLoop, "to/a": ErrLinkLoop, "to/secret": ErrIgnored, "to/loop/secret/k.go": ErrIgnored, "secret/k.go": ErrIgnored, "secret/out": ErrIgnored,
		"to/nothing": fs.ErrNotExist, "missing": fs.ErrNotExist, "to/wiki/quickstart.md": ErrIgnored, "": fs.ErrInvalid, "../x": fs.ErrInvalid,
	} {
		if got, err := s.Resolve(name); !errors.Is(err, want) || got != "" {
			t.Errorf("%s: got %q, %v; want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"to/up", "to/up/x", "to/abs", "to/etc"} {
		var outside *OutsideError
		if got, err := s.Resolve(name); !errors.As(err, &outside) || got != "" || outside.Path != name || !strings.HasPrefix(outside.Link, "to/") {
			t.Errorf("%s: got %q, %v; want an OutsideError", name, got, err)
		}
	}
	for _, name := range []string{"src", "to/dir", "to/loop", "."} {
		if got, err := s.Resolve(name); err == nil || got != "" {
			t.Errorf("%s: got %q, %v; want an error", name, got, err)
		}
	}
}

func TestCompareCodeUnits(t *testing.T) {
	names := []string{"", "A", "Zeta", "a", "a-b", "a/b", "a10", "a_b", "ab", "é", "語", "\U0001F600", "\U0001F600a", "\U0010FFFF", "\uE000", "\uFFFD", "\uFFFDa"}
	for i, a := range names {
		for j, b := range names {
			if got := CompareCodeUnits(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("compare(%q, %q) = %d", a, b, got)
			}
		}
	}
	runes := []rune("aZ/é語\uD7FF\uE000\uFFFD\U00010000\U0001F600\U0010FFFF")
	random := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		var b strings.Builder
		for range random.IntN(4) {
			b.WriteRune(runes[random.IntN(len(runes))])
		}
		return b.String()
	}
	for range 5000 {
		a, b := text(), text()
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := CompareCodeUnits(a, b); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Fatalf("compare(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}

// A tracked directory that became a link is gone, as for git, and is not followed.
func TestFiles_behindLink(t *testing.T) {
	r := gittest.FromTxtar(t, "-- d/a --\na\n-- e/a --\nsecret\n")
	r.Remove("d")
	r.Symlink("e", "d")
	s := openRepo(t, r)
	files, err := s.Files(t.Context())
	if err != nil || len(files) != 2 || files[0].Path != "d/a" || files[0].Kind != Missing {
		t.Errorf("got %+v, %v; want d/a to be missing", files, err)
	}
	_, dirty, err := s.Clean(t.Context())
	if diff := cmp.Diff([]string{"d/a"}, dirty); err != nil || diff != "" {
		t.Errorf("git: %v (-want +got):\n%s", err, diff)
	}
	r.Remove("d")
	if err := os.Symlink(filepath.Dir(r.Dir), r.Path("d")); err != nil {
		t.Fatal(err)
	}
	if _, err := openRepo(t, r).Snapshot(t.Context()); err != nil {
		t.Errorf("a link that leads outside: %v", err)
	}
}
