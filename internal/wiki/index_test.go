package wiki

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, w *Wiki, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(w.Files().Path(), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "<absent>"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func titled(title, description string) string {
	return "---\ntype: X\ntitle: " + quote(title) + "\ndescription: " + quote(description) + "\n---\nb\n"
}

func TestWiki_SyncIndexes(t *testing.T) {
	w := newWiki(t, map[string]string{
		"openwiki/quickstart.md":             titled("Start [here] \\", "Map of\n the repository."),
		"openwiki/b c.md":                    "---\ntype: X\n---\nb\n",
		"openwiki/a(1).md":                   "# Old\n",
		"openwiki/workflows/order-intake.md": titled("Order intake", "How an order is queued."),
		"openwiki/workflows/deep/x.md":       titled("X", "x"),
		"openwiki/architecture/q.md":         titled("Queue", "q"),
		"openwiki/images/pic.png":            "x",
		"openwiki/.claims/q.json":            "{}",
	})
	changed, err := w.SyncIndexes("en", nil)
	if err != nil {
		t.Fatal(err)
	}
	wantChanged := []string{
		"openwiki/a(1).md", "openwiki/architecture/index.md", "openwiki/workflows/deep/index.md", "openwiki/workflows/index.md", "openwiki/index.md",
	}
	if diff := cmp.Diff(wantChanged, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	want := "---\nokf_version: \"0.2\"\n---\n\n# Files\n\n- [Old](a%281%29.md)\n- [b c](b%20c.md)\n" +
		"- [Start \\[here\\] \\\\](quickstart.md) - Map of the repository.\n\n# Directories\n\n- [architecture](architecture/)\n- [workflows](workflows/)\n"
	if diff := cmp.Diff(want, read(t, w, "openwiki/index.md")); diff != "" {
		t.Errorf("root index (-want +got):\n%s", diff)
	}
	want = "# Files\n\n- [Order intake](order-intake.md) - How an order is queued.\n\n# Directories\n\n- [deep](deep/)\n"
	if diff := cmp.Diff(want, read(t, w, "openwiki/workflows/index.md")); diff != "" {
		t.Errorf("folder index (-want +got):\n%s", diff)
	}
	if got := read(t, w, "openwiki/images/index.md"); got != "<absent>" {
		t.Errorf("index of a directory without pages: %q", got)
	}
	if changed, err := w.SyncIndexes("en", nil); err != nil || len(changed) != 0 {
		t.Errorf("second sync changed %v, %v", changed, err)
	}
}

func TestWiki_SyncIndexes_languages(t *testing.T) {
	w := newWiki(t, map[string]string{"openwiki/a.md": page, "openwiki/d/b.md": page})
	for _, test := range []struct{ lang, files, dirs string }{{"de", "Dateien", "Verzeichnisse"}, {"zh-TW", "檔案", "目錄"}, {"", "Files", "Directories"}} {
		if _, err := w.SyncIndexes(test.lang, nil); err != nil {
			t.Fatal(err)
		}
		want := "---\nokf_version: \"0.2\"\n---\n\n# " + test.files + "\n\n- [T](a.md)\n\n# " + test.dirs + "\n\n- [d](d/)\n"
		if got := read(t, w, "openwiki/index.md"); got != want {
			t.Errorf("%s: index = %q, want %q", test.lang, got, want)
		}
	}
}

func TestWiki_SyncIndexes_exclude(t *testing.T) {
	w := newWiki(t, map[string]string{"openwiki/a.md": "# Raw\n"})
	if _, err := w.SyncIndexes("en", map[PagePath]bool{"/openwiki/a.md": true}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, w, "openwiki/a.md"); got != "# Raw\n" {
		t.Errorf("excluded page was rewritten: %q", got)
	}
	if got := read(t, w, "openwiki/index.md"); !strings.Contains(got, "- [Raw](a.md)\n") {
		t.Errorf("excluded page is not listed: %q", got)
	}
}

func TestWiki_SyncIndexes_removed(t *testing.T) {
	w := newWiki(t, map[string]string{
		"openwiki/gone/index.md": "# Dateien\n\n- [a](a.md)\n", "openwiki/gone/deep/index.md": "# Files\n", "openwiki/mine/index.md": "# Welcome\n\nText.\n",
		"openwiki/.hidden/index.md": "# Files\n",
	})
	changed, err := w.SyncIndexes("en", nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"openwiki/index.md", "openwiki/gone/deep/index.md", "openwiki/gone/index.md"}, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if got := read(t, w, "openwiki/index.md"); got != "---\nokf_version: \"0.2\"\n---\n\n# Files\n" {
		t.Errorf("index of an empty wiki = %q", got)
	}
	if _, err := os.Stat(filepath.Join(w.Files().Path(), "openwiki/gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the emptied directory is still there")
	}
	if got := read(t, w, "openwiki/mine/index.md"); got != "# Welcome\n\nText.\n" {
		t.Errorf("hand-written index = %q", got)
	}
}

func TestWiki_SyncIndexes_noWiki(t *testing.T) {
	w := newWiki(t, nil)
	if changed, err := w.SyncIndexes("en", nil); err != nil || len(changed) != 0 || w.Exists() {
		t.Errorf("SyncIndexes without a wiki: %v, %v, exists %v", changed, err, w.Exists())
	}
}

// https://github.com/langchain-ai/openwiki/pull/373: an outside validator accepts what a sync leaves.
func TestWiki_SyncIndexes_outsideValidator(t *testing.T) {
	w := newWiki(t, map[string]string{
		"openwiki/a.md":            "# A\n",
		"openwiki/INSTRUCTIONS.md": "Write about queues.\n",
		"openwiki/sub/index.md":    "---\ntype: Section\n---\n\n# Sub\n\nText.\n",
		"openwiki/full/x.md":       "x",
		"openwiki/full/index.md":   "---\nokf_version: \"0.1\"\n---\n# Files\n",
		"openwiki/log.md":          "- did it\n",
	})
	if _, err := w.SyncIndexes("en", nil); err != nil {
		t.Fatal(err)
	}
	err := fs.WalkDir(os.DirFS(w.Files().Path()), "openwiki", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		text := read(t, w, name)
		block := ""
		if rest, ok := strings.CutPrefix(text, "---\n"); ok {
			block, _, _ = strings.Cut(rest, "\n---\n")
		}
		switch base := filepath.Base(name); {
		case name == "openwiki/index.md":
			if block != `okf_version: "0.2"` {
				t.Errorf("%s: front matter %q", name, block)
			}
		case base == "index.md" || base == "log.md":
			if block != "" {
				t.Errorf("%s: front matter %q, want none", name, block)
			}
		default:
			if !strings.HasPrefix(block, "type: ") && !strings.Contains(block, "\ntype: ") {
				t.Errorf("%s: no type in %q", name, block)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, w, "openwiki/INSTRUCTIONS.md"); !strings.HasSuffix(got, "---\n\nWrite about queues.\n") || strings.Contains(got, "openwiki_generated") {
		t.Errorf("instructions = %q", got)
	}
	if got := read(t, w, "openwiki/sub/index.md"); got != "# Sub\n\nText.\n" {
		t.Errorf("sub index = %q", got)
	}
	if changed, err := w.SyncIndexes("en", nil); err != nil || len(changed) != 0 {
		t.Errorf("second sync changed %v, %v", changed, err)
	}
}
