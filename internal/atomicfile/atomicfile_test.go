package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

func open(t *testing.T) *atomicfile.Dir {
	t.Helper()
	d, err := atomicfile.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// files lists everything below the directory: "a/", "a/b=content", "l->target".
func files(t *testing.T, d *atomicfile.Dir) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(d.Path(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == d.Path() {
			return err
		}
		name, err := filepath.Rel(d.Path(), path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case entry.IsDir():
			list = append(list, name+"/")
		case entry.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			list = append(list, name+"->"+target)
			return err
		default:
			data, err := os.ReadFile(path)
			list = append(list, name+"="+string(data))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func wantFiles(t *testing.T, d *atomicfile.Dir, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, files(t, d)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, d *atomicfile.Dir, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(d.Path(), name)); err != nil {
		t.Skip("no symbolic links: ", err)
	}
}

func TestOpen_error(t *testing.T) {
	dir := t.TempDir()
	if _, err := atomicfile.Open(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: got %v, want %v", err, fs.ErrNotExist)
	}
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	if _, err := atomicfile.Open(filepath.Join(dir, "file")); err == nil {
		t.Error("a file: no error")
	}
}

func TestWrite(t *testing.T) {
	d := open(t)
	must(t, d.Write("a/b/c.md", []byte("one")))
	must(t, d.Write("a/b/c.md", []byte("two")))
	must(t, d.Write("empty", nil))
	wantFiles(t, d, "a/", "a/b/", "a/b/c.md=two", "empty=")
	got, err := d.Read("a/b/c.md")
	if err != nil || string(got) != "two" {
		t.Errorf("read %q, %v; want %q", got, err, "two")
	}
	got, err = d.Read("empty")
	if err != nil || len(got) != 0 {
		t.Errorf("read %q, %v; want nothing", got, err)
	}
}

func TestWrite_mode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	d := open(t)
	must(t, d.Write("new", []byte("x")))
	must(t, d.Write("kept", []byte("x")))
	must(t, os.Chmod(filepath.Join(d.Path(), "kept"), 0o640))
	must(t, d.Write("kept", []byte("y")))
	must(t, d.Write("readonly", []byte("x")))
	must(t, os.Chmod(filepath.Join(d.Path(), "readonly"), 0o444))
	must(t, d.Write("readonly", []byte("y")))
	for name, want := range map[string]fs.FileMode{"new": 0o644, "kept": 0o640, "readonly": 0o444} {
		info, err := d.Root().Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

// A reader with the old file open keeps the old bytes.
func TestWrite_replaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced")
	}
	d := open(t)
	must(t, d.Write("a", []byte("old")))
	r := d.Reader()
	defer r.Close()
	f, err := r.Open("a")
	must(t, err)
	defer f.Close()
	must(t, d.Write("a", []byte("new!")))
	old := make([]byte, 10)
	n, _ := f.Read(old)
	if got := string(old[:n]); got != "old" {
		t.Errorf("the open file now says %q, want %q", got, "old")
	}
}

func TestWrite_longName(t *testing.T) {
	d := open(t)
	name := strings.Repeat("é", 120) + ".md"
	must(t, d.Write(name, []byte("x")))
	wantFiles(t, d, name+"=x")
}

func TestWrite_error(t *testing.T) {
	for _, test := range []struct {
		name string
		want string // in the message
	}{
		{"", "invalid"},
		{".", "directory"},
		{"..", "invalid"},
		{"../x", "invalid"},
		{"/abs", "invalid"},
		{"a//b", "invalid"},
		{"a/./b", "invalid"},
		{"a/", "invalid"},
		{"dir", "directory"},
		{"file/below", "not a directory"},
		{"nul\x00", "invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t)
			must(t, d.Write("dir/x", []byte("x")))
			must(t, d.Write("file", []byte("x")))
			before := files(t, d)
			if err := d.Write(test.name, []byte("y")); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
			wantFiles(t, d, before...)
		})
	}
}

func TestWrite_leavesNothing(t *testing.T) {
	d := open(t)
	must(t, d.Write("a", []byte("old")))
	broken := errors.New("no rename today")
	hooked := d.WithHook(func(s atomicfile.Step) error {
		if s.When == atomicfile.Before {
			return broken
		}
		return nil
	})
	if err := hooked.Write("a", []byte("new")); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	wantFiles(t, d, "a=old")
}

func TestSymlinks(t *testing.T) {
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o644))
	d := open(t)
	must(t, d.Write("real/file", []byte("x")))
	symlink(t, d, "real", "dirlink")
	symlink(t, d, "real/file", "filelink")
	symlink(t, d, outside, "outside")
	symlink(t, d, "loop", "loop")
	symlink(t, d, "nowhere", "dangling")
	before := files(t, d)
	for name, link := range map[string]string{
		"dirlink/file": "dirlink", "dirlink/new/deep": "dirlink", "filelink": "filelink", "outside/secret": "outside", "outside/new": "outside",
		"loop": "loop", "loop/x": "loop", "dangling": "dangling", "dangling/x": "dangling",
	} {
		_, readErr := d.Read(name)
		_, changedErr := d.WriteIfChanged(name, []byte("y"))
		for op, err := range map[string]error{
			"check": d.CheckReal(name), "read": readErr, "write": d.Write(name, []byte("y")), "write if changed": changedErr,
			"mkdir": d.MkdirAll(name), "rename from": d.Rename(name, "other"), "rename to": d.Rename("real/file", name),
		} {
			var symlinkErr *atomicfile.SymlinkError
			if !errors.As(err, &symlinkErr) || symlinkErr.Link != link || symlinkErr.Name != name {
				t.Errorf("%s %s: got %v, want a SymlinkError on %s", op, name, err, link)
			}
		}
	}
	var symlinkErr *atomicfile.SymlinkError
	if err := d.Remove("dirlink/file"); !errors.As(err, &symlinkErr) {
		t.Errorf("remove through a link: got %v, want a SymlinkError", err)
	}
	wantFiles(t, d, before...)
	must(t, d.Remove("filelink"))
	must(t, d.RemoveAll("outside"))
	must(t, d.Remove("dangling"))
	wantFiles(t, d, "dirlink->real", "loop->loop", "real/", "real/file=x")
	if _, err := os.Stat(filepath.Join(outside, "secret")); err != nil {
		t.Error("what the link pointed to is gone")
	}
}

func TestRead_error(t *testing.T) {
	d := open(t)
	must(t, d.Write("dir/file", []byte("x")))
	if _, err := d.Read("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: got %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := d.Read("missing/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: got %v, want %v", err, fs.ErrNotExist)
	}
	for _, name := range []string{"dir", "../x", "dir/file/x", "."} {
		if _, err := d.Read(name); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want an error that is not %v", name, err, fs.ErrNotExist)
		}
	}
}

func TestRead_big(t *testing.T) {
	d := open(t)
	want := bytes.Repeat([]byte("0123456789"), 100_000)
	must(t, d.Write("big", want))
	got, err := d.Read("big")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes, %v; want %d", len(got), err, len(want))
	}
}

// A Reader answers as Dir.Read does, whatever it has open from the names before.
func TestReader(t *testing.T) {
	d := open(t)
	for _, name := range []string{"a/b/1", "a/b/2", "a/3", "c/b/4", "top"} {
		must(t, d.Write(name, []byte(name)))
	}
	symlink(t, d, "a", "link")
	symlink(t, d, "1", "a/b/link")
	r := d.Reader()
	defer r.Close()
	names := []string{"a/b/1", "a/b/2", "a/3", "a/b/missing", "a/b", "link/b/1", "a/b/link", "c/b/4", "c/none/1", "top/x", "top", "", "../x"}
	for _, first := range names {
		for _, second := range names {
			for _, name := range []string{first, second} {
				want, wantErr := d.Read(name)
				got, err := r.Read(name)
				if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("%s, %s: got %q, %v; want %q, %v", first, second, got, err, want, wantErr)
				}
			}
		}
	}
	must(t, d.Rename("a", "old"))
	must(t, d.Write("a/b/1", []byte("new")))
	if _, err := r.Read("top"); err != nil {
		t.Error(err)
	}
	if got, err := r.Read("a/b/1"); string(got) != "new" || err != nil {
		t.Errorf("after the directory was exchanged: got %q, %v", got, err)
	}
}

func TestWriteIfChanged(t *testing.T) {
	d := open(t)
	var steps int
	hooked := d.WithHook(func(atomicfile.Step) error { steps++; return nil })
	for _, test := range []struct {
		data string
		want bool
	}{{"a", true}, {"a", false}, {"b", true}, {"b", false}} {
		steps = 0
		got, err := hooked.WriteIfChanged("f", []byte(test.data))
		if err != nil || got != test.want || (steps > 0) != test.want {
			t.Errorf("%s: wrote %v in %d steps, %v; want %v", test.data, got, steps, err, test.want)
		}
	}
}

func TestRemove(t *testing.T) {
	d := open(t)
	must(t, d.Write("a/b/c", []byte("x")))
	must(t, d.Write("a/d", []byte("x")))
	must(t, d.Remove("a/b/c"))
	must(t, d.Remove("a/b/c"))
	must(t, d.Remove("no/such/file"))
	must(t, d.Remove("a/d/below"))
	if err := d.Remove("a"); err == nil {
		t.Error("a directory that is not empty was removed")
	}
	if err := d.Remove("../x"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("got %v, want %v", err, fs.ErrInvalid)
	}
	wantFiles(t, d, "a/", "a/b/", "a/d=x")
	must(t, d.RemoveAll("a"))
	must(t, d.RemoveAll("a"))
	wantFiles(t, d)
}

