package cli

import (
	"context"
	"io"
	"syscall"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
)

// runWatched does the job as the child of a process that reads its progress: one line of JSON for each event, for each page when it
// is durable and, at the end, for the result.
func (e *environment) runWatched(ctx context.Context, job app.Job) error {
	ctx, cancel := watch(ctx, e.streams.In)
	defer cancel(nil)
	return e.stream(ctx, cancel, job)
}

// watch returns a context that ends as if by SIGTERM when in does: that is how a parent process asks a run to stop on every system, and
// what happens when the parent is killed, so that no run goes on with nobody to publish it.
func watch(ctx context.Context, in io.Reader) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if in != nil {
		go func() {
			_, _ = io.Copy(io.Discard, in) // however it ends, nobody is there any more
			cancel(Stopped{Signal: syscall.SIGTERM})
		}()
	}
	return ctx, cancel
}

// stream runs the job and prints what it does. It cancels the run when nobody reads.
func (e *environment) stream(ctx context.Context, cancel context.CancelCauseFunc, job app.Job) error {
	stream := app.NewStreamWriter(e.streams.Out)
	say := func(line app.StreamLine) {
		if stream.Write(line) != nil {
			cancel(Stopped{Signal: syscall.SIGTERM})
		}
	}
	runner := app.Runner{
		Log:     e.logger(),
		OnEvent: func(event generate.Event) { say(app.StreamLine{Event: app.StreamEventOf(event)}) },
		OnPage:  func(page generate.PageOutcome) { say(app.StreamLine{Page: app.StreamPageOf(page)}) },
	}
	result, err := runner.Run(ctx, job)
	if writeErr := stream.Write(app.StreamLine{Result: result}); writeErr != nil {
		return &outputError{writeErr}
	}
	if err != nil {
		return exitError{exitStatus(ctx, err)}
	}
	return statusOf(ctx, result)
}
