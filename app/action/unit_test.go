package action

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

// A value cannot end early, whatever it holds; the fixed delimiter of go-githubactions would let this one set an output.
func TestFileCommand(t *testing.T) {
	name := filepath.Join(t.TempDir(), "output")
	value := "a title\n_GitHubActionsFileCommandDelimeter_\nadmin<<x\ntrue\nx\nEOF"
	if err := fileCommand(name, "title", value); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	delimiter, ok := strings.CutPrefix(first, "title<<")
	if !ok || rest != value+"\n"+delimiter+"\n" || strings.Contains(value, delimiter) {
		t.Errorf("got\n%s", data)
	}
	if err := fileCommand(name, "a=b", "x"); err == nil {
		t.Error("a name that sets another is accepted")
	}
	if err := fileCommand(filepath.Join(t.TempDir(), "no", "such"), "a", "x"); err == nil {
		t.Error("a file that cannot be written is no error")
	}
}

func TestSecrets(t *testing.T) {
	pem := "-----BEGIN KEY-----\nMIIcanaryLine1==\nMIIcanaryLine2==\n-----END KEY-----\n"
	s := newSecrets([]string{"ghs_canary&token/1"}, []string{
		"ANTHROPIC_API_KEY=sk-ant-canary", "APP_PRIVATE_KEY=" + pem, "OPENWIKI_MAX_OUTPUT_TOKENS=canaryNumber", "PATH=/canary/bin", "DB_PASSWORD=x", "EMPTY_TOKEN=",
	})
	for _, hidden := range []string{
		"ghs_canary&token/1", url.QueryEscape("ghs_canary&token/1"), `ghs_canary\u0026token/1`,
		base64.StdEncoding.EncodeToString([]byte("ghs_canary&token/1")), base64.StdEncoding.EncodeToString([]byte("x-access-token:ghs_canary&token/1")),
		"sk-ant-canary", base64.RawURLEncoding.EncodeToString([]byte("sk-ant-canary")), "MIIcanaryLine1==", "MIIcanaryLine2==",
	} {
		if got := s.redact("before " + hidden + " after"); got != "before *** after" {
			t.Errorf("%q: got %q", hidden, got)
		}
		if !slices.Contains(s.masks(), hidden) {
			t.Errorf("%q is not masked", hidden)
		}
	}
	for _, shown := range []string{"canaryNumber", "/canary/bin", "x marks the spot"} {
		if got := s.redact(shown); got != shown {
			t.Errorf("%q: got %q", shown, got)
		}
	}
	for _, mask := range s.masks() {
		if strings.ContainsAny(mask, "\r\n") || len(mask) < minimum {
			t.Errorf("mask %q", mask)
		}
	}
}

