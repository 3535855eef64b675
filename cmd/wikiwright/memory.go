package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// collectLess trades memory that is there for time. A survey keeps much of what it allocates until the pages are written, so that a
// collection frees little: at the usual pace it takes a fifth of an init's time. A proof that there is nothing to do ends before the
// first one. From the limit on the pace is what memory asks for: a new page of memory costs more than to collect a small heap again.
// Where twice of what is in use is more than that, the limit follows, lest the process does nothing but collect.
func collectLess() {
	const (
		percent = 1600
		limit   = 256 << 20 // bytes
	)
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
	afterEachCollection(func() { debug.SetMemoryLimit(max(limit, 2*liveHeap())) })
}

// afterEachCollection calls do after each run of the garbage collector, which is when an object that nobody knows goes away.
func afterEachCollection(do func()) {
	mark := new([32]byte) // large enough to share its place with no other object
	runtime.AddCleanup(mark, func(do func()) {
		do()
		afterEachCollection(do)
	}, do)
}

// liveHeap is how many bytes the last collection found in use.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
