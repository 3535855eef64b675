package evidence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"syscall"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/source"
)

// State is what became of recorded evidence.
type State string

const (
	Current State = "current" // the same content at the same place
	Moved   State = "moved"   // the same content on other lines or in another file
	Changed State = "changed" // other content at the place
	Missing State = "missing" // not there, not allowed, or not to be told apart
)

// Resolution is the answer to one question.
type Resolution struct {
	Resource Resource // where the evidence is now; the place asked about when it is Missing
	Version  string   // of the content there; unchanged when Current or Moved, empty when Missing
	State    State
	Reason   string // why it is Missing: "the file does not exist"
	Hint     string // what may help: where the content may have gone
}

// Query asks what became of the content of Resource at version Previous. Without
// Previous it asks only whether the place can be cited.
type Query struct {
	Resource Resource
	Previous string
}

// Resolver compares recorded evidence with the work tree. It may be used by
// several goroutines. It keeps no file text between calls: each call sees the
// files as they are, reads each of them once, and holds no more of them at a
// time than it was allowed to read at once.
type Resolver struct {
	src *source.Source

	mu      sync.Mutex
	renames map[string]string
	places  map[string]*index // by file name extension
}

// NewResolver returns a resolver of evidence in src.
func NewResolver(src *source.Source) *Resolver {
	return &Resolver{src: src, places: map[string]*index{}}
}

// Renames tells where files that are missing may have gone, old path to new. It
// is a hint only: evidence follows it when the content is there.
func (r *Resolver) Renames(m map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renames = maps.Clone(m)
}

// Reset drops what is remembered about other files.
func (r *Resolver) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.places)
}

// Resolve answers one question. The error is for what keeps it from being
// answered: the context, git, a failing disk. Evidence that may not or can no
// longer be cited is not an error but Missing.
func (r *Resolver) Resolve(ctx context.Context, res Resource, previous string) (Resolution, error) {
	answers, err := r.ResolveAll(ctx, []Query{{Resource: res, Previous: previous}}, 1)
	if err != nil {
		return Resolution{}, err
	}
	return answers[0], nil
}

