package scan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected facts of the family corpora")

// facts renders what a file holds, one fact a line.
func facts(f *File) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s package %q line %d test %v doc %d-%d %q", f.Language, f.Package, f.PackageLine, f.IsTest, f.DocStart, f.DocEnd, f.Doc)
	for _, d := range f.Decls {
		var extra string
		if len(d.Bases) > 0 {
			extra += fmt.Sprintf(" bases %v", d.Bases)
		}
		if d.Exported {
			extra += " exported"
		}
		if d.Deprecated {
			extra += " deprecated"
		}
		if len(d.Assigns) > 0 {
			extra += fmt.Sprintf(" assigns %v", d.Assigns)
		}
		if d.Value != "" {
			extra += fmt.Sprintf(" value %q", d.Value)
		}
		if d.DocStart > 0 {
			extra += fmt.Sprintf(" doc %d-%d %q", d.DocStart, d.DocEnd, d.Doc)
		}
		line("%d-%d %s %s.%s%s | %s", d.Start, d.End, d.Kind, d.Parent, d.Name, extra, d.Signature)
	}
	for _, x := range f.Imports {
		line("import %d %s %s", x.Line, x.Path, x.Name)
	}
	for _, x := range f.Env {
		line("env %d %s default %q", x.Line, x.Name, x.Default)
	}
	for _, x := range f.Flags {
		line("flag %d %s default %q usage %q", x.Line, x.Name, x.Default, x.Usage)
	}
	for _, x := range f.Routes {
		line("route %d %s %s handler %q", x.Line, x.Method, x.Path, x.Handler)
	}
	for _, x := range f.Commands {
		line("command %d %s %q", x.Line, x.Name, x.Short)
	}
	for _, x := range f.Entries {
		line("entry %d-%d %s %s", x.Line, x.End, x.Kind, x.Name)
	}
	for _, x := range f.Tests {
		line("test %d-%d %s", x.Line, x.End, x.Name)
	}
	for _, x := range f.Failures {
		line("failure %d-%d %s %q", x.Line, x.End, x.Name, x.Text)
	}
	for _, x := range f.Marks {
		line("mark %d %s %s", x.Line, x.Kind, x.Text)
	}
	for _, x := range f.Calls {
		state := ""
		if x.Branch {
			state += " conditional"
		}
		if x.Nested {
			state += " nested"
		}
		line("call %d %s: %s%s", x.Line, x.Caller, strings.TrimLeft(x.Qualifier+" "+x.Name, " "), state)
	}
	return b.String()
}

// corpora returns the sources of testdata/family by path.
func corpora(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/family/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpora: %v", err)
	}
	out := map[string][]byte{}
	for _, p := range paths {
		if ext := filepath.Ext(p); ext == ".facts" || ext == ".json" {
			continue
		}
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.ToSlash(p)] = data
	}
	return out
}

// TestFamilyFacts compares everything that the scanners find in small corpora of awkward source with what is there.
func TestFamilyFacts(t *testing.T) {
	for p, data := range corpora(t) {
		got := facts(Source(p, data))
		if *update {
			if err := os.WriteFile(p+".facts", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(p + ".facts")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p, diff)
		}
	}
}

// TestFamilyLineEnds reads the corpora with the line breaks of Windows: the facts must be the same.
func TestFamilyLineEnds(t *testing.T) {
	for p, data := range corpora(t) {
		want := facts(Source(p, data))
		got := facts(Source(p, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))))
		got = strings.ReplaceAll(got, `\r`, "")
		if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (-lf +crlf):\n%s", p, diff)
		}
	}
}

// recordedTags are the kinds of the recorded lines of Universal Ctags that the scanners must find.
func recordedTags(kind string) bool {
	switch kind {
	case "class", "interface", "enum", "struct", "union", "trait", "typedef", "method", "function", "singletonMethod", "macro", "annotation",
		"delegate", "object", "module", "implementation":
		return kind != "implementation"
	}
	return false
}

