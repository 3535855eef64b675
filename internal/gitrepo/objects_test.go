package gitrepo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

const treeFiles = `-- README.md --
readme
-- bin/run (executable) --
run
-- link (symlink) --
README.md
-- openwiki/a.md --
a
-- openwiki/deep/er/b.md --
b
`

// Every kind of checkout that go-git cannot open, or opens wrongly, gives the same tree and is left as it is.
func TestNewTree_checkouts(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, treeFiles)
	source.Git("config", "uploadpack.allowFilter", "true")
	source.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	head := source.Head()
	s := serve(t, source.Bare(), token)
	edits := []Edit{
		{Path: "openwiki/a.md", Data: []byte("changed\n")}, {Path: "openwiki/deep/er/b.md", Delete: true}, {Path: "openwiki/new/c.md", Data: []byte("c\n")},
	}
	byGit := source.Clone()
	byGit.Write("openwiki/a.md", "changed\n")
	byGit.Write("openwiki/new/c.md", "c\n")
	byGit.Remove("openwiki/deep")
	byGit.Git("add", "--all")
	want := byGit.Git("write-tree")
	for name, checkout := range map[string]func(t *testing.T) *gittest.Repo{
		"full":    func(*testing.T) *gittest.Repo { return source.Clone() },
		"shallow": func(*testing.T) *gittest.Repo { return source.ShallowClone(1) },
		"detached": func(*testing.T) *gittest.Repo {
			r := source.Clone()
			r.Git("checkout", "--quiet", "--detach")
			return r
		},
		"another branch": func(*testing.T) *gittest.Repo {
			r := source.Clone()
			r.Git("checkout", "--quiet", "--orphan", "other")
			return r
		},
		"sparse": func(*testing.T) *gittest.Repo { r := source.Clone(); r.Git("sparse-checkout", "set", "bin"); return r },
		"sparse index": func(*testing.T) *gittest.Repo {
			r := source.Clone()
			r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "bin")
			return r
		},
		"split index": func(*testing.T) *gittest.Repo { r := source.Clone(); r.Git("update-index", "--split-index"); return r },
		"packed":      func(*testing.T) *gittest.Repo { r := source.Clone(); r.Git("gc", "--quiet"); return r },
		"no blobs":    func(t *testing.T) *gittest.Repo { return cloneWith(t, source, "--filter=blob:none", "--no-checkout") },
		"no trees":    func(t *testing.T) *gittest.Repo { return cloneWith(t, source, "--filter=tree:0", "--no-checkout") },
		"alternates":  func(t *testing.T) *gittest.Repo { return cloneWith(t, source, "--shared") },
		"linked worktree": func(t *testing.T) *gittest.Repo {
			r := source.Clone()
			linked := *r
			linked.Dir = filepath.Join(t.TempDir(), "linked")
			r.Git("worktree", "add", "--quiet", "--detach", linked.Dir)
			return &linked
		},
		"dirty": func(*testing.T) *gittest.Repo {
			r := source.Clone()
			r.Write("openwiki/a.md", "edited\n")
			r.Write("staged.txt", "s\n")
			r.Git("add", "staged.txt")
			return r
		},
		"a replaced commit": func(*testing.T) *gittest.Repo {
			r := source.Clone()
			r.Git("replace", head, r.Git("commit-tree", "-m", "another", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"))
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := checkout(t)
			r := open(t, work.Dir)
			before := snapshot(t, work)
			tree, err := r.NewTree(t.Context(), head, edits)
			if err != nil {
				t.Fatal(err)
			}
			if tree.OID != want {
				t.Errorf("tree %s, want %s", tree.OID, want)
			}
			commit, err := tree.Commit("m", ada, noon)
			if err != nil {
				t.Fatal(err)
			}
			branch := strings.ReplaceAll(name, " ", "-")
			if err := r.Push(t.Context(), s.remote(), commit, branch, ""); err != nil {
				t.Fatal(err)
			}
			if got := s.bare.Git("rev-parse", branch+"^{tree}"); got != want {
				t.Errorf("pushed tree %s", got)
			}
			if diff := cmp.Diff(before, snapshot(t, work)); diff != "" {
				t.Errorf("the checkout changed (-before +after):\n%s", diff)
			}
		})
	}
	if got := s.bare.Git("fsck", "--strict", "--full"); got != "" {
		t.Errorf("fsck: %s", got)
	}
}

func cloneWith(t *testing.T, source *gittest.Repo, options ...string) *gittest.Repo {
	t.Helper()
	clone := *source
	clone.Dir = filepath.Join(t.TempDir(), "clone")
	source.Git(append(append([]string{"clone", "--quiet", "--template="}, options...), "file://"+filepath.ToSlash(source.Dir), clone.Dir)...)
	return &clone
}