// Nothing in text is taken for a command by a runner, in the new form or the old one, and a debug log shows no secret.
func TestConsole(t *testing.T) {
	var out bytes.Buffer
	s := newSecrets([]string{"ghs_canary"}, nil)
	c := newConsole(&out, s, true, true, safetext.Log)
	c.line("::add-mask::x\n  ::set-output name=a::b\n##[error]no\r\n::error::ghs_canary")
	c.notice("title ::error::x\n::warning::y % ghs_canary")
	c.logger().With("k", "::stop-commands::x").Debug("calling", "token", "ghs_canary")
	end := c.group("::endgroup::")
	end()
	want := []string{
		": :add-mask: :x", ": :set-output name=a: :b", "## [error]no", ": :error: :***",
		"::notice::title : :error: :x : :warning: :y %25 ***", "::debug::calling k=: :stop-commands: :x token=***",
		"::group::: :endgroup: :", "::endgroup::",
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.TrimRight(line, " \n"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestChildEnviron(t *testing.T) {
	got := childEnviron([]string{
		"PATH=/bin", "HOME=/root", "GITHUB_TOKEN=ghs_x", "GH_TOKEN=y", "INPUT_TOKEN=ghs_x", "ACTIONS_RUNTIME_TOKEN=z", "RUNNER_TEMP=/t",
		"ANTHROPIC_API_KEY=k", "OPENWIKI_PROVIDER=anthropic", "COPILOT_API_KEY=ghs_x", "GIT_ASKPASS=a", "MY_SECRET=s", "NOT A VARIABLE", "HTTPS_PROXY=http://p",
		"WIKIWRIGHT_WORKFLOW_TOKEN=ghs_x",
	}, []string{"ghs_x"})
	want := []string{"PATH=/bin", "HOME=/root", "ANTHROPIC_API_KEY=k", "OPENWIKI_PROVIDER=anthropic", "HTTPS_PROXY=http://p"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJudge(t *testing.T) {
	ours := func(branch string) bool { return branch == "openwiki/update" }
	for _, test := range []struct {
		name, event, ref, mode, payload string
		forks                           bool
		want                            string // "", quiet or refused
	}{
		{name: "schedule", event: "schedule"},
		{name: "schedule in a fork", event: "schedule", payload: `{"repository":{"fork":true}}`, want: "quiet"},
		{name: "schedule in a fork that wants it", event: "schedule", payload: `{"repository":{"fork":true}}`, forks: true},
		{name: "by hand in a fork", event: "workflow_dispatch", payload: `{"repository":{"fork":true}}`},
		{name: "repository_dispatch", event: "repository_dispatch"},
		{name: "push", event: "push", ref: "refs/heads/main"},
		{name: "push to our branch", event: "push", ref: "refs/heads/openwiki/update", want: "quiet"},
		{name: "push of a tag", event: "push", ref: "refs/tags/v1", want: "quiet"},
		{name: "deleted branch", event: "push", ref: "refs/heads/x", payload: `{"deleted":true}`, want: "quiet"},
		{name: "pull request", event: "pull_request", mode: "update", want: "refused"},
		{name: "check of a pull request", event: "pull_request", mode: "check"},
		{name: "check of a pull request from a fork", event: "pull_request", mode: "check", payload: `{"pull_request":{"head":{"repo":{"fork":true}}}}`},
		{name: "pull_request_target", event: "pull_request_target", mode: "check", want: "refused"},
		{name: "issue_comment", event: "issue_comment", want: "refused"},
		{name: "workflow_run", event: "workflow_run", payload: `{"repository":{"full_name":"a/b"},"workflow_run":{"event":"push","head_repository":{"full_name":"a/b"}}}`},
		{name: "workflow_run of a fork", event: "workflow_run", payload: `{"repository":{"full_name":"a/b"},"workflow_run":{"event":"push","head_repository":{"full_name":"evil/b"}}}`, want: "refused"},
		{name: "workflow_run of a pull request", event: "workflow_run", payload: `{"repository":{"full_name":"a/b"},"workflow_run":{"event":"pull_request","head_repository":{"full_name":"a/b"}}}`, want: "refused"},
		{name: "workflow_run without origin", event: "workflow_run", payload: `{"repository":{"full_name":"a/b"},"workflow_run":{}}`, want: "refused"},
		{name: "release", event: "release", want: "refused"},
		{name: "no workflow", want: "refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &event{}
			if test.payload != "" {
				if err := json.Unmarshal([]byte(test.payload), e); err != nil {
					t.Fatal(err)
				}
			}
			e.Name, e.Ref = test.event, test.ref
			v := e.judge(test.mode, test.forks, ours)
			got := ""
			switch {
			case v.err != nil:
				got = "refused"
			case v.quiet != "":
				got = "quiet"
			}
			if got != test.want {
				t.Errorf("got %q (%v%s), want %q", got, v.err, v.quiet, test.want)
			}
		})
	}
}

func TestBase(t *testing.T) {
	e := &event{Name: "push", Ref: "refs/heads/release/1"}
	e.Repository.DefaultBranch = "main"
	if got, err := e.base(""); err != nil || got != "release/1" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := e.base("develop"); err != nil || got != "develop" {
		t.Errorf("got %q, %v", got, err)
	}
	e.Name, e.Ref = "workflow_dispatch", "refs/tags/v1"
	if got, err := e.base(""); err == nil {
		t.Errorf("a tag is taken for the base %q", got)
	}
}

// Pushes come one at a time and not more often than once in the interval; a page that had to wait is pushed when it is over, though no
// other page follows.
func TestCheckpointer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var pushes []time.Duration
		running := 0
		c := &checkpointer{every: time.Minute, push: func(context.Context) error {
			if running++; running > 1 {
				t.Error("two pushes at a time")
			}
			pushes = append(pushes, time.Since(begin))
			time.Sleep(10 * time.Second)
			running--
			return nil
		}, fail: func(err error) { t.Error(err) }}
		for _, page := range []time.Duration{0, 7, 20, 61, 70, 300, 301, 306} {
			time.Sleep(page*time.Second - time.Since(begin))
			c.page(t.Context())
		}
		time.Sleep(200 * time.Second)
		synctest.Wait()
		// A page waits 5 seconds, or for the minute to be over; a push takes 10.
		want := []time.Duration{5 * time.Second, 65 * time.Second, 125 * time.Second, 305 * time.Second, 365 * time.Second}
		if diff := cmp.Diff(want, pushes); diff != "" {
			t.Errorf("pushes (-want +got):\n%s", diff)
		}
		c.page(t.Context()) // waits, and the end comes first
		if n := c.stop(); n != 5 {
			t.Errorf("%d pushes, want 5", n)
		}
		c.page(t.Context())
		time.Sleep(time.Hour)
		if c.stop() != 5 {
			t.Error("a push after the end")
		}
	})
}

// Without an interval every page is pushed at once, and those that were finished during a push by one more.
func TestCheckpointer_always(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var pushes []time.Duration
		c := &checkpointer{push: func(context.Context) error {
			pushes = append(pushes, time.Since(begin))
			time.Sleep(10 * time.Second)
			return nil
		}, fail: func(err error) { t.Error(err) }}
		for _, page := range []time.Duration{0, 1, 2, 30} {
			time.Sleep(page*time.Second - time.Since(begin))
			c.page(t.Context())
		}
		if n := c.stop(); n != 3 {
			t.Errorf("%d pushes, want 3", n)
		}
		if diff := cmp.Diff([]time.Duration{0, 10 * time.Second, 30 * time.Second}, pushes); diff != "" {
			t.Errorf("pushes (-want +got):\n%s", diff)
		}
	})
}

// A push that fails is told and tried again after the next page; none begins after the run was stopped.
func TestCheckpointer_fails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tried, told := 0, 0
		c := &checkpointer{every: time.Minute, push: func(context.Context) error {
			tried++
			return errors.New("no network")
		}, fail: func(error) { told++ }}
		c.page(ctx)
		time.Sleep(2 * time.Minute)
		c.page(ctx)
		time.Sleep(settle + 1)
		cancel()
		time.Sleep(2 * time.Minute)
		c.page(ctx)
		if n := c.stop(); n != 0 || tried != 2 || told != 2 {
			t.Errorf("%d pushes, %d tried, %d told; want 0, 2, 2", n, tried, told)
		}
	})
}
