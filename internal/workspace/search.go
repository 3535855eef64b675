package workspace

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of the searches: an author gets an error or a cut list instead of a flood.
const (
	maxMatches     = 1000
	maxMatchLine   = 2000 // bytes of one matching line that are returned
	maxPattern     = 1000
	maxGrepFile    = 16 << 20
	maxBraceGroups = 20
)

// An Entry is one name in a directory.
type Entry struct {
	Name string
	Dir  bool
}

// List returns the readable entries of a directory in order. A directory with nothing readable in it does not exist for an author.
func (w *Workspace) List(ctx context.Context, dir string) ([]Entry, error) {
	rel, err := w.clean(dir)
	if err != nil {
		return nil, err
	}
	names, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	prefix := ""
	if rel != "" {
		prefix = rel + "/"
	}
	seen := map[string]bool{}
	var entries []Entry
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		first, _, nested := strings.Cut(rest, "/")
		if !seen[first] {
			seen[first] = true
			entries = append(entries, Entry{Name: first, Dir: nested})
		}
	}
	if len(entries) == 0 {
		return nil, &AccessError{Path: dir, Reason: "no such directory, or nothing in it is within reach"}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

// Glob returns the readable files that match a pattern with *, ?, **, classes and braces, relative to the repository root.
func (w *Workspace) Glob(ctx context.Context, pattern string) ([]string, error) {
	clean := strings.TrimLeft(strings.ReplaceAll(strings.TrimSpace(pattern), `\`, "/"), "/")
	if len(clean) > maxPattern || strings.Count(clean, "{") > maxBraceGroups || !doublestar.ValidatePattern(clean) {
		return nil, &AccessError{Path: pattern, Reason: "the pattern is not valid or too complex"}
	}
	names, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		if doublestar.MatchUnvalidated(clean, name) {
			found = append(found, name)
		}
	}
	return found, nil
}

// A Match is one line that holds the text looked for.
type Match struct {
	Path string
	Line int
	Text string // at most 2,000 bytes of the line, valid UTF-8
}

// Grep looks for literal text in the readable files below dir whose path matches glob ("" for all). The second result is true when
// the list was cut at 1,000 matches. Binary files and files above 16 MiB are passed over.
func (w *Workspace) Grep(ctx context.Context, text, dir, glob string) ([]Match, bool, error) {
	if text == "" {
		return nil, false, &AccessError{Path: dir, Reason: "the text to look for is empty"}
	}
	names, err := w.grepFiles(ctx, dir, glob)
	if err != nil {
		return nil, false, err
	}
	var found []Match
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, false, fmt.Errorf("search the source: %w", err)
		}
		data, err := w.ReadFile("/" + name)
		if err != nil || len(data) > maxGrepFile || bytes.IndexByte(data, 0) >= 0 {
			continue // a file that vanished or is no text has no lines to show
		}
		found = appendMatches(found, name, data, []byte(text))
		if len(found) > maxMatches {
			return found[:maxMatches], true, nil
		}
	}
	return found, false, nil
}

func (w *Workspace) grepFiles(ctx context.Context, dir, glob string) ([]string, error) {
	rel, err := w.clean(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	if glob == "" {
		names, err = w.Files(ctx)
	} else {
		if !strings.Contains(glob, "/") {
			glob = path.Join("**", glob)
		}
		names, err = w.Glob(ctx, glob)
	}
	if err != nil || rel == "" {
		return names, err
	}
	return slices.DeleteFunc(names, func(name string) bool { return name != rel && !strings.HasPrefix(name, rel+"/") }), nil
}

func appendMatches(found []Match, name string, data, text []byte) []Match {
	line := 1
	for len(data) > 0 && len(found) <= maxMatches {
		current, rest, _ := bytes.Cut(data, []byte("\n"))
		if at := bytes.Index(current, text); at >= 0 {
			found = append(found, Match{Path: name, Line: line, Text: cutLine(current, at)})
		}
		data = rest
		line++
	}
	return found
}

// cutLine keeps the part of a long line that holds the match.
func cutLine(line []byte, at int) string {
	if len(line) > maxMatchLine {
		start := max(0, min(at-maxMatchLine/4, len(line)-maxMatchLine))
		line = line[start : start+maxMatchLine]
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(line), "\r"), "\uFFFD")
}
