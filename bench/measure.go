package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// A comparison is one row: our action against another, in turn.
type comparison struct {
	name, title string
	bar         float64 // the ratio that must not be passed
	memory      int64   // nor this many bytes; 0 = no bar
	setup       func(context.Context) error
	ours, other action
	rounds      int // 0 = as asked for
}

// An action is one timed step. before is not timed.
type action struct {
	before func(context.Context) error
	run    func(context.Context) (cost, error)
}

// A cost is what one step took.
type cost struct {
	wall time.Duration
	cpu  time.Duration // user and system, with children; 0 where it is not known
	peak int64         // bytes, 0 where it does not apply
}

// A measurement holds medians; the ratios are medians of the pairs' ratios.
type measurement struct {
	ours, other  time.Duration
	ratio, worst float64 // of the time on the clock
	cpuRatio     float64 // 0 where it is not known
	peak         int64
}

func (c comparison) measure(ctx context.Context, rounds int) (measurement, error) {
	if c.rounds > 0 {
		rounds = c.rounds
	}
	if c.setup != nil {
		if err := c.setup(ctx); err != nil {
			return measurement{}, err
		}
	}
	var ours, other []time.Duration
	var ratios, cpuRatios []float64
	var peak int64
	for i := range rounds + 1 { // the first pair warms the caches
		a, err := c.ours.once(ctx)
		if err != nil {
			return measurement{}, err
		}
		b, err := c.other.once(ctx)
		if err != nil {
			return measurement{}, err
		}
		if i == 0 {
			continue
		}
		ours, other = append(ours, a.wall), append(other, b.wall)
		ratios = append(ratios, float64(a.wall)/float64(b.wall))
		if a.cpu > 0 && b.cpu > 0 {
			cpuRatios = append(cpuRatios, float64(a.cpu)/float64(b.cpu))
		}
		peak = max(peak, a.peak)
	}
	m := measurement{ours: median(ours), other: median(other), ratio: median(ratios), worst: slices.Max(ratios), peak: peak}
	if len(cpuRatios) > 0 {
		m.cpuRatio = median(cpuRatios)
	}
	return m, nil
}

func (a action) once(ctx context.Context) (cost, error) {
	if a.before != nil {
		if err := a.before(ctx); err != nil {
			return cost{}, err
		}
	}
	return a.run(ctx)
}

// command times a whole process; its output is thrown away.
func command(dir string, ok []int, args ...string) func(context.Context) (cost, error) {
	return func(ctx context.Context) (cost, error) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = dir
		start := time.Now()
		err := cmd.Run()
		wall := time.Since(start)
		if cmd.ProcessState == nil || !slices.Contains(ok, cmd.ProcessState.ExitCode()) {
			return cost{}, fmt.Errorf("run %v: %w", args, err)
		}
		return cost{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peakMemory(cmd.ProcessState)}, nil
	}
}

func median[T time.Duration | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run %v: %w", args, err)
	}
	return out, nil
}
