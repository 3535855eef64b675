package workspace

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

const fixture = `
-- .openwikiignore --
Secret/
-- AGENTS.md --
agents
-- src/a.go --
package a

// Add sums.
func Add(x, y int) int { return x + y }
-- src/b.go --
package a

const Limit = 10
-- secret/k.go --
package secret // Limit
-- .env --
KEY=Limit
-- .env.example --
KEY=Limit
-- deploy/server.pem --
Limit
-- openwiki/core.md --
# Core

Limit is 10.
-- openwiki/.claims/core.json --
{"Limit": 1}
-- openwiki/.run.json --
{"Limit": 1}
`

func open(t *testing.T, grant Grant) (*Workspace, *gittest.Repo) {
	t.Helper()
	repo := gittest.FromTxtar(t, fixture)
	repo.Symlink("../secret/k.go", "src/link.go")
	repo.Symlink("/etc/passwd", "src/passwd")
	repo.Commit("links")
	repo.Write("untracked.go", "package x // Limit\n")
	opened, err := gitrepo.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := atomicfile.Open(opened.Root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	src, err := source.Open(t.Context(), opened, files, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	w, err := wiki.Open(files, wiki.DefaultDir)
	if err != nil {
		t.Fatal(err)
	}
	return New(src, w, grant), repo
}

func TestReadFile(t *testing.T) {
	w, _ := open(t, Grant{})
	for _, test := range []struct{ path, want string }{
		{"/src/b.go", "package a\n\nconst Limit = 10\n"},
		{"src/b.go", "package a\n\nconst Limit = 10\n"},
		{`\src\b.go`, "package a\n\nconst Limit = 10\n"},
		{"/src/../AGENTS.md", "agents\n"},
		{"/openwiki/core.md", "# Core\n\nLimit is 10.\n"},
		{"/.env.example", "KEY=Limit\n"},
	} {
		got, err := w.ReadFile(test.path)
		if err != nil || string(got) != test.want {
			t.Errorf("ReadFile(%q): got %q, %v; want %q", test.path, got, err, test.want)
		}
	}
}

// An author that follows a poisoned file asks for all of this.
func TestReadFile_Error(t *testing.T) {
	w, _ := open(t, Grant{})
	for _, name := range []string{
		"/etc/passwd", "../../x", "/../../etc/passwd", "src/../../x", "/.git/config", "/.GIT/config", "src/.git/HEAD",
		"/secret/k.go", "/SECRET/K.GO", "/src/link.go", "/src/passwd", "/openwiki/.claims/core.json", "/openwiki/.CLAIMS/core.json",
		"/openwiki/.run.json", "/OpenWiki/.run.json", "/.env", "/deploy/server.pem", "/untracked.go", "/src", "/", "", "a\x00b",
	} {
		if got, err := w.ReadFile(name); err == nil {
			t.Errorf("ReadFile(%q): got %q, want a refusal", name, got)
		}
	}
	if _, err := w.ReadFile("../../x"); !refused(err) {
		t.Errorf("climbing out: got %v, want a refusal", err)
	}
	if _, err := w.ReadFile("/nope.go"); !errors.Is(err, fs.ErrNotExist) || refused(err) {
		t.Errorf("absent file: got %v, want fs.ErrNotExist", err)
	}
}

func TestWrite(t *testing.T) {
	w, repo := open(t, Grant{Write: []wiki.PagePath{"/openwiki/core.md"}})
	if err := w.Write("openwiki/core.md", []byte("# New\n")); err != nil {
		t.Fatal(err)
	}
	if got := repo.Read("openwiki/core.md"); got != "# New\n" {
		t.Errorf("got %q", got)
	}
}

func TestWrite_Error(t *testing.T) {
	w, repo := open(t, Grant{Write: []wiki.PagePath{"/openwiki/core.md"}})
	before := repo.Git("status", "--porcelain")
	for _, name := range []string{
		"/src/a.go", "openwiki/other.md", "openwiki/../AGENTS.md", "/openwiki/index.md", "/openwiki/.claims/core.json",
		"/openwiki/CORE.md", "/OPENWIKI/core.md", "/.git/hooks/x.md", "../x.md", "/openwiki/INSTRUCTIONS.md",
	} {
		if err := w.Write(name, []byte("x")); !refused(err) {
			t.Errorf("Write(%q): got %v, want a refusal", name, err)
		}
	}
	readOnly, _ := open(t, Grant{})
	if err := readOnly.Write("/openwiki/core.md", nil); !refused(err) || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("without a grant: got %v, want a refusal", err)
	}
	if got := repo.Git("status", "--porcelain"); got != before {
		t.Errorf("the tree changed:\n%s", got)
	}
}

func TestSearches(t *testing.T) {
	w, _ := open(t, Grant{})
	root, err := w.List(t.Context(), "/")
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{{".env.example", false}, {".openwikiignore", false}, {"AGENTS.md", false}, {"openwiki", true}, {"src", true}}
	if diff := cmp.Diff(want, root); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
	if _, err := w.List(t.Context(), "/secret"); !refused(err) {
		t.Errorf("List of an ignored directory: got %v", err)
	}
	glob, err := w.Glob(t.Context(), "/**/*.{go,md,pem,json}")
	if diff := cmp.Diff([]string{"AGENTS.md", "src/a.go", "src/b.go", "openwiki/core.md"}, glob); diff != "" || err != nil {
		t.Errorf("Glob: %v (-want +got):\n%s", err, diff)
	}
	if _, err := w.Glob(t.Context(), "[a"); !refused(err) {
		t.Errorf("bad pattern: got %v", err)
	}
	found, cut, err := w.Grep(t.Context(), "Limit", "/", "")
	wantMatches := []Match{{".env.example", 1, "KEY=Limit"}, {"src/b.go", 3, "const Limit = 10"}, {"openwiki/core.md", 3, "Limit is 10."}}
	if diff := cmp.Diff(wantMatches, found); diff != "" || cut || err != nil {
		t.Errorf("Grep: cut %v, %v (-want +got):\n%s", cut, err, diff)
	}
	if found, _, _ := w.Grep(t.Context(), "Limit", "/src", "*.go"); len(found) != 1 {
		t.Errorf("Grep below /src: got %v", found)
	}
	if _, _, err := w.Grep(t.Context(), "", "/", ""); !refused(err) {
		t.Errorf("empty text: got %v", err)
	}
}

func TestCutLine(t *testing.T) {
	line := strings.Repeat("a", 5000) + "needle" + strings.Repeat("b", 90000)
	got := cutLine([]byte(line), 5000)
	if len(got) != maxMatchLine || !strings.Contains(got, "needle") {
		t.Errorf("got %d bytes, needle inside: %v", len(got), strings.Contains(got, "needle"))
	}
	if got := cutLine([]byte("caf\xe9\r"), 0); got != "caf\uFFFD" {
		t.Errorf("got %q", got)
	}
}

// refused reports whether err is a refusal that another path would avoid.
func refused(err error) bool {
	var access *AccessError
	return errors.As(err, &access)
}
