package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"wikiwright": main})
}

// TestScripts runs every behaviour of the command line as a script with its files in it. Custom commands:
//
//	gitinit        make $WORK/repo a repository with everything in it committed
//	commit MESSAGE commit everything in the current directory
//	snapshot NAME  record every file below the current directory
//	unchanged NAME fail unless the files are those of the snapshot, byte for byte
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GIT_AUTHOR_NAME", "Ann Author")
			env.Setenv("GIT_AUTHOR_EMAIL", "ann@example.invalid")
			env.Setenv("GIT_COMMITTER_NAME", "Ann Author")
			env.Setenv("GIT_COMMITTER_EMAIL", "ann@example.invalid")
			env.Setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
			env.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
			return os.MkdirAll(filepath.Join(env.WorkDir, ".snapshots"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"gitinit":   gitInit,
			"commit":    commit,
			"snapshot":  takeSnapshot,
			"unchanged": compareSnapshot,
		},
	})
}

func gitInit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: gitinit")
	}
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main"))
	commit(ts, false, []string{"start"})
}

func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commit MESSAGE")
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "--allow-empty", "-m", args[0]))
}
