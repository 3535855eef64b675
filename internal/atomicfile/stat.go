package atomicfile

import (
	"io/fs"
	"os"
)

// A Stat is what the file system says of a file, links not followed.
type Stat struct {
	Mode         fs.FileMode
	Size         int64  // bytes
	Dev, Ino     uint64 // zero where the system does not tell
	Mtime, Ctime int64  // nanoseconds since 1970; Ctime is zero where the system does not tell

	info fs.FileInfo // tells files apart where Dev and Ino do not
}

// sameFile tells whether both describe one file.
func sameFile(a, b Stat) bool {
	if a.info != nil {
		return os.SameFile(a.info, b.info)
	}
	return a.Dev == b.Dev && a.Ino == b.Ino
}

// A File is an open regular file. One goroutine uses it, and closes it.
type File struct {
	handle
	stat Stat
}

// Stat returns what the file system said of the file when it was opened.
func (f *File) Stat() Stat { return f.stat }
