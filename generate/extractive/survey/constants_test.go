package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The name of a variable may be put together of constants in several files of a package.
func TestEnvironmentOfConstants(t *testing.T) {
	repo := surveyTree(t, map[string]string{
		"go.mod": "module example.com/a\n\ngo 1.22\n",
		"a.go":   "package a\n\nimport \"os\"\n\nconst (\n\tsuffix = \"HELP\"\n\tvariable = prefix + \"_\" + suffix\n)\n\nfunc help() string { return os.Getenv(variable) }\n\nfunc other(unknown string) string { return os.Getenv(unknown) }\n",
		"b.go":   "package a\n\nconst prefix = \"TOOL\"\n",
	}, 1)
	var got []ConfigItem
	for _, it := range repo.Config {
		if it.Kind == "env" {
			got = append(got, it)
		}
	}
	at := func(file string, line int) Ref { return Ref{Path: file, Start: line, End: line} }
	want := []ConfigItem{{Kind: "env", Name: "TOOL_HELP", Component: got[0].Component, Refs: []Ref{at("a.go", 10)}, Parts: []Ref{at("a.go", 7), at("b.go", 3), at("a.go", 6)}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
