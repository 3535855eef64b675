package evidence

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/source"
)

const (
	// Files up to maxIndexedFile, and maxIndexed bytes of them in all, are searched
	// for content that left its file. Larger ones are data rather than source.
	maxIndexedFile = 1 << 20
	maxIndexed     = 256 << 20

	// maxCandidates is how many files may be read to find one range. Content that
	// more files seem to hold tells nothing about where it went.
	maxCandidates = 50

	// distinctLines is from how many lines a range is taken for the same content
	// wherever it is found. A shorter one needs its surroundings too.
	distinctLines = 3

	// maxListed is how many places a hint names. More files of one name are files
	// such as index.ts, of which a list tells nothing.
	maxListed = 3
)

// index tells which tracked files may hold given content, without their text.
type index struct{ files []indexed }

type indexed struct {
	path  string
	whole string   // hash of the text; empty for one with nothing in it
	lines []uint32 // first bytes of the hash of each line, sorted
}

// follow answers for a file that is not there.
func (r *Resolver) follow(ctx context.Context, q Query) (Resolution, error) {
	const reason = "the file does not exist"
	renamed := r.renamed(q.Resource.Path)
	if q.Previous != "" && renamed != "" {
		place, ok, err := r.holds(ctx, renamed, q, true)
		if err != nil {
			return Resolution{}, err
		}
		if ok {
			return Resolution{Resource: place, Version: q.Previous, State: Moved}, nil
		}
	}
	places, err := r.elsewhere(ctx, q)
	if err != nil {
		return Resolution{}, err
	}
	switch {
	case len(places) == 1:
		return Resolution{Resource: places[0], Version: q.Previous, State: Moved}, nil
	case len(places) > 1:
		return missing(q, reason, "the same content is in "+list(places)), nil
	case renamed != "":
		return missing(q, reason, "it may be "+renamed+" now, where the cited content differs"), nil
	}
	named, err := r.sameName(ctx, q.Resource.Path)
	if err != nil || len(named) == 0 || len(named) > maxListed {
		return missing(q, reason, ""), err
	}
	return missing(q, reason, "a file of that name is "+list(named)), nil
}

// suggest adds to the answer for lines that are gone from a file which is there
// where else the same lines are. Their old place still exists, so that it is for
// an author to say whether the statement went with them.
func (r *Resolver) suggest(ctx context.Context, q Query, answer Resolution) (Resolution, error) {
	places, err := r.elsewhere(ctx, q)
	if err != nil {
		return Resolution{}, err
	}
	if len(places) > 0 {
		answer.Hint = "the same lines are in " + list(places)
	}
	return answer, nil
}

// elsewhere returns the places in other tracked files of the same kind that hold
// the recorded content. Among several, a single one in a file of the same name
// is the answer.
func (r *Resolver) elsewhere(ctx context.Context, q Query) ([]Resource, error) {
	if q.Previous == "" {
		return nil, nil
	}
	ix, err := r.index(ctx, path.Ext(q.Resource.Path))
	if err != nil {
		return nil, err
	}
	candidates := ix.candidates(q)
	if len(candidates) > maxCandidates {
		return nil, nil
	}
	var places, named []Resource
	for _, name := range candidates {
		if name == q.Resource.Path {
			continue
		}
		place, ok, err := r.holds(ctx, name, q, false)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		places = append(places, place)
		if path.Base(name) == path.Base(q.Resource.Path) {
			named = append(named, place)
		}
	}
	if len(named) == 1 {
		return named, nil
	}
	return places, nil
}

