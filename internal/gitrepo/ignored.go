package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// Ignored tells whether git ignores a path by the rules of the work tree, of the repository or of the user, tracked or not. The path need
// not exist.
func (r *Repo) Ignored(ctx context.Context, path string) (bool, error) {
	cmd := command(ctx, r.git, r.Root, "check-ignore", "--no-index", "--quiet", "--", path)
	cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=0") // the one command that knows no literal paths
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return false, nil
	}
	return false, fmt.Errorf("ask whether %s is ignored: %w", path, err)
}
