package extractive

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// parts is a repository of n parts with k files each.
func parts(n, k int) *survey.Repository {
	repo := &survey.Repository{Name: "big", Files: map[string]*scan.File{}}
	for i := range n {
		dir := fmt.Sprintf("pkg/p%03d", i)
		p := &survey.Package{Dir: dir, Name: "p"}
		for j := range k {
			name := fmt.Sprintf("%s/f%02d.go", dir, j)
			p.Files = append(p.Files, name)
			repo.Files[name] = &scan.File{Path: name, Language: "Go"}
		}
		repo.Packages = append(repo.Packages, p)
		repo.Components = append(repo.Components, &survey.Component{ID: dir, Dir: dir, Packages: []*survey.Package{p}, Lines: 1000 + i, Role: "library"})
	}
	return repo
}

func TestOutlineBudget(t *testing.T) {
	for _, tc := range []struct{ parts, files, want int }{
		{1, 3, 1}, {5, 10, 3}, {30, 40, 30}, {60, 300, maxPartPages},
	} {
		a := newAtlas(parts(tc.parts, tc.files), "openwiki", fixedFiles(nil))
		a.outline()
		if got := len(a.pages); got != tc.want {
			t.Errorf("%d parts of %d files: %d pages, want %d", tc.parts, tc.files, got, tc.want)
		}
	}
}

func TestOutlineNamesDoNotClash(t *testing.T) {
	repo := parts(4, 40)
	for i, id := range []string{"a/b", "a-b", "index", "."} {
		repo.Components[i].ID = id
	}
	a := newAtlas(repo, "docs/wiki", fixedFiles(nil))
	a.outline()
	var got []string
	for _, p := range a.pages {
		got = append(got, p)
	}
	slices.Sort(got)
	want := []string{"docs/wiki/components/a-b-2.md", "docs/wiki/components/a-b.md", "docs/wiki/components/big.md", "docs/wiki/components/part-index.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{"internal/Gateway": "internal-gateway", "@scope/pkg": "scope-pkg", ".": "", "日本": "", "a__b": "a-b"} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDiagramIsFoldedAndValid(t *testing.T) {
	repo := parts(40, 2)
	for i, c := range repo.Components {
		for j := i + 1; j < min(i+4, len(repo.Components)); j++ {
			c.Uses = append(c.Uses, survey.Edge{To: repo.Components[j].ID, Count: 1})
		}
	}
	a := newAtlas(repo, "openwiki", fixedFiles(nil))
	p := newPage(a.src, "openwiki/architecture.md")
	a.diagram(p)
	nodes, edges := 0, 0
	for _, line := range slices.Collect(linesOf(string(p.body))) {
		switch {
		case len(line) > 3 && line[len(line)-1] == ']':
			nodes++
		case len(line) > 8 && line[4:9] == " --> ":
			edges++
		}
	}
	if nodes < 10 || nodes > 20 || edges == 0 || edges > maxEdges {
		t.Errorf("%d nodes and %d edges:\n%s", nodes, edges, p.body)
	}
}
