package cli

import (
	"context"
	"io"
	"syscall"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
)

// runWatched does the job as the child of a process that reads its progress: one line of JSON for each event and, at the end, one for the
// result. The run stops as if by SIGTERM when standard input ends: that is how the parent asks for it on every system, and what happens
// when the parent is killed, so that no run goes on with nobody to publish it.
func (e *environment) runWatched(ctx context.Context, job app.Job) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if e.streams.In != nil {
		go func() {
			_, _ = io.Copy(io.Discard, e.streams.In) // however it ends, nobody is there any more
			cancel(Stopped{Signal: syscall.SIGTERM})
		}()
	}
	var lost error
	runner := app.Runner{Log: e.logger(), OnEvent: func(event generate.Event) {
		if err := app.WriteStream(e.streams.Out, app.StreamLine{Event: app.StreamEventOf(event)}); err != nil && lost == nil {
			lost = err
			cancel(Stopped{Signal: syscall.SIGTERM})
		}
	}}
	result, err := runner.Run(ctx, job)
	if writeErr := app.WriteStream(e.streams.Out, app.StreamLine{Result: result}); writeErr != nil {
		return &outputError{writeErr}
	}
	if err != nil {
		return exitError{exitStatus(ctx, err)}
	}
	return statusOf(ctx, result)
}
