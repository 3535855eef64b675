package publish

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A tree is the files of the wiki (and of the extra paths) in one commit: path to object name. Links and submodules are not in it.
type tree map[string]string

// treeAt reads the published part of a commit, with all entries as they are.
func (p *Publisher) treeAt(ctx context.Context, commit string, dir wiki.Dir) (tree, []gitrepo.TreeEntry, error) {
	entries, err := p.Repo.TreeOf(ctx, commit, append([]string{string(dir)}, p.Policy.ExtraPaths...)...)
	if err != nil {
		return nil, nil, err
	}
	files := tree{}
	for _, entry := range entries {
		if entry.Mode == gitrepo.ModeRegular || entry.Mode == gitrepo.ModeExecutable {
			files[entry.Path] = entry.OID
		}
	}
	return files, entries, nil
}

// blobName is the name git gives to the content of a file.
func blobName(data []byte) string {
	hash := sha1.New()
	fmt.Fprintf(hash, "blob %d\x00", len(data))
	hash.Write(data)
	return hex.EncodeToString(hash.Sum(nil))
}

// A wanted is the wiki of a bundle as a tree, with the contents at hand.
type wanted struct {
	tree tree
	data map[string][]byte
}

func wantedOf(dir wiki.Dir, files []File) wanted {
	w := wanted{tree{}, map[string][]byte{}}
	for _, f := range files {
		if !isRunState(dir, f.Path) {
			w.tree[f.Path], w.data[f.Path] = blobName(f.Data), f.Data
		}
	}
	return w
}

// changes returns what must change in the tip of the base, which may have moved since the analysed commit: what the bundle changed and the
// tip has not yet. moved are the paths that both changed, each in another way. State of a run that somebody committed is removed.
func (w wanted) changes(dir wiki.Dir, analysed, tip tree) (changes []Change, moved []string) {
	for _, path := range paths(w.tree, analysed, tip) {
		want, was, is := w.tree[path], analysed[path], tip[path]
		switch {
		case isRunState(dir, path):
			if is != "" {
				changes = append(changes, Change{Path: path, Delete: true})
			}
		case want == was || want == is:
		case is != was:
			moved = append(moved, path)
		default:
			changes = append(changes, w.change(path))
		}
	}
	return changes, moved
}

// onTop returns what must change in a branch so that it equals the tip of the base with changes, leaving alone what keep says.
func (w wanted) onTop(branch, tip tree, changes []Change, keep func(path string) bool) []Change {
	target := tip.with(changes)
	var top []Change
	for _, path := range paths(branch, target) {
		if branch[path] == target[path] || keep(path) {
			continue
		}
		if _, have := w.data[path]; target[path] == "" || have && w.tree[path] == target[path] {
			top = append(top, Change{Path: path, Data: w.data[path], Delete: target[path] == ""})
		}
	}
	return top
}

func (w wanted) change(path string) Change {
	data, there := w.data[path]
	return Change{Path: path, Data: data, Delete: !there}
}

// with returns the tree after changes.
func (t tree) with(changes []Change) tree {
	after := maps.Clone(t)
	for _, c := range changes {
		if c.Delete {
			delete(after, c.Path)
		} else {
			after[c.Path] = blobName(c.Data)
		}
	}
	return after
}

// same compares two trees without the records of runs.
func (t tree) same(dir wiki.Dir, other tree) bool {
	for _, path := range paths(t, other) {
		if t[path] != other[path] && !isRecord(dir, path) {
			return false
		}
	}
	return true
}

// paths returns all paths of trees, sorted.
func paths(trees ...tree) []string {
	all := map[string]bool{}
	for _, t := range trees {
		for path := range t {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
