// Command bench measures Wikiwright against the tools people know, side by side in one run: every figure is a ratio of two commands
// that took turns on the same tree, so that it holds on a slow or a busy machine.
//
//	go run ./bench -source DIR            a git checkout (at least 10,000 files to be comparable with docs/performance.md)
//	go run ./bench -source DIR -case init one case
//
// The source is never written: the benchmark works in a clone of it below the temporary directory. It needs git, sha256sum and
// Universal Ctags on the path, and runs from the top of this repository.
//
// A ratio of times on the clock is what a person feels; the ratio of CPU time, children included, is what stays the same on a busy
// machine. Durable writes wait for the disk, so that the cases which write depend on it: the time of one flush is printed, and the
// admission of a page is also measured in memory where the system has a file system there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	source := flag.String("source", "", "git `checkout` to measure on")
	program := flag.String("program", "./wikiwright", "the `binary` under test (make build)")
	rounds := flag.Int("rounds", 7, "counted `pairs` per case")
	only := flag.String("case", "", "run only the `case` of this name")
	once := flag.String("fingerprint", "", "only compute the fingerprint of this `checkout`, for the benchmark itself")
	action := flag.String("create-pull-request", "", "measure publishing instead, against this `index.js` of create-pull-request")
	node := flag.String("node", "node", "the `program` that runs it")
	files := flag.String("files", "10,100,500,3000", "`numbers` of changed files")
	slow := flag.Bool("slow", false, "let create-pull-request also sign more than 100 files, a second each")
	checkout := flag.String("publish-checkout", "", "only publish the wiki of this `checkout`, for the benchmark itself")
	signed := flag.Bool("signed", false, "with -publish-checkout: let GitHub sign the commit")
	pages := flag.String("pages", "", "measure the writing with a model that answers at once instead, of wikis of these `numbers` of pages, such as 8,40,160")
	flag.Parse()
	if *checkout != "" {
		return publishCheckout(ctx, *checkout, *signed)
	}
	if *action != "" {
		return publishing(ctx, *action, *node, *files, *rounds, *slow)
	}
	if *pages != "" {
		return modelOverhead(ctx, *program, *pages, *rounds)
	}
	if *once != "" {
		return fingerprint(ctx, *once)
	}
	if *source == "" {
		return fmt.Errorf("name a checkout: go run ./bench -source DIR")
	}
	tree, err := prepare(ctx, *source, *program)
	if err != nil {
		return err
	}
	defer tree.remove()
	flush, err := tree.flushTime()
	if err != nil {
		return err
	}
	fmt.Printf("%d tracked files; %d processors, %s/%s; one flush of a small file to the disk: %v; %d pairs a case\n\n",
		tree.files, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, round(flush), *rounds)
	fmt.Println("| case | ours, median | other, median | ratio | worst pair | CPU time | bar | peak memory |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, c := range cases(tree) {
		if *only != "" && c.name != *only {
			continue
		}
		m, err := c.measure(ctx, *rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Println(m.row(c))
	}
	return nil
}

// row is the line of a case in the table.
func (m measurement) row(c comparison) string {
	verdict, cpu, peak := "", "–", "–"
	if m.ratio > c.bar || m.peak > c.memory && c.memory > 0 {
		verdict = " (missed)"
	}
	if m.cpuRatio > 0 {
		cpu = fmt.Sprintf("%.2f", m.cpuRatio)
	}
	if m.peak > 0 {
		peak = fmt.Sprintf("%d MiB", m.peak>>20)
	}
	return fmt.Sprintf("| %s | %v | %v | %.2f | %.2f | %s | %.1f%s | %s |", c.title, round(m.ours), round(m.other), m.ratio, m.worst, cpu, c.bar, verdict, peak)
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
