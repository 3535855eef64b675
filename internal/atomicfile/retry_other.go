//go:build !windows

package atomicfile

// retry runs do once: only Windows refuses to replace a file that another process has open.
func retry(do func() error) error { return do() }
