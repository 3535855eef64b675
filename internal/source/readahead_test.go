package source

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

// Files that change under the reader are told from files that cannot be read.
func TestFingerprint_race(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	files := s.reader()
	defer files.close()
	if _, _, err := files.otherFields(nil, "README.md", &atomicfile.SymlinkError{Name: "README.md", Link: "README.md"}); !errors.Is(err, ErrChanging) {
		t.Errorf("a link that became a file: got %v, want %v", err, ErrChanging)
	}
	if _, _, err := files.otherFields(nil, "README.md", fs.ErrPermission); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that may not be read: got %v, want %v", err, fs.ErrPermission)
	}
	if _, _, err := files.otherFields(nil, "vanished", fs.ErrPermission); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("vanished: got %v, want %v", err, fs.ErrNotExist)
	}
	for _, test := range []struct {
		size    int
		content string
		want    error
	}{{3, "abc", nil}, {0, "", nil}, {3, "ab", ErrChanging}, {3, "abcd", ErrChanging}, {0, "a", ErrChanging}, {3, "", ErrChanging}} {
		for name, reader := range map[string]io.Reader{"at once": strings.NewReader(test.content), "byte by byte": oneByte{strings.NewReader(test.content)}} {
			got, err := appendContent([]byte("x"), reader, test.size)
			if name == "byte by byte" && test.content == "abcd" {
				continue // only a read beyond the end shows that a file has grown
			}
			if !errors.Is(err, test.want) || err == nil && string(got) != "x"+test.content {
				t.Errorf("%q of %d bytes, %s: got %q, %v; want %v", test.content, test.size, name, got, err, test.want)
			}
		}
	}
	r.Write("three", "abc")
	for size, want := range map[int64]error{3: nil, 4: ErrChanging, 2: ErrChanging} {
		f, err := files.files.Open("three")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := (bigFile{path: "three", f: f, size: size}).hash(sha256.New()); !errors.Is(err, want) {
			t.Errorf("big file of 3 bytes, %d when it was opened: got %v, want %v", size, err, want)
		}
	}
	if _, _, err := s.fingerprint(t.Context(), selection{files: []selected{{path: "untracked and gone"}}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an untracked file that vanished: got %v, want %v", err, fs.ErrNotExist)
	}
}

type oneByte struct{ r io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.r.Read(p[:min(1, len(p))]) }

// No goroutine and no open file stays behind an error in the middle.
func TestFingerprint_cleansUp(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts open files in /proc")
	}
	r := gittest.New(t)
	var files []selected
	for i := range 200 {
		name := fmt.Sprintf("d%d/%03d", i/10, i)
		r.Write(name, string(bytes.Repeat([]byte("x"), maxBuffered+1)))
		files = append(files, selected{path: name, tracked: true})
	}
	files[100] = selected{path: "missing"}
	s := openRepo(t, r)
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	open, goroutines := count(), runtime.NumGoroutine()
	for range 5 {
		if _, _, err := s.fingerprint(t.Context(), selection{files: files}); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("got %v, want %v", err, fs.ErrNotExist)
		}
	}
	if got := count(); got > open {
		t.Errorf("%d files are open, want %d", got, open)
	}
	if got := runtime.NumGoroutine(); got > goroutines {
		t.Errorf("%d goroutines are left, want %d", got, goroutines)
	}
}
