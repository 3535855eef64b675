//go:build unix

package action_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
)

// run.sh runs the binary it is given, else that of the cache, else it downloads the one that checksums.txt names and compares it.
func TestFindProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("no release for this system")
	}
	program := "#!/bin/sh\necho \"program $1\"\n"
	sum := sha256.Sum256([]byte(program))
	name := fmt.Sprintf("wikiwright_9.9.9_%s_%s", runtime.GOOS, runtime.GOARCH)
	var served atomic.Value
	var requests atomic.Int32
	served.Store(program)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path != "/v9.9.9/"+name {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, served.Load())
	}))
	defer server.Close()
	dir, cache := t.TempDir(), t.TempDir()
	script, err := os.ReadFile(filepath.Join("..", "..", ".github", "action", "run.sh"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("run.sh", string(script))
	run := func(env ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, "run.sh"))
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "RUNNER_TOOL_CACHE=" + cache, "INPUT_DOWNLOAD_URL=" + server.URL}, env...)
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}

	write("checksums.txt", "# none\n")
	if out, err := run(); err == nil || !strings.Contains(out, "::error::checksums.txt names no binary for") {
		t.Errorf("without a sum: %v\n%s", err, out)
	}
	write("checksums.txt", "# sums\n"+hex.EncodeToString(sum[:])+"  "+name+"\n")
	served.Store(program + "# altered\n")
	if out, err := run(); err == nil || !strings.Contains(out, "another checksum") {
		t.Errorf("an altered download: %v\n%s", err, out)
	}
	served.Store(program)
	if out, err := run(); err != nil || out != "program action" {
		t.Errorf("download: %v\n%s", err, out)
	}
	before := requests.Load()
	if out, err := run(); err != nil || out != "program action" || requests.Load() != before {
		t.Errorf("cache: %v, %d requests\n%s", err, requests.Load()-before, out)
	}
	cached := filepath.Join(cache, "wikiwright", "9.9.9", runtime.GOARCH, "wikiwright")
	if err := os.WriteFile(cached, []byte("#!/bin/sh\necho evil\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := run(); err != nil || out != "program action" {
		t.Errorf("an altered cache: %v\n%s", err, out)
	}
	write("given", "#!/bin/sh\necho \"given $1\"\n")
	if out, err := run("INPUT_BINARY=" + filepath.Join(dir, "given")); err != nil || out != "given action" {
		t.Errorf("given: %v\n%s", err, out)
	}
	if out, err := run("INPUT_BINARY=/no/such"); err == nil || !strings.HasPrefix(out, "::error::") {
		t.Errorf("not there: %v\n%s", err, out)
	}
}

// A container runs as root on a checkout that belongs to another user, with a home that is not theirs or not there at all.
func TestRun_foreignCheckout(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	w := newWorld(t, githubtest.Options{})
	if err := filepath.WalkDir(w.dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, 1001, 121)
	}); err != nil {
		t.Fatal(err)
	}
	w.env["HOME"] = "/github/home"
	w.run("checkpoints=0s").want(t, 0, "created")
}
