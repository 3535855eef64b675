package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// takeSnapshot records the tree below the current directory, git's own files left out.
func takeSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: snapshot NAME")
	}
	ts.Check(os.WriteFile(snapshotFile(ts, args[0]), []byte(listing(ts)), 0o644))
}

// compareSnapshot fails when a file was added, removed or changed since.
func compareSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: unchanged NAME")
	}
	want, err := os.ReadFile(snapshotFile(ts, args[0]))
	ts.Check(err)
	got := listing(ts)
	if same := got == string(want); same == neg {
		ts.Fatalf("files are unchanged: %v, want %v\nbefore:\n%s\nnow:\n%s", same, !neg, want, got)
	}
}

func snapshotFile(ts *testscript.TestScript, name string) string {
	return filepath.Join(ts.Getenv("WORK"), ".snapshots", name)
}

func listing(ts *testscript.TestScript) string {
	root := ts.MkAbs(".")
	var lines strings.Builder
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == ".git" || entry.Name() == ".snapshots" {
				return filepath.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			data = []byte("unreadable: " + err.Error())
		}
		rel, err := filepath.Rel(root, name)
		fmt.Fprintf(&lines, "%x %s\n", sha256.Sum256(data), filepath.ToSlash(rel))
		return err
	})
	ts.Check(err)
	return lines.String()
}
