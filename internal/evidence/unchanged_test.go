package evidence_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestUnchanged(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	var queries []evidence.Query
	for _, resource := range []string{addFunc, "repo://README.md", "repo://src/b.go#L3-L3"} {
		queries = append(queries, evidence.Query{Resource: parse(t, resource), Previous: recorded(t, repo, resource)})
	}
	unchanged := func(what string, want bool) {
		t.Helper()
		if got, err := resolver(t, repo).Unchanged(t.Context(), queries, 2); got != want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", what, got, err, want)
		}
	}
	unchanged("nothing done", true)
	original := repo.Read("src/a.go")
	repo.Write("src/a.go", original+"\n// More.\n")
	unchanged("changed after the lines", true)
	for what, text := range map[string]string{
		"cited line changed": strings.Replace(original, "x + y", "y + x", 1),
		"lines moved":        "// New.\n" + original,
		"other line ends":    strings.ReplaceAll(original, "\n", "\r\n"),
		"too short":          "package a\n",
	} {
		repo.Write("src/a.go", text)
		unchanged(what, false)
	}
	repo.Remove("src/a.go")
	unchanged("file gone", false)
	repo.Write("src/a.go", original)
	unchanged("put back", true)
	queries[2].Previous = ""
	unchanged("no version", false)
	queries[2].Previous = queries[0].Previous
	unchanged("another version", false)
	queries = nil
	unchanged("nothing asked", true)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	queries = []evidence.Query{{Resource: parse(t, "repo://README.md")}}
	if _, err := resolver(t, repo).Unchanged(ctx, queries, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
