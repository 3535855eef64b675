package wikiwright

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

func readDoc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The README is what a newcomer has: its parts, the two commands, every command of the program, and the map that docs/architecture.md
// repeats.
func TestReadme(t *testing.T) {
	readme := readDoc(t, "README.md")
	for _, want := range []string{
		"make wiki REPO=", "make test", "wikiwright init", "wikiwright update", "wikiwright status", "wikiwright check", "wikiwright publish",
		"wikiwright reset", "uses: wikiwright/wikiwright@", "| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 130, 143 |",
		"\n## Two commands\n", "\n## As a GitHub Action\n", "\n## How it looks\n", "\n## The map\n", "\n## The life of a run\n", "\n## Licence\n",
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md lacks %q", want)
		}
	}
	if got, want := mapOf(t, readme), mapOf(t, readDoc(t, "docs/architecture.md")); got != want {
		t.Errorf("the map of README.md differs from that of docs/architecture.md:\n%s\n%s", got, want)
	}
	for line := range strings.Lines(mapOf(t, readme)) {
		name, _, _ := strings.Cut(line, " ")
		if _, err := os.Stat(name); err != nil {
			t.Errorf("the map names %s: %v", name, err)
		}
	}
}

func mapOf(t *testing.T, text string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n## The map\n\n```\n")
	if !found {
		t.Fatal("no map")
	}
	listing, _, _ := strings.Cut(rest, "```")
	return listing
}

// Links in the documents lead somewhere.
func TestDocLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); base == "testdata" || base == ".git" || base == "openwiki" || base == "node_modules" || base == "prompts" { // prompts show links of pages
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		text := readDoc(t, name)
		if fences := strings.Count(text, "\n```"); fences%2 != 0 && !strings.HasPrefix(text, "```") {
			t.Errorf("%s: a code block is not closed", name)
		}
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			checkDocLink(t, name, match[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkDocLink(t *testing.T, name, dest string) {
	t.Helper()
	if strings.Contains(dest, "://") || strings.HasPrefix(dest, "mailto:") {
		return
	}
	target, fragment, _ := strings.Cut(dest, "#")
	file := name
	if target != "" {
		file = path.Join(path.Dir(filepath.ToSlash(name)), target)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("%s links %s, which is not there", name, dest)
		return
	}
	if fragment == "" || !strings.HasSuffix(file, ".md") {
		return
	}
	for line := range strings.Lines(readDoc(t, file)) {
		if heading := strings.TrimLeft(line, "#"); heading != line && wiki.Slug(strings.TrimSpace(heading)) == fragment {
			return
		}
	}
	t.Errorf("%s links %s, but %s has no such heading", name, dest, file)
}
