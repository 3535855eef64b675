package impact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const before = `-- sum.go --
package a

// Sum adds two numbers.
func Sum(x, y int) int {
	return x + y
}

// Max is the largest.
const Max = 10
-- other.go --
package a

// Other does something else.
func Other() {}
-- openwiki/core.md --
---
type: reference
title: Core
---

# Core

It adds.
`

// A world is a repository with a wiki of one page, whose Claims cite what the test names.
type world struct {
	*gittest.Repo
	t    *testing.T
	base string
}

// newWorld commits a wiki whose Claims cite the resources at the version they have.
func newWorld(t *testing.T, resources ...string) *world {
	w := &world{Repo: gittest.FromTxtar(t, before), t: t}
	page := claims.PageClaims{SchemaVersion: 1, PageVersion: wiki.PageVersion(w.read("openwiki/core.md"))}
	for i, resource := range resources {
		res, err := evidence.Parse(resource, "openwiki")
		if err != nil {
			t.Fatal(err)
		}
		answer := evidence.In(w.read(res.Path), res, "")
		page.Claims = append(page.Claims, claims.Claim{ID: fmt.Sprintf("claim_%032d", i+1), Statement: "It cites " + res.Path + ".",
			Evidence: []claims.Evidence{{Resource: resource, Version: answer.Version}}})
	}
	files, err := atomicfile.Open(w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	wk, err := wiki.Open(files, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	if err := claims.NewStore(wk).Save("/openwiki/core.md", page); err != nil {
		t.Fatal(err)
	}
	w.base = w.Commit("wiki")
	return w
}

func (w *world) read(name string) []byte {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.Dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

func (w *world) edit(name, old, new string) {
	w.t.Helper()
	data := w.read(name)
	if !bytes.Contains(data, []byte(old)) {
		w.t.Fatalf("%s has no %q", name, old)
	}
	w.Write(name, strings.Replace(string(data), old, new, 1))
}

func (w *world) check(head string) (*Report, error) {
	w.t.Helper()
	ctx := w.t.Context()
	repo, err := gitrepo.Open(ctx, w.Dir)
	if err != nil {
		w.t.Fatal(err)
	}
	files, err := atomicfile.Open(w.Dir)
	if err != nil {
		w.t.Fatal(err)
	}
	defer files.Close()
	src, err := source.Open(ctx, repo, files, "openwiki")
	if err != nil {
		w.t.Fatal(err)
	}
	wk, err := wiki.Open(files, "openwiki")
	if err != nil {
		w.t.Fatal(err)
	}
	return Check(ctx, Options{Repo: repo, Source: src, Wiki: wk, Base: w.base, Head: head})
}

const sum = "repo://sum.go#L3-L6"

// found is what a test wants of the one finding.
func found(state string, line int) []Finding {
	return []Finding{{Claim: "claim_" + strings.Repeat("0", 31) + "1", Statement: "It cites sum.go.", Resource: sum, State: state, File: "sum.go", Line: line}}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(w *world)
		want   []Finding
		totals Totals
		edited bool
	}{
		{"nothing", func(*world) {}, nil, Totals{Claims: 1}, false},
		{"another file", func(w *world) { w.edit("other.go", "Other", "Another") }, nil, Totals{Claims: 1}, false},
		{"other lines of the file", func(w *world) { w.edit("sum.go", "= 10", "= 11") }, nil, Totals{Claims: 1}, false},
		{"a cited line", func(w *world) { w.edit("sum.go", "x + y", "x - y") }, found(Changed, 5), Totals{Claims: 1, Stale: 1}, false},
		{"lines above", func(w *world) { w.edit("sum.go", "package a", "package a\n\nimport \"fmt\"") }, nil, Totals{Claims: 1, Moved: 1}, false},
		{"lines above and a cited line", func(w *world) {
			w.edit("sum.go", "package a", "package a\n\nimport \"fmt\"")
			w.edit("sum.go", "x + y", "x - y")
		}, found(Changed, 7), Totals{Claims: 1, Stale: 1}, false},
		{"white space in a cited line", func(w *world) { w.edit("sum.go", "\treturn x", "    return x") }, found(Changed, 5), Totals{Claims: 1, Stale: 1}, false},
		{"white space elsewhere", func(w *world) { w.edit("sum.go", "package a\n\n", "package a\n\n\n\n") }, nil, Totals{Claims: 1, Moved: 1}, false},
		{"line ends", func(w *world) { w.Write("sum.go", strings.ReplaceAll(string(w.read("sum.go")), "\n", "\r\n")) }, nil, Totals{Claims: 1}, false},
		{"the cited lines go", func(w *world) {
			w.Write("sum.go", "package a\n\n// Max is the largest.\nconst Max = 10\n")
		}, found(Missing, 2), Totals{Claims: 1, Stale: 1}, false},
		{"the file goes", func(w *world) { w.Git("rm", "-q", "sum.go") }, found(Missing, 0), Totals{Claims: 1, Stale: 1}, false},
		{"the file is renamed", func(w *world) { w.Git("mv", "sum.go", "add.go") }, nil, Totals{Claims: 1, Moved: 1}, false},
		{"the file becomes a link", func(w *world) {
			w.Git("rm", "-q", "sum.go")
			w.Symlink("other.go", "sum.go")
			w.Git("add", "sum.go")
		}, found(Missing, 0), Totals{Claims: 1, Stale: 1}, false},
		{"the file becomes binary", func(w *world) { w.Write("sum.go", "\x00\x01\x02") }, found(Missing, 0), Totals{Claims: 1, Stale: 1}, false},
		{"the file is renamed and a cited line changed", func(w *world) {
			w.Git("mv", "sum.go", "add.go")
			w.edit("add.go", "x + y", "x - y")
		}, found(Missing, 0), Totals{Claims: 1, Stale: 1}, false},
		{"the page alone is edited", func(w *world) { w.edit("openwiki/core.md", "It adds.", "It sums.") }, []Finding{}, Totals{Claims: 1}, true},
		{"a list of pages is made anew", func(w *world) {
			w.Write("openwiki/index.md", "# Wiki\n")
			w.Git("add", "openwiki/index.md")
		}, nil, Totals{Claims: 1}, false},
		{"the page is edited too", func(w *world) {
			w.edit("sum.go", "x + y", "x - y")
			w.edit("openwiki/core.md", "It adds.", "It subtracts.")
		}, found(Changed, 5), Totals{Claims: 1, Stale: 1}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, sum)
			test.change(w)
			report, err := w.check("")
			if err != nil {
				t.Fatal(err)
			}
			if report.Totals != test.totals {
				t.Errorf("totals %+v, want %+v", report.Totals, test.totals)
			}
			var got []Finding
			if len(report.Pages) == 1 {
				got = report.Pages[0].Findings
				if page := report.Pages[0]; page.Path != "/openwiki/core.md" || page.Title != "Core" || page.Edited != test.edited {
					t.Errorf("page %+v", page)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// The same, committed.
			w.Commit("change")
			again, err := w.check("")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(report.Pages, again.Pages); diff != "" {
				t.Errorf("committed it is another answer (-work tree +commit):\n%s", diff)
			}
			if again.WorkTree {
				t.Error("a clean work tree is said to be part of the change")
			}
			// The same, by its name, while something else is checked out in part.
			head := w.Head()
			w.Write("sum.go", "package a\n")
			named, err := w.check(head)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(again, named); diff != "" {
				t.Errorf("as a revision it is another answer (-HEAD +revision):\n%s", diff)
			}
		})
	}
}

// What was stale at the base is not the doing of the change.
func TestCheck_staleBefore(t *testing.T) {
	w := newWorld(t, sum)
	w.edit("sum.go", "x + y", "x - y")
	w.base = w.Commit("an earlier change")
	w.edit("sum.go", "x - y", "x * y")
	head := w.Commit("this change")
	report, err := w.check(head)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Totals{Claims: 1, StaleBefore: 1}); report.Totals != want || len(report.Pages) != 0 {
		t.Errorf("got %+v, %v", report.Totals, report.Pages)
	}
}

// A comparison that cannot be made is an error.
func TestCheck_unknownBase(t *testing.T) {
	w := newWorld(t, sum)
	w.base = strings.Repeat("1", 40)
	if report, err := w.check(""); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("got %+v, %v", report, err)
	}
}

