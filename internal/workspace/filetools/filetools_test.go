package filetools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace"
	"github.com/wikiwright/wikiwright/internal/workspace/filetools"
)

const page = wiki.PagePath("/openwiki/core.md")

const fixture = `
-- .openwikiignore --
private/
-- src/a.go --
package a

// Add sums.
func Add(x, y int) int { return x + y }
-- src/b.go --
package a

const Limit = 10
-- private/k.go --
package private // Limit
-- lfs.bin --
version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
-- empty.txt --
-- key.txt --
before
SECRET-ONE
SECRET-TWO
after
-- openwiki/core.md --
# Core

Limit is 10. Limit is checked.
`

// kit calls tools by their name.
type kit struct {
	t     *testing.T
	tools map[string]llm.Tool
	repo  *gittest.Repo
}

func newKit(t *testing.T, o filetools.Options, change func(*gittest.Repo)) *kit {
	t.Helper()
	repo := gittest.FromTxtar(t, fixture)
	if change != nil {
		change(repo)
		repo.Commit("more")
	}
	opened, err := gitrepo.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := atomicfile.Open(repo.Dir)
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
	k := &kit{t: t, tools: map[string]llm.Tool{}, repo: repo}
	for _, tool := range filetools.Tools(workspace.New(src, w, workspace.Grant{Write: []wiki.PagePath{page}}), o) {
		k.tools[tool.Name] = tool
	}
	return k
}

func (k *kit) call(name string, args any) llm.ToolResult {
	k.t.Helper()
	data, err := json.Marshal(args)
	if err != nil {
		k.t.Fatal(err)
	}
	tool, ok := k.tools[name]
	if !ok {
		k.t.Fatalf("no tool %s", name)
	}
	return tool.Call(k.t.Context(), data)
}

type m = map[string]any

func TestTools(t *testing.T) {
	k := newKit(t, filetools.Options{}, nil)
	for _, test := range []struct {
		name    string
		args    m
		want    string
		isError bool
	}{
		{"ls", m{}, ".openwikiignore\nempty.txt\nkey.txt\nlfs.bin\nopenwiki/\nsrc/\n", false},
		{"ls", m{"path": "/src"}, "a.go\nb.go\n", false},
		{"ls", m{"path": "/private"}, `access to "/private" refused: no such directory, or nothing in it is within reach`, true},
		{"ls", m{"path": "../.."}, `access to "../.." refused: it leads out of the repository`, true},
		{"read_file", m{"file_path": "/src/b.go"}, "     1\tpackage a\n     2\t\n     3\tconst Limit = 10\n", false},
		{"read_file", m{"file_path": "src/b.go", "offset": 1, "limit": 1}, "     2\t\n[1 more lines: go on with offset 2]\n", false},
		{"read_file", m{"file_path": "/src/b.go", "offset": 3}, "the file has 3 lines; offset 3 is behind the last", true},
		{"read_file", m{"file_path": "/src/none.go"}, "there is no such file; look with ls or glob", true},
		{"read_file", m{"file_path": "/private/k.go"}, `access to "/private/k.go" refused: excluded by .openwikiignore`, true},
		{"read_file", m{"file_path": "/.git/config"}, `access to "/.git/config" refused: git's own files are out of reach`, true},
		{"read_file", m{"file_path": "/lfs.bin"}, "[a pointer of Git LFS; the content is not in the repository]", false},
		{"read_file", m{"file_path": "/empty.txt"}, "[the file is empty]", false},
		{"glob", m{"pattern": "*.go"}, "/src/a.go\n/src/b.go\n", false},
		{"glob", m{"pattern": "b.*", "path": "/src"}, "/src/b.go\n", false},
		{"glob", m{"pattern": "**/*"}, "a pattern for the whole repository is too wide: list a directory with ls, or narrow the pattern, as in **/*.go", true},
		{"glob", m{"pattern": "*.rs"}, "[no file matches]", false},
		{"grep", m{"pattern": "Limit"}, "/src/b.go\n     3\tconst Limit = 10\n/openwiki/core.md\n     3\tLimit is 10. Limit is checked.\n", false},
		{"grep", m{"pattern": "Limit", "path": "/src", "glob": "*.md"}, "[no line holds this text]", false},
		{"write_file", m{"file_path": "/src/b.go", "content": "x"}, `access to "/src/b.go" refused: only wiki pages can be written`, true},
		{"write_file", m{"file_path": "/openwiki/other.md", "content": "x"}, `access to "/openwiki/other.md" refused: this author may write only /openwiki/core.md`, true},
		{"write_file", m{"file_path": "/openwiki/.claims/core.json", "content": "{}"}, `access to "/openwiki/.claims/core.json" refused: below the wiki directory only pages are within reach`, true},
		{"edit_file", m{"file_path": page, "old_string": "Limit", "new_string": "Bound"}, "old_string occurs 2 times; add text around it until it is unique, or set replace_all", true},
		{"edit_file", m{"file_path": page, "old_string": "nowhere", "new_string": "x"}, "old_string does not occur in the page; read the page, and copy the text exactly", true},
		{"edit_file", m{"file_path": page, "old_string": "x", "new_string": "x"}, "old_string and new_string are the same", true},
		{"edit_file", m{"file_path": page, "old_string": "Limit", "new_string": "Bound", "replace_all": true}, "2 replaced\n", false},
		{"read_file", m{"file_path": page}, "     1\t# Core\n     2\t\n     3\tBound is 10. Bound is checked.\n", false},
		{"write_file", m{"file_path": page, "content": "# New\n"}, "written\n", false},
		{"read_file", m{"file_path": page}, "     1\t# New\n", false},
	} {
		got := k.call(test.name, test.args)
		if got.Text != test.want || got.IsError != test.isError || got.Done || got.Fatal != nil {
			t.Errorf("%s(%v):\n%+v\nwant %q, error %v", test.name, test.args, got, test.want, test.isError)
		}
	}
}