// ResolveAll answers many questions, in their order, reading each file once and
// at most concurrency files at a time.
func (r *Resolver) ResolveAll(ctx context.Context, queries []Query, concurrency int) ([]Resolution, error) {
	answers := make([]Resolution, len(queries))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	files, byFile := groupByFile(queries)
	err := r.src.ReadEach(ctx, files, concurrency, func(i int, data []byte, err error) error {
		f, err := r.judge(ctx, files[i], data, err)
		if err != nil {
			return err
		}
		return r.resolveFile(ctx, f, queries, byFile[files[i]], answers)
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// groupByFile returns the cited files in the order in which they are read
// fastest, and for each the indexes of its queries.
func groupByFile(queries []Query) (files []string, byFile map[string][]int) {
	byFile = map[string][]int{}
	for i, q := range queries {
		if byFile[q.Resource.Path] == nil {
			files = append(files, q.Resource.Path)
		}
		byFile[q.Resource.Path] = append(byFile[q.Resource.Path], i)
	}
	slices.Sort(files)
	return files, byFile
}

// tracked reports whether git tracks the file and it is source.
func (r *Resolver) tracked(ctx context.Context, real string) (bool, error) {
	if r.src.Tracked(real) {
		return true, nil
	}
	// A no may mean that there is no listing.
	if _, err := r.src.Files(ctx); err != nil {
		return false, fmt.Errorf("list tracked files: %w", err)
	}
	return false, nil
}

func (r *Resolver) refuseUntracked(ctx context.Context, real string) error {
	tracked, err := r.tracked(ctx, real)
	if err == nil && !tracked {
		err = source.ErrUntracked
	}
	return err
}

// resolveFile answers the questions which about one file.
func (r *Resolver) resolveFile(ctx context.Context, f *file, queries []Query, which []int, answers []Resolution) error {
	for _, i := range which {
		var err error
		if answers[i], err = r.answer(ctx, f, queries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Resolver) answer(ctx context.Context, f *file, q Query) (Resolution, error) {
	if f.gone {
		return r.follow(ctx, q)
	}
	if f.reason != "" {
		return missing(q, f.reason, f.hint), nil
	}
	answer := f.text.resolve(q)
	if answer.State == Missing {
		return r.suggest(ctx, q, answer)
	}
	if f.real != answer.Resource.Path {
		answer.Resource.Path = f.real
		if answer.State == Current && q.Previous != "" {
			answer.State = Moved
		}
	}
	return answer, nil
}

func missing(q Query, reason, hint string) Resolution {
	return Resolution{Resource: q.Resource, State: Missing, Reason: reason, Hint: hint}
}

// file is a cited file while its questions are answered.
type file struct {
	real   string // its path without symbolic links
	text   *text
	gone   bool   // it is not there
	reason string // why it cannot be cited although something is there
	hint   string // what to do about that
}

// open reads a cited file.
func (r *Resolver) open(ctx context.Context, name string) (*file, error) {
	data, err := r.src.Read(name)
	return r.judge(ctx, name, data, err)
}

// judge makes a cited file of what reading it came to. What forbids citing it
// is part of the answer; only failures to find out are errors. Nothing of a
// file that git does not track gets into an answer, not even the number of its
// lines.
func (r *Resolver) judge(ctx context.Context, name string, data []byte, err error) (*file, error) {
	f := &file{real: name}
	var link *atomicfile.SymlinkError
	if errors.As(err, &link) {
		if f.real, err = r.src.Resolve(name); err == nil {
			data, err = r.src.Read(f.real)
		}
	}
	if err == nil {
		err = r.refuseUntracked(ctx, f.real)
	}
	if err != nil {
		data = nil
	}
	f.text = newText(data)
	var outside *source.OutsideError
	var spelling *atomicfile.CaseError
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		f.gone = true
	case errors.Is(err, source.ErrIgnored):
		f.reason = r.notSource(name)
	case errors.Is(err, source.ErrUntracked):
		f.reason, f.hint = "the file is not tracked by git", "add it to git, or cite a tracked file"
	case errors.As(err, &outside):
		f.reason = fmt.Sprintf("the symbolic link %s leads outside of the repository, to %s", outside.Link, outside.Target)
	case errors.Is(err, source.ErrLinkLoop):
		f.reason = "too many symbolic links"
	case errors.As(err, &link):
		f.reason = link.Error()
	case errors.As(err, &spelling):
		f.reason = spelling.Error()
	case errors.Is(err, syscall.EISDIR):
		f.reason, f.hint = "it is a directory", "cite a file"
	default:
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return f, nil
}

// notSource says why a file is not source.
func (r *Resolver) notSource(name string) string {
	switch {
	case r.src.Ignored(name, false):
		return "the file is excluded by " + source.IgnoreFile
	case r.src.Selected(name, false):
		return "it leads to a file that is not source"
	}
	return "the file belongs to the wiki or to git"
}

// resolve compares the recorded version with the text, whose path the caller
// knows.
func (t *text) resolve(q Query) Resolution {
	if q.Resource.Start == 0 {
		return t.resolveWhole(q)
	}
	a, ok := parseAnchor(q.Previous)
	if !ok {
		return t.resolveFresh(q)
	}
	from, to, found := t.locate(a, q.Resource.Start-1, q.Resource.End)
	answer := Resolution{Resource: Resource{q.Resource.Path, from + 1, to}, Version: q.Previous, State: Moved}
	switch {
	case found == lost:
		return missing(q, "the cited lines are gone, or can no longer be told apart from other lines", "")
	case found == altered:
		answer.State = Changed
		answer.Version, _ = t.raw().version(from+1, to)
	case answer.Resource == q.Resource:
		answer.State = Current
	}
	return answer
}

func (t *text) resolveWhole(q Query) Resolution {
	answer := Resolution{Resource: q.Resource, Version: q.Previous, State: Current}
	if q.Previous != "" && t.hasFileVersion(q.Previous) {
		return answer
	}
	answer.Version = fileAlgorithm + t.fileHash()
	if q.Previous != "" {
		answer.State = Changed
	}
	return answer
}

// resolveFresh takes the lines as the resource names them: nothing usable is
// recorded about them.
func (t *text) resolveFresh(q Query) Resolution {
	version, ok := t.raw().version(q.Resource.Start, q.Resource.End)
	if !ok {
		return missing(q, fmt.Sprintf("the file has %d lines", t.raw().count()), "")
	}
	answer := Resolution{Resource: q.Resource, Version: version, State: Current}
	if q.Previous != "" {
		answer.State = Changed
	}
	return answer
}
