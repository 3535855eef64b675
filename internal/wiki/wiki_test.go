package wiki

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
)

const page = "---\ntype: X\ntitle: T\n---\n\n# T\n"

func openDir(t *testing.T, root string) *atomicfile.Dir {
	t.Helper()
	dir, err := atomicfile.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("symbolic links are not available: %v", err)
	}
}

func TestOpen(t *testing.T) {
	root := t.TempDir()
	w, err := Open(openDir(t, root), "docs/wiki")
	if err != nil {
		t.Fatal(err)
	}
	if w.Exists() {
		t.Error("Exists() = true for a directory that is not there")
	}
	if pages, err := w.Pages(); err != nil || len(pages) != 0 {
		t.Errorf("Pages() = %v, %v", pages, err)
	}
	if err := w.Write("/docs/wiki/a/b.md", []byte(page)); err != nil {
		t.Fatal(err)
	}
	if !w.Exists() {
		t.Error("Exists() = false after a page was written")
	}
	if got, err := w.Read("/docs/wiki/a/b.md"); err != nil || string(got) != page {
		t.Errorf("Read = %q, %v", got, err)
	}
	if got, want := w.Path(".claims"), "docs/wiki/.claims"; got != want {
		t.Errorf("Path = %q, want %q", got, want)
	}
	if err := w.Remove("/docs/wiki/a/b.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(root, "docs/wiki/a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of the removed page is still there: %v", err)
	}
	if !w.Exists() {
		t.Error("removing the last page removed the wiki directory")
	}
	if err := w.Remove("/docs/wiki/a/b.md"); err != nil {
		t.Errorf("removing an absent page: %v", err)
	}
	if _, err := w.Read("/docs/wiki/a/b.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading an absent page: %v, want fs.ErrNotExist", err)
	}
}

func TestOpen_Error(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	symlink(t, "real", filepath.Join(root, "link"))
	for _, test := range []struct{ dir, path, what string }{
		{"file", "file", "a file"}, {"file/wiki", "file", "a file"}, {"link", "link", "a symbolic link"}, {"link/wiki", "link", "a symbolic link"},
	} {
		_, err := Open(openDir(t, root), Dir(test.dir))
		var notDir *NotDirectoryError
		if !errors.As(err, &notDir) {
			t.Errorf("Open(%s): %v, want *NotDirectoryError", test.dir, err)
			continue
		}
		if notDir.Path != test.path || notDir.What != test.what || !strings.Contains(notDir.Hint(), test.path) {
			t.Errorf("Open(%s): %v; hint %q", test.dir, err, notDir.Hint())
		}
	}
}

func TestWiki_refusesOtherPaths(t *testing.T) {
	w := newWiki(t, nil)
	for _, p := range []PagePath{
		"", "/openwiki", "/openwiki/../src/a.md", "/src/a.md", "openwiki/a.md", "/openwiki//a.md", "/openwiki/index.md", "/openwiki/.claims/a.md", "/openwiki/a.txt",
	} {
		var pathError *PathError
		if err := w.Write(p, nil); !errors.As(err, &pathError) {
			t.Errorf("Write(%q): %v, want *PathError", p, err)
		}
		if err := w.Remove(p); !errors.As(err, &pathError) {
			t.Errorf("Remove(%q): %v, want *PathError", p, err)
		}
		if _, err := w.Read(p); !errors.As(err, &pathError) {
			t.Errorf("Read(%q): %v, want *PathError", p, err)
		}
	}
}

