package app

import (
	"context"
	"fmt"
	"sync"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A baseWiki is the wiki of the analysed commit, with what is known of the source there.
type baseWiki struct {
	files    map[string][]byte // of the wiki directory, without run state
	manifest *generate.Manifest
	objects  map[string]string // object names of all files of the commit
	source   func(path string) ([]byte, bool)
}

// readCommitted reads the wiki of a commit.
func readCommitted(ctx context.Context, repo *gitrepo.Repo, commit string, dir wiki.Dir) (*baseWiki, error) {
	entries, err := repo.TreeOf(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("read the wiki of the analysed commit: %w", err)
	}
	base := &baseWiki{files: map[string][]byte{}, manifest: generate.NewManifest(), objects: map[string]string{}}
	var names, oids []string
	for _, e := range entries {
		base.objects[e.Path] = e.OID
		if !below(dir, e.Path) || isRunState(dir, e.Path) {
			continue
		}
		if e.Mode != gitrepo.ModeRegular && e.Mode != gitrepo.ModeExecutable {
			return nil, &ConfigError{Name: e.Path, Err: fmt.Errorf("is a symbolic link or a submodule in the wiki"), Next: "replace it by a file, or move it out of the wiki directory"}
		}
		names, oids = append(names, e.Path), append(oids, e.OID)
	}
	contents, err := repo.Blobs(ctx, oids)
	if err != nil {
		return nil, fmt.Errorf("read the wiki of the analysed commit: %w", err)
	}
	for i, name := range names {
		base.files[name] = contents[i]
	}
	path := string(dir) + "/" + manifestName
	if data, ok := base.files[path]; ok {
		if base.manifest, err = generate.DecodeManifest(path, dir, data); err != nil {
			return nil, err
		}
	}
	base.source = base.sourceReader(ctx, repo)
	return base, nil
}

// sourceReader returns a reader of the commit's files that remembers what it read.
func (b *baseWiki) sourceReader(ctx context.Context, repo *gitrepo.Repo) func(string) ([]byte, bool) {
	var mu sync.Mutex
	read := map[string][]byte{}
	return func(path string) ([]byte, bool) {
		oid, ok := b.objects[path]
		if !ok {
			return nil, false
		}
		mu.Lock()
		defer mu.Unlock()
		if data, ok := read[path]; ok {
			return data, true
		}
		contents, err := repo.Blobs(ctx, []string{oid})
		if err != nil || len(contents) != 1 {
			return nil, false
		}
		read[path] = contents[0]
		return contents[0], true
	}
}

func below(dir wiki.Dir, path string) bool {
	return len(path) > len(dir) && path[:len(dir)] == string(dir) && path[len(dir)] == '/'
}

// isRunState reports a file that belongs to a run and is never published: its state, and what an interrupted write left.
func isRunState(dir wiki.Dir, path string) bool {
	name := path[len(dir)+1:]
	return len(name) >= len(runStateName) && name[:len(runStateName)] == runStateName || temporary(path)
}
