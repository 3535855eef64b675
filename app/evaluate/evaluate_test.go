package evaluate_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/app/evaluate"
)

var greeting = filepath.Join("testdata", "greeting")

// A case is played through: the init writes two pages, the change makes one of them stale, the update writes that one and no other.
func TestRun(t *testing.T) {
	row, err := evaluate.Run(t.Context(), greeting, "openai/gpt-4o")
	if err != nil {
		t.Fatal(err)
	}
	want := &evaluate.Row{
		Case:  "greeting",
		Score: &evaluate.Score{Pages: 2, Claims: 2, Faithful: 2, Files: 3, Cited: 2, Doubtful: []string{}},
		// 2.5 and 10 dollars for a million tokens; the catalogue has no other price for those from the cache.
		Init:   evaluate.Phase{Outcome: "complete", Complete: 2, Churn: 24, Usage: app.Usage{Requests: 5, InputTokens: 5000, CachedInputTokens: 3000, OutputTokens: 250, CostUSD: 0.015}},
		Update: &evaluate.Phase{Outcome: "complete", Complete: 1, Churn: 2, Usage: app.Usage{Requests: 3, InputTokens: 3000, CachedInputTokens: 1800, OutputTokens: 150, CostUSD: 0.009}},
	}
	if diff := cmp.Diff(want, row, cmpopts.EquateApprox(0, 1e-9), cmpopts.IgnoreFields(evaluate.Phase{}, "Sent")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if row.Init.Sent < 5*5000 || row.Init.Sent > 5*30_000 {
		t.Errorf("5 requests had %d bytes", row.Init.Sent)
	}
	var table bytes.Buffer
	if err := evaluate.Table(&table, []*evaluate.Row{row, row}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(table.String()), "\n")
	if got := strings.Join(strings.Fields(lines[1]), " "); got != "greeting complete, complete 3 0 2/2 100% 2/3 66% 2 0 8 8000 400 $0.0240" {
		t.Errorf("the row is %q", got)
	}
	if got := strings.Join(strings.Fields(lines[3]), " "); got != "all - 6 0 4/4 100% 4/6 66% 4 0 16 16000 800 $0.0480" {
		t.Errorf("the row of all is %q", got)
	}
}

// copyCase copies the case, so that a test can break it.
func copyCase(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(greeting)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A script that ends early costs the page; one that is no script is the fault of the case.
func TestRun_scripts(t *testing.T) {
	dir := copyCase(t)
	script := filepath.Join(dir, "init.jsonl")
	whole, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(script, []byte(strings.Join(lines[:4], "")), 0o644); err != nil {
		t.Fatal(err)
	}
	row, err := evaluate.Run(t.Context(), dir, "scripted")
	if err != nil {
		t.Fatal(err)
	}
	if row.Init.Outcome != "partial" || row.Init.Complete != 1 || row.Init.Failed != 1 {
		t.Errorf("init %+v", row.Init)
	}
	for text, want := range map[string]string{"{": "init.jsonl: line 1: ", "\n{\"text\":\"x\"}\n": "init.jsonl: line 2: no page is named"} {
		if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate.Run(t.Context(), dir, "scripted"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := evaluate.Run(t.Context(), t.TempDir(), "scripted"); err == nil || !strings.Contains(err.Error(), "source") {
		t.Errorf("an empty case: %v", err)
	}
}

// A Claim whose lines do not hold what it names, or are gone, is doubtful.
func TestMeasure_doubtful(t *testing.T) {
	dir := copyCase(t)
	// After the change the file has fewer lines than are cited, and the script confirms the Claim all the same, which is refused.
	if err := os.WriteFile(filepath.Join(dir, "change", "greet", "words.py"), []byte("def salute(name):\n    return name\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	row, err := evaluate.Run(t.Context(), dir, "scripted")
	if err != nil {
		t.Fatal(err)
	}
	if row.Score.Faithful != 1 || len(row.Score.Doubtful) != 1 || !strings.Contains(row.Score.Doubtful[0], "greet/words.py has only 2 lines") {
		t.Errorf("score %+v, update %+v", row.Score, row.Update)
	}
}
