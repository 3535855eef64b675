package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/app"
)

// metadata returns action.yml: a composite action without steps of others that passes every input in the environment and no expression to
// a shell. It is made from the table of settings and the list of outputs, so that neither can be forgotten.
func metadata() string {
	var b strings.Builder
	b.WriteString(`# Made by the test of app/action (go test ./app/action -run Metadata -update) from the settings and outputs in the code.
name: Wikiwright
description: Keeps a repository's wiki true to its source and publishes every update as a pull request.
author: The Wikiwright authors
branding:
  icon: book-open
  color: blue
inputs:
`)
	for _, s := range app.AllSettings() {
		value := ""
		if s.Name == "token" {
			value = "${{ github.token }}"
		}
		writeInput(&b, s.Name, describe(s), value)
	}
	writeInput(&b, "binary", "Program to run instead of a released one. Default: the release that belongs to this version of the action.", "")
	writeInput(&b, "download-url", "Address below which the releases are. Default: https://github.com/wikiwright/wikiwright/releases/download.", "")
	b.WriteString("outputs:\n")
	for _, o := range Outputs() {
		b.WriteString("  " + o.Name + ":\n    description: " + quote(o.Description) + "\n")
		b.WriteString("    value: ${{ steps.unix.outputs." + o.Name + " || steps.windows.outputs." + o.Name + " }}\n")
	}
	b.WriteString("runs:\n  using: composite\n  steps:\n")
	writeStep(&b, "unix", "runner.os != 'Windows'", "bash", `"$GITHUB_ACTION_PATH/.github/action/run.sh"`, "exec ")
	writeStep(&b, "windows", "runner.os == 'Windows'", "pwsh", `& "$env:GITHUB_ACTION_PATH/.github/action/run.ps1"`, "")
	return b.String()
}

// action.yml and the code list the same inputs and outputs.
func TestMetadata(t *testing.T) {
	name := filepath.Join("..", "..", "action.yml")
	got := metadata()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("action.yml is not that of the code (-file +code); go test ./app/action -run Metadata -update writes it:\n%s", diff)
	}
	if strings.Contains(got, "uses:") {
		t.Error("the action uses another")
	}
	for line := range strings.Lines(got) {
		if strings.Contains(line, "run:") && strings.Contains(line, "${{") {
			t.Errorf("an expression reaches a shell: %s", line)
		}
	}
}

// describe is the description of an input. The default stands in words: an input that is empty leaves the setting to the repository's file.
func describe(s app.Setting) string {
	text := s.Description
	if len(s.Choices) > 0 {
		text += " One of " + strings.Join(s.Choices, ", ") + "."
	}
	switch {
	case s.Name == "token":
		return text + " Default: the token of the workflow run."
	case s.Default == "":
		return text + " Default: empty."
	}
	return text + " Default: " + s.Default + "."
}

func writeInput(b *strings.Builder, name, description, value string) {
	b.WriteString("  " + name + ":\n    description: " + quote(description) + "\n    required: false\n    default: " + quote(value) + "\n")
}

func writeStep(b *strings.Builder, id, condition, shell, script, prefix string) {
	b.WriteString("    - id: " + id + "\n      if: " + condition + "\n      shell: " + shell + "\n      run: " + quote(prefix+script) + "\n      env:\n")
	for _, s := range app.AllSettings() {
		b.WriteString("        " + variable(s.Name) + ": ${{ inputs." + s.Name + " }}\n")
	}
	for _, name := range []string{"binary", "download-url"} {
		b.WriteString("        " + variable(name) + ": ${{ inputs." + name + " }}\n")
	}
	b.WriteString("        WIKIWRIGHT_WORKFLOW_TOKEN: ${{ github.token }}\n")
}

// variable is the name under which an input is passed. Hyphens are no part of names in a shell.
func variable(input string) string {
	return "INPUT_" + strings.ToUpper(strings.ReplaceAll(input, "-", "_"))
}

// quote returns a text as a single-quoted scalar of YAML.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
