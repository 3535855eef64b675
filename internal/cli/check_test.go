package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// The statuses of check are told apart: nothing wrong, no answer, wrong use, and something stale when that was asked for.
func TestCheck_status(t *testing.T) {
	repo := gittest.FromTxtar(t, watchedRepository)
	run := func(out io.Writer, args ...string) (int, string) {
		var errs bytes.Buffer
		return Main(t.Context(), append(args, "--repo", repo.Dir), Streams{Out: out, Err: &errs}, noEnv), errs.String()
	}
	if status, errs := run(io.Discard, "init", "--quiet"); status != ExitDone {
		t.Fatalf("init: status %d, %s", status, errs)
	}
	repo.Commit("wiki")
	repo.Git("switch", "-q", "-c", "topic")
	want := func(status int, args ...string) (stdout string) {
		t.Helper()
		var out bytes.Buffer
		got, errs := run(&out, args...)
		if got != status {
			t.Errorf("%v: status %d, want %d\n%s%s", args, got, status, out.String(), errs)
		}
		if wrong := status == ExitFailed || status == ExitUsage; wrong != strings.HasPrefix(errs, "wikiwright: ") {
			t.Errorf("%v: errors %q", args, errs)
		}
		return out.String()
	}
	want(ExitDone, "check")
	want(ExitDone, "check", "--fail-on", "stale")
	repo.Write("main.go", "package main\n\n// main says goodbye.\nfunc main() { println(\"bye\") }\n")
	if text := want(ExitDone, "check"); !strings.Contains(text, "\n  main.go:3 ") {
		t.Errorf("got %s", text)
	}
	want(ExitIncomplete, "check", "--fail-on", "stale")
	want(ExitIncomplete, "check", "--fail-on", "stale", "--format", "sarif")
	want(ExitIncomplete, "check", "--fail-on", "stale", "--json")
	want(ExitDone, "check", "--fail-on", "stale", "--head", "HEAD") // what is not committed is no part of it

	want(ExitUsage, "check", "--format", "xml")
	want(ExitUsage, "check", "--fail-on", "moved")
	want(ExitUsage, "check", "--base", "nowhere")
	want(ExitUsage, "check", "--head", "nowhere")
	want(ExitUsage, "check", "--wiki-dir", "..")

	if status, _ := run(fullDisk{}, "check", "--json"); status != ExitFailed {
		t.Errorf("no room for the answer: status %d, want %d", status, ExitFailed)
	}
	sidecars, err := filepath.Glob(filepath.Join(repo.Dir, "openwiki", ".claims", "*.json"))
	if err != nil || len(sidecars) == 0 {
		t.Fatal(sidecars, err)
	}
	if err := os.WriteFile(sidecars[0], []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(ExitFailed, "check")
	want(ExitFailed, "check", "--fail-on", "stale") // no answer is not "nothing stale"
}

// The help tells every status.
func TestCheck_help(t *testing.T) {
	var out, errs bytes.Buffer
	if status := Main(t.Context(), []string{"check", "--help"}, Streams{Out: &out, Err: &errs}, noEnv); status != ExitDone {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	const want = "Status 0 whatever is found; 3 when something is stale and --fail-on stale is given; 1 when the comparison cannot be made; " +
		"2 for wrong use, such as a revision that is not there; 130 or 143 when stopped."
	if !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant %q in it", text, want)
	}
}