// TestFamilyRecordedTags compares the corpora with recorded output of ctags --output-format=json --fields=+nKeS. What ctags reads
// wrongly is listed.
func TestFamilyRecordedTags(t *testing.T) {
	wrong := map[string]bool{}
	list, err := os.ReadFile("testdata/family/wrong.tags.json")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(list, &names); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		wrong[n] = true
	}
	for p, data := range corpora(t) {
		recorded, err := os.ReadFile(p + ".tags.json")
		if err != nil {
			t.Fatal(err)
		}
		f := Source(p, data)
		lines := bufio.NewScanner(bytes.NewReader(recorded))
		found := 0
		for lines.Scan() {
			var one tag
			if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprintf("%s:%d %s %s", filepath.Base(p), one.Line, one.Kind, one.Name)
			if !recordedTags(one.Kind) || strings.HasPrefix(one.Name, "__anon") || wrong[id] {
				continue
			}
			if !tagged(f, one) {
				t.Errorf("missed %s, end %d", id, one.End)
			}
			found++
		}
		if found == 0 {
			t.Logf("%s: nothing was compared", p)
		}
	}
}

// tagged tells whether a declaration with the name of a tag begins at its line, or at most three lines before it, and ends with it.
func tagged(f *File, one tag) bool {
	name := one.Name
	if f.Language == "C#" {
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	name = strings.ReplaceAll(name, "operator ", "operator")
	for _, d := range f.Decls {
		same := strings.ReplaceAll(d.Name, "operator ", "operator") == strings.Trim(name, "`")
		if same && d.Start <= one.Line && one.Line <= d.Start+3 && (one.End == 0 || one.End == d.End) {
			return true
		}
		if same && one.Kind == "typedef" && d.Start <= one.Line && one.Line <= d.End {
			return true
		}
	}
	return false
}

// TestTokens checks where the literals of each dialect end: the word after them must be seen, those inside must not.
func TestTokens(t *testing.T) {
	for _, test := range []struct {
		name, source string
		dialect      dialect
		words        string
	}{
		{"java text block", `a = """` + "\n in \\\"\"\" in\n" + `"""; b`, dialectJava, "a b"},
		{"java chars", `'"' a '\'' b "\"" c`, dialectJava, "a b c"},
		{"kotlin raw", `a """ "${ f("}") }" """" b`, dialectKotlin, "a b"},
		{"kotlin nested comment", `a /* x /* y */ z */ b`, dialectKotlin, "a b"},
		{"kotlin name", "fun `two words`()", dialectKotlin, "fun `two words`"},
		{"c# verbatim", `a @"\" b "x""y" c`, dialectCSharp, "a b c"},
		{"c# interpolated", `a $"{x["}"]} {{" b @$"{y}""" c`, dialectCSharp, "a b c"},
		{"c# raw", `a """" x """ y """" b`, dialectCSharp, "a b"},
		{"rust raw", `a r#"x " y"# b br##"z"# "## c`, dialectRust, "a b c"},
		{"rust ticks", `a 'x' 'b '\'' c '{' d`, dialectRust, "a c d"},
		{"rust raw name", `r#type a`, dialectRust, "r#type a"},
		{"c++ raw", `a R"x( " )" )x" b u8R"(")" c L"\"" d`, dialectC, "a b c d"},
		{"c++ separators", `1'000 a '\'' b`, dialectC, "a b"},
		{"c continued comment", "a // x \\\n y\nb", dialectC, "a b"},
		{"c dead code", "a\n#if 0\nb\n#if 1\nc\n#endif\n#else\nd\n#endif\ne", dialectC, "a d e"},
		{"php heredoc", "<?php a <<<X\n b X2\n  X . c; <<<'Y'\nd\nY;\ne", dialectPHP, "a c e"},
		{"php text", "x <?php a ?> don't <?= b ?> y <?php // z ?> w <?php c", dialectPHP, "a b c"},
		{"php interpolation", `<?php a "{$b["c"]}" d '\'' e # f` + "\n#[g]", dialectPHP, "a d e g"},
		{"ruby heredocs", "a <<~X, <<-'Y' b\n c\n X\n d\n Y\ne", dialectRuby, "a b e"},
		{"ruby regex", "a = /b\\/ [c]/ if d / e / f", dialectRuby, "a if d e f"},
		{"ruby percent", "a %w[b [c] d] e % f %q(g) h", dialectRuby, "a e f h"},
		{"ruby interpolation", `a "#{b "c}" }" d :e f? g! h ?x : y`, dialectRuby, "a d f? g! h y"},
		{"ruby end", "a\n=begin\nb\n=end\nc\n__END__\nd", dialectRuby, "a c"},
	} {
		var words []string
		l := tokenize(test.source, test.dialect, nil)
		for _, k := range l.toks {
			if k.kind == tokenWord {
				words = append(words, test.source[k.pos:k.end])
			}
		}
		if got := strings.Join(words, " "); got != test.words {
			t.Errorf("%s: words %q, want %q", test.name, got, test.words)
		}
	}
}

// TestConditionalBrackets checks that alternatives of the preprocessor do not unbalance a file.
func TestConditionalBrackets(t *testing.T) {
	source := "int f(void)\n{\n#ifdef A\n  if (a) {\n#elif B\n  if (b) {\n#else\n  {\n#endif\n  }\n}\nint g;\n"
	f := Source("a.c", []byte(source))
	if len(f.Decls) != 1 || f.Decls[0].Name != "f" || f.Decls[0].End != 11 {
		t.Errorf("got %+v, want f to end on line 11", f.Decls)
	}
}

// TestFamilyDeepNesting reads files that would cost a recursive or quadratic reader dear: time, and memory for the names of what is
// nested, each of which holds all names above it.
func TestFamilyDeepNesting(t *testing.T) {
	const n = 1 << 18
	for _, test := range []struct{ path, open, shut string }{
		{"a.java", "class A{", "}"}, {"a.kt", "object A{", "}"}, {"a.cs", "class A{", "}"}, {"a.cs", "namespace A{", "}"}, {"a.rs", "mod a{", "}"},
		{"a.rs", "trait A{", "}"}, {"a.rs", "use a::{", "}"}, {"a.rs", "extern ", ""}, {"a.c", "struct A{", "}"}, {"a.cpp", "namespace a{", "}"},
		{"a.rb", "class A", "end"}, {"a.rb", "describe 'a' do", "end"}, {"a.php", "if (a) {", "}"}, {"a.java", "(", "]"}, {"a.java", "[", "}"},
		{"a.c", "(", "#if x"}, {"a.c", "#if x", "("}, {"a.c", "(", "a<"}, {"a.cs", "a<", ">"}, {"a.kt", `"${`, `}"`}, {"a.php", `"{$`, `}"`},
		{"a.rb", "# a", "class A; class A; class A"},
	} {
		t.Run(test.path+" "+test.open, func(t *testing.T) {
			times := n / (len(test.open) + 1)
			source := strings.Repeat(test.open+"\n", times) + strings.Repeat(test.shut+"\n", times)
			if strings.HasSuffix(test.path, ".php") {
				source = "<?php\n" + source
			}
			f := Source(test.path, []byte(source))
			size := 0
			for _, d := range f.Decls {
				size += len(d.Parent) + len(d.Doc)/1000
			}
			for _, c := range f.Calls {
				size += len(c.Caller)
			}
			if size > 8*len(source) {
				t.Errorf("the names take %d bytes, the file %d", size, len(source))
			}
		})
	}
}

// FuzzFamily checks that broken source never stops a scan, and that spans stay within the file.
func FuzzFamily(f *testing.F) {
	var seeds []string
	for p := range corpora(f) {
		seeds = append(seeds, p)
	}
	sort.Strings(seeds)
	all := corpora(f)
	for i, p := range seeds {
		f.Add(uint8(i), string(all[p]))
		f.Add(uint8(i), string(all[p][len(all[p])/3:]))
	}
	f.Fuzz(func(t *testing.T, which uint8, source string) {
		checkLines(t, Source(seeds[int(which)%len(seeds)], []byte(source)))
	})
}
