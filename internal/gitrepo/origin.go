package gitrepo

import (
	"context"
	"fmt"
	"strings"
)

// RemoteURL returns the address of a remote of the checkout, as the user configured it. It may hold a user name and a password, and is
// therefore to be taken apart and not to be shown. A remote that is not configured is "".
func (r *Repo) RemoteURL(ctx context.Context, name string) (string, error) {
	out, err := r.run(ctx, "config", "--get", "--default", "", "remote."+name+".url")
	if err != nil {
		return "", fmt.Errorf("read the address of the remote: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
