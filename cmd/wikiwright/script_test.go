package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wikiwright/wikiwright/generate/agent/agenttest"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"wikiwright": main})
}

// TestScripts runs every behaviour of the command line as a script with its files in it. MODEL_URL is the address of a model, see serveModel.
// Custom commands:
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
			env.Setenv("MODEL_URL", serveModel(t)+"/v1")
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

// serveModel starts a model that writes two pages about a program that greets, for the key sk-script-key, and returns its address.
func serveModel(t *testing.T) string {
	const prose = "The greeting is made in one place, and whoever calls it can rely on what it promises. Nothing is remembered between two calls, so that they may come " +
		"from several places at the same time. A name that is empty is the business of the caller, who has to look before it asks for a greeting.\n\n"
	writer := agenttest.Writer{
		Update: []string{"greet.md"},
		Pages: []agenttest.Page{
			{Path: "quickstart.md", Title: "Start here", Seed: "main.go", Text: prose + "See [the greeting](greet.md).\n",
				Claims: []agenttest.Claim{{Statement: "The program prints what `Greet` returns.", Resource: "repo://main.go#L6"}}},
			{Path: "greet.md", Title: "The greeting", Seed: "greet/greet.go", Text: prose + "See [the way in](quickstart.md).\n",
				Claims: []agenttest.Claim{{Statement: "`Greet` puts the name behind the word hello.", Resource: "repo://greet/greet.go#L4"}}},
		},
	}
	server := llmtest.ServeWith(t, func(r *llmtest.Request) llmtest.Step {
		if r.Header.Get("Authorization") != "Bearer sk-script-key" {
			return llmtest.Refuse(401, `{"error":{"message":"Incorrect API key provided: `+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+`"}}`)
		}
		return writer.Script(r)
	}, llmtest.Settings{AnyAuth: true})
	return server.URL
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
