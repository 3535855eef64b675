package survey

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/source"
	"golang.org/x/tools/txtar"
)

// surveyTree surveys files in memory.
func surveyTree(t *testing.T, files map[string]string, workers int) *Repository {
	t.Helper()
	s := &surveyor{workers: workers, each: eachOf(func(name string) ([]byte, error) { return []byte(files[name]), nil })}
	for _, name := range sortedKeys(files) {
		s.files = append(s.files, entry{path: name, executable: strings.HasPrefix(files[name], "#!")})
	}
	if err := s.readAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s.repository()
}

// eachOf reads one file after the other.
func eachOf(read func(name string) ([]byte, error)) eachFile {
	return func(_ context.Context, paths []string, _ int, do func(i int, data []byte, err error) error) error {
		for i, name := range paths {
			data, err := read(name)
			if err := do(i, data, err); err != nil {
				return err
			}
		}
		return nil
	}
}

// fixture returns the files of testdata/name.txtar.
func fixture(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// outline is what most tests compare of a repository.
func outline(repo *Repository) []string {
	out := []string{"repository " + repo.Name + ": " + repo.Description.Text + " (" + repo.License.Text + ")"}
	for _, c := range repo.Components {
		out = append(out, strings.TrimSpace(fmt.Sprintf("part %s %q %s layer %d: %s", c.ID, c.Title, c.Role, c.Layer, c.Doc.Text)))
		for _, e := range c.Uses {
			out = append(out, fmt.Sprintf("  uses %s ×%d %s:%d", e.To, e.Count, e.Ref.Path, e.Ref.Start))
		}
	}
	for _, e := range repo.Externals {
		out = append(out, fmt.Sprintf("external %s %v", e.Name, e.UsedBy))
	}
	for _, p := range repo.Programs {
		out = append(out, fmt.Sprintf("program %s %s:%d", p.Name, p.Entry.Path, p.Entry.Start))
	}
	for _, c := range repo.Commands {
		out = append(out, fmt.Sprintf("command %s in %s: %s (%s:%d)", c.Purpose, c.Dir, c.Line, c.Ref.Path, c.Ref.Start))
	}
	return out
}

func TestRepositories(t *testing.T) {
	for _, name := range []string{"go", "python", "npm", "cargo", "java", "php", "c", "ruby", "unknown"} {
		t.Run(name, func(t *testing.T) {
			files := fixture(t, name)
			want := strings.Split(strings.TrimSpace(files["WANT"]), "\n")
			delete(files, "WANT")
			got := outline(surveyTree(t, files, 4))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("survey (-want +got):\n%s\ngot:\n%s", diff, strings.Join(got, "\n"))
			}
		})
	}
}

func TestSameForEveryConcurrency(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"go", "python", "npm", "cargo", "java", "php", "c", "ruby"} {
		for path, data := range fixture(t, name) {
			files[name+"/"+path] = data
		}
	}
	one, eight := surveyTree(t, files, 1), surveyTree(t, files, 8)
	if diff := cmp.Diff(one, eight, cmp.AllowUnexported(Repository{})); diff != "" {
		t.Errorf("concurrency 1 and 8 differ:\n%s", diff)
	}
	if len(one.Components) < 5 {
		t.Errorf("only %d components: the comparison proves nothing", len(one.Components))
	}
}

// TestEveryProofIsInTheFile checks that the lines of every fact exist, and contain what they prove where that is a literal.
func TestEveryProofIsInTheFile(t *testing.T) {
	for _, name := range []string{"go", "python", "npm", "cargo", "java", "php", "c", "ruby"} {
		files := fixture(t, name)
		repo := surveyTree(t, files, 2)
		check := func(r Ref, literal string) {
			t.Helper()
			data, ok := files[r.Path]
			lines := strings.Split(data, "\n")
			if !ok || r.Start < 0 || r.End < r.Start || r.End > len(lines) {
				t.Errorf("%s: proof %+v is not in the tree", name, r)
				return
			}
			if r.Start > 0 && !strings.Contains(strings.Join(lines[r.Start-1:r.End], "\n"), literal) {
				t.Errorf("%s: lines %d-%d of %s do not contain %q", name, r.Start, r.End, r.Path, literal)
			}
		}
		for _, e := range repo.Externals {
			last := e.Name[strings.LastIndexAny(e.Name, ":/")+1:]
			check(e.Ref, last)
		}
		for _, c := range repo.Components {
			for _, e := range c.Uses {
				check(e.Ref, "")
			}
			if c.Doc.Text != "" {
				check(c.Doc.Ref, strings.Fields(c.Doc.Text)[0])
			}
		}
		for _, c := range repo.Commands {
			check(c.Ref, "")
		}
		for _, p := range repo.Programs {
			check(p.Entry, "")
		}
		for _, item := range repo.Config {
			for _, r := range item.Refs {
				check(r, item.Name)
			}
		}
	}
}

