//go:build darwin || freebsd || netbsd

package source

import (
	"io/fs"
	"syscall"
)

// addSystem adds what only the system's own record of a file holds.
func (s *stamp) addSystem(info fs.FileInfo) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.dev, s.ino = uint64(stat.Dev), uint64(stat.Ino)
		s.ctime = stat.Ctimespec.Nano()
	}
}
