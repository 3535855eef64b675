//go:build unix

package main

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSignals stops the program with a signal at one moment after the other. It must end at once with the status of the signal, say
// that finished pages are kept, and leave what the next run makes the undisturbed wiki of.
func TestSignals(t *testing.T) {
	base := t.TempDir()
	writeFixture(t, base)
	reference := copyTree(t, base)
	start := time.Now()
	runProgram(t, "wikiwright", reference, "init", "--quiet")
	duration := time.Since(start)
	want := finishedWiki(t, reference)
	const moments = 8
	for i := range moments {
		signal, status := syscall.SIGINT, 130
		if i%2 == 1 {
			signal, status = syscall.SIGTERM, 143
		}
		dir := copyTree(t, base)
		stopAfter(t, dir, signal, status, duration*time.Duration(i+1)/(moments+1))
		runProgram(t, "wikiwright", dir, "init", "--quiet")
		if diff := cmp.Diff(want, finishedWiki(t, dir)); diff != "" {
			t.Errorf("%v at moment %d: the wiki differs (-undisturbed +stopped):\n%s", signal, i, diff)
		}
	}
}

// stopAfter runs an init and sends it a signal. A process that ended before is no failure.
func stopAfter(t *testing.T, dir string, signal syscall.Signal, status int, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after+5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "wikiwright", "init", "--quiet")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Signal(signal) })
	err := cmd.Wait()
	timer.Stop()
	switch got := cmd.ProcessState.ExitCode(); {
	case err == nil:
	case got == -1 && cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() == signal:
		// It came before the program could handle it.
	case got != status || !strings.Contains(stderr.String(), "hint: finished pages are kept"):
		t.Errorf("%v after %v: status %d, want %d within 5 s, with a hint:\n%s", signal, after, got, status, stderr.String())
	}
}
