package extractive

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

func TestIncludedHeaders(t *testing.T) {
	files := map[string]string{"src/all.h": "int x;\n", "src/list.h": "int y;\n", "src/free.c": "#include <stdio.h>\nint z;\n"}
	for _, name := range []string{"a", "b", "c", "d"} {
		files["src/"+name+".c"] = "#include \"all.h\"\n#include \"list.h\"\n#include \"missing.h\"\nint " + name + ";\n"
	}
	files["src/e.c"] = "\n#include \"all.h\"\nint e;\n"
	a, c := manyFiles(files)
	headers, by := a.included(c)
	if diff := cmp.Diff([]string{"src/all.h", "src/list.h"}, headers); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if got, want := by["src/all.h"][4], (includer{"src/e.c", survey.Ref{Path: "src/e.c", Start: 2, End: 2}}); got != want {
		t.Errorf("included by %v, want %v", got, want)
	}
}
