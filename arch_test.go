package wikiwright

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/wikiwright/wikiwright"

// layers says in which layer a package lives. A package may import only packages of a lower layer; docs/architecture.md repeats the table.
var layers = map[string]int{
	"internal/agentsfile":          0,
	"internal/atomicfile":          0,
	"internal/gitrepo":             0,
	"internal/language":            0,
	"internal/llm/wire":            0,
	"internal/scan":                0,
	"internal/secretscan":          0,
	"internal/version":             0,
	"internal/github":              1,
	"internal/gittest":             1,
	"internal/llm":                 1,
	"internal/llm/llmtest":         2,
	"internal/safetext":            1,
	"internal/source":              1,
	"internal/wiki":                1,
	"internal/evidence":            2,
	"internal/githubtest":          2,
	"internal/workspace":           2,
	"internal/claims":              3,
	"internal/workspace/filetools": 3,
	"generate":                     4,
	"internal/impact":              4,
	"internal/wikidiff":            4,
	"publish":                      5,
	"generate/extractive/survey":   4,
	"generate/agent":               5,
	"generate/agent/agenttest":     5,
	"generate/extractive":          5,
	"generate/generatetest":        5,
	"app":                          6,
	"app/action":                   7,
	"app/evaluate":                 7,
	"internal/cli":                 8,
	"cmd/wikiwright":               9,
	"bench":                        9,
	"bench/githubtest":             9,
	".":                            10,
}

// reserved third-party modules may be imported only by the packages named: the reason stands beside each.
var reserved = map[string][]string{
	"github.com/spf13/cobra":   {"internal/cli"},                                               // the command line is one front door
	"github.com/gofrs/flock":   {"generate"},                                                   // one run per checkout
	"github.com/yuin/goldmark": {"internal/wiki", "internal/safetext"},                         // Markdown is the wiki's format
	"go.yaml.in/yaml/v3":       {"internal/wiki", "generate/extractive/survey", "app"},         // front matter, CI files as material, settings
	"os/exec":                  {"internal/gitrepo", "internal/llm", "bench", "app/action"},    // git, a command that prints a token, and the generation without the token of GitHub
	"net/http":                 {"internal/github", "internal/llm", "publish", "app/evaluate"}, // generation without a model has no network
	// One package speaks to models.
	"charm.land/catwalk":           {"internal/llm"},
	"github.com/tmaxmax/go-sse":    {"internal/llm/wire"},
	"github.com/aws/aws-sdk-go-v2": {"internal/llm", "internal/llm/wire"},
	// One client for one API, one owner of git objects.
	"github.com/google/go-github/v62": {"internal/github", "publish", "internal/githubtest"},
	"github.com/go-git/go-git/v5":     {"internal/gitrepo"},
	// Only for commands, whose data it escapes: see the console there.
	"github.com/sethvargo/go-githubactions": {"app/action"},
}

// TestLayers reads the imports itself: a test that ran `go list` would be answered from the test cache after a violation.
func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); name != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		dir := path.Dir(filepath.ToSlash(name))
		seen[dir] = true
		checkFile(t, dir, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range layers {
		if !seen[dir] {
			t.Errorf("layer table names %s, which has no Go file: remove the row", dir)
		}
	}
}

func checkFile(t *testing.T, dir, name string) {
	t.Helper()
	layer, ok := layers[dir]
	if !ok {
		t.Errorf("%s: package %s is not in the layer table: decide its layer in arch_test.go and docs/architecture.md", name, dir)
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("parse %s: %v", name, err)
		return
	}
	isTest := strings.HasSuffix(name, "_test.go")
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: import %s: %v", name, spec.Path.Value, err)
			continue
		}
		checkImport(t, dir, layer, name, imported, isTest)
	}
}

func checkImport(t *testing.T, dir string, layer int, name, imported string, isTest bool) {
	t.Helper()
	if owners, ok := reservedFor(imported); ok && !isTest && !strings.HasSuffix(dir, "test") && !slices.Contains(owners, dir) {
		t.Errorf("%s imports %s, which belongs to %v", name, imported, owners)
	}
	target, ok := strings.CutPrefix(imported, module+"/")
	if !ok {
		return
	}
	to, known := layers[target]
	switch {
	case !known:
		t.Errorf("%s imports %s, which is not in the layer table", name, target)
	case strings.HasSuffix(target, "test") && !isTest && !strings.HasSuffix(dir, "test"):
		t.Errorf("%s imports %s: test packages are for _test.go files", name, target)
	case to >= layer && !isTest && target != dir:
		t.Errorf("%s (layer %d) imports %s (layer %d): imports go to lower layers only", name, layer, target, to)
	}
}

func reservedFor(imported string) ([]string, bool) {
	for prefix, owners := range reserved {
		if imported == prefix || strings.HasPrefix(imported, prefix+"/") {
			return owners, true
		}
	}
	return nil, false
}
