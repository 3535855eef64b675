//go:build !unix

package gittest

// Pipe makes a named pipe: something that is neither a file nor a directory, and that nobody can read. The test is skipped where there
// are none.
func (r *Repo) Pipe(string) {
	r.t.Helper()
	r.t.Skip("no named pipes")
}
