package survey

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGroups(t *testing.T) {
	files := map[string]string{"README.md": "# DB\n\n## Files\n\n* `t_hash.c`, `t_list.c` and `t_set.c` contains the data types.\n"}
	for _, name := range []string{"cluster.c", "cluster.h", "cluster_legacy.c", "t_hash.c", "t_list.c", "t_set.c", "dict.c", "dict.h"} {
		files["src/"+name] = "int x;\n"
	}
	for i := range 40 {
		files["src/"+strings.Repeat(string(rune('a'+i%26)), 3+i/26)+".c"] = "int x;\n"
	}
	repo := surveyTree(t, files, 1)
	var got []string
	for _, c := range repo.Components {
		for _, g := range c.Groups {
			got = append(got, fmt.Sprintf("%s %d %s", g.Name, len(g.Files), g.Doc.Text))
		}
	}
	want := []string{"cluster* 3 ", "t_* 3 t_hash.c, t_list.c and t_set.c contains the data types."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}