func TestNewTree_edits(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, treeFiles)
	r := open(t, source.Dir)
	tree, err := r.NewTree(t.Context(), source.Head(), []Edit{
		{Path: "README.md", Data: []byte("readme\n")}, // as it is
		{Path: "none", Delete: true},                  // not there
		{Path: "link/x.md", Data: []byte("x")},
		{Path: "bin/run", Data: []byte("run\n")}, // the mode differs
		{Path: "openwiki/a.md", Delete: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, edit := range tree.Edits {
		paths = append(paths, edit.Path)
	}
	if diff := cmp.Diff([]string{"bin/run", "link/x.md", "openwiki/a.md"}, paths); diff != "" {
		t.Errorf("edits that matter (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"link"}, tree.Cleared); diff != "" {
		t.Errorf("cleared (-want +got):\n%s", diff)
	}
	if got := source.Git("rev-parse", "HEAD^{tree}"); tree.ParentTree != got {
		t.Errorf("parent's tree %s, want %s", tree.ParentTree, got)
	}
	if _, err := source.TryGit("", "cat-file", "-e", tree.OID); err == nil {
		t.Error("the tree was written into the repository")
	}
	everything, err := r.NewTree(t.Context(), source.Head(), []Edit{
		{Path: "README.md", Delete: true}, {Path: "bin/run", Delete: true}, {Path: "link", Delete: true}, {Path: "openwiki/a.md", Delete: true},
		{Path: "openwiki/deep/er/b.md", Delete: true},
	})
	if err != nil || everything.OID != "4b825dc642cb6eb9a060e54bf8d69288fbee4904" {
		t.Errorf("without a file: %v, %v", everything, err)
	}
}

func TestNewTree_error(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, treeFiles)
	r := open(t, source.Dir)
	for _, edits := range [][]Edit{
		{{Path: ""}}, {{Path: "/a"}}, {{Path: "a/"}}, {{Path: "a//b"}}, {{Path: "."}}, {{Path: "a/../b"}}, {{Path: ".git"}}, {{Path: "a/.Git/b"}},
		{{Path: "GIT~1/x"}}, {{Path: "a\x00b"}}, {{Path: `a\b`}}, {{Path: "\xff"}},
		{{Path: "a"}, {Path: "a"}}, {{Path: "a"}, {Path: "a/b/c"}}, {{Path: "openwiki", Delete: true}},
	} {
		if _, err := r.NewTree(t.Context(), source.Head(), edits); !errors.Is(err, ErrEdit) {
			t.Errorf("%+v: got %v", edits, err)
		}
	}
	for _, parent := range []string{"", "HEAD", "main", strings.Repeat("0", 40), source.Git("rev-parse", "HEAD:README.md")} {
		if _, err := r.NewTree(t.Context(), parent, nil); err == nil {
			t.Errorf("parent %q: no error", parent)
		}
	}
	if _, err := r.NewTree(t.Context(), strings.Repeat("0", 40), nil); !errors.Is(err, ErrUnknownCommit) {
		t.Errorf("unknown parent: %v", err)
	}
	tree, err := r.NewTree(t.Context(), source.Head(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []Identity{{}, {"A", ""}, {"A <b", "c"}, {"A\nparent x", "c"}} {
		if _, err := tree.Commit("m", who, noon); err == nil {
			t.Errorf("%+v: no error", who)
		}
	}
	if _, err := tree.Commit("a\x00b", ada, noon); err == nil {
		t.Error("NUL in a message: no error")
	}
}

// A commit is what git itself makes of the same parts.
func TestCommit(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, treeFiles)
	commit := commitOf(t, open(t, source.Dir), source.Head(), "docs: é\n\nWikiwright-Run: 1\n\n", Edit{Path: "x", Data: []byte("x")})
	text := "tree " + commit.OID + "\nparent " + source.Head() + "\nauthor Ada <ada@example.com> 1772625600 +0000\n" +
		"committer Ada <ada@example.com> 1772625600 +0000\n\ndocs: é\n\nWikiwright-Run: 1\n"
	want, err := source.TryGit(text, "hash-object", "-t", "commit", "--literally", "--stdin")
	if err != nil || commit.SHA != want {
		t.Errorf("commit %s, want %s (%v)", commit.SHA, want, err)
	}
}

func TestTreeOf(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, treeFiles+"-- openwiki/é [x].md --\né\n")
	source.Git("submodule", "--quiet", "add", gittest.FromTxtar(t, "-- a --\na\n").Dir, "sub")
	head := source.Commit("add a submodule")
	r := open(t, source.Dir)
	entries, err := r.TreeOf(t.Context(), head, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	want := []TreeEntry{
		{"openwiki/a.md", ModeRegular, "78981922613b2afb6025042ff6bd878ac1994e85"},
		{"openwiki/deep/er/b.md", ModeRegular, "61780798228d17af2d34fce4cfbdf35556832472"},
		{"openwiki/é [x].md", ModeRegular, source.Git("rev-parse", "HEAD:openwiki/é [x].md")},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all, err := r.TreeOf(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	var modes []string
	for _, entry := range all {
		modes = append(modes, entry.Mode+" "+entry.Path)
	}
	wantModes := []string{"100644 .gitmodules", "100644 README.md", "100755 bin/run", "120000 link", "100644 openwiki/a.md", "100644 openwiki/deep/er/b.md", "100644 openwiki/é [x].md", "160000 sub"}
	if diff := cmp.Diff(wantModes, modes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for dir, want := range map[string]int{"none": 0, "open": 0, "README.md": 1, "openwiki/*": 0} {
		if got, err := r.TreeOf(t.Context(), head, dir); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", dir, got, err)
		}
	}
	for _, commit := range []string{"", "main", strings.Repeat("0", 40)} {
		if _, err := r.TreeOf(t.Context(), commit); !errors.Is(err, ErrUnknownCommit) {
			t.Errorf("%q: %v", commit, err)
		}
	}
}

func TestBlobs(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, "-- a --\na\n-- empty --\n-- n --\nn\n\n")
	if err := os.WriteFile(source.Path("binary"), []byte("\x00\xff\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	source.Commit("binary")
	oid := func(name string) string { return source.Git("rev-parse", "HEAD:"+name) }
	r := open(t, source.Dir)
	got, err := r.Blobs(t.Context(), []string{oid("n"), oid("a"), oid("empty"), oid("binary"), oid("a")})
	if diff := cmp.Diff([][]byte{[]byte("n\n\n"), []byte("a\n"), {}, []byte("\x00\xff\n"), []byte("a\n")}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := r.Blobs(t.Context(), nil); got != nil || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
	for _, name := range []string{strings.Repeat("0", 40), "HEAD", "a\nb", ""} {
		if _, err := r.Blobs(t.Context(), []string{name}); !errors.Is(err, ErrMissingObject) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := r.Blobs(t.Context(), []string{source.Head()}); err == nil {
		t.Error("a commit as a blob: no error")
	}
}

// A repository with a damaged object: git gives up in the middle of the conversation.
func TestBlobs_damaged(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, "-- a --\na\n-- b --\nb\n")
	oid := source.Git("rev-parse", "HEAD:a")
	name := ".git/objects/" + oid[:2] + "/" + oid[2:]
	source.Remove(name)
	source.Write(name, "no object")
	r := open(t, source.Dir)
	if got, err := r.Blobs(t.Context(), []string{oid, source.Git("rev-parse", "HEAD:b")}); err == nil {
		t.Errorf("got %q", got)
	}
}

func TestCommitInfo(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, treeFiles)
	first := source.Head()
	second := source.Commit("second")
	merge := source.Git("commit-tree", "-p", second, "-p", first, "-m", "merge", "HEAD^{tree}")
	source.Git("update-ref", "refs/heads/main", merge)
	r := open(t, source.ShallowClone(1).Dir)
	got, err := r.CommitInfo(t.Context(), merge)
	want := CommitInfo{Tree: source.Git("rev-parse", "HEAD^{tree}"), Parents: []string{second, first}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, commit := range []string{first, "HEAD", ""} {
		if _, err := r.CommitInfo(t.Context(), commit); !errors.Is(err, ErrUnknownCommit) {
			t.Errorf("%q: %v", commit, err)
		}
	}
	if _, err := r.CommitInfo(t.Context(), want.Tree); err == nil || errors.Is(err, ErrUnknownCommit) {
		t.Errorf("a tree: %v", err)
	}
}

// TestTreeOf_noBlobs lists a tree in a clone without blobs, whose remote has gone: none may be asked for.
func TestTreeOf_noBlobs(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, "-- openwiki/a.md --\na\n")
	source.Git("config", "uploadpack.allowFilter", "true")
	clone := cloneWith(t, source, "--filter=blob:none", "--no-checkout")
	if err := os.RemoveAll(source.Dir); err != nil {
		t.Fatal(err)
	}
	entries, err := open(t, clone.Dir).TreeOf(t.Context(), clone.Head(), "openwiki")
	if err != nil || len(entries) != 1 || entries[0].OID != "78981922613b2afb6025042ff6bd878ac1994e85" {
		t.Errorf("%v, %v", entries, err)
	}
}
