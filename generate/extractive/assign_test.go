package extractive

import (
	"testing"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestChanged(t *testing.T) {
	for _, tc := range []struct {
		line, self, field string
		ok                bool
	}{
		{"self.views[name] = f", "self.", "views", true},
		{"self.rules: list[Rule] = []", "self.", "rules", true},
		{"self.url_map.add(rule)", "self.", "url_map", true},
		{"self.app.add_url_rule(rule)", "self.", "app", false},
		{"if self.debug == value:", "self.", "", false},
		{"self.debug == value", "self.", "debug", false},
		{"this.count++", "this.", "count", true},
		{"this.handlers.set(key, h)", "this.", "handlers", true},
		{"delete(s.entries, key)", "s.", "entries", true},
		{"s.closed = true", "s.", "closed", true},
		{"// s.closed = true", "s.", "", false},
		{"@items << x", "@", "items", false},
		{"@items = x", "@", "items", true},
	} {
		if field, ok := changed(tc.line, tc.self); ok != tc.ok || ok && field != tc.field {
			t.Errorf("changed(%q) = %q, %v; want %q, %v", tc.line, field, ok, tc.field, tc.ok)
		}
	}
}

func TestPlaced(t *testing.T) {
	src := "def f():\n    a()\n    try:\n        b()\n    except E:\n        c()\n    if x:\n        d()\n    else:\n        e()\n"
	f := &scan.File{Path: "f.py", Language: "Python", Decls: []scan.Decl{{Name: "f", Kind: scan.KindFunction, Start: 1, End: 10}}}
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{"f.py": f}}, "openwiki", fixedFiles(map[string]string{"f.py": src}))
	for line, want := range map[int]place{2: straightOn, 4: straightOn, 6: inHandler, 8: inCondition, 10: inCondition} {
		if got := a.placed(symbol{&f.Decls[0], f}, line); got != want {
			t.Errorf("line %d is placed %v, want %v", line, got, want)
		}
	}
}

// A deferred call is not made where it stands, and one behind go not in turn.
func TestPlaced_postponed(t *testing.T) {
	src := "func f() {\n\ta()\n\tdefer b()\n\tgo c()\n}\n"
	f := &scan.File{Path: "f.go", Language: "Go", Decls: []scan.Decl{{Name: "f", Kind: scan.KindFunction, Start: 1, End: 5}}}
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{"f.go": f}}, "openwiki", fixedFiles(map[string]string{"f.go": src}))
	for line, want := range map[int]place{2: straightOn, 3: inHandler, 4: inHandler} {
		if got := a.placed(symbol{&f.Decls[0], f}, line); got != want {
			t.Errorf("line %d is placed %v, want %v", line, got, want)
		}
	}
}

// An example in a docstring changes nothing.
func TestWritesOf_docstring(t *testing.T) {
	src := "class A:\n    def client(self):\n        \"\"\"Example:\n\n        self.auth = 1\n        \"\"\"\n        self.used = True\n"
	f := &scan.File{Path: "a.py", Language: "Python", Decls: []scan.Decl{{Name: "client", Kind: scan.KindMethod, Parent: "A", Start: 2, End: 7, DocStart: 3, DocEnd: 6}}}
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{"a.py": f}}, "openwiki", fixedFiles(map[string]string{"a.py": src}))
	got := a.writesOf(symbol{&f.Decls[0], f})
	if len(got) != 1 || got[0].field != "used" || got[0].ref.Start != 7 {
		t.Errorf("got %+v, want the write of used in line 7", got)
	}
}

func TestCondition(t *testing.T) {
	src := "func main() {\n\tif mode && n > 0 {\n\t\tos.Exit(3)\n\t}\n\t_, err := parse()\n\tif err != nil {\n\t\tos.Exit(2)\n\t}\n\tos.Exit(0)\n}\n"
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{}}, "openwiki", fixedFiles(map[string]string{"main.go": src}))
	for line, want := range map[int]string{3: "if mode && n > 0", 7: "_, err := parse()", 9: ""} {
		if got, _ := a.condition(survey.Ref{Path: "main.go", Start: line, End: line}); got != want {
			t.Errorf("the condition of line %d is %q, want %q", line, got, want)
		}
	}
}

func TestHandles(t *testing.T) {
	for name, want := range map[string]bool{
		"handle_exception": true, "SilenceErrors": true, "errorMiddleware": true, "Repair": true, "stdout_handle": false, "createEventHandler": false, "ErrNotFound": false,
	} {
		if got := handles(name); got != want {
			t.Errorf("handles(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestFirstSentenceEndsBeforeTheNext(t *testing.T) {
	for in, want := range map[string]string{
		"Find the target command given the tree\nMeant to be run on the highest node.": "Find the target command given the tree",
		"transform file url to id\nvirtual:custom -> custom":                           "transform file url to id",
		"Says what it keeps, over two\nlines.":                                         "Says what it keeps, over two lines.",
	} {
		if got := firstSentence(in); got != want {
			t.Errorf("firstSentence(%q) = %q, want %q", in, got, want)
		}
	}
}

// An exit of a subcommand's action stands in a function without a name.
func TestExitRows_action(t *testing.T) {
	src := "const cli = cac('x')\n\ncli\n  .command('build [root]', 'build it')\n  .action(async (root) => {\n    try {\n      run(root)\n    } catch (e) {\n      process.exit(1)\n    }\n  })\n"
	a, _ := oneFile(t, "src/cli.ts", "import { cac } from 'cac'\n"+src+"\nexport function f() {}\n", "f")
	rows := a.exitRows(newPage(a.src, "openwiki/a.md"), a.repo.Components[0], 5)
	if len(rows) != 1 || rows[0].claim.plain != "Behind the declaration of the subcommand build, the process ends with exit status 1 after catch (e)." {
		t.Errorf("exits: %+v", rows)
	}
}
