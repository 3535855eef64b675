package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pageSize is about the size of one page: 500 pages are 2 MB of text.
const pageSize = 4000

// signedLimit is how many files create-pull-request is given in signed mode. It makes one request a file, and waits a second between two
// that write: 100 files take two minutes a step, 500 more than eight.
const signedLimit = 100

// A publisher is a program that turns the changed files of a checkout into a pull request.
type publisher func(checkout string, gh standIn, signed bool) *exec.Cmd

// A publishBench compares publishing with create-pull-request: both get a fresh repository on the same stand-in for GitHub, a checkout as
// actions/checkout leaves it, and the same changed files.
type publishBench struct {
	dir    string // everything is below it
	self   string // the benchmark
	serve  string // the stand-in
	action string // index.js of create-pull-request
	node   string
	files  []int
	rounds int
	slow   bool // also the signed mode with more files than signedLimit
}

// publishing runs all comparisons and prints the table.
func publishing(ctx context.Context, action, node, files string, rounds int, slow bool) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the benchmark: %w", err)
	}
	dir, err := os.MkdirTemp("", "wikiwright-publish-")
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	defer os.RemoveAll(dir)
	b := &publishBench{dir: dir, self: self, serve: filepath.Join(dir, "stand-in"), node: node, rounds: rounds, slow: slow}
	if b.action, err = filepath.Abs(action); err != nil {
		return fmt.Errorf("find create-pull-request: %w", err)
	}
	for field := range strings.SplitSeq(files, ",") {
		n, err := strconv.Atoi(field)
		if err != nil {
			return fmt.Errorf("read the numbers of files: %w", err)
		}
		b.files = append(b.files, n)
	}
	if _, err := output(ctx, ".", "go", "build", "-o", b.serve, "./bench/githubtest"); err != nil {
		return err
	}
	fmt.Println("| changed files | mode | step | ours, median | create-pull-request, median | ratio | CPU time | bar | our calls | its calls |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, n := range b.files {
		if err := b.rows(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// steps are what both programs are timed at, one after the other on the same repository.
var steps = [...]string{"nothing", "new", "changed again", "same again"}

func (b *publishBench) rows(ctx context.Context, n int) error {
	seed := filepath.Join(b.dir, fmt.Sprintf("seed-%d", n))
	if err := makeSeed(ctx, seed, n); err != nil {
		return err
	}
	for _, signed := range []bool{false, true} {
		withOther := !signed || n <= signedLimit || b.slow
		rounds := b.rounds
		if signed && withOther {
			rounds = 1 // its waiting does not vary
		}
		var ours, other [len(steps)][]published
		for range rounds {
			if err := b.series(ctx, seed, n, signed, b.ours, &ours); err != nil {
				return fmt.Errorf("ours, %d files: %w", n, err)
			}
			if !withOther {
				continue
			}
			if err := b.series(ctx, seed, n, signed, b.createPullRequest, &other); err != nil {
				return fmt.Errorf("create-pull-request, %d files: %w", n, err)
			}
		}
		for i, step := range steps {
			fmt.Println(publishRow(n, signed, step, ours[i], other[i]))
		}
	}
	return nil
}

// A published is one run.
type published struct {
	wall, cpu time.Duration // cpu with children, without the stand-in
	calls     int
}

func publishRow(n int, signed bool, step string, ours, other []published) string {
	mode := "push"
	if signed {
		mode = "signed"
	}
	a, aCPU := medians(ours)
	if len(other) == 0 {
		return fmt.Sprintf("| %d | %s | %s | %v | not run | – | – | 0.5 | %d | – |", n, mode, step, round(a), ours[0].calls)
	}
	c, cCPU := medians(other)
	ratio, verdict := float64(a)/float64(c), ""
	if ratio > 0.5 {
		verdict = " (missed)"
	}
	return fmt.Sprintf("| %d | %s | %s | %v | %v | %.2f | %.2f | 0.5%s | %d | %d |",
		n, mode, step, round(a), round(c), ratio, float64(aCPU)/float64(cCPU), verdict, ours[0].calls, other[0].calls)
}

func medians(runs []published) (wall, cpu time.Duration) {
	var walls, cpus []time.Duration
	for _, run := range runs {
		walls, cpus = append(walls, run.wall), append(cpus, run.cpu)
	}
	return median(walls), median(cpus)
}

// series runs all steps of one program on a repository of its own.
func (b *publishBench) series(ctx context.Context, seed string, n int, signed bool, program publisher, into *[len(steps)][]published) error {
	dir, err := os.MkdirTemp(b.dir, "run-")
	if err != nil {
		return fmt.Errorf("prepare a run: %w", err)
	}
	defer os.RemoveAll(dir)
	gh, stop, err := startStandIn(ctx, b.serve, seed, dir)
	if err != nil {
		return err
	}
	defer stop()
	for i, step := range steps {
		checkout := filepath.Join(dir, "checkout-"+strconv.Itoa(i))
		if err := gh.checkout(ctx, checkout); err != nil {
			return err
		}
		if i > 0 {
			if err := writePages(checkout, n, min(i, 2)); err != nil {
				return err
			}
		}
		if _, err := gh.state(); err != nil {
			return err
		}
		cmd := program(checkout, gh, signed)
		var log strings.Builder
		cmd.Stdout, cmd.Stderr = &log, &log
		start := time.Now()
		err := cmd.Run()
		wall := time.Since(start)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", step, err, log.String())
		}
		state, err := gh.state()
		if err != nil {
			return err
		}
		if i > 0 && (state.Pulls != 1 || state.Changed != n) || i == 0 && state.Pulls+state.Writes != 0 {
			return fmt.Errorf("%s: %d pull requests with %d changed files, want 1 with %d\n%s", step, state.Pulls, state.Changed, n, log.String())
		}
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		into[i] = append(into[i], published{wall, cpu, len(state.Calls)})
	}
	return nil
}

// ours is this program, in the mode that only publishes.
func (b *publishBench) ours(checkout string, gh standIn, signed bool) *exec.Cmd {
	cmd := exec.Command(b.self, "-publish-checkout", checkout, "-signed="+strconv.FormatBool(signed))
	cmd.Env = append(gh.environment(), "GITHUB_TOKEN="+gh.Token)
	return cmd
}

// createPullRequest is the action as the runner starts it, with the defaults of its inputs.
func (b *publishBench) createPullRequest(checkout string, gh standIn, signed bool) *exec.Cmd {
	cmd := exec.Command(b.node, b.action)
	cmd.Dir = checkout
	const bot = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"
	inputs := map[string]string{
		"token": gh.Token, "path": checkout, "commit-message": "docs: update OpenWiki", "committer": bot, "author": bot, "signoff": "false",
		"branch": "openwiki/update", "delete-branch": "false", "sign-commits": strconv.FormatBool(signed), "title": "docs: update OpenWiki", "body": "text",
		"draft": "false", "maintainer-can-modify": "true",
	}
	cmd.Env = gh.environment()
	for name, value := range inputs {
		cmd.Env = append(cmd.Env, "INPUT_"+strings.ToUpper(name)+"="+value)
	}
	slices.Sort(cmd.Env)
	cmd.Env = append(cmd.Env, "GITHUB_WORKSPACE="+checkout, "RUNNER_ENVIRONMENT=github-hosted", "RUNNER_TEMP="+filepath.Dir(checkout))
	return cmd
}

// A standIn is a running stand-in for GitHub.
type standIn struct {
	Server, API, GraphQL, Clone, Repository, Token, Certificate string

	ask   io.Writer
	reply *json.Decoder
	home  string
}

// A standInState is what happened since the last time.
type standInState struct {
	Calls   []string
	Writes  int
	Pulls   int
	Changed int // files of the open pull request
}

func startStandIn(ctx context.Context, program, seed, dir string) (standIn, func(), error) {
	cmd := exec.CommandContext(ctx, program, seed, dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return standIn{}, nil, fmt.Errorf("start the stand-in: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return standIn{}, nil, fmt.Errorf("start the stand-in: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return standIn{}, nil, fmt.Errorf("start the stand-in: %w", err)
	}
	stop := func() { errors.Join(in.Close(), cmd.Wait()) }
	gh := standIn{ask: in, reply: json.NewDecoder(bufio.NewReader(out)), home: filepath.Join(dir, "home")}
	err = errors.Join(gh.reply.Decode(&gh), writeFile(filepath.Join(gh.home, ".gitconfig"), "[http]\n\tsslCAInfo = "+gh.Certificate+"\n"))
	if err != nil {
		stop()
		return standIn{}, nil, fmt.Errorf("start the stand-in: %w", err)
	}
	return gh, stop, nil
}

func (gh standIn) state() (standInState, error) {
	var state standInState
	if _, err := io.WriteString(gh.ask, "state\n"); err != nil {
		return state, fmt.Errorf("ask the stand-in: %w", err)
	}
	if err := gh.reply.Decode(&state); err != nil {
		return state, fmt.Errorf("ask the stand-in: %w", err)
	}
	return state, nil
}

// environment is that of a step on a runner, for a program that trusts the stand-in's certificate.
func (gh standIn) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + gh.home, "TMPDIR=" + os.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"SSL_CERT_FILE=" + gh.Certificate, "GIT_SSL_CAINFO=" + gh.Certificate, "NODE_EXTRA_CA_CERTS=" + gh.Certificate,
		"GITHUB_ACTIONS=true", "GITHUB_API_URL=" + gh.API, "GITHUB_GRAPHQL_URL=" + gh.GraphQL, "GITHUB_SERVER_URL=" + gh.Server,
		"GITHUB_REPOSITORY=" + gh.Repository, "GITHUB_ACTOR=ada", "GITHUB_ACTOR_ID=1815", "GITHUB_REF=refs/heads/main", "GITHUB_RUN_ID=1",
	}
}

