package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"
)

// An Edit is one path of a tree that shall be another: a file of mode 100644 with Data, or no file.
type Edit struct {
	Path   string
	Data   []byte
	Delete bool
}

// An Identity is an author or committer.
type Identity struct{ Name, Email string }

// A NewTree is the tree of a commit with edits applied. Nothing of it is in the repository: its objects are in memory until they are pushed.
type NewTree struct {
	OID        string
	Parent     string // the commit it was made from
	ParentTree string
	Edits      []Edit   // those that make a difference, in code-unit order of their paths
	Cleared    []string // files, links and submodules of the parent that stood where a directory is wanted, in code-unit order

	objects *memory.Storage
	names   []plumbing.Hash // of the new objects, in the order they were made
}

// ErrEdit is an edit that no tree can hold: a path that is none, or two edits that exclude each other.
var ErrEdit = errors.New("the edits make no tree")

// NewTree applies edits to the tree of a commit, which must be in the repository. Everything else in the tree keeps its content and mode.
// Deleting what is not there changes nothing, deleting a directory is an error; a directory that loses its last file is gone. Neither index
// nor work tree nor object database is touched, and trees are read by git, so sparse checkouts, partial and shallow clones, alternates and
// linked worktrees are all the same here.
func (r *Repo) NewTree(ctx context.Context, parent string, edits []Edit) (*NewTree, error) {
	sorted, err := checkEdits(edits)
	if err != nil {
		return nil, fmt.Errorf("make tree: %w", err)
	}
	reader, err := r.openBatch(ctx)
	if err != nil {
		return nil, fmt.Errorf("make tree: %w", err)
	}
	defer reader.close()
	root, data, err := reader.tree(parent)
	if err != nil {
		return nil, fmt.Errorf("make tree: %w", err)
	}
	tree := &NewTree{Parent: parent, ParentTree: root, objects: memory.NewStorage()}
	entries, err := parseTree(data)
	if err != nil {
		return nil, fmt.Errorf("make tree: read %s: %w", root, err)
	}
	builder := treeBuilder{tree: tree, reader: reader}
	if tree.OID, err = builder.apply(root, entries, "", sorted); err != nil {
		return nil, fmt.Errorf("make tree: %w", err)
	}
	if tree.OID == "" {
		if tree.OID, err = tree.add(plumbing.TreeObject, nil); err != nil {
			return nil, fmt.Errorf("make tree: %w", err)
		}
	}
	slices.Sort(tree.Cleared)
	return tree, nil
}

// checkEdits returns the edits in code-unit order.
func checkEdits(edits []Edit) ([]Edit, error) {
	sorted := slices.SortedFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(a.Path, b.Path) })
	files := map[string]bool{}
	for i, edit := range sorted {
		if err := checkPath(edit.Path); err != nil {
			return nil, err
		}
		if i > 0 && sorted[i-1].Path == edit.Path {
			return nil, fmt.Errorf("%w: %q is edited twice", ErrEdit, edit.Path)
		}
		if !edit.Delete {
			files[edit.Path] = true
		}
	}
	for _, edit := range sorted {
		for i, c := range edit.Path {
			if c == '/' && !edit.Delete && files[edit.Path[:i]] {
				return nil, fmt.Errorf("%w: %q is both a file and a directory", ErrEdit, edit.Path[:i])
			}
		}
	}
	return sorted, nil
}

// checkPath accepts what git accepts in a tree on every system and what GitHub's API can name: valid UTF-8, no empty or dotted names, and
// nothing a file system could take for .git.
func checkPath(p string) error {
	if strings.ContainsAny(p, "\x00\\") || !utf8.ValidString(p) {
		return fmt.Errorf("%w: %.200q is no path", ErrEdit, p)
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1") {
			return fmt.Errorf("%w: %.200q is no path", ErrEdit, p)
		}
	}
	return nil
}

type treeBuilder struct {
	tree   *NewTree
	reader *batch
}

// apply returns the object name of a tree with edits applied, "" if nothing is left. Paths of edits begin with prefix and are sorted.
func (b treeBuilder) apply(oid string, entries map[string]treeItem, prefix string, edits []Edit) (string, error) {
	changed := false
	for len(edits) > 0 {
		name, _, nested := strings.Cut(edits[0].Path[len(prefix):], "/")
		n := 1
		if nested {
			n = groupLen(edits, prefix+name+"/")
		}
		old, exists := entries[name]
		item, err := b.one(old, exists, prefix+name, nested, edits[:n])
		if err != nil {
			return "", err
		}
		switch {
		case item == treeItem{}:
			delete(entries, name)
		default:
			entries[name] = item
		}
		changed = changed || item != old
		edits = edits[n:]
	}
	switch {
	case !changed:
		return oid, nil
	case len(entries) == 0:
		return "", nil
	}
	return b.tree.add(plumbing.TreeObject, encodeTree(entries))
}

// groupLen counts the edits below a directory at the beginning of a sorted list.
func groupLen(edits []Edit, dir string) int {
	n := 0
	for n < len(edits) && strings.HasPrefix(edits[n].Path, dir) {
		n++
	}
	return n
}

