package evidence

import (
	"bytes"
	"context"
	"errors"
	"strings"
)

var errDiffers = errors.New("the content differs")

// Unchanged reports whether each query's place holds exactly the content of its
// version. Surroundings do not count. It asks git nothing, not even whether the
// files are tracked, reads each file once, and ends with the first difference:
// a fast yes, or a no for [Resolver.ResolveAll] to look into.
func (r *Resolver) Unchanged(ctx context.Context, queries []Query, concurrency int) (bool, error) {
	files, byFile := groupByFile(queries)
	err := r.src.ScanEach(ctx, files, concurrency, func(i int, data []byte, err error) error {
		if err != nil {
			return errDiffers // why is not asked here
		}
		if !unchangedIn(data, queries, byFile[files[i]]) {
			return errDiffers
		}
		return nil
	})
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil, err
}

// unchangedIn compares the content at the very places that the queries which
// name. A text is cut into lines as far as one is asked for, and before it is
// decoded: no line end is part of a character.
func unchangedIn(data []byte, queries []Query, which []int) bool {
	last := 0
	for _, i := range which {
		last = max(last, queries[i].Resource.End)
	}
	starts := lineStarts(data, last)
	for _, i := range which {
		q := queries[i]
		if q.Resource.Start == 0 {
			if q.Previous != FileVersion(data) {
				return false
			}
			continue
		}
		rest, ok := strings.CutPrefix(q.Previous, linesAlgorithm)
		content, _, _ := strings.Cut(rest, ":")
		if !ok || q.Resource.End >= len(starts) || hashText(data[starts[q.Resource.Start-1]:starts[q.Resource.End]]) != content {
			return false
		}
	}
	return true
}

// lineStarts returns the offsets of the first lines of a text, and where the
// last of them ends: one more than there are lines.
func lineStarts(text []byte, lines int) []int {
	starts := make([]int, 1, 1+min(lines, len(text))) // a file may name any number of lines
	for at := 0; at < len(text) && len(starts) <= lines; {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			at = len(text)
		} else {
			at += next + 1
		}
		starts = append(starts, at)
	}
	return starts
}
