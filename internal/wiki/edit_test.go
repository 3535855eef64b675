package wiki

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSetGenerated(t *testing.T) {
	event := &Event{By: "wikiwright/1.0.0", At: "2030-01-02T03:04:05.678Z"}
	const line = "generated: { by: \"wikiwright/1.0.0\", at: \"2030-01-02T03:04:05.678Z\" }\n"
	for _, test := range []struct {
		name, in, want string
		event          *Event
	}{
		{"append", "---\ntype:  X # odd\n\n# note\nx: [1,2]\n---\nb", "---\ntype:  X # odd\n\n# note\nx: [1,2]\n" + line + "---\nb", event},
		{"replace in place", "---\ntype: X\ngenerated:\n  by: a\n  at: 2020-01-02T03:04:05Z\n\n# about x\nx: 1\n---\nb",
			"---\ntype: X\n" + line + "\n# about x\nx: 1\n---\nb", event},
		{"replace a list at column one", "---\ngenerated:\n- a\n- b\ntype: X\n---\nb", "---\n" + line + "type: X\n---\nb", event},
		{"equal in another spelling", "---\ntype: X\ngenerated: {at: 2030-01-02T03:04:05.678Z,   by: wikiwright/1.0.0}\n---\nb",
			"---\ntype: X\ngenerated: {at: 2030-01-02T03:04:05.678Z,   by: wikiwright/1.0.0}\n---\nb", event},
		{"crlf", "---\r\ntype: X\r\n---\r\nb\r\n", "---\r\ntype: X\r\n" + line[:len(line)-1] + "\r\n---\r\nb\r\n", event},
		{"no block", "# T\n", "---\n" + line + "---\n\n# T\n", event},
		{"empty block", "---\n---\nb", "---\n" + line + "---\nb", event},
		{"without date", "---\ntype: X\n---\n", "---\ntype: X\ngenerated: { by: \"a \\\"b\\\"\" }\n---\n", &Event{By: `a "b"`}},
		{"remove", "---\ntype: X\ngenerated: {by: a}\nx: 1\n---\nb", "---\ntype: X\nx: 1\n---\nb", nil},
		{"remove what is not there", "---\ntype: X\n---\nb", "---\ntype: X\n---\nb", nil},
		{"remove the last field", "---\ngenerated: {by: a}\n---\n\n# T\n", "# T\n", nil},
		{"anchor in the removed field", "---\ntype: X\ngenerated: &g {by: a}\nx: *g\n---\nb", "---\ntype: X\nx:\n  by: a\n---\nb", nil},
		{"broken block", "---\ntype: a: b\n---\nb", "---\ntype: a: b\n---\nb", event},
		{"indented block", "---\n  type: X\n  x: 1\n---\nb", "---\ntype: X\nx: 1\n" + line + "---\nb", event},
		{"key in quotes", "---\n\"generated\": {by: a}\ntype: X\n---\nb", "---\n" + line + "type: X\n---\nb", event},
		{"key inside a block scalar", "---\ntype: |\n  generated: no\nx: 1\n---\nb", "---\ntype: |\n  generated: no\nx: 1\n" + line + "---\nb", event},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(SetGenerated([]byte(test.in), test.event)); got != test.want {
				t.Errorf("SetGenerated:\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestSetVerified(t *testing.T) {
	own := Event{By: "openwiki/9.9.9", At: "2030-01-02T03:04:05.678Z"}
	in := "---\ntype: X\nverified: {by: alice, note: 'by hand'}\nx: 1\n---\nb"
	want := "---\ntype: X\nverified:\n  - by: alice\n    note: 'by hand'\n  - by: openwiki/9.9.9\n    at: 2030-01-02T03:04:05.678Z\nx: 1\n---\nb"
	out := SetVerified([]byte(in), []Event{{By: "alice"}, own})
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("SetVerified (-want +got):\n%s", diff)
	}
	if again := SetVerified(out, Parse(out).Verified()); string(again) != string(out) {
		t.Errorf("setting the same events changed the page: %q", again)
	}
	if got := string(SetVerified([]byte(in), []Event{{By: "alice"}})); got != in {
		t.Errorf("equal events changed the page: %q", got)
	}
	if got, want := string(SetVerified(out, nil)), "---\ntype: X\nx: 1\n---\nb"; got != want {
		t.Errorf("SetVerified(nil) = %q, want %q", got, want)
	}
	if got, want := string(SetVerified([]byte("---\ntype: X\n---\n"), []Event{{By: "a: b"}})), "---\ntype: X\nverified:\n  - by: \"a: b\"\n---\n"; got != want {
		t.Errorf("SetVerified = %q, want %q", got, want)
	}
}

// Entries of others that are not valid stay where they are.
func TestSetVerified_foreign(t *testing.T) {
	const head = "---\ntype: X\nverified:\n"
	own := Event{By: "wikiwright/1.0", At: "2030-01-02T03:04:05.678Z"}
	in := head + "  - Bob\n  - by: alice\n    at: 2026-01-02\n  - by: openwiki/0.7.1\n    at: 2029-01-02T03:04:05.678Z\n  - by: openwiki/0.7.1\n    at: soon\n" +
		"  - by: carol\n  - { who: \"dave\" }\n---\nb"
	want := head + "  - Bob\n  - by: alice\n    at: 2026-01-02\n  - by: carol\n  - who: \"dave\"\n  - by: wikiwright/1.0\n    at: 2030-01-02T03:04:05.678Z\n---\nb"
	out := SetVerified([]byte(in), []Event{{By: "carol"}, own})
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("SetVerified (-want +got):\n%s", diff)
	}
	if again := SetVerified(out, []Event{{By: "carol"}, own}); string(again) != string(out) {
		t.Errorf("setting the same events again changed the page: %q", again)
	}
	rest := "  - Bob\n  - by: alice\n    at: 2026-01-02\n  - who: \"dave\"\n---\nb"
	if got := SetVerified(out, nil); string(got) != head+rest {
		t.Errorf("without events: got %q, want the entries of others", got)
	}
	if got := SetVerified([]byte(head+rest), nil); string(got) != head+rest {
		t.Errorf("removing nothing changed the page: %q", got)
	}
}

// The same holds for sources.
func TestSetSources_foreign(t *testing.T) {
	in := "---\ntype: X\nsources:\n  - a book\n  - id: openwiki-source-000000000000000000000000\n    resource: repo://gone.go\n---\nb"
	want := "---\ntype: X\nsources:\n  - a book\n  - id: openwiki-source-23775c3de52f3ab95a13cb8b\n    resource: repo://README.md\n---\nb"
	if got := string(SetSources([]byte(in), ProjectSources(Parse([]byte(in)).Sources(), []string{"repo://README.md"}))); got != want {
		t.Errorf("SetSources = %q, want %q", got, want)
	}
}

func TestSetSources(t *testing.T) {
	in := "---\ntype: X\nsources:\n  - { id: mine, resource: https://example.org/a#b, note: [1, 2] }\n---\nb"
	entries := ProjectSources(Parse([]byte(in)).Sources(), []string{"repo://README.md#L1-L1"})
	want := "---\ntype: X\nsources:\n  - id: mine\n    resource: https://example.org/a#b\n    note:\n      - 1\n      - 2\n" +
		"  - id: openwiki-source-23775c3de52f3ab95a13cb8b\n    resource: repo://README.md\n---\nb"
	out := SetSources([]byte(in), entries)
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("SetSources (-want +got):\n%s", diff)
	}
	if again := SetSources(out, ProjectSources(Parse(out).Sources(), []string{"repo://README.md"})); string(again) != string(out) {
		t.Errorf("projecting again changed the page: %q", again)
	}
	if got := string(SetSources([]byte(in), Parse([]byte(in)).Sources())); got != in {
		t.Errorf("equal sources changed the page: %q", got)
	}
}

