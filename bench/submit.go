package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const (
	// memoryDir is a directory in memory, where Linux has one.
	memoryDir = "/dev/shm"
	// submissions are timed in one run of the benchmark.
	submissions = "30x"
)

// buildBenchmarks compiles the benchmarks of the lifecycle once.
func (t *tree) buildBenchmarks(ctx context.Context) error {
	_, err := output(ctx, ".", "go", "test", "-c", "-o", t.benchmarks(), "./generate")
	return err
}

func (t *tree) benchmarks() string { return filepath.Join(t.parent, "generate.test") }

// submit runs BenchmarkSubmitPage for a wiki of that many pages, with its files in dir ("" = the temporary directory).
func (t *tree) submit(pages int, dir string) func(context.Context) (cost, error) {
	return func(ctx context.Context) (cost, error) {
		if dir == "" {
			dir = os.TempDir()
		}
		temp, err := os.MkdirTemp(dir, "wikiwright-bench-")
		if err != nil {
			return cost{}, fmt.Errorf("make a directory for the wiki: %w", err)
		}
		defer os.RemoveAll(temp)
		cmd := exec.CommandContext(ctx, t.benchmarks(), "-test.run=^$", fmt.Sprintf("-test.bench=^BenchmarkSubmitPage$/^pages=%d$", pages), "-test.benchtime="+submissions)
		cmd.Env = append(os.Environ(), "TMPDIR="+temp)
		out, err := cmd.Output()
		if err != nil {
			return cost{}, fmt.Errorf("run BenchmarkSubmitPage: %w", err)
		}
		found := regexp.MustCompile(`(\d+)(?:\.\d+)? ns/op`).FindSubmatch(out)
		if found == nil {
			return cost{}, fmt.Errorf("BenchmarkSubmitPage printed no time: %s", out)
		}
		nanoseconds, err := strconv.ParseInt(string(found[1]), 10, 64)
		if err != nil {
			return cost{}, fmt.Errorf("read the time of BenchmarkSubmitPage: %w", err)
		}
		return cost{wall: time.Duration(nanoseconds)}, nil
	}
}

// flushTime is the median time that one small file takes to reach the disk.
func (t *tree) flushTime() (time.Duration, error) {
	var times []time.Duration
	for i := range 15 {
		file, err := os.Create(filepath.Join(t.parent, fmt.Sprintf("flush%d", i)))
		if err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
		start := time.Now()
		_, err = file.Write(make([]byte, 4096))
		if err == nil {
			err = file.Sync()
		}
		times = append(times, time.Since(start))
		file.Close()
		if err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
	}
	return median(times), nil
}
