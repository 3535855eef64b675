package generate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

func fourPages() *generatetest.Author {
	return &generatetest.Author{Proposal: proposal(
		generatetest.PlanPage("a", "src/a.go"), generatetest.PlanPage("b", "src/b.go"), generatetest.PlanPage("c", "src/a.go"), generatetest.PlanPage("quickstart", "README.md"),
	)}
}

// A limit of pages ends the run with the rest pending; running again goes on, and the end is the same as without a limit.
func TestMaxPages(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	whole := c.Copy(t)
	mustDo(t, whole, generate.ModeInit, fourPages(), generate.OutcomeComplete)

	opt := c.Options(generate.ModeInit, fourPages())
	opt.MaxPages = 2
	out, err := generate.Do(t.Context(), opt)
	var stop *generate.StopError
	if !errors.As(err, &stop) || err.Error() != "the limit of 2 pages is reached" {
		t.Fatalf("got %v", err)
	}
	want := []string{"/openwiki/a.md complete new", "/openwiki/b.md complete new", "/openwiki/c.md pending unchanged", "/openwiki/quickstart.md pending unchanged"}
	if diff := cmp.Diff(want, outcomes(out)); diff != "" || out.Kind != generate.OutcomePartial {
		t.Errorf("%s: %s", out.Kind, diff)
	}
	mustDo(t, c, generate.ModeInit, fourPages(), generate.OutcomeComplete)
	if diff := cmp.Diff(whole.Read("openwiki/c.md"), c.Read("openwiki/c.md")); diff != "" {
		t.Errorf("-whole +resumed\n%s", diff)
	}
}

// When the end is near, the quickstart of a new wiki comes first.
func TestHurry(t *testing.T) {
	c := generatetest.NewRepo(t, generatetest.R0)
	author := fourPages()
	opt := c.Options(generate.ModeInit, author)
	opt.Hurry = func() bool { return len(author.Written()) > 0 }
	if _, err := generate.Do(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	want := []string{"/openwiki/a.md", "/openwiki/quickstart.md", "/openwiki/b.md", "/openwiki/c.md"}
	if diff := cmp.Diff(want, author.Written()); diff != "" {
		t.Error(diff)
	}
}

// An author that cannot go on ends the run: its page is put back, nothing else is started or tried again, finished pages stay.
func TestStopError(t *testing.T) {
	for _, workers := range []int{1, 8} {
		c := generatetest.NewRepo(t, generatetest.R0)
		author := fourPages()
		refused := errors.New("the key is refused")
		author.OnPage = map[string]rule{"/openwiki/b.md": func(ctx context.Context, p *generate.Page) error {
			if err := generatetest.HalfPage(ctx, p); err != nil {
				return err
			}
			return &generate.StopError{Err: refused}
		}}
		opt := c.Options(generate.ModeInit, author)
		opt.Concurrency = workers
		out, err := generate.Do(t.Context(), opt)
		if !errors.Is(err, refused) {
			t.Fatalf("got %v", err)
		}
		if _, there := c.Tree("openwiki")["openwiki/b.md"]; there {
			t.Error("half a page is left")
		}
		for _, page := range out.Pages {
			if page.Path == "/openwiki/b.md" && (page.State != generate.PagePending || page.Attempts != 1) {
				t.Errorf("%+v", page)
			}
			if page.Path == "/openwiki/quickstart.md" && page.State != generate.PagePending {
				t.Errorf("started after the end: %+v", page)
			}
		}
		author.OnPage = nil
		mustDo(t, c, generate.ModeInit, author, generate.OutcomeComplete)
	}
}
