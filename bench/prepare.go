package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// A tree is the prepared clone.
type tree struct {
	dir     string // the clone
	parent  string
	program string // the binary under test
	self    string // the benchmark
	files   int
	edited  string // a source file that one case changes
}

// prepare clones the source, so that nothing of it is touched, and finds the file to edit.
func prepare(ctx context.Context, source, program string) (*tree, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, fmt.Errorf("find the program: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the benchmark: %w", err)
	}
	parent, err := os.MkdirTemp("", "wikiwright-bench-")
	if err != nil {
		return nil, fmt.Errorf("prepare the tree: %w", err)
	}
	t := &tree{dir: filepath.Join(parent, "tree"), parent: parent, program: program, self: self}
	if _, err := output(ctx, parent, "git", "clone", "-q", source, t.dir); err != nil {
		t.remove()
		return nil, err
	}
	listed, err := output(ctx, t.dir, "git", "ls-files", "-z")
	if err != nil {
		t.remove()
		return nil, err
	}
	names := bytes.Split(bytes.TrimSuffix(listed, []byte{0}), []byte{0})
	t.files = len(names)
	t.edited = middleSource(t.dir, names)
	return t, nil
}

// middleSource picks the source file in the middle of the list: deterministic, and deep in the tree.
func middleSource(dir string, names [][]byte) string {
	code := map[string]bool{".go": true, ".py": true, ".js": true, ".ts": true, ".php": true, ".java": true, ".rs": true, ".c": true, ".rb": true, ".cs": true}
	var found []string
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(dir, string(name)))
		if err == nil && info.Mode().IsRegular() && code[filepath.Ext(string(name))] {
			found = append(found, string(name))
		}
	}
	if len(found) == 0 {
		return string(names[len(names)/2])
	}
	return found[len(found)/2]
}

func (t *tree) remove() { os.RemoveAll(t.parent) }

func (t *tree) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }
