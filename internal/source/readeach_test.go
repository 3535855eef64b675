package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestReadEach(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	var paths, want []string
	for i := range 100 {
		name := fmt.Sprintf("many/%d/file%d", i/7, i)
		r.Write(name, name)
		paths, want = append(paths, name), append(want, name)
	}
	s := openRepo(t, r)
	for _, workers := range []int{0, 1, 4, 200} {
		got := make([]string, len(paths))
		err := s.ReadEach(t.Context(), paths, workers, func(i int, data []byte, err error) error {
			got[i] += string(data)
			return err
		})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%d workers: %v (-want +got):\n%s", workers, err, diff)
		}
	}
	if err := s.ReadEach(t.Context(), nil, 2, nil); err != nil {
		t.Errorf("nothing to read: %v", err)
	}
}

// Files that cannot be read are told one by one, as Read tells them.
func TestReadEach_refused(t *testing.T) {
	s := openRepo(t, gittest.FromTxtar(t, demo))
	paths := []string{"secret/k.go", "src/a.go", "missing", "link", "openwiki/quickstart.md", "src"}
	got := make([]error, len(paths))
	if err := s.ReadEach(t.Context(), paths, 2, func(i int, _ []byte, err error) error { got[i] = err; return nil }); err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		if _, want := s.Read(path); fmt.Sprint(got[i]) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", path, got[i], want)
		}
	}
	var link *atomicfile.SymlinkError
	if !errors.Is(got[0], ErrIgnored) || got[1] != nil || !errors.Is(got[2], fs.ErrNotExist) || !errors.As(got[3], &link) {
		t.Errorf("got %v", got)
	}
}

func TestReadEach_stops(t *testing.T) {
	s := openRepo(t, gittest.FromTxtar(t, demo))
	paths := make([]string, 1000)
	for i := range paths {
		paths[i] = "src/a.go"
	}
	var mu sync.Mutex
	calls, broken := 0, errors.New("broken")
	err := s.ReadEach(t.Context(), paths, 2, func(int, []byte, error) error {
		mu.Lock()
		defer mu.Unlock()
		calls++
		return broken
	})
	if !errors.Is(err, broken) || calls > 2 {
		t.Errorf("got %v after %d calls, want %v after the first of each worker", err, calls, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = s.ReadEach(ctx, paths, 2, func(int, []byte, error) error { t.Error("a file was read"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