// holds reports whether, and where, a tracked file holds the recorded content.
// Of a file that git takes for the renamed one, any single place is believed; of
// another, only content that is distinct.
func (r *Resolver) holds(ctx context.Context, name string, q Query, renamed bool) (Resource, bool, error) {
	f, err := r.open(ctx, name)
	if err != nil || f.gone || f.reason != "" {
		return Resource{}, false, err
	}
	if q.Resource.Start == 0 {
		found := f.text.hasFileVersion(q.Previous) && len(bytes.TrimSpace(f.text.data)) > 0
		return Resource{Path: f.real}, found, nil
	}
	a, ok := parseAnchor(q.Previous)
	if !ok {
		return Resource{}, false, nil
	}
	from, to, found := f.text.locate(a, q.Resource.Start-1, q.Resource.End)
	if found != unchanged || !renamed && !f.text.distinct(a, from, to) {
		return Resource{}, false, nil
	}
	return Resource{Path: f.real, Start: from + 1, End: to}, true, nil
}

// distinct reports whether the found lines cannot well be a coincidence.
func (t *text) distinct(a anchor, from, to int) bool {
	if len(bytes.TrimSpace(t.raw().span(from, to))) == 0 {
		return false
	}
	if a.Count >= distinctLines {
		return true
	}
	return a.PrecedingCount+a.FollowingCount > 0 && slices.ContainsFunc(t.forms(), func(f *form) bool {
		return f.surrounded(a, from, to)
	})
}

func (r *Resolver) renamed(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.renames[name]
}

// sameName returns the tracked files with the base name of a missing one.
func (r *Resolver) sameName(ctx context.Context, name string) ([]Resource, error) {
	files, err := r.src.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	var found []Resource
	for _, file := range files {
		if file.Kind != source.Missing && file.Path != name && path.Base(file.Path) == path.Base(name) {
			found = append(found, Resource{Path: file.Path})
		}
	}
	return found, nil
}

// index returns the index of the tracked files with a file name extension.
func (r *Resolver) index(ctx context.Context, ext string) (*index, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ix := r.places[ext]; ix != nil {
		return ix, nil
	}
	files, err := r.src.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	ix, budget := &index{}, maxIndexed
	for _, file := range files {
		if file.Kind != source.Regular || path.Ext(file.Path) != ext {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// A file that cannot be read cannot be where the content went.
		data, err := r.src.Read(file.Path)
		if err != nil || len(data) > maxIndexedFile {
			continue
		}
		if budget -= len(data); budget < 0 {
			break
		}
		ix.files = append(ix.files, indexFile(file.Path, data))
	}
	r.places[ext] = ix
	return ix, nil
}

func indexFile(name string, data []byte) indexed {
	l := splitLines(decode(data))
	entry := indexed{path: name, lines: make([]uint32, l.count())}
	if len(bytes.TrimSpace(data)) > 0 {
		entry.whole = hash(l.text)
	}
	for i := range entry.lines {
		sum := sha256.Sum256(l.span(i, i+1))
		entry.lines[i] = binary.BigEndian.Uint32(sum[:])
	}
	slices.Sort(entry.lines)
	return entry
}

// candidates returns the files that may hold the recorded content.
func (ix *index) candidates(q Query) []string {
	var found []string
	if q.Resource.Start == 0 {
		want, _ := strings.CutPrefix(q.Previous, fileAlgorithm)
		for _, file := range ix.files {
			if want != "" && file.whole == want {
				found = append(found, file.path)
			}
		}
		return found
	}
	a, ok := parseAnchor(q.Previous)
	if !ok {
		return nil
	}
	first, last := uint32(prefix(a.First)>>32), uint32(prefix(a.Last)>>32)
	for _, file := range ix.files {
		_, hasFirst := slices.BinarySearch(file.lines, first)
		_, hasLast := slices.BinarySearch(file.lines, last)
		if hasFirst && hasLast {
			found = append(found, file.path)
		}
	}
	return found
}

// list names a few places for a hint.
func list(places []Resource) string {
	names := make([]string, 0, maxListed)
	for _, p := range places[:min(maxListed, len(places))] {
		name := p.Path
		if p.Start > 0 {
			name = fmt.Sprintf("%s#L%d-L%d", p.Path, p.Start, p.End)
		}
		names = append(names, name)
	}
	if more := len(places) - len(names); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}
