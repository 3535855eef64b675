package survey

import "testing"

func TestAmbiguousImportsMakeNoEdge(t *testing.T) {
	files := map[string]string{
		"pom.xml": "<project><artifactId>a</artifactId><dependencies>" +
			"<dependency><groupId>org.big</groupId><artifactId>one</artifactId></dependency>" +
			"<dependency><groupId>org.big</groupId><artifactId>two</artifactId></dependency></dependencies></project>",
		"src/main/java/x/A.java": "package x;\n\nimport org.big.Thing;\n\nclass A {}\n",
		"pyproject.toml":         "[project]\nname = \"p\"\n",
		"one/util.py":            "A = 1\n",
		"two/util.py":            "A = 1\n",
		"three/main.py":          "import util\nimport json\n",
		"three/json.txt":         "x",
		"c/a/x.h":                "int a;\n",
		"c/b/x.h":                "int b;\n",
		"c/d/y.c":                "#include \"x.h\"\n#include \"a/x.h\"\n",
	}
	repo := surveyTree(t, files, 2)
	for _, e := range repo.Externals {
		if len(e.UsedBy) > 0 {
			t.Errorf("%s is said to be used by %v: its group has two artifacts", e.Name, e.UsedBy)
		}
	}
	for _, p := range repo.Packages {
		switch p.Dir {
		case "three":
			if len(p.Imports) > 0 {
				t.Errorf("three imports %+v: util could be either of two", p.Imports)
			}
		case "c/d":
			if len(p.Imports) != 1 || p.Imports[0].To != "c/a" || p.Imports[0].Ref != (Ref{"c/d/y.c", 2, 2}) {
				t.Errorf("c/d imports %+v, want c/a by its second include alone", p.Imports)
			}
		}
	}
}

func TestRelativeImports(t *testing.T) {
	files := map[string]string{
		"pkg/__init__.py":   "",
		"pkg/a/__init__.py": "",
		"pkg/a/deep.py":     "from ..b import tool\nfrom . import other\nfrom ..b.tool import x\n",
		"pkg/a/other.py":    "",
		"pkg/b/__init__.py": "",
		"pkg/b/tool.py":     "x = 1\n",
		"js/x/a.ts":         "import { y } from '../y'\nimport z from '../z/z.js'\nimport '../../../out'\n",
		"js/y/index.tsx":    "export const y = 1\n",
		"js/z/z.ts":         "export default 1\n",
	}
	got := map[string][]string{}
	for _, p := range surveyTree(t, files, 2).Packages {
		for _, e := range p.Imports {
			got[p.Dir] = append(got[p.Dir], e.To)
		}
	}
	want := map[string]string{"pkg/a": "[pkg/b]", "js/x": "[js/y js/z]"}
	for _, dir := range sortedKeys(want) {
		if s := sprint(got[dir]); s != want[dir] {
			t.Errorf("%s imports %s, want %s", dir, s, want[dir])
		}
	}
}

func sprint(list []string) string {
	s := "["
	for i, item := range list {
		if i > 0 {
			s += " "
		}
		s += item
	}
	return s + "]"
}
