package source

import (
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// What changes the fingerprint, and what does not.
func TestSnapshot_sensitivity(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(r *gittest.Repo)
		same   bool
	}{
		{"nothing", func(r *gittest.Repo) {}, true},
		{"times", func(r *gittest.Repo) {
			if err := os.Chtimes(r.Path("src/a.go"), time.Time{}, time.Unix(1e9, 0)); err != nil {
				r.Git("fail")
			}
		}, true},
		{"same content written again", func(r *gittest.Repo) { r.Write("src/a.go", "package a\n") }, true},
		{"replaced by the same content", func(r *gittest.Repo) { r.Remove("src/a.go"); r.Write("src/a.go", "package a\n") }, true},
		{"content of the same length", func(r *gittest.Repo) { r.Write("src/a.go", "package b\n") }, false},
		{"more content", func(r *gittest.Repo) { r.Append("src/a.go", "x") }, false},
		{"mode", func(r *gittest.Repo) { r.Chmod("src/a.go", 0o755) }, false},
		{"deleted", func(r *gittest.Repo) { r.Remove("src/a.go") }, false},
		{"link target", func(r *gittest.Repo) { r.Remove("link"); r.Symlink("README.md", "link") }, false},
		{"link to a file of the same content", func(r *gittest.Repo) { r.Remove("link"); r.Write("link", "package a\n") }, false},
		{"staged", func(r *gittest.Repo) { r.Write("new", "x"); r.Git("add", "new") }, false},
		{"no longer tracked", func(r *gittest.Repo) { r.Git("rm", "--quiet", "--cached", "src/a.go") }, false},
		{"a new commit", func(r *gittest.Repo) { r.Commit("empty") }, false},
		{"another branch at the same commit", func(r *gittest.Repo) { r.Git("checkout", "--quiet", "-b", "other") }, true},
		{"detached", func(r *gittest.Repo) { r.Git("checkout", "--quiet", "--detach") }, true},
		{"untracked", func(r *gittest.Repo) { r.Write("src/new.go", "x") }, true},
		{"untracked and ignored by git", func(r *gittest.Repo) { r.Write("x.o", "x") }, true},
		{"the wiki", func(r *gittest.Repo) { r.Append("openwiki/quickstart.md", "x"); r.Write("openwiki/.run.json", "{}") }, true},
		{"ignored", func(r *gittest.Repo) { r.Append("secret/k.go", "x"); r.Remove("key.PEM") }, true},
		{"rules", func(r *gittest.Repo) { r.Append(".openwikiignore", "x\n") }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.FromTxtar(t, demo)
			s := openRepo(t, r)
			before := snapshot(t, s)
			// Times can be trusted only if the files are older than the snapshot.
			before.started = before.started.Add(time.Minute)
			test.change(r)
			if got, err := s.Same(t.Context(), before); err != nil || got != test.same {
				t.Errorf("same: %v, %v; want %v", got, err, test.same)
			}
			if after := snapshot(t, openRepo(t, r)); (after.Fingerprint == before.Fingerprint) != test.same {
				t.Errorf("the fingerprint stays the same: %v, want %v", !test.same, test.same)
			}
		})
	}
}

func TestSame_newRules(t *testing.T) {
	r := gittest.FromTxtar(t, "-- a --\na\n-- .gitignore --\n.openwikiignore\n")
	s := openRepo(t, r)
	before := snapshot(t, s)
	r.Write(IgnoreFile, "a\n")
	if same, err := s.Same(t.Context(), before); err != nil || same {
		t.Errorf("same: %v, %v; want false, because rules came", same, err)
	}
	s = openRepo(t, r)
	before = snapshot(t, s)
	r.Remove(IgnoreFile)
	if same, err := s.Same(t.Context(), before); err == nil && same {
		t.Errorf("same: %v, %v; want false or an error, because rules went", same, err)
	}
}

// A file written so soon after the snapshot that its times are the same is found by its content.
func TestSame_young(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	before := snapshot(t, s)
	r.Write("src/a.go", "package b\n")
	files := s.reader()
	defer files.close()
	for i, file := range before.files {
		now, err := files.lstat(file.path)
		if err != nil {
			t.Fatal(err)
		}
		before.stamps[i] = now // as if the clock had not ticked
	}
	if same, err := s.Same(t.Context(), before); err != nil || same {
		t.Errorf("same: %v, %v; want false", same, err)
	}
}

// Files that were read once more are not read again for what was found then.
func TestSame_remembers(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	before := snapshot(t, s)
	before.started = before.started.Add(-time.Hour) // every file is young
	if same, err := s.Same(t.Context(), before); err != nil || !same {
		t.Fatalf("same: %v, %v; want true", same, err)
	}
	before.started = before.started.Add(time.Hour) // no file is
	if untouched, err := s.untouched(before); err != nil || !untouched {
		t.Errorf("untouched: %v, %v; want true", untouched, err)
	}
	r.Append("src/a.go", "x")
	if same, err := s.Same(t.Context(), before); err != nil || same {
		t.Errorf("same after a change: %v, %v; want false", same, err)
	}
}

func TestStamp_young(t *testing.T) {
	at := time.Unix(1000, 500)
	for _, test := range []struct {
		name string
		s    stamp
		want bool
	}{
		{"long before", stamp{mtime: at.Add(-time.Second).UnixNano()}, false},
		{"just before", stamp{mtime: at.Add(-time.Millisecond).UnixNano()}, true},
		{"after", stamp{mtime: at.Add(time.Hour).UnixNano()}, true},
		{"whole seconds", stamp{mtime: at.Truncate(time.Second).Add(-time.Second).UnixNano()}, true},
		{"whole seconds, long before", stamp{mtime: at.Truncate(time.Second).Add(-3 * time.Second).UnixNano()}, false},
		{"old content, new name", stamp{mtime: 1, ctime: at.UnixNano()}, true},
		{"a link", stamp{mtime: at.UnixNano(), mode: fs.ModeSymlink}, false},
		{"missing", stamp{}, false},
	} {
		if got := test.s.young(at); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
