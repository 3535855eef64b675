package publish

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// 200 runs are what is promised; under the race detector, where each takes several times as long, there are fewer.
var faultRuns = flag.Int("fault-runs", map[bool]int{false: 200, true: 30}[raceDetector], "runs of TestRandomFaults")

// TestRandomFaults lets people and runs act on one repository in random order while one call in twenty fails: server errors, limits, lost,
// cut and missing answers, of the API and of git. Every such run ends with an outcome or with an error that says what happened, and the
// next run without faults brings all to where it should be.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	const perWorld = 10
	for seed := range (*faultRuns + perWorld - 1) / perWorld {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			s := &story{world: wikiWorld(t), random: rand.New(rand.NewPCG(uint64(seed), 1)), pages: map[string]string{}}
			s.gh.Allow(githubtest.BadToken)
			if seed%2 == 1 {
				s.policy.OnForeignCommits = ForeignAppend
			}
			if seed%3 == 2 {
				s.policy.SignCommits = SignFalse
			}
			for step := range perWorld {
				s.people()
				s.change()
				s.faultyRun(uint64(seed*perWorld + step))
				s.healingRun()
				if t.Failed() {
					t.Fatalf("step %d: %s", step, strings.Join(s.log, "; "))
				}
			}
			t.Log(strings.Join(s.log, "; "))
		})
	}
}

// A story is one repository over many runs.
type story struct {
	*world
	random *rand.Rand
	pages  map[string]string // as the next run makes them
	round  int
	log    []string
}

func (s *story) note(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

// pull is the open pull request; 0 for none.
func (s *story) pull() int {
	number := 0
	for _, p := range s.gh.Pulls() {
		if p.Open {
			if number != 0 {
				s.t.Errorf("two open pull requests: %d and %d", number, p.Number)
			}
			number = p.Number
		}
	}
	return number
}

// people do something, sometimes.
func (s *story) people() {
	s.round++
	number, head := s.pull(), s.gh.Head("openwiki/update")
	switch s.random.IntN(8) {
	case 0:
		s.note("ada changes the source")
		s.gh.PushAs("ada", "main", map[string]string{"src/a.go": fmt.Sprintf("package a // %d\n", s.round)})
	case 1:
		if number != 0 {
			s.note("ada pushes to the branch")
			s.gh.PushAs("ada", "openwiki/update", map[string]string{"openwiki/limits.md": fmt.Sprintf("# Limits\n\nAda %d.\n", s.round)})
		}
	case 2, 3:
		if number != 0 {
			s.note("ada merges #%d", number)
			s.gh.Merge(number, "merge")
			if s.random.IntN(2) == 0 {
				s.gh.DeleteBranch("openwiki/update", "ada")
			}
		}
	case 4:
		if number != 0 {
			s.note("ada closes #%d and keeps a copy of its branch", number)
			s.gh.Push(githubtest.PersonCommit{Branch: fmt.Sprint("copy-", s.round), Author: "ada", Onto: head, Files: map[string]string{"x": "y"}})
			s.gh.ClosePull(number, "ada")
			s.gh.DeleteBranch("openwiki/update", "ada")
		}
	}
}

// change gives the next run something to publish, most of the time.
func (s *story) change() {
	s.pages = map[string]string{}
	for _, name := range []string{"core.md", "quickstart.md", "new.md"} {
		if s.random.IntN(2) == 0 {
			s.pages[name] = fmt.Sprintf("# Page\n\nRound %d.\n", s.round-s.random.IntN(2))
		}
	}
}

// run publishes on a fresh checkout. The inputs of a page are its text here, so that what is closed is only quiet about the same text.
func (s *story) run() (*Outcome, error) {
	c := s.checkout()
	var changes []func(*Bundle)
	for name, text := range s.pages {
		changes = append(changes, inputs(name, text))
	}
	return c.publisher().Publish(s.t.Context(), c.bundle(s.pages, changes...))
}

func (s *story) faultyRun(seed uint64) {
	s.gh.RandomFaults(seed, 0.05)
	if s.random.IntN(3) == 0 {
		c := s.checkout()
		out, err := c.publisher().Checkpoint(s.t.Context(), c.bundle(map[string]string{"core.md": "# Page\n\nHalf.\n"}, state(StateRunning)))
		s.note("faulty checkpoint: %s %s %v", out.Operation, out.Reason, err)
	}
	out, err := s.run()
	s.gh.ClearFaults()
	s.note("faulty run: %s %s %v", out.Operation, out.Reason, err)
	if err != nil && (github.Classify(err).Code == github.CodeUnknown || out.Hint == "") {
		s.t.Errorf("unclear error: %v (%+v)", err, out)
	}
	known := []Operation{OpNone, OpCreated, OpUpdated, OpClosed, OpBlocked, OpSnoozed, OpDeferred, OpBranchOnly}
	if err == nil && !slices.Contains(known, out.Operation) {
		s.t.Errorf("unclear outcome: %+v", out)
	}
	s.invariants()
}

// invariants hold after every run, whatever failed in it.
func (s *story) invariants() {
	s.pull()
	s.gh.NoLostCommits(bot)
	s.gh.NeverEqualsBase("openwiki/update", "main")
	if s.gh.Head("openwiki/update") != "" {
		s.gh.OnlyBelow("openwiki/update", "main", "openwiki")
	}
}

func (s *story) healingRun() {
	out, err := s.run()
	if err != nil {
		s.t.Errorf("the run after the faults failed: %v", err)
		return
	}
	s.note("healing run: %s %s", out.Operation, out.Reason)
	s.invariants()
	head := s.gh.Head("openwiki/update")
	switch out.Operation {
	case OpBlocked, OpSnoozed:
		return
	case OpCreated, OpUpdated:
	case OpNone:
		if s.pull() == 0 && head != "" {
			s.t.Errorf("nothing to publish, and the branch is there")
		}
	case OpClosed:
		if s.pull() != 0 || head != "" {
			s.t.Errorf("closed, and pull request %d or the branch is there", s.pull())
		}
	default:
		s.t.Errorf("outcome %+v", out)
	}
	if number := s.pull(); number != 0 {
		for name, text := range s.pages {
			if got := s.file("openwiki/update", "openwiki/"+name); got != text && len(out.Blocked) == 0 {
				s.t.Errorf("%s on the branch is %q, want %q", name, got, text)
			}
		}
	}
	before := s.gh.Writes()
	if out, err := s.run(); err != nil || s.gh.Writes() != before {
		s.t.Errorf("once more: %d writes, %+v, %v", s.gh.Writes()-before, out, err)
	}
}
