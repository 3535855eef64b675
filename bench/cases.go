package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// done are the exit statuses of a finished run: complete, or finished with pages left out.
var done = []int{0, 3}

// cases lists the comparisons in the order in which they can share the wiki that the first of them writes.
func cases(t *tree) []comparison {
	zero := []int{0}
	noop := command(t.dir, zero, t.program, "update", "--quiet")
	all := []comparison{
		{
			name: "help", title: "`--help` : `git --version`", bar: 5,
			ours:  action{run: command(t.dir, zero, t.program, "--help")},
			other: action{run: command(t.dir, zero, "git", "--version")},
		},
		{
			name: "fingerprint", title: "fingerprint of the tree : `sha256sum` of the same files", bar: 1.5,
			ours:  action{run: command(t.dir, zero, t.self, "-fingerprint", t.dir)},
			other: action{run: command(t.dir, zero, "sh", "-c", "git ls-files -z | xargs -0 sha256sum >/dev/null 2>&1 || true")},
		},
		{
			name: "init", title: "extractive `init` : `ctags -R`", bar: 2, memory: 512 << 20, rounds: 5,
			ours:  action{before: t.removeWiki, run: command(t.dir, done, t.program, "init", "--quiet")},
			other: action{before: t.removeWiki, run: command(t.dir, zero, "ctags", "-R", "-f", t.parent+"/tags", ".")},
		},
		{
			name: "noop", title: "proven no-op : `git status --porcelain`", bar: 1.5,
			setup: t.commitWiki,
			ours:  action{run: noop},
			other: action{run: command(t.dir, zero, "git", "status", "--porcelain")},
		},
		{
			name: "update", title: "`update` after one changed file : no-op (plus the pages it touches)", bar: 2,
			setup: t.commitWiki,
			ours:  action{before: t.edit, run: command(t.dir, done, t.program, "update", "--quiet")},
			other: action{before: t.restore, run: noop},
		},
		{
			name: "submit", title: "admission of one page into a wiki of 1,000 pages : of 10", bar: 1.5, rounds: 5,
			setup: t.buildBenchmarks,
			ours:  action{run: t.submit(1000, "")},
			other: action{run: t.submit(10, "")},
		},
	}
	if _, err := os.Stat(memoryDir); err == nil {
		all = append(all, comparison{
			name: "submit", title: "the same in memory, without a disk", bar: 1.5, rounds: 5,
			setup: t.buildBenchmarks,
			ours:  action{run: t.submit(1000, memoryDir)},
			other: action{run: t.submit(10, memoryDir)},
		})
	}
	return all
}

func (t *tree) removeWiki(context.Context) error { return os.RemoveAll(t.path(wiki.DefaultDir)) }

// commitWiki makes sure that a finished wiki of the clean tree is committed.
func (t *tree) commitWiki(ctx context.Context) error {
	if err := t.restore(ctx); err != nil {
		return err
	}
	mode := "update"
	if _, err := os.Stat(t.path(wiki.DefaultDir)); err != nil {
		mode = "init"
	}
	if _, err := command(t.dir, done, t.program, mode, "--quiet")(ctx); err != nil {
		return err
	}
	if _, err := output(ctx, t.dir, "git", "add", "-A", wiki.DefaultDir); err != nil {
		return err
	}
	_, err := output(ctx, t.dir, "git", "-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-q", "--allow-empty", "-m", "wiki")
	return err
}

// edit adds an empty line to one source file of the last commit.
func (t *tree) edit(ctx context.Context) error {
	if err := t.restore(ctx); err != nil {
		return err
	}
	file, err := os.OpenFile(t.path(t.edited), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("edit a source file: %w", err)
	}
	_, err = file.WriteString("\n")
	return errors.Join(err, file.Close())
}

// restore puts the tree back to its last commit.
func (t *tree) restore(ctx context.Context) error {
	if _, err := output(ctx, t.dir, "git", "checkout", "-q", "-f", "HEAD", "--", "."); err != nil {
		return err
	}
	_, err := output(ctx, t.dir, "git", "status", "--porcelain")
	return err
}
