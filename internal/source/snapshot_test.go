package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// fieldText is the plain form of the format: what is hashed, written out.
func fieldText(fields ...string) string {
	var b strings.Builder
	for i := 0; i < len(fields); i += 2 {
		fmt.Fprintf(&b, "%s\x00%d\x00%s\x00", fields[i], len(fields[i+1]), fields[i+1])
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(b.String())))
}

func snapshot(t *testing.T, s *Source) *Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func TestSnapshot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs modes and links")
	}
	r := gittest.FromTxtar(t, demo)
	inner := gittest.FromTxtar(t, "-- x --\n")
	r.Git("submodule", "--quiet", "add", inner.Dir, "sub")
	r.Write("gone", "g\n")
	head := r.Commit("more")
	r.Remove("gone")
	r.Write("Zebra", "changed\n")
	r.Write("added", "")
	r.Git("add", "added")
	r.Write("secret/k.go", "changed\n")
	r.Write("untracked.go", "u\n")
	r.Write("openwiki/new.md", "n\n")
	gitmodules := r.Read(".gitmodules")
	s := openRepo(t, r)
	got := snapshot(t, s)

	want := fieldText(
		"format", "openwiki-source-fingerprint-v1", "head", head,
		"status-code", " D", "status-path", "gone",
		"status-code", " M", "status-path", "Zebra",
		"status-code", "A ", "status-path", "added",
		"path", ".gitignore", "executable", "no", "kind", "file", "bytes", "*.o\n",
		"path", ".gitmodules", "executable", "no", "kind", "file", "bytes", gitmodules,
		"path", ".openwikiignore", "executable", "no", "kind", "file", "bytes", "secret/\n*.pem\n",
		"path", "README.md", "executable", "no", "kind", "file", "bytes", "# demo\n",
		"path", "Zebra", "executable", "no", "kind", "file", "bytes", "changed\n",
		"path", "added", "executable", "no", "kind", "file", "bytes", "",
		"path", "bin/run", "executable", "yes", "kind", "file", "bytes", "#!/bin/sh\n",
		"path", "gone", "kind", "tracked-missing",
		"path", "link", "executable", "yes", "kind", "symlink", "target", "src/a.go",
		"path", "openwiki2/x", "executable", "no", "kind", "file", "bytes", "no wiki\n",
		"path", "src/a.go", "executable", "no", "kind", "file", "bytes", "package a\n",
		"path", "sub", "executable", "yes", "kind", "directory",
	)
	if got.Fingerprint != want {
		t.Errorf("fingerprint %s, want %s", got.Fingerprint, want)
	}
	if got.GitHead != head || got.Files != 12 || got.Untracked != 1 || got.Unnamed != 0 {
		t.Errorf("got head %s, %d files, %d untracked, %d without name; want %s, 12, 1, 0", got.GitHead, got.Files, got.Untracked, got.Unnamed, head)
	}
	if again := snapshot(t, s); again.Fingerprint != got.Fingerprint {
		t.Errorf("the second fingerprint is %s, want %s", again.Fingerprint, got.Fingerprint)
	}
}

func TestSnapshot_unborn(t *testing.T) {
	r := gittest.New(t)
	s := openRepo(t, r)
	got := snapshot(t, s)
	if want := fieldText("format", fingerprintFormat, "head", "unborn:refs/heads/main"); got.Fingerprint != want || got.GitHead != "" {
		t.Errorf("got %s with head %q, want %s without", got.Fingerprint, got.GitHead, want)
	}
	r.Write(IgnoreFile, "x\n")
	r.Write("untracked", "u\n")
	want := fieldText("format", fingerprintFormat, "head", "unborn:refs/heads/main",
		"path", ".openwikiignore", "executable", "no", "kind", "file", "bytes", "x\n")
	if got := snapshot(t, openRepo(t, r)); got.Fingerprint != want {
		t.Errorf("with rules that are not tracked: got %s, want %s", got.Fingerprint, want)
	}
}

