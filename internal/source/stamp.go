package source

import (
	"io/fs"
	"time"
)

// A stamp is what the file system says of a file that changes whenever its content does. The zero stamp is that of a missing file.
type stamp struct {
	dev, ino     uint64
	size         int64
	mtime, ctime int64 // nanoseconds since 1970; ctime is zero where there is none
	mode         fs.FileMode
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	if info.IsDir() {
		// Only that it is a directory counts.
		return stamp{mode: info.Mode()}
	}
	s.addSystem(info)
	return s
}

const (
	// File systems take the time from a clock that ticks this often at least.
	clockTick = 20 * time.Millisecond
	// Some keep whole seconds, or even ones.
	coarseTick = 2 * time.Second
)

// young tells whether the file was written so shortly before t that a later write could carry the same times.
func (s stamp) young(t time.Time) bool {
	last := max(s.mtime, s.ctime)
	tick := clockTick
	if last%int64(time.Second) == 0 {
		tick = coarseTick
	}
	return s.mode.IsRegular() && last >= t.Add(-tick).UnixNano()
}
