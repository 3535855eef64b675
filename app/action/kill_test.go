//go:build unix

package action_test

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// defaultKills is how many jobs a normal test run kills; WIKIWRIGHT_ACTION_KILLS asks for more.
const defaultKills = 32

// TestKill kills jobs with SIGKILL at random moments, against git over HTTP. Each next job runs in a new checkout, as on another runner.
// Pages that reached the branch must not be lost or written anew, nobody else's commit may be lost, and at the end there is one pull
// request with the wiki that an undisturbed job makes.
func TestKill(t *testing.T) {
	t.Parallel()
	kills := defaultKills
	if text := os.Getenv("WIKIWRIGHT_ACTION_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	program := buildProgram(t)
	archive, err := os.ReadFile(filepath.Join("..", "..", "cmd", "wikiwright", "testdata", "fixture.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	seed := gittest.FromTxtar(t, string(archive))
	undisturbed := newWorld(t, githubtest.Options{Seed: seed})
	start := time.Now()
	if status, log, _ := undisturbed.spawn(program, time.Hour); status != 0 {
		t.Fatalf("status %d\n%s", status, log)
	}
	duration := time.Since(start)
	want := undisturbed.bodies("openwiki/update")

	const workers = 4
	var done, kept atomic.Int32
	t.Run("workers", func(t *testing.T) {
		for n := range workers {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				k := &killer{program: program, seed: seed, want: want, duration: duration, random: rand.New(rand.NewPCG(20261201, uint64(n)))}
				for k.done < kills/workers {
					k.world(t)
				}
				done.Add(int32(k.done))
				kept.Add(int32(k.kept))
			})
		}
	})
	t.Logf("%d kills over %v, %d of them left pages on the branch", done.Load(), duration, kept.Load())
	if kept.Load() == 0 {
		t.Error("no kill left pages on the branch: the test shows nothing")
	}
}

// A killer kills jobs at random moments.
type killer struct {
	program  string
	seed     *gittest.Repo
	want     map[string]string // the wiki that an undisturbed job makes
	duration time.Duration     // that it takes
	random   *rand.Rand

	done, kept int // kills, and those after which pages were on the branch
}

// world kills jobs in a new repository until one gets through, at most five times, and then lets one run to its end.
func (k *killer) world(t *testing.T) {
	w := newWorld(t, githubtest.Options{Seed: k.seed})
	before := map[string]string{}
	for range 5 {
		w.checkout()
		_, log, killed := w.spawn(k.program, time.Duration(k.random.Int64N(int64(k.duration))))
		now := w.bodies("openwiki/update")
		for name, text := range before {
			if now[name] != text {
				t.Fatalf("%s was on the branch and is another now:\n%s\n%s", name, cmp.Diff(text, now[name]), log)
			}
		}
		before = now
		if !killed {
			break
		}
		k.done++
		if len(now) > 0 {
			k.kept++
		}
	}
	w.checkout()
	status, log, _ := w.spawn(k.program, time.Hour)
	if status != 0 {
		t.Fatalf("status %d after %d kills\n%s", status, k.done, log)
	}
	if len(before) > 0 && !strings.Contains(log, "going on from the pages on branch") {
		t.Errorf("the pages on the branch were not taken up:\n%s", log)
	}
	if diff := cmp.Diff(k.want, w.bodies("openwiki/update")); diff != "" {
		t.Fatalf("after %d kills the wiki is another (-undisturbed +killed):\n%s", k.done, diff)
	}
	if n := len(w.gh.Pulls()); n != 1 {
		t.Errorf("%d pull requests, want 1", n)
	}
	w.gh.NeverEqualsBase("openwiki/update", "main")
	w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
	w.gh.NoLostCommits("github-actions[bot]")
}

// Where a page takes as long as with a model, a job that is killed in the middle of one loses only that page: all pages before it are on the
// branch, but for the last of them while its push is under way.
func TestKill_losesPageInWork(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, githubtest.Options{})
	w.env["OPENWIKI_TEST_PAUSE"] = "3s" // a push takes a fraction of it
	cmd := w.command(program)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// The checkpoint after the first page is told; then the second page is in work.
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "checkpoint: ") {
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if n := len(w.bodies("openwiki/update")); n != 1 {
		t.Fatalf("%d pages are on the branch, want the first", n)
	}
	if n := len(w.gh.Pulls()); n != 0 {
		t.Errorf("%d pull requests: a checkpoint opens none", n)
	}
	delete(w.env, "OPENWIKI_TEST_PAUSE")
	w.checkout()
	status, log, _ := w.spawn(program, time.Hour)
	if status != 0 || !strings.Contains(log, "page 1 of 2: ") || len(w.gh.Pulls()) != 1 {
		t.Errorf("status %d: the next job does not go on with the two pages that are left\n%s", status, log)
	}
}

