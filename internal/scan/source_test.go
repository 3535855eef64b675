package scan

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSourceOfWhatIsNoSource(t *testing.T) {
	long := bytes.Repeat([]byte("a=function(){return 1};"), 4000)
	tests := []struct {
		name, path string
		data       []byte
		want       File
	}{
		{"empty", "a.go", nil, File{Language: "Go"}},
		{"binary", "a.py", []byte("def f():\n\x00"), File{Binary: true}},
		{"unknown", "notes", []byte("a\nb"), File{Lines: 2}},
		{"minified", "a.js", long, File{Language: "JavaScript", Lines: 1}},
		{"huge", "a.go", append([]byte("package a\nfunc F() {}\n"), make([]byte, maxBytes)...), File{Language: "Go", Lines: 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "huge" {
				for i := 22; i < len(tt.data); i++ {
					tt.data[i] = ' '
				}
			}
			got := Source(tt.path, tt.data)
			if got.Language != tt.want.Language || got.Lines != tt.want.Lines || got.Binary != tt.want.Binary {
				t.Errorf("Source = %q, %d lines, binary %v", got.Language, got.Lines, got.Binary)
			}
			if len(got.Decls) != 0 || len(got.Calls) != 0 {
				t.Errorf("declarations of %s: %v", tt.name, got.Decls)
			}
		})
	}
}

func TestSourceToleratesInvalidText(t *testing.T) {
	got := Source("a.py", []byte("\xef\xbb\xbf# \xff\xfe\ndef caf\xe9():\n    '''Doc \xff.'''\n"))
	if len(got.Decls) != 1 || got.Decls[0].Start != 2 || got.Decls[0].Doc != "Doc \uFFFD." {
		t.Errorf("declarations = %+v", got.Decls)
	}
	got = Source("a.go", []byte("\xef\xbb\xbfpackage a\r\n\r\n// F is \xff.\r\nfunc F() {}\r\nfunc ("))
	if len(got.Decls) == 0 || got.Decls[0].Name != "F" || got.Decls[0].Start != 4 || got.Decls[0].Doc != "F is \uFFFD." {
		t.Errorf("declarations = %+v", got.Decls)
	}
}

func TestMarksAreInOrder(t *testing.T) {
	for path, source := range map[string]string{
		"a.go":   "package a\n\n// F is.\n//\n// Deprecated: no.\nfunc F() {}\n\n// TODO: one\n",
		"a.py":   "@deprecated('no')\ndef f():\n    pass\n\n# TODO: one\n",
		"a.js":   "/** @deprecated no */\nfunction f() {}\n\n// TODO: one\n",
		"a.java": "class A {\n  @Deprecated public void f() {}\n  // TODO: one\n}\n",
	} {
		marks := Source(path, []byte(source)).Marks
		if len(marks) != 2 || marks[0].Kind != "DEPRECATED" || marks[1].Kind != "TODO" {
			t.Errorf("%s: marks %+v, want the deprecated one first", path, marks)
		}
	}
}

// TestSourceOfDeepNesting reads files that would cost a recursive or quadratic reader dear.
func TestSourceOfDeepNesting(t *testing.T) {
	const n = 1 << 20
	for _, tt := range []struct{ path, open, shut string }{
		{"a.js", "{", "}"}, {"a.js", "(function(){", "})()"}, {"a.js", "`${", "}`"}, {"a.jsx", "(<a>{", "}</a>)"}, {"a.ts", "a<", ">"},
		{"a.ts", "class A{", "}"}, {"a.js", "x=>", ""}, {"a.js", "/* */ /", ""}, {"a.ts", "namespace a{", "}"}, {"a.js", "if(a)", ""},
		{"a.js", "a=b=>{", "}"}, {"a.js", "a={b(){", "}}"}, {"a.py", "(", ")"}, {"a.py", "f\"{", "}\""}, {"a.py", "class A:", ""},
		{"a.py", "if x: ", ""}, {"a.go", "package a;(", ""}, {"a.go", "package a;func f(){", "}"}, {"a.ts", "type A = A<", ">"}, {"a.ts", "(a:", ")"},
		{"a.ts", "a.b=", ""}, {"a.ts", "declare ", ""}, {"a.js", "", ""}, {"a.ts", "abstract declare ", ""}, {"a.ts", "@a ", ""}, {"a.js", "a.get(", ")"},
		{"a.js", "<a", ""}, {"a.py", "@a", ""}, {"a.py", "a.get(", ")"}, {"a.js", "export ", ""}, {"a.ts", "interface A{a():{", "}}"},
	} {
		t.Run(tt.path+" "+tt.open, func(t *testing.T) {
			times := n / 2 / (len(tt.open) + 1)
			data := strings.Repeat(tt.open+"\n", times)
			Source(tt.path, []byte(data))
			Source(tt.path, []byte(data+strings.Repeat(tt.shut+"\n", times)))
		})
	}
}

func FuzzSource(f *testing.F) {
	names, err := filepath.Glob("testdata/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil && Language(name, data) != "JSON" {
			f.Add(filepath.Ext(name), data)
		}
	}
	for _, ext := range []string{".py", ".js", ".ts", ".tsx", ".vue", ".go", ".java", ".kt", ".cs", ".rs", ".c", ".h", ".cpp", ".rb", ".php"} {
		f.Add(ext, []byte("class A { f() { return `x${\"y\"}` } } # \" ' /* <?php <<EOF\n"))
	}
	f.Fuzz(func(t *testing.T, ext string, data []byte) {
		if got := Source("dir/file"+ext, data); got != nil {
			checkLines(t, got)
		}
	})
}

// checkLines fails if a fact of a file lies outside of it, or ends before it begins.
func checkLines(t *testing.T, f *File) {
	t.Helper()
	check := func(what string, start, end int) {
		if start < 1 || end < start || end > f.Lines {
			t.Errorf("%s: lines %d to %d of %d", what, start, end, f.Lines)
		}
	}
	maybe := func(what string, start, end int) {
		if start != 0 || end != 0 {
			check(what, start, end)
		}
	}
	maybe("file doc", f.DocStart, f.DocEnd)
	maybe("package", f.PackageLine, f.PackageLine)
	for _, d := range f.Decls {
		check("declaration "+d.Name, d.Start, d.End)
		maybe("doc of "+d.Name, d.DocStart, d.DocEnd)
		if len(d.Signature) > maxSignature || d.Name == "" {
			t.Errorf("declaration %q with signature %q", d.Name, d.Signature)
		}
	}
	for _, x := range f.Imports {
		check("import "+x.Path, x.Line, x.Line)
	}
	for _, x := range f.Env {
		check("variable "+x.Name, x.Line, x.Line)
	}
	for _, x := range f.Flags {
		check("flag "+x.Name, x.Line, x.Line)
	}
	for _, x := range f.Routes {
		check("route "+x.Path, x.Line, x.Line)
	}
	for _, x := range f.Commands {
		check("command "+x.Name, x.Line, x.Line)
	}
	for _, x := range f.Entries {
		check("entry "+x.Name, x.Line, x.End)
	}
	for _, x := range f.Tests {
		check("test "+x.Name, x.Line, x.End)
	}
	for _, x := range f.Calls {
		check("call "+x.Name, x.Line, x.Line)
	}
	for _, x := range f.Marks {
		check("mark "+x.Text, x.Line, x.Line)
	}
	for _, x := range f.Failures {
		check("failure "+x.Name, x.Line, x.End)
	}
}
