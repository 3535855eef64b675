package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/language"
)

func TestResultOf(t *testing.T) {
	outcome := &generate.Outcome{
		Kind: generate.OutcomePartial, Mode: generate.ModeUpdate, RunID: "r", Language: "de", GitHead: "abc",
		Pages: []generate.PageOutcome{
			{Path: "/openwiki/a.md", State: generate.PageComplete, Change: generate.ChangeRewritten, Attempts: 2, Claims: claims.Counts{Added: 1, Confirmed: 3}},
			{Path: "/openwiki/b.md", State: generate.PageSkipped, Change: generate.ChangeUnchanged, Reason: "needs a model"},
			{Path: "/openwiki/c.md", State: generate.PageDeleted, Change: generate.ChangeRemoved},
			{Path: "/openwiki/d.md", State: generate.PageKept, Change: generate.ChangeUnchanged},
			{Path: "/openwiki/e.md", State: generate.PagePending, Change: generate.ChangeUnchanged},
		},
		Claims: generate.ClaimTotals{Total: 9, Stale: 1},
	}
	got := resultOf(Job{Mode: generate.ModeUpdate}, authorChoice{name: AuthorExtractive}, outcome, nil)
	want := Totals{Planned: 3, Complete: 1, Skipped: 1, Pending: 1, Deleted: 1}
	if diff := cmp.Diff(want, got.Totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	if got.Outcome != "partial" || got.Language != "de" || got.GitHead != "abc" || got.Error != nil || got.Claims.Total != 9 {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff(ClaimChanges{Added: 1, Confirmed: 3}, got.Pages[0].Claims); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name       string
		err        error
		code, hint string
	}{
		{"plain", errors.New("disk on fire"), "failed", ""},
		{"lifecycle", fmt.Errorf("x: %w", &generate.Error{Code: generate.CodeConflict, Op: "begin", Err: errors.New("y"), Hint: "wait"}), "conflict", "wait"},
		{"setting", &ConfigError{Name: "--author", Err: errors.New("unknown"), Next: "use auto"}, "configuration", "use auto"},
		{"stopped", fmt.Errorf("run: %w", context.Canceled), "stopped", "finished pages are kept; run the same command again to go on"},
		{"full disk", fmt.Errorf("write: %w", syscall.ENOSPC), "failed", "free some space and run the same command again; finished pages are kept"},
		{"pipe", fmt.Errorf("read: %w", atomicfile.ErrNotRegular), "failed", "put a regular file there, or name it in .openwikiignore"},
		{"read-only", fmt.Errorf("write: %w", fs.ErrPermission), "failed", "give this user access to the checkout and its git directory, then run the same command again"},
		{"no repository", fmt.Errorf("open: %w", gitrepo.ErrNotRepository), "configuration", "run in a checkout, or create a repository with git init"},
		{"language", fmt.Errorf("open: %w", &language.UnknownError{Value: "x"}), "configuration", "give a language tag such as en, pt-BR or zh-CN"},
	} {
		got := Explain(test.err)
		if got.Code != test.code || got.Hint != test.hint || got.Message != test.err.Error() {
			t.Errorf("%s: got %+v, want code %q, hint %q", test.name, got, test.code, test.hint)
		}
	}
	if !IsConfiguration(fmt.Errorf("open: %w", gitrepo.ErrNotRepository)) {
		t.Error("not a repository is wrong use")
	}
	if IsConfiguration(errors.New("disk on fire")) {
		t.Error("a broken disk is no wrong use")
	}
}

func TestChooseAuthor(t *testing.T) {
	for _, name := range []string{"", "auto", "extractive"} {
		choice, err := chooseAuthor(name, Model{})
		if err != nil || choice.name != "extractive" || choice.reason == "" {
			t.Errorf("%q: got %+v, %v", name, choice, err)
		}
	}
	if _, err := chooseAuthor("robot", Model{}); !IsConfiguration(err) {
		t.Errorf("robot: got %v", err)
	}
}
