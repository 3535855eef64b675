package survey

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sized makes packages from "dir files" lines; a trailing "main" makes a program.
func sized(spec string) []*Package {
	var out []*Package
	for l := range strings.Lines(spec) {
		var dir, role string
		var n int
		if got, _ := fmt.Sscan(l, &dir, &n, &role); got < 2 {
			continue
		}
		p := &Package{Dir: dir, Name: dir, Language: "Go", Role: "library", Lines: 80 * n}
		switch role {
		case "main":
			p.Role = "program"
		case "":
			if r, _ := roleOf(dir, "Go"); r != "" {
				p.Role = r
			}
		}
		for i := range n {
			p.Files = append(p.Files, fmt.Sprintf("%s/f%d.go", dir, i))
		}
		out = append(out, p)
	}
	return out
}

func ids(cs []*Component) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.ID)
	}
	return out
}

func TestComponents(t *testing.T) {
	tests := []struct {
		name, spec string
		want       []string
	}{
		{"one package", ". 12", []string{"lib"}},
		{"library with a subpackage", ". 15\ndoc 5", []string{"doc", "lib"}},
		{"library with an internal helper", ". 15\ninternal/x 1", []string{"lib"}},
		{"small service", "cmd/server 3 main\ninternal/api 8\ninternal/store 9\ninternal/auth 6\ninternal/log 1\nexamples/a 2\nscripts 2", []string{
			"cmd/server", "examples", "internal/api", "internal/auth", "internal/log", "internal/store", "scripts",
		}},
		{"one tree below src", "src/app 4\nsrc/app/db 12\nsrc/app/web 14", []string{"src/app", "src/app/db", "src/app/web"}},
		{"a door and a room", "lib 1\nlib/x 8\nweb 20", []string{"lib", "web"}},
		{"tests inside a part", "core 20\ncore/tests 5\ntests/e2e 9\nweb 20", []string{"core", "tests", "web"}},
	}
	for _, tt := range tests {
		repo := &Repository{Name: "lib", Packages: sized(tt.spec)}
		if diff := cmp.Diff(tt.want, ids(repo.components())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestComponentCount(t *testing.T) {
	tests := []struct {
		name              string
		dirs, perDir      int
		least, most, fans int
	}{
		{"50 files", 10, 5, 3, 11, 3},
		{"600 files", 60, 10, 5, 30, 6},
		{"20000 files", 1000, 20, 15, 33, 10},
		{"20000 files in one flat level", 1000, 20, 2, 33, 1000},
	}
	for _, tt := range tests {
		var spec strings.Builder
		for i := range tt.dirs {
			fmt.Fprintf(&spec, "a%d/b%d/c%d %d\n", i%tt.fans, i/tt.fans%tt.fans, i, tt.perDir)
		}
		repo := &Repository{Name: "x", Packages: sized(spec.String())}
		cs := repo.components()
		if len(cs) < tt.least || len(cs) > tt.most {
			t.Errorf("%s: %d components, want %d to %d", tt.name, len(cs), tt.least, tt.most)
		}
		total := 0
		for _, c := range cs {
			total += len(c.Packages)
		}
		if total != tt.dirs {
			t.Errorf("%s: components hold %d packages of %d", tt.name, total, tt.dirs)
		}
	}
}

func TestModulesAreComponents(t *testing.T) {
	repo := &Repository{Name: "mono", Packages: sized("packages/a/src 60\npackages/b/src 1\npackages/c/src 2\npackages/c/test 3")}
	for _, d := range []string{"packages/a", "packages/b", "packages/c"} {
		repo.Modules = append(repo.Modules, Module{Dir: d, Ecosystem: "npm", Name: "@m/" + d[len(d)-1:]})
	}
	cs := repo.components()
	if diff := cmp.Diff([]string{"packages/a", "packages/b", "packages/c"}, ids(cs)); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if cs[0].Title != "@m/a" {
		t.Errorf("title = %q, want the name of the module", cs[0].Title)
	}
}

func TestGraph(t *testing.T) {
	link := func(from, to string, count int) Edge {
		return Edge{To: to, Count: count, Ref: Ref{Path: from + "/f.go", Start: 3, End: 3}}
	}
	cs := []*Component{
		{ID: "app", Packages: []*Package{{Dir: "app", Imports: []Edge{link("app", "lib", 1), link("app", "lib/sub", 2), link("app", "base", 5)}}}},
		{ID: "base", Packages: []*Package{{Dir: "base"}}},
		{ID: "lib", Packages: []*Package{{Dir: "lib", Imports: []Edge{link("lib", "loop", 1)}}, {Dir: "lib/sub", Imports: []Edge{link("lib/sub", "base", 1)}}}},
		{ID: "loop", Packages: []*Package{{Dir: "loop", Imports: []Edge{link("loop", "lib", 1)}}}},
	}
	connect(cs)
	app := []Edge{{To: "base", Count: 5, Ref: Ref{"app/f.go", 3, 3}}, {To: "lib", Count: 3, Ref: Ref{"app/f.go", 3, 3}}}
	if diff := cmp.Diff(app, cs[0].Uses); diff != "" {
		t.Errorf("uses of app (-want +got):\n%s", diff)
	}
	var got []string
	for _, c := range cs {
		got = append(got, fmt.Sprintf("%s %d %v %d", c.ID, c.Layer, c.Cycle, len(c.UsedBy)))
	}
	want := []string{"app 2 [] 0", "base 0 [] 2", "lib 1 [lib loop] 2", "loop 1 [lib loop] 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
}

func TestRoles(t *testing.T) {
	tests := []struct{ dir, language, want string }{
		{"tests/unit", "Python", "tests"}, {"examples/a", "Go", "examples"}, {"src/app/tools", "Python", ""}, {"internal/testing", "Go", ""},
		{"docs", "Python", "docs"}, {"doc", "Go", ""}, {"packages/a/scripts", "TypeScript", "tools"}, {"src/main/java/com/x/docs", "Java", ""},
		{"create/template-vue", "Vue", "examples"}, {".", "Go", ""},
	}
	for _, tt := range tests {
		if got, _ := roleOf(tt.dir, tt.language); got != tt.want {
			t.Errorf("roleOf(%q, %s) = %q, want %q", tt.dir, tt.language, got, tt.want)
		}
	}
}

func TestJavaIDs(t *testing.T) {
	cs := []*Component{
		{Dir: "src/main/java/org/acme/shop"}, {Dir: "src/main/java/org/acme/shop/cart"}, {Dir: "web/src/main/kotlin/com/x"}, {Dir: "docs"},
	}
	common := commonPackages(cs)
	var got []string
	for _, c := range cs {
		got = append(got, shortID(c.Dir, common))
	}
	if diff := cmp.Diff([]string{"shop", "shop/cart", "web/x", "docs"}, got); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}