// one returns what one name of a tree becomes; the zero item is none.
func (b treeBuilder) one(old treeItem, exists bool, full string, nested bool, edits []Edit) (treeItem, error) {
	if nested {
		return b.directory(old, exists, full, edits)
	}
	edit := edits[0]
	switch {
	case edit.Delete && !exists:
		return old, nil
	case edit.Delete && old.mode == modeTree:
		return old, fmt.Errorf("%w: %q is to be deleted and is a directory", ErrEdit, full)
	case edit.Delete:
		b.tree.Edits = append(b.tree.Edits, edit)
		return treeItem{}, nil
	}
	item := treeItem{mode: ModeRegular, oid: plumbing.ComputeHash(plumbing.BlobObject, edit.Data).String()}
	if item == old {
		return old, nil
	}
	b.tree.Edits = append(b.tree.Edits, edit)
	_, err := b.tree.add(plumbing.BlobObject, edit.Data)
	return item, err
}

func (b treeBuilder) directory(old treeItem, exists bool, full string, edits []Edit) (treeItem, error) {
	entries := map[string]treeItem{}
	oid := ""
	switch {
	case exists && old.mode == modeTree:
		object, err := b.reader.object(old.oid)
		if err == nil {
			entries, err = parseTree(object.data)
		}
		if err != nil {
			return old, fmt.Errorf("read directory %q: %w", full, err)
		}
		oid = old.oid
	case !slices.ContainsFunc(edits, func(e Edit) bool { return !e.Delete }):
		return old, nil // there is no directory, and none is wanted
	case exists:
		b.tree.Cleared = append(b.tree.Cleared, full)
	}
	made, err := b.apply(oid, entries, full+"/", edits)
	if err != nil || made == "" {
		return treeItem{}, err
	}
	return treeItem{mode: modeTree, oid: made}, nil
}

// add keeps an object in memory.
func (t *NewTree) add(kind plumbing.ObjectType, data []byte) (string, error) {
	object := &plumbing.MemoryObject{}
	object.SetType(kind)
	if _, err := object.Write(data); err != nil {
		return "", fmt.Errorf("make object: %w", err)
	}
	if t.objects.HasEncodedObject(object.Hash()) == nil {
		return object.Hash().String(), nil
	}
	hash, err := t.objects.SetEncodedObject(object)
	if err != nil {
		return "", fmt.Errorf("make object: %w", err)
	}
	t.names = append(t.names, hash)
	return hash.String(), nil
}

// A NewCommit is a commit that is not in the repository yet.
type NewCommit struct {
	*NewTree
	SHA string
}

// Commit makes a commit of the tree with the parent it was made from. The same arguments give the same object name. It signs nothing.
func (t *NewTree) Commit(message string, who Identity, when time.Time) (*NewCommit, error) {
	for _, s := range []string{who.Name, who.Email} {
		if s == "" || strings.ContainsAny(s, "<>\n\x00") {
			return nil, fmt.Errorf("make commit: %q is no name or address", s)
		}
	}
	if strings.Contains(message, "\x00") {
		return nil, errors.New("make commit: the message holds a NUL")
	}
	stamp := fmt.Sprintf("%s <%s> %d +0000", who.Name, who.Email, when.Unix())
	text := fmt.Sprintf("tree %s\nparent %s\nauthor %s\ncommitter %s\n\n%s\n", t.OID, t.Parent, stamp, stamp, strings.TrimRight(message, "\n"))
	sha, err := t.add(plumbing.CommitObject, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("make commit: %w", err)
	}
	return &NewCommit{NewTree: t, SHA: sha}, nil
}

// modeTree is the mode of a directory, as it stands in a tree.
const modeTree = "40000"

// A treeItem is one entry of a tree object.
type treeItem struct{ mode, oid string }

// parseTree reads a tree object: "<mode> <name>\0<20 bytes>" again and again.
func parseTree(data []byte) (map[string]treeItem, error) {
	entries := map[string]treeItem{}
	for len(data) > 0 {
		space := bytes.IndexByte(data, ' ')
		end := bytes.IndexByte(data, 0)
		if space <= 0 || end <= space+1 || len(data) < end+21 {
			return nil, errors.New("malformed tree")
		}
		name := string(data[space+1 : end])
		if _, twice := entries[name]; twice {
			return nil, fmt.Errorf("malformed tree: %.100q twice", name)
		}
		entries[name] = treeItem{mode: string(data[:space]), oid: hex.EncodeToString(data[end+1 : end+21])}
		data = data[end+21:]
	}
	return entries, nil
}

// encodeTree is the opposite of parseTree. Git sorts directories as if their names ended in a slash.
func encodeTree(entries map[string]treeItem) []byte {
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	key := func(name string) string {
		if entries[name].mode == modeTree {
			return name + "/"
		}
		return name
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	var out bytes.Buffer
	for _, name := range names {
		hash := plumbing.NewHash(entries[name].oid)
		out.WriteString(entries[name].mode + " " + name + "\x00")
		out.Write(hash[:])
	}
	return out.Bytes()
}
