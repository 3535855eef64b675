package source

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// runLength is how many files in a row one goroutine reads: enough of them lie in one directory, and few enough are left at the end for
// a goroutine to wait for.
const runLength = 64

// ReadEach reads many files under the rules of [Source.Read], in less time when paths are sorted. It calls do once for each, with its
// place in paths and with its bytes or the error of reading it, from as many goroutines at a time as there are workers. It stops at the
// first error of do, or when the context ends.
func (s *Source) ReadEach(ctx context.Context, paths []string, workers int, do func(i int, data []byte, err error) error) error {
	return s.readEach(ctx, paths, workers, false, do)
}

// ScanEach is [Source.ReadEach] for a do that keeps nothing of data: the next file is read into the same room.
func (s *Source) ScanEach(ctx context.Context, paths []string, workers int, do func(i int, data []byte, err error) error) error {
	return s.readEach(ctx, paths, workers, true, do)
}

func (s *Source) readEach(ctx context.Context, paths []string, workers int, reuse bool, do func(i int, data []byte, err error) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var taken atomic.Int64
	for range max(1, workers) {
		group.Go(func() error {
			r := s.dir.Reader()
			defer r.Close()
			var room []byte
			for {
				end := int(taken.Add(runLength))
				if end-runLength >= len(paths) {
					return nil
				}
				for i := end - runLength; i < min(end, len(paths)); i++ {
					if err := context.Cause(ctx); err != nil {
						return err
					}
					data, err := s.readWith(r, room, paths[i])
					if reuse && cap(data) > cap(room) {
						room = data
					}
					if err := do(i, data, err); err != nil {
						return err
					}
				}
			}
		})
	}
	return group.Wait()
}

func (s *Source) readWith(r *atomicfile.Reader, room []byte, path string) ([]byte, error) {
	if !s.Selected(path, false) {
		return nil, fmt.Errorf("read %s: %w", path, ErrIgnored)
	}
	data, err := r.ReadInto(room, path)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	l := s.listing
	s.mu.Unlock()
	if l != nil && !l.has(path) {
		return nil, fmt.Errorf("read %s: %w", path, ErrUntracked)
	}
	return data, nil
}