func TestRead(t *testing.T) {
	g := gittest.New(t)
	for name, data := range fixture(t, "go") {
		g.Write(name, data)
	}
	g.Write("ignored/x.go", "package ignored\n")
	g.Write(".openwikiignore", "ignored/\n")
	g.Commit("one")
	repo, err := gitrepo.Open(t.Context(), g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := atomicfile.Open(repo.Root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	src, err := source.Open(t.Context(), repo, dir, "openwiki")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), Options{Source: src})
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "shop" || got.Files["cmd/shop/main.go"] == nil {
		t.Errorf("Read found %q with %d files", got.Name, len(got.Files))
	}
	if got.Files["ignored/x.go"] != nil {
		t.Error("an ignored file was read")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, Options{Source: src}); !errors.Is(err, context.Canceled) {
		t.Errorf("Read with a cancelled context = %v, want context.Canceled", err)
	}
	broken := errors.New("no log")
	_, err = Read(t.Context(), Options{Source: src, History: func(context.Context) ([]gitrepo.CommitFiles, error) { return nil, broken }})
	if !errors.Is(err, broken) || err.Error() != "read history: no log" {
		t.Errorf("Read with a failing history = %v", err)
	}
}

func TestUnreadableFilesAreLeftOut(t *testing.T) {
	s := &surveyor{workers: 2, files: []entry{{path: "a.go"}, {path: "b.go"}, {path: "big.go"}, {path: "bin.go"}}}
	s.each = eachOf(func(name string) ([]byte, error) {
		switch name {
		case "a.go":
			return nil, os.ErrPermission
		case "big.go":
			return make([]byte, maxFile+1), nil
		case "bin.go":
			return []byte("package x\x00"), nil
		}
		return []byte("package b\n"), nil
	})
	if err := s.readAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b.go"}, sortedKeys(s.repository().Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestEmptyRepository(t *testing.T) {
	got := surveyTree(t, map[string]string{}, 1)
	if diff := cmp.Diff(&Repository{}, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Repository{})); diff != "" {
		t.Errorf("empty repository (-want +got):\n%s", diff)
	}
}

func TestUntouchable(t *testing.T) {
	files := map[string]string{
		"go.mod":                   "module x.org/a\n",
		"a.go":                     "package a\n",
		"vendor/y/y.go":            "package y\n",
		"deps/zlib/LICENSE":        "x",
		"deps/zlib/z.c":            "int z;\n",
		"pb/one.pb.go":             "// Code generated by protoc. DO NOT EDIT.\npackage pb\n",
		"pb/doc.go":                "package pb\n",
		"js/lib.js":                "x()\n",
		".gitattributes":           "js/** linguist-vendored\n",
		"a/testdata/vendor/v/v.go": "package v\n",
	}
	want := []Ref{{Path: "deps/zlib"}, {Path: "pb/one.pb.go", Start: 1, End: 1}, {Path: "vendor"}}
	repo := surveyTree(t, files, 2)
	if diff := cmp.Diff(want, repo.Generated); diff != "" {
		t.Errorf("untouchable (-want +got):\n%s", diff)
	}
	if repo.Files["js/lib.js"] != nil || repo.Files["vendor/y/y.go"] != nil {
		t.Error("foreign source was scanned")
	}
}

func TestCopiedTypes(t *testing.T) {
	repo := surveyTree(t, map[string]string{
		"src/types/ws.d.ts":  "// Modified and inlined to avoid extra dependency\n// Source: https://example.com/ws\nexport class WebSocket {}\n",
		"src/types/al.d.ts":  "/**\nTypes from https://github.com/x/y/blob/z/index.d.ts\n*/\nexport interface A {}\n",
		"src/types/own.d.ts": "export interface Own {}\n",
		"src/from.ts":        "// Inlined to avoid a dependency, then changed\nexport function f() {}\n",
	}, 1)
	want := []Ref{{Path: "src/types/al.d.ts", Start: 2, End: 2}, {Path: "src/types/ws.d.ts", Start: 1, End: 1}}
	if diff := cmp.Diff(want, repo.Copied); diff != "" {
		t.Errorf("copied (-want +got):\n%s", diff)
	}
	if repo.Files["src/types/ws.d.ts"] != nil || repo.Files["src/types/own.d.ts"] == nil || repo.Files["src/from.ts"] == nil {
		t.Error("the wrong files were scanned")
	}
}