func TestOwnSource(t *testing.T) {
	if got, want := OwnSource("repo://README.md").ID, "openwiki-source-23775c3de52f3ab95a13cb8b"; got != want {
		t.Errorf("id = %s, want %s", got, want)
	}
}

func TestProjectSources(t *testing.T) {
	page := "---\ntype: X\nsources:\n" +
		"  - id: openwiki-source-000000000000000000000000\n    resource: repo://gone.go\n" +
		"  - author: openwiki/0.7.1\n    resource: repo://old.go\n" +
		"  - author: alice\n    resource: repo://a.go\n" +
		"  - resource: https://example.org\n---\n"
	got := ProjectSources(Parse([]byte(page)).Sources(), []string{"repo://b10.go#L1-L2", "repo://a.go", "repo://b9.go", "repo://B9.go", "repo://b-x.go", "repo://b10.go"})
	var resources []string
	for _, entry := range got {
		resources = append(resources, entry.Resource)
	}
	want := []string{"repo://a.go", "https://example.org", "repo://b-x.go", "repo://b10.go", "repo://b9.go", "repo://B9.go"}
	if diff := cmp.Diff(want, resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	for i, entry := range got {
		if entry.own() != (i >= 2) {
			t.Errorf("entry %d: own() = %v", i, entry.own())
		}
	}
}

// OpenWiki has written the entries in more than one order.
func TestProjectSourcesKeepsTheOrderOfTheSameEntries(t *testing.T) {
	page := "---\ntype: X\nsources:\n" +
		"  - id: openwiki-source-fedc5696d11bf2839f739fd1\n    resource: repo://b_test.go\n" +
		"  - resource: https://example.org\n" +
		"  - id: openwiki-source-ac94bf622b60ec7039b13b16\n    resource: repo://b.go\n---\n"
	project := func(resources ...string) string {
		return string(SetSources([]byte(page), ProjectSources(Parse([]byte(page)).Sources(), resources)))
	}
	if got := project("repo://b.go#L1-L2", "repo://b_test.go"); got != page {
		t.Errorf("the same entries:\n%s", cmp.Diff(page, got))
	}
	var resources []string
	for _, entry := range Parse([]byte(project("repo://b.go", "repo://b_test.go", "repo://a.go"))).Sources() {
		resources = append(resources, entry.Resource)
	}
	if diff := cmp.Diff([]string{"https://example.org", "repo://a.go", "repo://b_test.go", "repo://b.go"}, resources); diff != "" {
		t.Errorf("one more (-want +got):\n%s", diff)
	}
}

func TestOwnActor(t *testing.T) {
	for actor, want := range map[string]bool{
		"openwiki/0.7.1": true, "wikiwright/1.0": true, "wikiwright-extractive/dev": true,
		"": false, "alice": false, "openwikia/1": false, "wikiwright": false, "my-openwiki/1": false,
	} {
		if got := OwnActor(actor); got != want {
			t.Errorf("OwnActor(%q) = %v, want %v", actor, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"repo://a/b.go", "repo://a/b.go"}, {"2030-01-02T03:04:05.678Z", "2030-01-02T03:04:05.678Z"}, {"a#b", "a#b"}, {"x y", "x y"},
		{"a: b", `"a: b"`}, {"a #b", `"a #b"`}, {"true", `"true"`}, {"12", `"12"`}, {"", `""`}, {" x", `" x"`}, {"- x", `"- x"`}, {"null", `"null"`},
		{"a\nb", `"a\nb"`}, {"[x", `"[x"`}, {`"x"`, `"\"x\""`}, {"*x", `"*x"`}, {"\x7f", `"\u007f"`},
	} {
		if got := plain(test.in); got != test.want {
			t.Errorf("plain(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}
