package wikiwright

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProofs looks for every test that docs/proofs.md names.
func TestProofs(t *testing.T) {
	text, err := os.ReadFile("docs/proofs.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z/]+)\\.(Test\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 80 {
		t.Fatalf("only %d tests are named", len(named))
	}
	for _, name := range named {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(name[1]), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(source), "\nfunc "+name[2]+"(t *testing.T)")
		}
		if !found {
			t.Errorf("docs/proofs.md names %s.%s, which is not there", name[1], name[2])
		}
	}
}
