package githubtest

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/memory"
)

// A batch collects new objects and stores them in one pack: thousands of files in one request would be slow as thousands of files.
type batch struct {
	store *filesystem.Storage
	fresh *memory.Storage
	order []plumbing.Hash
}

func (s *Server) newBatch() *batch { return &batch{store: s.store(), fresh: memory.NewStorage()} }

// encoder is a git object that can write itself.
type encoder interface {
	Encode(plumbing.EncodedObject) error
}

func (b *batch) blob(data []byte) (plumbing.Hash, error) {
	obj := b.fresh.NewEncodedObject()
	obj.SetType(plumbing.BlobObject)
	w, err := obj.Writer()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if _, err := w.Write(data); err != nil {
		return plumbing.ZeroHash, err
	}
	return b.keep(obj)
}

func (b *batch) encode(e encoder) (plumbing.Hash, error) {
	obj := b.fresh.NewEncodedObject()
	if err := e.Encode(obj); err != nil {
		return plumbing.ZeroHash, err
	}
	return b.keep(obj)
}

func (b *batch) keep(obj plumbing.EncodedObject) (plumbing.Hash, error) {
	hash := obj.Hash()
	if b.fresh.HasEncodedObject(hash) == nil || b.store.HasEncodedObject(hash) == nil {
		return hash, nil
	}
	b.order = append(b.order, hash)
	return b.fresh.SetEncodedObject(obj)
}

func (b *batch) flush() error {
	if len(b.order) == 0 {
		return nil
	}
	if len(b.order) <= 20 {
		for _, hash := range b.order {
			if _, err := b.store.SetEncodedObject(b.fresh.Objects[hash]); err != nil {
				return fmt.Errorf("write object: %w", err)
			}
		}
		return nil
	}
	w, err := b.store.PackfileWriter()
	if err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	if _, err := packfile.NewEncoder(w, b.fresh, false).Encode(b.order, 0); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	return w.Close()
}

// tree reads a tree, new or old.
func (b *batch) tree(hash plumbing.Hash) (*gitobject.Tree, error) {
	if hash.IsZero() {
		return &gitobject.Tree{}, nil
	}
	if b.fresh.HasEncodedObject(hash) == nil {
		return gitobject.GetTree(b.fresh, hash)
	}
	return gitobject.GetTree(b.store, hash)
}

// A treeEdit puts an object at a path or, with a zero hash, removes what is there.
type treeEdit struct {
	path string
	mode filemode.FileMode
	hash plumbing.Hash
}

// errNoSuchPath is a removal of a path that is not in the tree.
var errNoSuchPath = fmt.Errorf("path is not in the tree")

// edit returns the tree with edits applied; a directory without an entry disappears. The zero hash is the empty tree.
func (b *batch) edit(base plumbing.Hash, edits []treeEdit) (plumbing.Hash, error) {
	tree, err := b.tree(base)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	entries := map[string]gitobject.TreeEntry{}
	for _, entry := range tree.Entries {
		entries[entry.Name] = entry
	}
	below := map[string][]treeEdit{}
	for _, e := range edits {
		name, rest, nested := strings.Cut(e.path, "/")
		if nested {
			below[name] = append(below[name], treeEdit{rest, e.mode, e.hash})
			continue
		}
		if _, there := entries[name]; e.hash.IsZero() && !there {
			return plumbing.ZeroHash, errNoSuchPath
		}
		delete(entries, name)
		if !e.hash.IsZero() {
			entries[name] = gitobject.TreeEntry{Name: name, Mode: e.mode, Hash: e.hash}
		}
	}
	for name, inner := range below {
		if err := b.editBelow(entries, name, inner); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	return b.writeTree(entries)
}

func (b *batch) editBelow(entries map[string]gitobject.TreeEntry, name string, edits []treeEdit) error {
	var base plumbing.Hash
	if entry, ok := entries[name]; ok && entry.Mode == filemode.Dir {
		base = entry.Hash
	}
	hash, err := b.edit(base, edits)
	if err != nil {
		return err
	}
	delete(entries, name)
	if !hash.IsZero() {
		entries[name] = gitobject.TreeEntry{Name: name, Mode: filemode.Dir, Hash: hash}
	}
	return nil
}

func (b *batch) writeTree(entries map[string]gitobject.TreeEntry) (plumbing.Hash, error) {
	if len(entries) == 0 {
		return plumbing.ZeroHash, nil
	}
	tree := &gitobject.Tree{}
	for _, entry := range entries {
		tree.Entries = append(tree.Entries, entry)
	}
	slices.SortFunc(tree.Entries, func(a, b gitobject.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	return b.encode(tree)
}

// sortName is the name by which git orders a tree.
func sortName(e gitobject.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// commit reads a commit.
func (s *Server) commit(sha string) (*gitobject.Commit, error) {
	return gitobject.GetCommit(s.store(), plumbing.NewHash(sha))
}

// blob reads a blob.
func (s *Server) blob(hash plumbing.Hash) ([]byte, error) {
	found, err := gitobject.GetBlob(s.store(), hash)
	if err != nil {
		return nil, err
	}
	r, err := found.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// firstCommit is the content of a repository without a seed.
func (s *Server) firstCommit() error {
	b := s.newBatch()
	files := s.opts.Files
	if files == nil {
		files = map[string]string{"README.md": "# " + s.Name + "\n"}
	}
	var edits []treeEdit
	for _, name := range sortedNames(files) {
		content, err := b.blob([]byte(files[name]))
		if err != nil {
			return err
		}
		edits = append(edits, treeEdit{name, filemode.Regular, content})
	}
	tree, err := b.edit(plumbing.ZeroHash, edits)
	if err != nil {
		return err
	}
	// A date that stays gives the commit the same name in every run.
	ada := gitobject.Signature{Name: "Ada", Email: adaEmail, When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	commit, err := b.encode(&gitobject.Commit{Author: ada, Committer: ada, Message: "initial commit\n", TreeHash: tree})
	if err != nil {
		return err
	}
	if err := b.flush(); err != nil {
		return err
	}
	return s.setRef("refs/heads/"+s.DefaultBranch, "", commit.String())
}
