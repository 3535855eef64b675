package safetext

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
)

// TestMayLead tells the texts that need no parser from those that do.
func TestMayLead(t *testing.T) {
	for text, want := range map[string]bool{
		"# Core\n\nSee [limits](limits.md) and `a.go`: ten.\n":     false,
		"[a](/openwiki/b.md#c \"title: x\") [b][c]\n\n[c]: d.md\n": false,
		"[empty]()":                    false,
		"[a](https://b.example)":       true,
		"[a](//b.example)":             true,
		"[a](\\/\\/b.example)":         true,
		"[a](java&Tab;script&colon;x)": true,
		"[a](/\x01/b.example)":         true,
		"> [a](\n> data:x)":            true,
		"[a]: mailto:x":                true,
		"WwW.b.example":                true,
		"a < b":                        true,
	} {
		if got := mayLead([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// FuzzMayLead looks for a text that is taken for harmless without being parsed and is not.
func FuzzMayLead(f *testing.F) {
	for _, text := range []string{
		"[a](b)", "[a](b:c)", "[a]: b", "[a](\n b:c)", "![a](</b>)", "a@b.example", "www.b.example", "[a](&#58;)", "[a](\u00a0b:c)", "[a](b\tc)", "]](b(c):d)",
		"1. [a](\n   b:c)", "[a]:\n> b:c", "[^a]: b", "[a](\fb:c)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := Read([]byte(text))
		if mayLead(p.body) {
			return
		}
		i := inspection{page: p.page, body: p.body, base: p.base, lines: lineStarts(p.page)}
		_ = ast.Walk(p.parsed(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				i.visit(n)
			}
			return ast.WalkContinue, nil
		})
		if diff := cmp.Diff([]Problem(nil), i.problems); diff != "" {
			t.Errorf("%q has problems:\n%s", text, diff)
		}
	})
}
