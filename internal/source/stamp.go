package source

import (
	"io/fs"
	"time"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

// A stamp is what the file system says of a file that changes whenever its content does. The zero stamp is that of a missing file.
type stamp struct {
	dev, ino     uint64
	size         int64
	mtime, ctime int64 // nanoseconds since 1970; ctime is zero where there is none
	mode         fs.FileMode
}

func stampOf(at atomicfile.Stat) stamp {
	if at.Mode.IsDir() {
		// Only that it is a directory counts.
		return stamp{mode: at.Mode}
	}
	return stamp{dev: at.Dev, ino: at.Ino, size: at.Size, mtime: at.Mtime, ctime: at.Ctime, mode: at.Mode}
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