// A wiki without Claims, as another tool leaves it, has nothing that could be stale; pages that the change writes, edits or removes are told.
func TestCheck_noClaims(t *testing.T) {
	w := &world{Repo: gittest.FromTxtar(t, before+"-- openwiki/old.md --\n# Old\n-- openwiki/.claims/README.md --\nnone\n"), t: t}
	w.base = w.Head()
	w.edit("sum.go", "x + y", "x - y")
	w.edit("openwiki/core.md", "It adds.", "It sums.")
	w.Write("openwiki/new.md", "# New\n")
	w.Write("openwiki/.hidden/x.md", "# Hidden\n")
	w.Git("rm", "-q", "openwiki/old.md")
	head := w.Commit("change")
	report, err := w.check(head)
	if err != nil {
		t.Fatal(err)
	}
	want := &Report{SchemaVersion: 1, Exists: true, Base: w.base, Head: head, ChangedFiles: 1, Pages: []Page{
		{Path: "/openwiki/core.md", Title: "Core", Edited: true, Findings: []Finding{}},
		{Path: "/openwiki/new.md", Title: "new.md", Edited: true, Findings: []Finding{}},
		{Path: "/openwiki/old.md", Title: "old.md", Edited: true, Findings: []Finding{}},
	}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := report.Headline(); !strings.HasSuffix(got, " makes none of 0 statements stale") {
		t.Errorf("headline %q", got)
	}
}

func TestCheck_noWiki(t *testing.T) {
	w := &world{Repo: gittest.FromTxtar(t, "-- a.go --\npackage a\n"), t: t}
	w.base = w.Commit("more")
	report, err := w.check("")
	if err != nil || report.Exists || report.Headline() != "there is no wiki to check; wikiwright init writes one" {
		t.Errorf("got %+v, %v", report, err)
	}
}

func TestCheck_canceled(t *testing.T) {
	w := newWorld(t, sum)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	repo, err := gitrepo.Open(t.Context(), w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Changes(ctx, w.base, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
