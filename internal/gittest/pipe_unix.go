//go:build unix

package gittest

import "syscall"

// Pipe makes a named pipe: something that is neither a file nor a directory, and that nobody can read. The test is skipped where there
// are none.
func (r *Repo) Pipe(name string) {
	r.t.Helper()
	r.check(syscall.Mkfifo(r.Path(name), 0o644))
}
