package wiki

import "testing"

func TestInert(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"Keeps *values* under names (a_b), 5 < 6": "Keeps *values* under names (a_b), 5 < 6",
		"Uses `<b>` and ``x`@y`` of Map<K>":       "Uses `<b>` and ``x`@y`` of Map\\<K>",
		"one ` tick <b>":                          "one ` tick \\<b>",
		"<script>x</script> <!-- c -->":           "\\<script>x\\</script> \\<!-- c -->",
		"![p](http://e.example/p) [l](/x)":        "!\\[p]\\(http\\://e.example/p) [l]\\(/x)",
		"repo:// and s3://b, HTTP://e, ftp://e":   "repo:// and s3://b, HTTP\\://e, ftp\\://e",
		"see https://e.example, www.e.example":    "see https\\://e.example, www\\.e.example",
		"ask @octocat or a@b.example":             "ask &#64;octocat or a&#64;b.example",
		"a\u202Eb\u200bc\u0007":                   "abc",
	} {
		if got := inert(text); got != want {
			t.Errorf("inert(%q) = %q, want %q", text, got, want)
		}
	}
}
