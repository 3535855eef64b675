package extractive

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

func TestCallsBetweenFiles(t *testing.T) {
	a, _ := manyFiles(map[string]string{
		"src/net.c":  "#include \"all.h\"\nint netRead(void) {\n    dbAdd();\n    dbDel();\n    free(x);\n    helper();\n    return 0;\n}\nstatic int helper(void) { return 1; }\n",
		"src/db.c":   "int dbAdd(void) {\n    return 1;\n}\nint dbDel(void) {\n    return dbAdd();\n}\n",
		"src/main.c": "int main(void) {\n    netRead();\n    dbAdd();\n    twice();\n    return 0;\n}\n",
		"src/a.c":    "int twice(void) {\n    return 1;\n}\n",
		"src/b.c":    "int twice(void) {\n    return 2;\n}\n",
	})
	at := func(file string, line int) survey.Ref { return survey.Ref{Path: file, Start: line, End: line} }
	got := a.callsBetweenFiles()
	want := fileCalls{
		calls: map[string][]fileUse{
			"src/net.c":  {{"src/db.c", 2, at("src/net.c", 3), "dbAdd"}},
			"src/main.c": {{"src/db.c", 1, at("src/main.c", 3), "dbAdd"}, {"src/net.c", 1, at("src/main.c", 2), "netRead"}},
		},
		calledBy: map[string][]fileUse{
			"src/db.c":  {{"src/net.c", 2, at("src/net.c", 3), "dbAdd"}, {"src/main.c", 1, at("src/main.c", 3), "dbAdd"}},
			"src/net.c": {{"src/main.c", 1, at("src/main.c", 2), "netRead"}},
		},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fileCalls{}, fileUse{})); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestFieldUses(t *testing.T) {
	for line, want := range map[string][]use{
		"    server.clients = list();":                  {{"clients", true}},
		"    if (server.db[j].size == 0) return;":       {{"db", false}},
		"    server.stats[i]++; x = server.hz;":         {{"stats", true}, {"hz", false}},
		"#include \"server.h\"":                         nil,
		" * server.hz = 10":                             nil,
		"    myserver.hz = 1; log(\"server.x = 1\")":    nil,
		"    server.flags |= 4; /* server.other = 1 */": {{"flags", true}},
	} {
		if diff := cmp.Diff(want, fieldUses(line, "server"), cmp.AllowUnexported(use{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestFieldLine(t *testing.T) {
	for line, want := range map[string][2]string{
		"    list *clients;              /* List of active clients */": {"clients", "List of active clients"},
		"    redisDb *db;": {"db", ""},
		"    int pair[2]; /* Pipe used to wake the loop */": {"pair", "Pipe used to wake the loop"},
		"    int (*handler)(void); /* Called for each */":   {"", ""},
		"    int a, b; /* Two of them in one */":            {"", ""},
	} {
		if name, said := fieldLine(line); name != want[0] || said != want[1] {
			t.Errorf("fieldLine(%q) = %q, %q; want %q", line, name, said, want)
		}
	}
}

func TestAllChanged(t *testing.T) {
	for line, want := range map[string][]string{
		"if (etag) this.tags.delete(etag)":             {"tags"},
		"if (this.pending.delete(name)) this.count++":  {"pending", "count"},
		"const old = this.value":                       nil,
		"return (this.cache = make(this.options))":     {"cache"},
		"log('this.value = 1')":                        nil,
		"if (this.value === other) return this.set(1)": nil,
		"this.a = this.b = 1":                          {"a", "b"},
		"x() // this.value = 2":                        nil,
	} {
		if diff := cmp.Diff(want, allChanged(line, "this.")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestCondition_else(t *testing.T) {
	src := "fn main() -> ExitCode {\n    if matched && quiet {\n        ExitCode::from(3)\n    } else if errored {\n        ExitCode::from(2)\n    } else {\n        ExitCode::from(1)\n    }\n}\n"
	a := newAtlas(&survey.Repository{Files: map[string]*scan.File{}}, "openwiki", fixedFiles(map[string]string{"m.rs": src}))
	if got, by := a.condition(survey.Ref{Path: "m.rs", Start: 7, End: 7}); got != "else, after: else if errored" || by.Start != 4 {
		t.Errorf("condition = %q, line %d", got, by.Start)
	}
}

func TestCallersOf(t *testing.T) {
	a, s := oneFile(t, "src/a.go", "package a\n\ntype DB struct{}\n\nfunc (d *DB) run() {\n\td.compact()\n\tgo func() { d.compact() }()\n}\n\nfunc (d *DB) compact() {\n\td.compact()\n}\n\nfunc other(x X) {\n\tx.compactAll()\n}\n", "compact")
	var got []string
	for _, c := range a.callersOf(s) {
		got = append(got, fmt.Sprintf("%s %d", c.to.name(), c.line))
	}
	if diff := cmp.Diff([]string{"DB.run 6"}, got); diff != "" {
		t.Errorf("callers (-want +got):\n%s", diff)
	}
}

func TestCalledBefore(t *testing.T) {
	for line, want := range map[string]string{
		"    connSetReadHandler(conn, onRead);": "connSetReadHandler", "x = create(get(a), onRead)": "create", "onRead(conn)": "", "f(a)(onRead)": "",
	} {
		if got := calledBefore(line, "onRead"); got != want {
			t.Errorf("calledBefore(%q) = %q, want %q", line, got, want)
		}
	}
}
