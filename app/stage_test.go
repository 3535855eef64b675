package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/publish"
)

const stageProject = `
-- go.mod --
module example.invalid/demo
-- README.md --
# demo
-- main.go --
package main

import "example.invalid/demo/store"

// main prints the sum.
func main() { println(store.Sum(1, 2)) }
-- store/store.go --
// Package store keeps numbers.
package store

// Sum adds two numbers.
func Sum(x, y int) int { return x + y }
`

func stageRun(t *testing.T, r *gittest.Repo, mode generate.Mode) *Result {
	t.Helper()
	runner := Runner{}
	result, err := runner.Run(t.Context(), Job{Dir: r.Dir, Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func stageOf(t *testing.T, r *gittest.Repo, result *Result) *publish.Bundle {
	t.Helper()
	b, err := Stage(t.Context(), StageOptions{Dir: r.Dir, BaseRef: "main", Result: result})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// workFiles are the files of the wiki in the work tree.
func workFiles(t *testing.T, r *gittest.Repo) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(r.Path("openwiki"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(r.Dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func bundleMap(b *publish.Bundle) map[string]string {
	files := map[string]string{}
	for _, f := range b.Files {
		files[f.Path] = string(f.Data)
	}
	return files
}

// The bundle of a complete run is the wiki of the work tree, byte for byte: the first one, one kept up with pages new and gone, and a no-op.
func TestStage_equalsWorkTree(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	b := stageOf(t, r, stageRun(t, r, generate.ModeInit))
	if diff := cmp.Diff(workFiles(t, r), bundleMap(b)); diff != "" || b.State != publish.StateComplete {
		t.Fatalf("init, state %s (-work +bundle):\n%s", b.State, diff)
	}
	if b.Run.ID == "" || b.Run.Fingerprint == "" || b.Run.Author != AuthorExtractive || b.BaseSHA != r.Head() {
		t.Errorf("run %+v, base %s", b.Run, b.BaseSHA)
	}
	for _, p := range b.Pages {
		if p.Change != generate.ChangeNew || p.State != generate.PageComplete || p.Inputs == "" || p.Title == string(p.Path) {
			t.Errorf("page %+v", p)
		}
	}
	r.Commit("wiki")
	r.Remove("store")
	r.Write("main.go", "package main\n\n// main does nothing.\nfunc main() {}\n")
	r.Write("extra/extra.go", "// Package extra is new.\npackage extra\n\n// Three is three.\nfunc Three() int { return 3 }\n")
	r.Commit("change")
	b = stageOf(t, r, stageRun(t, r, generate.ModeUpdate))
	if diff := cmp.Diff(workFiles(t, r), bundleMap(b)); diff != "" || b.State != publish.StateComplete {
		t.Fatalf("update, state %s (-work +bundle):\n%s", b.State, diff)
	}
	r.Commit("wiki again")
	b = stageOf(t, r, stageRun(t, r, generate.ModeUpdate))
	if diff := cmp.Diff(workFiles(t, r), bundleMap(b)); diff != "" || !b.Delta.Empty() || len(b.Pages) != 0 {
		t.Errorf("no-op, %d pages (-work +bundle):\n%s", len(b.Pages), diff)
	}
}

// What is left out is as it was, and indexes, records and baseline agree with that.
func TestStage_without(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	b := stageOf(t, r, stageRun(t, r, generate.ModeInit))
	const page = wiki.PagePath("/openwiki/quickstart.md")
	rest, err := b.Without(t.Context(), []wiki.PagePath{page}, "holds a secret")
	if err != nil {
		t.Fatal(err)
	}
	files := bundleMap(rest)
	for _, gone := range []string{"openwiki/quickstart.md", "openwiki/.claims/quickstart.json", "openwiki/.last-update.json"} {
		if _, ok := files[gone]; ok {
			t.Errorf("%s is still there", gone)
		}
	}
	if strings.Contains(files["openwiki/index.md"], "quickstart") || strings.Contains(files["openwiki/.page-manifest.json"], "quickstart") {
		t.Errorf("index or manifest name the page:\n%s\n%s", files["openwiki/index.md"], files["openwiki/.page-manifest.json"])
	}
	if rest.State != publish.StatePartial {
		t.Errorf("state %s, want partial", rest.State)
	}
	found := false
	for _, p := range rest.Pages {
		if p.Path == page {
			found = p.State == "blocked" && p.Reason == "holds a secret"
		}
	}
	if !found {
		t.Errorf("the page is not told as blocked: %+v", rest.Pages)
	}
	if len(bundleMap(b)) != len(workFiles(t, r)) {
		t.Error("the bundle itself changed")
	}
}

// While a run goes on, or after it died, only finished pages are in the bundle, never the state of the run.
func TestStage_interrupted(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	stageRun(t, r, generate.ModeInit)
	whole := workFiles(t, r)
	r.Commit("wiki")
	state := interruptedState(t, r)
	r.Write("openwiki/.run.json", state)
	r.Write("openwiki/.run.json.tmp123", "{")
	r.Write("openwiki/.quickstart.md.1.2.tmp", "half")
	r.Append("openwiki/quickstart.md", "half a sen")
	r.Remove("openwiki/architecture.md")
	for _, running := range []bool{true, false} {
		b, err := Stage(t.Context(), StageOptions{Dir: r.Dir, BaseRef: "main", Running: running})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, bundleMap(b)); diff != "" {
			t.Errorf("running %v: pages in work are in the bundle (-committed +bundle):\n%s", running, diff)
		}
		want := publish.StatePartial
		if running {
			want = publish.StateRunning
		}
		if b.State != want {
			t.Errorf("state %s, want %s", b.State, want)
		}
	}
}

func interruptedState(t *testing.T, r *gittest.Repo) string {
	t.Helper()
	state := generate.State{SchemaVersion: 1, RunID: "0198c0de-0000-4000-8000-000000000000", Mode: generate.ModeUpdate, Phase: generate.PhasePlanning,
		StartedAt: "2026-01-02T03:04:05.000Z", Language: "en", SourceFingerprint: "sha256:" + strings.Repeat("0", 64)}
	state.RequiredRewritePages, state.InitialPages = []wiki.PagePath{}, []wiki.PagePath{}
	state.Actor.Producer, state.Actor.Model = "wikiwright-extractive/0.1.0", "extractive"
	return strings.Replace(string(state.Encode()), `"generatedProvenance": null`, `"generatedProvenance": []`, 1)
}

// A committed run state is no part of a bundle: publishing takes it away.
func TestStage_committedRunState(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	stageRun(t, r, generate.ModeInit)
	r.Write("openwiki/.run.json.bak", "{}")
	r.Commit("wiki with a run state")
	if _, ok := bundleMap(stageOf(t, r, nil))["openwiki/.run.json.bak"]; ok {
		t.Error("a run state is published")
	}
}

// A bundle that went through a directory is the same bundle.
func TestBundle_roundTrip(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	b := stageOf(t, r, stageRun(t, r, generate.ModeInit))
	dir := filepath.Join(t.TempDir(), "bundle")
	digest, err := WriteBundle(dir, b)
	if err != nil {
		t.Fatal(err)
	}
	clone := r.Clone()
	got, _, err := ReadBundle(t.Context(), clone.Dir, dir, digest, plainSettings(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bundleMap(b), bundleMap(got)); diff != "" {
		t.Errorf("files (-written +read):\n%s", diff)
	}
	if diff := cmp.Diff(b.Pages, got.Pages); diff != "" {
		t.Errorf("pages (-written +read):\n%s", diff)
	}
	if diff := cmp.Diff(b.Run, got.Run); diff != "" || got.State != b.State || got.BaseSHA != b.BaseSHA {
		t.Errorf("run (-written +read):\n%s", diff)
	}
	if _, err := WriteBundle(dir, b); err == nil {
		t.Error("a directory that holds something is written over")
	}
	if _, _, err := ReadBundle(t.Context(), clone.Dir, dir, "sha256:00", plainSettings(t)); !IsConfiguration(err) {
		t.Errorf("another digest: got %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "files", "openwiki", "quickstart.md"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadBundle(t.Context(), clone.Dir, dir, digest, plainSettings(t)); err == nil {
		t.Error("a changed file is read")
	}
}

// A record that names files outside of the wiki is refused.
func TestReadBundle_foreign(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	for _, name := range []string{"../x", ".github/workflows/x.yml", "openwiki/../x", "openwiki/.run.json", "/etc/passwd"} {
		dir := t.TempDir()
		record := `{"schemaVersion":1,"wikiDir":"openwiki","baseRef":"main","baseSha":"` + r.Head() + `","state":"complete","files":{"` + name + `":"sha256:00"}}`
		if err := os.WriteFile(filepath.Join(dir, "bundle.json"), []byte(record), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadBundle(t.Context(), r.Dir, dir, "", plainSettings(t)); err == nil || !strings.Contains(err.Error(), "is no file of the wiki") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Overlay replaces the committed wiki, and leaves one alone that somebody or a run changed.
func TestOverlay(t *testing.T) {
	r := gittest.FromTxtar(t, stageProject)
	stageRun(t, r, generate.ModeInit)
	r.Commit("wiki")
	files := []publish.File{{Path: "openwiki/new.md", Data: []byte("# New\n")}}
	wrote, err := Overlay(t.Context(), r.Dir, "", files)
	if err != nil || !wrote {
		t.Fatalf("got %v, %v", wrote, err)
	}
	if diff := cmp.Diff(map[string]string{"openwiki/new.md": "# New\n"}, workFiles(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if wrote, err := Overlay(t.Context(), r.Dir, "", files); wrote || err != nil {
		t.Errorf("a wiki that is not as committed: got %v, %v", wrote, err)
	}
	r.Git("checkout", "-q", "--", "openwiki")
	r.Remove("openwiki/new.md")
	if _, err := Overlay(t.Context(), r.Dir, "", []publish.File{{Path: "main.go", Data: []byte("evil")}}); err == nil {
		t.Error("a file outside of the wiki is written")
	}
}

// plainSettings are the built-in ones.
func plainSettings(t *testing.T) *Settings {
	t.Helper()
	settings, err := Resolve(func(string) string { return "" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return settings
}
