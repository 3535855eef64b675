package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
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
	var stages, pages []string
	result, err := app.ReadStream(&out, func(e app.StreamEvent) { stages = append(stages, e.Stage) }, func(p app.PageResult) {
		pages = append(pages, p.State+" "+p.Path)
		stages = append(stages, "page")
	})
	if err != nil || result.Outcome != "complete" {
		t.Errorf("got %+v, %v; want a complete result", result, err)
	}
	if text := strings.Join(stages, " "); !strings.HasPrefix(text, "planning generating") || !strings.HasSuffix(text, "page finalizing") {
		t.Errorf("stages %q", text)
	}
	if len(pages) == 0 || len(pages) != result.Totals.Complete || !slices.Contains(pages, "complete /openwiki/quickstart.md") {
		t.Errorf("pages %v, want the %d that were written", pages, result.Totals.Complete)
	}
}

// A run whose parent is gone stops, be it at its beginning or while a page is in work, and leaves no part of a page.
func TestRunWatched_parentGone(t *testing.T) {
	for _, stage := range []string{"planning", "generating"} {
		repo := gittest.FromTxtar(t, watchedRepository)
		var out, errs bytes.Buffer
		in, parent := io.Pipe()
		ctx, cancel := watch(t.Context(), in)
		defer cancel(nil)
		gone := writerFunc(func(p []byte) (int, error) {
			if bytes.Contains(p, []byte(`"stage":"`+stage+`"`)) {
				parent.Close()
				<-ctx.Done()
			}
			return out.Write(p)
		})
		env := &environment{streams: Streams{Out: gone, Err: &errs}, getenv: noEnv}
		err := env.stream(ctx, cancel, app.Job{Dir: repo.Dir, Mode: generate.ModeUpdate})
		if want := (exitError{143}); err != want {
			t.Errorf("%s: got %v, want %v", stage, err, want)
		}
		result, err := app.ReadStream(&out, func(app.StreamEvent) {}, func(p app.PageResult) { t.Errorf("%s: %s was written", stage, p.Path) })
		if err != nil {
			t.Fatal(err)
		}
		if result.Outcome != "failed" || result.Error == nil || result.Error.Code != app.CodeStopped || result.Totals.Complete != 0 {
			t.Errorf("%s: got %+v, %+v; want a stopped run", stage, result, result.Error)
		}
		if pages, _ := filepath.Glob(filepath.Join(repo.Dir, "openwiki", "*.md")); len(pages) != 0 {
			t.Errorf("%s: %v are left", stage, pages)
		}
	}
}

// A parent that does not read any more stops the run too.
func TestRunWatched_nobodyReads(t *testing.T) {
	repo := gittest.FromTxtar(t, watchedRepository)
	var errs bytes.Buffer
	status := Main(t.Context(), []string{"update", "--events", "--repo", repo.Dir}, Streams{Out: fullDisk{}, Err: &errs}, noEnv)
	if status != ExitFailed || errs.String() != "wikiwright: print the result: no space left\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
	if pages, _ := filepath.Glob(filepath.Join(repo.Dir, "openwiki", "*.md")); len(pages) != 0 {
		t.Errorf("%v were written for nobody", pages)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
