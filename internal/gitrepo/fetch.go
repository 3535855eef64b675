package gitrepo

import (
	"context"
	"fmt"
)

// FetchObjects gets commits, by object name or full ref, with their files from a remote. No branch, tag, tracking ref or FETCH_HEAD
// changes. Commits that are already there are not fetched. In a shallow clone they come without their history, elsewhere with it.
func (r *Repo) FetchObjects(ctx context.Context, remote Remote, wanted ...string) error {
	var missing []string
	for _, name := range wanted {
		if isObjectName(name) {
			have, err := r.hasCommit(ctx, name)
			if err != nil {
				return fmt.Errorf("fetch from the remote: %w", err)
			}
			if have {
				continue
			}
		} else if !isRefName(name) {
			return fmt.Errorf("fetch from the remote: %.100q is neither an object name nor a full ref", name)
		}
		missing = append(missing, name)
	}
	if len(missing) == 0 {
		return nil
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"}
	if r.Shallow {
		args = append(args, "--depth=1")
	}
	args = append(args, "--", remoteArg)
	if _, err := r.remoteRead(ctx, remote, append(args, missing...)...); err != nil {
		return fmt.Errorf("fetch from the remote: %w", err)
	}
	return nil
}
