package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

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

// Once the files are listed, what git does not track is out of reach.
func TestRead_untracked(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	r.Write("notes.txt", "TOKEN=swordfish\n")
	if _, err := s.Files(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Read("notes.txt"); !errors.Is(err, ErrUntracked) || got != nil {
		t.Errorf("got %q, %v; want %v", got, err, ErrUntracked)
	}
	if _, err := s.Read("src/a.go"); err != nil {
		t.Error(err)
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
