package source

import (
	"context"
	"hash"
	"io"
	"sync"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

const (
	// maxBuffered is the size up to which a file is read ahead into memory; a bigger one is hashed as it is read.
	maxBuffered = 128 << 10
	// A reader fills a batch up to this many files, bytes and open big files. All batches together stay below 10 MB.
	batchFiles = 32
	batchBytes = 1 << 20
	batchBigs  = 4

	batchCount  = 8 // batches in memory at a time
	readerCount = 3
)

// A batch is a run of files that one goroutine reads while another hashes the batches before it.
type batch struct {
	files  []selected
	stamps []stamp // a part of the result

	data []byte // what is hashed, but for the content of big files
	bigs []bigFile
	used int // files that are in data and bigs
	err  error
	done chan struct{}
}

// A bigFile is an open file whose content is hashed after the first at bytes of the data.
type bigFile struct {
	path string
	f    *atomicfile.File
	size int64
	at   int
}

// readAhead hashes the fields of all files in order, while a few goroutines read further files into a bounded number of buffers.
func (s *Source) readAhead(ctx context.Context, files []selected, h hash.Hash) ([]stamp, error) {
	ctx, cancel := context.WithCancel(ctx)
	stamps := make([]stamp, len(files))
	free := make(chan *batch, batchCount)
	work := make(chan *batch)
	ordered := make(chan *batch, batchCount)
	batches := make([]*batch, batchCount)
	for i := range batches {
		batches[i] = &batch{}
		free <- batches[i]
	}

	var readers sync.WaitGroup
	for range readerCount {
		readers.Go(func() {
			r := s.reader()
			defer r.close()
			for b := range work {
				b.read(r)
				close(b.done)
			}
		})
	}
	readers.Go(func() { deal(ctx, files, stamps, free, work, ordered) })
	// Whatever happens, no goroutine and no open file is left behind.
	defer func() {
		cancel()
		readers.Wait()
		for _, b := range batches {
			b.closeBigs()
		}
	}()

	rest := s.reader()
	defer rest.close()
	for b := range ordered {
		<-b.done
		if err := b.hash(rest, h); err != nil {
			return nil, err
		}
		b.closeBigs()
		free <- b
	}
	return stamps, ctx.Err()
}

// deal hands out batches until all files are in one or ctx ends.
func deal(ctx context.Context, files []selected, stamps []stamp, free <-chan *batch, work, ordered chan<- *batch) {
	defer close(ordered)
	defer close(work)
	for len(files) > 0 {
		n := min(batchFiles, len(files))
		select {
		case <-ctx.Done():
			return
		case b := <-free:
			*b = batch{files: files[:n], stamps: stamps[:n], data: b.data[:0], bigs: b.bigs[:0], done: make(chan struct{})}
			ordered <- b // has room for all batches
			work <- b
		}
		files, stamps = files[n:], stamps[n:]
	}
}

// read fills the batch as far as its limits go.
func (b *batch) read(r reader) {
	b.used = 0
	for i, file := range b.files {
		data, big, at, err := r.fields(b.data, file)
		if err != nil {
			b.err = err
			return
		}
		b.data, b.stamps[i], b.used = data, at, i+1
		if big != nil {
			b.bigs = append(b.bigs, bigFile{path: file.path, f: big, size: at.size, at: len(data)})
		}
		if len(b.data) >= batchBytes || len(b.bigs) == batchBigs {
			return
		}
	}
}

// hash hashes the batch. Files the reader had no room for are read now.
func (b *batch) hash(r reader, h hash.Hash) error {
	for b.err == nil {
		done := 0
		for _, big := range b.bigs {
			h.Write(b.data[done:big.at])
			done = big.at
			if err := big.hash(h); err != nil {
				return err
			}
		}
		h.Write(b.data[done:])
		if b.used == len(b.files) {
			return nil
		}
		b.closeBigs()
		b.files, b.stamps, b.data = b.files[b.used:], b.stamps[b.used:], b.data[:0]
		b.read(r)
	}
	return b.err
}

// hash hashes the content and the NUL after it, holding no more than a buffer of it.
func (big bigFile) hash(h hash.Hash) error {
	// One byte more than expected shows that the file has grown.
	n, err := io.Copy(h, io.LimitReader(big.f, big.size+1))
	if err == nil && n != big.size {
		err = ErrChanging
	}
	if err != nil {
		return readError(big.path, err)
	}
	h.Write([]byte{0})
	return nil
}

func (b *batch) closeBigs() {
	for _, big := range b.bigs {
		big.f.Close()
	}
	b.bigs = b.bigs[:0]
}
