package gitrepo

import (
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// In a container the checkout often belongs to another user than the process. Git has a variable that makes it believe so.
func TestCommand_otherOwner(t *testing.T) {
	const otherOwner = "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"
	r := gittest.FromTxtar(t, "-- a.txt --\na\n")
	r.Git("submodule", "--quiet", "add", gittest.FromTxtar(t, "-- a.txt --\na\n").Dir, "sub")
	r.Commit("add a submodule")
	r.Write("sub/a.txt", "changed\n")
	git, err := lookGit()
	if err != nil {
		t.Fatal(err)
	}
	status := func(without string) (string, error) {
		cmd := command(t.Context(), git, r.Dir, "status", "--porcelain")
		env := []string{otherOwner}
		for _, variable := range cmd.Env {
			if without == "" || !strings.HasPrefix(variable, without) {
				env = append(env, variable)
			}
		}
		cmd.Env = env
		out, err := cmd.Output()
		return string(out), err
	}
	if out, err := status(""); err != nil || out != " M sub\n" {
		t.Errorf("got %q, %v; want that the submodule changed", out, err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if out, err := status("GIT_CONFIG_"); err == nil {
		t.Errorf("without our settings: got %q, want that git refuses", out)
	}
}