// A job that is killed while the run puts the whole wiki in order, after its last page, has all pages on the branch.
func TestKill_whileFinishing(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, githubtest.Options{})
	w.env["OPENWIKI_TEST_PAUSE"], w.env["OPENWIKI_TEST_PAUSE_AT"] = "1m", "finalizing"
	cmd := w.command(program)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for len(w.bodies("openwiki/update")) < 3 && lines.Scan() {
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if n := len(w.bodies("openwiki/update")); n != 3 {
		t.Fatalf("%d pages are on the branch, want all three", n)
	}
	if _, ok := w.gh.File("openwiki/update", "openwiki/.last-update.json"); ok || len(w.gh.Pulls()) != 0 {
		t.Error("a checkpoint says that the wiki is complete")
	}
	delete(w.env, "OPENWIKI_TEST_PAUSE")
	w.checkout()
	status, log, _ := w.spawn(program, time.Hour)
	if status != 0 || strings.Contains(log, "page 1 of ") || len(w.gh.Pulls()) != 1 {
		t.Errorf("status %d: the next job writes pages again\n%s", status, log)
	}
}

// TestSignals stops jobs as a runner does. They must end within five seconds with the status of the signal; the next one finishes.
func TestSignals(t *testing.T) {
	program := buildProgram(t)
	for i, after := range []time.Duration{20 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond, 500 * time.Millisecond} {
		signal, want := os.Signal(syscall.SIGINT), 130
		if i%2 == 1 {
			signal, want = syscall.SIGTERM, 143
		}
		w := newWorld(t, githubtest.Options{})
		cmd := w.command(program)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var sent time.Time
		timer := time.AfterFunc(after, func() {
			sent = time.Now()
			_ = cmd.Process.Signal(signal)
		})
		err := cmd.Wait()
		if timer.Stop() || err == nil {
			continue // it was done before
		}
		status, raw := cmd.ProcessState.ExitCode(), cmd.ProcessState.Sys().(syscall.WaitStatus)
		if took := time.Since(sent); took > 5*time.Second || status != want && !(raw.Signaled() && raw.Signal() == signal) {
			t.Errorf("%v after %v: status %d, want %d, took %v\n%s", signal, after, status, want, took, out.String())
		}
		w.checkout()
		if status, log, _ := w.spawn(program, time.Hour); status != 0 || len(w.gh.Pulls()) != 1 {
			t.Errorf("the next job: status %d, %d pull requests\n%s", status, len(w.gh.Pulls()), log)
		}
	}
}

func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "wikiwright")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/wikiwright")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// spawn runs a job as a process and kills it after a time.
func (w *world) spawn(program string, after time.Duration) (status int, log string, killed bool) {
	w.t.Helper()
	cmd := w.command(program)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	status = cmd.ProcessState.ExitCode()
	return status, out.String(), err != nil && status == -1
}

// command is a job as a process of its own.
func (w *world) command(program string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), program, "action")
	cmd.Env = []string{"INPUT_CHECKPOINTS=0s"}
	for name, value := range w.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// bodies returns the pages of a branch without their stamps.
func (w *world) bodies(branch string) map[string]string {
	bodies := map[string]string{}
	if w.gh.Head(branch) == "" {
		return bodies
	}
	for _, name := range w.gh.Files(branch) {
		if !strings.HasPrefix(name, "openwiki/") || !strings.HasSuffix(name, ".md") || strings.HasSuffix(name, "index.md") {
			continue
		}
		text, _ := w.gh.File(branch, name)
		bodies[name] = string(wiki.Parse([]byte(text)).Body())
	}
	return bodies
}
