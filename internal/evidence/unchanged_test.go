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

// What is compared is what was recorded, in texts that are no UTF-8, without a
// line end, or shorter than any resource may say.
func TestUnchanged_places(t *testing.T) {
	repo := gittest.FromTxtar(t, demo)
	repo.Write("odd.txt", "one\n\xe2\x82\ntwo \xff\xfe\nlast")
	repo.Commit("odd")
	for _, test := range []struct {
		resource string
		version  string // "" is the recorded one
		want     bool
	}{
		{"repo://odd.txt", "", true},
		{"repo://odd.txt#L1-L1", "", true},
		{"repo://odd.txt#L2-L3", "", true},
		{"repo://odd.txt#L4-L4", "", true},
		{"repo://odd.txt#L1-L4", "", true},
		{"repo://odd.txt#L5-L5", recorded(t, repo, "repo://odd.txt#L4-L4"), false},
		{"repo://odd.txt#L9007199254740991-L9007199254740991", recorded(t, repo, "repo://odd.txt#L4-L4"), false},
	} {
		version := test.version
		if version == "" {
			version = recorded(t, repo, test.resource)
		}
		got, err := resolver(t, repo).Unchanged(t.Context(), []evidence.Query{{Resource: parse(t, test.resource), Previous: version}}, 1)
		if got != test.want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", test.resource, got, err, test.want)
		}
	}
}
