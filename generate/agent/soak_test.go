package agent_test

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/agent"
	"github.com/wikiwright/wikiwright/generate/generatetest"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

var soakRuns = flag.Int("soak-runs", 200, "runs of a wiki with random faults of the model")

// faulty answers as diligent does but for one request in twenty, which meets what providers and models do.
func faulty(seed uint64) func(*llmtest.Request) llmtest.Step {
	return func(r *llmtest.Request) llmtest.Step {
		step := diligent(view(r))
		dice := rand.New(rand.NewPCG(seed, uint64(r.N)))
		if dice.Float64() >= 0.05 {
			return step
		}
		switch dice.IntN(8) {
		case 0:
			return llmtest.Refuse(429, `{"error":{"message":"slow down"}}`)
		case 1:
			return llmtest.Refuse(500, `{"error":{"message":"oops"}}`)
		case 2:
			return llmtest.Fail(llmtest.Reset)
		case 3:
			return llmtest.Step{}
		case 4:
			return llmtest.Fail(llmtest.BadJSON)
		case 5:
			step.Finish = llmtest.Length
			return step
		case 6:
			return call("submit_pages", args{})
		}
		return llmtest.Say("I am done.")
	}
}

// Many runs with faults at random: nearly all end with something to show, none succeeds with nothing done, none spends past its limit, and
// after each of them an undisturbed run ends in a complete wiki.
func TestSoak(t *testing.T) {
	runs := *soakRuns
	if raceEnabled {
		runs = min(runs, 20)
	}
	origin := generatetest.NewRepo(t, demo)
	var mu sync.Mutex
	ended := map[string]int{}
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for seed := range runs {
		c := origin.Copy(t)
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			how := soak(t, c, uint64(seed))
			mu.Lock()
			defer mu.Unlock()
			ended[how]++
		})
	}
	group.Wait()
	t.Log(ended)
	if failed := ended["failed"]; failed*50 > runs {
		t.Errorf("%d of %d runs failed with nothing to show", failed, runs)
	}
}

const soakRequests = 60

func soak(t *testing.T, c *generatetest.Checkout, seed uint64) string {
	server := llmtest.ServeWith(t, faulty(seed), llmtest.Settings{Key: testKey})
	out, err := run(t, c, generate.ModeInit, author(t, server, llmtest.Formats()[seed%4], func(_ *llm.Config, o *agent.Options) {
		o.Budget = llm.NewBudget(llm.Limits{Requests: soakRequests}, nil)
	}))
	if n := len(server.Requests()); n > soakRequests {
		t.Errorf("run %d sent %d requests", seed, n)
	}
	how := "failed"
	if out != nil {
		how = out.Kind
		for _, page := range out.Pages {
			_, there := c.Tree("openwiki")[page.Path[1:]]
			if (page.State == generate.PageComplete) != there {
				t.Errorf("run %d: %s is %s, and on disk: %v", seed, page.Path, page.State, there)
			}
		}
		if out.Kind == generate.OutcomeComplete && (err != nil || len(out.Pages) == 0) {
			t.Errorf("run %d: complete with %d pages, %v", seed, len(out.Pages), err)
		}
	}
	heal(t, c, seed, how)
	return how
}

func heal(t *testing.T, c *generatetest.Checkout, seed uint64, how string) {
	if how == generate.OutcomeComplete {
		return
	}
	calm := serve(t, diligentAfterFaults)
	mode := generate.ModeInit
	if _, interrupted := c.Tree("openwiki")["openwiki/.run.json"]; !interrupted && how == generate.OutcomePartial {
		mode = generate.ModeUpdate
	}
	out, err := run(t, c, mode, author(t, calm, llmtest.Chat, nil))
	if err != nil || out.Kind != generate.OutcomeComplete {
		t.Errorf("run %d, %s, is not healed: %+v, %v", seed, how, out, err)
	}
}

// diligentAfterFaults plans the pages that a faulty run has skipped: an update without them would be complete, too, but poorer.
func diligentAfterFaults(r request) llmtest.Step {
	if r.Has("submit_plan") && r.Turns == 1 {
		return diligent(request{First: "a new wiki", Turns: 1, Tools: r.Tools})
	}
	return diligent(r)
}
