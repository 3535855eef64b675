package scan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// braces is a syntax like that of many brace languages.
var braces = &syntax{
	line:  []string{"//"},
	block: [2]string{"/*", "*/"},
	quotes: []quote{
		{open: `"""`, close: `"""`, multiline: true, raw: true},
		{open: `"`, close: `"`, escape: true},
		{open: "`", close: "`", escape: true, multiline: true, subst: "${"},
		{open: "'", close: "'", escape: true},
	},
}

func TestMaskBlanksCommentsAndLiterals(t *testing.T) {
	tests := []struct{ name, src, code string }{
		{"line comment", "a // b\nc", "a     \nc"},
		{"block comment", "a /* b\n{ */ c", "a     \n     c"},
		{"unclosed block", "a /* b", "a     "},
		{"string", `f("a{\"b") {`, `f("     ") {`},
		{"triple", "x = \"\"\"a\n\"}\"\"\" }", "x = \"\"\" \n  \"\"\" }"},
		{"unclosed string ends with its line", "a = \"b\n}", "a = \" \n}"},
		{"comment marker in string", `"//" // "`, `"  "     `},
		{"template with code", "`a ${ f({b:`}`}) } }` }", "`   { f({b:` `}) }  ` }"},
		{"escape at the end", `"\`, `" `},
		{"unclosed template", "`a ${ b", "`   { b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newText("x", []byte(tt.src), braces)
			if diff := cmp.Diff(tt.code, string(got.code)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMaskNestedBlockComments(t *testing.T) {
	rules := &syntax{block: [2]string{"/*", "*/"}, nested: true}
	got := newText("x", []byte("a /* b /* c */ d */ e /*/* f"), rules)
	if want := "a                   e       "; string(got.code) != want {
		t.Errorf("code = %q, want %q", got.code, want)
	}
}

func TestStringAt(t *testing.T) {
	src := newText("x", []byte("f(\"a\\n\\\"b\", `x${y}`, \"\"\"\\n\"\"\")"), braces)
	if v, end, ok := src.stringAt(2); v != "a\n\"b" || end != 10 || !ok {
		t.Errorf("stringAt(2) = %q, %d, %v", v, end, ok)
	}
	if _, _, ok := src.stringAt(12); ok {
		t.Error("a template with code has a literal value")
	}
	if v, _, ok := src.stringAt(21); v != `\n` || !ok {
		t.Errorf("raw string = %q, %v", v, ok)
	}
	if _, _, ok := src.stringAt(0); ok {
		t.Error("an identifier is a literal")
	}
}

func TestClosing(t *testing.T) {
	src := newText("x", []byte("a({[}]) { ) } ( {"), braces)
	for open, want := range map[int]int{1: 6, 2: 4, 8: 12, 14: -1, 16: -1, 0: -1} {
		if got := src.closing(open); got != want {
			t.Errorf("closing(%d) = %d, want %d", open, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for src, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n\n": 2} {
		if got := newText("x", []byte(src), braces).lines(); got != want {
			t.Errorf("lines(%q) = %d, want %d", src, got, want)
		}
	}
	src := newText("x", []byte("ab\nc\n\nd"), braces)
	for off, want := range []int{1, 1, 1, 2, 2, 3, 4} {
		if got := src.line(off); got != want {
			t.Errorf("line(%d) = %d, want %d", off, got, want)
		}
	}
	if got := src.line(0); got != 1 {
		t.Errorf("line(0) after line(6) = %d", got)
	}
}

func TestDocBefore(t *testing.T) {
	tests := []struct {
		name, src string
		openers   []string
		want      doc
	}{
		{"line comments", "x\n// A.\n//\n// B.\nfunc", nil, doc{"A.\n\nB.", 2, 4}},
		{"javadoc", "/**\n * A\n *   B\n *\n * @param x y\n */\nfunc", []string{"/**"}, doc{"A\n  B\n\n@param x y", 1, 6}},
		{"one line block", "/** A. */\nfunc", nil, doc{"A.", 1, 1}},
		{"block without stars", "/*\n   A\n     B\n*/\nfunc", nil, doc{"A\n  B", 1, 4}},
		{"blank line between", "// A\n\nfunc", nil, doc{}},
		{"trailing comment", "x // A\nfunc", nil, doc{}},
		{"other opener", "// A\nfunc", []string{"///"}, doc{}},
		{"after a trailing comment", "x // A\n// B\nfunc", nil, doc{"B", 2, 2}},
		{"rules", "// ====\n// A //\n//----\nfunc", nil, doc{"A //", 1, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := newText("x", []byte(tt.src), braces)
			got := src.docBefore(strings.Index(tt.src, "func"), tt.openers...)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(doc{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSplitTags(t *testing.T) {
	text, deprecated := splitTags("Does x.\n\n@param a b\n@deprecated use y")
	if text != "Does x." || !deprecated {
		t.Errorf("splitTags = %q, %v", text, deprecated)
	}
	if text, deprecated = splitTags("mail a@b.c\n @ home"); text != "mail a@b.c\n @ home" || deprecated {
		t.Errorf("splitTags = %q, %v", text, deprecated)
	}
}

func TestSignature(t *testing.T) {
	src := "f(a, // first\n\t/* second */ b)   int {"
	if got, want := newText("x", []byte(src), braces).signature(0, len(src)-1), "f(a, b) int"; got != want {
		t.Errorf("signature = %q, want %q", got, want)
	}
	long := strings.Repeat("é", 200)
	got := newText("x", []byte(long), braces).signature(0, len(long))
	if len(got) > maxSignature || !strings.HasSuffix(got, "é…") {
		t.Errorf("long signature = %d bytes, %q", len(got), got)
	}
}

func TestCalls(t *testing.T) {
	src := "a(b.c(1), d->e::f (2)); if (x) g().h(\n\ti[0].j()); x.y.z()"
	f := &File{}
	newText("x", []byte(src), braces).calls(f, "m", 0, len(src), func(w string) bool { return w == "if" })
	want := []Call{
		{Caller: "m", Name: "a", Line: 1}, {Caller: "m", Qualifier: "b", Name: "c", Line: 1}, {Caller: "m", Qualifier: "d->e", Name: "f", Line: 1}, {Caller: "m", Name: "g", Line: 1}, {Caller: "m", Qualifier: "()", Name: "h", Line: 1}, {Caller: "m", Qualifier: "[]", Name: "j", Line: 2},
		{Caller: "m", Qualifier: "x.y", Name: "z", Line: 2},
	}
	if diff := cmp.Diff(want, f.Calls); diff != "" {
		t.Error(diff)
	}
}

func TestMarks(t *testing.T) {
	src := "// TODO: one\n/*\n * FIXME(ann) two\n * a TODO list\n */\n// XTODO: no\n// HACK three */"
	f := &File{}
	newText("x", []byte(src), braces).marks(f)
	want := []Mark{{"TODO", "one", 1}, {"FIXME", "(ann) two a TODO list", 3}, {"HACK", "three", 7}}
	if diff := cmp.Diff(want, f.Marks); diff != "" {
		t.Error(diff)
	}
}

func TestMarksGoOn(t *testing.T) {
	src := `// TODO: instead of exiting the loop
// send every other. And so on.
int a; // TODO(x): short
// other

/* FIXME this goes
 * on to
 * the end
 */
// TODO one
// TODO two
// HACK never
// ever
// ever
// ends
// here.
`
	f := &File{}
	newText("x", []byte(src), braces).marks(f)
	want := []Mark{
		{"TODO", "instead of exiting the loop send every other.", 1}, {"TODO", "(x): short", 3}, {"FIXME", "this goes on to the end", 6},
		{"TODO", "one", 10}, {"TODO", "two", 11},
	}
	if diff := cmp.Diff(want, f.Marks); diff != "" {
		t.Error(diff)
	}
}

func TestFirstSentence(t *testing.T) {
	for in, want := range map[string]string{
		"Does x. Then y.":         "Does x.",
		"Uses e.g. a\nb. And c.":  "Uses e.g. a b.",
		"No stop\n\nNext.":        "No stop",
		"By J. Doe. More.":        "By J. Doe.",
		"Version 1.2 of it. More": "Version 1.2 of it.",
		"See No. 5. Then":         "See No. 5.",
		"It says no. Then":        "It says no.",
	} {
		if got := firstSentence(in); got != want {
			t.Errorf("firstSentence(%q) = %q, want %q", in, got, want)
		}
	}
}