func TestTools_bounds(t *testing.T) {
	k := newKit(t, filetools.Options{MaxBytes: 10_000}, func(r *gittest.Repo) {
		r.Write("long.txt", strings.Repeat("0123456789\n", 5000))
		r.Write("wide.txt", "a\n"+strings.Repeat("é", 3000)+"\nb\n")
		r.Write("min.js", strings.Repeat("x=1;", 20_000))
		r.Write("image.png", "\x89PNG\x00\x01")
		r.Write("latin.txt", "caf\xe9\n")
	})
	long := k.call("read_file", m{"file_path": "long.txt", "limit": 4000}).Text
	if len(long) > 10_000 || !strings.HasSuffix(long, " more lines: go on with offset 445]\n") {
		t.Errorf("%d bytes, end %q", len(long), long[max(0, len(long)-80):])
	}
	for file, want := range map[string]string{
		"wide.txt":  "     1\ta\n     2\t" + strings.Repeat("é", 1000) + " [4000 more bytes in this line]\n     3\tb\n",
		"min.js":    "[minified or generated: 80000 bytes in 1 lines; not shown]",
		"image.png": "[a binary file of 6 bytes]",
		"latin.txt": "     1\tcaf\uFFFD\n",
	} {
		if got := k.call("read_file", m{"file_path": file}).Text; got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
	if got := k.call("grep", m{"pattern": "0123"}).Text; len(got) > 10_100 || !strings.Contains(got, "narrow the path or the glob]") {
		t.Errorf("grep: %d bytes", len(got))
	}
	if got := k.call("write_file", m{"file_path": page, "content": strings.Repeat("x", 600<<10)}); !got.IsError || !strings.Contains(got.Text, "too large") {
		t.Errorf("%+v", got)
	}
}

// The numbers of lines stay true when a secret is taken out, also one over several lines.
func TestTools_redact(t *testing.T) {
	k := newKit(t, filetools.Options{Redact: func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "SECRET-ONE\nSECRET-TWO", "[redacted: key]"), "SECRET-ONE", "[redacted: one]")
	}}, nil)
	if got, want := k.call("read_file", m{"file_path": "key.txt"}).Text, "     1\tbefore\n     2\t[redacted]\n     3\t[redacted]\n     4\tafter\n"; got != want {
		t.Errorf("got %q", got)
	}
	if got, want := k.call("grep", m{"pattern": "SECRET-ONE"}).Text, "/key.txt\n     2\t[redacted: one]\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestTools_readOnly(t *testing.T) {
	k := newKit(t, filetools.Options{ReadOnly: true}, nil)
	var names []string
	for _, name := range []string{"ls", "read_file", "glob", "grep", "write_file", "edit_file"} {
		if _, ok := k.tools[name]; ok {
			names = append(names, name)
		}
	}
	if diff := cmp.Diff([]string{"ls", "read_file", "glob", "grep"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestTools_afterWrite(t *testing.T) {
	k := newKit(t, filetools.Options{AfterWrite: func(p wiki.PagePath, text []byte) []string {
		return []string{fmt.Sprintf("%s has %d bytes", p, len(text))}
	}}, nil)
	if got, want := k.call("write_file", m{"file_path": "openwiki/core.md", "content": "abc"}).Text, "written\nto put right: /openwiki/core.md has 3 bytes\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestEdit_lineEnds(t *testing.T) {
	k := newKit(t, filetools.Options{}, func(r *gittest.Repo) { r.Write("openwiki/core.md", "one\r\ntwo\r\nthree\r\n") })
	if got := k.call("edit_file", m{"file_path": page, "old_string": "one\ntwo", "new_string": "1\n2"}); got.IsError {
		t.Fatal(got.Text)
	}
	if got := k.repo.Read("openwiki/core.md"); got != "1\r\n2\r\nthree\r\n" {
		t.Errorf("got %q", got)
	}
}