func TestWiki_refusesSymlinks(t *testing.T) {
	w := newWiki(t, map[string]string{"openwiki/a.md": page, "src/secret.md": "secret", "real/x.md": "x"})
	root := w.Files().Path()
	symlink(t, "../src/secret.md", filepath.Join(root, "openwiki/link.md"))
	symlink(t, "../real", filepath.Join(root, "openwiki/dir"))
	symlink(t, "../src/secret.md", filepath.Join(root, "openwiki/index.md"))
	var link *atomicfile.SymlinkError
	for _, p := range []PagePath{"/openwiki/link.md", "/openwiki/dir/x.md", "/openwiki/dir/new.md"} {
		if _, err := w.Read(p); !errors.As(err, &link) {
			t.Errorf("Read(%s): %v, want *SymlinkError", p, err)
		}
		if err := w.Write(p, []byte("y")); !errors.As(err, &link) {
			t.Errorf("Write(%s): %v, want *SymlinkError", p, err)
		}
	}
	if pages, err := w.Pages(); err != nil || !cmp.Equal(pages, []PagePath{"/openwiki/a.md"}) {
		t.Errorf("Pages() = %v, %v", pages, err)
	}
	if foreign, err := w.foreign(); err != nil || len(foreign) != 0 {
		t.Errorf("Foreign() = %v, %v", foreign, err)
	}
	if _, err := w.SyncIndexes("en", nil); !errors.As(err, &link) {
		t.Errorf("SyncIndexes: %v, want *SymlinkError", err)
	}
	for name, want := range map[string]string{"src/secret.md": "secret", "real/x.md": "x"} {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != want {
			t.Errorf("%s = %q, %v: written through a link", name, got, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, "real/new.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a page was made through a link")
	}
}

func TestWiki_Pages(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{
		"A2.md", "Zeta.md", "a-b.md", "a.md", "a/b.md", "a10.md", "a9.md", "a_b.md", "ab.md", "alpha.md", "_draft.md", "a/log.md", "index.md", "a/index.md",
		"INSTRUCTIONS.md", "a/Instructions.md", ".hidden.md", ".git/x.md", ".obsidian/x.md", ".claims/a.json", "a/.claims/x.md", "notes.txt", "B.MD", ".md", "x\\y.md",
	} {
		files["openwiki/"+name] = "x"
	}
	pages, err := newWiki(t, files).Pages()
	if err != nil {
		t.Fatal(err)
	}
	want := []PagePath{
		"/openwiki/_draft.md", "/openwiki/a_b.md", "/openwiki/a-b.md", "/openwiki/a.md", "/openwiki/a/b.md", "/openwiki/a10.md", "/openwiki/A2.md",
		"/openwiki/a9.md", "/openwiki/ab.md", "/openwiki/alpha.md", "/openwiki/Zeta.md",
	}
	if diff := cmp.Diff(want, pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestWiki_Pages_clash(t *testing.T) {
	for _, names := range [][2]string{
		{"a.md", "A.md"}, {"caf\u00e9.md", "cafe\u0301.md"}, {"Arch/x.md", "arch/y.md"},
	} {
		w := newWiki(t, map[string]string{"openwiki/" + names[0]: "x", "openwiki/" + names[1]: "x"})
		_, err := w.Pages()
		var clash *ClashError
		if !errors.As(err, &clash) {
			if count, _ := os.ReadDir(filepath.Join(w.Files().Path(), "openwiki")); len(count) == 1 {
				t.Skip("the file system takes both names for one")
			}
			t.Errorf("%q: %v, want *ClashError", names, err)
			continue
		}
		if clash.Hint() == "" || clash.A == clash.B {
			t.Errorf("%q: clash of %q and %q", names, clash.A, clash.B)
		}
	}
}

func TestWiki_Foreign(t *testing.T) {
	w := newWiki(t, map[string]string{
		"openwiki/a.md": page, "openwiki/img/b.png": "x", "openwiki/img/a.png": "x", "openwiki/index.md": "x", "openwiki/INSTRUCTIONS.md": "x",
		"openwiki/.last-update.json": "{}", "openwiki/.page-manifest.json": "{}", "openwiki/.run.json": "{}", "openwiki/.claims/a.json": "{}",
		"openwiki/.claims/.a.json.1.tmp": "x", "openwiki/.a.md.12.abc.tmp": "x", "openwiki/.claims/note.txt": "x", "openwiki/B.MD": "x", "openwiki/x/log.md": "x",
		"openwiki/.gitattributes": "x", "other/x": "x",
	})
	foreign, err := w.foreign()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"openwiki/.claims/note.txt", "openwiki/B.MD", "openwiki/img/a.png", "openwiki/img/b.png"}
	if diff := cmp.Diff(want, foreign); diff != "" {
		t.Errorf("foreign files (-want +got):\n%s", diff)
	}
}

func TestWiki_LooksOwn(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  bool
	}{
		{"absent", nil, true},
		{"only instructions", map[string]string{"openwiki/INSTRUCTIONS.md": "x"}, true},
		{"instructions and images", map[string]string{"openwiki/INSTRUCTIONS.md": "x", "openwiki/img/a.png": "x"}, true},
		{"only images", map[string]string{"openwiki/img/a.png": "x"}, false},
		{"last update", map[string]string{"openwiki/.last-update.json": "{}", "openwiki/a.md": "x"}, true},
		{"manifest", map[string]string{"openwiki/.page-manifest.json": "{}", "openwiki/a.md": "x"}, true},
		{"claims", map[string]string{"openwiki/.claims/a.json": "{}", "openwiki/a.md": "x"}, true},
		{"versioned index", map[string]string{"openwiki/index.md": "---\nokf_version: \"0.2\"\n---\n", "openwiki/a.md": "x"}, true},
		{"version as a number", map[string]string{"openwiki/index.md": "---\nokf_version: 0.2\n---\n", "openwiki/a.md": "x"}, true},
		{"typed pages", map[string]string{"openwiki/a.md": page, "openwiki/b/c.md": page, "openwiki/x.png": "x"}, true},
		{"a page without type", map[string]string{"openwiki/a.md": page, "openwiki/b.md": "# Mine\n"}, false},
		{"hand-written", map[string]string{"openwiki/guide.md": "# Guide\n"}, false},
		{"only images", map[string]string{"openwiki/x.png": "x"}, false},
		{"only a hand-written index", map[string]string{"openwiki/index.md": "# Welcome\n\nHello.\n"}, false},
		{"only a generated index", map[string]string{"openwiki/index.md": "# Dateien\n\n- [a](a.md)\n"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := newWiki(t, test.files).LooksOwn()
			if err != nil || got != test.want {
				t.Errorf("LooksOwn() = %v, %v, want %v", got, err, test.want)
			}
		})
	}
}

func TestPageVersion(t *testing.T) {
	if got, want := PageVersion([]byte("abc")), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; got != want {
		t.Errorf("PageVersion = %s, want %s", got, want)
	}
}

func TestWiki_ContentSnapshot(t *testing.T) {
	base := map[string]string{"openwiki/a.md": "A", "openwiki/b/c.md": "C", "openwiki/.claims/a.json": "{}"}
	snapshot := func(change func(map[string]string)) string {
		files := map[string]string{}
		for name, text := range base {
			files[name] = text
		}
		if change != nil {
			change(files)
		}
		got, err := newWiki(t, files).ContentSnapshot()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	same := snapshot(nil)
	// printf 'dir:.claims\0file:.claims/a.json\0{}\0file:a.md\0A\0dir:b\0file:b/c.md\0C\0' | sha256sum
	if want := "2b996e364c89b238f701ace9cc9acd382e2908e17d34dbf341e8f809b1940286"; same != want {
		t.Errorf("snapshot = %s, want %s", same, want)
	}
	if got := snapshot(func(f map[string]string) {
		f["openwiki/.run.json"] = "{}"
		f["openwiki/.last-update.json"] = "{}"
		f["src/x"] = "x"
	}); got != same {
		t.Error("run state changes the snapshot")
	}
	for name, change := range map[string]func(map[string]string){
		"content": func(f map[string]string) { f["openwiki/a.md"] = "B" },
		"new":     func(f map[string]string) { f["openwiki/z.md"] = "" },
		"moved":   func(f map[string]string) { delete(f, "openwiki/b/c.md"); f["openwiki/b/d.md"] = "C" },
		"state":   func(f map[string]string) { f["openwiki/.page-manifest.json"] = "{}" },
	} {
		if snapshot(change) == same {
			t.Errorf("%s: snapshot does not change", name)
		}
	}
	got, err := newWiki(t, nil).ContentSnapshot()
	// printf missing | sha256sum
	if want := "ffa63583dfa6706b87d284b86b0d693a161e4840aad2c5cf6b5d27c3b9621f7d"; err != nil || got != want {
		t.Errorf("snapshot without wiki = %s, %v, want %s", got, err, want)
	}
}
