package gitrepo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// CommitFiles is one commit with the paths it changed.
type CommitFiles struct {
	Commit string
	Time   int64 // author time in seconds since 1970
	Paths  []string
}

// History returns the newest commits of the first-parent line of HEAD that are no merges, newest first, with the paths each of them
// changed. It is empty before the first commit and in a shallow clone, where the last commit would seem to add every file.
func (r *Repo) History(ctx context.Context, limit int) ([]CommitFiles, error) {
	if r.Shallow || limit <= 0 {
		return nil, nil
	}
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head.Unborn() {
		return nil, nil
	}
	// Every record of a commit begins with an empty one because the format begins with a NUL.
	out, err := r.run(ctx, "log", "-z", "--first-parent", "--no-merges", "--no-renames", "--name-only", "--no-show-signature",
		"--no-ext-diff", "--max-count="+strconv.Itoa(limit), "--format=%x00%H %at", head.Commit, "--")
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	commits, err := parseHistory(string(out))
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return commits, nil
}

func parseHistory(out string) ([]CommitFiles, error) {
	var commits []CommitFiles
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		field := fields[i]
		if field == "" && i+1 < len(fields) && isHeader(fields[i+1]) {
			i++
			hash, at, _ := strings.Cut(strings.TrimSuffix(fields[i], "\n"), " ")
			seconds, err := strconv.ParseInt(at, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("malformed commit time %q", at)
			}
			commits = append(commits, CommitFiles{Commit: hash, Time: seconds})
			continue
		}
		if len(commits) == 0 || field == "" {
			continue
		}
		last := &commits[len(commits)-1]
		if len(last.Paths) == 0 {
			// The first path follows the line break that ends the header.
			field = strings.TrimPrefix(field, "\n")
		}
		last.Paths = append(last.Paths, field)
	}
	return commits, nil
}

// isHeader recognises "<object name> <seconds>", which no path can follow an empty record with.
func isHeader(field string) bool {
	hash, at, ok := strings.Cut(strings.TrimSuffix(field, "\n"), " ")
	return ok && len(hash) == 40 && isCommitName(hash) && at != ""
}
