package gittest_test

import (
	"os"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

const archive = `
-- README.md --
# demo
-- bin/run (executable) --
#!/bin/sh
-- doc (symlink) --
README.md
`

func TestFromTxtar_sameNames(t *testing.T) {
	t.Setenv("GIT_AUTHOR_NAME", "someone else")
	r := gittest.FromTxtar(t, archive)
	if got, want := r.Git("ls-tree", "-r", "HEAD"), "100644 blob fc72a5c1094e203eefcd1c710f060957ebbbaac4\tREADME.md\n"+
		"100755 blob 1a2485251c33a70432394c93fb89330ef214bfc9\tbin/run\n"+
		"120000 blob 42061c01a1c70097d1e4579f29a5adf40abdec95\tdoc"; got != want {
		t.Errorf("tree\n%s\nwant\n%s", got, want)
	}
	if got, want := r.Head(), "b11817a39c3f9bf9180804d2254899784451a3a5"; got != want {
		t.Errorf("first commit %s, want %s", got, want)
	}
	r.Append("README.md", "more\n")
	r.Remove("doc")
	r.Rename("bin/run", "run")
	if got, want := r.Commit("second"), "9ccfa66a7e4f669e512f508e37dc9d5e2001f1e3"; got != want {
		t.Errorf("second commit %s, want %s", got, want)
	}
	if got, want := r.Git("status", "--short"), ""; got != want {
		t.Errorf("status %q, want %q", got, want)
	}
}

func TestClone(t *testing.T) {
	r := gittest.FromTxtar(t, archive)
	r.Write("b", "b\n")
	head := r.Commit("second")

	shallow := r.ShallowClone(1)
	if got, want := shallow.Git("rev-list", "--count", "HEAD"), "1"; got != want {
		t.Errorf("shallow clone has %s commits, want %s", got, want)
	}
	if got, want := r.Bare().Clone().Head(), head; got != want {
		t.Errorf("the clone of a bare clone is at %s, want %s", got, want)
	}
	full := r.Clone()
	if got, want := full.Git("rev-list", "--count", "HEAD"), "2"; got != want {
		t.Errorf("clone has %s commits, want %s", got, want)
	}
	if got := full.Head(); got != head {
		t.Errorf("clone is at %s, want %s", got, head)
	}
	if _, err := os.Lstat(full.Path("doc")); err != nil {
		t.Error(err)
	}
}
