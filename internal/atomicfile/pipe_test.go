//go:build unix

package atomicfile_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe is refused at once; opening it would wait for a writer.
func TestRead_pipe(t *testing.T) {
	d := open(t)
	if err := syscall.Mkfifo(filepath.Join(d.Path(), "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, readErr := d.Read("pipe")
	for op, err := range map[string]error{"read": readErr, "write": d.Write("pipe", nil)} {
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: got %v, want that it is not a regular file", op, err)
		}
	}
	wantStays := d.CheckReal("pipe")
	if wantStays != nil {
		t.Error(wantStays)
	}
}
