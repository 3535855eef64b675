package agentsfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func present(text string) File { return File{Data: []byte(text), Exists: true} }

func both(add bool) Options {
	return Options{Wanted: []string{Agents, Claude}, WikiDir: "openwiki", Add: add}
}

func blockText() string { return strings.Join(fullBlock("openwiki"), "\n") }

// The block that agents read is this text and no other.
func TestUpdate_golden(t *testing.T) {
	changed, err := Update(File{}, File{}, both(true))
	if err != nil || len(changed) != 1 {
		t.Fatalf("got %d files, %v; want AGENTS.md alone", len(changed), err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "AGENTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(changed[Agents])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(string(want), "GitHub") || strings.Contains(string(want), "Actions") {
		t.Error("the block names a host: it stands in repositories on others too")
	}
}

func TestUpdate(t *testing.T) {
	const imported = "<!-- OPENWIKI:START -->\n## OpenWiki\n\n@AGENTS.md\n<!-- OPENWIKI:END -->"
	owner := strings.Repeat("A line of the owner.\n", 40)
	old := "<!-- OPENWIKI:START -->\nold words\n<!-- OPENWIKI:END -->"
	for _, test := range []struct {
		name           string
		agents, claude File
		opt            Options
		want           map[string]string
	}{
		{"without marks", present(owner), File{}, both(true), map[string]string{Agents: owner + "\n" + blockText() + "\n"}},
		{"blank lines at the end", present("# Mine\n\n\n"), File{}, both(true), map[string]string{Agents: "# Mine\n\n" + blockText() + "\n"}},
		{"no line end", present("# Mine"), File{}, both(true), map[string]string{Agents: "# Mine\n\n" + blockText() + "\n"}},
		{"empty", present(""), File{}, both(true), map[string]string{Agents: blockText() + "\n"}},
		{"a pair", present("# Mine  \n" + old + "\n\n\ttail \n"), File{}, both(true), map[string]string{Agents: "# Mine  \n" + blockText() + "\n\n\ttail \n"}},
		{"a pair that is new", present("# Mine\n" + blockText() + "\ntail"), File{}, both(true), map[string]string{}},
		{"line ends of Windows", present("# Mine\r\n"), File{}, both(true), map[string]string{Agents: "# Mine\r\n\r\n" + strings.ReplaceAll(blockText(), "\n", "\r\n") + "\r\n"}},
		{"not to be added", present(owner), present("mine\n"), both(false), map[string]string{}},
		{"not to be made", File{}, File{}, both(false), map[string]string{}},
		{"kept up to date", present(old), present("mine\n"), both(false), map[string]string{Agents: blockText()}},
		{"both", present(owner), present("mine\n"), both(true), map[string]string{Agents: owner + "\n" + blockText() + "\n", Claude: "mine\n\n" + imported + "\n"}},
		{"an import alone", present(blockText()), present("\n@AGENTS.md\n\n"), both(true), map[string]string{}},
		{"only CLAUDE.md, beside AGENTS.md", present(owner), present("mine\n"), Options{Wanted: []string{Claude}, WikiDir: "openwiki", Add: true}, map[string]string{Claude: "mine\n\n" + imported + "\n"}},
		{"only CLAUDE.md, alone", File{}, present("mine\n"), Options{Wanted: []string{Claude}, WikiDir: "openwiki", Add: true}, map[string]string{Claude: "mine\n\n" + blockText() + "\n"}},
		{"AGENTS.md is a link", File{Exists: true, Link: true}, present("mine\n"), both(true), map[string]string{Claude: "mine\n\n" + blockText() + "\n"}},
		{"CLAUDE.md is a link", present(blockText()), File{Exists: true, Link: true}, both(true), map[string]string{}},
		{"nothing wanted", present(owner), present("mine\n"), Options{WikiDir: "openwiki", Add: true}, map[string]string{}},
		{"an example elsewhere", present("```\n## OpenWiki\n```\n"), File{}, both(true), map[string]string{Agents: "```\n## OpenWiki\n```\n\n" + blockText() + "\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := bytes.Clone(test.agents.Data)
			changed, err := Update(test.agents, test.claude, test.opt)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name, data := range changed {
				got[name] = string(data)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !bytes.Equal(before, test.agents.Data) {
				t.Error("the file that was given is changed")
			}
			// A second time there is nothing to do.
			next := func(name string, file File) File {
				if data, ok := changed[name]; ok {
					return File{Data: data, Exists: true}
				}
				return file
			}
			if again, err := Update(next(Agents, test.agents), next(Claude, test.claude), test.opt); err != nil || len(again) != 0 {
				t.Errorf("again: %v, %v", again, err)
			}
		})
	}
}

// Marks that do not say where the block is leave both files alone.
func TestUpdate_marks(t *testing.T) {
	const start, end = "<!-- OPENWIKI:START -->\n", "<!-- OPENWIKI:END -->\n"
	for name, text := range map[string]string{
		"the first alone":    "# Mine\n" + start + "words\n",
		"the second alone":   "words\n" + end,
		"in the wrong order": end + "words\n" + start,
		"two pairs":          start + "a\n" + end + "mine\n" + start + "b\n" + end,
		"two firsts":         start + start + end,
		"in a code fence":    "Example:\n\n```md\n" + start + "words\n" + end + "```\n",
		"in a longer fence":  "~~~~\n```\n~~~\n" + start + "words\n" + end + "~~~~\n",
		"in a sentence":      "Between <!-- OPENWIKI:START --> and <!-- OPENWIKI:END --> stands a block.\n",
		"one in a fence too": start + "a\n" + end + "```\n" + start + "```\n",
		"indented":           "- item\n\n      " + start + "words\n      " + end,
		"an open fence":      "# Mine\n\n```sh\nmake\n",
		"unmarked section":   "# Mine\n\n## OpenWiki\n\nOld text.\n",
	} {
		for _, files := range [][2]File{{present(text), present("mine\n")}, {present("mine\n"), present(text)}} {
			changed, err := Update(files[0], files[1], both(true))
			var marks *MarksError
			if !errors.As(err, &marks) || changed != nil || marks.Hint() == "" {
				t.Errorf("%s: got %v, %v; want an error and no change", name, changed, err)
			}
		}
	}
}

// Whatever a file holds: what is outside of the block stays, and the block is found again.
func FuzzUpdate(f *testing.F) {
	for _, text := range []string{"", "# Mine\r\n", "<!-- OPENWIKI:START -->\nx\n<!-- OPENWIKI:END -->", "```\n<!-- OPENWIKI:START -->\n```", "## OpenWiki\n", "a\r\nb\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		changed, err := Update(File{Data: text, Exists: true}, File{}, both(true))
		if err != nil || len(changed) == 0 {
			return
		}
		data := changed[Agents]
		p, err := find(data)
		if err != nil || !p.found {
			t.Fatalf("%q became %q, whose block is not found: %v", text, data, err)
		}
		before, after := data[:p.start], data[p.end:]
		if old, err := find(text); err != nil || old.found && (!bytes.Equal(before, text[:old.start]) || !bytes.Equal(after, text[old.end:])) ||
			!old.found && !bytes.Equal(bytes.TrimSpace(before), bytes.TrimSpace(text)) {
			t.Errorf("%q became %q", text, data)
		}
		if again, err := Update(File{Data: data, Exists: true}, File{}, both(true)); err != nil || len(again) != 0 {
			t.Errorf("%q became %q, and then %q, %v", text, data, again, err)
		}
	})
}