func TestHotSpots(t *testing.T) {
	repo := &Repository{Components: []*Component{
		{ID: "a", Packages: []*Package{{Dir: "a", Files: []string{"a/x.go", "a/y.go"}}}},
		{ID: "b", Packages: []*Package{{Dir: "b", Files: []string{"b/z.go"}}}},
		{ID: "t", Role: "tests", Packages: []*Package{{Dir: "t", Role: "tests", Files: []string{"t/t.go"}}}},
	}}
	var commits []gitrepo.CommitFiles
	for i := range 6 {
		c := gitrepo.CommitFiles{Paths: []string{"a/x.go", "gone.go", "t/t.go"}}
		if i < 4 {
			c.Paths = append(c.Paths, "b/z.go")
		}
		commits = append(commits, c)
	}
	sweep := gitrepo.CommitFiles{}
	for i := range 100 {
		sweep.Paths = append(sweep.Paths, fmt.Sprint("f", i))
	}
	commits = append(commits, sweep, gitrepo.CommitFiles{Paths: []string{"a/y.go"}})
	if got := hotSpots(repo, commits); got != nil {
		t.Errorf("hot spots of a quiet year: got %v, want none", got)
	}
	commits = append(commits, make([]gitrepo.CommitFiles, leastSeen-len(commits))...)
	want := []HotSpot{
		{Path: "a", Component: true, With: []string{"b"}}, {Path: "b", Component: true, With: []string{"a"}},
		{Path: "a/x.go", With: []string{"b/z.go"}}, {Path: "b/z.go", With: []string{"a/x.go"}},
	}
	if diff := cmp.Diff(want, hotSpots(repo, commits)); diff != "" {
		t.Errorf("hot spots (-want +got):\n%s", diff)
	}
	if got := hotSpots(repo, nil); got != nil {
		t.Errorf("hot spots without history = %+v", got)
	}
}

func TestConfiguration(t *testing.T) {
	files := map[string]string{
		"go.mod":            "module x.org/a\n",
		"main.go":           "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc main() {\n\t_ = os.Getenv(\"A_PORT\")\n\t_ = os.Getenv(\"HOME\")\n\t_ = flag.String(\"addr\", \":80\", \"listen here\")\n}\n",
		"b/b.go":            "package b\n\nimport \"os\"\n\nvar _ = os.Getenv(\"A_PORT\")\n",
		"b/b_test.go":       "package b\n\nimport \"os\"\n\nvar _ = os.Getenv(\"TEST_ONLY\")\n",
		"examples/x/m.go":   "package main\n\nimport \"os\"\n\nfunc main() { _ = os.Getenv(\"EXAMPLE_ONLY\") }\n",
		".env.example":      "A_PORT=80\n",
		"server.conf":       "x\n",
		"docs/sample.conf":  "x\n",
		"testdata/.env":     "DATA_ONLY=1\n",
		"CMakeLists.txt":    "project(a)\noption(FAST \"Go fast\" OFF)\n",
		"deps/z/LICENSE":    "x",
		"deps/z/config.cfg": "x",
	}
	var got []string
	for _, item := range surveyTree(t, files, 2).Config {
		got = append(got, fmt.Sprint(item.Kind, " ", item.Name, " ", item.Default, " ", item.Usage, " ", item.Refs))
	}
	want := []string{
		"env A_PORT 80  [{.env.example 1 1} {b/b.go 5 5} {main.go 9 9}]",
		"file server.conf   [{server.conf 0 0}]",
		"flag addr :80 listen here [{main.go 11 11}]",
		"key FAST OFF Go fast [{CMakeLists.txt 2 2}]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestCommandsAreShownOnce(t *testing.T) {
	files := map[string]string{
		"go.mod":                   "module x.org/a\n",
		"a.go":                     "package a\n",
		"a_test.go":                "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
		"Makefile":                 "test:\n\tgo test ./...\n",
		"examples/x/Makefile":      "build:\n\tgo build\n",
		"README.md":                "# A\n\n## Testing\n\n```sh\nmake test\ngo test ./...\n```\n",
		".github/workflows/ci.yml": "on: push\njobs:\n  t:\n    steps:\n      - run: go test -race -count=1 ./...\n      - run: sudo apt-get install x\n      - run: go install x.org/tool@latest\n      - run: golangci-lint run\n",
	}
	var got []string
	for _, c := range surveyTree(t, files, 2).Commands {
		got = append(got, c.Purpose+" "+c.Line+" "+c.Source)
	}
	want := []string{
		"build go build ./... standard command of go.mod", "test make test Makefile target", "test go test ./... standard command of go.mod",
		"test-one go test . -run '^TestA$' standard command for a_test.go", "lint golangci-lint run CI step",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}