func TestRemoveEmptyParents(t *testing.T) {
	for _, test := range []struct {
		name, stop string
		want       []string
	}{
		{"w/a/b/gone", "w", []string{"w/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"w/a/b/gone", ".", []string{"w/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"w/a/b/gone", "w/a", []string{"w/", "w/a/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"w/a/b/gone", "w/a/b", []string{"w/", "w/a/", "w/a/b/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"w/a/b/gone", "elsewhere", []string{"w/", "w/a/", "w/a/b/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"w/x/y/gone", "w", []string{"w/", "w/a/", "w/a/b/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"w/a/b/never/was", "w", []string{"w/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
		{"top", "w", []string{"w/", "w/a/", "w/a/b/", "w/x/", "w/x/y/", "w/x/y/f=1"}},
	} {
		t.Run(test.name+" "+test.stop, func(t *testing.T) {
			d := open(t)
			must(t, d.MkdirAll("w/a/b"))
			must(t, d.Write("w/x/y/f", []byte("1")))
			must(t, d.RemoveEmptyParents(test.name, test.stop))
			wantFiles(t, d, test.want...)
		})
	}
}

func TestRename(t *testing.T) {
	d := open(t)
	must(t, d.Write("a/f", []byte("1")))
	must(t, d.Write("g", []byte("2")))
	must(t, d.Rename("a", "b/c"))
	must(t, d.Rename("g", "b/c/f"))
	wantFiles(t, d, "b/", "b/c/", "b/c/f=2")
	if err := d.Rename("missing", "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
}

func TestConcurrentWrites(t *testing.T) {
	d := open(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				if err := d.Write("dir/same", bytes.Repeat([]byte{byte('a' + i)}, 1000)); err != nil && runtime.GOOS != "windows" {
					t.Error(err)
				}
				data, err := d.Read("dir/same")
				if err != nil {
					t.Error(err)
				} else if len(data) != 1000 || slices.ContainsFunc(data, func(c byte) bool { return c != data[0] }) {
					t.Errorf("read a mixture of %d bytes", len(data))
				}
			}
		})
	}
	group.Wait()
	if list := files(t, d); len(list) != 2 {
		t.Errorf("files left behind: %v", list)
	}
}

func BenchmarkReader(b *testing.B) {
	d, err := atomicfile.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if err := d.Write("openwiki/area/topic/page.md", make([]byte, 4000)); err != nil {
		b.Fatal(err)
	}
	r := d.Reader()
	defer r.Close()
	for b.Loop() {
		if _, err := r.Read("openwiki/area/topic/page.md"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	d, err := atomicfile.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if err := d.Write("openwiki/area/topic/page.md", make([]byte, 4000)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := d.Read("openwiki/area/topic/page.md"); err != nil {
			b.Fatal(err)
		}
	}
}

// A TrackedReader reads what a Reader reads, and tells what stands at a name.
func TestTrackedReader(t *testing.T) {
	d := open(t)
	must(t, d.Write("a/File", []byte("x")))
	symlink(t, d, "File", "a/link")
	symlink(t, d, "a", "dir")
	r := d.TrackedReader()
	defer r.Close()
	if got, err := r.Read("a/File"); string(got) != "x" || err != nil {
		t.Errorf("read: got %q, %v", got, err)
	}
	for name, want := range map[string]fs.FileMode{"a/File": 0, "a/link": fs.ModeSymlink, "a": fs.ModeDir} {
		if at, err := r.Lstat(name); err != nil || at.Mode.Type() != want || name == "a/File" && at.Size != 1 {
			t.Errorf("lstat %s: got %v, %v; want %v", name, at, err, want)
		}
	}
	if target, err := r.Readlink("a/link"); target != "File" || err != nil {
		t.Errorf("readlink: got %q, %v", target, err)
	}
	if _, err := r.Readlink("a/File"); err == nil {
		t.Error("a file was read as a link")
	}
	var link *atomicfile.SymlinkError
	if _, err := r.Lstat("dir/File"); !errors.As(err, &link) || link.Link != "dir" {
		t.Errorf("lstat through a link: got %v, want a SymlinkError on dir", err)
	}
	if _, err := r.Lstat("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: got %v, want %v", err, fs.ErrNotExist)
	}
	_, looseErr := r.Read("A/file")
	_, strictErr := d.Read("A/file")
	var spelling *atomicfile.CaseError
	if errors.As(looseErr, &spelling) || (looseErr == nil) != errors.As(strictErr, &spelling) {
		t.Errorf("another spelling: got %v, and %v without it", looseErr, strictErr)
	}
}
