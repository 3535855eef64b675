// Command wikiwright keeps a repository's wiki true to its source. `wikiwright --help` lists its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/wikiwright/wikiwright/internal/cli"
)

func main() {
	collectLess()
	os.Exit(run())
}

// collectLess trades memory that is there for time. A survey keeps nearly all it allocates until the pages are written, so that a
// collection frees little: at the usual pace it takes a fifth of an init's time. A proof that there is nothing to do ends before the
// first one. From the limit on the pace is what memory asks for.
func collectLess() {
	const (
		percent = 1600
		limit   = 400 << 20 // bytes
	)
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}

// run stops the command on the first signal, so that it can put the page in work back, and the process on the second.
func run() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := <-signals
		cancel(cli.Stopped{Signal: first})
		second := <-signals
		os.Exit(cli.Stopped{Signal: second}.ExitStatus())
	}()
	return cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Getenv)
}
