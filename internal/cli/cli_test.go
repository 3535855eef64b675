package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// noEnv is an environment without variables.
func noEnv(string) string { return "" }

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A result that cannot be printed is a failure and no wrong use.
func TestMain_outputFails(t *testing.T) {
	var stderr bytes.Buffer
	status := Main(t.Context(), []string{"version", "--json"}, Streams{Out: fullDisk{}, Err: &stderr}, noEnv)
	if want := "wikiwright: print the result: no space left\n"; status != ExitFailed || stderr.String() != want {
		t.Errorf("got status %d, %q; want %d, %q", status, stderr.String(), ExitFailed, want)
	}
}

func TestMain_noRepository(t *testing.T) {
	for _, dir := range []string{t.TempDir(), t.TempDir() + "/nowhere"} {
		for _, command := range []string{"init", "update", "status", "reset"} {
			var stdout, stderr bytes.Buffer
			status := Main(t.Context(), []string{command, "--repo", dir}, Streams{Out: &stdout, Err: &stderr}, noEnv)
			if status != ExitUsage || stdout.Len() > 0 {
				t.Errorf("%s: got status %d, output %q; want %d and none", command, status, stdout.String(), ExitUsage)
			}
			lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
			if len(lines) != 2 || !strings.HasPrefix(lines[0], "wikiwright: open repository ") || !strings.HasPrefix(lines[1], "hint: ") {
				t.Errorf("%s: got %q, want one line of error and one of hint", command, stderr.String())
			}
		}
	}
}

func TestMain_wrongUse(t *testing.T) {
	for _, args := range [][]string{
		{"frobnicate"}, {"init", "--nope"}, {"init", "extra"}, {"completion", "bogus"}, {"completion", "bash", "extra"}, {"help", "bogus"},
		{"help", "init", "extra"}, {"update", "--nope", "--json"}, {"--version", "extra"},
	} {
		var stdout, stderr bytes.Buffer
		if status := Main(t.Context(), args, Streams{Out: &stdout, Err: &stderr}, noEnv); status != ExitUsage {
			t.Errorf("%v: got status %d, want %d", args, status, ExitUsage)
		}
		if !strings.HasSuffix(stderr.String(), "\nhint: wikiwright --help lists the commands and flags\n") {
			t.Errorf("%v: got %q, want it to end with the hint", args, stderr.String())
		}
	}
}

func TestExitStatus(t *testing.T) {
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(Stopped{Signal: signal("terminated")})
	if got := exitStatus(stopped, context.Canceled); got != 130 {
		t.Errorf("stopped: got %d, want 130", got)
	}
	if got := exitStatus(t.Context(), errors.New("disk on fire")); got != ExitFailed {
		t.Errorf("failed: got %d, want %d", got, ExitFailed)
	}
	if got := exitStatus(t.Context(), &app.ConfigError{Name: "--x", Err: errors.New("y")}); got != ExitUsage {
		t.Errorf("configuration: got %d, want %d", got, ExitUsage)
	}
}

// signal is one that is not SIGTERM.
type signal string

func (s signal) String() string { return string(s) }
func (signal) Signal()          {}

// Text of a repository cannot steer the terminal that a result is printed on.
func TestPrintResult_control(t *testing.T) {
	var out bytes.Buffer
	printResult(&out, &app.Result{
		Outcome: generate.OutcomePartial,
		Pages:   []app.PageResult{{Path: "/openwiki/a\x1b[2J.md", State: generate.PageSkipped, Reason: "x\u202ey"}},
		Findings: []wiki.Finding{
			{Kind: wiki.KindBrokenLink, Page: "/openwiki/b.md", Line: 3, Message: "there is no \x1b]0;title\a"},
		},
		Notes: []string{"a\rb"},
	}, false)
	want := "partial: 0 pages written; 0 Claims in the wiki\n" +
		"  skipped    /openwiki/a\ufffd[2J.md: x\ufffdy\n" +
		"  broken_link /openwiki/b.md:3: there is no \ufffd]0;title\ufffd\n" +
		"note: a\ufffdb\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestPrintResult(t *testing.T) {
	for name, tc := range map[string]struct {
		result app.Result
		want   string
	}{
		"no-op": {
			app.Result{Outcome: generate.OutcomeNoop, GitHead: "0123456789abcdef", Claims: app.ClaimTotals{Total: 2}, Notes: []string{"1 page has no Claims"}},
			"nothing to do: the wiki is true to 0123456789 (2 Claims)\nnote: 1 page has no Claims\n",
		},
		"no-op of a wiki without Claims": {
			app.Result{Outcome: generate.OutcomeNoop, GitHead: "0123456789abcdef"},
			"nothing to do: no source changed since the last update (no Claims)\n",
		},
		"stale": {
			app.Result{Outcome: generate.OutcomePartial, Totals: app.Totals{Skipped: 1}, Claims: app.ClaimTotals{Total: 9, Stale: 2, Unresolved: 1}},
			"partial: 0 pages written, 1 skipped; 9 Claims in the wiki, 2 stale, 1 unresolved\n",
		},
	} {
		var out bytes.Buffer
		printResult(&out, &tc.result, false)
		if out.String() != tc.want {
			t.Errorf("%s: got %q, want %q", name, out.String(), tc.want)
		}
	}
}
