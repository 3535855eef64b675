package survey

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/source"

	"context"
)

// TestDump prints the survey of a checkout: go test -run TestDump . -args DIR
func TestDump(t *testing.T) {
	if flag.NArg() == 0 {
		t.Skip("no directory given")
	}
	start := time.Now()
	repo := readCheckout(t, flag.Arg(0), 2)
	took := time.Since(start)
	dump(os.Stdout, repo)
	fmt.Printf("took %v\n", took.Round(time.Millisecond))
}

func readCheckout(t *testing.T, dir string, concurrency int) *Repository {
	t.Helper()
	ctx := t.Context()
	git, err := gitrepo.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	root, err := atomicfile.Open(git.Root)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	src, err := source.Open(ctx, git, root, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	history := func(ctx context.Context) ([]gitrepo.CommitFiles, error) { return git.History(ctx, 400, "openwiki") }
	repo, err := Read(ctx, Options{Source: src, History: history, Concurrency: concurrency})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func (r Ref) short() string {
	if r.Path == "" {
		return "NOREF"
	}
	return fmt.Sprintf("%s:%d-%d", r.Path, r.Start, r.End)
}

func dump(w io.Writer, repo *Repository) {
	p := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	fact := func(f Fact) string {
		if f.Text == "" {
			return "-"
		}
		return fmt.Sprintf("%q [%s]", f.Text, f.Ref.short())
	}
	p("NAME %s [%s]\nDESC %s\nLICENSE %s\nRELEASE %s", repo.Name, repo.NameRef.short(), fact(repo.Description), fact(repo.License), fact(repo.Release))
	for _, l := range repo.Languages {
		p("LANG %s files=%d lines=%d", l.Name, l.Files, l.Lines)
	}
	for _, m := range repo.Modules {
		p("MODULE %s %s %s name=%s v=%s req=%s desc=%s ws=%v", m.Dir, m.Ecosystem, m.Manifest, m.Name, m.Version.Text, m.Requires.Text, fact(m.Description), m.Workspace)
	}
	for _, c := range repo.Components {
		p("COMP %s title=%q dir=%s role=%s lang=%s layer=%d lines=%d pkgs=%d doc=%s cycle=%v", c.ID, c.Title, c.Dir, c.Role, c.Language, c.Layer, c.Lines, len(c.Packages), fact(c.Doc), c.Cycle)
		var uses, by []string
		for _, g := range c.Groups {
			p("     group %s %d %s", g.Name, len(g.Files), fact(g.Doc))
		}
		for _, e := range c.Uses {
			uses = append(uses, fmt.Sprintf("%s×%d", e.To, e.Count))
		}
		for _, e := range c.UsedBy {
			by = append(by, fmt.Sprintf("%s×%d", e.To, e.Count))
		}
		p("     uses %s", strings.Join(uses, " "))
		p("     by   %s", strings.Join(by, " "))
		for i, pk := range c.Packages {
			if i < 12 {
				p("     pkg %s name=%s %s role=%s f=%d t=%d imp=%d doc=%s ext=%v", pk.Dir, pk.Name, pk.Language, pk.Role, len(pk.Files), len(pk.Tests), len(pk.Imports), fact(pk.Doc), cap10(pk.Externals))
			}
		}
	}
	for _, e := range repo.Externals {
		p("EXT %s %s dev=%v [%s] by=%v", e.Name, e.Version, e.Dev, e.Ref.short(), e.UsedBy)
	}
	for _, g := range repo.Programs {
		var names []string
		for _, c := range g.Commands {
			names = append(names, c.Name)
		}
		p("PROG %s kind=%s entry=%s comp=%s doc=%s cmds=%v", g.Name, g.Kind, g.Entry.short(), g.Component, fact(g.Doc), cap10(names))
	}
	for _, c := range repo.Commands {
		p("CMD %-9s %s (in %s) runs=%q src=%s [%s]", c.Purpose, c.Line, c.Dir, c.Runs, c.Source, c.Ref.short())
	}
	for _, f := range repo.Workflows {
		p("CI %s %s on=%v", f.Name, f.File, f.On)
		for _, j := range f.Jobs {
			p("   job %s", fact(j))
		}
	}
	for _, c := range repo.Containers {
		p("CONTAINER %s %s base=%s", c.Name, c.File, c.Base)
		for _, f := range c.Facts {
			p("   %s", fact(f))
		}
	}
	for i, c := range repo.Config {
		if i < 400 {
			p("CONFIG %s %s default=%q usage=%q comp=%s refs=%d [%s]", c.Kind, c.Name, c.Default, c.Usage, c.Component, len(c.Refs), c.Refs[0].short())
		}
	}
	p("CONFIG total %d", len(repo.Config))
	for _, d := range repo.Docs {
		p("DOC %s title=%q first=%s", d.Path, d.Title, fact(d.First))
	}
	for _, name := range sortedKeys(repo.Told) {
		p("TOLD %s: %s", name, fact(repo.Told[name]))
	}
	for i, g := range repo.Generated {
		if i < 30 {
			p("GEN %s", g.short())
		}
	}
	for _, h := range repo.Hot {
		p("HOT %s component=%v with=%v", h.Path, h.Component, h.With)
	}
}

func cap10(s []string) []string { return s[:min(len(s), 10)] }
