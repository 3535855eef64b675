package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// defaultKills is how many processes a normal test run kills; WIKIWRIGHT_KILLS asks for more.
const defaultKills = 300

// TestKill kills the program with SIGKILL at random moments, again and again, and lets the next run go on. Whatever was hit, the wiki
// at the end must be that of a run nobody disturbed, no finished page may be lost on the way, and .run.json must be gone.
func TestKill(t *testing.T) {
	kills := defaultKills
	if text := os.Getenv("WIKIWRIGHT_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("WIKIWRIGHT_KILLS: %v", err)
		}
		kills = n
	}
	program := buildProgram(t)
	for _, s := range killScenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			killMany(t, program, s, kills/len(killScenarios)+1)
		})
	}
}

// buildProgram builds the program as it is released: a process is killed that people run, not a test binary.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "wikiwright")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return program
}

// A killScenario is a command over a prepared checkout.
type killScenario struct {
	name    string
	args    []string
	prepare func(t *testing.T, program, dir string)
}

var killScenarios = []killScenario{
	{name: "init", args: []string{"init", "--quiet"}, prepare: func(*testing.T, string, string) {}},
	{name: "update", args: []string{"update", "--quiet"}, prepare: changedAfterWiki},
	{name: "replace", args: []string{"init", "--quiet", "--concurrency", "3"}, prepare: changedAfterWiki},
}

// changedAfterWiki commits a wiki and then a change of the source that adds, edits, moves and deletes.
func changedAfterWiki(t *testing.T, program, dir string) {
	runProgram(t, program, dir, "init", "--quiet")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "wiki")
	store := filepath.Join(dir, "store", "store.go")
	data, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(data), "// Get returns", "// Get looks up and returns", 1) + "\n// Len counts the entries.\nfunc (s *Store) Len() int { return len(s.entries) }\n"
	if err := os.WriteFile(store, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "mv", "store/file.go", "store/disk.go")
	git(t, dir, "rm", "-q", "server/limits.go")
	git(t, dir, "commit", "-q", "-a", "-m", "change")
}

func killMany(t *testing.T, program string, s killScenario, kills int) {
	base := t.TempDir()
	writeFixture(t, base)
	s.prepare(t, program, base)
	reference := copyTree(t, base)
	start := time.Now()
	runProgram(t, program, reference, s.args...)
	duration := time.Since(start)
	want := finishedWiki(t, reference)

	seed := uint64(20261130)
	random := rand.New(rand.NewPCG(seed, uint64(len(s.name))))
	var done atomic.Int64
	for done.Load() < int64(kills) {
		dir := copyTree(t, base)
		for range 1 + random.IntN(4) {
			if !killOnce(t, program, dir, s.args, time.Duration(random.Int64N(int64(duration)*11/10))) {
				break
			}
			done.Add(1)
		}
		kept := completePages(t, dir)
		runProgram(t, program, dir, s.args...)
		checkKept(t, dir, kept)
		if diff := cmp.Diff(want, finishedWiki(t, dir)); diff != "" {
			t.Fatalf("after %d kills (seed %d) the wiki differs (-undisturbed +killed):\n%s", done.Load(), seed, diff)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills over %v", done.Load(), duration)
}

// killOnce reports whether the process was still running when the signal came.
func killOnce(t *testing.T, program, dir string, args []string, after time.Duration) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // a process that ended in time is no error
	err := cmd.Wait()
	timer.Stop()
	if err != nil && cmd.ProcessState.ExitCode() > 0 {
		t.Fatalf("run %v: %v\n%s", args, err, stderr.String())
	}
	return err != nil
}

// completePages returns the bodies of the pages that the run state in dir calls complete.
func completePages(t *testing.T, dir string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "openwiki", ".run.json"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Plan *struct {
			Pages []struct{ Path, Status string }
		}
	}
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatalf("run state is not whole: %v", err)
	}
	kept := map[string]string{}
	if state.Plan == nil {
		return kept
	}
	for _, p := range state.Plan.Pages {
		if p.Status == "complete" {
			kept[p.Path] = body(t, dir, p.Path)
		}
	}
	return kept
}

func checkKept(t *testing.T, dir string, kept map[string]string) {
	t.Helper()
	for page, text := range kept {
		if got := body(t, dir, page); got != text {
			t.Errorf("finished page %s changed after the kill:\n%s", page, cmp.Diff(text, got))
		}
	}
}

func body(t *testing.T, dir, page string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(page)))
	if err != nil {
		t.Fatalf("finished page is gone: %v", err)
	}
	return string(wiki.Parse(data).Body())
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)

// finishedWiki returns every file of the finished wiki, with stamps made equal. A page version is checked and then made equal too,
// for it is a hash over a page with stamps.
func finishedWiki(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, "openwiki"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, relErr := filepath.Rel(dir, name)
		files["/"+filepath.ToSlash(rel)] = string(data)
		if relErr != nil {
			return relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := files["/openwiki/.run.json"]; ok {
		t.Fatal(".run.json is still there after a finished run")
	}
	versions := pageVersions(files)
	for name, text := range files {
		if strings.Contains(name, ".tmp") {
			continue // left by a kill; removed by nobody's finished run, see the check below
		}
		for version, page := range versions {
			text = strings.ReplaceAll(text, version, "version of "+page)
		}
		if name != "/openwiki/.last-update.json" && strings.Contains(text, `"pageVersion": "sha256:`) {
			t.Errorf("%s records a version that no page has", name)
		}
		files[name] = stamp.ReplaceAllString(text, "TIME")
	}
	for name := range files {
		if strings.Contains(name, ".tmp") {
			t.Errorf("temporary file is left behind: %s", name)
		}
	}
	return files
}

func pageVersions(files map[string]string) map[string]string {
	versions := map[string]string{}
	for name, text := range files {
		if strings.HasSuffix(name, ".md") {
			versions[wiki.PageVersion([]byte(text))] = name
		}
	}
	return versions
}

func runProgram(t *testing.T, program, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run %v: %v\n%s", args, err, out)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.invalid", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func copyTree(t *testing.T, from string) string {
	t.Helper()
	to, err := os.MkdirTemp(t.TempDir(), "copy")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(to, "repo"), os.DirFS(from)); err != nil {
		t.Fatal(fmt.Errorf("copy the fixture: %w", err))
	}
	return filepath.Join(to, "repo")
}