// checkout makes a work tree as actions/checkout does: one commit, with a remote whose branches can be tracked.
func (gh standIn) checkout(ctx context.Context, dir string) error {
	for _, args := range [][]string{
		{"init", "--quiet", dir}, {"-C", dir, "remote", "add", "origin", gh.Server + "/" + gh.Repository},
		{"-C", dir, "fetch", "--quiet", "--no-tags", "--depth=1", "origin", "+refs/heads/main:refs/remotes/origin/main"},
		{"-C", dir, "checkout", "--quiet", "--force", "-B", "main", "refs/remotes/origin/main"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Env = gh.environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("make a checkout: %w\n%s", err, out)
		}
	}
	return nil
}

// makeSeed makes the repository before the change: some source and a wiki of n pages.
func makeSeed(ctx context.Context, dir string, n int) error {
	if err := writePages(dir, n, 0); err != nil {
		return err
	}
	for i := range 100 {
		name := filepath.Join(dir, "src", fmt.Sprintf("file%d.go", i))
		if err := writeFile(name, fmt.Sprintf("package src\n\n// F%d does one thing.\nfunc F%d() {}\n", i, i)); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"}, {"add", "--all"},
		{"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message=seed"},
	} {
		if _, err := output(ctx, dir, append([]string{"git"}, args...)...); err != nil {
			return err
		}
	}
	return nil
}

// writePages writes n pages, with another text in each version.
func writePages(dir string, n, version int) error {
	for i := range n {
		var text strings.Builder
		fmt.Fprintf(&text, "---\ntype: component\ntitle: Page %d\ndescription: What part %d does.\n---\n\n# Page %d\n", i, i, i)
		for line := 0; text.Len() < pageSize; line++ {
			fmt.Fprintf(&text, "\nStatement %d of page %d in version %d says what `F%d` does.\n", line, i, version, line%100)
		}
		if err := writeFile(pageName(dir, i), text.String()); err != nil {
			return err
		}
	}
	return nil
}

func pageName(dir string, i int) string {
	return filepath.Join(dir, "openwiki", fmt.Sprintf("part-%d", i/100), fmt.Sprintf("page-%d.md", i))
}

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("write the pages: %w", err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the pages: %w", err)
	}
	return nil
}
