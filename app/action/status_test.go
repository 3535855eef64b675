package action

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/publish"
)

type signalled struct{}

func (signalled) Error() string   { return "stopped" }
func (signalled) ExitStatus() int { return 143 }

func TestStatus(t *testing.T) {
	failure := errors.New("x")
	for _, test := range []struct {
		name, failOn string
		err          error
		usage        bool
		state        publish.State
		stopped      bool
		want         int
	}{
		{name: "complete", failOn: "error", state: publish.StateComplete, want: 0},
		{name: "partial", failOn: "error", state: publish.StatePartial, want: 0},
		{name: "partial counts", failOn: "partial", state: publish.StatePartial, want: 3},
		{name: "partial never", failOn: "never", state: publish.StatePartial, want: 0},
		{name: "error", failOn: "error", err: failure, state: publish.StateFailed, want: 1},
		{name: "error beside partial", failOn: "partial", err: failure, state: publish.StatePartial, want: 1},
		{name: "error never", failOn: "never", err: failure, want: 0},
		{name: "wrong use never", failOn: "never", err: failure, usage: true, want: 2},
		{name: "signal", failOn: "never", err: failure, stopped: true, want: 143},
	} {
		t.Run(test.name, func(t *testing.T) {
			settings, err := app.Resolve(func(name string) string { return map[string]string{"fail-on": test.failOn}[name] }, nil)
			if err != nil {
				t.Fatal(err)
			}
			j := &job{settings: settings, err: test.err, usage: test.usage}
			if test.state != "" {
				j.bundle = &publish.Bundle{State: test.state}
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if test.stopped {
				cancel(signalled{})
			}
			if got := j.status(ctx); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// What the generation tells decides whether the job fails.
func TestJudgeResult(t *testing.T) {
	settings, err := app.Resolve(func(string) string { return "" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		result app.Result
		want   string
	}{
		{name: "complete", result: app.Result{Totals: app.Totals{Planned: 2, Complete: 2}}},
		{name: "some skipped", result: app.Result{Totals: app.Totals{Planned: 2, Complete: 1, Skipped: 1}}},
		{name: "all skipped", result: app.Result{Totals: app.Totals{Planned: 2, Skipped: 2}, Pages: []app.PageResult{{Reason: "needs a model"}}}, want: "all 2 pages were skipped: needs a model"},
		{name: "failed", result: app.Result{Error: &app.ErrorResult{Code: "conflict", Message: "an interrupted init is in the way"}}, want: "an interrupted init is in the way"},
		{name: "out of time", result: app.Result{Error: &app.ErrorResult{Code: app.CodeStopped, Message: "stopped"}}},
	} {
		var log strings.Builder
		j := newJob(Config{Getenv: func(string) string { return "" }, Out: &log})
		j.settings = settings
		j.judgeResult(t.Context(), &test.result)
		got := ""
		if j.err != nil {
			got = j.err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// The report stays JSON whatever is taken out of it, and holds no secret.
func TestReportStaysJSON(t *testing.T) {
	var log strings.Builder
	temp := t.TempDir()
	env := map[string]string{"RUNNER_TEMP": temp}
	j := newJob(Config{Getenv: func(name string) string { return env[name] }, Out: &log})
	j.secrets = newSecrets([]string{`"mode": "up`}, nil)
	j.report.Mode = "update"
	name, err := j.writeReport()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(data) || !strings.Contains(string(data), `"mode": "update"`) {
		t.Errorf("got\n%s", data)
	}
}
