package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CommitFiles is one commit with the paths it changed.
type CommitFiles struct {
	Commit string
	Time   int64 // author time in seconds since 1970
	Paths  []string
}

// historySpan is how far back History looks, counted from the newest commit and not from the clock: what the repository was busy with a
// decade ago says nothing about the work on it.
const historySpan = 365 * 24 * 60 * 60

// History returns the commits of the first-parent line of HEAD, newest first, with the paths each of them changed: at most limit of them,
// and none that is a year older than the newest commit that changed something outside the directory without, so that committing a wiki
// does not change what is told about the source. A merge counts with what it brought to its first parent, so that work that comes in by merge
// requests is seen. The result is empty before the first commit and in a shallow clone, where the last commit would seem to add every file.
func (r *Repo) History(ctx context.Context, limit int, without string) ([]CommitFiles, error) {
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
	since, err := r.historyStart(ctx, head.Commit, without)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	// Every record of a commit begins with an empty one because the format begins with a NUL.
	out, err := r.run(ctx, "log", "-z", "-m", "--first-parent", "--no-renames", "--name-only", "--no-show-signature", "--no-ext-diff",
		"--since="+strconv.FormatInt(since, 10), "--max-count="+strconv.Itoa(limit), "--format=%x00%H %at", head.Commit, "--")
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	commits, err := parseHistory(string(out))
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return commits, nil
}

// historyRecent is how many commits are looked at for one that changed more than the wiki.
const historyRecent = 100

// historyStart returns the time in seconds since 1970 before which commits are too old to count.
func (r *Repo) historyStart(ctx context.Context, head, without string) (int64, error) {
	out, err := r.run(ctx, "log", "-z", "-m", "--first-parent", "--no-renames", "--name-only", "--no-show-signature", "--no-ext-diff",
		"--max-count="+strconv.Itoa(historyRecent), "--format=%x00%H %ct", head, "--")
	if err != nil {
		return 0, err
	}
	commits, err := parseHistory(string(out))
	if err != nil || len(commits) == 0 {
		return 1, err
	}
	newest := commits[0]
	for _, c := range commits {
		if slices.ContainsFunc(c.Paths, func(p string) bool { return !strings.HasPrefix(p, without+"/") }) {
			newest = c
			break
		}
	}
	return max(1, newest.Time-historySpan), nil
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
