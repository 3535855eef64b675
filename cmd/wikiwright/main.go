// Command wikiwright keeps a repository's wiki true to its source. `wikiwright --help` lists its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/wikiwright/wikiwright/internal/cli"
)

func main() {
	collectLess()
	os.Exit(run())
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
