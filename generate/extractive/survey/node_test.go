package survey

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// at is a value with its lines, for comparing.
type at struct {
	Text       string
	Start, End int
}

func where(n *node) at {
	r := n.ref("f")
	return at{n.str(), r.Start, r.End}
}

func TestParseJSON(t *testing.T) {
	data := "{\n  // comment with \"quotes\"\n  \"name\": \"a\", /* b */\n  \"scripts\": {\n    \"test\": \"x\\ny\",\n  },\n  \"list\": [1,\n    true]\n}\n"
	n := parseJSON([]byte(data))
	got := []at{where(n.get("name")), where(n.get("scripts")), where(n.get("scripts", "test")), where(n.get("list").list()[1]), where(n.get("none", "x"))}
	want := []at{{"a", 3, 3}, {"", 4, 6}, {"x y", 5, 5}, {"true", 8, 8}, {}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestParseJSONBroken(t *testing.T) {
	n := parseJSON([]byte("{\"name\": \"a\", \"x\": [1, {\"y\": 2"))
	if got := n.get("name").str(); got != "a" {
		t.Errorf("name before the break = %q, want a", got)
	}
	if n := parseJSON([]byte("nothing")); n != nil {
		t.Errorf("parseJSON of no JSON = %+v, want nil", n)
	}
}

func TestParseYAML(t *testing.T) {
	data := "base: &b\n  image: x\njobs:\n  test:\n    <<: *b\n    run: |\n      one\n      two\n    needs: [a, b]\n    empty:\n"
	n := firstYAML([]byte(data))
	job := n.get("jobs", "test")
	got := []at{where(job.get("image")), where(job.get("run")), where(job), where(job.get("needs").list()[1]), where(job.get("empty"))}
	want := []at{{"x", 2, 2}, {"one two", 6, 8}, {"", 4, 10}, {"b", 9, 9}, {"", 10, 10}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestParseTOML(t *testing.T) {
	data := "title = \"t\"\n\n[a.b]\nlist = [\n  \"x\",\n  \"y\",\n]\ninline = { path = \"p\", n = 1 }\n\n[[bin]]\nname = \"one\"\n[bin.sub]\nk = true\n[[bin]]\nname = \"two\"\n"
	n := parseTOML([]byte(data))
	bins := n.get("bin").list()
	if len(bins) != 2 {
		t.Fatalf("bins = %d, want 2", len(bins))
	}
	got := []at{
		where(n.get("title")), where(n.get("a", "b", "list").list()[1]), where(n.get("a", "b", "inline", "path")),
		where(bins[0].get("name")), where(bins[0].get("sub", "k")), where(bins[1].get("name")),
	}
	want := []at{{"t", 1, 1}, {"y", 6, 6}, {"p", 8, 8}, {"one", 11, 11}, {"true", 13, 13}, {"two", 15, 15}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestParseINI(t *testing.T) {
	data := "[metadata]\nname = x  # comment\n; note\n[options]\ninstall_requires =\n    a>=1\n    # not this\n    b\n"
	n := parseINI([]byte(data))
	got := []at{where(n.get("metadata", "name")), where(n.get("options", "install_requires")), where(n.get("options", "install_requires").list()[1])}
	want := []at{{"x", 2, 2}, {"", 5, 8}, {"b", 8, 8}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestParseXML(t *testing.T) {
	data := "<?xml version=\"1.0\"?>\n<project>\n  <artifactId>a</artifactId>\n  <ref Include=\"B\"\n    Version=\"1\"/>\n</project>\n"
	n := parseXML([]byte(data)).get("project")
	got := []at{where(n.get("artifactId")), where(n.get("ref", "Include")), where(n.get("ref"))}
	want := []at{{"a", 3, 3}, {"B", 4, 5}, {"", 4, 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func FuzzFormats(f *testing.F) {
	f.Add([]byte("{\"a\": [1, 2], // c\n \"b\": {}}"))
	f.Add([]byte("[a.b]\nc = [\"x\", {y = 1}]\n[[d]]\n"))
	f.Add([]byte("<a b=\"c\"><d>e</d></a>"))
	f.Add([]byte("a: &x [1]\nb: *x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := len(newLineIndex(data))
		for _, n := range []*node{parseJSON(data), parseTOML(data), parseINI(data), parseXML(data)} {
			checkLines(t, n, lines, 0)
		}
		parseYAML(data)
	})
}

func checkLines(t *testing.T, n *node, lines, depth int) {
	if n == nil {
		return
	}
	if n.line < 0 || n.line > lines || n.end > lines {
		t.Fatalf("node %q on lines %d-%d of %d", n.key, n.line, n.end, lines)
	}
	for _, c := range append(n.entries, n.items...) {
		checkLines(t, c, lines, depth+1)
	}
}

func FuzzManifests(f *testing.F) {
	names := []string{
		"go.mod", "go.work", "package.json", "tsconfig.json", "pyproject.toml", "setup.cfg", "setup.py", "Cargo.toml", "pom.xml", "build.gradle",
		"settings.gradle", "composer.json", "Gemfile", "x.gemspec", "CMakeLists.txt", "configure.ac", "meson.build", "meson_options.txt", "x.csproj",
		"requirements.txt",
	}
	f.Add([]byte("module example.com/x\n\ngo 1.24\n"))
	f.Add([]byte("project(x VERSION 1)\noption(Y \"help\" ON)"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range names {
			readManifest("dir/"+name, data)
		}
		for _, name := range []string{".github/workflows/a.yml", ".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml", ".travis.yml"} {
			readWorkflow(name, data)
		}
		readMakefile("Makefile", data)
		readJustfile("justfile", data)
		readDockerfile("Dockerfile", data)
		readCompose("compose.yml", data)
		readDocument("README.md", data).first()
		readDocument("README.rst", data).first()
	})
}
