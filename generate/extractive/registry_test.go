package extractive

import (
	"slices"
	"testing"
)

func TestHasIdentifier(t *testing.T) {
	names := []string{"", "a", "Run", "run_it", "é", "aé", "a b", "x.y", "1"}
	lines := []string{"", "a", "Run", "Runner Run", "Runner", "reRun(Run)", "_Run", "run_it.x", "éRuné", "aé a b x.y", "rerun_it 1", "11"}
	for _, name := range names {
		for _, line := range lines {
			if got, want := hasIdentifier(line, name), slices.Contains(slices.Collect(identifiers(line)), name); got != want {
				t.Errorf("hasIdentifier(%q, %q) = %v, want %v", line, name, got, want)
			}
		}
	}
	if !hasIdentifier("Runner Run", "Run") || hasIdentifier("Runner reRun", "Run") {
		t.Error("a part of a word counts as a word, or a word does not")
	}
}
