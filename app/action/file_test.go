package action

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/app"
)

// What is checked out cannot make the job write anywhere but where the input says.
func TestWriteFile(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, workspace, outside string)
		to      func(workspace, outside string) string
		want    string // a part of the error; "" when the file is written
	}{
		{name: "new", to: below("findings.sarif")},
		{name: "new in a new directory", to: below("out/findings.sarif")},
		{name: "there already", prepare: file("findings.sarif"), to: below("findings.sarif")},
		{name: "absolute in the checkout", to: func(workspace, _ string) string { return filepath.Join(workspace, "out", "x.json") }},
		{name: "absolute outside", to: func(_, outside string) string { return filepath.Join(outside, "new.json") }},
		{name: "dots that stay", to: below("out/../findings.sarif")},
		{name: "a link as the target", prepare: link("victim", "findings.sarif"), to: below("findings.sarif"),
			want: "findings.sarif is a symbolic link"},
		{name: "a link to nothing as the target", prepare: link("nothing", "findings.sarif"), to: below("findings.sarif"),
			want: "findings.sarif is a symbolic link"},
		{name: "a link above the target", prepare: link("", "out"), to: below("out/victim"), want: "out/victim: out is a symbolic link"},
		{name: "a link above, absolute", prepare: link("", "out"), to: func(workspace, _ string) string { return filepath.Join(workspace, "out", "victim") },
			want: "out/victim: out is a symbolic link"},
		{name: "a link outside to the target", prepare: func(t *testing.T, _, outside string) {
			symlink(t, filepath.Join(outside, "victim"), filepath.Join(outside, "link"))
		},
			to: func(_, outside string) string { return filepath.Join(outside, "link") }, want: "link is a symbolic link"},
		{name: "a link outside into the checkout", prepare: func(t *testing.T, workspace, outside string) {
			file("src/a.go")(t, workspace, outside)
			symlink(t, filepath.Join(workspace, "src"), filepath.Join(outside, "link"))
		}, to: func(_, outside string) string { return filepath.Join(outside, "link", "a.go") }, want: "is a symbolic link"},
		{name: "another name of the checkout", prepare: func(t *testing.T, workspace, outside string) {
			link("", "out")(t, workspace, outside)
			symlink(t, workspace, filepath.Join(outside, "again"))
		}, to: func(_, outside string) string { return filepath.Join(outside, "again", "out", "victim") }, want: "out/victim: out is a symbolic link"},
		{name: "out of the workspace", to: below("../victim"), want: `"../victim" leads out of the workspace`},
		{name: "a directory", prepare: file("out/x"), to: below("out"), want: "is a directory"},
		{name: "a file above", prepare: file("out"), to: below("out/x.json"), want: "not a directory"},
		{name: "nothing above, outside", to: func(_, outside string) string { return filepath.Join(outside, "no", "x.json") }, want: "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			workspace, outside := t.TempDir(), t.TempDir()
			victim := filepath.Join(outside, "victim")
			write(t, victim, "precious")
			if test.prepare != nil {
				test.prepare(t, workspace, outside)
			}
			j := newJob(Config{Getenv: func(name string) string { return map[string]string{"GITHUB_WORKSPACE": workspace}[name] }, Out: io.Discard})
			name := test.to(workspace, outside)
			full, err := j.writeFile("sarif-path", name, []byte("{}\n"))
			if got := read(t, victim); got != "precious" {
				t.Errorf("a file outside was written: %q", got)
			}
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "sarif-path: ") {
					t.Errorf("error %v, want one with %q", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !filepath.IsAbs(name) {
				name = filepath.Join(workspace, name)
			}
			if full != filepath.Clean(name) || read(t, full) != "{}\n" {
				t.Errorf("%s holds %q, want %s", full, read(t, full), name)
			}
		})
	}
}

// Links are refused as wrong use, with a hint; so is a bundle behind one.
func TestMakeDirectory(t *testing.T) {
	workspace, outside := t.TempDir(), t.TempDir()
	symlink(t, outside, filepath.Join(workspace, "out"))
	j := newJob(Config{Getenv: func(name string) string { return map[string]string{"GITHUB_WORKSPACE": workspace}[name] }, Out: io.Discard})
	_, err := j.makeDirectory("bundle-path", "out/bundle")
	if err == nil || !app.IsConfiguration(err) || app.Explain(err).Hint == "" {
		t.Errorf("got %v, want wrong use with a hint", err)
	}
	if _, err := os.Stat(filepath.Join(outside, "bundle")); err == nil {
		t.Error("a directory outside was made")
	}
	for _, name := range []string{"made/bundle", filepath.Join(outside, "a", "b")} {
		got, err := j.makeDirectory("bundle-path", name)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(got); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", got, err)
		}
	}
}

func below(name string) func(string, string) string {
	return func(string, string) string { return filepath.FromSlash(name) }
}

// file puts a file into the workspace.
func file(name string) func(*testing.T, string, string) {
	return func(t *testing.T, workspace, _ string) { write(t, filepath.Join(workspace, name), "old") }
}

// link puts a link into the workspace that leads to a name outside.
func link(to, name string) func(*testing.T, string, string) {
	return func(t *testing.T, workspace, outside string) {
		symlink(t, filepath.Join(outside, to), filepath.Join(workspace, name))
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
