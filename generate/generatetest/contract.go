package generatetest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
)

// contractRepo has enough of a program for an Author to have something to say.
const contractRepo = `-- README.md --
# demo

Demo adds numbers.

## Build

    make build
-- Makefile --
build:
	go build ./...
-- go.mod --
module example.com/demo

go 1.26
-- main.go --
// Demo prints a sum.
package main

import (
	"fmt"

	"example.com/demo/sum"
)

func main() { fmt.Println(sum.Add(1, 2)) }
-- sum/sum.go --
// Package sum adds numbers.
package sum

// Limit is the largest sum.
const Limit = 10

// Add returns the sum of x and y.
func Add(x, y int) int {
	return x + y
}
-- sum/sum_test.go --
package sum

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Error("wrong")
	}
}
`

// TestAuthor checks what the lifecycle expects of every Author. make returns a
// new one for each run; its producer goes into the options as it would in
// earnest. An Author that needs a model gets a scripted one.
func TestAuthor(t *testing.T, producer string, make func(context.Context) (generate.Author, error)) {
	k := contract{producer, make}
	t.Run("init is complete and the next update a no-op", k.testInit)
	t.Run("the same bytes with one worker and with eight", k.testWorkers)
	t.Run("an update leaves unrelated pages alone", k.testUpdate)
	t.Run("a run that is stopped goes on later", k.testStopped)
}

type contract struct {
	producer string
	make     func(context.Context) (generate.Author, error)
}

func (k contract) options(c *Checkout, mode generate.Mode, workers int) generate.Options {
	opt := c.Options(mode, nil)
	opt.NewAuthor, opt.Concurrency, opt.Actor.Producer = k.make, workers, k.producer
	return opt
}

func (k contract) run(t *testing.T, c *Checkout, mode generate.Mode, workers int) *generate.Outcome {
	t.Helper()
	out, err := generate.Do(t.Context(), k.options(c, mode, workers))
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	return out
}

func (k contract) testInit(t *testing.T) {
	c := NewRepo(t, contractRepo)
	source := c.Tree(".")
	out := k.run(t, c, generate.ModeInit, 1)
	if out.Kind != generate.OutcomeComplete || len(out.Pages) == 0 || out.Claims.Total == 0 || out.Claims.Stale+out.Claims.Unresolved > 0 {
		t.Fatalf("got %+v, want a complete wiki whose Claims hold", out)
	}
	for _, f := range out.Findings {
		t.Errorf("finding: %+v", f)
	}
	after := c.Tree(".")
	maps.DeleteFunc(after, func(name, _ string) bool { return strings.HasPrefix(name, "openwiki/") })
	if diff := cmp.Diff(source, after); diff != "" {
		t.Errorf("files outside the wiki changed:\n%s", diff)
	}
	if out := k.run(t, c, generate.ModeUpdate, 1); out.Kind != generate.OutcomeNoop {
		t.Errorf("update: got %+v, want a no-op", out)
	}
}

func (k contract) testWorkers(t *testing.T) {
	one, eight := NewRepo(t, contractRepo), NewRepo(t, contractRepo)
	k.run(t, one, generate.ModeInit, 1)
	k.run(t, eight, generate.ModeInit, 8)
	if diff := cmp.Diff(one.Tree("openwiki"), eight.Tree("openwiki")); diff != "" {
		t.Errorf("(-one +eight):\n%s", diff)
	}
}

func (k contract) testUpdate(t *testing.T) {
	c := NewRepo(t, contractRepo)
	k.run(t, c, generate.ModeInit, 1)
	c.Commit("wiki")
	c.Tick()
	before := c.Tree("openwiki")
	c.Write("sum/sum.go", strings.Replace(c.Read("sum/sum.go"), "Limit = 10", "Limit = 11", 1))
	c.Commit("change")
	out := k.run(t, c, generate.ModeUpdate, 1)
	if out.Claims.Stale+out.Claims.Unresolved > 0 && out.Kind == generate.OutcomeComplete {
		t.Errorf("got %+v, want no open Claims after a complete update", out)
	}
	touched := map[string]bool{}
	for _, p := range out.Pages {
		touched[strings.TrimPrefix(p.Path, "/")] = p.State != generate.PageSkipped
	}
	after := c.Tree("openwiki")
	for _, name := range slices.Sorted(maps.Keys(before)) {
		page := strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, "index.md")
		if page && !touched[name] && after[name] != before[name] {
			t.Errorf("%s changed without being of the run:\n%s", name, cmp.Diff(before[name], after[name]))
		}
	}
	if out.Kind == generate.OutcomeComplete {
		if out := k.run(t, c, generate.ModeUpdate, 1); out.Kind != generate.OutcomeNoop {
			t.Errorf("update again: got %+v, want a no-op", out)
		}
	}
}

func (k contract) testStopped(t *testing.T) {
	whole := NewRepo(t, contractRepo)
	k.run(t, whole, generate.ModeInit, 1)
	c := NewRepo(t, contractRepo)
	ctx, cancel := context.WithCancel(t.Context())
	opt := k.options(c, generate.ModeInit, 1)
	opt.OnEvent = func(e generate.Event) {
		if e.Stage == generate.StageGenerating {
			cancel()
		}
	}
	if _, err := generate.Do(ctx, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the cancellation", err)
	}
	if out := k.run(t, c, generate.ModeInit, 1); out.Kind != generate.OutcomeComplete || !out.Resumed {
		t.Fatalf("got %+v, want the run resumed and complete", out)
	}
	if diff := cmp.Diff(whole.Tree("openwiki"), c.Tree("openwiki")); diff != "" {
		t.Errorf("(-undisturbed +resumed):\n%s", diff)
	}
}
