package extractive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// oneFile is an atlas of a single file in a package "src", with its function of a name.
func oneFile(t *testing.T, name, text, function string) (*atlas, symbol) {
	t.Helper()
	f := scan.Source(name, []byte(text))
	p := &survey.Package{Dir: "src", Files: []string{name}}
	repo := &survey.Repository{Files: map[string]*scan.File{name: f}, Packages: []*survey.Package{p},
		Components: []*survey.Component{{ID: "src", Dir: "src", Language: f.Language, Packages: []*survey.Package{p}}}}
	a := newAtlas(repo, "openwiki", fixedFiles(map[string]string{name: text}))
	for i := range f.Decls {
		if f.Decls[i].Name == function {
			return a, symbol{&f.Decls[i], f}
		}
	}
	t.Fatalf("%s declares no %s", name, function)
	return nil, symbol{}
}

func TestHandlers(t *testing.T) {
	for _, tc := range []struct {
		name, file, text string
		want             []string
	}{
		{"go", "src/a.go", "package a\n\nfunc f(c *C) error {\n\terr := c.load(1)\n\tif err != nil {\n\t\tif !c.quiet {\n\t\t\tc.print(err)\n\t\t}\n\t\treturn nil\n\t}\n\tif err := c.store(); err != nil {\n\t\treturn err\n\t}\n\tif x, err := c.more(); err != nil {\n\t\treturn fmt.Errorf(\"more %v: %w\", x, err)\n\t}\n\tgo func() {\n\t\tif err := c.later(); err != nil {\n\t\t\tc.print(err)\n\t\t}\n\t}()\n\treturn nil\n}\n", []string{
			"4 err := c.load(1): c.print(err) [if !c.quiet]; return nil []",
			"11 err := c.store() passes on c.store",
			"14 x, err := c.more() passes on c.more",
		}},
		{"go, the call before has another result", "src/a.go", "package a\n\nfunc f() {\n\tn := count()\n\tif err != nil {\n\t\tlog(n)\n\t}\n}\n", []string{"5 if err != nil: log(n) []"}},
		{"python", "src/a.py", "def f():\n    try:\n        a()\n    except KeyError as e:\n        x = 1\n        if e.bad:\n            raise\n        report(e)\n", []string{"4 except KeyError as e: raise [if e.bad]; report(e) []"}},
		{"typescript", "src/a.ts", "export function f() {\n  try {\n    a()\n  } catch (e) {\n    if (e.code !== 'X') {\n      throw e\n    }\n  }\n}\n", []string{"3 a(): throw e [if (e.code !== 'X')]"}},
		{"rust", "src/a.rs", "fn f() -> ExitCode {\n    match run() {\n        Ok(code) => code,\n        Err(err) => {\n            for cause in err.chain() {\n                if broken(cause) {\n                    return ExitCode::from(0);\n                }\n            }\n            report(err);\n            ExitCode::from(2)\n        }\n    }\n}\n", []string{"4 Err(err): return ExitCode::from(0) [if broken(cause)]; report(err) []; ExitCode::from(2) []"}},
		{"c", "src/a.c", "int f(void) {\n    if (open_it() == -1) {\n        log_it(\"no\");\n        return -1;\n    }\n    if (n < 0)\n        log_it(\"few\");\n    return 0;\n}\n", []string{"2 if (open_it() == -1): log_it(\"no\") []; return -1 []"}},
	} {
		a, s := oneFile(t, tc.file, tc.text, "f")
		var got []string
		for _, h := range a.handlersOf(s) {
			if h.passes {
				got = append(got, fmt.Sprintf("%d %s passes on %s", h.ref.Start, h.failed, h.of))
				continue
			}
			var runs []string
			for _, r := range h.runs {
				runs = append(runs, r.line+" ["+r.under+"]")
			}
			got = append(got, fmt.Sprintf("%d %s: %s", h.ref.Start, h.failed, strings.Join(runs, "; ")))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestFieldCalls(t *testing.T) {
	for _, tc := range []struct {
		name, file, text string
		want             []string
	}{
		{"go", "src/a.go", "package a\n\ntype Check func(int) error\n\ntype Command struct {\n\tRunE func() error\n\tArgs Check\n\tName string\n}\n\nfunc (c *Command) Title() string { return c.Name }\n\nfunc (c *Command) f() {\n\tc.Args(1)\n\tif c.RunE != nil {\n\t\tc.RunE()\n\t}\n\tc.Title()\n\tc.RunE()\n}\n", []string{"14 Args a.go:7", "16 RunE a.go:6"}},
		{"c", "src/a.c", "void g(struct s *c) {}\n\nvoid f(struct s *c) {\n    g(c);\n    c->cmd->proc(c); /* c->other(c) */\n    log(\"c->text(x)\");\n    c->cmd->proc(c);\n}\n", []string{"5 c->cmd->proc"}},
	} {
		a, s := oneFile(t, tc.file, tc.text, "f")
		var got []string
		for _, c := range a.calls.fieldCalls(s) {
			at := fmt.Sprintf("%d %s", c.line, c.shown)
			if c.field.Path != "" {
				at += " " + location(c.field)
			}
			got = append(got, at)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestArguments(t *testing.T) {
	var got []string
	for w := range arguments(`if (x) set(conn, on_read, f(on_write), "s", a.b, &c, last);`) {
		got = append(got, w)
	}
	if diff := cmp.Diff([]string{"conn", "on_read", "on_write", "last"}, got); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}