// Sizes around the limits of a batch, with big files between small ones.
func TestSnapshot_sizes(t *testing.T) {
	r := gittest.New(t)
	fields := []string{"format", fingerprintFormat, "head", ""}
	for i := range 300 {
		size := []int{0, 1, 100, maxBuffered - 1, maxBuffered, maxBuffered + 1, 3*maxBuffered + 7, 5000}[i%8]
		if i > 40 {
			size = i * 37 % 6000
		}
		if i > 200 && i < 260 {
			size = maxBuffered + i
		}
		name := fmt.Sprintf("d%d/%03d", i/50, i)
		content := strings.Repeat("x", size)
		r.Write(name, content)
		fields = append(fields, "path", name, "executable", "no", "kind", "file", "bytes", content)
	}
	fields[3] = r.Commit("files of many sizes")
	if got, want := snapshot(t, openRepo(t, r)).Fingerprint, fieldText(fields...); got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
}

// Five thousand files in many directories.
func TestSnapshot_manyFiles(t *testing.T) {
	r := gittest.New(t)
	fields := []string{"format", fingerprintFormat, "head", ""}
	for i := range 5000 {
		name, content := fmt.Sprintf("m%02d/p%02d/f%04d.go", i/1000, i/50, i), fmt.Sprint(i%7)
		r.Write(name, content) // few different contents, so that git has little to store
		fields = append(fields, "path", name, "executable", "no", "kind", "file", "bytes", content)
	}
	fields[3] = r.Commit("many")
	s := openRepo(t, r)
	snap := snapshot(t, s)
	if want := fieldText(fields...); snap.Fingerprint != want {
		t.Errorf("fingerprint %s, want %s", snap.Fingerprint, want)
	}
	same, err := s.Same(t.Context(), snap)
	if err != nil || !same {
		t.Errorf("same: %v, %v; want true", same, err)
	}
}

// A big file is never held in memory.
func TestSnapshot_sparseFile(t *testing.T) {
	const size = 80 << 20
	r := gittest.New(t)
	if err := os.WriteFile(r.Path("big"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	head := r.Commit("empty")
	if err := os.Truncate(r.Path("big"), size); err != nil {
		t.Fatal(err)
	}
	s := openRepo(t, r)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := snapshot(t, s)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("hashing %d MB allocated %d MB", size>>20, used>>20)
	}
	h := sha256.New()
	fmt.Fprintf(h, "format\x0030\x00%s\x00head\x0040\x00%s\x00status-code\x002\x00 M\x00status-path\x003\x00big\x00", fingerprintFormat, head)
	fmt.Fprintf(h, "path\x003\x00big\x00executable\x002\x00no\x00kind\x004\x00file\x00bytes\x00%d\x00", size)
	zeros := make([]byte, 1<<20)
	for range size / len(zeros) {
		h.Write(zeros)
	}
	h.Write([]byte{0})
	if want := fmt.Sprintf("sha256:%x", h.Sum(nil)); got.Fingerprint != want {
		t.Errorf("fingerprint %s, want %s", got.Fingerprint, want)
	}
}

func TestSnapshot_error(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	r.Remove("src/a.go")
	r.Pipe("src/a.go")
	_, err := s.Snapshot(t.Context())
	if err == nil || !strings.Contains(err.Error(), `"src/a.go"`) || strings.Count(err.Error(), "a.go") != 1 {
		t.Errorf("got %v, want an error that names src/a.go once", err)
	}
}

// A file that may not be read fails the snapshot, unless the user may read everything.
func TestSnapshot_unreadable(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	r.Chmod("src/a.go", 0)
	_, err := s.Snapshot(t.Context())
	if f, openErr := os.Open(r.Path("src/a.go")); openErr == nil {
		f.Close()
		if err != nil {
			t.Errorf("got %v, but the file can be read", err)
		}
		return
	}
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), `"src/a.go"`) {
		t.Errorf("got %v, want that src/a.go may not be read", err)
	}
}

func TestSnapshot_cancelled(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Snapshot(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if _, _, err := s.fingerprint(ctx, selection{files: slices.Repeat([]selected{{path: "README.md", tracked: true}}, 1000)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// BenchmarkSnapshot hashes 2,000 files of 19 MB.
func BenchmarkSnapshot(b *testing.B) {
	r := gittest.New(b)
	for i := range 2000 {
		r.Write(fmt.Sprintf("m%d/d%d/f%d.go", i/500, i/20, i), strings.Repeat("line of code\n", i%1500))
	}
	r.Commit("files")
	s := openRepo(b, r)
	for b.Loop() {
		if _, err := s.Snapshot(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
