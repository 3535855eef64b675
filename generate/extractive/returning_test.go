package extractive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What follows a call that never returns does not run: the process has ended another way.
func TestFailuresOf_afterNeverReturning(t *testing.T) {
	a, c := manyFiles(map[string]string{
		"src/server.h": "#define unreachable abort\n#define serverPanic(...) _serverPanic(__FILE__,__VA_ARGS__),unreachable()\n#define serverAssert(e) ((e) ? (void)0 : (_serverAssert(#e),unreachable()))\n",
		"src/debug.c":  "void die(const char *m) {\n    log_it(m);\n    abort();\n}\n\nvoid _serverPanic(const char *f, ...) {\n    log_it(f);\n}\n",
		"src/server.c": "int main(void) {\n    if (timers() == ERR) {\n        serverPanic(\"no timers\");\n        exit(1);\n    }\n    if (listen_all() == ERR) {\n        serverAssert(x);\n        exit(2);\n    }\n" +
			"    if (other() == ERR) {\n        die(\n            \"other\");\n        exit(3);\n    }\n    if (locale() == NULL) {\n        log_it(\"locale\");\n        exit(4);\n    }\n    if (a)\n        return 1;\n    exit(5);\n}\n",
		"src/run.py": "import sys\n\ndef stop() -> NoReturn:\n    raise SystemExit\n\ndef run():\n    if bad():\n        stop()\n        sys.exit(6)\n    if worse():\n        report()\n        sys.exit(7)\n",
	})
	exits, _ := a.failuresOf(c)
	var got []string
	for _, x := range exits {
		got = append(got, x.Name)
	}
	if diff := cmp.Diff([]string{"exit 7", "exit 2", "exit 4", "exit 5"}, got); diff != "" {
		t.Errorf("exits (-want +got):\n%s", diff)
	}
}

func TestHandlers_neverReturning(t *testing.T) {
	a, s := oneFile(t, "src/a.c", "void die(void) {\n    abort();\n}\n\nint f(void) {\n    if (open_it() == -1) {\n        die();\n        exit(1);\n    }\n    return 0;\n}\n", "f")
	var got []string
	for _, h := range a.handlersOf(s) {
		for _, r := range h.runs {
			got = append(got, r.line)
		}
	}
	if diff := cmp.Diff([]string{"die()"}, got); diff != "" {
		t.Errorf("the handler runs (-want +got):\n%s", diff)
	}
}

func TestGuard(t *testing.T) {
	a, s := oneFile(t, "src/a.c", "int f(void) {\n#ifdef __linux__\n    one();\n#if X\n    two();\n#endif\n    three();\n#else\n    four();\n#endif\n    five();\n    return 0;\n}\n", "f")
	for line, want := range map[int]string{3: "#ifdef __linux__", 5: "#if X", 7: "#ifdef __linux__", 9: "not #ifdef __linux__", 11: ""} {
		if got, _ := a.guard(s, line); got != want {
			t.Errorf("line %d is under %q, want %q", line, got, want)
		}
	}
}

// Methods of a type of the same name in another file are not those of the main type.
func TestMethodsOf_sameName(t *testing.T) {
	one := "pub struct Glob;\nimpl Glob {\n"
	for _, n := range []string{"from", "actual", "original", "whole"} {
		one += "    /// Returns the thing that is called so.\n    pub fn " + n + "(&self) {}\n"
	}
	a, c := manyFiles(map[string]string{
		"src/ignore.rs": one + "}\n",
		"src/types.rs":  "struct Glob;\nimpl Glob {\n    /// Returns the definition of the type.\n    pub fn definition(&self) {}\n}\n",
	})
	p := newPage(a.src, "openwiki/x.md")
	a.methodsOf(p, c)
	if body := string(p.body); !strings.Contains(body, "original") || strings.Contains(body, "definition") {
		t.Errorf("methods:\n%s", body)
	}
}
