//go:build unix

package generate_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/generatetest"
)

// nobody is a user whom modes bind, which they do not bind root.
const nobody = 65534

func TestReadOnlyWiki(t *testing.T) {
	if os.Geteuid() == 0 {
		runAsNobody(t)
		return
	}
	changed := generatetest.W0(t)
	changed.Write("src/a.go", "package other\n")
	readOnly(t, changed, "openwiki", generate.ModeInit)
	readOnly(t, changed, "openwiki", generate.ModeUpdate)
	readOnly(t, generatetest.NewRepo(t, generatetest.R0), ".git", generate.ModeInit)
	readOnly(t, generatetest.NewRepo(t, generatetest.R0), ".", generate.ModeInit)
}

// readOnly checks that a run fails and changes nothing when it may not write
// into a directory.
func readOnly(t *testing.T, c *generatetest.Checkout, dir string, mode generate.Mode) {
	t.Helper()
	c.Chmod(dir, 0o555)
	defer c.Chmod(dir, 0o755)
	before := c.Tree(".")
	if _, err := c.Do(mode, &generatetest.Author{}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("%s with %s read-only: got %v, want it refused", mode, dir, err)
	}
	if diff := cmp.Diff(before, c.Tree(".")); diff != "" {
		t.Errorf("%s with %s read-only: files changed:\n%s", mode, dir, diff)
	}
}

// runAsNobody runs the test once more, in a process of another user.
func runAsNobody(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		path, _ := os.Executable()
		if self, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "generate.test")
	if err := errors.Join(os.WriteFile(program, self, 0o755), os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as user %d: %v\n%s", nobody, err, out)
	}
}
