package evidence

import (
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
	err := r.src.ReadEach(ctx, files, concurrency, func(i int, data []byte, err error) error {
		if err != nil {
			return errDiffers // why is not asked here
		}
		t := newText(data)
		for _, at := range byFile[files[i]] {
			if !t.unchanged(queries[at]) {
				return errDiffers
			}
		}
		return nil
	})
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil, err
}

// unchanged compares the content at the very place.
func (t *text) unchanged(q Query) bool {
	if q.Resource.Start == 0 {
		return fileAlgorithm+t.fileHash() == q.Previous
	}
	rest, ok := strings.CutPrefix(q.Previous, linesAlgorithm)
	content, _, _ := strings.Cut(rest, ":")
	l := t.raw()
	return ok && q.Resource.End <= l.count() && hash(l.span(q.Resource.Start-1, q.Resource.End)) == content
}
