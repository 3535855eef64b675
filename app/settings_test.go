package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func inputs(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestResolve_precedence(t *testing.T) {
	file, err := ParseSettingsFile([]byte("# ours\nlabels: [docs, wiki]\ntitle: from the file\ndraft: false\nmin-new-pages: 3\ncheckpoints: off\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Resolve(inputs(map[string]string{"title": " from the workflow ", "labels": ""}), file)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Text("title"); got != "from the workflow" {
		t.Errorf("title %q: the input comes first", got)
	}
	if diff := cmp.Diff([]string{"docs", "wiki"}, s.Lines("labels")); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if got := s.Number("min-new-pages"); got != 3 {
		t.Errorf("min-new-pages %d, want 3", got)
	}
	if got := s.Text("draft"); got != "false" {
		t.Errorf("draft %q, want false", got)
	}
	if _, on := s.Duration("checkpoints"); on {
		t.Error("checkpoints are on")
	}
	if d, on := s.Duration("max-duration"); !on || d != 5*time.Hour {
		t.Errorf("max-duration %v, want 5h", d)
	}
	var rows []EffectiveValue
	for _, row := range s.Effective() {
		switch row.Name {
		case "title", "labels", "mode", "token":
			rows = append(rows, row)
		}
	}
	want := []EffectiveValue{
		{"mode", "update", "built-in"},
		{"token", "", "built-in"},
		{"title", "from the workflow", "input"},
		{"labels", "docs\nwiki", ".github/wikiwright.yml:2"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("effective values (-want +got):\n%s", diff)
	}
}

func TestResolve_error(t *testing.T) {
	_, err := Resolve(inputs(map[string]string{"mode": "refresh", "concurrency": "9", "dry-run": "yes", "max-duration": "5", "title": "a\nb", "token": "ghs_x\ny"}), nil)
	if !IsConfiguration(err) {
		t.Fatalf("got %v, want a configuration error", err)
	}
	for _, want := range []string{
		`mode (input): "refresh" is none of update, init, plan, check, publish`, `concurrency (input): "9" is not a number from 1 to 8`,
		`dry-run (input): "yes" is neither true nor false`, `max-duration (input): "5" is not a duration`, `title (input): must be one line`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "ghs_x") {
		t.Errorf("the error shows the token: %v", err)
	}
}

func TestResolve_secretsAreNotShown(t *testing.T) {
	s, err := Resolve(inputs(map[string]string{"token": "ghs_canary"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range s.Effective() {
		if strings.Contains(row.Value, "canary") {
			t.Errorf("%s shows its value", row.Name)
		}
	}
	if s.Text("token") != "ghs_canary" {
		t.Error("the token itself is lost")
	}
}

func TestParseSettingsFile_error(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown key", "title: x\n\nlabel: y\n", `line 3: unknown key "label"`},
		{"input only", "title: x\ntoken: ghs_x\n", "line 2: token can be given in the workflow only"},
		{"twice", "title: x\ntitle: y\n", "line 2"},
		{"bad value", "\ndraft: maybe\n", `line 2: draft: "maybe" is none of auto`},
		{"list", "title: [a]\n", "line 1: title: must be one value"},
		{"nested", "labels:\n  - a: b\n", "line 2: must be a text"},
		{"no mapping", "- a\n", "line 1: the file is not a list of keys and values"},
		{"syntax", "title: x\n\tlabels: a\n", "line 2"},
		{"alias", "title: &a x\nbranch: *a\n", "line 2: branch: must be one value"},
		{"second document", "title: x\n---\ntitle: y\n", "more than one document"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseSettingsFile([]byte(test.text))
			if !IsConfiguration(err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a configuration error with %q", err, test.want)
			}
		})
	}
}

func TestParseSettingsFile_empty(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n", "title:\n"} {
		values, err := ParseSettingsFile([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if _, err := Resolve(inputs(nil), values); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is built in is valid, names are unique, and whatever has choices has the default among them.
func TestAllSettings(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range AllSettings() {
		if seen[s.Name] {
			t.Errorf("%s stands twice", s.Name)
		}
		seen[s.Name] = true
		if err := s.check(s.Default); err != nil {
			t.Errorf("%s: default: %v", s.Name, err)
		}
		if !strings.HasSuffix(s.Description, ".") {
			t.Errorf("%s: the description is no sentence", s.Name)
		}
		if s.Secret && !s.InputOnly {
			t.Errorf("%s: a secret must not stand in a file", s.Name)
		}
	}
}

func TestSettingsSchema(t *testing.T) {
	got, err := SettingsSchema()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "docs", "config.schema.json")
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s does not describe the table (-published +table); go test ./app -update writes it:\n%s", name, diff)
	}
}

func FuzzParseSettingsFile(f *testing.F) {
	f.Add([]byte("title: x\nlabels: [a, b]\ndraft: true\n"))
	f.Add([]byte("labels:\n- a\n- b # c\n"))
	f.Add([]byte("a: &x [*x]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := ParseSettingsFile(data)
		if err != nil {
			if !IsConfiguration(err) {
				t.Fatalf("not a configuration error: %v", err)
			}
			return
		}
		if _, err := Resolve(inputs(nil), values); err != nil {
			t.Fatalf("a file that was accepted cannot be used: %v", err)
		}
	})
}
