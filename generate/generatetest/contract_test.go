package generatetest

import (
	"context"
	"testing"

	"github.com/wikiwright/wikiwright/generate"
)

func TestScriptedAuthor(t *testing.T) {
	TestAuthor(t, "wikiwright/test", func(context.Context) (generate.Author, error) {
		return &Author{OnPlan: func(ctx context.Context, p *generate.Planning) error {
			if p.Mode == generate.ModeUpdate {
				return p.Submit(ctx, generate.Proposal{})
			}
			return p.Submit(ctx, generate.Proposal{Pages: []generate.ProposedPage{
				PlanPage("quickstart", "README.md", "Makefile"), PlanPage("sum", "sum/sum.go"), PlanPage("program", "main.go", "go.mod"),
			}})
		}}, nil
	})
}

func TestCrashStopsEverything(t *testing.T) {
	c, crash := NewRepo(t, R0), CrashAt(1)
	opt := c.Options(generate.ModeInit, &Author{})
	if err := crash.Arm(&opt); err != nil {
		t.Fatal(err)
	}
	if err := opt.Files.Write("a", nil); err == nil {
		t.Error("the first write succeeded")
	}
	if err := opt.Files.Write("b", nil); err == nil || !crash.Happened() || crash.Points() != 2 || crash.Last().Name != "a" {
		t.Errorf("second write: got %v after %d points, last %+v", err, crash.Points(), crash.Last())
	}
}
