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
	Time   int64 // committer time in seconds since 1970
	Paths  []string
}

// How far back History looks, counted from the newest commit and not from the clock: a year, which in a quiet repository is too short to
// show a habit, and then as many commits as are needed for one. What the repository was busy with a decade ago says nothing about the work
// on it.
const (
	historyYear   = 365 * 24 * 60 * 60
	historySpan   = 5 * historyYear
	historyRecent = 100
)

// History returns the commits of the first-parent line of HEAD, newest first, with the paths each of them changed: at most limit of them,
// those of the year before the newest commit that changed something outside the directory without, so that committing a wiki does not change
// what is told about the source, or the newest hundred where the year has fewer, but none of more than five years before. A merge counts with
// what it brought to its first parent, so that work that comes in by merge requests is seen. The result is empty before the first commit and
// in a shallow clone, where the last commit would seem to add every file.
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
	recent, err := r.historyLog(ctx, head.Commit, "", historyRecent)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	newest := newestSource(recent, without)
	if len(recent) < historyRecent || recent[len(recent)-1].Time < newest-historyYear {
		recent = slices.DeleteFunc(recent, func(c CommitFiles) bool { return c.Time < newest-historySpan })
		return recent[:min(limit, len(recent))], nil
	}
	commits, err := r.historyLog(ctx, head.Commit, "--since=@"+strconv.FormatInt(newest-historyYear, 10), limit)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return commits, nil
}

// historyLog reads the newest commits, with since those that are not older.
func (r *Repo) historyLog(ctx context.Context, head, since string, limit int) ([]CommitFiles, error) {
	// Every record of a commit begins with an empty one because the format begins with a NUL.
	args := []string{"log", "-z", "-m", "--first-parent", "--no-renames", "--name-only", "--no-show-signature", "--no-ext-diff", "--format=%x00%H %ct"}
	if since != "" {
		args = append(args, since)
	}
	out, err := r.run(ctx, append(args, "--max-count="+strconv.Itoa(limit), head, "--")...)
	if err != nil {
		return nil, err
	}
	return parseHistory(string(out))
}

// newestSource is the time of the newest commit that changed more than the wiki; that of the newest where none did, 0 without commits.
func newestSource(commits []CommitFiles, wiki string) int64 {
	for _, c := range commits {
		if slices.ContainsFunc(c.Paths, func(p string) bool { return !strings.HasPrefix(p, wiki+"/") }) {
			return c.Time
		}
	}
	if len(commits) > 0 {
		return commits[0].Time
	}
	return 0
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
