//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

const (
	largeFiles  = 60_000
	largePerDir = 200
	// largeMemory is the most that an init of so many files may hold at a time.
	largeMemory = 512 << 20
)

// TestManyFiles makes and proves the wiki of a repository of very many small files, within the memory that is promised.
func TestManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 60,000 files")
	}
	program, dir := buildProgram(t), t.TempDir() // not this binary: the race detector takes several times the memory
	importFiles(t, dir, largeFiles)
	if peak := peakOf(t, program, dir, "init", "--quiet"); peak > largeMemory {
		t.Errorf("init held %d MiB at a time, want at most %d", peak>>20, int64(largeMemory)>>20)
	}
	if _, err := os.Stat(filepath.Join(dir, "openwiki", "quickstart.md")); err != nil {
		t.Errorf("the wiki has no quickstart: %v", err)
	}
	if peak := peakOf(t, program, dir, "update", "--quiet"); peak > largeMemory/2 {
		t.Errorf("the proof that there is nothing to do held %d MiB at a time, want at most %d", peak>>20, int64(largeMemory)>>21)
	}
}

// importFiles makes dir a repository with n small Go files in directories of largePerDir.
func importFiles(t *testing.T, dir string, n int) {
	t.Helper()
	git(t, dir, "init", "-q", "-b", "main")
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet")
	cmd.Dir = dir
	var stream bytes.Buffer
	w := bufio.NewWriter(&stream)
	fmt.Fprint(w, "commit refs/heads/main\ncommitter Ann <ann@example.invalid> 1767323045 +0000\ndata 5\nstart\n")
	file := func(name, text string) {
		fmt.Fprintf(w, "M 644 inline %s\ndata %d\n%s\n", name, len(text), text)
	}
	file("README.md", "# Large\n\nLarge is a program of very many files.\n")
	file("go.mod", "module example.com/large\n\ngo 1.24\n")
	for i := range n {
		part := i / largePerDir
		file(fmt.Sprintf("internal/p%03d/f%03d.go", part, i%largePerDir),
			fmt.Sprintf("package p%03d\n\n// F%d returns its number.\nfunc F%d() int { return %d }\n", part, i, i, i))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = &stream
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	git(t, dir, "checkout", "-q", "-f", "main")
}

// peakOf runs the program and returns the most memory it held at a time, in bytes.
func peakOf(t *testing.T, program, dir string, args ...string) int64 {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run %v: %v\n%s", args, err, out)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}
