// Command bench measures Wikiwright against the tools people know, side by side in one run: every figure is a ratio of two commands
// that took turns on the same tree, so that it holds on a slow or a busy machine.
//
//	go run ./bench -source DIR            a git checkout (at least 10,000 files to be comparable with docs/performance.md)
//	go run ./bench -source DIR -case init one case
//
// The source is never written: the benchmark works in a clone of it below the temporary directory. It needs git, sha256sum and
// Universal Ctags on the path.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
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
	flag.Parse()
	if *source == "" {
		return fmt.Errorf("name a checkout: go run ./bench -source DIR")
	}
	tree, err := prepare(ctx, *source, *program)
	if err != nil {
		return err
	}
	defer tree.remove()
	fmt.Printf("%d tracked files, %d pairs a case\n\n", tree.files, *rounds)
	fmt.Println("| case | ours, median | other, median | ratio | bar | peak memory |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	for _, c := range cases(tree) {
		if *only != "" && c.name != *only {
			continue
		}
		m, err := c.measure(ctx, *rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Printf("| %s | %v | %v | %.2f | %.1f | %d MiB |\n", c.title, m.ours, m.other, m.ratio, c.bar, m.peak>>20)
	}
	return nil
}
