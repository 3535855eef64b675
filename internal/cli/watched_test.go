package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

const watchedRepository = `
-- go.mod --
module example.invalid/demo
-- main.go --
package main

// main greets.
func main() { println("hello") }
`

func TestRunWatched(t *testing.T) {
	repo := gittest.FromTxtar(t, watchedRepository)
	var out, errs bytes.Buffer
	silent, done := io.Pipe()
	defer done.Close()
	status := Main(t.Context(), []string{"update", "--events", "--repo", repo.Dir}, Streams{In: silent, Out: &out, Err: &errs}, func(string) string { return "" })
	if status != ExitDone {
		t.Fatalf("status %d:\n%s%s", status, out.String(), errs.String())
	}
	var stages []string
	result, err := app.ReadStream(&out, func(e app.StreamEvent) { stages = append(stages, e.Stage) })
	if err != nil || result.Outcome != "complete" {
		t.Errorf("got %+v, %v; want a complete result", result, err)
	}
	if text := strings.Join(stages, " "); !strings.HasPrefix(text, "planning generating") || !strings.HasSuffix(text, "finalizing") {
		t.Errorf("stages %q", text)
	}
}

// A parent that is gone stops the run before it begins to write.
func TestRunWatched_parentGone(t *testing.T) {
	repo := gittest.FromTxtar(t, watchedRepository)
	var out, errs bytes.Buffer
	gone, parent := io.Pipe()
	parent.Close()
	stop := &stopAtFirst{until: func() { _, _ = gone.Read(make([]byte, 1)) }, to: &out}
	status := Main(t.Context(), []string{"update", "--events", "--repo", repo.Dir}, Streams{In: gone, Out: stop, Err: &errs}, func(string) string { return "" })
	result, err := app.ReadStream(&out, func(app.StreamEvent) {})
	if err != nil {
		t.Fatal(err)
	}
	if status != ExitDone && (status != 143 || result.Error == nil || result.Error.Code != app.CodeStopped) {
		t.Errorf("status %d, result %+v; want 143 and a stopped run", status, result.Error)
	}
}

type stopAtFirst struct {
	until func()
	to    io.Writer
}

func (s *stopAtFirst) Write(p []byte) (int, error) {
	s.until()
	return s.to.Write(p)
}
