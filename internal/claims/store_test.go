package claims_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func someClaims() claims.PageClaims {
	return claims.PageClaims{
		SchemaVersion: 1, PageVersion: "sha256:" + strings.Repeat("0", 64),
		Claims: []claims.Claim{{ID: "c", Statement: "s", Evidence: []claims.Evidence{{Resource: "repo://a", Version: "v"}}}},
	}
}

func TestStore(t *testing.T) {
	w := newWorld(t)
	store := w.config().Store
	if pages, err := store.Pages(); len(pages) != 0 || err != nil {
		t.Errorf("no wiki: pages %v, %v", pages, err)
	}
	deep := wiki.PagePath("/openwiki/a/b/deep.md")
	if got := store.Path(deep); got != "openwiki/.claims/a/b/deep.json" {
		t.Errorf("path %s", got)
	}
	if _, err := store.Load(deep); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent sidecar: %v", err)
	}
	w.check(store.Delete(deep))
	want := someClaims()
	for _, page := range []wiki.PagePath{deep, "/openwiki/Zeta.md", "/openwiki/alpha.md"} {
		w.check(store.Save(page, want))
	}
	got, err := store.Load(deep)
	w.check(err)
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	// Files that are no sidecars are skipped.
	for _, name := range []string{"index.json", "a/notes.txt", ".core.json.1.x.tmp", "a/.hidden.json", ".claims/x.json"} {
		w.Write("openwiki/.claims/"+name, "{")
	}
	pages, err := store.Pages()
	w.check(err)
	if want := []wiki.PagePath{deep, "/openwiki/alpha.md", "/openwiki/Zeta.md"}; !slices.Equal(pages, want) {
		t.Errorf("pages %v, want %v", pages, want)
	}
	w.Remove("openwiki/.claims/a/notes.txt")
	w.Remove("openwiki/.claims/a/.hidden.json")
	w.check(store.Delete(deep))
	if _, err := os.Stat(w.Path("openwiki/.claims/a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty directories stay: %v", err)
	}
}

func TestStore_Error(t *testing.T) {
	w := newWorld(t)
	store := w.config().Store
	bad := someClaims()
	bad.Claims[0].ID = ""
	var persist *claims.PersistError
	if err := store.Save(core, bad); !errors.As(err, &persist) || persist.Op != "write" {
		t.Errorf("invalid claims: %v", err)
	}
	if _, err := os.Stat(w.Path("openwiki")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	w.Write("openwiki/.claims/core.json", "{\n")
	_, err := store.Load(core)
	want := "openwiki/.claims/core.json:2: unexpected end of JSON input"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	w.Remove("openwiki/.claims/core.json")
	w.Write("openwiki/.claims/core.json/x", "")
	if _, err := store.Load(core); !errors.As(err, &persist) || persist.Op != "read" {
		t.Errorf("directory in place of the sidecar: %v", err)
	}
}

// A link could make the claims of one page count for another, or write outside.
func TestStore_SymbolicLinks(t *testing.T) {
	tests := map[string]func(w *world){
		"sidecar": func(w *world) {
			w.Write("openwiki/.claims/other.json", "{}")
			w.Symlink("other.json", "openwiki/.claims/core.json")
		},
		"directory": func(w *world) {
			w.Write("elsewhere/core.json", "{}")
			w.Write("openwiki/x.md", "")
			w.Symlink("../elsewhere", "openwiki/.claims")
		},
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			arrange(w)
			store := w.config().Store
			var security *claims.SecurityError
			if _, err := store.Load(core); !errors.As(err, &security) {
				t.Errorf("Load: %v", err)
			}
			if err := store.Save(core, someClaims()); !errors.As(err, &security) {
				t.Errorf("Save: %v", err)
			}
			if _, err := store.Pages(); !errors.As(err, &security) {
				t.Errorf("Pages: %v", err)
			}
			if _, err := claims.Open(t.Context(), w.config(), false); !errors.As(err, &security) {
				t.Errorf("Open: %v", err)
			}
		})
	}
}
